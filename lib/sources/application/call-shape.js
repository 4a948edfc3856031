// Reads the arguments of a call by the shape of its method: the view, the map, what it is about.

import { isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { member } from '../record.js';
import { nameOf } from './code.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { StringNode, ValueNode } from '../record.js' */
/** @import { MethodShape } from '../../clients/client.js' */
/** @import { Known } from './calls.js' */
/** @import { Code } from './code.js' */
/** @import { CallOptions } from './record.js' */

/**
 * @param {MethodShape} shape
 * @param {CallExpression} node
 * @param {Code} code
 * @returns {MethodShape} `query(function (doc) {…})` is a temporary query, nano's `db.destroy('shop')` a database
 */
export function refine(shape, node, code) {
  const first = shape.path === undefined ? undefined : node.arguments[shape.path];
  if (!first) return shape;
  const value = code.reader.read(first);
  const isMap =
    isFunction(bare(first)) || (value.type === 'string' ? value.isFunction : member(value, 'map') !== undefined);
  return isMap ? { ...shape, method: 'temporary-query' } : shape;
}

/**
 * @param {MethodShape} shape
 * @param {CallExpression} node
 * @param {Code} code
 * @returns {StringNode | null} `query(function (doc) {…})` and `query({ map })`
 */
export function mapOf({ method, path = 0 }, node, code) {
  const first = node.arguments[path];
  if (method !== 'temporary-query' || !first) return null;
  const value = code.reader.read(first);
  const map = value.type === 'object' ? member(value, 'map') : value;
  return map?.type === 'string' ? map : null;
}

/**
 * @param {Known} known
 * @param {MethodShape} shape
 * @param {ValueNode[]} values
 * @param {CallOptions} options
 * @returns {{designDoc: string | null, view: string | null}}
 */
export function viewNamed({ forwarded }, shape, values, options) {
  const own = viewOf(shape, values, options);
  return { designDoc: own.designDoc ?? forwarded?.designDoc ?? null, view: own.view ?? forwarded?.view ?? null };
}

/**
 * @param {MethodShape} shape
 * @param {ValueNode[]} values
 * @param {CallOptions} options
 * @returns {{designDoc: string | null, view: string | null}}
 */
function viewOf(shape, values, options) {
  if (shape.path !== undefined) {
    const text = textOf(values[shape.path]);
    if (text === null || shape.method === 'temporary-query') return { designDoc: null, view: null };
    const [first = '', second] = text.replace(/^_design\//, '').split('/');
    // PouchDB takes `orders` for `orders/orders`.
    return { designDoc: `_design/${first}`, view: second ?? first };
  }
  const designDoc =
    shape.designDoc === undefined ? textOf(member(options.node ?? undefined, 'ddoc')) : textOf(values[shape.designDoc]);
  const view =
    shape.view === undefined ? textOf(member(options.node ?? undefined, 'view')) : textOf(values[shape.view]);
  return { designDoc: designDoc === null ? null : `_design/${designDoc.replace(/^_design\//, '')}`, view };
}

/**
 * @param {MethodShape} shape
 * @param {CallExpression} node
 * @param {CallOptions} options
 * @returns {AnyNode | undefined}
 */
export function targetOf(shape, node, options) {
  if (shape.target !== undefined) return node.arguments[shape.target];
  if (shape.idOption === undefined || !options.node) return undefined;
  return writtenValue(node.arguments[0], ...(shape.idOption === 'doc_id' ? ['docId', 'doc_id'] : [shape.idOption]));
}

/**
 * @param {MethodShape} shape
 * @param {CallExpression} node
 * @param {AnyNode | undefined} target
 * @returns {AnyNode | undefined} what must depend on the turn of a loop for the calls to be about different things
 */
export function repeatedBy(shape, node, target) {
  if (target) return target;
  const options = shape.options === undefined ? undefined : node.arguments[shape.options];
  if (shape.method === 'view') return options;
  return shape.method === 'all-docs' && options && writtenKey(options) ? options : undefined;
}

/** @param {AnyNode | undefined} options @returns {AnyNode | undefined} the one key that a query asks for: `key`, or a range that begins where it ends */
export function writtenKey(options) {
  const [first, last] = [writtenValue(options, 'startkey', 'start_key'), writtenValue(options, 'endkey', 'end_key')];
  const isName = first?.type === 'Identifier' && last?.type === 'Identifier' && first.name === last.name;
  return writtenValue(options, 'key') ?? (isName ? first : undefined);
}

/** @param {AnyNode | undefined} object @param {string[]} keys @returns {AnyNode | undefined} the value that the first of them is written with */
export function writtenValue(object, ...keys) {
  if (object?.type !== 'ObjectExpression') return undefined;
  for (const property of object.properties) {
    if (property.type === 'Property' && keys.includes(nameOf(property.key) ?? '')) return property.value;
  }
  return undefined;
}

/** @param {ValueNode | undefined} node @returns {string | null} */
export function textOf(node) {
  return node?.type === 'string' && !node.isFunction ? node.value : null;
}
