// Facts about what a view's map emits, and where it may throw.

import { isKnown } from './fact.js';
import { followFlow } from './javascript/flow.js';
import { normalHash } from './javascript/normal-hash.js';
import { parseFunction } from './javascript/parse.js';
import { sameValue } from './javascript/same-node.js';
import { alternatives, typesOf } from './javascript/values.js';

/** @import { EmitSite, Flow, RiskyRead } from './javascript/flow.js' */
/** @import { FunctionNode } from './javascript/parse.js' */
/** @import { Value, ValueType } from './javascript/values.js' */
/** @import { MappedText } from '../shared/mapped-text.js' */
/** @import { Place } from '../shared/source-file.js' */
/** @import { Extracted, FactDeclaration, Item, ViewSubject } from './fact.js' */

/** @typedef {{fn: FunctionNode, flow: Flow, text: MappedText}} MapRead */

/** @type {WeakMap<ViewSubject, MapRead | {unknown: string}>} */
const memory = new WeakMap();

/** The members of the object that `_stats` takes for statistics made before (couch_query_servers.erl, 3.5.2). */
const STATS_MEMBERS = ['sum', 'count', 'min', 'max', 'sumsqr'];

/**
 * @param {ViewSubject} view
 * @returns {MapRead | {unknown: string}}
 */
function readMap(view) {
  let read = memory.get(view);
  if (!read) {
    read = follow(view);
    memory.set(view, read);
  }
  return read;
}

/**
 * @param {ViewSubject} view
 * @returns {MapRead | {unknown: string}}
 */
function follow({ map }) {
  if (!map) return { unknown: 'the view has no map function in JavaScript' };
  const parsed = parseFunction(map.text.text);
  if (!parsed.ok || !parsed.fn) return { unknown: 'the map does not parse as a function' };
  const flow = followFlow(parsed.fn, ['doc']);
  return 'unknown' in flow ? flow : { fn: parsed.fn, flow, text: map.text };
}

/** @typedef {Omit<FactDeclaration<ViewSubject>, 'subject' | 'sources' | 'extract'>} Naming */

/**
 * @param {Naming} naming
 * @param {(read: MapRead, view: ViewSubject) => Extracted} take
 * @returns {FactDeclaration<ViewSubject>}
 */
function mapFact(naming, take) {
  return {
    ...naming,
    subject: 'view',
    sources: ['design-docs'],
    extract: (view) => {
      const read = readMap(view);
      return 'unknown' in read ? read : take(read, view);
    },
  };
}

/** @type {FactDeclaration<ViewSubject>[]} */
export const viewMapFacts = [
  mapFact(
    { id: 'view.emitCount', type: 'count', meaning: 'How many calls of `emit` the map can come to.' },
    ({ flow }) => ({ value: flow.emits.length }),
  ),
  mapFact(
    {
      id: 'view.emitsWholeDoc',
      type: 'boolean',
      meaning: 'Whether some emitted value is the document or a copy of it.',
    },
    ({ flow, text }) => {
      const site = flow.emits.find(({ value }) => alternatives(value).some(isDocument));
      if (site) return { value: true, place: placeOfValue(site, text), basis: basisOf(site) };
      return unknownValue(flow) ?? { value: false };
    },
  ),
  mapFact(
    { id: 'view.emitsDocCount', type: 'count', meaning: 'How many calls of `emit` have the document as value.' },
    ({ flow }) => ({ value: flow.emits.filter(({ value }) => alternatives(value).some(isDocument)).length }),
  ),
  mapFact(
    {
      id: 'view.emitsLinkedDoc',
      type: 'boolean',
      meaning: 'Whether some emitted value is an object with `_id`, which makes `include_docs` fetch another document.',
    },
    ({ flow, text }) => {
      const site = flow.emits.find(({ value }) =>
        alternatives(value).some((item) => memberNames(item).includes('_id')),
      );
      return site ? { value: true, place: placeOfValue(site, text) } : (unknownValue(flow) ?? { value: false });
    },
  ),
  mapFact(
    { id: 'view.emitsKeyDocId', type: 'boolean', meaning: 'Whether every emitted key is `doc._id`.' },
    ({ flow }) => ({
      value: flow.emits.length > 0 && flow.emits.every(({ key }) => key.kind === 'path' && key.path === 'doc._id'),
    }),
  ),
  mapFact(
    { id: 'view.emitsMissingValue', type: 'boolean', meaning: 'Whether some call of `emit` has no value, or null.' },
    ({ flow, text }) => {
      const site = flow.emits.find(
        ({ hasValue, value }) =>
          !hasValue || (value.kind === 'constant' && (value.value === null || value.value === undefined)),
      );
      if (!site) return unknownValue(flow) ?? { value: false };
      return { value: true, basis: 'declared', place: text.place(site.node.start, site.node.end) };
    },
  ),
  mapFact(
    {
      id: 'view.valueType',
      type: 'text',
      meaning:
        'What is emitted as value: `number` (certainly finite), `maybe-number` (a field of the document, or a computation that can fail), `string`, `boolean`, `null`, `array`, `object` (of numbers), `document`, or `mixed`.',
    },
    valueType,
  ),
  mapFact(
    {
      id: 'view.valueFieldsUnguarded',
      type: 'list',
      meaning: 'Fields of the document that are emitted as value without a test that they are numbers.',
    },
    ({ flow, text }) => {
      /** @type {Item[]} */
      const items = [];
      for (const site of flow.emits) {
        for (const item of alternatives(site.value)) {
          if (item.kind !== 'path' || site.knowledge.types.has(item.path) || !site.valueNode) continue;
          if (items.some(({ value, start }) => value === item.path && start === site.valueNode?.start)) continue;
          const { start, end } = site.valueNode;
          items.push({ value: item.path, place: text.place(start, end), start, end });
        }
      }
      return { value: items };
    },
  ),
  mapFact(
    {
      id: 'view.valueGuardedByTruthiness',
      type: 'boolean',
      meaning: 'Whether an emitted field is tested for its truth, which texts pass as well as numbers.',
    },
    ({ flow }) => ({
      value: flow.emits.some(({ value, knowledge }) =>
        alternatives(value).some((item) => item.kind === 'path' && knowledge.truthyTested.has(item.path)),
      ),
    }),
  ),
  mapFact(
    { id: 'view.valueArrayLengthsDiffer', type: 'boolean', meaning: 'Whether lists of different lengths are emitted.' },
    ({ flow, text }) => {
      const arrays = flow.emits.flatMap((site) =>
        alternatives(site.value).flatMap((item) =>
          item.kind === 'array' && !item.open ? [{ site, length: item.items.length }] : [],
        ),
      );
      const other = arrays.find(({ length }) => length !== arrays[0]?.length);
      return other ? { value: true, place: placeOfValue(other.site, text) } : { value: false };
    },
  ),
  mapFact(
    { id: 'view.valueMixesNumberAndObject', type: 'boolean', meaning: 'Whether numbers and objects are both emitted.' },
    ({ flow, text }) => {
      const all = flow.emits.flatMap((site) => alternatives(site.value).map((item) => ({ site, item })));
      const hasNumber = all.some(({ site, item }) => {
        const types = typesOf(item, (path) => site.knowledge.types.get(path));
        return Array.isArray(types) && types.includes('number');
      });
      const object = all.find(({ item }) => item.kind === 'object');
      return hasNumber && object ? { value: true, place: placeOfValue(object.site, text) } : { value: false };
    },
  ),
  mapFact(
    {
      id: 'view.valueObjectHasErrorKey',
      type: 'boolean',
      meaning: 'Whether an object with a member `error` is emitted.',
    },
    ({ flow, text }) => {
      const site = flow.emits.find(({ value }) =>
        alternatives(value).some((item) => memberNames(item).includes('error')),
      );
      return site ? { value: true, place: placeOfValue(site, text) } : { value: false };
    },
  ),
  mapFact(
    {
      id: 'view.valueMissingStatsFields',
      type: 'boolean',
      meaning: 'Whether an object is emitted that lacks one of `sum`, `count`, `min`, `max` and `sumsqr`.',
    },
    ({ flow, text }) => {
      const site = flow.emits.find(({ value }) =>
        alternatives(value).some(
          (item) => item.kind === 'object' && !item.open && STATS_MEMBERS.some((name) => !item.members.has(name)),
        ),
      );
      return site ? { value: true, place: placeOfValue(site, text) } : { value: false };
    },
  ),
  mapFact(
    {
      id: 'view.unguardedReads',
      type: 'list',
      meaning: 'Reads below a field that may be missing, with no test of the document before them.',
    },
    ({ flow, text }) => ({
      value: readItems(
        flow.reads.filter(({ isTested }) => !isTested),
        text,
      ),
    }),
  ),
  mapFact(
    {
      id: 'view.unguardedReadsBehindTypeTest',
      type: 'list',
      meaning: 'Reads below a field that may be missing, behind a test that may promise it.',
    },
    ({ flow, text }) => ({
      value: readItems(
        flow.reads.filter(({ isTested }) => isTested),
        text,
      ),
    }),
  ),
  mapFact(
    { id: 'view.neverEmits', type: 'boolean', meaning: 'Whether the map never comes to a call of `emit`.' },
    ({ flow }) =>
      flow.emits.length === 0 && flow.callsUnknown
        ? { unknown: 'the map calls functions that are not known' }
        : { value: flow.emits.length === 0 },
  ),
  mapFact(
    { id: 'view.mapHash', type: 'text', meaning: 'The same for maps that differ only in spelling.' },
    ({ fn }) => ({ value: normalHash(fn) }),
  ),
  {
    id: 'view.duplicateInDocument',
    type: 'list',
    subject: 'view',
    sources: ['design-docs'],
    meaning:
      'Earlier views of the design document whose maps differ from this one only in spelling, and so get an index of their own.',
    extract: (view, ask) => {
      const hash = ask(view, 'view.mapHash');
      if (!isKnown(hash)) return { unknown: hash.unknown };
      const { views } = view.parent;
      const twins = views.slice(0, views.indexOf(view)).filter((other) => {
        if (other.map?.text.text === view.map?.text.text || !sameOptions(other, view)) return false;
        const otherHash = ask(other, 'view.mapHash');
        return isKnown(otherHash) && otherHash.value === hash.value;
      });
      return { value: twins.map((other) => ({ value: other.name, place: other.place })) };
    },
  },
  {
    id: 'view.duplicateElsewhere',
    type: 'list',
    subject: 'view',
    sources: ['design-docs'],
    meaning: 'Views of earlier design documents of the same dump or folder whose maps are the same but for spelling.',
    extract: (view, ask) => {
      const hash = ask(view, 'view.mapHash');
      if (!isKnown(hash)) return { unknown: hash.unknown };
      const twins = viewsByHash(view, ask).get(String(hash.value)) ?? [];
      const earlier = twins.slice(0, twins.indexOf(view)).filter((other) => {
        const areApart = other.parent !== view.parent && other.parent.record.group === view.parent.record.group;
        return (
          areApart &&
          other.parent.record.id !== view.parent.record.id &&
          sameOptions(other, view) &&
          sameSurroundings(other, view)
        );
      });
      return { value: earlier.map((other) => ({ value: `${other.parent.name}/${other.name}`, place: other.place })) };
    },
  },
  {
    id: 'view.duplicateIsSameDatabase',
    type: 'boolean',
    subject: 'view',
    sources: ['design-docs'],
    basis: 'declared',
    meaning: 'Whether the documents of the same group are known to live in one database, as those of one dump are.',
    extract: (view) => ({ value: view.parent.record.sameDatabase }),
  },
];

/** @type {WeakMap<object, Map<string, ViewSubject[]>>} */
const hashesOfRuns = new WeakMap();

/**
 * @param {ViewSubject} view
 * @param {import('./fact.js').Ask} ask
 * @returns {Map<string, ViewSubject[]>} all views of the run by the hash of their maps, in order
 */
function viewsByHash(view, ask) {
  const run = view.parent.parent;
  let hashes = hashesOfRuns.get(run);
  if (hashes) return hashes;
  hashes = new Map();
  hashesOfRuns.set(run, hashes);
  for (const subject of run.subjects) {
    if (subject.kind !== 'view') continue;
    const hash = ask(subject, 'view.mapHash');
    if (!isKnown(hash)) continue;
    const list = hashes.get(String(hash.value)) ?? [];
    list.push(subject);
    hashes.set(String(hash.value), list);
  }
  return hashes;
}

/**
 * @param {ViewSubject} first
 * @param {ViewSubject} second
 * @returns {boolean} whether their `options`, which belong to the index, are equal
 */
function sameOptions(first, second) {
  return sameValue(first.node, second.node, 'options');
}

/**
 * @param {ViewSubject} first
 * @param {ViewSubject} second
 * @returns {boolean} whether their documents have the same language, options and modules
 */
function sameSurroundings(first, second) {
  if (first.parent.language !== second.parent.language) return false;
  const [one, two] = [first.parent.record.node, second.parent.record.node];
  const views = /** @param {typeof one} node */ (node) =>
    node.entries.findLast((entry) => entry.key === 'views')?.node ?? node;
  return sameValue(one, two, 'options') && sameValue(views(one), views(two), 'lib');
}

/**
 * @param {MapRead} read
 * @returns {Extracted}
 */
function valueType({ flow, text }) {
  if (flow.emits.length === 0) return { unknown: 'the map emits nothing that reading finds' };
  /** @type {Set<ValueType>} */
  const types = new Set();
  for (const { value, knowledge } of flow.emits) {
    const found = typesOf(value, (path) => knowledge.types.get(path));
    if (!Array.isArray(found)) return { unknown: found.unknown };
    for (const type of found) types.add(type);
    for (const item of alternatives(value)) {
      if (item.kind !== 'array' && item.kind !== 'object') continue;
      const members = item.kind === 'array' ? item.items : [...item.members.values()];
      const areNumbers = members.every((member) => {
        const inner = typesOf(member, (path) => knowledge.types.get(path));
        return Array.isArray(inner) && inner.every((type) => type === 'number');
      });
      if (item.open || !areNumbers)
        return { unknown: `what the emitted ${item.kind === 'array' ? 'list' : 'object'} holds` };
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
 * @returns {Extracted | undefined} unknown, where some emitted value is
 */
function unknownValue({ emits }) {
  for (const { value } of emits) {
    for (const item of alternatives(value))
      if (item.kind === 'unknown') return { unknown: `the emitted value: ${item.reason}` };
  }
  return undefined;
}

/**
 * @param {Value} value
 * @returns {boolean}
 */
function isDocument(value) {
  return (value.kind === 'document' && value.parameter === 0) || value.kind === 'copy';
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
function placeOfValue({ node, valueNode }, text) {
  const shown = valueNode ?? node;
  return shown && text.place(shown.start, shown.end);
}

/**
 * @param {EmitSite} site
 * @returns {'declared' | 'inferred'} declared where the call itself says it
 */
function basisOf({ valueNode }) {
  return valueNode?.type === 'Identifier' ? 'declared' : 'inferred';
}

/**
 * @param {RiskyRead[]} reads
 * @param {MappedText} text
 * @returns {Item[]}
 */
export function readItems(reads, text) {
  return reads.map(({ node: { start, end } }) => ({
    value: text.text.slice(start, end).replace(/\s+/g, ' '),
    place: text.place(start, end),
    start,
    end,
  }));
}
