// Facts about filter functions of `_changes` and of replication.

import { namesOf } from '../javascript/analyse.js';
import { followFlow } from '../javascript/flow.js';
import { truthOf } from '../javascript/flow-operators.js';
import { isFunction } from '../javascript/names.js';
import { memberName } from '../javascript/parse.js';
import { flowFacts, riskyReads, sourceItem } from './function/flow.js';
import { filterSelector } from './javascript/selector.js';

/** @import { AnyNode, ReturnStatement } from 'acorn' */
/** @import { DeclareFlowFact, Followed } from './function/flow.js' */
/** @import { FactDeclaration, FilterSubject } from './fact.js' */

/** @type {DeclareFlowFact<FilterSubject>} */
const filterFact = flowFacts('filter', ['doc', 'req', 'userCtx'], (subject) => subject.function);

/** @type {FactDeclaration<FilterSubject>[]} */
export const filterFacts = [
  filterFact('filter.unguardedReads', 'list', {
    meaning: 'Fields that may be missing and have a member read, or are iterated over, without a check before.',
    phrases: '{value} may be missing',
    extract: riskyReads(false),
  }),
  filterFact('filter.unguardedParameters', 'list', {
    meaning:
      'Parameters of the request (`req.query`) that have a member read, or are iterated over, without a check before.',
    extract: riskyReads(false, true),
  }),
  filterFact('filter.lostReturns', 'list', {
    meaning:
      'Values returned inside a `forEach` callback, where they are lost; none if the filter itself may return something truthy.',
    extract: ({ tree, fn, flow, text }) => {
      const letsThrough = flow.returns.some(({ value }) => truthOf(value) !== false);
      const lost = letsThrough ? [] : returnsToForEach(tree, fn);
      const value = lost.map(({ start, end }) => sourceItem(text, start, end));
      return { value, place: value[0]?.place };
    },
  }),
  filterFact('filter.mentionsDeleted', 'boolean', {
    meaning: 'Whether the filter reads `doc._deleted`.',
    phrases: ['the filter checks `_deleted`', 'the filter does not check `_deleted`'],
    extract: ({ flow }) => {
      if (flow.mentioned.has('doc._deleted')) return { value: true };
      return flow.callsUnknown ? { unknown: 'the filter calls functions that were not read' } : { value: false };
    },
  }),
  filterFact('filter.rejectsTombstones', 'boolean', {
    meaning: 'Whether it certainly rejects a tombstone that has only `_id`, `_rev` and `_deleted`.',
    phrases: ['the filter rejects deletions', 'the filter passes deletions'],
    extract: ({ tree, fn, text }) => {
      const flow = followFlow(tree, ['tombstone', 'req', 'userCtx']);
      if ('unknown' in flow) return flow;
      const rejects =
        flow.throws.length === 0 &&
        flow.returns.every(({ value }) => truthOf(value) === false) &&
        (flow.returns.length > 0 || flow.endsWithoutReturn);
      return { value: rejects, place: text.place(fn.start, fn.end) };
    },
  }),
  filterFact('filter.fitsSelector', 'boolean', {
    meaning: 'Whether a Mango selector passes exactly the same documents.',
    phrases: ['a selector passes the same changes', 'no selector passes the same changes'],
    extract: ({ fn }) => {
      const selector = filterSelector(fn);
      return 'unknown' in selector ? { unknown: selector.unknown } : { value: true };
    },
  }),
  filterFact('filter.selector', 'text', {
    meaning:
      'A Mango selector that passes the same documents as the filter, except where the filter throws. It compares strings as the database does, which ignores characters without collation weight.',
    extract: ({ fn }) => {
      const selector = filterSelector(fn);
      return 'unknown' in selector ? { unknown: selector.unknown } : { value: JSON.stringify(selector.selector) };
    },
  }),
];

/**
 * @param {Followed['tree']} tree
 * @param {Followed['fn']} fn the filter
 * @returns {ReturnStatement[]} those in it that return a value to `forEach`
 */
function returnsToForEach(tree, fn) {
  const { nodes, parents } = namesOf(tree);
  const returns = nodes.filter((node) => node.type === 'ReturnStatement');
  return returns.filter((node) => {
    if (!node.argument || node.start < fn.start || node.end > fn.end) return false;
    let at = /** @type {AnyNode | undefined} */ (parents.get(node));
    while (at && !isFunction(at)) at = parents.get(at);
    const call = at && parents.get(at);
    if (call?.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return false;
    return memberName(call.callee) === 'forEach';
  });
}
