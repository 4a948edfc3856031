// Counts what was read, for the last line of a report.

import { member } from './record.js';

/** @import { DesignDocRecord, SourceRecord } from './record.js' */

/**
 * @param {readonly SourceRecord[]} records
 * @returns {{designDocs: number, views: number, calls?: number, requests?: number, databasesInFull?: number}} `calls`: where there are some;
 *   `requests`: where logs were read; `databasesInFull`: where others were read in part
 */
export function countRecords(records) {
  const designDocs = records.filter((record) => record.kind === 'design-doc');
  // Making a client sends nothing.
  const calls = records.filter((record) => record.kind === 'call' && record.method !== 'connect').length;
  const log = records.find((record) => record.kind === 'log');
  const databases = records.filter((record) => record.kind === 'database');
  const inFull = databases.filter(({ unread }) => unread === undefined).length;
  return {
    designDocs: designDocs.length,
    views: designDocs.reduce((sum, record) => sum + countViews(record), 0),
    ...(calls > 0 ? { calls } : {}),
    ...(log ? { requests: log.requests } : {}),
    ...(inFull < databases.length ? { databasesInFull: inFull } : {}),
  };
}

/** @param {DesignDocRecord} record @returns {number} */
function countViews({ node }) {
  const views = member(node, 'views');
  return views?.type === 'object' ? views.entries.filter(({ key }) => key !== 'lib').length : 0;
}
