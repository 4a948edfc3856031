// Writes a file atomically, so that nobody ever sees half of it: a temporary file beside it, then a rename.

import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { UserError } from '../shared/user-error.js';

/** @import { Stats } from 'node:fs' */

/**
 * @param {string} file absolute; where it is a symbolic link, what it points to is written
 * @param {string} content
 * @param {string} [shown] how people know it
 * @throws {UserError} where it cannot be written; the old content is then untouched
 */
export function writeFileAtomically(file, content, shown = file) {
  try {
    const old = statSync(file, { throwIfNoEntry: false });
    // A pipe or a device has no content to keep whole, and must not be replaced by a file.
    if (old && !old.isFile() && !old.isDirectory()) writeFileSync(file, content);
    else replace(old ? realpathSync(file) : file, content, old);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError('cannot-write', `${shown} cannot be written (${code})`, {
      hint: 'check that its folder exists and may be written to',
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
