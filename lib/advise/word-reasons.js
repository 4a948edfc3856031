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
      return 'no query gets faster, and no index smaller';
    case 'costs-more':
      return 'keeping it up to date takes more than reading saves';
    case 'over-budget':
      return `over the budget of ${joinWords(over.map((limit) => LIMITS[limit]))}`;
    case 'alternative':
      return `${joinWords(by.map(titleOf))} changes the same view and saves more`;
    case 'served':
      return by.length === 0
        ? 'the plan serves its queries as well'
        : `its queries are served as well by: ${joinWords(by.map(titleOf))}`;
    case 'needs-absent':
      return 'what it needs cannot be made';
    case 'not-searched':
      return 'the search ended before it was tried';
  }
}

/**
 * @param {Cheapest} cheapest
 * @param {string} title
 * @returns {string}
 */
export function wordCheapest({ bytes, indexes, writeCost, gain, over }, title) {
  const needs = [
    ...(over.includes('bytes') ? [`${formatBytes(Math.max(0, bytes))} of disk`] : []),
    ...(over.includes('indexes') ? [`${formatCount(indexes)} ${indexes === 1 ? 'index' : 'indexes'}`] : []),
    ...(over.includes('writeCost') ? [`${formatMilliseconds(writeCost)} of index updates a day`] : []),
  ];
  return `the cheapest useful change needs ${joinWords(needs)}: ${title}, which saves ${formatMilliseconds(gain)} a day`;
}
