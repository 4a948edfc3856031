// Lists what a part of a document may be, given what the map needs of it, the likeliest first. Makes no values.

/** @import { Need } from './need.js' */

/**
 * What a part may be. `text` is `before`, digits of the document and `after`; `number` counts from `from` by steps within `width`.
 * @typedef {{kind: 'literal', value: string | number | boolean | null} | {kind: 'text', before: string, after: string} |
 *   {kind: 'pattern', pattern: string} | {kind: 'filled', length: number} | {kind: 'number', from: number, width: number} |
 *   {kind: 'date'} | {kind: 'moment'} | {kind: 'array', length: number} | {kind: 'table'} | {kind: 'object'} | {kind: 'absent'}} Candidate
 */

const DATE_NAME = /date|time|created|updated|modified|(?:^|_|[a-z](?=A))at$|(?:_|[a-z](?=O))on$/i;
const NUMBER_NAME = /total|amount|price|count|quantity|qty|size|sum|weight|age|year|score|rank|stock|version|number/i;
const FLAG_NAME = /^(?:is|has|can|was)[A-Z_]|active|enabled|deleted|paid|sent|cancel|hidden|archived|closed/;

/** Items of a list, and the most that are made. */
const ITEMS = 2;
const MAX_ITEMS = 64;
const MANY = 1_000_000;
/** A moment that is later than any on which a map runs. */
const FUTURE = Date.UTC(2100, 0, 1);

/** @type {Candidate} */
const ABSENT = { kind: 'absent' };

/**
 * @param {Need} need
 * @returns {Candidate[]} each once
 */
export function candidatesOf(need) {
  if (need.depth === 0) return [{ kind: 'object' }];
  if (need.path === '._id') return idsOf(need);
  const all = [...structures(need), ...comparedWith(need), ...byKind(need), ...byName(need), ...anything(need)];
  const seen = new Set();
  return all.filter((candidate) => {
    const written = JSON.stringify(candidate);
    if (seen.has(written)) return false;
    seen.add(written);
    return true;
  });
}

/** @param {Need} need @returns {Candidate[]} */
function structures(need) {
  const { item, members, kinds, lengths } = need;
  /** @type {Candidate[]} */
  const found = [];
  const isTable = kinds.has('table');
  const isList = (item || (lengths.size > 0 && soundsLikeList(need))) && !isTable && members.size === 0;
  const isArray = kinds.has('array') || isList;
  if (isArray) {
    found.push({ kind: 'array', length: ITEMS });
    for (const length of lengths) if (length >= 0 && length <= MAX_ITEMS) found.push({ kind: 'array', length });
  }
  if (isTable) found.push({ kind: 'table' });
  if (members.size > 0 || (kinds.has('object') && !isArray && !isTable)) found.push({ kind: 'object' });
  if (item && !isArray) found.push({ kind: 'array', length: ITEMS });
  return found;
}

/**
 * @param {Need} need
 * @returns {boolean} whether it has the name of many things, as `tags`, and is not taken for a text
 */
export function soundsLikeList({ name, kinds }) {
  return /[^su_]s$/.test(name) && !kinds.has('string');
}

/** @param {string | number | boolean | null} value @returns {Candidate[]} a flag is as likely tested for not being set */
function literalOrItsOpposite(value) {
  /** @type {Candidate} */
  const candidate = { kind: 'literal', value };
  return typeof value === 'boolean' ? [candidate, { kind: 'literal', value: !value }] : [candidate];
}

/** What it is compared with. @param {Need} need @returns {Candidate[]} */
function comparedWith(need) {
  return [
    ...[...need.literals].flatMap(literalOrItsOpposite),
    ...textsOf(need),
    ...[...need.lengths]
      .filter((length) => length >= 0 && length <= 10_000 && !need.item)
      .map((length) => /** @type {Candidate} */ ({ kind: 'filled', length })),
  ];
}

/** @param {Need} need @returns {Candidate[]} */
function textsOf({ name, splits, starts, parts, ends, patterns, kinds }) {
  /** @type {Candidate[]} */
  const found = [];
  for (const pattern of patterns) found.push({ kind: 'pattern', pattern });
  if (kinds.has('date') || (splits.size > 0 && DATE_NAME.test(name))) found.push({ kind: 'date' });
  for (const [separator, pieces] of splits) found.push(splitText(name, separator, pieces));
  for (const [start, at] of starts)
    found.push({ kind: 'text', before: 'x'.repeat(Math.min(at, 100)) + start, after: '' });
  for (const end of ends) found.push({ kind: 'text', before: `${name}-`, after: end });
  for (const part of parts) found.push({ kind: 'text', before: `${name}-${part}-`, after: '' });
  return found;
}

/**
 * @param {string} name
 * @param {string} separator
 * @param {Map<number, string | undefined>} pieces
 * @returns {Candidate} a text with so many pieces, the digits in the first that is open
 */
function splitText(name, separator, pieces) {
  const count = Math.min(Math.max(1, ...pieces.keys()) + 1, 20);
  const written = Array.from({ length: count }, (_, at) => pieces.get(at));
  let open = written.indexOf(undefined);
  if (open === -1) open = written.push(undefined) - 1;
  const word = name.replace(/^_/, '') || 'part';
  const fill = (/** @type {(string | undefined)[]} */ list) => list.map((piece) => piece ?? word);
  return {
    kind: 'text',
    before: fill(written.slice(0, open))
      .map((piece) => piece + separator)
      .join(''),
    after: fill(written.slice(open + 1))
      .map((piece) => separator + piece)
      .join(''),
  };
}

/** @param {Need} need @returns {Candidate[]} */
function byKind({ name, kinds, bounds }) {
  /** @type {Candidate[]} */
  const found = [];
  const sorted = [...bounds].sort((one, other) => one - other);
  for (const [at, bound] of sorted.entries()) {
    const next = sorted[at + 1];
    if (next === undefined) continue;
    // Whole numbers between the two come first: most documents would pass one bound alone, and not both.
    const [from, width] = [Math.floor(bound) + 1, Math.ceil(next) - Math.floor(bound) - 1];
    if (width > 1) found.push({ kind: 'number', from, width });
    found.push({ kind: 'number', from: (bound + next) / 2, width: 1 });
  }
  for (const bound of bounds) {
    found.push({ kind: 'number', from: Math.floor(bound) + 1, width: 1000 }, { kind: 'number', from: bound, width: 1 });
    found.push({ kind: 'number', from: Math.ceil(bound) - 1, width: 1 });
  }
  if (kinds.has('number')) found.push({ kind: 'number', from: 1, width: MANY });
  if (kinds.has('date')) found.push({ kind: 'date' }, { kind: 'moment' });
  if (kinds.has('string')) {
    if (DATE_NAME.test(name)) found.push({ kind: 'date' });
    found.push({ kind: 'text', before: `${name}-`, after: '' });
  }
  if (kinds.has('boolean')) found.push({ kind: 'literal', value: true }, { kind: 'literal', value: false });
  return found;
}

/** @param {Need} need @returns {Candidate[]} what people mostly keep under such a name */
function byName({ name }) {
  if (FLAG_NAME.test(name)) return [{ kind: 'literal', value: true }];
  if (DATE_NAME.test(name)) return [{ kind: 'date' }];
  return NUMBER_NAME.test(name) ? [{ kind: 'number', from: 1, width: MANY }] : [];
}

/** @param {Need} need @returns {Candidate[]} */
function anything({ name, literals }) {
  /** @type {Candidate[]} */
  const cases = [...literals].flatMap((value) =>
    typeof value === 'string'
      ? [value.toLowerCase(), value.toUpperCase()].map((other) => ({
          kind: /** @type {const} */ ('literal'),
          value: other,
        }))
      : [],
  );
  return [
    { kind: 'text', before: `${name}-`, after: '' },
    ABSENT,
    { kind: 'literal', value: true },
    { kind: 'literal', value: false },
    { kind: 'number', from: 1, width: MANY },
    ...cases,
    { kind: 'literal', value: 0 },
    { kind: 'literal', value: 1 },
    { kind: 'number', from: MANY, width: MANY },
    { kind: 'text', before: 'Two words of ', after: '' },
    { kind: 'date' },
    { kind: 'moment' },
    { kind: 'literal', value: null },
    { kind: 'number', from: FUTURE, width: MANY },
    { kind: 'text', before: '2100-01-01T00:00:00.', after: 'Z' },
    { kind: 'array', length: ITEMS },
    { kind: 'object' },
  ];
}

/** @param {Need} need @returns {Candidate[]} */
function idsOf(need) {
  return [
    ...(need.patterns.size + need.splits.size + need.starts.size + need.ends.size > 0
      ? textsOf(need).filter(({ kind }) => kind === 'text' || kind === 'pattern')
      : []),
    { kind: 'text', before: 'doc-', after: '' },
  ];
}
