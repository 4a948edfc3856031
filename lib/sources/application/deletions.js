// Finds deletions that write the whole document, and what deletes it without its fields.

import { bindingAt } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { nameOf } from './code.js';
import { objectsIn } from './document-sources.js';
import { functionAround } from './enclosing.js';

/** @import { AnyNode, CallExpression, ObjectExpression } from 'acorn' */
/** @import { Code } from './code.js' */
/** @import { Sources } from './document-sources.js' */

/** What a parameter or the variable of a loop is called that is a document. */
const DOCUMENT_NAME = /^(?:\w*D|d)oc(?:ument)?$/;

/**
 * @param {Sources} sources
 * @param {Code} code
 * @returns {AnyNode | undefined} code that makes a deletion of a whole document, whose fields stay in it
 */
export function deletionIn(sources, code) {
  for (const object of objectsIn(sources, code)) {
    if (!deletes(object)) continue;
    const spread = object.properties.find((property) => property.type === 'SpreadElement');
    if (spread?.type === 'SpreadElement' && isWholeDocument(spread.argument, code)) return object;
    const call = code.parentOf(object);
    if (
      call?.type === 'CallExpression' &&
      isAssign(call) &&
      call.arguments.some((item) => item !== object && isWholeDocument(item, code))
    )
      return call;
  }
  const set = sources.set.find(({ key, value, on }) => {
    return key === '_deleted' && value.type === 'Literal' && value.value === true && isWholeDocument(on, code);
  });
  if (set) return code.parentOf(/** @type {AnyNode} */ (code.parentOf(set.on)));
  // `row.doc._deleted = true; docs.push(row.doc);`
  const members = sources.expressions.filter((node) => node.type === 'MemberExpression' && isWholeDocument(node, code));
  return members
    .flatMap((node) =>
      code.nodesWithin(functionAround(node, code) ?? code.program).filter((other) => marks(other, node)),
    )
    .at(0);

  /** @param {AnyNode} node @param {AnyNode} document @returns {boolean} */
  function marks(node, document) {
    if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return false;
    const { left, right } = node;
    const isTrue = right.type === 'Literal' && right.value === true;
    return isTrue && memberName(left) === '_deleted' && code.source(left.object) === code.source(document);
  }
}

/**
 * @param {AnyNode | undefined} deletion
 * @param {Sources} sources
 * @param {Code} code
 * @returns {{deletionInstead: string | null, deletedName: string | null}} the fields that the code writes beside those of the document stay
 */
export function insteadOf(deletion, sources, code) {
  if (!deletion) return { deletionInstead: null, deletedName: null };
  /** @type {AnyNode | undefined} */
  let of;
  /** @type {string[]} */
  let own = [];
  const beside = (/** @type {AnyNode} */ node) => {
    if (node.type !== 'ObjectExpression') return;
    for (const property of node.properties) {
      const isKept = property.type === 'Property' && !['_id', '_rev', '_deleted'].includes(nameOf(property.key) ?? '');
      if (isKept || (property.type === 'SpreadElement' && bare(property.argument) !== of))
        own.push(code.source(property));
    }
  };
  if (deletion.type === 'ObjectExpression') {
    const spread = deletion.properties.find((property) => {
      return property.type === 'SpreadElement' && isWholeDocument(property.argument, code);
    });
    of = spread?.type === 'SpreadElement' ? bare(spread.argument) : undefined;
    beside(deletion);
  } else if (deletion.type === 'CallExpression') {
    of = deletion.arguments.find((item) => isWholeDocument(item, code));
    for (const item of deletion.arguments) beside(item);
  } else if (deletion.type === 'AssignmentExpression' && deletion.left.type === 'MemberExpression') {
    of = bare(deletion.left.object);
    const name = code.source(of);
    own = sources.set
      .filter(({ key, on }) => !key.startsWith('_') && code.source(on) === name)
      .map(({ key, value }) => `${key}: ${code.source(value)}`);
  }
  const isName = of?.type === 'Identifier' || of?.type === 'MemberExpression';
  const name = of && isName ? code.source(of) : 'doc';
  const members = [`_id: ${name}._id`, `_rev: ${name}._rev`, '_deleted: true', ...own];
  return { deletionInstead: `{ ${members.join(', ')} }`, deletedName: isName && own.length === 0 ? name : null };
}

/** @param {ObjectExpression} object @returns {boolean} */
function deletes({ properties }) {
  return properties.some((property) => {
    if (property.type !== 'Property' || nameOf(property.key) !== '_deleted') return false;
    return property.value.type === 'Literal' && property.value.value === true;
  });
}

/** @param {CallExpression} call @returns {boolean} `Object.assign`, `_.extend` and the like */
export function isAssign({ callee }) {
  return (
    callee.type === 'MemberExpression' && ['assign', 'extend', 'defaults', 'merge'].includes(memberName(callee) ?? '')
  );
}

/**
 * @param {AnyNode} written
 * @param {Code} code
 * @returns {boolean} whether it is a document as it was read: what comes from a read of one, the `doc` of a row
 */
function isWholeDocument(written, code) {
  const node = bare(written);
  if (node.type === 'AwaitExpression') return true;
  if (node.type === 'MemberExpression') return memberName(node) === 'doc';
  if (node.type !== 'Identifier') return false;
  const binding = bindingAt(node, code.resolved);
  const [declared] = binding?.declarations ?? [];
  const parent = declared && code.parentOf(declared);
  if (!binding || !parent) return false;
  if (parent.type === 'Property') return nameOf(parent.key) === 'doc';
  if (binding.kind === 'parameter') return DOCUMENT_NAME.test(node.name);
  if (parent.type !== 'VariableDeclarator') return false;
  const init = parent.init ? bare(parent.init) : undefined;
  // `for (const doc of docs)`
  if (!init) return DOCUMENT_NAME.test(node.name);
  return init.type === 'AwaitExpression' || (init.type === 'MemberExpression' && memberName(init) === 'doc');
}
