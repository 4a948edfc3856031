// Notes what a program does with the rows or documents of an answer as a list: goes through all, counts, picks some by their fields.

import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { unwrapType } from '../../javascript/typescript.js';

/** @import { AnyNode, CallExpression, Identifier, MemberExpression } from 'acorn' */
/** @import { Code } from './code.js' */
/** @import { ListUse, PickCondition } from './record.js' */

/** A field of a document, where it is read: a member expression, or a property of a pattern. @typedef {{name: string, node: AnyNode}} FieldRead */

/** Methods of lists whose function gets an item; `reduce` gives it behind the result so far. */
export const ITEM_METHODS = /^(?:map|forEach|flatMap|filter|find|some|every|findIndex|reduce)$/;
/** Those that give items again. */
export const KEEPING = new Set(['filter', 'slice', 'reverse', 'sort', 'concat']);
/** Methods that stop at the items they pick, or keep them. */
const PICKING = new Set(['filter', 'find', 'some', 'every', 'findIndex']);
/** Methods that look at every item. */
const GOING_THROUGH = new Set(['map', 'forEach', 'flatMap', 'reduce', 'reduceRight', 'sort']);
/** Methods that take one item by its position. */
const TAKING_ONE = new Set(['at', 'pop', 'shift']);
/** Up to this many results, a list of 25 is as good as all: `docs.length > 1`. */
const MAX_TESTED = 24;

const EQUAL = new Set(['===', '==']);
const UNEQUAL = new Set(['!==', '!=']);
/** Comparisons as a Mango selector has them, with the field on the left. @type {ReadonlyMap<string, string>} */
const RANGES = new Map([
  ['>', '$gt'],
  ['>=', '$gte'],
  ['<', '$lt'],
  ['<=', '$lte'],
]);
/** @type {ReadonlyMap<string, string>} */
const TURNED = new Map([
  ['>', '<'],
  ['>=', '<='],
  ['<', '>'],
  ['<=', '>='],
]);

/** What is around a value of which only the truth counts. */
const PRESENCE = new Set([
  'LogicalExpression',
  'IfStatement',
  'ConditionalExpression',
  'ReturnStatement',
  'ArrowFunctionExpression',
]);

export class ListUses {
  /** @type {ListUse[]} */
  list = [];
  /** Whether what is followed is a part of the list only, which says nothing about all of it. */
  isPart = false;

  /** @param {Code} code */
  constructor(code) {
    this.code = code;
  }

  /**
   * @param {ListUse['kind']} kind
   * @param {AnyNode} [node]
   * @param {PickCondition[]} [conditions]
   */
  add(kind, node, conditions = []) {
    const place = node && this.code.file.place(node.start, node.end);
    if (!this.isPart) this.list.push({ kind, place, conditions });
  }

  /** @param {MemberExpression} node `rows.length` */
  length(node) {
    this.add(this.#lengthUse(node), node);
  }

  /** @param {MemberExpression} node `rows[0]`, `rows[i]` */
  index(node) {
    this.add('first', node);
  }

  /**
   * @param {CallExpression} call of a method of the list
   * @param {string} name
   * @param {FieldRead[]} reads fields that its function reads, and others
   * @returns {boolean} whether its result is a part of the list that was picked by fields
   */
  method(call, name, reads) {
    const [fn] = call.arguments;
    if (PICKING.has(name)) {
      const conditions =
        fn && isFunction(fn) ? this.#conditions(fn.body, name === 'every' ? 'unknown' : 'picks', reads) : [];
      this.add('picked', call, conditions);
      return conditions.length > 0;
    }
    if (TAKING_ONE.has(name)) this.add('first', call);
    else if (GOING_THROUGH.has(name)) {
      if (name === 'forEach' && fn && isFunction(fn)) this.loop(call, fn.body, reads);
      else this.add('all', call);
    }
    return name === 'slice';
  }

  /**
   * @param {AnyNode} node the loop, or the call of `forEach`
   * @param {AnyNode} body
   * @param {FieldRead[]} reads fields that the body reads, and others
   */
  loop(node, body, reads) {
    /** @type {Map<string, PickCondition>} */
    const found = new Map();
    for (const { test, isGuard } of testsOf(body)) {
      for (const condition of this.#conditions(test, isGuard ? 'skips' : 'picks', reads)) {
        const isAgain = found.has(condition.field);
        found.set(condition.field, isAgain ? { ...condition, selector: null } : condition);
      }
    }
    const conditions = [...found.values()];
    this.add(conditions.length > 0 ? 'picked' : 'all', node, conditions);
  }

  /**
   * @param {MemberExpression} node
   * @returns {ListUse['kind']}
   */
  #lengthUse(node) {
    const { code } = this;
    /** @type {AnyNode} */
    let inner = node;
    let at = code.parentOf(node);
    while (at && (at.type === 'ParenthesizedExpression' || at.type === 'ChainExpression' || unwrapType(at) === inner)) {
      inner = at;
      at = code.parentOf(at);
    }
    if (at?.type === 'UnaryExpression' && at.operator === '!') return 'tested';
    if (at?.type === 'LogicalExpression' && at.left === inner && at.operator === '&&') return 'tested';
    if ((at?.type === 'IfStatement' || at?.type === 'ConditionalExpression') && at.test === inner) return 'tested';
    if (at?.type !== 'BinaryExpression') return 'counted';
    const around = code.parentOf(at);
    if (around?.type === 'ForStatement') return 'all';
    // The last item: `rows[rows.length - 1]`.
    if (around?.type === 'MemberExpression' && around.property === at) return 'first';
    const other = bare(at.left === inner ? at.right : at.left);
    const isSmall = other.type === 'Literal' && typeof other.value === 'number' && other.value <= MAX_TESTED;
    return isSmall && /^(?:[<>]=?|[!=]==?)$/.test(at.operator) ? 'tested' : 'counted';
  }

  /**
   * @param {AnyNode} body of a function that picks, or a test
   * @param {'picks' | 'skips' | 'unknown'} what it does with items of which the test is true
   * @param {FieldRead[]} reads
   * @returns {PickCondition[]} one for each field that is looked at; none where no field is
   */
  #conditions(body, what, reads) {
    const test = body.type === 'BlockStatement' ? returned(body) : body;
    const within = this.#usesOf(reads).filter(({ node }) => node.start >= body.start && node.end <= body.end);
    const parts = test && what !== 'unknown' ? partsOf(test, what === 'skips' ? '||' : '&&') : [];
    /** @type {Map<string, PickCondition>} */
    const found = new Map();
    for (const read of within) {
      const { field, node } = this.#wholePath(read);
      if (field.startsWith('_') || node.type === 'Property' || this.#isPresence(node)) continue;
      const selector = this.#selectorOf(node, parts, what === 'skips', within);
      const known = found.get(field);
      const place = this.code.file.place(node.start, node.end);
      // Two conditions on one field are no plain selector.
      found.set(field, { field, place, selector: known ? null : selector });
    }
    return [...found.values()];
  }

  /**
   * @param {AnyNode} node a field that is read
   * @returns {boolean} whether the test only sees that there is one: `if (doc.name) names.push(doc.name)` is about all documents
   */
  #isPresence(node) {
    const parent = this.code.parentOf(node);
    if (parent?.type === 'UnaryExpression') return parent.operator === '!';
    return parent === undefined || PRESENCE.has(parent.type);
  }

  /**
   * @param {FieldRead[]} reads
   * @returns {FieldRead[]} where a pattern makes a name of a field, the places where that name is read
   */
  #usesOf(reads) {
    return reads.flatMap(({ name, node }) => {
      if (node.type !== 'Property') return [{ name, node }];
      const target = node.value.type === 'AssignmentPattern' ? node.value.left : node.value;
      if (target.type !== 'Identifier') return [];
      const references = bindingAt(/** @type {Identifier} */ (target), this.code.resolved)?.references ?? [];
      return references.filter((one) => one.reads).map((one) => ({ name, node: /** @type {AnyNode} */ (one.node) }));
    });
  }

  /**
   * @param {FieldRead} read
   * @returns {{field: string, node: AnyNode}} with the members of its members: `doc.address.city`
   */
  #wholePath({ name, node }) {
    let field = name;
    /** @type {AnyNode} */
    let at = node;
    for (;;) {
      const parent = this.code.parentOf(at);
      if (!parent) break;
      if (parent.type === 'ChainExpression' || parent.type === 'ParenthesizedExpression' || unwrapType(parent) === at) {
        at = parent;
        continue;
      }
      const next = parent.type === 'MemberExpression' && parent.object === at ? memberName(parent) : undefined;
      const isCalled = next !== undefined && isCallee(parent, this.code);
      if (next === undefined || next === 'length' || isCalled) break;
      field = `${field}.${next}`;
      at = parent;
    }
    return { field, node: at };
  }

  /**
   * @param {AnyNode} node a field that is read
   * @param {AnyNode[]} parts of the test, which all must hold
   * @param {boolean} isTurned whether they are the reverse of what is picked
   * @param {FieldRead[]} reads
   * @returns {string | null} the value that a Mango selector has for the field
   */
  #selectorOf(node, parts, isTurned, reads) {
    const part = parts.find(({ start, end }) => node.start >= start && node.end <= end);
    if (part?.type !== 'BinaryExpression') return null;
    const { left, right, operator } = part;
    const isLeft = left.start <= node.start && node.end <= left.end;
    const [own, other] = isLeft ? [left, right] : [right, left];
    if (bare(own) !== bare(node) || reads.some((one) => one.node.start >= other.start && one.node.end <= other.end))
      return null;
    const value = this.code.source(other);
    if (value.length > 60 || value.includes('\n')) return null;
    if ((isTurned ? UNEQUAL : EQUAL).has(operator)) return value;
    const range = isTurned ? undefined : RANGES.get(isLeft ? operator : (TURNED.get(operator) ?? ''));
    return range ? `{ ${range}: ${value} }` : null;
  }
}

/** @param {AnyNode} node @param {Code} code @returns {boolean} */
function isCallee(node, code) {
  const parent = code.parentOf(node);
  return parent?.type === 'CallExpression' && parent.callee === node;
}

/**
 * @param {import('acorn').BlockStatement} block
 * @returns {AnyNode | undefined} what it returns, where it does nothing else
 */
function returned({ body }) {
  const [only] = body;
  return only?.type === 'ReturnStatement' && body.length === 1 ? (only.argument ?? undefined) : undefined;
}

/**
 * @param {AnyNode} body of a loop
 * @returns {{test: AnyNode, isGuard: boolean}[]} the tests that decide whether it does anything: those that it begins with and that skip the
 *   item, and the one `if` that is all of the rest
 */
function testsOf(body) {
  const statements = (body.type === 'BlockStatement' ? body.body : [body]).filter(
    ({ type }) => type !== 'VariableDeclaration',
  );
  const found = [];
  for (const [at, statement] of statements.entries()) {
    if (statement.type !== 'IfStatement' || statement.alternate) break;
    const { test, consequent } = statement;
    const inner = consequent.type === 'BlockStatement' ? consequent.body[0] : consequent;
    const isGuard = inner?.type === 'ContinueStatement' || (inner?.type === 'ReturnStatement' && !inner.argument);
    if (isGuard || at === statements.length - 1) found.push({ test, isGuard });
    else break;
  }
  return found;
}

/**
 * @param {AnyNode} test
 * @param {'&&' | '||'} operator
 * @returns {AnyNode[]} what it joins
 */
function partsOf(test, operator) {
  const node = bare(test);
  if (node.type === 'LogicalExpression' && node.operator === operator)
    return [...partsOf(node.left, operator), ...partsOf(node.right, operator)];
  return [node];
}
