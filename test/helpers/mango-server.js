// Compares what the planner says of Mango queries with the responses of a real CouchDB, and keeps both.

import { chooseIndex } from '../../lib/facts/mango/planner.js';
import { ScratchDatabase } from './couchdb.js';
import { plannedBy, plannedHere, queryOf } from './mango-cases.js';
import { countReads } from './rows-read.js';

/** @typedef {Record<string, unknown>} Plan */
/**
 * @typedef {object} Compared
 * @property {any} body of the request
 * @property {Plan} server
 * @property {Plan} here
 * @property {Plan | undefined} serverReads undefined where `_find` ends with an error
 * @property {Plan | undefined} hereReads
 */
/** @typedef {{version: string, indexes: any[], documents: any[], compared: Compared[]}} Comparison `indexes` and `documents` as the server lists them */

/**
 * @param {string} url of the server
 * @param {{indexes: any[], documents: any[], queries: any[], isPartitioned?: boolean}} made bodies of requests to `_index`; documents without
 *   ids; bodies of queries, of which every other one goes to a partition of a partitioned database
 * @returns {Promise<Comparison>}
 */
export async function compareWithServer(url, { indexes, documents, queries, isPartitioned = false }) {
  const database = new ScratchDatabase(url);
  const root = await fetch(database.origin, { headers: { authorization: database.authorization } });
  const { version } = /** @type {{version: string}} */ (await root.json());
  await database.ask('PUT', `?q=1&partitioned=${isPartitioned}`);
  try {
    for (const index of indexes) {
      const { status } = await database.ask('POST', '/_index', index);
      if (status !== 200) throw new Error(`the index ${JSON.stringify(index)} was refused with ${status}`);
    }
    await database.ask('POST', '/_bulk_docs', {
      docs: documents.map((doc, at) => ({ _id: `${isPartitioned ? 'p:' : ''}doc-${at}`, ...doc })),
    });
    const listed = (await database.ask('GET', '/_index')).answer.indexes;
    const { rows } = (await database.ask('GET', '/_all_docs?include_docs=true')).answer;
    const stored = rows.map((/** @type {any} */ { doc }) => doc);
    const compared = [];
    for (const [at, body] of queries.entries()) {
      const partition = isPartitioned && at % 2 === 0 ? 'p' : undefined;
      compared.push(await compareQuery(database, body, { version, listed, stored, partition }));
    }
    return { version, indexes: listed, documents: stored, compared };
  } finally {
    await database.drop();
  }
}

/**
 * @param {ScratchDatabase} database
 * @param {any} body
 * @param {{version: string, listed: any[], stored: any[], partition: string | undefined}} state
 * @returns {Promise<Compared>}
 */
async function compareQuery(database, body, { version, listed, stored, partition }) {
  const path = partition === undefined ? '' : `/_partition/${partition}`;
  const { answer: found } = await database.ask('POST', `${path}/_find`, { ...body, execution_stats: true });
  const { answer: explained } = await database.ask('POST', `${path}/_explain`, body);
  const query = { ...queryOf(body), ...(partition === undefined ? {} : { partition }) };
  const choice = chooseIndex(query, listed, version);
  const hereReads = 'index' in choice ? /** @type {any} */ (countReads(query, choice, stored)) : undefined;
  const { total_keys_examined: keysExamined = 0, total_docs_examined: docsExamined = 0 } = found.execution_stats ?? {};
  // Without `_id` in the response, only the number of results can be compared.
  const hasIds = body.fields === undefined || body.fields.length === 0 || body.fields.includes('_id');
  const ids = found.docs?.map((/** @type {any} */ { _id }, /** @type {number} */ at) =>
    hasIds ? _id : hereReads?.ids?.[at],
  );
  return {
    body,
    server: plannedBy(explained, found.error),
    here: plannedHere(choice),
    serverReads: found.error === undefined ? { keysExamined, docsExamined, ids } : undefined,
    hereReads,
  };
}
