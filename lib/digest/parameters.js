// Table of which parameters of a query belong to its fingerprint, and what of each is kept. All others are ignored: cache
// busters and whatever a client invents would make every request a fingerprint of its own.

import { attempt } from '../shared/attempt.js';
import { MISSPELT } from '../shared/misspelt-parameters.js';

/** What is kept of a parameter. */
export const KEEP = Object.freeze({
  /** Nothing: it belongs to no fingerprint. */
  NOTHING: -1,
  /** Name and value. */
  VALUE: 1,
  /** The name. */
  NAME: 2,
  /** The name; the value counts among the different keys. */
  KEY: 3,
  /** The name; the number goes into a histogram. */
  LIMIT: 4,
  SKIP: 5,
  /** Like KEY; the array may show the number of rows. */
  KEYS: 6,
});

/** @type {[number, string][]} */
const NAMES = [
  [
    KEEP.VALUE,
    'include_docs reduce group group_level descending update stable stale feed filter view style conflicts attachments ' +
      'inclusive_end update_seq sorted new_edits batch find.selector find.sort find.fields ' +
      'find.use_index find.hint_taken find.r',
  ],
  [KEEP.NAME, 'find.bookmark find.no_fallback since rev revs revs_info open_revs atts_since latest doc_ids'],
  [KEEP.KEY, 'key startkey start_key endkey end_key startkey_docid start_key_doc_id endkey_docid end_key_doc_id'],
  [KEEP.LIMIT, 'limit'],
  [KEEP.SKIP, 'skip'],
  [KEEP.KEYS, 'keys'],
];

/** Two names of one parameter (couch_mrview_http:parse_param/4, 3.5.0). @type {ReadonlyMap<string, string>} */
const ALIASES = new Map([
  ['start_key', 'startkey'],
  ['end_key', 'endkey'],
  ['start_key_doc_id', 'startkey_docid'],
  ['end_key_doc_id', 'endkey_docid'],
]);

/** What is kept, by the name as it stands in the address. @type {ReadonlyMap<string, number>} */
export const PARAMETERS = new Map([
  ...NAMES.flatMap(([keep, names]) => names.split(' ').map((name) => /** @type {[string, number]} */ ([name, keep]))),
  ...[...MISSPELT.keys()].map((name) => /** @type {[string, number]} */ ([name, KEEP.NAME])),
]);

/** Values that fingerprints may have; anything else is shown as `?`. */
const PLAIN_VALUE = /^[\w./~$-]{1,64}$/;
/** What a body of `_find` requests, as the reader of HAR files writes it. */
const FIND_VALUE = /^[\w./$?*:,-]{1,400}$/;

/** Stands for a value in examples. */
const MASK = '…';
/** Longer keys are not looked at; of nested ones, and of many, only the first are shown. */
const MAX_KEY = 2000;
const MAX_DEPTH = 2;
const MAX_ITEMS = 4;

/**
 * @param {string} query what stands behind the question mark
 * @param {(text: string) => string} decode
 * @returns {string[]} names, and `name=value` where the value is kept, in alphabetical order
 */
export function fingerprintParameters(query, decode) {
  return readParameters(query, decode, (name) => name);
}

/**
 * @param {string} query what stands behind the question mark
 * @param {(text: string) => string} decode
 * @returns {string[]} like the fingerprint's, with the numbers of `limit` and `skip`, and of keys their form: `key=["…",…]`. Nothing else of a value
 */
export function exampleParameters(query, decode) {
  return readParameters(query, decode, (name, keep, value) => {
    if (keep === KEEP.LIMIT || keep === KEEP.SKIP) return `${name}=${/^\d{1,9}$/.test(value) ? value : MASK}`;
    return `${name}=${keep === KEEP.KEY || keep === KEEP.KEYS ? maskKey(value) : MASK}`;
  });
}

/**
 * @param {string} query
 * @param {(text: string) => string} decode
 * @param {(name: string, keep: number, value: string) => string} show what is kept where the value is not
 * @returns {string[]} in alphabetical order
 */
function readParameters(query, decode, show) {
  /** @type {Set<string>} */
  const kept = new Set();
  for (const part of query.split('&')) {
    const equals = part.indexOf('=');
    const raw = equals === -1 ? part : part.slice(0, equals);
    const keep = PARAMETERS.get(raw);
    if (keep === undefined) continue;
    const name = ALIASES.get(raw) ?? raw;
    const value = equals === -1 ? '' : decode(part.slice(equals + 1));
    if (keep !== KEEP.VALUE) kept.add(show(name, keep, value));
    else {
      const fits = name.startsWith('find.') ? FIND_VALUE : PLAIN_VALUE;
      kept.add(`${name}=${fits.test(value) ? value : '?'}`);
    }
  }
  return [...kept].sort();
}

/**
 * @param {string} text of a key, as JSON
 * @returns {string} its form without its values: `"…"`, `["…",…,{}]`. `null`, `[]` and `{}` stay: they are the ends of ranges
 */
function maskKey(text) {
  if (text.length > MAX_KEY) return MASK;
  return attempt(() => maskValue(JSON.parse(text), 0), MASK);
}

/** @param {unknown} value @param {number} depth @returns {string} */
function maskValue(value, depth) {
  if (value === null) return 'null';
  if (typeof value === 'string') return `"${MASK}"`;
  if (Array.isArray(value)) {
    if (depth === MAX_DEPTH) return `[${MASK}]`;
    const shown = value.slice(0, MAX_ITEMS).map((item) => maskValue(item, depth + 1));
    return `[${shown.join(',')}${value.length > MAX_ITEMS ? `,${MASK}` : ''}]`;
  }
  if (typeof value === 'object') return Object.keys(value).length === 0 ? '{}' : `{${MASK}}`;
  return MASK;
}
