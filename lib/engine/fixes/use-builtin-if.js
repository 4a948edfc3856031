// Fix: replaces a reduce by the built-in that it equals if every value meets a condition that the map does not
// guarantee.

import { nameBuiltin } from './use-builtin.js';

/** @import { Fix } from './index.js' */

/** For values of which it is not known whether they meet the condition. @type {Fix} */
export const useBuiltinIf = {
  id: 'use-builtin-if',
  title: 'Use the built-in reduce, if the values meet its condition',
  safe: false,
  apply: ({ subject }) => nameBuiltin(subject),
};
