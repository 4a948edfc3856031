// Facts about `validate_doc_update` functions: what they throw, what they return, what makes them fail.

import { namesOf, parsed } from '../javascript/analyse.js';
import { followFlow } from '../javascript/flow.js';
import { alternatives } from '../javascript/values.js';
import { factsOf } from './fact.js';
import { MACRO, seenBy } from './function/evidence.js';
import { flowFacts, readItems, sourceItem } from './function/flow.js';

/** @import { RiskyRead, ThrowSite } from '../javascript/flow.js' */
/** @import { DeclareFlowFact, Followed } from './function/flow.js' */
/** @import { Value } from '../javascript/values.js' */
/** @import { MappedText } from '../shared/mapped-text.js' */
/** @import { WriteQuestion } from '../proof/evidence/try-writes.js' */
/** @import { DeclareFact, FactDeclaration, FunctionSubject, Item, RunSubject, ValidateSubject } from './fact.js' */

/** What CouchDB understands when it is thrown (couch_query_servers.erl validate_doc_update, 3.5.2). */
const REJECTIONS = ['forbidden', 'unauthorized'];

const NOT_TRIED = 'the function was not run in this run';

/** What it takes for consent, thrown or not: the query server sends what is thrown as its answer (share/server/validate.js,
 *  3.5.2; tried on 3.5.0). @type {unknown[]} */
const CONSENT = [1, true];

/** @type {DeclareFlowFact<ValidateSubject>} */
const validateFact = flowFacts('validate', ['doc', 'oldDoc', 'userCtx', 'secObj'], (subject) => subject.function);

/** @type {DeclareFact<ValidateSubject>} */
const ownValidateFact = factsOf({ subject: 'validate', sources: ['design-docs', 'witnesses'], basis: 'proved' });

/** @type {FactDeclaration<ValidateSubject>[]} */
export const validateFacts = [
  validateFact('validate.unguardedReads', 'list', {
    meaning:
      'Fields that may be missing, or the old document, which is null on creation, if a member of them is read without a check before.',
    phrases: '{value} may be null or missing',
    extract: (followed) => ({ value: readItems(unguardedReads(followed), followed) }),
  }),
  validateFact('validate.badThrows', 'list', {
    meaning: 'Throws of anything other than an object with the single member `forbidden` or `unauthorized`.',
    phrases: '{value} returns 500 too',
    extract: (followed) => ({ value: badThrowItems(followed) }),
  }),
  validateFact('validate.faults', 'list', {
    meaning:
      'Everything that makes a write return 500: the items of `validate.badThrows`, and the reads of `validate.unguardedReads` as written.',
    extract: (followed) => {
      const reads = unguardedReads(followed).map(({ node }) => sourceItem(followed.text, node.start, node.end));
      const items = [...badThrowItems(followed), ...reads];
      return { value: items.sort((first, second) => (first.start ?? 0) - (second.start ?? 0)) };
    },
  }),
  validateFact('validate.canReject', 'boolean', {
    meaning: 'Whether it can reach a `throw` that nothing catches; unknown if it fails for every write that was tried.',
    phrases: ['it can reject a write', 'it can never reject a write'],
    sources: ['design-docs', 'witnesses'],
    extract: ({ flow }, { writes }) => {
      if (flow.throws.some(({ isCaught }) => !isCaught)) return { value: true };
      if (flow.callsUnknown) return { unknown: 'it calls functions that were not read and may throw' };
      if (!completes(flow) || onlyFails(writes)) return { unknown: 'it fails for every write' };
      return writes?.outcomes.includes('rejected') ? { unknown: 'a trial run rejects a write' } : { value: false };
    },
  }),
  validateFact('validate.alwaysFails', 'boolean', {
    meaning: 'Whether it throws by accident, or never ends, for every write.',
    phrases: ['it fails for every write', 'it can complete'],
    sources: ['design-docs', 'witnesses'],
    extract: ({ flow, fn, text }, { writes }) => {
      if (flow.throws.length > 0 || flow.callsUnknown || completes(flow)) return { value: false };
      const isRefuted = writes !== undefined && writes.outcomes.length > 0 && !onlyFails(writes);
      return isRefuted ? { value: false } : { value: true, place: text.place(fn.start, fn.end) };
    },
  }),
  ownValidateFact('validate.acceptsAnonymous', 'boolean', {
    meaning:
      'Whether it accepts a write without a user that it rejects for a user without roles, as a trial run on generated documents shows.',
    phrases: ['a write without a user is accepted here', 'writes without a user are treated alike'],
    extract: ({ function: { writes } }) => {
      return writes ? { value: writes.anonymous !== undefined } : { unknown: NOT_TRIED };
    },
  }),
  ownValidateFact('validate.anonymousWrite', 'text', {
    meaning: 'That write: what is created, or what is changed to what, without `_rev`.',
    extract: ({ function: { writes } }) => {
      if (!writes?.anonymous) return { unknown: writes ? 'no such write was found' : NOT_TRIED };
      const [doc, oldDoc] = [writes.anonymous.doc, writes.anonymous.oldDoc].map((document) => {
        const { _rev, ...shown } = /** @type {Record<string, unknown>} */ (document ?? {});
        return JSON.stringify(shown);
      });
      return {
        value: writes.anonymous.oldDoc === null ? `creating \`${doc}\`` : `changing \`${oldDoc}\` to \`${doc}\``,
      };
    },
  }),
  validateFact('validate.returnsRejection', 'list', {
    meaning: '`return` statements with `false` or with an object that was meant to be thrown.',
    extract: ({ flow, text }) => ({
      value: flow.returns
        .filter(({ value }) => isRejection(value))
        .map(({ node: { start, end } }) => sourceItem(text, start, end)),
    }),
  }),
  validateFact('validate.refusesDeletes', 'boolean', {
    meaning:
      'Whether it certainly rejects deletions by any user, because a tombstone lacks a field and the function never checks `_deleted`.',
    phrases: ['it refuses deletions here', 'it does not refuse deletions'],
    extract: ({ tree, fn, flow, text }) => {
      if (flow.mentioned.has('doc._deleted')) return { value: false };
      const deletion = followFlow(tree, ['tombstone', 'oldDoc', 'userCtx', 'secObj']);
      if ('unknown' in deletion) return deletion;
      const first = deletion.throws[0];
      const isCertain = !deletion.endsWithoutReturn && deletion.returns.length === 0 && first !== undefined;
      // One that refuses every write is no test of fields: it forbids writing on purpose.
      const refusesAll = !flow.endsWithoutReturn && flow.returns.length === 0;
      if (isCertain && !refusesAll) return { value: true, place: text.place(first.node.start, first.node.end) };
      // `if (isAdmin) return;` lets the deletions of some through.
      const mayDepend = first !== undefined && !refusesAll && testsUser(tree, fn);
      return mayDepend ? { unknown: 'whether a deletion is rejected may depend on the user' } : { value: false };
    },
  }),
];

/**
 * @param {RunSubject} run
 * @returns {{subject: FunctionSubject, question: WriteQuestion}[]} validation functions that can be run on writes
 */
export function writeQuestions({ subjects }) {
  return subjects.flatMap((subject) => {
    if (subject.kind !== 'function' || subject.role !== 'validate' || MACRO.test(subject.text.text)) return [];
    const designDoc = parsed(subject).ok ? seenBy(subject) : undefined;
    return designDoc ? [{ subject, question: { source: subject.text.text, designDoc } }] : [];
  });
}

/**
 * @param {Followed['flow']} flow
 * @returns {boolean} whether it may come to its end
 */
function completes({ endsWithoutReturn, returns }) {
  return endsWithoutReturn || returns.length > 0;
}

/**
 * @param {FunctionSubject['writes']} writes
 * @returns {boolean} whether each write that was tried failed
 */
function onlyFails(writes) {
  return writes !== undefined && writes.outcomes.length > 0 && writes.outcomes.every((outcome) => outcome === 'failed');
}

/**
 * @param {Followed} followed
 * @returns {RiskyRead[]}
 */
function unguardedReads({ flow }) {
  return flow.reads.filter(({ isTested }) => !isTested);
}

/**
 * @param {Followed} followed
 * @returns {Item[]}
 */
function badThrowItems({ flow, text }) {
  return flow.throws.filter((site) => !site.isCaught && isBadThrow(site)).map((site) => throwItem(site, text));
}

/**
 * @param {Followed['tree']} tree
 * @param {Followed['fn']} fn
 * @returns {boolean} whether it looks at the user, or at who may do what
 */
function testsUser(tree, fn) {
  const names = fn.params.slice(2, 4).flatMap((param) => (param.type === 'Identifier' ? [param.name] : []));
  return namesOf(tree).references.some(({ name }) => names.includes(name) || name === 'arguments');
}

/**
 * @param {ThrowSite} site
 * @returns {boolean} false where what is thrown is unknown
 */
function isBadThrow({ value }) {
  return alternatives(value).every((item) => {
    if (item.kind === 'constant') return !CONSENT.includes(item.value);
    if (item.kind === 'typed') return item.type === 'string' || item.type === 'error';
    if (item.kind === 'array') return true;
    return item.kind === 'object' && !item.open && !mayBeRejection(item.members);
  });
}

/**
 * @param {ReadonlyMap<string, Value>} members
 * @returns {boolean} whether the one member `forbidden` or `unauthorized` may be all that is left of them in JSON
 */
function mayBeRejection(members) {
  const written = [...members].filter(([, value]) => !alternatives(value).every(isLeftOut));
  const certain = written.filter(([, value]) => !alternatives(value).some(mayBeLeftOut));
  const left = certain.length > 0 ? certain : written;
  return certain.length <= 1 && left.some(([name]) => REJECTIONS.includes(name));
}

/**
 * @param {Value} item one alternative
 * @returns {boolean} whether JSON leaves out a member of that value
 */
function isLeftOut(item) {
  return (item.kind === 'constant' && item.value === undefined) || item.kind === 'function';
}

/**
 * @param {Value} item one alternative
 * @returns {boolean}
 */
function mayBeLeftOut(item) {
  return isLeftOut(item) || item.kind === 'unknown' || item.kind === 'global';
}

/**
 * @param {Value} value
 * @returns {boolean}
 */
function isRejection(value) {
  if (value.kind === 'constant') return value.value === false;
  return value.kind === 'object' && REJECTIONS.some((name) => value.members.has(name));
}

/**
 * @param {ThrowSite} site
 * @param {MappedText} text
 * @returns {Item} its offsets are those of what is thrown
 */
function throwItem({ node, argument }, text) {
  return { ...sourceItem(text, node.start, node.end), start: argument.start, end: argument.end };
}
