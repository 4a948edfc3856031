// Writes the files of a plan below a folder: all of them or none, and never over a file that is there.

import { existsSync, lstatSync, mkdirSync, realpathSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readFile } from '../../../files/open-file.js';
import { printable } from '../../../shared/printable.js';
import { UserError } from '../../../shared/user-error.js';
import { MARK_FILE, makeMark, readMark } from '../../../sources/written-files.js';
import { writeFileAtomically } from '../../write-file.js';

/** @import { Plan } from '../../../advise/plan.js' */

/** So many files that are in the way are named. */
const MAX_NAMED = 5;

/** @typedef {{written: string[], unchanged: string[]}} WrittenPlan paths as the plan has them; `unchanged`: were there with the same content */

/**
 * @param {{steps: Pick<Plan['steps'][number], 'files'>[]}} plan where steps have a file in common, that of the last one counts, which holds the changes of the others
 * @param {string} folder as it was given; made where it is missing
 * @param {string} cwd
 * @returns {WrittenPlan}
 * @throws {UserError} `bad-plan-path` for a path that leads out of the folder, `would-overwrite` where a file is there with another content,
 *   `cannot-write`; nothing is written then
 */
export function writePlan({ steps }, folder, cwd) {
  const root = path.resolve(cwd, folder);
  const files = new Map(steps.flatMap((step) => step.files.map((file) => [file.path, file.content])));
  refuseOneName([...files.keys()]);
  /** @type {WrittenPlan} */
  const result = { written: [], unchanged: [] };
  const inTheWay = [];
  for (const [name, content] of files) {
    const there = readWhatIsThere(root, name);
    if (there === undefined) result.written.push(name);
    else if (there === content) result.unchanged.push(name);
    else inTheWay.push(name);
  }
  if (inTheWay.length > 0) throw overwriting(inTheWay, folder);
  if (files.size === 0) return result;
  const known = readWhatIsThere(root, MARK_FILE);
  const mark = makeMark(readMark(known ?? ''), files);
  const fresh = new Map(result.written.map((name) => [name, files.get(name) ?? '']));
  if (known === undefined) fresh.set(MARK_FILE, mark);
  else if (known !== mark) writeFileAtomically(path.join(root, MARK_FILE), mark, path.join(folder, MARK_FILE));
  writeAll(root, folder, fresh);
  return result;
}

/**
 * @param {string[]} names
 * @throws {UserError} where two would be one file on a system that ignores case
 */
function refuseOneName(names) {
  /** @type {Map<string, string>} */
  const known = new Map();
  for (const name of names) {
    const folded = name.toLowerCase();
    const other = known.get(folded);
    if (other !== undefined)
      throw new UserError('bad-plan-path', `${shown(other)} and ${shown(name)} differ in case only`, {
        hint: 'rename one of the two: on some systems they are one file',
      });
    known.set(folded, name);
  }
}

/**
 * @param {string} root absolute
 * @param {string} name
 * @returns {string | undefined} content of the file, with the line ends of the plan; undefined where there is none
 * @throws {UserError} where it is no file below the root
 */
function readWhatIsThere(root, name) {
  const segments = name.split('/');
  if (segments.some((segment) => /^\.{0,2}$|[\\:\0]/.test(segment))) throw outside(name, 'the path must be relative');
  let at = root;
  for (const [index, segment] of segments.entries()) {
    at = path.join(at, segment);
    const entry = entryOf(at, name);
    if (entry === undefined) return undefined;
    // A link below the folder could lead anywhere, also once it was checked.
    if (entry.isSymbolicLink())
      throw outside(name, `${shown(segments.slice(0, index + 1).join('/'))} is a symbolic link`);
    const isLast = index === segments.length - 1;
    if (isLast ? !entry.isFile() : !entry.isDirectory())
      throw outside(name, `${shown(segments.slice(0, index + 1).join('/'))} is not a ${isLast ? 'file' : 'folder'}`);
  }
  try {
    return readFile(at, { followsLinks: false }).toString('utf8').replaceAll('\r\n', '\n');
  } catch (error) {
    throw unwritable(name, error);
  }
}

/**
 * @param {string} at absolute
 * @param {string} name
 * @returns {import('node:fs').Stats | undefined} undefined where nothing is there
 * @throws {UserError} where that cannot be seen: the folder that was given is a file, or locked
 */
function entryOf(at, name) {
  try {
    return lstatSync(at, { throwIfNoEntry: false });
  } catch (error) {
    throw unwritable(name, error);
  }
}

/**
 * @param {string} root absolute
 * @param {string} folder as it was given
 * @param {Map<string, string>} files content by path; none of them is there
 */
function writeAll(root, folder, files) {
  /** @type {(() => void)[]} */
  const undo = [];
  let name = folder;
  try {
    for (const [next, content] of files) {
      name = next;
      const target = path.join(root, next);
      makeFolder(path.dirname(target), undo);
      if (!isBelow(realpathSync(root), realpathSync(path.dirname(target))))
        throw outside(next, 'a symbolic link leads out');
      // Fails where a file came into being meanwhile.
      writeFileSync(target, content, { flag: 'wx' });
      undo.push(() => rmSync(target, { force: true }));
    }
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error instanceof UserError ? error : unwritable(name, error);
  }
}

/**
 * @param {string} folder absolute
 * @param {(() => void)[]} undo takes what removes the folders that were made
 */
function makeFolder(folder, undo) {
  // One at a time: where a file system like /proc makes none, `recursive` never returns (Node.js 20).
  const missing = [];
  for (let at = folder; !existsSync(at) && at !== path.dirname(at); at = path.dirname(at)) missing.push(at);
  for (const at of missing.reverse()) {
    mkdirSync(at);
    undo.push(() => rmdirSync(at));
  }
}

/** @param {string} folder @param {string} other @returns {boolean} whether the other is it, or below it */
function isBelow(folder, other) {
  const way = path.relative(folder, other);
  return way === '' || (!/^\.\.(?:$|[\\/])/.test(way) && !path.isAbsolute(way));
}

/** @param {string[]} names @param {string} folder @returns {UserError} */
function overwriting(names, folder) {
  const rest = names.length - MAX_NAMED;
  const list = `${names.slice(0, MAX_NAMED).map(shown).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  const differ = names.length === 1 ? 'exists with different content' : 'exist with different content';
  return new UserError('would-overwrite', `${list} ${differ} in ${shown(folder)}; nothing was written`, {
    hint: 'choose an empty folder, or move these files away',
  });
}

/** @param {string} name @param {string} reason @returns {UserError} */
function outside(name, reason) {
  return new UserError('bad-plan-path', `cannot write ${shown(name)}: ${reason}; nothing was written`, {
    hint: 'choose an empty folder, or correct the paths of the plan',
  });
}

/** @param {string} name @param {unknown} error @returns {UserError} */
function unwritable(name, error) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  return new UserError('cannot-write', `cannot write ${shown(name)} (${code}); nothing was written`, {
    hint: 'check that the folder is writable',
  });
}

/** @param {string} name @returns {string} */
function shown(name) {
  return printable(name);
}
