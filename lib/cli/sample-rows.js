// Makes the rows of indexes from sample documents, for predictions of their files.

import { mangoRows } from '../facts/mango/index-rows.js';
import { libraryTree } from '../measure/profile/source-texts.js';
import { isCutOff } from '../sandbox/limits.js';
import { hashText } from '../shared/hash-text.js';
import { predictIndex } from '../storage-model/predict-index.js';

/** @import { IndexDefinition } from '../facts/mango/index-rows.js' */
/** @import { GivenView } from '../measure/profile/run/profile-view.js' */
/** @import { PredictedIndex, PredictedView } from '../storage-model/predict-index.js' */
/** @import { Sandbox } from '../sandbox/sandbox.js' */

/** @typedef {Record<string, unknown> & {_id: string}} SampleDocument */
/** @typedef {{id: string, key: unknown, value: unknown}} Row */

/** Documents that are given to a map in one job of the sandbox. */
const DOCUMENTS_AT_ONCE = 500;

/**
 * @param {GivenView} view
 * @param {SampleDocument[]} documents
 * @param {Sandbox} sandbox
 * @returns {Promise<{rows: Row[], problem: string | undefined}>} `problem`: why rows may be missing, as what is said of the view
 */
export async function runMap({ map, libraries }, documents, sandbox) {
  /** @type {Row[]} */
  const rows = [];
  let thrown = 0;
  let firstMessage = '';
  const tree = libraryTree(
    libraries,
    libraries.map(({ text }) => text),
  );
  const own = sandbox.forView();
  for (let start = 0; start < documents.length; start += DOCUMENTS_AT_ONCE) {
    const docs = documents.slice(start, start + DOCUMENTS_AT_ONCE).map(withRevision);
    const answers = await own.map({ source: map.text, libraries: tree, docs });
    for (const [at, answer] of answers.entries()) {
      const id = docs[at]?._id ?? '';
      if (!('error' in answer)) for (const { key, value } of answer.emits) rows.push({ id, key, value });
      else if (isCutOff(answer.error))
        return {
          rows,
          problem: `was stopped at document ${start + at + 1} of ${documents.length}: ${answer.error.message}; the figures count only the documents before`,
        };
      else {
        thrown += 1;
        firstMessage ||= answer.error.message;
      }
    }
  }
  if (thrown > 0) return { rows, problem: `throws on ${thrown} of ${documents.length} documents: ${firstMessage}` };
  return { rows, problem: rows.length === 0 ? 'emits nothing for these documents' : undefined };
}

/** @param {SampleDocument} document @returns {SampleDocument} as a map gets it: a view that emits whole documents stores their revisions, which hardly compress */
function withRevision(document) {
  const { _id: id, ...rest } = document;
  return '_rev' in document ? document : { _id: id, _rev: `1-${hashText(id)}${hashText(`rev ${id}`)}`, ...rest };
}

/**
 * @param {IndexDefinition | undefined} definition
 * @param {SampleDocument[]} documents
 * @returns {Row[] | {unknown: string}}
 */
export function rowsOfMango(definition, documents) {
  if (!definition) return { unknown: 'the index has no list of fields' };
  /** @type {Row[]} */
  const rows = [];
  for (const document of documents) {
    const found = mangoRows(definition, document);
    if ('unknown' in found) return found;
    for (const row of found) rows.push({ id: document._id, ...row });
  }
  return rows;
}

/**
 * @param {PredictedView[]} views
 * @param {{documents: SampleDocument[], total: number, shards?: number | undefined, skipsGrowth?: boolean}} sample `total`: documents in the database
 * @returns {PredictedIndex}
 */
export function sizeIndex(views, { documents, total, shards, skipsGrowth = false }) {
  const characters = documents.reduce((sum, document) => sum + JSON.stringify(document).length, 0);
  return predictIndex({
    views,
    documents: total,
    sampled: documents.length,
    documentBytes: Math.round(characters / Math.max(1, documents.length)),
    skipsGrowth,
    ...(shards === undefined ? {} : { shards }),
  });
}
