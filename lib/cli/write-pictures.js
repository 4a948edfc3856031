// Writes pictures: the first to the file that was named, the others beside it.

import path from 'node:path';
import { writeFileAtomically } from './write-file.js';

/**
 * @param {string} file that was named
 * @param {string[]} pictures
 * @param {string} cwd
 * @throws {import('../shared/user-error.js').UserError} where one cannot be written
 */
export function writePictures(file, pictures, cwd) {
  const { dir, name, ext } = path.parse(file);
  for (const [at, picture] of pictures.entries()) {
    const shown = at === 0 ? file : path.join(dir, `${name}-${at + 1}${ext}`);
    writeFileAtomically(path.resolve(cwd, shown), picture, shown);
  }
}
