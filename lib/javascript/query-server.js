// Lists what the language and CouchDB's query server provide to a function: names that are known, and what calls of
// them return. Says nothing of the document.

import { largestPower, NAN_OR_FINITE, resultBelow, toNumber } from './numbers.js';
import { isNumber, maybeNumber, numberBelow, powerOf, unknown } from './values.js';

/** @import { Value } from './values.js' */

/** Names that change nothing and call back to nothing we could not see (share/server/loop.js, 3.5.2, and ECMAScript). */
const GLOBALS = new Set([
  'Array',
  'Boolean',
  'Date',
  'Error',
  'JSON',
  'Map',
  'Math',
  'Number',
  'Object',
  'RangeError',
  'ReferenceError',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'SyntaxError',
  'TypeError',
  'WeakMap',
  'decodeURI',
  'decodeURIComponent',
  'encodeURI',
  'encodeURIComponent',
  'escape',
  'isArray',
  'isFinite',
  'isNaN',
  'log',
  'parseFloat',
  'parseInt',
  'require',
  'sum',
  'toJSON',
  'unescape',
]);

/**
 * @param {string} name
 * @returns {boolean}
 */
export function isKnownGlobal(name) {
  return GLOBALS.has(name);
}

/** What methods return whatever they are called on, by name. @type {Map<string, 'string' | 'number' | 'maybe-number' | 'boolean'>} */
const METHODS = new Map([
  .../** @type {const} */ ([
    'toString',
    'toLowerCase',
    'toUpperCase',
    'toLocaleLowerCase',
    'toLocaleUpperCase',
    'trim',
    'trimStart',
    'trimEnd',
    'join',
    'substr',
    'substring',
    'toISOString',
    'toFixed',
    'toPrecision',
    'charAt',
    'padStart',
    'padEnd',
    'replace',
    'replaceAll',
    'toLocaleString',
    'toDateString',
    'toUTCString',
    'toGMTString',
    'repeat',
    'normalize',
  ]).map((name) => /** @type {const} */ ([name, 'string'])),
  .../** @type {const} */ (['indexOf', 'lastIndexOf', 'search', 'localeCompare']).map(
    (name) => /** @type {const} */ ([name, 'number']),
  ),
  .../** @type {const} */ ([
    'getTime',
    'getFullYear',
    'getYear',
    'getMonth',
    'getDate',
    'getDay',
    'getHours',
    'getMinutes',
    'getSeconds',
    'getMilliseconds',
    'getTimezoneOffset',
    'getUTCFullYear',
    'getUTCMonth',
    'getUTCDate',
    'getUTCDay',
    'getUTCHours',
    'getUTCMinutes',
    'getUTCSeconds',
    'charCodeAt',
  ]).map((name) => /** @type {const} */ ([name, 'maybe-number'])),
  .../** @type {const} */ (['hasOwnProperty', 'test', 'includes', 'startsWith', 'endsWith', 'some', 'every']).map(
    (name) => /** @type {const} */ ([name, 'boolean']),
  ),
]);

/** Methods of the language that call nothing unknown, of which more cannot be said. */
const HARMLESS = new Set([
  'at',
  'codePointAt',
  'concat',
  'entries',
  'exec',
  'fill',
  'filter',
  'find',
  'findIndex',
  'findLast',
  'flat',
  'flatMap',
  'forEach',
  'get',
  'has',
  'keys',
  'map',
  'match',
  'matchAll',
  'pop',
  'push',
  'reduce',
  'reduceRight',
  'reverse',
  'shift',
  'slice',
  'sort',
  'splice',
  'split',
  'unshift',
  'valueOf',
  'values',
]);

/**
 * @param {string} name of a method
 * @returns {Value | undefined} what it returns, where its name determines that
 */
export function resultOfMethod(name) {
  const type = METHODS.get(name);
  // Those of dates give NaN for a date that does not exist, and `charCodeAt` behind the end of the string.
  if (type === 'maybe-number') return NAN_OR_FINITE;
  return type && { kind: 'typed', type };
}

/**
 * @param {Value[]} values of the arguments of `split`
 * @param {boolean} isUnknown whether it is called on what may have a method of its own under that name
 * @returns {Value}
 */
export function resultOfSplit(values, isUnknown) {
  const [separator] = values;
  return {
    kind: 'array',
    items: [isUnknown ? unknown('it comes from `split`') : { kind: 'typed', type: 'string' }],
    open: true,
    // Only without a separator, or with a limit, an empty text has no parts.
    hasFirst: separator?.kind === 'constant' && separator.value !== '' && values.length === 1,
  };
}

/**
 * @param {string} name of a method
 * @returns {boolean} whether it is one of the language, which calls nothing that is not handed to it
 */
export function isMethodOfLanguage(name) {
  return METHODS.has(name) || HARMLESS.has(name);
}

/** @type {Map<string, 'string' | 'number' | 'boolean' | 'maybe-number'>} */
const RESULTS = new Map([
  ['String', 'string'],
  ['Date', 'string'],
  ['toJSON', 'string'],
  ['JSON.stringify', 'string'],
  ['encodeURIComponent', 'string'],
  ['decodeURIComponent', 'string'],
  ['encodeURI', 'string'],
  ['decodeURI', 'string'],
  ['String.fromCharCode', 'string'],
  ['Boolean', 'boolean'],
  ['isArray', 'boolean'],
  ['Array.isArray', 'boolean'],
  ['isNaN', 'boolean'],
  ['isFinite', 'boolean'],
  ['Number.isNaN', 'boolean'],
  ['Number.isFinite', 'boolean'],
  ['Number.isInteger', 'boolean'],
  ['Number.isSafeInteger', 'boolean'],
  ['Object.hasOwn', 'boolean'],
  ['Object.prototype.hasOwnProperty.call', 'boolean'],
  ['Date.now', 'number'],
  ['Date.parse', 'maybe-number'],
  ['Date.UTC', 'maybe-number'],
]);

/** Functions that give a finite number for finite numbers. */
const ROUNDING = /^Math\.(abs|ceil|floor|round|trunc|sign|max|min)$/;

/**
 * @param {string} name of a function: `Math.round`
 * @param {Value[]} values of its arguments
 * @returns {Value | undefined} what it returns, where that is known
 */
export function resultOfGlobal(name, values) {
  // It adds with `+`, which joins where one of the values is a text.
  if (name === 'sum') return unknown('`sum` concatenates strings');
  const type = RESULTS.get(name);
  if (type === 'maybe-number') return NAN_OR_FINITE;
  if (type) return { kind: 'typed', type };
  if (name === 'Number' && values.length > 0) {
    const numbers = values.slice(0, 1).map(toNumber);
    return resultBelow(numbers, largestPower(numbers), values.slice(0, 1));
  }
  if (/^(Number\.)?parse(Int|Float)$|^Number$/.test(name)) {
    const [first, radix] = values;
    return first && !radix && isNumber(first) ? numberBelow(powerOf(first)) : maybeNumber(...values.slice(0, 1));
  }
  if (name === 'Math.random') return { kind: 'typed', type: 'number' };
  if (!name.startsWith('Math.')) return undefined;
  if (!ROUNDING.test(name) || values.length === 0) return maybeNumber(...values);
  const numbers = values.map(toNumber);
  return resultBelow(numbers, largestPower(numbers), values);
}
