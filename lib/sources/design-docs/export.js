// Reads the design documents of files with a JSON value per line: JSON lines with a document each, and the backups of
// couchbackup with an array of documents each. A broken line gives one error; the others are read.

import { isJson } from '../../shared/parse-json.js';
import { limitErrors, MAX_ERRORS } from '../record.js';
import { createReadOptions, looksLikeCouchdb, readDocuments } from './json-documents.js';

/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { ReadError, ReadResult, SourceRecord } from '../record.js' */
/** @import { Range } from './json-scan.js' */
/** @import { JsonOptions } from './json-documents.js' */

/** How many lines are looked at to detect what a file is. */
const LINES_LOOKED_AT = 5;

/**
 * @param {string} text
 * @returns {boolean} true for a text of at least two lines, of which the first look like a JSON object or array each and
 *   one of them is
 */
export function looksLikeJsonLines(text) {
  /** @type {string[]} */
  const first = [];
  for (const { start, end } of eachLine(text)) {
    if (first.push(text.slice(start, end)) === LINES_LOOKED_AT) break;
  }
  // A broken line may end anywhere; one that ends in a comma or opens a bracket goes on in the next.
  if (first.length < 2 || !first.every((line) => /^[[{]./.test(line) && !/[,[{:]$/.test(line))) return false;
  return first.some(isJson);
}

/**
 * @param {SourceFile} file
 * @param {JsonOptions} [options]
 * @returns {ReadResult}
 */
export function readJsonLines(file, options = {}) {
  const settings = createReadOptions(file, true);
  /** @type {SourceRecord[]} */
  const records = [];
  /** @type {ReadError[]} */
  const errors = [];
  let leftOut = 0;
  for (const { start, end } of eachLine(file.text)) {
    // A file of millions of lines that are no JSON must not take minutes to say so.
    if (errors.length > MAX_ERRORS && !isJson(file.text.slice(start, end))) {
      leftOut += 1;
      continue;
    }
    const line = readDocuments(file, start, end, settings);
    for (const record of line.records) records.push(record);
    errors.push(...line.errors);
  }
  const isSilent = options.isDiscovered === true && records.length === 0 && !looksLikeCouchdb(file.text);
  return { records, errors: isSilent ? [] : limitErrors(errors, errors.length + leftOut) };
}

/**
 * @param {string} text
 * @returns {Generator<Range>} the lines that are not blank, without their ends and a byte order mark
 */
function* eachLine(text) {
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (start < text.length) {
    const feed = text.indexOf('\n', start);
    const next = feed === -1 ? text.length : feed + 1;
    let end = feed === -1 ? text.length : feed;
    if (text[end - 1] === '\r') end -= 1;
    if (text.slice(start, end).trim() !== '') yield { start, end };
    start = next;
  }
}
