// Opens files for reading; no other module does. What a configuration names may be a device without end, a pipe that nobody writes to, or larger than
// the memory: only regular files are opened, and no more is read than a limit allows.

import { constants as limits } from 'node:buffer';
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { UserError } from '../shared/user-error.js';
import { mayRead } from './confinement.js';
import { leadsOut } from './links.js';

/** @import { ReadStream, Stats } from 'node:fs' */

/**
 * @typedef {object} OpenOptions
 * @property {boolean} [isNamed] whether the user named this file, on the command line or in the environment: then it may be a pipe, such as the output of
 *   a command, and a link may lead anywhere
 * @property {string} [within] folder; a link in the project around it is followed only to what lies in that project, unless the file is named
 * @property {boolean} [followsLinks] true where absent
 */

/** @typedef {{handle: number, stats: Stats, isPipe: boolean}} OpenedFile */

/** Of a file that is held whole in memory, where its reader has no other limit: 100,000 findings of a baseline take some 20 MB. */
export const MAX_BYTES = 64 * 1024 * 1024;
/** Of a source that the user named: no string is longer. */
export const { MAX_STRING_LENGTH } = limits;
const MEBIBYTE = 1024 * 1024;
const CHUNK = 64 * 1024;

/** Opening a pipe that nobody writes to would wait for ever. Windows has neither flag. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const NO_LINK = constants.O_NOFOLLOW ?? 0;

/** Why a file is not read where reading is confined. */
export const OUTSIDE = 'outside of the folders that may be read';

/** What to do about a file that cannot be read. */
const HINTS = new Map([
  ['not a regular file', 'name a regular file; pipes are read only where the command line names them'],
  ['a folder', 'name a file in it'],
]);

/**
 * Its caller closes the handle.
 * @param {string} file
 * @param {OpenOptions} [options]
 * @returns {OpenedFile}
 * @throws {Error} with a `code`: that of the file system, or what is wrong with the file
 */
export function openFile(file, options = {}) {
  const { real, isPipe } = locateFile(file, options);
  // What was looked at may have been replaced since.
  const handle = openSync(real ?? file, isPipe ? constants.O_RDONLY : READ | (real === undefined ? 0 : NO_LINK));
  const stats = fstatSync(handle);
  if (isPipe ? stats.isFIFO() : stats.isFile()) return { handle, stats, isPipe };
  closeSync(handle);
  throw wrongKind(stats);
}

/**
 * Looks at a file without opening it: devices may do something when they are opened, and a pipe can be opened but once.
 * @param {string} file
 * @param {OpenOptions} [options]
 * @returns {{real: string | undefined, stats: Stats, isPipe: boolean}} `real`: undefined for a pipe, and for a file that was deleted but is open
 * @throws {Error} as `openFile`
 */
export function locateFile(file, { isNamed = false, within, followsLinks = true } = {}) {
  if (!mayRead(file)) throw fault(OUTSIDE);
  const stats = followsLinks ? statSync(file) : lstatSync(file);
  const isPipe = isNamed && stats.isFIFO();
  if (!isPipe && !stats.isFile()) throw wrongKind(stats);
  if (!followsLinks) return { real: file, stats, isPipe };
  if (isPipe) return { real: undefined, stats, isPipe };
  try {
    const real = realpathSync(file);
    if (!isNamed && within !== undefined && leadsOut(within, file, real))
      throw fault('a link to outside of the project');
    return { real, stats, isPipe };
  } catch (error) {
    // A shell may give a text as /dev/stdin that it has deleted.
    if (isNamed) return { real: undefined, stats, isPipe };
    throw error;
  }
}

/**
 * @param {string} file
 * @param {OpenOptions & {maxBytes?: number}} [options]
 * @returns {Buffer} all of it
 * @throws {Error} as `openFile`, and where it is larger than `maxBytes`
 */
export function readFile(file, { maxBytes, ...options } = {}) {
  const opened = openFile(file, options);
  try {
    return readOpened(opened, maxBytes);
  } finally {
    closeSync(opened.handle);
  }
}

/**
 * @param {string} file
 * @param {OpenOptions & {maxBytes?: number}} [options]
 * @returns {string} all of it as UTF-8, without a byte order mark
 * @throws {Error} as `readFile`
 */
export function readTextFile(file, options) {
  return readFile(file, options)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

/**
 * @param {OpenedFile} opened
 * @param {number} [maxBytes]
 * @returns {Buffer} all of it
 * @throws {Error} where it is larger
 */
export function readOpened({ handle, stats }, maxBytes = MAX_BYTES) {
  if (stats.size > maxBytes) throw tooLarge(maxBytes);
  // Pipes and files of /proc have no size, and files grow.
  let buffer = Buffer.allocUnsafeSlow(stats.size === 0 ? CHUNK : stats.size + 1);
  let used = 0;
  for (;;) {
    const count = readSync(handle, buffer, used, buffer.length - used, null);
    if (count === 0) return buffer.subarray(0, used);
    used += count;
    if (used > maxBytes) throw tooLarge(maxBytes);
    if (used === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * used, maxBytes + 1));
  }
}

/**
 * @param {string} file
 * @param {number} bytes
 * @returns {Buffer} so many of its first bytes
 * @throws {Error} as `openFile`
 */
export function readHead(file, bytes) {
  const { handle } = openFile(file);
  try {
    const head = Buffer.alloc(bytes);
    return head.subarray(0, readSync(handle, head, 0, bytes, 0));
  } finally {
    closeSync(handle);
  }
}

/**
 * @param {string} file
 * @param {OpenOptions & {highWaterMark?: number}} [options]
 * @returns {ReadStream} of what a file has now, and of all that a pipe will have
 * @throws {Error} as `openFile`
 */
export function streamFile(file, { highWaterMark, ...options } = {}) {
  const { handle, stats, isPipe } = openFile(file, options);
  const end = isPipe ? Number.POSITIVE_INFINITY : Math.max(0, stats.size - 1);
  return createReadStream('', { fd: handle, end, ...(highWaterMark === undefined ? {} : { highWaterMark }) });
}

/**
 * @param {AsyncIterable<Buffer | string>} stream such as standard input
 * @param {number} maxBytes
 * @returns {Promise<Buffer>} all of it
 * @throws {Error} where it is larger
 */
export async function readAll(stream, maxBytes) {
  /** @type {Buffer[]} */
  const chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
  }
  return Buffer.concat(chunks);
}

/**
 * @param {string} path as it is shown
 * @param {unknown} error of `openFile` and the like
 * @returns {UserError}
 */
export function unreadable(path, error) {
  const reason = reasonOf(error);
  const hint = HINTS.get(reason) ?? 'make it readable, or exclude it with `exclude` in the configuration';
  return new UserError('unreadable', `cannot read ${path}: ${reason}`, {
    place: { file: path, line: 1, column: 1 },
    hint,
  });
}

/** @param {unknown} error of `openFile` and the like @returns {string} */
export function reasonOf(error) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  return code === 'EACCES' || code === 'EPERM' ? 'permission denied' : (code ?? String(error));
}

/** @param {Stats} stats @returns {Error} */
function wrongKind(stats) {
  return fault(stats.isDirectory() ? 'a folder' : 'not a regular file');
}

/** @param {number} maxBytes @returns {Error} */
export function tooLarge(maxBytes) {
  return fault(`larger than ${Math.round(maxBytes / MEBIBYTE)} MiB`);
}

/** @param {string} reason @returns {Error} */
export function fault(reason) {
  return Object.assign(new Error(reason), { code: reason });
}
