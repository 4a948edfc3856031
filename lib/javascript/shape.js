// Lists what engines refuse in the way a text holds its function. The syntax inside the function is not looked at.

import { isBare } from './parse.js';

/** @import { AnyNode } from 'acorn' */
/** @import { EngineName } from './engines.js' */
/** @import { ParsedFunction } from './parse.js' */

/** @typedef {{feature: string, start: number, end: number, engines: EngineName[]}} ShapeFault */

export const NAMED_FUNCTION = 'a named function';

/**
 * SpiderMonkey 60 and later: share/server/60/rewrite_fun.js makes an expression only of the last function declaration,
 * where it has no name, and the value of the whole text must be a function (share/server/util.js compileFunction).
 * @type {EngineName[]}
 */
const REWRITTEN = ['spidermonkey-60', 'spidermonkey-78', 'spidermonkey-91'];

/** Tried on couchjs of 3.4.3, 3.5.0 and 3.5.2. @type {EngineName[]} */
const MODERN = [...REWRITTEN, 'quickjs'];

/**
 * With SpiderMonkey 1.8.5, tried on couchjs and main.js of 2.3.1. What stands behind a function without a name it refuses too where that leaves a
 * value, and ignores where that throws (`exports.map = …`): which of the two is not determined.
 * @type {EngineName[]}
 */
const ALL = ['spidermonkey-1.8.5', ...MODERN];

/** Statements that leave a value which is no function, or none, instead of the function's. @type {Map<string, EngineName[]>} */
const REPLACING = new Map([
  ['ExpressionStatement', MODERN],
  ['TryStatement', MODERN],
  // SpiderMonkey keeps the function where such a statement comes to no expression: `if (typeof exports !== 'undefined') …`.
  ...['If', 'For', 'ForIn', 'ForOf', 'While', 'DoWhile', 'Switch', 'With'].map(
    (name) => /** @type {[string, EngineName[]]} */ ([`${name}Statement`, ['quickjs']]),
  ),
]);

/**
 * @param {ParsedFunction} parsed no module
 * @returns {ShapeFault[]}
 */
export function listShapeFaults({ fn, shape, parenthesised, roots, text }) {
  if (!fn) return [];
  /** @type {ShapeFault[]} */
  const faults = [];
  const { start } = fn;
  if (shape === 'named' && !parenthesised && 'id' in fn && fn.id) {
    faults.push({ feature: NAMED_FUNCTION, start: fn.id.start, end: fn.id.end, engines: ALL });
  }
  if (shape === 'code-after') faults.push(...faultsOfCodeAfter(roots));
  faults.push(...faultsOfSeveralFunctions(roots));
  if (fn.async) {
    faults.push({ feature: 'an async main function', start, end: wordEnd(text, start), engines: ['quickjs'] });
  }
  const isStatement =
    roots.some((node) => isBare(node) && node.expression === fn) || (roots[0] === fn && !parenthesised);
  if (!isStatement || fn.type === 'ArrowFunctionExpression' || shape === 'named') return faults;
  if (fn.generator) {
    faults.push({ feature: 'a generator as main function', start, end: wordEnd(text, start), engines: ['quickjs'] });
  } else if (hasLineBreak(text.slice(start, text.indexOf('(', start)))) {
    const feature = 'a line break after `function`';
    faults.push({ feature, start, end: wordEnd(text, start), engines: ['quickjs'] });
  }
  return faults;
}

/**
 * @param {AnyNode[]} roots with the main function first
 * @returns {ShapeFault[]}
 */
function faultsOfCodeAfter(roots) {
  const [main, ...others] = roots.filter((node) => node.type !== 'EmptyStatement');
  if (!main) return [];
  const isNamed = main.type === 'FunctionDeclaration' && main.id;
  const replacing = others.findLast((node) => REPLACING.has(node.type));
  if (replacing) {
    const engines = isNamed ? ALL : (REPLACING.get(replacing.type) ?? []);
    return [{ feature: 'code after the function', start: replacing.start, end: replacing.end, engines }];
  }
  if (isNamed) return [{ feature: NAMED_FUNCTION, start: main.id.start, end: main.id.end, engines: ALL }];
  return [];
}

/**
 * @param {AnyNode[]} roots
 * @returns {ShapeFault[]} a function without a name that is no expression and has another declared behind it
 */
function faultsOfSeveralFunctions(roots) {
  const functions = roots.filter((node) => isBare(node) || node.type === 'FunctionDeclaration');
  const index = functions.findIndex(isBare);
  const behind = index === -1 ? undefined : functions[index + 1];
  if (!behind) return [];
  const feature = 'a function after one without a name';
  return [{ feature, start: behind.start, end: behind.end, engines: REWRITTEN }];
}

/**
 * @param {string} text
 * @param {number} start
 * @returns {number} offset behind the first word
 */
function wordEnd(text, start) {
  return start + (text.startsWith('async', start) ? 'async'.length : 'function'.length);
}

/**
 * @param {string} text
 * @returns {boolean}
 */
function hasLineBreak(text) {
  return text.includes('\n') || text.includes('\r');
}
