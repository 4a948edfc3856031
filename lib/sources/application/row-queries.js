// Finds the query whose rows a loop goes through, and writes it with the documents of the rows.

import { clientNamed } from '../../clients/index.js';
import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { unwrapType } from '../../javascript/typescript.js';
import { nameOf } from './code.js';
import { functionAround } from './enclosing.js';
import { optionsOf } from './options.js';
import { shownCallee } from './shown-name.js';

/** @import { AnyNode, CallExpression, Identifier } from 'acorn' */
/** @import { MethodShape } from '../../clients/client.js' */
/** @import { Code } from './code.js' */
/** @import { CallMethod, ClientName, RowQuery } from './record.js' */

/** What was recognized of a call. @typedef {{shape: MethodShape, client: ClientName | null}} Recognized */

/** Queries whose rows have ids of documents. @type {ReadonlySet<CallMethod>} */
const QUERIES = new Set(['all-docs', 'view', 'search']);
/** Options with which rows have no document of their own, or have it. */
const OTHER_ROWS = ['include_docs', 'group', 'group_level'];
/** Names that are followed from one to the next. */
const MAX_STEPS = 5;
/** Characters of options that are written again. */
const MAX_OPTIONS = 60;

/**
 * @param {{over: AnyNode | undefined, variables: AnyNode[], form: string}} loop
 * @param {AnyNode | undefined} id that is read in a turn
 * @param {Code} code
 * @param {{recognized: (node: CallExpression) => Recognized | undefined, receiverOf: (node: CallExpression, client: ClientName | null) => AnyNode, receiver: AnyNode}} about
 * @returns {RowQuery | null} null where the loop goes through something else, reads something else, or another database
 */
export function rowQuery({ over, variables: [variable], form }, id, code, { recognized, receiverOf, receiver }) {
  const finder = new Finder(code, recognized);
  const query = over && finder.ofRows(over);
  const known = query && recognized(query);
  if (!query || !known || !variable || !id || !clientNamed(known.client)) return null;
  if (code.source(receiverOf(query, known.client)) !== code.source(receiver)) return null;
  const key = finder.keyOfRow(id, (node) => isRow(node, { over, variable, form }, code), variable);
  if (key !== 'id' && !(key === 'key' && known.shape.method === 'all-docs')) return null;
  const given = known.shape.options === undefined ? undefined : query.arguments[known.shape.options];
  const options = given && !isFunction(given) ? optionsOf(given, known.client, code) : undefined;
  if (options?.node?.entries.some((entry) => OTHER_ROWS.includes(entry.key))) return null;
  return { withDocs: withDocs(query, known, code), place: code.file.place(query.start, query.end) };
}

class Finder {
  #steps = 0;

  /**
   * @param {Code} code
   * @param {(node: CallExpression) => Recognized | undefined} recognized
   */
  constructor(code, recognized) {
    this.code = code;
    this.recognized = recognized;
  }

  /** @param {AnyNode} written @returns {CallExpression | undefined} the query whose rows it has */
  ofRows(written) {
    if (this.#isTooFar()) return undefined;
    const node = inside(written);
    // `body.rows || []`
    if (node.type === 'LogicalExpression') return this.ofRows(node.left);
    if (node.type === 'MemberExpression') return memberName(node) === 'rows' ? this.#ofAnswer(node.object) : undefined;
    if (node.type !== 'Identifier') return undefined;
    const declared = this.#declared(node);
    const parent = declared && this.code.parentOf(declared);
    if (parent?.type === 'VariableDeclarator') return parent.init ? this.ofRows(parent.init) : undefined;
    const pattern = parent?.type === 'Property' && nameOf(parent.key) === 'rows' && this.code.parentOf(parent);
    if (!pattern) return undefined;
    const holder = this.code.parentOf(pattern);
    if (holder?.type === 'VariableDeclarator') return holder.init ? this.#ofAnswer(holder.init) : undefined;
    return this.#ofParameter(pattern);
  }

  /** @param {AnyNode} written @returns {CallExpression | undefined} the query that it is the answer of */
  #ofAnswer(written) {
    if (this.#isTooFar()) return undefined;
    const node = inside(written);
    if (node.type === 'AwaitExpression') return this.#ofAnswer(node.argument);
    if (node.type === 'CallExpression') {
      const callee = bare(node.callee);
      const name = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
      if (callee.type === 'MemberExpression' && (name === 'catch' || name === 'finally'))
        return this.#ofAnswer(callee.object);
      return QUERIES.has(this.recognized(node)?.shape.method ?? 'info') ? node : undefined;
    }
    const declared = node.type === 'Identifier' ? this.#declared(node) : undefined;
    if (!declared) return undefined;
    const parent = this.code.parentOf(declared);
    if (parent?.type === 'VariableDeclarator') return parent.init ? this.#ofAnswer(parent.init) : undefined;
    return this.#ofParameter(declared);
  }

  /** @param {AnyNode} param @returns {CallExpression | undefined} the query whose answer the function gets */
  #ofParameter(param) {
    const fn = functionAround(param, this.code);
    const call = fn && this.code.parentOf(fn);
    if (!fn || call?.type !== 'CallExpression') return undefined;
    const callee = bare(call.callee);
    if (callee.type === 'MemberExpression' && memberName(callee) === 'then') {
      return call.arguments[0] === fn && fn.params[0] === param ? this.#ofAnswer(callee.object) : undefined;
    }
    return call.arguments.at(-1) === fn && fn.params[1] === param ? this.#ofAnswer(call) : undefined;
  }

  /**
   * @param {AnyNode} written
   * @param {(node: AnyNode) => boolean} isRow
   * @param {AnyNode} variable of the loop
   * @returns {string | undefined} the member of the row that it is: `id` of `row.id`
   */
  keyOfRow(written, isRow, variable) {
    if (this.#isTooFar()) return undefined;
    const node = inside(written);
    if (node.type === 'MemberExpression') {
      const object = inside(node.object);
      const declared = object.type === 'Identifier' && !isRow(object) ? this.#declared(object) : undefined;
      const parent = declared && this.code.parentOf(declared);
      const row = parent?.type === 'VariableDeclarator' && parent.id === declared && parent.init ? parent.init : object;
      return isRow(inside(row)) ? memberName(node) : undefined;
    }
    const declared = node.type === 'Identifier' ? this.#declared(node) : undefined;
    const parent = declared && this.code.parentOf(declared);
    if (parent?.type === 'VariableDeclarator')
      return parent.init ? this.keyOfRow(parent.init, isRow, variable) : undefined;
    if (parent?.type !== 'Property') return undefined;
    const pattern = this.code.parentOf(parent);
    const holder = pattern && this.code.parentOf(pattern);
    const isOfRow =
      pattern === variable || (holder?.type === 'VariableDeclarator' && holder.init && isRow(inside(holder.init)));
    return isOfRow ? nameOf(parent.key) : undefined;
  }

  /** @param {Identifier} id @returns {AnyNode | undefined} where the name gets its only value */
  #declared(id) {
    const binding = bindingAt(id, this.code.resolved);
    const isConstant = binding?.references.every(({ writes, declares }) => !writes || declares);
    return isConstant && binding?.declarations.length === 1 ? binding.declarations[0] : undefined;
  }

  /** @returns {boolean} */
  #isTooFar() {
    this.#steps += 1;
    return this.#steps > 2 * MAX_STEPS;
  }
}

/** @param {AnyNode} written @returns {AnyNode} without parentheses, `?.` and types around it */
function inside(written) {
  let node = bare(written);
  for (;;) {
    const inner = node.type === 'ChainExpression' ? node.expression : unwrapType(node);
    if (!inner || inner === node) return node;
    node = bare(inner);
  }
}

/**
 * @param {AnyNode} node
 * @param {{over: AnyNode, variable: AnyNode, form: string}} loop
 * @param {Code} code
 * @returns {boolean} whether it is the row of the turn
 */
function isRow(node, { over, variable, form }, code) {
  if (form === 'for') {
    return (
      node.type === 'MemberExpression' && node.computed && code.source(bare(node.object)) === code.source(bare(over))
    );
  }
  return (
    node.type === 'Identifier' &&
    variable.type === 'Identifier' &&
    bindingAt(node, code.resolved) === bindingAt(variable, code.resolved)
  );
}

/**
 * @param {CallExpression} query
 * @param {Recognized} known
 * @param {Code} code
 * @returns {string} `await db.view('orders', 'by_status', { include_docs: true })`
 */
function withDocs(query, { shape, client }, code) {
  const option = clientNamed(client)?.hasNamedArguments ? 'includeDocs: true' : 'include_docs: true';
  const shown = query.arguments.map((item, index) => {
    if (isFunction(item)) return '…';
    if (index === shape.options) return withOption(item, option, code);
    const isPlain = item.type === 'Literal' || item.type === 'Identifier';
    return isPlain ? code.source(item) : '…';
  });
  const at = shape.options ?? 0;
  const given = query.arguments[at];
  if (!given || isFunction(given)) shown.splice(at, 0, `{ ${option} }`);
  const isAwaited = code.parentOf(query)?.type === 'AwaitExpression';
  return `${isAwaited ? 'await ' : ''}${shownCallee(query.callee, code)}(${shown.join(', ')})`;
}

/** @param {AnyNode} item @param {string} option @param {Code} code @returns {string} the options with one more */
function withOption(item, option, code) {
  const written = bare(item);
  const text = code.source(written).replace(/\s+/g, ' ');
  if (written.type !== 'ObjectExpression')
    return text.length > MAX_OPTIONS ? `{ …, ${option} }` : `{ ...${text}, ${option} }`;
  if (written.properties.length === 0) return `{ ${option} }`;
  const inner = text.slice(1, -1).trim().replace(/,$/, '');
  return inner.length > MAX_OPTIONS ? `{ …, ${option} }` : `{ ${inner}, ${option} }`;
}
