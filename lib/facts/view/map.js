// Facts about what a view's map emits, and where it may throw.

import { isWhole } from '../../javascript/flow-operators.js';
import { typeAt } from '../../javascript/path-facts.js';
import { alternatives, typesOf } from '../../javascript/values.js';
import { mapFact, riskyReads, sourceItem } from '../function/flow.js';

/** @import { CallExpression, Node } from 'acorn' */
/** @import { Followed } from '../function/flow.js' */
/** @import { EmitSite, Flow } from '../../javascript/flow.js' */
/** @import { Value, ValueType } from '../../javascript/values.js' */
/** @import { MappedText } from '../../shared/mapped-text.js' */
/** @import { Place } from '../../shared/source-file.js' */
/** @import { Extracted, FactDeclaration, FunctionSubject, Item, ViewSubject } from '../fact.js' */

/** The members of the object that `_stats` takes for statistics made before (couch_query_servers.erl, 3.5.2). */
const STATS_MEMBERS = ['sum', 'count', 'min', 'max', 'sumsqr'];

/** A key of a place: `["shop.order"]` */
const KEY = /\[("(?:[^"\\]|\\.)*")\]/g;

/** @type {FactDeclaration<ViewSubject>[]} */
export const viewMapFacts = [
  mapFact('view.emitCount', 'count', {
    meaning: 'Number of `emit` calls that the map can reach.',
    forOwnRules: 'a limit of rows per document is a matter of the project',
    extract: ({ flow }) => hiddenEmits(flow) ?? { value: new Set(flow.emits.map(({ node }) => node)).size },
  }),
  mapFact('view.emitCalls', 'list', {
    meaning: 'The `emit` calls that the map can reach, as written.',
    extract: ({ flow, text }) => {
      const nodes = new Set(flow.emits.flatMap(({ node }) => node ?? []));
      return hiddenEmits(flow) ?? { value: [...nodes].map((node) => emitCall(node, text)) };
    },
  }),
  mapFact('view.emitsWholeDoc', 'boolean', {
    meaning: 'Whether an emitted value is the document or a copy of it.',
    extract: ({ flow, text }) => {
      const site = flow.emits.find(({ value }) => alternatives(value).some(isDocument));
      if (site) return { value: true, place: placeOfValue(site, text), basis: basisOf(site) };
      return unknownValue(flow) ?? { value: false };
    },
  }),
  mapFact('view.emitsLinkedDoc', 'boolean', {
    meaning: 'Whether an emitted value is an object with `_id`, which makes `include_docs` fetch another document.',
    extract: ({ flow, text }) => {
      const site = flow.emits.find(({ value }) =>
        alternatives(value).some((item) => memberNames(item).includes('_id')),
      );
      return site ? { value: true, place: placeOfValue(site, text) } : (unknownValue(flow) ?? { value: false });
    },
  }),
  mapFact('view.emitsMissingValue', 'boolean', {
    meaning: 'Whether an `emit` call has no value, or null.',
    phrases: ['no value is emitted here', 'every row has a value'],
    extract: ({ flow, text }) => {
      const site = flow.emits.find(
        ({ hasValue, value }) =>
          !hasValue || (value.kind === 'constant' && (value.value === null || value.value === undefined)),
      );
      if (!site) return unknownValue(flow) ?? { value: false };
      return { value: true, basis: 'declared', place: placeOfValue({ ...site, valueNode: site.node }, text) };
    },
  }),
  mapFact('view.valueType', 'text', {
    meaning:
      'The type of the emitted values: `number` (certainly finite), `maybe-number` (a field of the document, or a computation that can fail), `string`, `boolean`, `null`, `array`, `object` (of numbers), `document`, or `mixed`.',
    phrases: {
      'maybe-number': 'the value may not be a number',
      array: 'the value is an array',
      object: 'the value is an object',
      null: 'the value is null',
      document: 'the value is the document',
      mixed: 'values of different types are emitted',
      '*': 'the value is a {value}',
    },
    extract: valueType,
  }),
  mapFact('view.valueFieldsUnguarded', 'list', {
    meaning: 'Document fields that are emitted as value without a check that they are numbers.',
    phrases: '{value} is not checked',
    extract: ({ flow, text }) => {
      /** @type {Item[]} */
      const items = [];
      for (const site of flow.emits) {
        for (const item of alternatives(site.value)) {
          if (item.kind !== 'path' || typeAt(site.pathFacts, item) !== undefined || !site.valueNode) continue;
          const { start, end } = site.valueNode;
          const written = sourceItem(text, start, end);
          const value = pathAsWritten(item);
          if (items.some((one) => one.value === value && one.start === start)) continue;
          items.push({ ...written, value });
        }
      }
      return { value: items };
    },
  }),
  mapFact('view.valueGuardedByTruthiness', 'boolean', {
    meaning:
      'Whether each field that is emitted without a check for a number is at least checked to be truthy, which strings are too.',
    phrases: ['the value is only checked for truthiness', 'not every value is checked'],
    extract: ({ flow }) => {
      const tests = flow.emits.flatMap(({ value, pathFacts }) =>
        alternatives(value).flatMap((item) =>
          item.kind === 'path' && typeAt(pathFacts, item) === undefined ? [pathFacts.truthyTested.has(item.path)] : [],
        ),
      );
      return { value: tests.length > 0 && tests.every(Boolean) };
    },
  }),
  mapFact('view.valueArrayLengthsDiffer', 'boolean', {
    meaning: 'Whether arrays of different lengths are emitted; unknown if the length of one is.',
    phrases: ['an array of another length is emitted here', 'all arrays have one length'],
    extract: ({ flow, text }) => {
      const all = flow.emits.flatMap((site) => alternatives(site.value).map((item) => ({ site, item })));
      const lengths = all.flatMap(({ site, item }) =>
        item.kind === 'array' && !item.open ? [{ site, length: item.items.length }] : [],
      );
      const other = lengths.find(({ length }) => length !== lengths[0]?.length);
      if (other) return { value: true, place: placeOfValue(other.site, text) };
      const open = all.find(({ item }) => item.kind === 'unknown' || (item.kind === 'array' && item.open))?.item;
      if (!open) return { value: false };
      return {
        unknown: open.kind === 'unknown' ? open.reason : 'the length of the emitted array depends on the document',
      };
    },
  }),
  mapFact('view.valueMixesNumberAndObject', 'boolean', {
    meaning: 'Whether numbers and objects are both emitted.',
    phrases: ['an object is emitted here', 'numbers and objects are not mixed'],
    extract: ({ flow, text }) => {
      const all = flow.emits.flatMap((site) => alternatives(site.value).map((item) => ({ site, item })));
      const hasNumber = all.some(({ site, item }) => {
        const types = typesOf(item, site.pathFacts);
        return Array.isArray(types) && types.includes('number');
      });
      const object = all.find(({ item }) => item.kind === 'object');
      return hasNumber && object ? { value: true, place: placeOfValue(object.site, text) } : { value: false };
    },
  }),
  mapFact('view.valueObjectHasErrorKey', 'boolean', {
    meaning: 'Whether an object with a member `error` is emitted.',
    phrases: ['an object with `error` is emitted here', 'no object with `error` is emitted'],
    extract: ({ flow, text }) => {
      const site = flow.emits.find(({ value }) =>
        alternatives(value).some((item) => memberNames(item).includes('error')),
      );
      return site ? { value: true, place: placeOfValue(site, text) } : { value: false };
    },
  }),
  mapFact('view.valueMissingStatsFields', 'boolean', {
    meaning: 'Whether an object is emitted that lacks one of `sum`, `count`, `min`, `max` and `sumsqr`.',
    phrases: ['an object without all `_stats` members is emitted', 'all `_stats` members are there'],
    extract: ({ flow, text }) => {
      const site = flow.emits.find(({ value }) =>
        alternatives(value).some(
          (item) => item.kind === 'object' && !item.open && STATS_MEMBERS.some((name) => !item.members.has(name)),
        ),
      );
      return site ? { value: true, place: placeOfValue(site, text) } : { value: false };
    },
  }),
  mapFact('view.unguardedReads', 'list', {
    meaning: 'Fields that may be missing and have a member read, or are iterated over, without a check before.',
    phrases: '{value} may be missing',
    sources: ['design-docs', 'witnesses'],
    extract: thrownReads(false),
  }),
  mapFact('view.unguardedReadsBehindTypeTest', 'list', {
    meaning:
      'Fields that may be missing and have a member read, or are iterated over, after a test of the document that may rule that out.',
    phrases: '{value} may be missing',
    sources: ['design-docs', 'witnesses'],
    extract: thrownReads(true),
  }),
  mapFact('view.neverEmits', 'boolean', {
    meaning: 'Whether the map never reaches a call of `emit`.',
    phrases: ['the map never emits', 'the map emits'],
    extract: ({ flow }) => (flow.emits.length > 0 ? { value: false } : (hiddenEmits(flow) ?? { value: true })),
  }),
  mapFact('view.mapIsEmpty', 'boolean', {
    meaning: 'Whether the map body is empty.',
    phrases: ['the map is empty', 'the map is not empty'],
    basis: 'declared',
    extract: ({ fn, text }) => ({
      value: fn.body.type === 'BlockStatement' && fn.body.body.length === 0,
      place: text.place(fn.start, fn.end),
    }),
  }),
];

/**
 * @param {boolean} isTested
 * @returns {(followed: Followed, map: FunctionSubject) => Extracted} none where the map was tried without each member and threw never
 */
function thrownReads(isTested) {
  const find = riskyReads(isTested);
  return (followed, { witness }) => (witness?.neverThrows ? { value: [] } : find(followed));
}

/**
 * @param {Node} node the call
 * @param {MappedText} text
 * @returns {Item} with the key as it is written, where the call shows it
 */
function emitCall(node, text) {
  const item = sourceItem(text, node.start, node.end);
  const [key] = node.type === 'CallExpression' ? /** @type {CallExpression} */ (node).arguments : [];
  if (!key || key.type === 'SpreadElement') return item;
  return { ...item, detail: { key: sourceItem(text, key.start, key.end).value } };
}

/**
 * @param {Followed} followed
 * @returns {Extracted}
 */
function valueType({ flow, text }) {
  if (flow.emits.length === 0) return { unknown: 'no `emit` call of the map could be analyzed' };
  /** @type {Set<ValueType>} */
  const types = new Set();
  for (const { value, pathFacts } of flow.emits) {
    const found = typesOf(value, pathFacts);
    if (!Array.isArray(found)) return { unknown: found.unknown };
    for (const type of found) types.add(type);
    for (const item of alternatives(value)) {
      if (item.kind !== 'array' && item.kind !== 'object') continue;
      const members = item.kind === 'array' ? item.items : [...item.members.values()];
      const areNumbers = members.every((member) => {
        const inner = typesOf(member, pathFacts);
        return Array.isArray(inner) && inner.every((type) => type === 'number');
      });
      if (item.open || !areNumbers)
        return { unknown: `the content of the emitted ${item.kind === 'array' ? 'array' : 'object'}` };
    }
  }
  const [first] = flow.emits;
  const place = first && placeOfValue(first, text);
  if (types.has('field')) {
    types.delete('field');
    types.add('maybe-number');
  }
  if (types.has('maybe-number')) types.delete('number');
  const [only] = types;
  return { value: types.size === 1 && only ? only : 'mixed', place };
}

/**
 * @param {Flow} flow
 * @returns {Extracted | undefined} unknown, where code that was not read may emit rows
 */
function hiddenEmits({ emits, callsUnknown }) {
  if (emits.length === 0) return callsUnknown ? { unknown: 'the map calls functions that were not read' } : undefined;
  return emits.some(({ node }) => !node) ? { unknown: '`emit` goes to functions that were not read' } : undefined;
}

/**
 * @param {Flow} flow
 * @returns {Extracted | undefined} unknown, where some emitted value is
 */
export function unknownValue(flow) {
  const hidden = hiddenEmits(flow);
  if (hidden) return hidden;
  for (const { value } of flow.emits) {
    for (const item of alternatives(value)) {
      if (item.kind === 'unknown') return { unknown: `the emitted value: ${item.reason}` };
      if (item.kind === 'object' && item.open)
        return { unknown: 'the emitted value: an object whose members are named at run time' };
    }
  }
  return undefined;
}

/**
 * @param {Value} value
 * @returns {boolean}
 */
export function isDocument(value) {
  return isWhole(value) || value.kind === 'copy';
}

/**
 * @param {Value} value
 * @returns {string[]}
 */
function memberNames(value) {
  return value.kind === 'object' ? [...value.members.keys()] : [];
}

/**
 * @param {EmitSite} site
 * @param {MappedText} text
 * @returns {Place | undefined}
 */
export function placeOfValue({ node, valueNode }, text) {
  const shown = valueNode ?? node;
  return shown && text.place(shown.start, shown.end);
}

/**
 * @param {EmitSite} site
 * @returns {'declared' | 'inferred'} declared where the call itself says it
 */
export function basisOf({ valueNode }) {
  return valueNode?.type === 'Identifier' ? 'declared' : 'inferred';
}

/**
 * @param {{path: string, place?: string | undefined}} value
 * @returns {string} its path; the dots of a name can be distinguished from those between names: `doc['shop.order'].total`
 */
function pathAsWritten({ path, place = '' }) {
  const names = [...place.matchAll(KEY)].map(([, key = '""']) => /** @type {string} */ (JSON.parse(key)));
  if (!names.some((name) => name.includes('.'))) return path;
  const written = names.map((name) => (/^[\w$]+$/.test(name) ? `.${name}` : `['${name}']`));
  return `${path.split('.', 1)[0]}${written.join('')}`;
}
