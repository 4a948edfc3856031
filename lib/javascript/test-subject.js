// Determines from the names in a test whether it looks only at the new document, or at something else as well.

import { countStep } from './flow-state.js';
import { isKnownGlobal } from './query-server.js';
import { pushChildren } from './walk.js';

/** @import { AnyNode, Node } from 'acorn' */
/** @import { Frame, State, FlowWalk } from './flow-state.js' */
/** @import { Value } from './values.js' */

/** Members about the history of a document: one with a revision may be promised to have been there before. */
const OF_LIFE = /^_rev/;

/**
 * @param {FlowWalk} walk
 * @param {Node} test
 * @param {State} state
 * @param {Frame} frame
 * @returns {boolean} whether it tests only fields of the document, which shows nothing of the previous version
 */
export function testsFieldsOnly(walk, test, state, frame) {
  const open = [/** @type {AnyNode} */ (test)];
  for (let node = open.pop(); node; node = open.pop()) {
    countStep(walk, 0.1);
    if (/Function|Class|Assignment|Update|This|New|Tagged|Yield|Await/.test(node.type)) return false;
    if (node.type === 'Literal' && typeof node.value === 'string' && OF_LIFE.test(node.value)) return false;
    if (node.type === 'Identifier' && !isNewDocument(node.name, state, frame)) return false;
    if (node.type !== 'MemberExpression') {
      pushChildren(node, open);
      continue;
    }
    open.push(/** @type {AnyNode} */ (node.object));
    if (node.computed) open.push(/** @type {AnyNode} */ (node.property));
    else if (node.property.type === 'Identifier' && OF_LIFE.test(node.property.name)) return false;
  }
  return true;
}

/**
 * @param {string} name
 * @param {State} state
 * @param {Frame} frame
 * @returns {boolean} whether it is the new document, a field of it, a constant or a name of the language
 */
function isNewDocument(name, state, frame) {
  const variable = frame.scope.find(name);
  if (!variable) return name === 'undefined' || isKnownGlobal(name);
  const value = state.values.get(variable);
  if (!value || value.yes || value.no) return false;
  return isOfNewDocument(value);
}

/**
 * @param {Value} value
 * @returns {boolean}
 */
function isOfNewDocument(value) {
  if (value.kind === 'document') return value.parameter === 0;
  return value.kind === 'constant' || (value.kind === 'path' && /^doc(?!\._rev)/.test(value.path));
}
