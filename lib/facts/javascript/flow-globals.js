// Calls of what the language and the query server give, as far as they say something of the document.

import { memberOf, noteRead } from './flow-members.js';
import { elementOf, isWhole } from './flow-operators.js';
import { isDeletion } from './flow-ordinary.js';
import { presentIf, settledValue } from './flow-tests.js';
import { NOTHING_KNOWN, withPresent, withTest } from './knowledge.js';
import { resultOfGlobal } from './query-server.js';
import { implying, unknown } from './values.js';

/** @import { CallExpression, Node } from 'acorn' */
/** @import { Frame, State, Walk } from './flow-state.js' */
/** @import { Value } from './values.js' */

/** Functions that throw where their argument is missing, and give a list of what it holds. */
const LISTS = /^(Object\.(keys|values|entries)|Array\.from)$/;

/** @type {Value} */
const FLAG = { kind: 'typed', type: 'boolean' };

/**
 * @param {Walk} walk
 * @param {string} name of the function: `Object.keys`
 * @param {CallExpression} node
 * @param {Value[]} values of its arguments
 * @param {State} state
 * @param {Frame} frame
 * @returns {Value}
 */
export function callGlobal(walk, name, node, values, state, frame) {
  const [first, second] = values;
  if (/^(?:[A-Z]\w*)?Error$/.test(name)) return { kind: 'typed', type: 'error' };
  if (!first) return resultOfGlobal(name, values) ?? unknown(`it comes from \`${name}\``);
  if (LISTS.test(name)) {
    noteRead(walk, /** @type {Node} */ (node.arguments[0]), first, state, frame, true);
    return {
      kind: 'array',
      items: [name === 'Object.keys' ? { kind: 'typed', type: 'string' } : elementOf(first)],
      open: true,
    };
  }
  switch (name) {
    case 'Object.assign':
      return values.some(isWhole) ? { kind: 'copy', isText: false } : unknown('it is assembled by Object.assign');
    case 'Object.freeze':
    case 'Object.seal':
    case 'Object':
      return first;
    case 'JSON.stringify':
    case 'toJSON':
      return isWhole(first) ? { kind: 'copy', isText: true } : { kind: 'typed', type: 'string' };
    case 'JSON.parse':
      return first.kind === 'copy' ? { kind: 'copy', isText: false } : unknown('it is parsed from text');
    case 'isArray':
    case 'Array.isArray':
      return implying(FLAG, presentIf(first, withTest(NOTHING_KNOWN), undefined, true), withTest(NOTHING_KNOWN));
    case 'Number.isFinite':
    case 'Number.isInteger':
    case 'Number.isSafeInteger':
      return implying(FLAG, presentIf(first, withTest(NOTHING_KNOWN), 'number'), withTest(NOTHING_KNOWN));
    case 'Object.hasOwn':
    case 'Object.prototype.hasOwnProperty.call':
      return presence(walk, first, second, state);
    case 'Object.prototype.toString.call':
      return { kind: 'typed', type: 'string', of: first };
    default:
      return (
        resultOfGlobal(
          name,
          values.map((value) => settledValue(value, state.knowledge)),
        ) ?? unknown(`it comes from \`${name}\``)
      );
  }
}

/**
 * @param {Walk} walk
 * @param {Value} object
 * @param {Value | undefined} key
 * @param {State} state
 * @returns {Value} whether the object has the member
 */
export function presence(walk, object, key, state) {
  const tested = withTest(NOTHING_KNOWN);
  if (key?.kind !== 'constant' || typeof key.value !== 'string') return implying(FLAG, tested, tested);
  if (object.kind === 'object' && !object.open) return { kind: 'constant', value: object.members.has(key.value) };
  const member = memberOf(walk, object, key.value, state);
  if (member.kind !== 'path') return implying(FLAG, tested, tested);
  return implying(FLAG, withPresent(tested, member.path), isDeletion(member) ? NOTHING_KNOWN : tested);
}
