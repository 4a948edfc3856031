// What is taken for granted of the emitted values in, how that is said, whether the map's own values are so, and such values
// to try out.

import { inAll } from './emitted-values.js';
import { writeName } from './tell-form.js';

/** @import { Emitted, Numeric } from './emitted-values.js' */
/** @import { ValueSpec } from './trial-values.js' */

/** What is taken for granted of the values. @typedef {'any' | 'plain' | 'numbers' | 'members'} Assumed */

/**
 * What must hold for the values, and whether the map's do; `spec` draws such values.
 * @typedef {{condition: string, holds: Numeric, spec: ValueSpec}} Condition
 */

/** Longer lists, and objects of more members, cost too much to try. */
export const LONGEST = 20;

/**
 * @param {Assumed} assumed
 * @param {string[]} names
 * @param {Emitted} emitted
 * @param {boolean} exactly whether values have no other members
 * @returns {Condition}
 */
export function conditionFor(assumed, names, emitted, exactly) {
  if (assumed === 'any') return { condition: 'any value', holds: { isNumber: 'always' }, spec: { kind: 'any' } };
  if (assumed === 'plain') {
    return {
      condition: 'no value is a date, or a number that JSON does not have',
      holds: emitted.isPlain ? { isNumber: 'always' } : { isNumber: 'if', open: emitted.number.open },
      spec: { kind: 'any' },
    };
  }
  if (assumed === 'numbers') {
    return { condition: 'every value is a number', holds: emitted.number, spec: { kind: 'number' } };
  }
  const isList = names.every((name) => /^\d+$/.test(name));
  const listed = names.map((name) => `\`${isList ? name : writeName(name)}\``).join(', ');
  const told = `every value is ${isList ? 'a list' : 'an object'} with a number ${isList ? 'at' : 'in'} ${listed}`;
  return {
    condition: exactly ? `${told}, and nothing else` : told,
    holds: membersHold(emitted, names, exactly),
    spec: membersSpec(names, isList),
  };
}

/**
 * @param {Emitted} emitted
 * @param {string[]} names
 * @param {boolean} exactly
 * @returns {Numeric}
 */
function membersHold({ members, number, spec, guesses }, names, exactly) {
  if (!members) {
    const isElse = spec || guesses.length > 0 || number.isNumber === 'always';
    return isElse ? { isNumber: 'not' } : { isNumber: 'if', open: number.open };
  }
  if (names.some((name) => !members.has(name)) || (exactly && members.size !== names.length)) {
    return { isNumber: 'not' };
  }
  return inAll(names.map((name) => members.get(name) ?? { isNumber: 'not' }));
}

/**
 * @param {string[]} names
 * @param {boolean} isList
 * @returns {ValueSpec}
 */
function membersSpec(names, isList) {
  /** @type {ValueSpec} */
  const number = { kind: 'number' };
  if (!isList) return { kind: 'object', members: names.map((name) => [name, number]) };
  const length = Math.min(Math.max(...names.map(Number)) + 1, LONGEST);
  return { kind: 'array', items: Array.from({ length }, () => number) };
}
