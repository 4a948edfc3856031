// Reads the first documents of files, to try functions on. Keeps no more than requested.

import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createGunzip, gunzipSync } from 'node:zlib';
import { parseJson } from '../../shared/parse-json.js';
import { linesOf } from '../lines.js';

/** @typedef {Record<string, unknown>} Document */

/** Documents are held in memory: of large ones fewer are taken, by characters of JSON of all files together. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** A file that is one JSON text, or a line of one, is parsed as a whole up to this size. */
const LARGEST_WHOLE = 64 * 1024 * 1024;

/**
 * @param {string[]} files absolute: JSON lines, couchbackup files, bulk bodies, dumps; packed with gzip too
 * @param {number} most how many documents at most, of all files together
 * @returns {Promise<Document[]>} without design documents, at least one line or body of each file; what cannot be read is left out, `readLoad` reports it
 */
export async function sampleDocuments(files, most) {
  /** @type {Document[]} */
  const documents = [];
  const share = MAX_CHARACTERS / Math.max(1, files.length);
  for (const [at, file] of files.entries()) {
    // Each file has its share, and what those before it left.
    const wanted = Math.ceil((most - documents.length) / (files.length - at));
    try {
      documents.push(...(await sampleFile(file, wanted, share)));
    } catch {
      // A file that cannot be read was reported when it was read as a load.
    }
  }
  return documents;
}

/**
 * @param {string} file
 * @param {number} wanted
 * @param {number} mostCharacters
 * @returns {Promise<Document[]>}
 */
async function sampleFile(file, wanted, mostCharacters) {
  const isPacked = file.endsWith('.gz');
  const bytes = createReadStream(file);
  const input = isPacked ? bytes.pipe(createGunzip()) : bytes;
  /** @type {Document[]} */
  const documents = [];
  let isWhole = false;
  let characters = 0;
  for await (const line of linesOf(input, LARGEST_WHOLE)) {
    const text = line.replace(/^\uFEFF/, '').trim();
    if (text === '') continue;
    const value = parseJson(text);
    if (value === undefined && documents.length === 0) {
      isWhole = true;
      break;
    }
    documents.push(...documentsIn(value));
    characters += text.length;
    if (documents.length >= wanted || characters >= mostCharacters) break;
  }
  bytes.destroy();
  if (!isWhole || statSync(file).size > LARGEST_WHOLE) return documents.slice(0, wanted);
  const whole = readFileSync(file);
  const text = (isPacked ? gunzipSync(whole, { maxOutputLength: LARGEST_WHOLE }) : whole)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  return documentsIn(parseJson(text)).slice(0, wanted);
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
