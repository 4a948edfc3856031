// Grows the first documents of a load, as a page shows them, to the number that the example is about.

import { ID_MAKERS, makeIds } from './make-ids.js';

/**
 * What the info of a block says: `documents=2000` in all, `ids=uuid4` what the others are called (without, they have no `_id`),
 * `bytes=9000000` the least size of each document, `batch=500` how many come in a body.
 * @typedef {{documents: number, ids: string | undefined, bytes: number | undefined, batch: number | undefined}} Growth
 */

const SEED = 20;

/**
 * @param {string} info
 * @returns {Growth | undefined} undefined where the block is all there is
 */
export function readGrowth(info) {
  const documents = /\bdocuments=(\d+)/.exec(info)?.[1];
  if (documents === undefined) return undefined;
  const bytes = /\bbytes=(\d+)/.exec(info)?.[1];
  const ids = /\bids=(\w+)/.exec(info)?.[1];
  if (ids !== undefined && !ID_MAKERS[ids]) throw new Error(`no ids are called ${ids}`);
  const batch = /\bbatch=(\d+)/.exec(info)?.[1];
  return { documents: Number(documents), ids, bytes: toNumber(bytes), batch: toNumber(batch) };
}

/**
 * @param {string} text lines that are each a document, or each a body of `_bulk_docs`; the last one is the pattern of those that
 *   are added
 * @param {Growth} growth
 * @returns {string}
 */
export function growLoad(text, { documents, ids, bytes, batch }) {
  /** @type {Record<string, unknown>[]} */
  const shown = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const isBodies = shown.every((body) => Array.isArray(body['docs']));
  const first = isBodies ? shown.flatMap((body) => /** @type {Record<string, unknown>[]} */ (body['docs'])) : shown;
  const { _id: _, ...pattern } = first.at(-1) ?? {};
  const names = ids === undefined ? [] : makeIds(ids, documents, SEED);
  const all = Array.from({ length: documents }, (_unused, at) => {
    const document = ids === undefined ? pattern : { _id: names[at], ...pattern };
    const missing = (bytes ?? 0) - JSON.stringify(document).length;
    return missing > 0 ? { ...document, text: 'x'.repeat(missing) } : document;
  });
  // What the page shows stands at the head, but for documents whose size is wanted.
  if (bytes === undefined) all.splice(0, first.length, ...first);
  if (!isBodies) return `${all.map((document) => JSON.stringify(document)).join('\n')}\n`;
  const perBody = batch ?? Math.ceil(first.length / shown.length);
  /** @type {string[]} */
  const bodies = [];
  for (let at = 0; at < documents; at += perBody) bodies.push(JSON.stringify({ docs: all.slice(at, at + perBody) }));
  return `${bodies.join('\n')}\n`;
}

/** @param {string | undefined} digits @returns {number | undefined} */
function toNumber(digits) {
  return digits === undefined ? undefined : Number(digits);
}
