// Facts about options as they are written: names that no client knows, keys that are given twice, regular expressions, `skip`.

import { clientNamed } from '../../clients/index.js';
import { stringForRegExp } from '../../javascript/string-for-regexp.js';
import { meantNames, mistyped } from '../../shared/misspelt-parameters.js';
import { entryPlace, nodePlace } from '../../sources/record.js';
import { callFact, optionOf } from './call.js';

/** @import { CallSubject, Extracted, FactDeclaration, Item } from '../fact.js' */
/** @import { CallRecord } from '../../sources/application/record.js' */
/** @import { Place } from '../../shared/source-file.js' */
/** @import { Entry, ValueNode } from '../../sources/record.js' */

/** Methods whose options are parameters of views. @type {ReadonlySet<string>} */
const VIEW_METHODS = new Set(['view', 'all-docs']);
/** @type {FactDeclaration<CallSubject>[]} */
export const callOptionFacts = [
  callFact('call.misspeltOption', 'text', {
    meaning:
      'The first option in the code of the call that is a misspelling of a parameter of views, which clients and CouchDB ignore; `none` where there is none.',
    phrases: { none: 'no option is misspelled', '*': '`{value}` is misspelled' },
    extract: (record) => {
      const [first] = misspeltOptions(record);
      return { value: first?.key ?? 'none', place: first?.place };
    },
  }),
  callFact('call.meantOption', 'text', {
    meaning: 'The right name of the misspelled option.',
    extract: (record) => {
      const [first] = misspeltOptions(record);
      return first ? { value: first.meant } : { unknown: 'no option is misspelled' };
    },
  }),
  callFact('call.repeatedKeys', 'list', {
    meaning: 'Keys that appear twice in the options or the selector, with different values.',
    extract: (record) => ({ value: record.options.node ? repeatedKeys(record.options.node) : [] }),
  }),
  callFact('call.regExpOperators', 'list', {
    meaning: 'Regular expressions that `$regex` is given, which JSON turns into `{}`.',
    extract: (record) => placed(regExps(record, true)),
  }),
  callFact('call.regExpValues', 'list', {
    meaning: 'Regular expressions in a selector without `$regex`, which JSON turns into `{}`.',
    extract: (record) => placed(regExps(record, false)),
  }),
  callFact('call.regExpHasString', 'boolean', {
    meaning:
      'Whether the first regular expression that `$regex` is given can be written as a string that means the same for PCRE.',
    phrases: ['a string can express the same', 'no string is certain to express the same'],
    extract: (record) => ({ value: firstPattern(record) !== undefined }),
  }),
  callFact('call.regExpInstead', 'list', {
    meaning: 'The first regular expression that `$regex` is given, as the string that CouchDB takes.',
    extract: (record) => {
      const text = firstPattern(record);
      return text === undefined
        ? { unknown: 'it cannot be written as a string that means the same' }
        : { value: [{ value: text }] };
    },
  }),
  callFact('call.skip', 'text', {
    meaning:
      'Its `skip`: `none`, `constant`, or `grows` where it depends on the page: `page * size`, `skip += rows.length`.',
    phrases: {
      none: 'the call has no `skip`',
      constant: 'its `skip` is always the same',
      grows: 'its `skip` grows from page to page',
    },
    extract: skipFact,
  }),
];

/** @param {Item[]} items @returns {Extracted} with the place of the first */
function placed(items) {
  return { value: items, place: items[0]?.place };
}

/** @param {CallRecord} record @returns {string | undefined} */
function firstPattern({ regExps: found }) {
  const first = found.find(({ key }) => key === '$regex');
  return first && stringForRegExp(first)?.text;
}

/** @param {CallRecord} record @returns {Extracted} */
function skipFact(record) {
  const node = optionOf(record, 'skip');
  const place = node && nodePlace(node);
  if (record.skip === 'unknown') return { unknown: 'the code does not show how `skip` changes', place };
  if (record.skip === 'none' && record.options.isOpen) return { unknown: 'other code may set `skip`' };
  return { value: record.skip, place };
}

/**
 * @param {CallRecord} record
 * @returns {{key: string, meant: string, place: Place}[]}
 */
function misspeltOptions({ method, client, options }) {
  // Some clients refuse names that they do not know; of another object, only some options are known.
  if (!options.node || client === null || clientNamed(client)?.checksOptions || !VIEW_METHODS.has(method)) return [];
  const { entries } = options.node;
  const meantOf = meantNames(
    entries.map(({ key }) => key),
    mistyped,
  );
  return entries.flatMap((entry) => {
    const meant = meantOf.get(entry.key);
    return meant === undefined ? [] : [{ key: entry.key, meant, place: entryPlace(entry) }];
  });
}

/** @param {ValueNode} node @returns {Item[]} */
function repeatedKeys(node) {
  if (node.type === 'array') return node.items.flatMap(repeatedKeys);
  if (node.type !== 'object') return [];
  // What is spread into an object is meant to be overridden.
  const own = node.entries.filter(
    ({ keyStart, keyEnd, isOpen }) => !isOpen && keyStart > node.start && keyEnd < node.end,
  );
  const found = own.flatMap((entry, at) => {
    const later = own.slice(at + 1).find(({ key }) => key === entry.key);
    return later && textOf(later) !== textOf(entry) ? [{ value: entry.key, place: entryPlace(entry) }] : [];
  });
  return [...found, ...node.entries.flatMap((entry) => repeatedKeys(entry.node))];
}

/** @param {Entry} entry @returns {string} */
function textOf({ node: { file, start, end } }) {
  return file.text.slice(start, end);
}

/**
 * @param {CallRecord} record
 * @param {boolean} isOperator
 * @returns {Item[]}
 */
function regExps({ regExps: found, file }, isOperator) {
  return found
    .filter(({ key }) => (key === '$regex') === isOperator)
    .map(({ start, end }) => ({ value: file.text.slice(start, end), place: file.place(start, end) }));
}
