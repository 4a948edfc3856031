// The whole table.

import { BROKEN } from './broken.js';
import { COLLECTIONS } from './collections.js';
import { COUNTS } from './counts.js';
import { EMITTED } from './emitted.js';
import { EXTREMES } from './extremes.js';
import { GUARDED } from './guarded.js';
import { LITERAL } from './literal.js';
import { SHAPES } from './shapes.js';
import { STATES } from './states.js';
import { STATS } from './stats.js';
import { SUMS } from './sums.js';

/** @import { ReducerRow } from './maps.js' */

/** @type {ReducerRow[]} */
export const REDUCERS = [
  ...SUMS,
  ...EMITTED,
  ...COUNTS,
  ...STATS,
  ...STATES,
  ...EXTREMES,
  ...SHAPES,
  ...COLLECTIONS,
  ...BROKEN,
  ...GUARDED,
  ...LITERAL,
];

/** The version where a row names none: it has every built-in but `_first`, `_last`, `_top_N` and `_bottom_N`. */
export const TARGET = '3.4.3';
