// Suggests what values a reducer seems to be written for, from its syntax tree: the fields it reads, whether it adds or
// compares, the constants it tests for. Suggestions only steer trials; nothing is concluded from them.

import { walkNodes } from '../javascript/walk.js';

/** @import { AnyNode } from 'acorn' */
/** @import { ValueSpec } from './trial-values.js' */

/**
 * @typedef {object} Suggestion
 * @property {ValueSpec[]} specs plain values of one kind each that the reducer can be meant for, the likeliest first
 * @property {boolean} adds whether it computes with values, as with numbers
 * @property {(string | number)[]} literals constants of its text and their neighbours, where a branch may turn
 * @property {number[]} lengths numbers of rows at which it may do something else
 * @property {unknown[]} keys for which it may do something else; none where it never looks at keys
 * @property {string[]} ids likewise
 */

/** Members that lists, texts, objects and the global names have themselves. */
const OWN_MEMBERS = new Set(
  (
    'length push pop shift unshift slice splice concat join indexOf lastIndexOf includes find findIndex forEach map filter ' +
    'reduce reduceRight some every sort reverse flat flatMap fill at keys values entries apply call bind toString toFixed ' +
    'toLowerCase toUpperCase trim split replace substr substring charAt charCodeAt match test exec localeCompare getTime ' +
    'hasOwnProperty prototype constructor isArray parse stringify assign freeze create add has get set delete clear'
  ).split(' '),
);

const GLOBALS = new Set([
  'Math',
  'JSON',
  'Object',
  'Array',
  'Number',
  'String',
  'Date',
  'Boolean',
  'RegExp',
  'console',
]);
const ARITHMETIC = new Set(['+', '-', '*', '/', '%', '+=', '-=', '*=', '/=', '|', '&']);

/** Texts of more constants, or objects of more members, are not looked at further. */
const MOST = 12;

/**
 * @param {AnyNode} fn the reducer
 * @returns {Suggestion}
 */
export function suggestValues(fn) {
  const parameters = 'params' in fn ? fn.params.map((param) => (param.type === 'Identifier' ? param.name : '')) : [];
  /** @type {Set<string>} */
  const names = new Set();
  /** @type {Set<number>} */
  const numbers = new Set();
  /** @type {Set<string>} */
  const texts = new Set();
  let members = 0;
  let adds = false;
  let keyUses = 0;
  walkNodes([fn], (node) => {
    if (node.type === 'MemberExpression') {
      const { object, property } = node;
      if (object.type === 'Identifier' && GLOBALS.has(object.name)) return;
      if (!node.computed && property.type === 'Identifier' && !OWN_MEMBERS.has(property.name)) names.add(property.name);
      if (!node.computed || property.type !== 'Literal') return;
      if (typeof property.value === 'string') names.add(property.value);
      // values[0] is a row, not a member of one.
      const isList = object.type === 'Identifier' && parameters.includes(object.name);
      if (!isList && typeof property.value === 'number') members = Math.max(members, property.value + 1);
    }
    if ((node.type === 'BinaryExpression' || node.type === 'AssignmentExpression') && ARITHMETIC.has(node.operator)) {
      adds = true;
    }
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'sum') adds = true;
    if (node.type === 'Identifier' && node.name === parameters[0]) keyUses += 1;
    if (node.type === 'Identifier' && node.name === 'arguments') keyUses += 2;
    const constant = constantIn(node);
    if (typeof constant === 'number') numbers.add(constant);
    else if (typeof constant === 'string') texts.add(constant);
  });
  const constants = { numbers: [...numbers].slice(0, MOST), texts: [...texts].slice(0, MOST) };
  return {
    specs: specsFor([...names].slice(0, MOST), Math.min(members, MOST), adds),
    adds,
    literals: valuesNear(constants),
    lengths: lengthsNear(constants),
    // The parameter itself is one.
    keys: keyUses > 1 ? keysNear(constants) : [],
    ids: keyUses > 1 ? idsNear(constants) : [],
  };
}

/** @type {ValueSpec} */
const PAIR = { kind: 'array', items: [{ kind: 'string' }, { kind: 'number' }] };

/** Values whose members a reducer reads by computed names, the plainest first. @type {ValueSpec[]} */
const LISTS = [
  { kind: 'list', of: { kind: 'number' } },
  { kind: 'list', of: { kind: 'string' } },
  PAIR,
  { kind: 'list', of: PAIR },
  { kind: 'record', of: { kind: 'number' } },
];

/**
 * @param {string[]} names
 * @param {number} members
 * @param {boolean} adds
 * @returns {ValueSpec[]}
 */
function specsFor(names, members, adds) {
  /** @type {ValueSpec[]} */
  const scalars = adds
    ? [{ kind: 'number' }, { kind: 'string' }, { kind: 'boolean' }]
    : [{ kind: 'number' }, { kind: 'string' }, { kind: 'date' }, { kind: 'boolean' }];
  /** @type {ValueSpec[]} */
  const specs = [];
  if (names.length > 0) {
    for (const of of scalars.slice(0, 2)) specs.push({ kind: 'object', members: names.map((name) => [name, of]) });
  }
  if (members > 0) {
    for (const of of scalars.slice(0, 2))
      specs.push({ kind: 'array', items: Array.from({ length: members }, () => of) });
  }
  return [...scalars, ...specs, ...LISTS];
}

/** @typedef {{numbers: readonly number[], texts: readonly string[]}} Constants */

/** Strings, and lists, up to these lengths are tried. */
const MAX_STRING = 300;
const MAX_LIST = 12;
/** Rows of one call, and of all calls together. */
const MAX_ROWS = 12_000;
const MAX_ALL_ROWS = 40_000;

/** Forms that keys have whatever the reducer tests. */
const KEY_FORMS = ['quince', ['pear', 7], ['pear', 'apple', 3], ['pear', 2026, 1, 31], null, true, { a: 1 }];
const IDS = ['Apple', 'quince', '7f3c'];

/**
 * @param {AnyNode} node
 * @param {number} [depth]
 * @returns {string | number | undefined} the value of a literal, or of arithmetic with literals: `-40`, `60 * 60`
 */
function constantIn(node, depth = 0) {
  if (depth > 8) return undefined;
  const inner = (/** @type {AnyNode} */ part) => {
    const value = constantIn(part, depth + 1);
    return typeof value === 'number' ? value : Number.NaN;
  };
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' || typeof node.value === 'number' ? node.value : undefined;
    case 'UnaryExpression':
      return node.operator === '-' ? asFinite(-inner(node.argument)) : undefined;
    case 'BinaryExpression':
      return asFinite(compute(node.operator, inner(/** @type {AnyNode} */ (node.left)), inner(node.right)));
    default:
      return undefined;
  }
}

/** @param {number} value @returns {number | undefined} */
function asFinite(value) {
  return Number.isFinite(value) ? value : undefined;
}

/**
 * @param {string} operator
 * @param {number} left
 * @param {number} right
 * @returns {number}
 */
function compute(operator, left, right) {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '**':
      return left ** right;
    default:
      return Number.NaN;
  }
}

/**
 * @param {Constants} constants
 * @returns {(string | number)[]} each once: the constants, numbers beside them on either side of zero, strings as long as them
 */
function valuesNear({ numbers, texts }) {
  // One more than a large number is the same but for the last digits: twice as many is beyond it for any.
  const near = numbers.flatMap((n) =>
    [n, 2 * n, -2 * n, n + 1, n - 1, n + 0.5, n - 0.5, -n, -n - 1, -n + 1].map((other) => other + 0),
  );
  return [...new Set([...near, ...texts, ...stringsNear(numbers)])];
}

/**
 * @param {Constants} constants
 * @returns {number[]} numbers of rows, each once: about each number, and twice as many
 */
function lengthsNear({ numbers }) {
  const near = numbers
    .map(Math.abs)
    .filter((n) => Number.isInteger(n) && n > 1)
    .flatMap((n) => [n, n + 1, 2 * n])
    .filter((length) => length <= MAX_ROWS);
  let left = MAX_ALL_ROWS;
  return [...new Set(near.sort((one, other) => one - other))].filter((length) => {
    left -= length;
    return left >= 0;
  });
}

/**
 * @param {Constants} constants
 * @returns {unknown[]} keys, each once
 */
function keysNear({ numbers, texts }) {
  const scalars = [...texts, ...numbers.flatMap((n) => [n, n + 1, n - 1])];
  const lists = scalars.flatMap((value) => [[value], ['pear', value], [7, value, 'apple'], ['pear', 'apple', value]]);
  const long = numbers
    .filter((n) => Number.isInteger(n) && n > 0 && n <= MAX_LIST)
    .flatMap((n) => [n, n + 1].map((length) => Array.from({ length }, (_, at) => at + 1)));
  const all = [...scalars, ...lists, ...long, ...stringsNear(numbers), ...KEY_FORMS];
  return [...new Map(all.map((key) => [JSON.stringify(key), key])).values()];
}

/**
 * @param {Constants} constants
 * @returns {string[]} beginnings of ids, each once
 */
function idsNear({ numbers, texts }) {
  return [
    ...new Set([...texts.filter((text) => text !== '' && !text.startsWith('_')), ...stringsNear(numbers), ...IDS]),
  ];
}

/**
 * @param {readonly number[]} numbers
 * @returns {string[]} strings about as long as them
 */
function stringsNear(numbers) {
  return numbers
    .filter((n) => Number.isInteger(n) && n > 1 && n <= MAX_STRING)
    .flatMap((n) => [n - 1, n, n + 1].map((length) => 'pear'.padEnd(length, 's').slice(0, length)));
}
