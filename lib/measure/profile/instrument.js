// Inserts probes into the texts of a function and of its libraries: a call before each statement and each part of an expression that is only
// sometimes evaluated, and one at the beginning and the end of each function. What the texts do stays the same.

import { isFunction, namesIn } from '../../javascript/names.js';
import { parseFunction, parseModule } from '../../javascript/parse.js';
import { childrenOf, pushChildren } from '../../javascript/walk.js';
import { countOperations, isOperation } from './operations.js';

/** @import { AnyNode, BlockStatement, Function as AnyFunction, Statement } from 'acorn' */

/** @typedef {{name: string, text: string, isModule: boolean}} Source */

/**
 * @typedef {object} Probe A stretch of code that is evaluated as a whole each time it is reached.
 * @property {number} source its number
 * @property {number} offset where it begins in the text
 * @property {number} operations that one pass takes: reads of members, calls, operators, assignments, objects that are made
 */

/** @typedef {{name: string, source: number, offset: number, end: number}} ProfiledFunction */

/**
 * @typedef {object} Instrumented
 * @property {string} prefix of the names that the probes call: `…e(function)`, `…l()`, `…v(value)`, `…p(probe)`
 * @property {string[]} texts with probes, in the order of the sources
 * @property {Probe[]} probes the first represents no code at all
 * @property {ProfiledFunction[]} functions
 */

/** @typedef {{fault: string, source: number, offset: number}} CannotInstrument */

/** @typedef {{at: number, text: string}} Insertion */

/** The first function is the main one; while no function runs, this one counts. */
const OUTSIDE = { source: 0, offset: 0, operations: 0 };

/**
 * @param {Source[]} sources the function first, then its libraries
 * @param {string} name of the main function: `map`
 * @returns {Instrumented | CannotInstrument}
 */
export function instrument(sources, name) {
  const all = sources.map(({ text }) => text).join('\n');
  let prefix = '__profile';
  while (all.includes(prefix)) prefix += '_';
  /** @type {Instrumented} */
  const made = { prefix, texts: [], probes: [OUTSIDE], functions: [] };
  for (const [at, { text, isModule }] of sources.entries()) {
    const parsed = isModule ? parseModule(text) : parseFunction(text);
    if (!parsed.ok) return { fault: parsed.message, source: at, offset: parsed.offset };
    if (!isModule && !parsed.fn) return { fault: 'the source is not a function', source: at, offset: 0 };
    const writer = new Writer(made, at);
    if (parsed.fn)
      writer.names.set(
        parsed.fn,
        parsed.fn.type !== 'ArrowFunctionExpression' && parsed.fn.id ? parsed.fn.id.name : name,
      );
    try {
      for (const root of parsed.roots) writer.visit(root);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return { fault: 'the code is nested too deeply to profile', source: at, offset: 0 };
    }
    made.texts.push(insert(text, writer));
  }
  return made;
}

/** Goes through the tree of one source and notes what is to be inserted where. */
class Writer {
  /** What ends at a place comes before what begins there. @type {Insertion[]} */
  opening = [];
  /** @type {Insertion[]} */
  closing = [];
  /** @type {Map<AnyNode, string>} */
  names = new Map();
  /** Whether the returns of the function at hand have to report that they leave it. */
  watchesReturns = false;

  /** @param {Instrumented} made is added to @param {number} source */
  constructor(made, source) {
    this.made = made;
    this.source = source;
  }

  /** @param {number} at @param {string} text */
  open(at, text) {
    this.opening.push({ at, text });
  }

  /** @param {number} at @param {string} text */
  close(at, text) {
    this.closing.push({ at, text });
  }

  /**
   * @param {AnyNode} node whose own operations, without those of inner probes, are those of the probe
   * @param {readonly (AnyNode | null | undefined)[]} [parts] what of it counts; all of it where absent
   * @returns {string} the call
   */
  probe(node, parts = [node]) {
    let operations = 0;
    for (const part of parts) if (part) operations += countOperations(part);
    this.made.probes.push({ source: this.source, offset: node.start, operations });
    return `${this.made.prefix}p(${this.made.probes.length - 1})`;
  }

  /** @param {AnyNode} node an expression, or code outside of functions @returns {void} */
  visit(node) {
    if (isFunction(node)) return this.visitFunction(node);
    this.noteNames(node);
    if (node.type === 'ConditionalExpression') {
      this.visit(node.test);
      this.wrap(node.consequent);
      return this.wrap(node.alternate);
    }
    if (node.type === 'LogicalExpression') {
      this.visit(node.left);
      return this.wrap(node.right);
    }
    for (const child of childrenOf(node)) this.visit(child);
  }

  /** An expression that is evaluated on its own. @param {AnyNode} node @returns {void} */
  wrap(node) {
    if (!isOperation(node) && countOperations(node) === 0) return this.visit(node);
    this.wrapTest(node);
  }

  /** The test of a loop counts even where there is nothing to do: that is where one hangs. @param {AnyNode} node */
  wrapTest(node) {
    this.open(node.start, `(${this.probe(node)},`);
    this.visit(node);
    this.close(node.end, ')');
  }

  /** @param {AnyFunction & AnyNode} node */
  visitFunction(node) {
    const { prefix, functions } = this.made;
    for (const parameter of node.params) this.visit(parameter);
    const { body } = node;
    // Others are left and come back to in between.
    const isWatched = !node.generator && !node.async;
    const ownName = node.type !== 'ArrowFunctionExpression' && node.id ? node.id.name : 'function';
    const number = functions.length;
    if (isWatched) {
      const name = this.names.get(node) ?? ownName;
      functions.push({ name, source: this.source, offset: node.start, end: node.end });
    }
    // `var f` beside `function f() {}` is sound in a function, and not in a block.
    const canWrap = body.type !== 'BlockStatement' || !hasDoubleName(body);
    const tries = canWrap
      ? [`${prefix}e(${number});try{`, `}finally{${prefix}l()}`]
      : [`${prefix}e(${number});`, `;${prefix}l()`];
    const [begin, end] = /** @type {[string, string]} */ (isWatched ? tries : ['', '']);
    const outer = this.watchesReturns;
    this.watchesReturns = isWatched && !canWrap;
    this.visitFunctionBody(body, begin, end);
    this.watchesReturns = outer;
  }

  /**
   * @param {AnyFunction['body'] & AnyNode} body
   * @param {string} begin
   * @param {string} end
   */
  visitFunctionBody(body, begin, end) {
    if (body.type !== 'BlockStatement') {
      this.open(body.start, `{${begin}${this.probe(body)};return (`);
      this.visit(body);
      return this.close(body.end, `)${end}}`);
    }
    const first = body.body.findIndex((statement) => !('directive' in statement));
    const statements = first === -1 ? [] : body.body.slice(first);
    const last = body.body[(first === -1 ? body.body.length : first) - 1];
    // Behind `"use strict"`, which is none elsewhere.
    const start = last ? last.end : body.start + 1;
    if (statements.length === 0) return this.open(start, `;${begin}${end}`);
    this.open(start, `;${begin}`);
    this.visitList(statements);
    this.close(body.end - 1, end);
  }

  /** @param {readonly AnyNode[]} statements */
  visitList(statements) {
    for (const statement of statements) this.visitStatement(/** @type {Statement} */ (statement), true);
  }

  /** A statement that stands alone behind `if`, `for` and the like. @param {Statement | null | undefined} node */
  visitBody(node) {
    if (node) this.visitStatement(node, false);
  }

  /**
   * @param {Statement} node
   * @param {boolean} isInList whether another statement may stand before it
   */
  visitStatement(node, isInList) {
    if (node.type === 'BlockStatement') return this.visitList(node.body);
    if (node.type === 'FunctionDeclaration') return this.visitFunction(node);
    if (node.type === 'EmptyStatement') return;
    if (node.type === 'TryStatement') {
      if (!isInList) this.open(node.start, '{');
      this.visitList(node.block.body);
      if (node.handler) this.visitList(node.handler.body.body);
      if (node.finalizer) this.visitList(node.finalizer.body);
      if (!isInList) this.close(node.end, '}');
      return;
    }
    this.open(node.start, `${isInList ? '' : '{'}${this.probe(node, headOf(node))};`);
    if (node.type === 'ReturnStatement' && this.watchesReturns) {
      const { prefix } = this.made;
      if (!node.argument) this.open(node.start, `${prefix}l();`);
      else {
        this.open(node.argument.start, `${prefix}v((`);
        this.visit(node.argument);
        this.close(node.argument.end, '))');
      }
    } else this.visitInside(node);
    if (!isInList) this.close(node.end, '}');
  }

  /** @param {Statement} node with its probe before it @returns {void} */
  visitInside(node) {
    switch (node.type) {
      case 'LabeledStatement':
        return node.body.type === 'BlockStatement' ? this.visitList(node.body.body) : this.visitInside(node.body);
      case 'IfStatement':
        this.visit(node.test);
        this.visitBody(node.consequent);
        return this.visitBody(node.alternate);
      case 'ForStatement':
        if (node.init) this.visit(node.init);
        if (node.test) this.wrapTest(node.test);
        if (node.update) this.wrap(node.update);
        return this.visitBody(node.body);
      case 'ForInStatement':
      case 'ForOfStatement':
        this.visit(node.left);
        this.visit(node.right);
        return this.visitBody(node.body);
      case 'WhileStatement':
        this.wrapTest(node.test);
        return this.visitBody(node.body);
      case 'DoWhileStatement':
        this.visitBody(node.body);
        return this.wrapTest(node.test);
      case 'WithStatement':
        this.visit(node.object);
        return this.visitBody(node.body);
      case 'SwitchStatement':
        this.visit(node.discriminant);
        for (const { test, consequent } of node.cases) {
          if (test) this.visit(test);
          this.visitList(consequent);
        }
        return;
      default:
        this.visit(node);
    }
  }

  /** Functions are called by what they are given to. @param {AnyNode} node */
  noteNames(node) {
    if (node.type === 'VariableDeclarator' && node.init) this.nameBy(node.init, node.id);
    else if (node.type === 'AssignmentExpression') this.nameBy(node.right, node.left);
    else if (node.type === 'Property' || node.type === 'MethodDefinition' || node.type === 'PropertyDefinition') {
      if (node.value) this.nameBy(node.value, node.key);
    } else if (node.type === 'CallExpression') {
      const called = nameOf(node.callee);
      for (const argument of node.arguments) {
        if (isFunction(argument) && called !== '') this.names.set(argument, `${called} callback`);
      }
    }
  }

  /** @param {AnyNode} value @param {AnyNode} target */
  nameBy(value, target) {
    const name = nameOf(target);
    if (isFunction(value) && name !== '' && !this.names.has(value)) this.names.set(value, name);
  }
}

/**
 * @param {Statement} node
 * @returns {(AnyNode | null | undefined)[]} what of it is evaluated when it is reached, before what has probes of its own
 */
function headOf(node) {
  switch (node.type) {
    case 'IfStatement':
      return [node.test];
    case 'ForStatement':
      return [node.init];
    case 'ForInStatement':
    case 'ForOfStatement':
      return [node.right];
    case 'SwitchStatement':
      return [node.discriminant, ...node.cases.map((one) => one.test)];
    case 'WithStatement':
      return [node.object];
    case 'LabeledStatement':
      return headOf(node.body);
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'BlockStatement':
      return [];
    default:
      return [node];
  }
}

/**
 * @param {AnyNode} node
 * @returns {string} the last name in it; empty where it has none
 */
function nameOf(node) {
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return node.name;
  if (node.type === 'Literal') return String(node.value).slice(0, 40);
  if (node.type === 'MemberExpression') return nameOf(node.property);
  return '';
}

/**
 * @param {BlockStatement} body of a function
 * @returns {boolean} whether a function that is declared in it has the name of a `var`
 */
function hasDoubleName({ body }) {
  const declared = new Set(body.flatMap((node) => (node.type === 'FunctionDeclaration' ? [node.id.name] : [])));
  if (declared.size === 0) return false;
  /** @type {AnyNode[]} */
  const waiting = [...body];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (isFunction(node)) continue;
    if (node.type === 'VariableDeclaration' && node.kind === 'var') {
      for (const { id } of node.declarations) if (namesIn(id).some((name) => declared.has(name))) return true;
    }
    pushChildren(node, waiting);
  }
  return false;
}

/**
 * @param {string} text
 * @param {{opening: Insertion[], closing: Insertion[]}} insertions each list in the order in which things of one place follow each other
 * @returns {string}
 */
function insert(text, { opening, closing }) {
  const all = [
    ...closing.map((one, order) => ({ ...one, kind: 0, order })),
    ...opening.map((one, order) => ({ ...one, kind: 1, order })),
  ].sort((one, other) => one.at - other.at || one.kind - other.kind || one.order - other.order);
  /** @type {string[]} */
  const parts = [];
  let done = 0;
  for (const { at, text: inserted } of all) {
    parts.push(text.slice(done, at), inserted);
    done = at;
  }
  return parts.join('') + text.slice(done);
}
