// Reads from the kept results of `confirm` how many documents a second CouchDB indexed. Pure.

import { parseJson } from '../../shared/parse-json.js';
import { asObject } from '../../shared/values.js';

/** Fewer documents say more of the start of a query server than of its speed. */
const MIN_DOCUMENTS = 100;

/**
 * @param {string} text of the result file, one JSON value a line
 * @returns {{perSecond: number, from: string} | undefined} the median over all indexes that were built on a CouchDB; undefined where
 *   there is none
 */
export function rateFromResults(text) {
  /** @type {number[]} */
  let rates = [];
  let server = '';
  for (const line of text.split('\n')) {
    const value = asObject(parseJson(line));
    if (value?.['type'] === 'run') {
      const about = asObject(asObject(value['environment'])?.['server']);
      // The last run counts. What the embedded server does says nothing of CouchDB.
      rates = [];
      server = about?.['kind'] === 'couchdb' ? String(about['name']) : '';
    } else if (value?.['type'] === 'result' && server !== '') {
      const { documents, arms } = value;
      if (typeof documents !== 'number' || documents < MIN_DOCUMENTS || !Array.isArray(arms)) continue;
      for (const arm of arms) {
        const buildMs = asObject(arm)?.['buildMs'];
        if (typeof buildMs === 'number' && buildMs > 0) rates.push((documents / buildMs) * 1000);
      }
    }
  }
  rates.sort((a, b) => a - b);
  const median = rates[Math.floor((rates.length - 1) / 2)];
  return median === undefined
    ? undefined
    : { perSecond: median, from: `measured on ${server} by \`couch-advisor confirm\`` };
}
