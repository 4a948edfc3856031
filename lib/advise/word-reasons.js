// Says in words why a candidate is not in the plan, and what the cheapest useful one needs.

import { joinWords } from '../shared/join-words.js';
import { formatBytes, formatCount, formatMilliseconds } from '../shared/units.js';

/** @import { Cheapest, Rejection } from './choice-reasons.js' */
/** @import { Limit } from './choice-space.js' */

/** @type {Record<Limit, string>} */
const LIMITS = { bytes: '--disk', indexes: '--max-indexes', writeCost: '--write-cost' };

/**
 * @param {Rejection} rejection
 * @param {(id: string) => string} titleOf
 * @returns {string}
 */
export function wordRejection({ reason, over, by }, titleOf) {
  switch (reason) {
    case 'saves-nothing':
      return 'makes no query faster and no index smaller';
    case 'costs-more':
      return 'keeping it up to date takes more time than it saves';
    case 'over-budget':
      return `exceeds ${joinWords(over.map((limit) => LIMITS[limit]))}`;
    case 'alternative':
      return `${joinWords(by.map(titleOf))} changes the same view and saves more`;
    case 'served':
      return by.length === 0
        ? 'other steps serve its queries as well'
        : `its queries are served by: ${joinWords(by.map(titleOf))}`;
    case 'needs-absent':
      return 'it needs a change that is not possible';
    case 'not-searched':
      return 'not tried: the search reached its limit';
  }
}

/**
 * @param {Cheapest} cheapest
 * @param {string} title
 * @returns {string} `create index by_total on total: needs 420 kB of disk, saves 12 s a day`
 */
export function wordCheapest({ bytes, indexes, writeCost, gain, over }, title) {
  const needs = [
    ...(over.includes('bytes') ? [`${formatBytes(Math.max(0, bytes))} of disk`] : []),
    ...(over.includes('indexes') ? [`${formatCount(indexes)} ${indexes === 1 ? 'index' : 'indexes'}`] : []),
    ...(over.includes('writeCost') ? [`${formatMilliseconds(writeCost)} of index updates a day`] : []),
  ];
  return `${title}: needs ${joinWords(needs)}, saves ${formatMilliseconds(gain)} a day`;
}
