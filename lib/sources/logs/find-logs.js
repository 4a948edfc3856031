// Finds logs by paths and globs and sorts them by their first lines, each with its size and format. Reads only the
// beginning of each.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { findByGlob } from '../../files/find-by-glob.js';
import { locateFile, readHead, reasonOf, unreadable } from '../../files/open-file.js';
import { shellWord } from '../../shared/shell-word.js';
import { UserError } from '../../shared/user-error.js';
import { compressionOf, inflateHead } from './compression.js';
import { detectLog } from './detect.js';
import { formatNamed } from './formats.js';
import { LINE, LogLine, lineEnd } from './log-line.js';
import { FREED, Unwrapper } from './unwrap.js';

/** @import { Compression } from './compression.js' */
/** @import { Detected } from './detect.js' */
/** @import { Wrapper } from './unwrap.js' */

/**
 * @typedef {object} LogFile
 * @property {string} path as it is shown
 * @property {string} absolute without links, but for a pipe
 * @property {number} size in bytes, as it is on the disk now
 * @property {number} modified milliseconds since 1970
 * @property {Compression | undefined} compression
 * @property {boolean} isPipe whether it can be read but once
 * @property {string | undefined} format undefined where its first lines fit none
 * @property {Wrapper | undefined} wrapper what is around its lines
 */

/** Several programs may have written into it before CouchDB does. */
export const HEAD_BYTES = 262_144;

/**
 * @param {string[]} paths files and globs
 * @param {string} cwd
 * @param {{format?: string | undefined, field?: string | undefined, isNamed?: boolean | undefined}} [options] `format`: that is forced; `field`: the member of
 *   JSON lines that holds the line; `isNamed`: whether the user named the paths, so that they may be pipes
 * @returns {Promise<{files: LogFile[], errors: UserError[]}>} each file once
 */
export async function findLogs(paths, cwd, { format, field, isNamed = false } = {}) {
  /** @type {Map<string, LogFile & {first: number}>} */
  const found = new Map();
  /** @type {UserError[]} */
  const errors = [];
  for (const given of paths) {
    const names = await expand(given, cwd);
    if (names.length === 0) {
      errors.push(new UserError('not-found', `${given} does not exist`, { hint: 'check the path; quote globs' }));
    }
    for (const name of names) {
      const absolute = path.resolve(cwd, name);
      if (found.has(absolute)) continue;
      const shown = path.relative(cwd, absolute).replaceAll(path.sep, '/');
      try {
        const located = locateFile(absolute, { isNamed: isNamed && name === given, within: cwd });
        found.set(absolute, look(shown.startsWith('..') ? absolute : shown, absolute, located, { format, field }));
      } catch (error) {
        errors.push(
          error instanceof UserError
            ? error
            : reasonOf(error) === 'a folder'
              ? isFolder(shown)
              : unreadable(shown, error),
        );
      }
    }
  }
  const files = [...found.values()].sort((a, b) => a.first - b.first || (a.path < b.path ? -1 : 1));
  return { files, errors };
}

/**
 * @param {string} given
 * @param {string} cwd
 * @returns {Promise<string[]>}
 */
async function expand(given, cwd) {
  if (existsSync(path.resolve(cwd, given))) return [given];
  if (!/[*?[\]{}]/.test(given)) return [];
  return (await findByGlob(given, { cwd })).sort();
}

/** @param {string} shown @returns {UserError} */
function isFolder(shown) {
  return new UserError('is-folder', `${shown} is a folder`, {
    hint: `use its log files: ${shellWord(`${shown}/*.log*`)}`,
  });
}

/**
 * @param {string} shown
 * @param {string} given absolute
 * @param {ReturnType<typeof locateFile>} located
 * @param {{format: string | undefined, field: string | undefined}} forced
 * @returns {LogFile & {first: number}}
 * @throws {UserError} where it is compressed in a form that is not read
 */
function look(shown, given, { real, stats, isPipe }, forced) {
  const absolute = real ?? given;
  const about = { path: shown, absolute, size: isPipe ? 0 : stats.size, modified: stats.mtimeMs, isPipe };
  // A pipe can be read but once: it is looked at when it is read.
  if (isPipe)
    return {
      ...about,
      compression: undefined,
      format: forced.format,
      wrapper: undefined,
      first: Number.POSITIVE_INFINITY,
    };
  const bytes = readHead(absolute, HEAD_BYTES);
  const compression = compressionOf(bytes, shown);
  const text = compression ? inflateHead(bytes, compression) : bytes;
  const { format, wrapper } = detectLog(text, forced);
  return { ...about, compression, format, wrapper, first: firstTime(text, { format, wrapper }, stats.mtimeMs) };
}

/**
 * @param {Buffer} head
 * @param {Detected} detected
 * @param {number} latest
 * @returns {number} milliseconds since 1970; infinite where no line has a time
 */
function firstTime(head, { format: name, wrapper }, latest) {
  const format = formatNamed(name);
  const unwrapper = new Unwrapper(wrapper ?? { layers: [], sources: [] });
  for (let start = 0; format && start < head.length; ) {
    const feed = head.indexOf(10, start);
    if (feed === -1) break;
    const line = new LogLine(latest);
    if (unwrapper.unwrap(head, start, lineEnd(head, start, feed)) === FREED.LINE) {
      const { bytes, start: from, end: to } = unwrapper;
      if (format.scan(bytes, from, to, line) !== LINE.MALFORMED && line.minute >= 0) return line.time;
    }
    start = feed + 1;
  }
  return Number.POSITIVE_INFINITY;
}
