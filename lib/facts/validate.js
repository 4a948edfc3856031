// Facts about `validate_doc_update` functions: what they throw, what they return, what they trip over.

import { flowFact, readItems, sourceItem } from './followed.js';
import { followFlow } from './javascript/flow.js';
import { alternatives } from './javascript/values.js';

/** @import { ThrowSite } from './javascript/flow.js' */
/** @import { Followed } from './followed.js' */
/** @import { Value } from './javascript/values.js' */
/** @import { MappedText } from '../shared/mapped-text.js' */
/** @import { Extracted, FactDeclaration, Item, ValidateSubject } from './fact.js' */

/** What CouchDB understands when it is thrown (couch_query_servers.erl validate_doc_update, 3.5.2). */
const REJECTIONS = ['forbidden', 'unauthorized'];

/**
 * @param {Omit<FactDeclaration<ValidateSubject>, 'subject' | 'sources' | 'extract'>} naming
 * @param {(followed: Followed) => Extracted} take
 * @returns {FactDeclaration<ValidateSubject>}
 */
function validateFact(naming, take) {
  return flowFact(
    { ...naming, subject: 'validate' },
    (subject) => subject.function,
    ['doc', 'oldDoc', 'userCtx', 'secObj'],
    take,
  );
}

/** @type {FactDeclaration<ValidateSubject>[]} */
export const validateFacts = [
  validateFact(
    {
      id: 'validate.unguardedReads',
      type: 'list',
      meaning:
        'Reads below a field that may be missing, or of the old document, which is null on creation, with no test before.',
    },
    ({ flow, text }) => ({
      value: readItems(
        flow.reads.filter(({ isTested }) => !isTested),
        text,
      ),
    }),
  ),
  validateFact(
    {
      id: 'validate.badThrows',
      type: 'list',
      meaning: 'Throws of anything but an object with the one member `forbidden` or `unauthorized`.',
    },
    ({ flow, text }) => ({
      value: flow.throws.filter((site) => !site.isCaught && isBadThrow(site)).map((site) => throwItem(site, text)),
    }),
  ),
  validateFact(
    { id: 'validate.canReject', type: 'boolean', meaning: 'Whether it can come to a throw that nothing catches.' },
    ({ flow }) => {
      if (flow.throws.some(({ isCaught }) => !isCaught)) return { value: true };
      return flow.callsUnknown
        ? { unknown: 'it calls functions that are not known, which may throw' }
        : { value: false };
    },
  ),
  validateFact(
    {
      id: 'validate.returnsRejection',
      type: 'list',
      meaning: 'Returns of false, or of an object that was meant to be thrown.',
    },
    ({ flow, text }) => ({
      value: flow.returns
        .filter(({ value }) => isRejection(value))
        .map(({ node: { start, end } }) => sourceItem(text, start, end)),
    }),
  ),
  validateFact(
    {
      id: 'validate.refusesDeletes',
      type: 'boolean',
      meaning:
        'Whether it certainly refuses a deletion, because a field is missing then, and never asks for `_deleted`.',
    },
    ({ tree, flow, text }) => {
      if (flow.mentioned.has('doc._deleted')) return { value: false };
      const deletion = followFlow(tree, ['tombstone', 'oldDoc', 'userCtx', 'secObj']);
      if ('unknown' in deletion) return deletion;
      const first = deletion.throws[0];
      const isCertain = !deletion.endsWithoutReturn && deletion.returns.length === 0 && first !== undefined;
      // One that refuses every write is no test of fields: it forbids writing on purpose.
      const refusesAll = !flow.endsWithoutReturn && flow.returns.length === 0;
      return isCertain && !refusesAll
        ? { value: true, place: text.place(first.node.start, first.node.end) }
        : { value: false };
    },
  ),
];

/**
 * @param {ThrowSite} site
 * @returns {boolean} false where what is thrown cannot be told
 */
function isBadThrow({ value }) {
  return alternatives(value).every((item) => {
    if (item.kind === 'constant') return true;
    if (item.kind === 'typed') return item.type === 'string' || item.type === 'error';
    if (item.kind !== 'object' || item.open) return false;
    const names = [...item.members.keys()];
    return names.length !== 1 || !REJECTIONS.includes(/** @type {string} */ (names[0]));
  });
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
