// Abstract values of the interpretation of a map: what an expression may be, as far as reading the code shows: the document, a path in it, a
// literal, a shape, or unknown.

import { typeAt } from './path-facts.js';

/** @import { PathFacts } from './path-facts.js' */
/** @import { FunctionNode } from './parse.js' */

/**
 * @typedef {{kind: 'document', parameter: number}} DocumentValue the parameter of that position, as a whole
 * @typedef {{kind: 'path', path: string, present: boolean, place?: string | undefined, isFinite?: boolean}} PathValue a member below a parameter: `doc.a.b`;
 *   `[]` stands for any element. `present`: it is there by the way the value was reached, as the left side of `||` is. `place`: names the
 *   very value, for the time the function runs: two values of one place are one value. Missing where that is not certain. `isFinite`: converted
 *   to a number it is finite
 * @typedef {{kind: 'copy', isText: boolean, isChanged?: boolean}} CopyValue a copy of the document, or its JSON; `isChanged`: members
 *   of other objects may stand in it
 * @typedef {{kind: 'constant', value: string | number | boolean | null | undefined}} ConstantValue
 * @typedef {{kind: 'object', members: ReadonlyMap<string, Value>, open: boolean}} ObjectValue `open`: it may have others
 * @typedef {{kind: 'array', items: readonly Value[], open: boolean, words?: boolean, hasFirst?: boolean}} ArrayValue `words`: it is the words of a
 *   text; `hasFirst`: it is not empty
 * @typedef {{kind: 'typed', type: 'number' | 'maybe-number' | 'string' | 'boolean' | 'date' | 'error', power?: number, of?: Value, ofId?: 'start' | 'position', nanWithout?: readonly string[], isBounded?: boolean}} TypedValue
 *   a `number` is finite, a `maybe-number` may also be NaN or infinite; `power`: its absolute value is below 10 to this power
 *   `of`: it is the `typeof` of that value; `ofId`: it is the start of the id of the document, or the position in it of a
 *   text that starts with `_`, as the ids of design documents do; `nanWithout`: paths of fields without any of which it is NaN;
 *   `isBounded`: a `maybe-number` that is NaN or finite
 * @typedef {{kind: 'function', node: FunctionNode, scope: import('./scope.js').Scope}} FunctionValue
 * @typedef {{kind: 'emit'}} EmitValue CouchDB's own `emit`
 * @typedef {{kind: 'global', name: string}} GlobalValue what the language or the query server gives: `Array.isArray`
 * @typedef {{kind: 'union', of: readonly Value[]}} UnionValue one of these
 * @typedef {{kind: 'unknown', reason: string, words?: boolean}} UnknownValue
 * @typedef {{yes?: PathFacts | undefined, no?: PathFacts | undefined}} Implied what holds of the document where the value is
 *   true, and where it is not: so a variable, or what a function returns, can represent a test
 * @typedef {(DocumentValue | PathValue | CopyValue | ConstantValue | ObjectValue | ArrayValue | TypedValue | FunctionValue | EmitValue | GlobalValue | UnionValue | UnknownValue) & Implied} Value
 */

/** More alternatives than this say nothing any more. */
const MAX_ALTERNATIVES = 12;

/** An object or list that holds more, in all depths, is not distinguished: objects that hold each other twice grow without end. */
const MAX_MEMBERS = 1000;

/**
 * Fields that are numbers are taken to be below 10 to this power, so that products of six of them are finite. JSON can hold numbers up
 * to 1.8e308: docs/limits.md says what that leaves open.
 */
const ORDINARY_POWER = 50;

/** A member that may be missing where all above it is there: not the length of something, which throws. */
const FIELD_OF_DOCUMENT = /^doc\.(?!_(?:id|rev)$)(?!.*(?:\.length|\[\])$)/;

/** Finite numbers are below 10 to this power (Number.MAX_VALUE is 1.8e308). */
const MAX_POWER = 308;

/** @type {Value} */
export const UNDEFINED = { kind: 'constant', value: undefined };

/**
 * @param {string} reason
 * @returns {Value}
 */
export function unknown(reason) {
  return { kind: 'unknown', reason };
}

/**
 * @param {Value[]} values
 * @returns {Value} one value for all of them
 */
export function unionOf(values) {
  const [only, ...others] = values;
  if (only && others.every((value) => value === only)) return only;
  /** @type {Map<string, Value>} */
  const distinct = new Map();
  for (const value of values.flatMap(alternatives)) distinct.set(identity(value), withoutImplied(value));
  const [first] = distinct.values();
  if (distinct.size === 1 && first) return first;
  if (distinct.size > MAX_ALTERNATIVES) return unknown('it has too many possible values');
  return distinct.size === 0 ? UNDEFINED : { kind: 'union', of: [...distinct.values()] };
}

/**
 * @param {Value} value
 * @returns {Value} what one of several values implies does not hold for all
 */
function withoutImplied(value) {
  return value.yes || value.no ? { ...value, yes: undefined, no: undefined } : value;
}

/**
 * @param {Value} value
 * @param {PathFacts | undefined} yes
 * @param {PathFacts | undefined} no
 * @returns {Value} the value as the answer to a test. Objects stay the same, by which they are known under other names
 */
export function implying(value, yes, no) {
  const isHeld = value.kind === 'object' || value.kind === 'array' || value.kind === 'constant';
  return isHeld ? value : { ...value, yes, no };
}

/**
 * @param {Value} value
 * @returns {readonly Value[]} the values it may be
 */
export function alternatives(value) {
  return value.kind === 'union' ? value.of : [value];
}

/**
 * @param {Value} value
 * @returns {Value} the same object or list after somebody else had it in hand
 */
export function opened(value) {
  if (value.kind === 'object')
    return {
      kind: 'object',
      members: new Map([...value.members].map(([name, item]) => [name, openedMember(item)])),
      open: true,
    };
  if (value.kind === 'array') return { kind: 'array', items: value.items.map(openedMember), open: true };
  return value.kind === 'union' ? unionOf(value.of.map(opened)) : value;
}

/**
 * @param {Value} value
 * @returns {Value} functions are kept beside whatever else it may be now: they are there to be called
 */
function openedMember(value) {
  const functions = alternatives(value).filter(({ kind }) => kind === 'function' || kind === 'emit');
  return unionOf([...functions, unknown('it may have been changed')]);
}

/** @type {WeakMap<object, number>} */
const sizes = new WeakMap();

/**
 * @param {Value} value
 * @returns {number} how many values it holds in all depths, itself included
 */
export function sizeOf(value) {
  if (value.kind !== 'object' && value.kind !== 'array' && value.kind !== 'union') return 1;
  let size = sizes.get(value);
  if (size === undefined) {
    const parts =
      value.kind === 'object' ? [...value.members.values()] : value.kind === 'array' ? value.items : value.of;
    size = parts.reduce((sum, part) => sum + sizeOf(part), 1);
    sizes.set(value, size);
  }
  return size;
}

/**
 * @param {Value} value
 * @returns {Value} unknown where it holds too much
 */
export function bounded(value) {
  return sizeOf(value) > MAX_MEMBERS ? unknown('it contains too much') : value;
}

/** Objects get a number when they are first compared, so that equal-looking ones stay apart. @type {WeakMap<object, number>} */
const numbers = new WeakMap();
let lastNumber = 0;

/**
 * @param {Value} value
 * @returns {string}
 */
function identity(value) {
  switch (value.kind) {
    case 'path':
      return `path ${value.path} ${value.present} ${value.place} ${value.isFinite === true}`;
    case 'constant':
      return `constant ${typeof value.value} ${String(value.value)}`;
    case 'typed':
      return value.of
        ? `typeof ${identity(value.of)}`
        : `typed ${value.type} ${value.power ?? ''} ${value.isBounded ?? ''} ${value.ofId ?? ''} ${value.nanWithout?.join() ?? ''}`;
    case 'document':
      return `document ${value.parameter}`;
    case 'unknown':
      return `unknown ${value.reason}`;
    case 'copy':
      return `copy ${value.isText} ${value.isChanged}`;
    case 'global':
      return `global ${value.name}`;
    case 'emit':
      return value.kind;
    default:
      return `${value.kind} ${numberOf(value)}`;
  }
}

/**
 * @param {Value} value
 * @returns {number} its own; a value that looks the same has another
 */
export function numberOf(value) {
  let number = numbers.get(value);
  if (number === undefined) {
    number = nextNumber();
    numbers.set(value, number);
  }
  return number;
}

/** @returns {number} one that nothing else has */
export function nextNumber() {
  lastNumber += 1;
  return lastNumber;
}

/**
 * @param {Value} value that is given to a variable
 * @returns {Value} the same with a number of its own, by which it is known which value the variable holds. Objects and lists keep theirs,
 *   by which they are known under other names
 */
export function renumbered(value) {
  return value.kind === 'object' || value.kind === 'array' ? value : { ...value };
}

/** @typedef {'number' | 'maybe-number' | 'string' | 'boolean' | 'null' | 'array' | 'object' | 'document' | 'field'} ValueType
 *  `field`: whatever the document holds there; `string`: a date too, which is null where it does not exist */

/**
 * @param {Value} value
 * @param {PathFacts} pathFacts what guards say
 * @returns {ValueType[] | {unknown: string}} the types it may have in JSON, each once
 */
export function typesOf(value, pathFacts) {
  /** @type {Set<ValueType>} */
  const types = new Set();
  for (const item of alternatives(value)) {
    const type = typeOf(item, pathFacts);
    if (typeof type === 'object') return type;
    types.add(type);
  }
  return [...types];
}

/**
 * @param {Value} value
 * @param {PathFacts} pathFacts
 * @returns {ValueType | {unknown: string}}
 */
function typeOf(value, pathFacts) {
  switch (value.kind) {
    case 'document':
      return value.parameter === 0 ? 'document' : 'object';
    case 'copy':
      return value.isText ? 'string' : 'document';
    case 'path':
      if (/^doc\._(id|rev)$/.test(value.path)) return 'string';
      return typeAt(pathFacts, value) ?? 'field';
    case 'constant':
      return constantType(value.value);
    case 'typed':
      // A date is written as ISO text, by its toJSON; an error has no members of its own that are written.
      return value.type === 'date' ? 'string' : value.type === 'error' ? 'object' : value.type;
    case 'object':
      return 'object';
    case 'array':
      return 'array';
    case 'function':
    case 'emit':
      return 'null';
    case 'global':
      return { unknown: `it is \`${value.name}\`` };
    default:
      return { unknown: value.kind === 'unknown' ? value.reason : 'it may be one of several values' };
  }
}

/**
 * @param {ConstantValue['value']} value
 * @returns {ValueType}
 */
function constantType(value) {
  if (typeof value === 'number') return Number.isFinite(value) ? 'number' : 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  return 'null';
}

/**
 * @param {Value} value
 * @returns {boolean} whether it is a finite number whatever the document holds
 */
export function isNumber(value) {
  return alternatives(value).every(
    (item) =>
      (item.kind === 'typed' && item.type === 'number') ||
      (item.kind === 'constant' && typeof item.value === 'number' && Number.isFinite(item.value)),
  );
}

/**
 * @param {Value} value a number
 * @returns {number} its absolute value is below 10 to this power
 */
export function powerOf(value) {
  return Math.max(
    ...alternatives(value).map((item) => {
      if (item.kind === 'constant') return Math.log10(Math.abs(Number(item.value)) || 1);
      return (item.kind === 'typed' ? item.power : undefined) ?? ORDINARY_POWER;
    }),
  );
}

/**
 * @param {number} power
 * @returns {Value} a number whose absolute value is below 10 to this power; perhaps not finite where that says nothing
 */
export function numberBelow(power) {
  if (!(power < MAX_POWER)) return { kind: 'typed', type: 'maybe-number' };
  return power > ORDINARY_POWER ? { kind: 'typed', type: 'number', power } : { kind: 'typed', type: 'number' };
}

/**
 * @param {Value[]} operands of arithmetic, which makes NaN of undefined
 * @returns {Value} a number that may be NaN or infinite
 */
export function maybeNumber(...operands) {
  const nanWithout = operands.flatMap((value) => {
    if (value.kind === 'typed') return value.nanWithout ?? [];
    return value.kind === 'path' && !value.present && FIELD_OF_DOCUMENT.test(value.path) ? [value.path] : [];
  });
  return nanWithout.length > 0
    ? { kind: 'typed', type: 'maybe-number', nanWithout: nanWithout.slice(0, MAX_ALTERNATIVES) }
    : { kind: 'typed', type: 'maybe-number' };
}

/**
 * @param {Value} value
 * @returns {boolean} whether it is text whatever the document holds
 */
export function isText(value) {
  return alternatives(value).every(
    (item) =>
      (item.kind === 'typed' && item.type === 'string') ||
      (item.kind === 'copy' && item.isText) ||
      (item.kind === 'constant' && typeof item.value === 'string') ||
      (item.kind === 'path' && /^doc\._(id|rev)$/.test(item.path)),
  );
}
