// Reads and writes members of values, and notes where something is read that may be missing.

import { changedMember, openState, replaceValue } from './flow-changes.js';
import { evaluate } from './flow-expressions.js';
import {
  elementOf,
  isInherited,
  isNothing,
  isSomething,
  isWhole,
  nameOfKey,
  placeBelow,
  placeOfParameter,
} from './flow-operators.js';
import { copy, join, replaceState, VALUES_PER_STEP } from './flow-state.js';
import { typeAt, withAssigned, withPresent, withTest } from './path-facts.js';
import { alternatives, bounded, isText, numberOf, opened, renumbered, UNDEFINED, unionOf, unknown } from './values.js';

/** @import { Expression, MemberExpression, Node, Pattern } from 'acorn' */
/** @import { Frame, State, FlowWalk } from './flow-state.js' */
/** @import { Value } from './values.js' */

/** What of a request is no parameter of its query (chttpd_external.erl json_req_obj, 3.5.0). */
const OF_REQUEST = /^req\b(?!\.query\.[^.[]+$)/;

/** Paths longer than this are not distinguished: each is kept, with all above it. */
const LONGEST_PATH = 300;

/**
 * Gives a value to a pattern.
 * @param {FlowWalk} walk
 * @param {Pattern | Expression} pattern
 * @param {Value} value
 * @param {State} state changed
 * @param {Frame} frame
 */
export function bind(walk, pattern, value, state, frame) {
  switch (pattern.type) {
    case 'Identifier': {
      const variable = frame.scope.find(pattern.name);
      if (variable) state.values.set(variable, renumbered(bounded(value)));
      return;
    }
    case 'ParenthesizedExpression':
      bind(walk, pattern.expression, value, state, frame);
      return;
    case 'AssignmentPattern':
      // The default of what is certainly there is not evaluated.
      if (alternatives(value).every(isSomething)) bind(walk, pattern.left, value, state, frame);
      else {
        const inside = copy(walk, state);
        const other = evaluate(walk, pattern.right, inside, frame);
        const isMissing = value.kind === 'constant' && value.value === undefined;
        replaceState(state, join(walk, isMissing ? [inside] : [state, inside]));
        bind(walk, pattern.left, withDefault(value, other), state, frame);
      }
      return;
    case 'RestElement':
      bind(walk, pattern.argument, { kind: 'array', items: [elementOf(value)], open: true }, state, frame);
      return;
    case 'ObjectPattern':
      noteRead(walk, pattern, value, state, frame);
      for (const item of pattern.properties) {
        if (item.type === 'RestElement') {
          const rest = isWhole(value) ? value : unknown('it is the rest of an object');
          bind(walk, item.argument, rest.kind === 'document' ? { kind: 'copy', isText: false } : rest, state, frame);
          continue;
        }
        const name = item.computed ? constantName(evaluate(walk, item.key, state, frame)) : nameOfKey(item.key);
        const member = name === undefined ? elementOf(value) : memberOf(walk, value, name, state);
        bind(walk, item.value, member, state, frame);
      }
      return;
    case 'ArrayPattern':
      noteRead(walk, pattern, value, state, frame);
      pattern.elements.forEach((item, index) => {
        if (item) bind(walk, item, itemOf(value, index), state, frame);
      });
      return;
    case 'MemberExpression':
      assignMember(walk, pattern, value, state, frame);
      return;
    default:
  }
}

/**
 * @param {Value} value
 * @param {Value} other what is used for undefined
 * @returns {Value}
 */
function withDefault(value, other) {
  if (value.kind === 'constant') return value.value === undefined ? other : value;
  return unionOf([
    ...alternatives(value)
      .filter((item) => !(item.kind === 'constant' && item.value === undefined))
      .map((item) => /** @type {Value} */ (item.kind === 'path' ? { ...item, present: true } : item)),
    other,
  ]);
}

/**
 * @param {Value} value
 * @param {number} index
 * @returns {Value} the element at that position
 */
function itemOf(value, index) {
  return unionOf(
    alternatives(value).map((item) => {
      if (item.kind === 'object') return item.members.get(String(index)) ?? (item.open ? elementOf(item) : UNDEFINED);
      if (item.kind !== 'array') return elementOf(item, JSON.stringify(String(index)));
      if (!item.open) return item.items[index] ?? UNDEFINED;
      return index === 0 && item.hasFirst ? elementOf(item) : orMissing(elementOf(item));
    }),
  );
}

/**
 * @param {Value} element of a list
 * @returns {Value} it, or undefined, which stands behind the end of each list
 */
function orMissing(element) {
  return unionOf([...alternatives(element), UNDEFINED]);
}

/**
 * @param {FlowWalk} walk
 * @param {MemberExpression} target
 * @param {Value | undefined} given undefined where the member is deleted
 * @param {State} state changed
 * @param {Frame} frame
 * @returns {Value} what was given, as it is afterwards
 */
export function assignMember(walk, target, given, state, frame) {
  const object = evaluate(walk, target.object, state, frame);
  noteRead(walk, target, object, state, frame, target.object);
  const name = propertyName(walk, target, state, frame);
  const places = alternatives(object);
  // An object that holds itself has no end.
  const isCircular = given && alternatives(given).some((item) => places.includes(item));
  const value = isCircular ? unknown('it contains itself') : given;
  for (const place of places) {
    if (place.kind === 'unknown') openState(walk, state);
    else if (place.kind === 'object' || place.kind === 'array') {
      replaceValue(walk, state, place, places.length > 1 ? opened(place) : changedMember(place, name, value));
    } else if (name !== undefined) {
      const member = memberOfOne(walk, place, name, state);
      if (member.kind === 'path') state.pathFacts = withAssigned(state.pathFacts, member.path);
    }
  }
  if (object.kind !== 'typed' || target.object.type !== 'Identifier') return value ?? UNDEFINED;
  const variable = frame.scope.find(target.object.name);
  if (variable) state.values.set(variable, unknown(`a member of \`${target.object.name}\` is assigned`));
  return value ?? UNDEFINED;
}

/**
 * Notes that something is read below a value that may be missing; afterwards it is known to be there. Below null and undefined it throws.
 * @param {FlowWalk} walk
 * @param {Node} node what throws then
 * @param {Value} object
 * @param {State} state changed
 * @param {Frame} frame
 * @param {Node} [missing] how that value is written, where it is
 */
export function noteRead(walk, node, object, state, frame, missing) {
  const items = alternatives(object);
  if (items.every(isNothing)) state.isOver = true;
  // Below `doc.a || {}` a member is missing for certain where `a` is. Of two fields some test chose one.
  const isPlain = items.length === 1 || items.some(isNothing);
  const mayThrow = isPlain && items.every((item) => item.kind === 'path' || isNothing(item));
  for (const item of items) {
    if (item.kind !== 'path' || item.path.endsWith('[]')) continue;
    const { path } = item;
    const { pathFacts } = state;
    if (item.present || OF_REQUEST.test(path) || pathFacts.present.has(path)) continue;
    if (mayThrow && !frame.isCaught && !walk.reads.has(path) && !holdsRead(walk, node)) {
      // What has elements is a document of the kind that is meant: their shape may be promised as well.
      const isPromised = pathFacts.isTested || path.includes('[]');
      const isTested = isOfDocument(path) ? isPromised : pathFacts.isOtherTested;
      walk.reads.set(path, { node, path, missing, isTested });
    }
    walk.steps += pathFacts.present.size / VALUES_PER_STEP;
    state.pathFacts = withPresent(pathFacts, path);
  }
}

/**
 * @param {string} path
 * @returns {boolean} whether tests of the document say something of it
 */
function isOfDocument(path) {
  return path !== 'oldDoc' && !path.startsWith('req.');
}

/**
 * @param {FlowWalk} walk
 * @param {Node} node
 * @returns {boolean} whether a risky read stands inside it: that one throws first
 */
function holdsRead(walk, node) {
  walk.steps += walk.reads.size / VALUES_PER_STEP;
  return [...walk.reads.values()].some((read) => read.node.start >= node.start && read.node.end <= node.end);
}

/**
 * @param {FlowWalk} walk
 * @param {MemberExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
export function evaluateMember(walk, node, state, frame) {
  const object = evaluate(walk, node.object, state, frame);
  return readMember(walk, node, object, state, frame);
}

/**
 * @param {FlowWalk} walk
 * @param {MemberExpression} node
 * @param {Value} object what stands before the dot
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
export function readMember(walk, node, object, state, frame) {
  if (node.optional) {
    // Behind `?.` it is there, or the whole chain is undefined.
    state.pathFacts = withTest(state.pathFacts, !isAnyPath(object));
    for (const item of alternatives(object))
      if (item.kind === 'path') state.pathFacts = withPresent(state.pathFacts, item.path);
    if (isNothing(object)) return UNDEFINED;
  } else noteRead(walk, node, object, state, frame, node.object);
  if (!node.computed) {
    const name = node.property.type === 'Identifier' ? node.property.name : undefined;
    return name === undefined ? unknown('it is a private member') : memberOf(walk, object, name, state);
  }
  const key = evaluate(walk, node.property, state, frame);
  const name = constantName(key);
  if (name !== undefined) return memberOf(walk, object, name, state);
  if (key.kind === 'constant' && typeof key.value === 'number') return itemOf(object, key.value);
  const element = elementOf(object, nameOfElement(node.property, key));
  return alternatives(object).some(({ kind }) => kind === 'array') ? orMissing(element) : element;
}

/**
 * @param {Node} node what stands in the brackets
 * @param {Value} key
 * @returns {string | undefined} names the element for as long as the key is the same
 */
function nameOfElement(node, key) {
  if (key.kind === 'path') return key.place && `=${key.place}`;
  return node.type === 'Identifier' ? `#${numberOf(key)}` : undefined;
}

/**
 * @param {Value} value
 * @returns {boolean}
 */
function isAnyPath(value) {
  return alternatives(value).every((item) => item.kind === 'path' && item.path.startsWith('doc'));
}

/**
 * @param {FlowWalk} walk
 * @param {MemberExpression} node
 * @param {State} state
 * @param {Frame} frame
 * @returns {string | undefined} the name of the member, where it is written or constant
 */
function propertyName(walk, node, state, frame) {
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : undefined;
  return constantName(evaluate(walk, node.property, state, frame));
}

/**
 * @param {Value} value
 * @returns {string | undefined}
 */
function constantName(value) {
  return value.kind === 'constant' && typeof value.value === 'string' ? value.value : undefined;
}

/**
 * @param {FlowWalk} walk
 * @param {Value} object
 * @param {string} name
 * @param {State} state
 * @returns {Value}
 */
export function memberOf(walk, object, name, state) {
  const items = alternatives(object);
  // Where it is undefined or null, the read throws: what comes after it has one of the others.
  const held = items.filter((item) => !isNothing(item));
  return unionOf((held.length > 0 ? held : items).map((item) => memberOfOne(walk, item, name, state)));
}

/**
 * @param {FlowWalk} walk
 * @param {Value} object one alternative
 * @param {string} name
 * @param {State} state
 * @returns {Value}
 */
function memberOfOne(walk, object, name, state) {
  switch (object.kind) {
    case 'document':
      return field(
        walk,
        `${object.parameter === 0 ? 'doc' : (walk.parameters[object.parameter] ?? 'parameter')}.${name}`,
        placeBelow(placeOfParameter(object), JSON.stringify(name)),
        state,
      );
    case 'copy':
      if (object.isText) return memberOfText(name);
      if (object.isChanged) return unknown(`\`${name}\` may belong to another object`);
      // A copy can be changed, and the same path then holds two values.
      return field(walk, `doc.${name}`, undefined, state);
    case 'path':
      if (name === 'length') return lengthOf(walk, object, state);
      return field(walk, `${object.path}.${name}`, placeBelow(object.place, JSON.stringify(name)), state);
    case 'object':
      if (isInherited(name) && !object.members.has(name)) return unknown(`it is \`${name}\`, which every object has`);
      return object.members.get(name) ?? (object.open ? unknown(`\`${name}\` may have been added`) : UNDEFINED);
    case 'array':
      if (name === 'length') return { kind: 'typed', type: 'number' };
      return unknown(`it is \`${name}\` of an array`);
    case 'global':
      return numberConstant(object.name, name) ?? { kind: 'global', name: `${object.name}.${name}` };
    case 'typed':
      return object.type === 'string' ? memberOfText(name) : unknown(`it is \`${name}\` of a ${object.type}`);
    case 'constant':
      return typeof object.value === 'string' ? memberOfText(name) : unknown(`it is \`${name}\` of a constant`);
    default:
      return unknown(object.kind === 'unknown' ? object.reason : `it is a member of a ${object.kind}`);
  }
}

/**
 * @param {string} object
 * @param {string} name
 * @returns {Value | undefined} `Math.PI`, `Number.MAX_VALUE`: the constants of the language
 */
function numberConstant(object, name) {
  const holder = object === 'Math' ? Math : object === 'Number' ? Number : undefined;
  const value = holder && Object.getOwnPropertyDescriptor(holder, name)?.value;
  return typeof value === 'number' && /^[A-Z]/.test(name) ? { kind: 'constant', value } : undefined;
}

/**
 * @param {string} name
 * @returns {Value}
 */
function memberOfText(name) {
  return name === 'length' ? { kind: 'typed', type: 'number' } : unknown(`it is \`${name}\` of a string`);
}

/**
 * @param {FlowWalk} walk
 * @param {import('./values.js').PathValue} object
 * @param {State} state
 * @returns {Value} a number for texts and lists: an object can have any `length`, or none
 */
function lengthOf(walk, object, state) {
  const { path, place } = object;
  const value = field(walk, `${path}.length`, placeBelow(place, '"length"'), state);
  if (value.kind !== 'path') return value;
  const isList = place !== undefined && state.pathFacts.lists.has(place);
  const isKnown = isList || typeAt(state.pathFacts, object) === 'string' || isText(object);
  return isKnown
    ? { kind: 'typed', type: 'number' }
    : unknown(`\`${path}\` may be neither a string nor an array, and so have no length`);
}

/**
 * @param {FlowWalk} walk
 * @param {string} path
 * @param {string | undefined} place
 * @param {State} state
 * @returns {Value}
 */
function field(walk, path, place, state) {
  if (path.length > LONGEST_PATH) return unknown('it is nested too deeply');
  walk.mentioned.add(path);
  for (const assigned of state.pathFacts.assigned) {
    if (path === assigned || path.startsWith(`${assigned}.`)) return unknown('the function itself assigns it');
  }
  return { kind: 'path', path, present: isAlwaysThere(walk, path), place };
}

/**
 * @param {FlowWalk} walk
 * @param {string} path
 * @returns {boolean} whether it is there in every document. A document that is created has no revision yet when it is validated
 */
function isAlwaysThere({ parameters }, path) {
  if (path === 'doc._id' || (path === 'doc._rev' && !parameters.includes('oldDoc'))) return true;
  return isInherited(path.slice(path.lastIndexOf('.') + 1));
}
