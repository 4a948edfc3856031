// Counts what was read, for the last line of a report.

import { member } from './record.js';

/** @import { CallRecord } from './application/record.js' */
/** @import { UnseenReceiver } from './application/unseen.js' */
/** @import { DesignDocRecord, SourceRecord } from './record.js' */

/** Calls by what is unknown of them. @typedef {{place: number, database: number, loop: number}} UnknownCounts */
/**
 * @typedef {object} CallCounts
 * @property {UnknownCounts} [unknown] of how many calls these are unknown, where there are calls
 * @property {number} [unseen] calls whose client is unknown, where there are some
 * @property {number} [clientFiles] files that name a client, where there are some
 */

/**
 * How much was read. `files`: those that records came from; `calls`: where there are some; `requests`: where logs were read; `databases`: where
 * a server was, `databasesInFull`: where others were read in part.
 * @typedef {{designDocs: number, views: number, files: number, calls?: number, requests?: number, databases?: number, databasesInFull?: number} & CallCounts} ReadCounts
 */

/**
 * @param {readonly SourceRecord[]} records
 * @returns {Omit<ReadCounts, 'files' | 'databases'>}
 */
export function countRecords(records) {
  const designDocs = records.filter((record) => record.kind === 'design-doc');
  // Making a client sends nothing.
  const calls = records.flatMap((record) => (record.kind === 'call' && record.method !== 'connect' ? record : []));
  const log = records.find((record) => record.kind === 'log');
  const databases = records.filter((record) => record.kind === 'database');
  const inFull = databases.filter(({ unread }) => unread === undefined).length;
  return {
    designDocs: designDocs.length,
    views: designDocs.reduce((sum, record) => sum + countViews(record), 0),
    ...(calls.length > 0 ? { calls: calls.length, unknown: countUnknown(calls) } : {}),
    ...(log ? { requests: log.requests } : {}),
    ...(inFull < databases.length ? { databasesInFull: inFull } : {}),
  };
}

/** @param {readonly CallRecord[]} calls @returns {UnknownCounts} */
function countUnknown(calls) {
  const count = (/** @type {(call: CallRecord) => boolean} */ isUnknown) => calls.filter(isUnknown).length;
  return {
    place: count(({ location }) => location === 'unknown'),
    database: count(({ database }) => database === null),
    loop: count(({ loop }) => loop !== null && (loop.purpose === 'unknown' || loop.changesTarget === null)),
  };
}

/**
 * @param {{unseen: readonly UnseenReceiver[], clientFiles: number}} code
 * @returns {CallCounts}
 */
export function countUnseen({ unseen: receivers, clientFiles }) {
  const unseen = receivers.reduce((sum, { calls }) => sum + calls.length, 0);
  return { ...(unseen > 0 ? { unseen } : {}), ...(clientFiles > 0 ? { clientFiles } : {}) };
}

/** @param {DesignDocRecord} record @returns {number} */
function countViews({ node }) {
  const views = member(node, 'views');
  return views?.type === 'object' ? views.entries.filter(({ key }) => key !== 'lib').length : 0;
}
