// Table of CouchDB's built-in reduces. Data only.

/**
 * The built-ins and the version each came with (couch_mrview.erl validate by tag; ddocs/ddocs.rst). CouchDB matches names by
 * their beginning: `_sumx` sums too.
 */
export const BUILTIN_REDUCES = /** @type {const} */ ([
  ['_sum', '0.11'],
  ['_count', '0.11'],
  ['_stats', '0.11'],
  ['_approx_count_distinct', '2.2'],
  ['_first', '3.5'],
  ['_last', '3.5'],
]);

/** `_top_N` and `_bottom_N` match as a whole, with N from 1 to MAX_RANK (couch_mrview.erl check_rank, 3.5.0 and 3.5.2). */
export const RANKED_SINCE = '3.5';
export const MAX_RANK = 100;
