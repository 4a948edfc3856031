// Recognizes a map whose text shows that it throws on no document: each read stands below a value that a test has shown to be there, and nothing is
// called that could throw. Anything that it does not know makes it say no. An intraprocedural must-analysis of non-null access paths.

import { namesOf } from './analyse.js';
import { bindingAt } from './names.js';
import { bare, memberName } from './parse.js';

/** @import { AnyNode, CallExpression, NewExpression } from 'acorn' */
/** @import { Binding, Names } from './names.js' */
/** @import { FunctionNode, ParsedFunction } from './parse.js' */

/** Access paths that are neither null nor missing: `doc`, `doc.address`; `text doc.name` and `date day` where they are such values. @typedef {ReadonlySet<string>} Present */

/** Functions that throw on no value of a JSON document (ECMA-262; share/server/views.js and loop.js, 3.5.2): none of its objects has methods. */
const TOTAL_CALLS = new Set(
  (
    'emit isArray log toJSON parseInt parseFloat isNaN isFinite Number String Boolean Array.isArray JSON.stringify Date.parse Date.UTC Date.now ' +
    'Math.abs Math.ceil Math.floor Math.max Math.min Math.pow Math.random Math.round Math.sqrt'
  ).split(' '),
);
/** Methods of a date that throw for no date: `toISOString` throws where it is invalid. */
const TOTAL_DATE_METHOD = /^get\w+$/;
/** Methods of a string which throw for no arguments that this reads. */
const TOTAL_TEXT_METHOD =
  /^(?:charAt|charCodeAt|concat|(?:lastI|i)ndexOf|replace|slice|split|substr|substring|toLowerCase|toUpperCase|trim)$/;
/** Those that give no text. */
const OTHER_RESULT = /^(?:charCodeAt|(?:lastI|i)ndexOf|split)$/;
/** Members of a stored document that are strings. */
const TEXT_MEMBERS = new Set(['_id', '_rev']);
const VALUES = new Set(['undefined', 'NaN', 'Infinity']);
/** Throws where its first argument is null or missing. */
const OWN_PROPERTY = 'Object.prototype.hasOwnProperty.call';
/** Types of which no value is null. */
const SOLID_TYPES = new Set(['string', 'number', 'boolean', 'function']);

/**
 * @param {ParsedFunction} tree of a map
 * @returns {boolean} whether it is certain to throw on no document. JSON objects that hold `toString` and `valueOf` themselves are left out: almost
 *   any operator throws on them.
 */
export function throwsNever(tree) {
  const { fn } = tree;
  if (!fn || tree.roots.length !== 1) return false;
  const [doc] = fn.params;
  if (fn.async || fn.generator || doc?.type !== 'Identifier') return false;
  if (fn.params.some(({ type }) => type !== 'Identifier')) return false;
  return new Reader(namesOf(tree), doc.name).isTotal(fn);
}

class Reader {
  /** @param {Names} names @param {string} doc name of the document */
  constructor(names, doc) {
    this.names = names;
    this.doc = doc;
    /** Whether what it reads is in a `try`: then nothing has to be there. */
    this.isCaught = false;
  }

  /** @param {FunctionNode} fn @returns {boolean} */
  isTotal({ body }) {
    const present = new Set([this.doc]);
    if (body.type !== 'BlockStatement') return this.canRead(body, present);
    return this.afterAll(body.body, present) !== undefined;
  }

  /**
   * @param {AnyNode[]} statements
   * @param {Present} before
   * @returns {Present | undefined} what is present after them; undefined where one may throw
   */
  afterAll(statements, before) {
    /** @type {Present | undefined} */
    let present = before;
    for (const statement of statements) {
      present = this.after(statement, present);
      if (!present) return undefined;
    }
    return present;
  }

  /**
   * @param {AnyNode} statement
   * @param {Present} present
   * @returns {Present | undefined} what is present after it; undefined where it may throw
   */
  after(statement, present) {
    switch (statement.type) {
      case 'EmptyStatement':
      case 'BreakStatement':
        return present;
      case 'BlockStatement':
        return this.afterAll(statement.body, present) && present;
      case 'ExpressionStatement':
        return this.canRead(statement.expression, present) ? present : undefined;
      case 'ReturnStatement':
        return !statement.argument || this.canRead(statement.argument, present) ? present : undefined;
      case 'VariableDeclaration':
        return this.canDeclare(statement, present) ? this.#declared(statement, present) : undefined;
      case 'IfStatement':
        return this.afterIf(statement, present);
      case 'ForInStatement':
        return this.canLoop(statement, present) ? present : undefined;
      case 'ForStatement':
        return this.canCount(statement, present) ? present : undefined;
      case 'TryStatement':
        return this.canTry(statement, present) ? present : undefined;
      case 'SwitchStatement':
        return this.canRead(statement.discriminant, present) &&
          statement.cases.every(
            ({ test, consequent }) => (!test || this.canRead(test, present)) && this.afterAll(consequent, present),
          )
          ? present
          : undefined;
      default:
        return undefined;
    }
  }

  /**
   * @param {import('acorn').IfStatement} statement
   * @param {Present} present
   * @returns {Present | undefined}
   */
  afterIf({ test, consequent, alternate }, present) {
    if (!this.canRead(test, present)) return undefined;
    const [met, unmet] = [this.#with(present, test, true), this.#with(present, test, false)];
    if (!this.after(consequent, met) || (alternate && !this.after(alternate, unmet))) return undefined;
    if (leaves(consequent)) return unmet;
    return alternate && leaves(alternate) ? met : present;
  }

  /** @param {import('acorn').VariableDeclaration} declaration @param {Present} present @returns {boolean} */
  canDeclare({ kind, declarations }, present) {
    // Other names may be read before they have a value.
    return (
      kind === 'var' &&
      declarations.every(({ id, init }) => id.type === 'Identifier' && (!init || this.canRead(init, present)))
    );
  }

  /** @param {import('acorn').VariableDeclaration} declaration @param {Present} present @returns {Present} with the variables that have but this value */
  #declared({ declarations }, present) {
    const shown = declarations.flatMap(({ id, init }) => {
      if (!init || id.type !== 'Identifier' || !this.#isSettled(id) || !this.#isThere(init, present)) return [];
      if (this.#isText(init, present)) return [id.name, `text ${id.name}`];
      return bare(init).type === 'NewExpression' ? [id.name, `date ${id.name}`] : [id.name];
    });
    return shown.length > 0 ? new Set([...present, ...shown]) : present;
  }

  /** @param {import('acorn').TryStatement} statement @param {Present} present @returns {boolean} */
  canTry({ block, handler, finalizer }, present) {
    if (finalizer && !this.after(finalizer, present)) return false;
    if (!handler) return this.after(block, present) !== undefined;
    if (handler.param && handler.param.type !== 'Identifier') return false;
    const caught = Object.assign(new Reader(this.names, this.doc), { isCaught: true });
    return caught.after(block, present) !== undefined && this.after(handler.body, present) !== undefined;
  }

  /** @param {import('acorn').ForInStatement} statement @param {Present} present @returns {boolean} */
  canLoop({ left, right, body }, present) {
    const isOwn = left.type === 'VariableDeclaration' ? this.canDeclare(left, present) : this.#isLocal(left);
    if (!isOwn || !this.canRead(right, present)) return false;
    // What has a member is there.
    const path = this.#pathOf(right);
    return this.after(body, path === undefined ? present : new Set([...present, path])) !== undefined;
  }

  /**
   * @param {import('acorn').ForStatement} statement
   * @param {Present} present
   * @returns {boolean} whether it counts up to a length, `for (var i = 0; i < doc.items.length; i++)`, and throws for no document
   */
  canCount({ init, test, update, body }, present) {
    if (init?.type !== 'VariableDeclaration' || !this.canDeclare(init, present)) return false;
    if (test?.type !== 'BinaryExpression' || test.operator !== '<' || update?.type !== 'UpdateExpression') return false;
    const { left, right } = test;
    if (left.type !== 'Identifier' || update.operator !== '++') return false;
    if (right.type !== 'MemberExpression' || memberName(right) !== 'length' || !this.canRead(right, present))
      return false;
    const binding = bindingAt(left, this.names);
    const counts = update.argument.type === 'Identifier' && bindingAt(update.argument, this.names) === binding;
    return counts && binding?.kind === 'variable' && writesOf(binding) === 2 && this.after(body, present) !== undefined;
  }

  /**
   * @param {AnyNode} given
   * @param {Present} present
   * @returns {boolean} whether it throws for no document
   */
  canRead(given, present) {
    const node = bare(given);
    const all = (/** @type {(AnyNode | null)[]} */ parts) =>
      parts.every((part) => !part || this.canRead(part, present));
    switch (node.type) {
      case 'Literal':
        return true;
      case 'Identifier':
        return this.#isLocal(node) || VALUES.has(node.name);
      case 'MemberExpression':
        return (
          node.object.type !== 'Super' &&
          this.canRead(node.object, present) &&
          (!node.computed || this.canRead(node.property, present)) &&
          (node.optional || this.isCaught || this.#isThere(node.object, present))
        );
      case 'UnaryExpression':
        return node.operator !== 'delete' && this.canRead(node.argument, present);
      case 'BinaryExpression':
        return node.operator !== 'in' && node.operator !== 'instanceof' && all([node.left, node.right]);
      case 'LogicalExpression':
        return (
          node.operator !== '??' &&
          this.canRead(node.left, present) &&
          this.canRead(node.right, this.#with(present, node.left, node.operator === '&&'))
        );
      case 'ConditionalExpression':
        return (
          this.canRead(node.test, present) &&
          this.canRead(node.consequent, this.#with(present, node.test, true)) &&
          this.canRead(node.alternate, this.#with(present, node.test, false))
        );
      case 'ArrayExpression':
        return all(node.elements);
      case 'ObjectExpression':
        return node.properties.every(
          (part) =>
            part.type === 'Property' &&
            part.kind === 'init' &&
            (!part.computed || this.canRead(part.key, present)) &&
            this.canRead(part.value, present),
        );
      case 'CallExpression':
        return this.#isTotalCall(node, present) && all(node.arguments);
      case 'NewExpression':
        return this.#isDate(node) && all(node.arguments);
      default:
        return false;
    }
  }

  /** @param {CallExpression} call @param {Present} present @returns {boolean} whether what it calls throws for no arguments; a spread argument is none that can be read */
  #isTotalCall({ callee, optional, arguments: [first] }, present) {
    if (optional) return false;
    if (this.#isTotalGlobal(callee)) return true;
    if (callee.type !== 'MemberExpression' || callee.object.type === 'Super') return false;
    const method = memberName(callee) ?? '';
    const { object } = callee;
    if (nameOf(callee) === OWN_PROPERTY)
      return first !== undefined && this.#isGlobal(callee) && this.#isThere(first, present);
    if (!this.canRead(object, present)) return false;
    if (object.type === 'Literal' && 'regex' in object) return method === 'test';
    const isDate = object.type === 'NewExpression' || present.has(`date ${this.#pathOf(object)}`);
    return isDate ? TOTAL_DATE_METHOD.test(method) : this.#isTextCall(callee, present);
  }

  /** @param {AnyNode} callee @returns {boolean} whether it is one of TOTAL_CALLS, and no name of the map's own */
  #isTotalGlobal(callee) {
    return TOTAL_CALLS.has(nameOf(callee)) && this.#isGlobal(callee);
  }

  /** @param {AnyNode} node a name, or members of one @returns {boolean} whether the name is none of the map's own */
  #isGlobal(node) {
    return node.type === 'MemberExpression' ? this.#isGlobal(node.object) : !this.#isLocal(node);
  }

  /** @param {AnyNode} given @param {Present} present @returns {boolean} whether it is a string */
  #isText(given, present) {
    const node = bare(given);
    if (node.type === 'Literal') return typeof node.value === 'string';
    if (node.type !== 'CallExpression') return this.#isTextMember(node) || present.has(`text ${this.#pathOf(node)}`);
    const { callee } = node;
    if (callee.type !== 'MemberExpression') return nameOf(callee) === 'String' && this.#isTotalGlobal(callee);
    return !OTHER_RESULT.test(memberName(callee) ?? '') && this.#isTextCall(callee, present);
  }

  /** @param {import('acorn').MemberExpression} callee @param {Present} present @returns {boolean} whether it is a method of a string that is known */
  #isTextCall(callee, present) {
    return TOTAL_TEXT_METHOD.test(memberName(callee) ?? '') && this.#isText(callee.object, present);
  }

  /** @param {AnyNode} node @returns {boolean} whether it is the id or the revision of the document */
  #isTextMember(node) {
    if (node.type !== 'MemberExpression' || !TEXT_MEMBERS.has(memberName(node) ?? '')) return false;
    return this.#pathOf(node.object) === this.doc;
  }

  /** @param {NewExpression} node @returns {boolean} */
  #isDate({ callee }) {
    return callee.type === 'Identifier' && callee.name === 'Date' && !this.#isLocal(callee);
  }

  /** @param {AnyNode} node @param {Present} present @returns {boolean} whether it is neither null nor undefined */
  #isThere(node, present) {
    const inner = bare(node);
    if (inner.type === 'ArrayExpression' || inner.type === 'ObjectExpression') return true;
    if (inner.type === 'Literal') return inner.raw !== 'null';
    if (inner.type === 'NewExpression') return this.#isDate(inner);
    // All that can be read of the methods that are known is a value.
    if (inner.type === 'CallExpression' && inner.callee.type === 'MemberExpression')
      return this.#isTextCall(inner.callee, present);
    if (inner.type === 'CallExpression') return this.#isText(inner, present);
    const path = this.#pathOf(inner);
    return path !== undefined && present.has(path);
  }

  /** @param {Present} present @param {AnyNode} test @param {boolean} holds @returns {Present} what is present besides where the test gives that */
  #with(present, test, holds) {
    const shown = this.#shownBy(test, holds);
    return shown.length > 0 ? new Set([...present, ...shown]) : present;
  }

  /**
   * @param {AnyNode} given
   * @param {boolean} holds
   * @returns {string[]} paths that are neither null nor missing where the test gives that
   */
  #shownBy(given, holds) {
    const node = bare(given);
    if (node.type === 'UnaryExpression' && node.operator === '!') return this.#shownBy(node.argument, !holds);
    if (node.type === 'LogicalExpression' && (node.operator === '&&') === holds && node.operator !== '??')
      return [...this.#shownBy(node.left, holds), ...this.#shownBy(node.right, holds)];
    if (node.type === 'BinaryExpression') return this.#shownByComparison(node, holds);
    if (node.type === 'CallExpression')
      return holds && /^(?:Array\.)?isArray$/.test(nameOf(node.callee)) && this.#isTotalGlobal(node.callee)
        ? this.#pathsOf(node.arguments[0])
        : [];
    return holds ? this.#pathsOf(node) : [];
  }

  /**
   * @param {import('acorn').BinaryExpression} comparison
   * @param {boolean} holds
   * @returns {string[]}
   */
  #shownByComparison({ operator, left, right }, holds) {
    const isEqual = operator === '==' || operator === '===';
    if (!isEqual && operator !== '!=' && operator !== '!==') return [];
    const [literal, other] = right.type === 'Literal' ? [right, left] : [left, right];
    if (literal.type !== 'Literal' || other.type === 'PrivateIdentifier') return [];
    const compared = bare(other);
    if (compared.type === 'UnaryExpression' && compared.operator === 'typeof') {
      const shown = holds === isEqual && SOLID_TYPES.has(String(literal.value)) ? this.#pathsOf(compared.argument) : [];
      return literal.value === 'string' ? shown.flatMap((path) => [path, `text ${path}`]) : shown;
    }
    // Only `!= null` rules out both null and undefined.
    if (literal.raw === 'null') return operator.length === 2 && holds !== isEqual ? this.#pathsOf(other) : [];
    return holds === isEqual ? this.#pathsOf(other) : [];
  }

  /** @param {AnyNode | undefined} node @returns {string[]} */
  #pathsOf(node) {
    const path = node && this.#pathOf(bare(node));
    return path === undefined ? [] : [path];
  }

  /**
   * @param {AnyNode} node
   * @returns {string | undefined} the access path, as JSON: it names the same value wherever a test of it was met, since a document is frozen and its
   *   names are given a value once
   */
  #pathOf(node) {
    if (node.type === 'Identifier') return this.#isSettled(node) ? node.name : undefined;
    if (node.type !== 'MemberExpression' || node.optional || node.object.type === 'Super') return undefined;
    const of = this.#pathOf(bare(node.object));
    const name = memberName(node);
    if (of === undefined) return undefined;
    if (name !== undefined) return `${of}.${JSON.stringify(name)}`;
    const { property } = node;
    return property.type === 'Identifier' && this.#isSettled(property) ? `${of}.[${property.name}]` : undefined;
  }

  /** @param {import('acorn').Identifier} node @returns {boolean} whether it is the document, or a variable with one value */
  #isSettled(node) {
    const binding = bindingAt(node, this.names);
    if (binding?.kind === 'parameter') return writesOf(binding) === 0;
    return binding?.kind === 'variable' && writesOf(binding) === 1;
  }

  /** @param {AnyNode} node @returns {boolean} */
  #isLocal(node) {
    return node.type === 'Identifier' && bindingAt(node, this.names) !== undefined;
  }
}

/** @param {Binding} binding @returns {number} */
function writesOf({ references }) {
  return references.filter(({ writes }) => writes).length;
}

/** @param {AnyNode} node @returns {string} */
function nameOf(node) {
  if (node.type !== 'MemberExpression') return node.type === 'Identifier' ? node.name : '';
  return `${nameOf(node.object)}.${memberName(node)}`;
}

/** @param {AnyNode} statement @returns {boolean} whether nothing behind it runs after it */
function leaves(statement) {
  return statement.type === 'BlockStatement' ? statement.body.some(leaves) : statement.type === 'ReturnStatement';
}
