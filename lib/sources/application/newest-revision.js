// Finds writes of a document that was given its newest revision just before, read only for that: the changes of others are overwritten.

import { bindingAt } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { nameOf } from './code.js';
import { functionAround, isWithin } from './enclosing.js';
import { LOGS } from './unchecked.js';
import { patternsOf } from './written-back.js';

/** @import { AnyNode, CallExpression, Identifier } from 'acorn' */
/** @import { Place } from '../../shared/source-file.js' */
/** @import { Binding } from '../../javascript/names.js' */
/** @import { Code } from './code.js' */

/** A document by its name, or by the member that holds it: `this.order`. @typedef {{binding: Binding | undefined, uses: {node: AnyNode, writes: boolean}[]}} Held */

/** Functions that copy members into their first argument. */
const COPIES =
  /^(?:Object\.assign|(?:_|lodash|\$|jQuery|angular)\.(?:assign|extend|merge|defaults)|assign|extend|merge)$/;

/**
 * @param {CallExpression} call that writes one document
 * @param {AnyNode | undefined} written the document
 * @param {Code} code
 * @param {(node: CallExpression) => boolean} isRead whether a call reads one document
 * @returns {Place | null} where the revision is taken over
 */
export function newestRevision(call, written, code, isRead) {
  const target = written && bare(written);
  const found = target && revisionOf(target, call, code);
  const read = found && readOf(found.revision, code, isRead);
  if (!read || read.binding === found.document.binding || isDeletion(found.document, code)) return null;
  // What was read is used for its revision alone, so the document comes from elsewhere.
  const { references } = read.binding;
  const isAlone = references.every(({ node, declares }) => declares || isAboutRevision(node, code));
  if (!isAlone || isMadeHere(found.document, read, code)) return null;
  return code.file.place(found.at.start, found.at.end);
}

/**
 * @param {AnyNode} target the document that is written
 * @param {CallExpression} call
 * @param {Code} code
 * @returns {{revision: AnyNode, document: Held, at: AnyNode} | undefined} the value of its `_rev`, and the document that gets it
 */
function revisionOf(target, call, code) {
  const held = heldIn(target, call, code);
  if (held) {
    for (const { node } of held.uses) {
      const member = code.parentOf(node);
      const set = member && code.parentOf(member);
      const isSet = member?.type === 'MemberExpression' && set?.type === 'AssignmentExpression' && set.left === member;
      if (!isSet || memberName(member) !== '_rev' || set.end > call.end) continue;
      // A `catch` behind the function that sets it writes a document without one.
      const isReached = isWithin(call, functionAround(set, code) ?? code.program) && !isInOtherBranch(set, call, code);
      if (isReached && !isForWantOfOne(set, held, code)) return { revision: set.right, document: held, at: set };
    }
    return undefined;
  }
  const parts = partsOf(target, code);
  const own = parts.flatMap((part) => (part.type === 'ObjectExpression' ? part.properties : []));
  const set = own.find((item) => item.type === 'Property' && !item.computed && nameOf(item.key) === '_rev');
  const names = [...parts, ...own.flatMap((item) => (item.type === 'SpreadElement' ? bare(item.argument) : []))];
  const [name, ...others] = names.filter(({ type }) => type !== 'ObjectExpression');
  const document = name && others.length === 0 ? heldIn(name, call, code) : undefined;
  if (set?.type !== 'Property' || !document) return undefined;
  const isDeleted = own.some((item) => item.type === 'Property' && nameOf(item.key) === '_deleted');
  return isDeleted ? undefined : { revision: set.value, document, at: set };
}

/**
 * @param {AnyNode} node
 * @param {AnyNode} call
 * @param {Code} code
 * @returns {Held | undefined} a member is followed within the function of the call
 */
function heldIn(node, call, code) {
  if (node.type === 'Identifier') {
    const binding = bindingAt(node, code.resolved);
    return binding && { binding, uses: binding.references };
  }
  if (node.type !== 'MemberExpression' || node.computed) return undefined;
  const text = code.source(node);
  const same = code
    .nodesWithin(functionAround(call, code) ?? code.program)
    .filter((other) => other.type === 'MemberExpression' && code.source(other) === text);
  return {
    binding: undefined,
    uses: same.map((other) => {
      const parent = code.parentOf(other);
      return { node: other, writes: parent?.type === 'AssignmentExpression' && parent.left === other };
    }),
  };
}

/** @param {AnyNode} set @param {AnyNode} call @param {Code} code @returns {boolean} whether only one of them is reached: `if (isOld) … else …` */
function isInOtherBranch(set, call, code) {
  for (let at = code.parentOf(set); at; at = code.parentOf(at)) {
    if (at.type !== 'IfStatement' || !at.alternate) continue;
    const [first, second] = isWithin(set, at.consequent)
      ? [at.consequent, at.alternate]
      : [at.alternate, at.consequent];
    if (isWithin(set, first) && isWithin(call, second)) return true;
  }
  return false;
}

/**
 * @param {AnyNode} set
 * @param {Held} document
 * @param {Code} code
 * @returns {boolean} whether it is set only where the document came without a revision: `if (!order._rev) order._rev = stored._rev`
 */
function isForWantOfOne(set, document, code) {
  for (let at = code.parentOf(set); at; at = code.parentOf(at)) {
    const test = at.type === 'IfStatement' ? code.source(at.test) : '';
    if (document.uses.some(({ node }) => test.includes(`${code.source(node)}._rev`))) return true;
  }
  return false;
}

/** @param {AnyNode} target @param {Code} code @returns {AnyNode[]} the objects that its members come from: of `Object.assign({}, doc, { _rev })` its arguments */
function partsOf(target, code) {
  if (target.type === 'ObjectExpression') return [target];
  if (target.type !== 'CallExpression' || !COPIES.test(code.source(target.callee))) return [];
  return target.arguments.map((item) => bare(item));
}

/**
 * @param {AnyNode} revision `old._rev`, `_rev`
 * @param {Code} code
 * @param {(node: CallExpression) => boolean} isRead
 * @returns {{call: CallExpression, binding: Binding} | undefined} the read that answered it, and the name that holds answer or revision
 */
function readOf(revision, code, isRead) {
  const node = bare(revision);
  const object = node.type === 'MemberExpression' && memberName(node) === '_rev' ? bare(node.object) : node;
  const binding = object.type === 'Identifier' ? bindingAt(object, code.resolved) : undefined;
  if (!binding || binding.references.filter(({ writes }) => writes).length > 1) return undefined;
  for (const call of code.resolved.nodes) {
    if (call.type !== 'CallExpression' || call.start > revision.start || !isRead(call)) continue;
    for (const pattern of patternsOf(call, code)) {
      const id = object === node ? revisionIn(pattern) : pattern;
      if (id?.type === 'Identifier' && bindingAt(/** @type {Identifier} */ (id), code.resolved) === binding)
        return { call, binding };
    }
  }
  return undefined;
}

/** @param {AnyNode} pattern `{ _rev }` @returns {AnyNode | undefined} the name for the revision; undefined where it takes out other members, too */
function revisionIn(pattern) {
  if (pattern.type !== 'ObjectPattern' || pattern.properties.length !== 1) return undefined;
  const [only] = pattern.properties;
  return only?.type === 'Property' && nameOf(only.key) === '_rev' ? only.value : undefined;
}

/** @param {AnyNode} node a name of the answer, or of its revision @param {Code} code @returns {boolean} whether only the revision is read there, or whether there is a document */
function isAboutRevision(node, code) {
  const parent = code.parentOf(node);
  if (parent?.type === 'MemberExpression' && parent.object === node) {
    const outer = code.parentOf(parent);
    const isCompared = outer?.type === 'BinaryExpression' || outer?.type === 'IfStatement';
    return ['_rev', '_id'].includes(memberName(parent) ?? '') && !(isCompared && memberName(parent) === '_rev');
  }
  if (parent?.type === 'CallExpression' && parent.callee !== node) return LOGS.test(code.source(parent.callee));
  if (parent?.type === 'BinaryExpression') return /[!=]==? ?(?:null|undefined)$/.test(code.source(parent));
  return /^(?:If|Unary|Logical|Conditional|Assignment|Property|TemplateLiteral)/.test(parent?.type ?? '');
}

/** @param {Held} document @param {Code} code @returns {boolean} whether it is given `_deleted`, so that nothing but its id is kept */
function isDeletion({ uses }, code) {
  return uses.some(({ node }) => {
    const member = code.parentOf(node);
    return member?.type === 'MemberExpression' && member.object === node && memberName(member) === '_deleted';
  });
}

/**
 * @param {Held} document
 * @param {{call: CallExpression}} read
 * @param {Code} code
 * @returns {boolean} whether the document is what was read, or written out here, where nobody can have seen an older one
 */
function isMadeHere({ uses }, { call }, code) {
  return uses.some(({ node, writes }) => {
    const parent = writes ? code.parentOf(node) : undefined;
    const value = parent?.type === 'VariableDeclarator' ? parent.init : undefined;
    const set = parent?.type === 'AssignmentExpression' ? parent.right : value;
    if (!set) return false;
    const made = bare(set);
    const isWrittenOut = made.type === 'ObjectExpression' && made.properties.every(({ type }) => type === 'Property');
    return isWrittenOut || isWithin(call, set);
  });
}
