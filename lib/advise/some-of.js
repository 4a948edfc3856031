// Shortens a list of names for a sentence.

import { formatCount } from '../shared/units.js';

const MAX_NAMED = 3;

/** @param {string[]} names @returns {string[]} the first ones, and how many others there are */
export function someOf(names) {
  const more = names.length - MAX_NAMED;
  if (more <= 0) return names;
  return [...names.slice(0, MAX_NAMED), `${formatCount(more)} ${more === 1 ? 'other' : 'others'}`];
}
