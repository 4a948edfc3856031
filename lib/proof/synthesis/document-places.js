// Determines which parts of the document each expression of a map represents. Follows variables, parameters, loops and
// callbacks; runs nothing.

import { LocalFunctions } from '../../javascript/local-functions.js';
import { bindingAt } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { listedIn, literalValue, methodOf } from './literals.js';
import { numberedNames } from './numbered-names.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Binding, Names } from '../../javascript/names.js' */
/** @import { Budget } from '../../shared/bailout.js' */
/** @import { Need } from './need.js' */

/** Times that all names are gone through: each finds aliases of what the time before found. */
const PASSES = 4;
/** A name for more parts than these may be anything. */
const MAX_PARTS = 6;
/** And so many words that it may be. */
const MAX_WORDS = 20;
/** How far expressions are followed into each other. */
const DEEPEST = 40;

/** Methods that call a function with each item, and which of its parameters that is. */
const CALLING = new Map(
  Object.entries({
    forEach: 0,
    map: 0,
    filter: 0,
    some: 0,
    every: 0,
    find: 0,
    findIndex: 0,
    flatMap: 0,
    sort: 0,
    reduce: 1,
    reduceRight: 1,
  }),
);
/** Methods that give a list of the same items. */
const SAME_ITEMS = new Set(['filter', 'sort', 'reverse', 'slice', 'concat']);
/** Methods that give one of the items. */
const ONE_ITEM = new Set(['find', 'pop', 'shift', 'at']);

export class Places {
  /** @type {Map<Binding, Set<Need>>} */
  #named = new Map();
  /** Words that a name may hold: `doc[name]` then is that member. @type {Map<Binding, Set<string>>} */
  #words = new Map();
  #functions;

  /**
   * @param {Names} names
   * @param {AnyNode | undefined} document the parameter that it is
   * @param {Need} root what is needed of the document
   * @param {Budget} budget of the search for documents
   */
  constructor(names, document, root, budget) {
    this.names = names;
    this.budget = budget;
    this.#functions = new LocalFunctions(names);
    for (let pass = 0; pass < PASSES; pass += 1) {
      if (document) this.#bind(document, [root]);
      for (const node of names.nodes) this.#follow(node);
    }
  }

  /**
   * @param {AnyNode | null | undefined} given
   * @param {number} [depth]
   * @returns {Need[]} the parts that it represents; none where that is not known, or it is none
   */
  of(given, depth = 0) {
    if (!given || depth > DEEPEST) return [];
    const found = this.#partsOf(bare(given), (next) => this.of(next, depth + 1));
    this.budget.count(1 + found.length);
    return found;
  }

  /**
   * @param {AnyNode} node
   * @param {(node: AnyNode) => Need[]} inner
   * @returns {Need[]}
   */
  #partsOf(node, inner) {
    switch (node.type) {
      case 'Identifier': {
        const binding = this.names.byNode.get(node)?.binding;
        return binding ? [...(this.#named.get(binding) ?? [])] : [];
      }
      case 'LogicalExpression': {
        if (node.operator === '&&') return inner(node.right);
        const left = inner(node.left);
        return left.length > 0 ? left : inner(node.right);
      }
      case 'ConditionalExpression':
        return [...inner(node.consequent), ...inner(node.alternate)];
      case 'AssignmentExpression':
        return inner(node.right);
      case 'MemberExpression':
        return this.#member(node, inner(node.object));
      case 'CallExpression':
        return this.#call(node, inner);
      default:
        return [];
    }
  }

  /**
   * @param {Extract<AnyNode, {type: 'MemberExpression'}>} node
   * @param {Need[]} objects
   * @returns {Need[]}
   */
  #member(node, objects) {
    if (objects.length === 0) return [];
    const parent = this.names.parents.get(node);
    if (parent?.type === 'CallExpression' && parent.callee === node) return [];
    const name = node.computed
      ? literalValue(/** @type {AnyNode} */ (node.property), this.names)
      : nameOf(node.property);
    if (name === 'length') return [];
    if (typeof name === 'string') return objects.flatMap((object) => object.member(name) ?? []);
    const words = [
      ...this.#wordsOf(node.property),
      ...numberedNames(/** @type {AnyNode} */ (node.property), this.names),
    ];
    if (words.length > 0) return objects.flatMap((object) => words.flatMap((word) => object.member(word) ?? []));
    // `_id[0]` is a character.
    return objects.flatMap((object) =>
      object.name.startsWith('_') && object.depth === 1 ? [] : (object.items() ?? []),
    );
  }

  /**
   * @param {Extract<AnyNode, {type: 'CallExpression'}>} node
   * @param {(node: AnyNode) => Need[]} inner
   * @returns {Need[]}
   */
  #call(node, inner) {
    const method = methodOf(node);
    const callee = bare(node.callee);
    const [first] = node.arguments;
    if (method === undefined || callee.type !== 'MemberExpression') return [];
    // A copy of the document has the same needs.
    if (method === 'parse' && first && methodOf(bare(first)) === 'stringify') {
      const [copied] = /** @type {Extract<AnyNode, {type: 'CallExpression'}>} */ (bare(first)).arguments;
      return copied ? inner(copied) : [];
    }
    if (SAME_ITEMS.has(method)) return inner(callee.object);
    if (ONE_ITEM.has(method)) return inner(callee.object).flatMap((list) => list.items() ?? []);
    return [];
  }

  /** @param {AnyNode} node */
  #follow(node) {
    if (node.type === 'VariableDeclarator') this.#bind(node.id, this.of(node.init));
    else if (node.type === 'AssignmentExpression' && node.operator === '=') this.#bind(node.left, this.of(node.right));
    else if (node.type === 'ForOfStatement') {
      const left = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : node.left;
      if (left) this.#bind(left, this.#itemsOf(node.right));
    } else if (node.type === 'CallExpression') this.#followCall(node);
  }

  /** @param {Extract<AnyNode, {type: 'CallExpression'}>} node */
  #followCall(node) {
    const callee = bare(node.callee);
    const position = CALLING.get(methodOf(node) ?? '');
    const [callback] = node.arguments;
    if (position !== undefined && callee.type === 'MemberExpression' && callback) {
      const parameter = this.#functions.at(callback)?.params[position];
      if (parameter) this.#bind(parameter, this.#itemsOf(callee.object));
      for (const word of listedIn(callee.object, this.names)) if (parameter) this.#bindWord(parameter, word);
      return;
    }
    const called = this.#functions.at(callee);
    for (const [at, argument] of node.arguments.entries()) {
      const parameter = called?.params[at];
      if (!parameter) continue;
      this.#bind(parameter, this.of(argument));
      this.#bindWord(parameter, literalValue(argument, this.names));
    }
  }

  /** @param {AnyNode} node @returns {string[]} */
  #wordsOf(node) {
    const binding = node.type === 'Identifier' ? this.names.byNode.get(node)?.binding : undefined;
    return binding ? [...(this.#words.get(binding) ?? [])] : [];
  }

  /** @param {AnyNode} parameter @param {unknown} word */
  #bindWord(parameter, word) {
    const binding = parameter.type === 'Identifier' ? bindingAt(parameter, this.names) : undefined;
    if (!binding || typeof word !== 'string') return;
    const known = this.#words.get(binding) ?? new Set();
    this.#words.set(binding, known);
    if (known.size < MAX_WORDS) known.add(word);
  }

  /** @param {AnyNode} node @returns {Need[]} */
  #itemsOf(node) {
    const list = bare(node);
    const values = list.type === 'CallExpression' && methodOf(list) === 'values' ? list.arguments[0] : undefined;
    return this.of(values ?? list).flatMap((need) => need.items() ?? []);
  }

  /**
   * @param {AnyNode} pattern
   * @param {Need[]} needs
   */
  #bind(pattern, needs) {
    if (needs.length === 0) return;
    if (pattern.type === 'AssignmentPattern') this.#bind(pattern.left, needs);
    else if (pattern.type === 'ObjectPattern') {
      for (const property of pattern.properties) {
        if (property.type !== 'Property') continue;
        const name = nameOf(property.key);
        if (name !== undefined)
          this.#bind(
            property.value,
            needs.flatMap((need) => need.member(name) ?? []),
          );
      }
    } else if (pattern.type === 'ArrayPattern') {
      const items = needs.flatMap((need) => need.items() ?? []);
      for (const element of pattern.elements) if (element) this.#bind(element, items);
    } else if (pattern.type === 'Identifier') {
      const binding = bindingAt(pattern, this.names);
      if (!binding) return;
      const known = this.#named.get(binding) ?? new Set();
      this.#named.set(binding, known);
      for (const need of needs) if (known.size < MAX_PARTS) known.add(need);
    }
  }
}

/** @param {AnyNode} key @returns {string | undefined} */
function nameOf(key) {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined;
}
