// Suggests what values a reducer seems to be written for, from its syntax tree: the fields it reads, whether it adds or
// compares, the constants it tests for. Suggestions only steer trials; nothing is concluded from them.

import { walkNodes } from '../javascript/walk.js';
import { constantIn, idsNear, keysNear, lengthsNear, valuesNear } from './near-constants.js';

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
