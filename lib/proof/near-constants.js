// Suggests values, numbers of rows, keys and ids near the constants of a reducer's text, where a branch may turn. They
// only steer trials.

/** @import { AnyNode } from 'acorn' */

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
export function constantIn(node, depth = 0) {
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
export function valuesNear({ numbers, texts }) {
  const near = numbers.flatMap((n) =>
    [n, n + 1, n - 1, n + 0.5, n - 0.5, -n, -n - 1, -n + 1].map((other) => other + 0),
  );
  return [...new Set([...near, ...texts, ...stringsNear(numbers)])];
}

/**
 * @param {Constants} constants
 * @returns {number[]} numbers of rows, each once: about each number, and twice as many
 */
export function lengthsNear({ numbers }) {
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
export function keysNear({ numbers, texts }) {
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
export function idsNear({ numbers, texts }) {
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
