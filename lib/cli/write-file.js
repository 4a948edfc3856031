// Writes a file so that nobody ever sees half of it: a temporary file beside it, then a rename.

import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { UserError } from '../shared/user-error.js';

const DEFAULT_MODE = 0o666;

/**
 * @param {string} file where a symbolic link, what it points to is written
 * @param {string | Buffer} content
 * @throws {UserError} of code `incomplete` where it cannot be written; the old content is then untouched
 */
export function writeFileAtomically(file, content) {
  const { target, mode } = describe(file);
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = openSync(temporary, 'wx', mode);
    try {
      const bytes = Buffer.from(content);
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError('incomplete', `${file} cannot be written (${code})`, {
      hint: 'check that its folder exists and may be written to',
    });
  }
}

/**
 * @param {string} file
 * @returns {{target: string, mode: number}} the file behind a link, and the mode it has
 */
function describe(file) {
  try {
    const target = realpathSync(file);
    return { target, mode: statSync(target).mode & 0o777 };
  } catch {
    return { target: file, mode: DEFAULT_MODE };
  }
}
