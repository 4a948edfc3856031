// A reducer's syntax tree in, what values it seems to be written for out: the fields it reads, whether it adds or compares,
// the constants it tests for. Suggestions only steer trials; nothing is concluded from them.

import { walkNodes } from '../facts/javascript/walk.js';

/** @import { AnyNode } from 'acorn' */
/** @import { ValueSpec } from './trial-values.js' */

/**
 * @typedef {object} Suggestion
 * @property {ValueSpec[]} specs plain values of one kind each that the reducer can be meant for, the likeliest first
 * @property {unknown[]} literals constants of its text and their neighbours, where a branch may turn
 * @property {number[]} lengths numbers of rows at which it may do something else
 * @property {unknown[]} keys for which it may do something else
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

/** Lists longer than this cost too much to try. */
const LONGEST = 600;

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
    if (node.type === 'Literal' && typeof node.value === 'number') numbers.add(node.value);
    if (node.type === 'Literal' && typeof node.value === 'string') texts.add(node.value);
  });
  return {
    specs: specsFor([...names].slice(0, MOST), Math.min(members, MOST), adds),
    literals: [...[...numbers].slice(0, MOST).flatMap((n) => [n, n + 1, n - 1]), ...[...texts].slice(0, MOST)],
    lengths: [...numbers].filter((n) => Number.isInteger(n) && n > 1 && n < LONGEST).flatMap((n) => [n, n + 1]),
    keys: [...texts, ...numbers].slice(0, MOST),
  };
}

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
  return [...scalars, ...specs];
}
