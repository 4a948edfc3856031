// Applies a fix to a function in a design document as it is written in a file, and returns the function.

import { expect } from 'vitest';
import { createAsk } from '../../lib/facts/collect.js';
import { factCatalog } from './internals.js';
import { editedText, subjectOf } from './sample-fix-targets.js';

/** @import { Item } from '../../lib/facts/fact.js' */
/** @import { Fix } from '../../lib/engine/fixes/index.js' */

/** @type {{kind: 'view' | 'filter' | 'validate', around: (text: string) => string, find: (document: any) => string}[]} */
const PLACES = [
  {
    kind: 'view',
    around: (text) => `{ "views": { "all": { "map": ${text} } } }`,
    find: (document) => document.views.all.map,
  },
  { kind: 'filter', around: (text) => `{ "filters": { "all": ${text} } }`, find: (document) => document.filters.all },
  {
    kind: 'validate',
    around: (text) => `{ "validate_doc_update": ${text} }`,
    find: (document) => document.validate_doc_update,
  },
];

/** Ways to write one text in JSON: as it is, with every letter escaped, and with tabs and CRLF around it. */
const WRITINGS = [
  (/** @type {string} */ text) => JSON.stringify(text),
  (/** @type {string} */ text) =>
    `"${[...text].map((sign) => (/[a-z;{}"\\\s]/.test(sign) ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}` : sign)).join('')}"`,
  (/** @type {string} */ text) => `\r\n\t${JSON.stringify(text)}\r\n`,
];

/**
 * @param {Fix} fix
 * @param {'view' | 'filter' | 'validate'} kind
 * @param {string} source of the function
 * @param {string} [list] the fact whose items are fixed; without it the subject itself is
 * @returns {string | undefined} the function afterwards, the same however it is written; undefined where it is not fixed
 */
export function fixedFunction(fix, kind, source, list) {
  const results = WRITINGS.map((write) => fixOnce(fix, kind, source, write, list));
  const [first] = results;
  for (const result of results) expect(result).toBe(first);
  return first;
}

/**
 * @param {Fix} fix
 * @param {'view' | 'filter' | 'validate'} kind
 * @param {string} source
 * @param {(text: string) => string} write
 * @param {string | undefined} list
 * @returns {string | undefined}
 */
function fixOnce(fix, kind, source, write, list) {
  const place = PLACES.find((candidate) => candidate.kind === kind);
  if (!place) throw new Error(`no place for a ${kind}`);
  const subject = subjectOf(place.around(write(source)), kind);
  /** @type {(Item | undefined)[]} */
  let items = [undefined];
  if (list !== undefined) {
    const fact = createAsk(factCatalog)(subject, list);
    items = 'value' in fact && Array.isArray(fact.value) ? fact.value : [];
    expect(items).not.toEqual([]);
  }
  const edits = items.map((item) => fix.apply({ subject, item }));
  if (!edits.some(Boolean)) return undefined;
  const text = editedText(edits.flatMap((edit) => edit ?? []));
  return text === undefined ? undefined : place.find(JSON.parse(text));
}
