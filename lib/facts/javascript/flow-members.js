// Reads and writes members of values, and notes where something is read that may be missing.

import { evaluate, propertyName } from './flow-expressions.js';
import { elementOf, isWhole, nameOfKey } from './flow-operators.js';
import { withPresent } from './knowledge.js';
import { alternatives, UNDEFINED, unite, unknown } from './values.js';

/** @import { Expression, MemberExpression, Pattern } from 'acorn' */
/** @import { RiskyRead } from './flow.js' */
/** @import { Frame, State, Walk } from './flow-state.js' */
/** @import { Value } from './values.js' */

/** Members that every document has. */
const ALWAYS_PRESENT = /^doc\._(id|rev)$/;

/**
 * Gives a value to a pattern.
 * @param {Walk} walk
 * @param {Pattern | Expression} pattern
 * @param {Value} value
 * @param {State} state changed
 * @param {Frame} frame
 */
export function bind(walk, pattern, value, state, frame) {
  switch (pattern.type) {
    case 'Identifier': {
      const variable = frame.scope.find(pattern.name);
      if (variable) state.values.set(variable, value);
      return;
    }
    case 'AssignmentPattern':
      bind(walk, pattern.left, unite([value, evaluate(walk, pattern.right, state, frame)]), state, frame);
      return;
    case 'ObjectPattern':
      noteRead(walk, pattern, value, state, frame, false);
      for (const item of pattern.properties) {
        if (item.type === 'RestElement') {
          bind(
            walk,
            item.argument,
            isWhole(value) ? { kind: 'copy' } : unknown('it is the rest of an object'),
            state,
            frame,
          );
        } else {
          const name = nameOfKey(item.key, item.computed);
          bind(
            walk,
            item.value,
            name === undefined ? unknown('its name is computed') : memberOf(walk, value, name, state),
            state,
            frame,
          );
        }
      }
      return;
    case 'ArrayPattern':
      noteRead(walk, pattern, value, state, frame, false);
      for (const item of pattern.elements) if (item) bind(walk, item, elementOf(value), state, frame);
      return;
    case 'MemberExpression':
      assignMember(walk, pattern, value, state, frame);
      return;
    default:
  }
}

/**
 * @param {Walk} walk
 * @param {MemberExpression} target
 * @param {Value} value
 * @param {State} state changed
 * @param {Frame} frame
 */
export function assignMember(walk, target, value, state, frame) {
  const object = target.object.type === 'Super' ? unknown('it is super') : evaluate(walk, target.object, state, frame);
  const name = propertyName(walk, target, state, frame);
  if (target.object.type !== 'Identifier') return;
  const variable = frame.scope.find(target.object.name);
  if (!variable) return;
  if (object.kind === 'object') {
    const members = new Map(object.members);
    if (name !== undefined) members.set(name, value);
    state.values.set(variable, { kind: 'object', members, open: object.open || name === undefined });
  } else if (object.kind === 'array') {
    state.values.set(variable, { kind: 'array', items: [...object.items, value], open: true });
  } else if (object.kind !== 'document' && object.kind !== 'path') {
    state.values.set(variable, unknown(`a member of \`${target.object.name}\` is assigned`));
  }
}

/**
 * Notes that something is read below a value that may be missing; afterwards it is known to be there.
 * @param {Walk} walk
 * @param {RiskyRead['node']} node
 * @param {Value} object
 * @param {State} state changed
 * @param {Frame} frame
 * @param {boolean} isCall
 */
export function noteRead(walk, node, object, state, frame, isCall) {
  for (const item of alternatives(object)) {
    if (item.kind !== 'path' || item.path.endsWith('[]')) continue;
    const { path } = item;
    if (item.present || ALWAYS_PRESENT.test(path) || state.knowledge.present.has(path)) continue;
    // Where it may be another thing as well, some test chose between them.
    if (object.kind === 'path' && !frame.isCaught && !walk.reads.has(path) && !holdsRead(walk, node)) {
      walk.reads.set(path, {
        node,
        path,
        isCall,
        isTested: path === 'oldDoc' ? state.knowledge.isOtherTested : state.knowledge.isTested,
      });
    }
    state.knowledge = withPresent(state.knowledge, path);
  }
}

/**
 * @param {Walk} walk
 * @param {RiskyRead['node']} node
 * @returns {boolean} whether a risky read stands inside it: that one throws first
 */
function holdsRead(walk, node) {
  return [...walk.reads.values()].some((read) => read.node.start >= node.start && read.node.end <= node.end);
}

/**
 * @param {Walk} walk
 * @param {Value} object
 * @param {string} name
 * @param {State} state
 * @returns {Value}
 */
export function memberOf(walk, object, name, state) {
  return unite(alternatives(object).map((item) => memberOfOne(walk, item, name, state)));
}

/**
 * @param {Walk} walk
 * @param {Value} object one alternative
 * @param {string} name
 * @param {State} _state
 * @returns {Value}
 */
export function memberOfOne(walk, object, name, _state) {
  switch (object.kind) {
    case 'document': {
      const root = object.parameter === 0 ? 'doc' : (walk.parameters[object.parameter] ?? 'parameter');
      walk.mentioned.add(`${root}.${name}`);
      return { kind: 'path', path: `${root}.${name}`, present: false };
    }
    case 'copy':
      walk.mentioned.add(`doc.${name}`);
      return { kind: 'path', path: `doc.${name}`, present: false };
    case 'path':
      if (name === 'length') return { kind: 'typed', type: 'number' };
      walk.mentioned.add(`${object.path}.${name}`);
      return { kind: 'path', path: `${object.path}.${name}`, present: false };
    case 'object':
      return object.members.get(name) ?? (object.open ? unknown(`\`${name}\` may have been added`) : UNDEFINED);
    case 'array':
      if (name === 'length') return { kind: 'typed', type: 'number' };
      return unknown(`it is \`${name}\` of a list`);
    case 'typed':
    case 'constant':
      if (name === 'length') return { kind: 'typed', type: 'number' };
      return unknown(`it is \`${name}\` of a ${object.kind === 'typed' ? object.type : typeof object.value}`);
    default:
      return unknown(object.kind === 'unknown' ? object.reason : `it is a member of a ${object.kind}`);
  }
}
