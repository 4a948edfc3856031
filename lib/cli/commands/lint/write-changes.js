// Writes what fixes changed. Changes no file that was modified since it was read, and none at all if one of them was.

import path from 'node:path';
import { linkTarget } from '../../../files/links.js';
import { MAX_STRING_LENGTH, readFile, reasonOf } from '../../../files/open-file.js';
import { printable } from '../../../shared/printable.js';
import { UserError } from '../../../shared/user-error.js';
import { writeFileAtomically } from '../../write-file.js';

/** @import { Writable } from 'node:stream' */
/** @import { Change } from '../../../engine/fixes/apply-fixes.js' */

/**
 * @param {Change[]} changes
 * @param {{cwd: string, stderr: Writable}} surroundings
 * @throws {UserError} where a file changed since it was read, or cannot be written
 */
export function writeChanges(changes, { cwd, stderr }) {
  for (const { file } of changes) {
    const target = path.resolve(cwd, file.path);
    if (linkTarget(cwd, target) !== undefined) {
      throw new UserError('cannot-write', `cannot fix ${file.path}: it is behind a symbolic link`, {
        hint: 'fix the file that the link leads to: name that file',
      });
    }
    refuseIfChanged(target, file.path, [file.text]);
  }
  for (const { file, text } of changes) {
    const target = path.resolve(cwd, file.path);
    refuseIfChanged(target, file.path, [file.text]);
    writeFileAtomically(target, text, file.path);
    stderr.write(`fixed ${printable(file.path)}\n`);
  }
}

/**
 * @param {string} target
 * @param {string} shown
 * @param {string[]} expected what it may hold
 */
function refuseIfChanged(target, shown, expected) {
  let text;
  try {
    text = readFile(target, { followsLinks: false, maxBytes: MAX_STRING_LENGTH }).toString('utf8');
  } catch (error) {
    throw new UserError('cannot-write', `cannot fix ${shown}: it is no longer readable (${reasonOf(error)})`);
  }
  if (expected.includes(text)) return;
  throw new UserError('changed-since-read', `${shown} changed during the run and was not fixed`, {
    hint: 'run the command again',
  });
}
