// Writes a file atomically, so that nobody ever sees half of it: a temporary file beside it, then a rename. Writes through no symbolic link to a file.

import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { UserError } from '../shared/user-error.js';

/** @import { Stats } from 'node:fs' */

/**
 * @param {string} file absolute
 * @param {string} content
 * @param {string} [shown] how people know it
 * @throws {UserError} where it cannot be written; the old content is then untouched
 */
export function writeFileAtomically(file, content, shown = file) {
  try {
    const old = statSync(file, { throwIfNoEntry: false });
    // A pipe or a device has no content to keep whole, and must not be replaced by a file.
    if (old && !old.isFile() && !old.isDirectory()) writeFileSync(file, content);
    else {
      // Whoever placed the link may have chosen a file outside of the project.
      if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) {
        throw new UserError('cannot-write', `cannot write ${shown}: it is a symbolic link`, {
          hint: 'name the file that it leads to',
        });
      }
      replace(file, content, old);
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError('cannot-write', `cannot write ${shown} (${code})`, {
      hint: 'check that its folder exists and is writable',
    });
  }
}

/**
 * @param {string} cwd
 * @param {{path: string, text: string, isExecutable?: boolean}} file `path`: relative; folders are made as needed
 * @returns {boolean} false where it is there already
 * @throws {UserError} where it cannot be written
 */
export function writeNewFile(cwd, { path: name, text, isExecutable }) {
  const file = path.join(cwd, name);
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    // Fails where there is such a file, even one that came this moment.
    writeFileSync(file, text, { flag: 'wx' });
    if (isExecutable) chmodSync(file, 0o755);
    return true;
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'EEXIST') return false;
    throw new UserError('cannot-write', `cannot write ${name} (${code})`, {
      hint: 'check that its folder is writable',
    });
  }
}

/**
 * @param {string} target
 * @param {string} content
 * @param {Stats | undefined} old what is there now
 */
function replace(target, content, old) {
  // A rename would need only the rights to the folder.
  if (old) accessSync(target, constants.W_OK);
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  const handle = openSync(temporary, 'wx');
  try {
    try {
      writeFileSync(handle, content);
      if (old) keepRights(handle, old);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * @param {number} handle
 * @param {Stats} old
 */
function keepRights(handle, old) {
  try {
    fchownSync(handle, old.uid, old.gid);
  } catch {
    // Only the superuser may give files away; the file then belongs to who runs this.
  }
  fchmodSync(handle, old.mode & 0o7777);
}
