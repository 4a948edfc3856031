// Bounds the search for documents that a map emits for: reading what it needs of them, and writing them.

import { Budget } from '../../shared/bailout.js';

/** Values that are written, and parts of documents that expressions are followed to. A map that reads 100 members takes some 200,000. */
const MAX_VALUES = 500_000;
/** What each document that is wanted in the end may have beside those that are tried. */
const VALUES_PER_DOCUMENT = 200;

/**
 * @param {number} count of documents that are wanted
 * @returns {Budget}
 */
export function searchBudget(count) {
  return new Budget(
    MAX_VALUES + count * VALUES_PER_DOCUMENT,
    'the map reads too many members to generate documents for it',
  );
}
