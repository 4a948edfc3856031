// Facts about `validate_doc_update` functions: what they throw, what they return, what they trip over.

import { followFlow } from './javascript/flow.js';
import { parseFunction } from './javascript/parse.js';
import { readItems } from './view-map.js';

/** @import { Flow, ThrowSite } from './javascript/flow.js' */
/** @import { FunctionNode } from './javascript/parse.js' */
/** @import { Value } from './javascript/values.js' */
/** @import { MappedText } from '../shared/mapped-text.js' */
/** @import { Extracted, FactDeclaration, Item, ValidateSubject } from './fact.js' */

/** @typedef {{fn: FunctionNode, flow: Flow, text: MappedText}} ValidateRead */

/** What CouchDB understands when it is thrown (couch_query_servers.erl validate_doc_update, 3.5.2). */
const REJECTIONS = ['forbidden', 'unauthorized'];

/** @type {WeakMap<ValidateSubject, ValidateRead | {unknown: string}>} */
const memory = new WeakMap();

/**
 * @param {ValidateSubject} subject
 * @returns {ValidateRead | {unknown: string}}
 */
function readFunction(subject) {
  let read = memory.get(subject);
  if (!read) {
    read = follow(subject);
    memory.set(subject, read);
  }
  return read;
}

/**
 * @param {ValidateSubject} subject
 * @returns {ValidateRead | {unknown: string}}
 */
function follow({ function: { text } }) {
  const parsed = parseFunction(text.text);
  if (!parsed.ok || !parsed.fn) return { unknown: 'the validation function does not parse as a function' };
  const flow = followFlow(parsed.fn, ['doc', 'oldDoc', 'userCtx', 'secObj']);
  return 'unknown' in flow ? flow : { fn: parsed.fn, flow, text };
}

/**
 * @param {Omit<FactDeclaration<ValidateSubject>, 'subject' | 'sources' | 'extract'>} naming
 * @param {(read: ValidateRead) => Extracted} take
 * @returns {FactDeclaration<ValidateSubject>}
 */
function validateFact(naming, take) {
  return {
    ...naming,
    subject: 'validate',
    sources: ['design-docs'],
    extract: (subject) => {
      const read = readFunction(subject);
      return 'unknown' in read ? read : take(read);
    },
  };
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
        .map(({ node: { start, end } }) => ({
          value: shorten(text, start, end),
          place: text.place(start, end),
          start,
          end,
        })),
    }),
  ),
  validateFact(
    {
      id: 'validate.refusesDeletes',
      type: 'boolean',
      meaning:
        'Whether it certainly refuses a deletion, because a field is missing then, and never asks for `_deleted`.',
    },
    ({ fn, flow, text }) => {
      if (flow.mentioned.has('doc._deleted')) return { value: false };
      const deletion = followFlow(fn, ['tombstone', 'oldDoc', 'userCtx', 'secObj']);
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
function isBadThrow({ argument, value }) {
  if (value.kind === 'constant' || (value.kind === 'typed' && value.type === 'string')) return true;
  if (value.kind === 'object' && !value.open) {
    const names = [...value.members.keys()];
    return names.length !== 1 || !REJECTIONS.includes(/** @type {string} */ (names[0]));
  }
  let node = argument;
  while (node.type === 'ParenthesizedExpression') node = node.expression;
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return false;
  return node.callee.type === 'Identifier' && /^(Type|Range|Syntax)?Error$/.test(node.callee.name);
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
  return {
    value: shorten(text, node.start, node.end),
    place: text.place(node.start, node.end),
    start: argument.start,
    end: argument.end,
  };
}

/**
 * @param {MappedText} text
 * @param {number} start
 * @param {number} end
 * @returns {string} the source on one line, without its semicolon
 */
function shorten(text, start, end) {
  return text.text.slice(start, end).replace(/\s+/g, ' ').replace(/;$/, '');
}
