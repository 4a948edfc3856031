// Opens the files of documents to be written, by paths and globs, and reads their records. The only module here that
// looks for files.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { findByGlob } from '../../files/find-by-glob.js';
import { readHead } from '../../files/open-file.js';
import { attempt } from '../../shared/attempt.js';
import { UserError } from '../../shared/user-error.js';
import { isRecording, RECORDED } from '../record.js';
import { readLoad } from './read-load.js';

/** @import { LoadRecord, ReadError, ReadResult } from '../record.js' */
/** @import { DocumentTaker } from './read-load.js' */

/** The mark of a recording stands at its head. */
const HEAD_BYTES = 200;

/**
 * @param {string[]} patterns files or globs, relative to `cwd` or absolute
 * @param {string} cwd absolute
 * @param {{isNamed?: boolean | undefined, taker?: DocumentTaker}} [options] `isNamed`: whether the user named them, so that they may be pipes; `taker`
 *   receives each document, too
 * @returns {Promise<{records: LoadRecord[], errors: ReadError[], notes: NonNullable<ReadResult['notes']>, files: string[]}>} in the order of the files' paths, which
 *   are absolute; never rejects
 */
export async function openLoads(patterns, cwd, { isNamed = false, taker } = {}) {
  /** @type {Set<string>} */
  const files = new Set();
  const named = new Set(isNamed ? patterns.map((pattern) => path.resolve(cwd, pattern)) : []);
  /** @type {ReadError[]} */
  const errors = [];
  for (const pattern of patterns) {
    const found = await findFiles(pattern, cwd);
    for (const file of found) files.add(file);
    if (found.length > 0) continue;
    const shown = show(pattern, cwd);
    const message = isGlob(pattern) ? `no file matches ${shown}` : `${shown} does not exist`;
    const { code, hint } = new UserError('not-found', message, { hint: 'check the path in --docs or `loads`' });
    errors.push({ code, message, hint });
  }
  /** @type {LoadRecord[]} */
  const records = [];
  /** @type {NonNullable<ReadResult['notes']>} */
  const notes = [];
  const sorted = [...files].sort().filter((file) => {
    const isOwn = !named.has(file) && isRecorded(file);
    if (isOwn) notes.push({ path: show(file, cwd), reason: RECORDED });
    return !isOwn;
  });
  for (const file of sorted) {
    const { record, errors: faults } = await readLoad(file, show(file, cwd), {
      isNamed: named.has(file),
      within: cwd,
      taker,
    });
    if (record) records.push(record);
    errors.push(...faults);
  }
  return { records, errors, notes, files: sorted };
}

/**
 * @param {string} pattern
 * @param {string} cwd
 * @returns {Promise<string[]>} absolute
 */
async function findFiles(pattern, cwd) {
  const file = path.resolve(cwd, pattern);
  if (existsSync(file)) return [file];
  if (!isGlob(pattern)) return [];
  return findByGlob(pattern, { cwd });
}

/** @param {string} file @returns {boolean} whether a recorded server is in it; where it cannot be read, its reader says so */
function isRecorded(file) {
  return attempt(() => isRecording(readHead(file, HEAD_BYTES).toString('utf8')), false);
}

/** @param {string} pattern @returns {boolean} */
function isGlob(pattern) {
  return /[*?[\]{}!()]/.test(pattern);
}

/**
 * @param {string} file
 * @param {string} cwd
 * @returns {string} relative to the working directory, with forward slashes
 */
function show(file, cwd) {
  return path.relative(cwd, path.resolve(cwd, file)).replaceAll(path.sep, '/') || '.';
}
