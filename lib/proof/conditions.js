// Words the assumptions about emitted values as a condition, checks whether the map's own values meet it, and makes
// such values to try.

import { alternatives } from '../javascript/values.js';
import { joinWords } from '../shared/join-words.js';
import { valueAt, writeName } from './describe-form.js';
import { inAll, TOO_LARGE } from './emitted-values.js';

/** @import { Value } from '../javascript/values.js' */
/** @import { Emitted, Numeric } from './emitted-values.js' */
/** @import { Pattern } from './proof.js' */
/** @import { ValueSpec } from './trial-values.js' */

/**
 * Values, or a member of them, that are compared with strings: where `isListed`, each must be one of these.
 * @typedef {{path: readonly string[], names: string[], isListed: boolean}} Text
 */

/** What is taken for granted of the values. @typedef {'any' | 'plain' | 'numbers' | 'members'} Assumed */

/**
 * What must hold for the values, and whether the map's do; `spec` draws such values, `outside` some with a string that is none
 * of those that they must hold, or else not so; `strings` are those that they are compared with.
 * @typedef {{condition: string, holds: Numeric, spec: ValueSpec, outside?: ValueSpec, pattern?: Pattern, strings?: string[]}} Condition
 */

const ANY_VALUE = 'any value';
const PLAIN = 'no value is a date, or a number that JSON does not have';

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
  if (assumed === 'any') return { condition: ANY_VALUE, holds: { isNumber: 'always' }, spec: { kind: 'any' } };
  if (assumed === 'plain') {
    return {
      condition: PLAIN,
      holds: emitted.isPlain ? { isNumber: 'always' } : { isNumber: 'if', open: emitted.number.open },
      spec: { kind: 'any' },
    };
  }
  if (assumed === 'numbers') {
    const isLarge = emitted.number.open === TOO_LARGE;
    const condition = isLarge
      ? 'every value is a number, and no sum of them is beyond 2^53'
      : 'every value is a number';
    return { condition, holds: emitted.number, spec: { kind: 'number' } };
  }
  if (names.length === 0) {
    return { condition: OBJECTS, holds: objectsHold(emitted), spec: { kind: 'object', members: [] } };
  }
  const isList = names.every((name) => /^\d+$/.test(name));
  const listed = names.map((name) => `\`${isList ? name : writeName(name)}\``).join(', ');
  const described = `every value is ${isList ? 'an array' : 'an object'} with a number ${isList ? 'at' : 'in'} ${listed}`;
  return {
    condition: exactly ? `${described}, and nothing else` : described,
    holds: membersHold(emitted, names, exactly),
    spec: membersSpec(names, isList),
  };
}

/** A string that people do not list. */
const OTHER = 'another';

const OBJECTS = 'every value is an object';

/**
 * @param {Emitted} emitted
 * @returns {Numeric} whether all values are objects
 */
function objectsHold({ members, number, values }) {
  if (values?.every(({ kind }) => kind === 'object' || kind === 'document' || kind === 'copy'))
    return { isNumber: 'always' };
  return members || !values ? { isNumber: 'if', open: number.open } : { isNumber: 'if' };
}

/**
 * @param {Condition} condition of the rest of the values
 * @param {Text[]} texts
 * @param {Emitted} emitted
 * @returns {Condition} with what is compared with strings
 */
export function withTexts({ condition, holds, spec }, texts, emitted) {
  const listed = texts.filter(({ isListed }) => isListed);
  const described = listed.map(
    ({ path, names }) =>
      `every \`${valueAt(path)}\` is ${joinWords(
        names.map((name) => `\`${name}\``),
        'or',
      )}`,
  );
  // What is one of some strings is there, in an object.
  const isImplied = listed.length > 0 && [OBJECTS, ANY_VALUE, PLAIN].includes(condition);
  const whole = texts.find(({ path }) => path.length === 0);
  const specOf = (/** @type {Text[]} */ some) => (whole && some[0] ? textSpec(some[0]) : withMembers(spec, some));
  const others = texts.map((text) => (text.isListed ? { ...text, names: [OTHER] } : text));
  return {
    condition: [...(isImplied ? [] : [condition]), ...described].join(', and '),
    holds: inAll([holds, ...listed.map((text) => listedHold(emitted, text))]),
    spec: specOf(texts),
    strings: texts.flatMap(({ names }) => names),
    ...(listed.length > 0 ? { outside: specOf(others), pattern: /** @type {const} */ ('states') } : {}),
  };
}

/**
 * @param {Emitted} emitted
 * @param {Text} text
 * @returns {Numeric} whether it is always one of the strings, by the constants of the map
 */
function listedHold({ values, number }, { path: [name], names }) {
  if (!values) return { isNumber: 'if', open: number.open };
  /** @type {(Value | undefined)[]} */
  const found = values.flatMap((value) => {
    if (name === undefined) return [value];
    const member = value.kind === 'object' && !value.open ? value.members.get(name) : undefined;
    return member ? [...alternatives(member)] : [undefined];
  });
  const isListed = (/** @type {string} */ text) => names.includes(text);
  const isOther = found.some((value) => value?.kind === 'constant' && !isListed(String(value.value)));
  if (isOther) return { isNumber: 'not' };
  const isKnown = found.every((value) => value?.kind === 'constant' && typeof value.value === 'string');
  return { isNumber: isKnown ? 'always' : 'if' };
}

/** @param {Text} text @returns {ValueSpec} */
function textSpec({ names, isListed }) {
  /** @type {ValueSpec[]} */
  const listed = names.map((value) => ({ kind: 'literal', value }));
  /** @type {ValueSpec[]} */
  const others = isListed ? [] : [{ kind: 'string' }, { kind: 'number' }, { kind: 'boolean' }, { kind: 'null' }];
  return { kind: 'oneOf', of: [...listed, ...others] };
}

/**
 * @param {ValueSpec} spec
 * @param {Text[]} texts members
 * @returns {ValueSpec}
 */
function withMembers(spec, texts) {
  if (texts.length === 0) return spec;
  /** @type {[string, ValueSpec][]} */
  const further = texts.map((text) => [text.path[0] ?? '', textSpec(text)]);
  if (spec.kind !== 'array')
    return { kind: 'object', members: [...(spec.kind === 'object' ? spec.members : []), ...further] };
  const items = [...spec.items];
  for (const [name, of] of further) items[Number(name)] = of;
  return { kind: 'array', items };
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
