// Draws documents from files, to try functions on: from all of them, because a file is often in the order of time. Keeps no more than requested.

import { createGunzip, gunzipSync } from 'node:zlib';
import { linesOf } from '../../files/lines.js';
import { MAX_BYTES, readFile, streamFile } from '../../files/open-file.js';
import { drawEvenly, Reservoir } from '../../shared/draw.js';
import { parseJson } from '../../shared/parse-json.js';

/** @typedef {Record<string, unknown>} Document */

/** Documents are held in memory: of large ones fewer are taken, by characters of JSON of all files together. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/**
 * @param {string[]} files absolute: JSON lines, couchbackup files, bulk bodies, dumps; packed with gzip too
 * @param {number} most how many documents at most, of all files together
 * @param {{isNamed?: boolean}} [options] whether the user named them and nothing has read them yet, so that they may be pipes
 * @returns {Promise<Document[]>} without design documents, at least one line or body of each file; what cannot be read is left out, `readLoad` reports it
 */
export async function sampleDocuments(files, most, { isNamed = false } = {}) {
  /** @type {Document[]} */
  const documents = [];
  const share = MAX_CHARACTERS / Math.max(1, files.length);
  for (const [at, file] of files.entries()) {
    // Each file has its share, and what those before it left.
    const wanted = Math.ceil((most - documents.length) / (files.length - at));
    try {
      documents.push(...drawEvenly(await documentsOf(file, { isNamed, most: wanted, mostCharacters: share }), wanted));
    } catch {
      // A file that cannot be read was reported when it was read as a load.
    }
  }
  return documents;
}

/**
 * @param {string} file
 * @param {{isNamed: boolean, most: number, mostCharacters: number}} limits `most`: lines, each of which has one document or more
 * @returns {Promise<Document[]>} those of some lines, or of the whole file where its first line is no JSON
 */
async function documentsOf(file, { isNamed, most, mostCharacters }) {
  const isPacked = file.endsWith('.gz');
  const bytes = streamFile(file, { isNamed });
  /** @type {Reservoir<string>} */
  const lines = new Reservoir(most, mostCharacters, (line) => line.length);
  let hasLines = false;
  try {
    for await (const line of linesOf(isPacked ? bytes.pipe(createGunzip()) : bytes)) {
      const text = line.replace(/^\uFEFF/, '').trim();
      if (text === '') continue;
      if (!hasLines && parseJson(text) === undefined) break;
      hasLines = true;
      // Dumps of design documents alone are rare: such a line is drawn like any other, and left out afterwards.
      lines.add(text);
    }
  } catch (error) {
    // What stands before a line that is too long, or before a broken end, is read.
    if (!hasLines) throw error;
  } finally {
    bytes.destroy();
  }
  if (hasLines) return lines.items().flatMap((line) => documentsIn(parseJson(line)));
  const whole = readFile(file);
  const text = (isPacked ? gunzipSync(whole, { maxOutputLength: MAX_BYTES }) : whole)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  return documentsIn(parseJson(text));
}

/**
 * @param {unknown} value a document, a list of them, a bulk body, an answer of `_all_docs`
 * @returns {Document[]}
 */
function documentsIn(value) {
  if (Array.isArray(value)) return value.flatMap(documentsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { docs, rows, doc, _id: id } = /** @type {Document} */ (value);
  if (Array.isArray(docs)) return docs.flatMap(documentsIn);
  if (Array.isArray(rows)) return rows.flatMap(documentsIn);
  if (typeof doc === 'object' && doc !== null && id === undefined) return documentsIn(doc);
  return typeof id === 'string' && id.startsWith('_design/') ? [] : [/** @type {Document} */ (value)];
}
