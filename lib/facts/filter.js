// Facts about filter functions of `_changes` and of replication.

import { followFlow } from './javascript/flow.js';
import { parseFunction } from './javascript/parse.js';
import { filterSelector } from './javascript/selector.js';
import { readItems } from './view-map.js';

/** @import { Flow } from './javascript/flow.js' */
/** @import { FunctionNode } from './javascript/parse.js' */
/** @import { MappedText } from '../shared/mapped-text.js' */
/** @import { Extracted, FactDeclaration, FilterSubject } from './fact.js' */

/** @typedef {{fn: FunctionNode, flow: Flow, text: MappedText}} FilterRead */

/** @type {WeakMap<FilterSubject, FilterRead | {unknown: string}>} */
const memory = new WeakMap();

/**
 * @param {FilterSubject} filter
 * @returns {FilterRead | {unknown: string}}
 */
function readFilter(filter) {
  let read = memory.get(filter);
  if (!read) {
    read = follow(filter);
    memory.set(filter, read);
  }
  return read;
}

/**
 * @param {FilterSubject} filter
 * @returns {FilterRead | {unknown: string}}
 */
function follow({ function: { text } }) {
  const parsed = parseFunction(text.text);
  if (!parsed.ok || !parsed.fn) return { unknown: 'the filter does not parse as a function' };
  const flow = followFlow(parsed.fn, ['doc', 'req', 'userCtx']);
  return 'unknown' in flow ? flow : { fn: parsed.fn, flow, text };
}

/**
 * @param {Omit<FactDeclaration<FilterSubject>, 'subject' | 'sources' | 'extract'>} naming
 * @param {(read: FilterRead, filter: FilterSubject) => Extracted} take
 * @returns {FactDeclaration<FilterSubject>}
 */
function filterFact(naming, take) {
  return {
    ...naming,
    subject: 'filter',
    sources: ['design-docs'],
    extract: (filter) => {
      const read = readFilter(filter);
      return 'unknown' in read ? read : take(read, filter);
    },
  };
}

/** @type {FactDeclaration<FilterSubject>[]} */
export const filterFacts = [
  filterFact(
    {
      id: 'filter.unguardedReads',
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
  filterFact(
    { id: 'filter.mentionsDeleted', type: 'boolean', meaning: 'Whether the filter looks at `doc._deleted`.' },
    ({ flow }) => ({ value: flow.mentioned.has('doc._deleted') }),
  ),
  filterFact(
    {
      id: 'filter.rejectsTombstones',
      type: 'boolean',
      meaning: 'Whether it certainly rejects a document of which only `_id`, `_rev` and `_deleted` are left.',
    },
    ({ fn, text }) => {
      const flow = followFlow(fn, ['tombstone', 'req', 'userCtx']);
      if ('unknown' in flow) return flow;
      const rejects =
        flow.throws.length === 0 &&
        flow.returns.every(({ value }) => value.kind === 'constant' && !value.value) &&
        (flow.returns.length > 0 || flow.endsWithoutReturn);
      return { value: rejects, place: text.place(fn.start, fn.end) };
    },
  ),
  filterFact(
    {
      id: 'filter.fitsSelector',
      type: 'boolean',
      meaning: 'Whether the filter only compares fields of the document with constants or with `req.query`.',
    },
    ({ fn }) => {
      const selector = filterSelector(fn);
      return 'unknown' in selector ? { unknown: selector.unknown } : { value: true };
    },
  ),
  filterFact(
    { id: 'filter.selector', type: 'text', meaning: 'The Mango selector that lets the same documents through.' },
    ({ fn }) => {
      const selector = filterSelector(fn);
      return 'unknown' in selector ? { unknown: selector.unknown } : { value: JSON.stringify(selector.selector) };
    },
  ),
];
