// Adds an `emit` of a mark to each step of a map: how far a document gets is then visible, even if nothing else is
// emitted for it. Runs nothing.

import { isFunction } from '../../javascript/names.js';
import { parseFunction } from '../../javascript/parse.js';
import { walkNodes } from '../../javascript/walk.js';

/** @import { AnyNode } from 'acorn' */

/** The first part of the key of each mark. No map of a user emits it. */
export const MARK = '\u0001couch-advisor step';

/** Where statements hold another that need not be a block. @type {Map<string, string[]>} */
const BODIES = new Map(
  Object.entries({
    IfStatement: ['consequent', 'alternate'],
    ForStatement: ['body'],
    ForInStatement: ['body'],
    ForOfStatement: ['body'],
    WhileStatement: ['body'],
    DoWhileStatement: ['body'],
  }),
);

/** @typedef {{at: number, order: number, text: string}} Insertion */

/**
 * @param {string} map
 * @returns {string | undefined} undefined where it cannot be read
 */
export function markSteps(map) {
  const parsed = parseFunction(map);
  if (!parsed.ok || !parsed.fn) return undefined;
  const steps = new Steps();
  walkNodes([parsed.fn], (node) => steps.visit(node));
  const { body } = parsed.fn;
  if (body.type === 'BlockStatement') {
    steps.insert(body.start + 1, 'try{', -1);
    steps.insert(body.end - 1, `}catch(error){emit([${JSON.stringify(MARK)},'threw'],String(error));}`, 1);
  }
  return steps.written(map);
}

class Steps {
  /** @type {Insertion[]} */
  #insertions = [];
  #count = 0;

  /** @param {number} at @param {string} text @param {number} [order] among those at one place */
  insert(at, text, order = 0) {
    this.#insertions.push({ at, text, order });
  }

  /** @returns {string} an expression */
  #mark() {
    this.#count += 1;
    return `emit([${JSON.stringify(MARK)},${this.#count}])`;
  }

  /** @param {AnyNode} node */
  visit(node) {
    if (node.type === 'BlockStatement') this.#before(node.body);
    else if (node.type === 'SwitchCase') this.#before(node.consequent);
    else if (node.type === 'LogicalExpression') this.#around(node.right);
    else if (node.type === 'ConditionalExpression') {
      this.#around(node.consequent);
      this.#around(node.alternate);
    } else if (isFunction(node) && node.body.type !== 'BlockStatement') this.#around(node.body);
    const fields = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (node));
    for (const place of BODIES.get(node.type) ?? []) {
      const body = /** @type {AnyNode | null} */ (fields[place]);
      if (!body || body.type === 'BlockStatement') continue;
      this.insert(body.start, `{${this.#mark()};`, body.start);
      this.insert(body.end, '}', -body.start);
    }
  }

  /** @param {AnyNode[]} statements */
  #before(statements) {
    for (const statement of statements) {
      if (statement.type === 'FunctionDeclaration' || 'directive' in statement) continue;
      this.insert(statement.start, `${this.#mark()};`);
    }
  }

  /** @param {AnyNode} expression */
  #around(expression) {
    this.insert(expression.start, `(${this.#mark()},`, expression.start);
    this.insert(expression.end, ')', -expression.start);
  }

  /** @param {string} text @returns {string} */
  written(text) {
    // At one place what closes an inner part comes before what closes an outer one, and all that closes before what opens.
    const sorted = this.#insertions.sort((one, other) => one.at - other.at || one.order - other.order);
    let written = '';
    let last = 0;
    for (const { at, text: inserted } of sorted) {
      written += text.slice(last, at) + inserted;
      last = at;
    }
    return written + text.slice(last);
  }
}
