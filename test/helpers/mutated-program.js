// Loads the program with one passage of a module changed, to see that a test notices.

import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../..');

/**
 * @template T
 * @param {string} file of the module, from the root of the repository
 * @param {[string, string]} change a passage that stands in it once, and what replaces it
 * @param {(load: (file: string) => Promise<any>) => Promise<T>} use
 * @returns {Promise<T>}
 * @throws {Error} where the passage does not stand there once
 */
export async function withMutatedProgram(file, [passage, other], use) {
  const text = await readFile(join(ROOT, file), 'utf8');
  if (text.split(passage).length !== 2) throw new Error(`not once in ${file}: ${passage}`);
  const folder = await mkdtemp(join(tmpdir(), 'mutated-program-'));
  try {
    await cp(join(ROOT, 'lib'), join(folder, 'lib'), { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(
      join(folder, file),
      text.replace(passage, () => other),
    );
    return await use((path) => import(pathToFileURL(join(folder, path)).href));
  } finally {
    await rm(folder, { recursive: true });
  }
}
