// Follows a URL through the function that makes it: `urlTo(shop, '_find')`, `[base, shop, '_find'].join('/')`.

import { bindingAt } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { propertyName } from './code.js';
import { returnsOf } from './enclosing.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { Code } from './code.js' */
/** @import { Tracer } from './trace.js' */
/** @import { FunctionValue } from './value.js' */
/** @import { Piece } from './urls.js' */

/** What parameters of a function stand for. @typedef {Map<object, {node: AnyNode, code: Code, given: Arguments | undefined}>} Arguments */
/** `piecesOf`: gives the parts of a URL. @typedef {{parts: number, given: Arguments | undefined, piecesOf: (node: AnyNode, code: Code, tracer: Tracer, parts: number, given: Arguments) => Piece[]}} Context */

/** Stands in a URL for what only running would show. */
export const OPEN = '\0';

/** Methods and functions that leave a URL what it is. */
const KEEPS = new Set(['toString', 'trim', 'valueOf']);
const PASSES = new Set(['encodeURI', 'encodeURIComponent', 'String']);
/** What joins parts of a path. */
const JOINS = /^(?:path|url|posix|path\.posix)$/;
/** How functions are called that make URLs. */
const MAKES = /ur[il]|path|endpoint|address|href|link/i;

/**
 * @param {CallExpression} node
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {Context} context
 * @param {(node: AnyNode) => Piece[]} of gives the parts of an expression beside it
 * @returns {Piece[] | undefined} undefined where it is not known to make a URL
 */
export function builtBy(node, code, tracer, context, of) {
  const callee = bare(node.callee);
  const name = callee.type === 'MemberExpression' ? (propertyName(callee) ?? '') : '';
  const called = callee.type === 'Identifier' ? callee.name : name;
  const [first] = node.arguments;
  if (callee.type === 'Identifier' && PASSES.has(called) && first) {
    const pieces = of(first);
    const isOnePart = called !== 'encodeURIComponent' || pieces.every(({ text }) => /^[\w.:~\0-]*$/.test(text));
    return isOnePart ? pieces : undefined;
  }
  if (callee.type === 'MemberExpression' && callee.object.type !== 'Super') {
    const object = bare(callee.object);
    if (KEEPS.has(name)) return of(object);
    // `path.replace(/\/+/g, '/')`
    if (name === 'replace' && first?.type === 'Literal' && 'regex' in first) return of(object);
    if (name === 'concat' && node.arguments.length > 0) return [object, ...node.arguments].flatMap(of);
    if (name === 'join' && object.type === 'ArrayExpression')
      return joined(
        object.elements.flatMap((item) => item ?? []),
        first?.type === 'Literal' ? String(first.value) : ',',
        of,
      );
    if ((name === 'join' || name === 'resolve') && JOINS.test(code.source(object)))
      return joined(node.arguments, '/', of);
  }
  const value = tracer.start(node.callee, code);
  const made = value?.is === 'function' ? returnedBy(value, node, code, tracer, context) : undefined;
  const text = made?.map((piece) => piece.text).join('') ?? '';
  const isWhole = () =>
    node.arguments.flatMap(of).every((piece) => piece.text === OPEN || text.includes(piece.text.replace(/^[/?]+/, '')));
  if (made && isWhole()) return made;
  return MAKES.test(called) ? assumed(node.arguments, of) : undefined;
}

/**
 * @param {readonly AnyNode[]} items
 * @param {string} separator
 * @param {(node: AnyNode) => Piece[]} of
 * @returns {Piece[]}
 */
function joined(items, separator, of) {
  return items.flatMap((item, index) => [...(index === 0 ? [] : [{ text: separator, start: undefined }]), ...of(item)]);
}

/**
 * @param {FunctionValue} fn
 * @param {CallExpression} call
 * @param {Code} code of the call
 * @param {Tracer} tracer
 * @param {Context} context
 * @returns {Piece[] | undefined} what it returns
 */
function returnedBy({ node: fn, code: own }, call, code, tracer, { parts, given, piecesOf }) {
  const returned = fn.body?.type === 'BlockStatement' ? returnsOf(fn, own).at(-1) : fn.body;
  if (!returned) return undefined;
  /** @type {Arguments} */
  const inner = new Map();
  for (const [index, param] of fn.params.entries()) {
    const id = param.type === 'AssignmentPattern' ? param.left : param;
    const binding = id.type === 'Identifier' ? bindingAt(id, own.resolved) : undefined;
    const argument = call.arguments[index];
    if (binding && argument) inner.set(binding, { node: argument, code, given });
    else if (binding && param.type === 'AssignmentPattern')
      inner.set(binding, { node: param.right, code: own, given: new Map() });
  }
  return piecesOf(returned, own, tracer, parts + 1, inner);
}

/**
 * @param {readonly AnyNode[]} items
 * @param {(node: AnyNode) => Piece[]} of
 * @returns {Piece[] | undefined} what a function that is called after URLs makes of them, with the options that are not followed
 */
function assumed(items, of) {
  const parts = items.filter(({ type }) => type !== 'ObjectExpression' && type !== 'Literal');
  const texts = items.filter((item) => item.type === 'Literal' && typeof item.value === 'string');
  const path = items.filter((item) => parts.includes(item) || texts.includes(item));
  const query = path.findIndex((item) => /^\??[\w.]+=/.test(of(item)[0]?.text ?? ''));
  const before = query === -1 ? path : path.slice(0, query);
  // What comes behind the last known part may be options.
  const last = before.findLastIndex((item) => of(item).some(({ text }) => text !== OPEN));
  if (last === -1) return undefined;
  const pieces = joined(before.slice(0, last + 1), '/', of);
  const behind = query === -1 ? undefined : path[query];
  if (!behind) return [...pieces, { text: OPEN, start: undefined }];
  return [...pieces, { text: '?', start: undefined }, ...of(behind)];
}
