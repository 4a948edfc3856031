// What a finding says of a fact that it rests on, where that fact stands at another place: `CORS is enabled here`.

/** @import { KnownFact, Phrases } from './fact.js' */

/**
 * @param {Phrases} phrases of the fact
 * @param {KnownFact['value']} value of a list, that of one item
 * @param {string} shown the value as a sentence shows it
 * @returns {string} what is so; empty where there are no words for it, so that the place has to do
 */
export function phraseOf(phrases, value, shown) {
  return choose(phrases, value)
    .replace(/\{([^{}|]*)\|([^{}|]*)\}/g, (_, one, many) => (value === 1 ? one : many))
    .replaceAll('{value}', () => shown);
}

/**
 * @param {Phrases} phrases
 * @param {KnownFact['value']} value
 * @returns {string}
 */
function choose(phrases, value) {
  if (typeof phrases === 'string') return phrases;
  if (Array.isArray(phrases)) return phrases[value === true ? 0 : 1];
  return phrases[Object.hasOwn(phrases, String(value)) ? String(value) : '*'] ?? '';
}
