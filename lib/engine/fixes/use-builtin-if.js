// A view whose reduce equals a built-in for the values it is meant for in, the edit that names the built-in out.

import { nameBuiltin } from './use-builtin.js';

/** @import { Fix } from './index.js' */

/** For values of which it is not known whether they meet the condition. @type {Fix} */
export const useBuiltinIf = {
  id: 'use-builtin-if',
  title: 'Use the built-in reduce, if the values meet its condition',
  safe: false,
  apply: ({ subject }) => nameBuiltin(subject),
};
