// Reads from the text of a map what it needs of a document: which members it reads, what it takes them for, what it
// compares them with. Runs nothing.

import { resolveNames } from '../../javascript/names.js';
import { bare, parseFunction } from '../../javascript/parse.js';
import { soundsLikeList } from './candidates.js';
import { Places } from './document-places.js';
import { keysOf, listedIn, literalValue, methodOf } from './literals.js';
import { wholeDocument } from './need.js';
import { sourceOf } from './sources.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Names } from '../../javascript/names.js' */
/** @import { Budget } from '../../shared/bailout.js' */
/** @import { Kind, Need } from './need.js' */
/** @import { Source } from './sources.js' */

const EQUALITY = new Set(['==', '===', '!=', '!==']);
const ORDER = new Set(['<', '<=', '>', '>=']);
const ARITHMETIC = new Set(['-', '*', '/', '%', '**']);

/** Methods that only such values have. @type {Map<string, Kind>} */
const KIND_BY_METHOD = new Map(
  Object.entries(
    /** @type {Record<Kind, string>} */ ({
      string:
        'split substr substring charAt charCodeAt toLowerCase toUpperCase trim match replace search startsWith endsWith localeCompare padStart normalize',
      array: 'forEach map filter some every reduce reduceRight find findIndex flatMap join push sort reverse pop shift',
      number: 'toFixed toPrecision',
    }),
  ).flatMap(([kind, methods]) => methods.split(' ').map((method) => [method, /** @type {Kind} */ (kind)])),
);
/** Functions that take such values. @type {Map<string, Kind>} */
const KIND_BY_FUNCTION = new Map(
  Object.entries({
    isArray: 'array',
    parseInt: 'number',
    parseFloat: 'number',
    Number: 'number',
    isNaN: 'number',
    isFinite: 'number',
  }),
);
/** The same for functions that are members of these objects. @type {Map<string, Kind>} */
const KIND_BY_OBJECT = new Map(
  Object.entries({ Array: 'array', Math: 'number', Date: 'date', Object: 'table', Number: 'number' }),
);
/** Methods of dates that take numbers. */
const DATE_SETTER = /^set(?:UTC)?(?:FullYear|Month|Date|Hours|Minutes|Seconds|Milliseconds)$/;
const LOOKING = new Set(['indexOf', 'lastIndexOf', 'includes', 'startsWith', 'endsWith']);

/**
 * @param {string} map
 * @param {Budget} budget of the search for documents
 * @param {number} [position] of the parameter that the document is
 * @returns {Need | {reason: string}} a reason where the text cannot be read
 */
export function readNeeds(map, budget, position = 0) {
  const parsed = parseFunction(map);
  if (!parsed.ok) return { reason: `its map cannot be read: ${parsed.message}` };
  if (!parsed.fn) return { reason: 'the source text of its map is not a function' };
  const names = resolveNames(parsed.roots);
  const root = wholeDocument();
  root.kinds.add('object');
  const places = new Places(names, parsed.fn.params[position], root, budget);
  const reader = new Reader(names, places);
  for (const node of names.nodes) reader.visit(node);
  return root;
}

class Reader {
  /** @param {Names} names @param {Places} places */
  constructor(names, places) {
    this.names = names;
    this.places = places;
  }

  /** @param {AnyNode} node */
  visit(node) {
    switch (node.type) {
      case 'MemberExpression':
        this.#member(node);
        break;
      case 'BinaryExpression':
        this.#compare(node.operator, /** @type {AnyNode} */ (node.left), node.right);
        break;
      case 'SwitchStatement':
        for (const { test } of node.cases) if (test) this.#compare('===', node.discriminant, test);
        break;
      case 'UnaryExpression':
        if (node.operator === '-' || node.operator === '+') this.#mark(node.argument, 'number');
        break;
      case 'ForInStatement':
        this.#mark(node.right, 'table');
        break;
      case 'ForOfStatement':
        this.#mark(node.right, 'array');
        break;
      case 'NewExpression':
        if (node.callee.type === 'Identifier' && node.callee.name === 'Date') {
          const kind = node.arguments.length > 1 ? 'number' : 'date';
          for (const argument of node.arguments) this.#mark(argument, kind);
        }
        break;
      case 'CallExpression':
        this.#call(node);
        break;
      default:
    }
  }

  /** @param {AnyNode} node @returns {Source | undefined} */
  #source(node) {
    return sourceOf(node, this);
  }

  /** @param {AnyNode} node @param {Kind} kind */
  #mark(node, kind) {
    for (const need of this.places.of(node)) need.kinds.add(kind);
  }

  /** @param {Extract<AnyNode, {type: 'MemberExpression'}>} node */
  #member(node) {
    // What is read is needed, whatever is done with it.
    this.places.of(node);
    if (!node.computed) return;
    const source = this.#source(node);
    if (source?.how === 'piece') this.#piece(source);
    const keys = keysOf(node.object, this.names);
    const compared = keys.length > 0 ? this.#source(/** @type {AnyNode} */ (node.property)) : undefined;
    for (const key of keys) this.#equal(compared, key);
  }

  /**
   * @param {string} operator
   * @param {AnyNode} left
   * @param {AnyNode} right
   */
  #compare(operator, left, right) {
    if (operator === 'in') {
      const name = literalValue(left, this.names);
      for (const need of this.places.of(right)) {
        if (typeof name === 'string') need.member(name);
        else need.kinds.add('table');
      }
      return;
    }
    if (operator === 'instanceof') {
      if (right.type === 'Identifier' && right.name === 'Array') this.#mark(left, 'array');
      return;
    }
    for (const [side, other] of /** @type {[AnyNode, AnyNode][]} */ ([
      [left, right],
      [right, left],
    ])) {
      if (ARITHMETIC.has(operator)) this.#mark(side, 'number');
      const value = literalValue(other, this.names);
      if (EQUALITY.has(operator)) this.#equal(this.#source(side), value);
      else if (ORDER.has(operator)) this.#order(this.#source(side), value);
    }
  }

  /**
   * @param {Source | undefined} source
   * @param {string | number | boolean | null | undefined} value
   */
  #equal(source, value) {
    if (!source || value === undefined) return;
    for (const need of source.needs) {
      if (source.how === 'type') markType(need, value);
      else if (source.how === 'length' && typeof value === 'number') need.lengths.add(value);
      else if (source.how === 'start' && typeof value === 'string') need.starts.set(value, source.at ?? 0);
      else if (source.how === 'whole') need.literals.add(value);
    }
    if (source.how === 'piece') this.#piece(source, value);
  }

  /** @param {Source} source @param {unknown} [value] */
  #piece({ needs, separator = '', at = 0 }, value) {
    for (const need of needs) need.split(separator, at, typeof value === 'string' ? value : undefined);
  }

  /**
   * @param {Source | undefined} source
   * @param {string | number | boolean | null | undefined} value
   */
  #order(source, value) {
    for (const need of source?.needs ?? []) {
      if (source?.how === 'length') {
        if (typeof value === 'number') for (const length of [value + 1, value, value - 1]) need.lengths.add(length);
      } else if (source?.how !== 'whole') continue;
      else if (typeof value === 'string') need.starts.set(value, 0);
      else {
        // What is compared with an unknown value by order is a number mostly.
        need.kinds.add('number');
        if (typeof value === 'number') need.bounds.add(value);
      }
    }
  }

  /** @param {Extract<AnyNode, {type: 'CallExpression'}>} node */
  #call(node) {
    const callee = bare(node.callee);
    const [first] = node.arguments;
    if (callee.type === 'Identifier') {
      const kind = KIND_BY_FUNCTION.get(callee.name);
      if (kind && first) this.#mark(first, kind);
      return;
    }
    const method = methodOf(node);
    if (method === undefined || callee.type !== 'MemberExpression') return;
    const { object } = callee;
    if (object.type === 'Identifier' && !this.names.byNode.get(object)?.binding) {
      const kind = KIND_BY_OBJECT.get(object.name);
      if (kind) for (const argument of node.arguments) this.#mark(argument, kind);
    }
    if (DATE_SETTER.test(method)) for (const argument of node.arguments) this.#mark(argument, 'number');
    const kind = KIND_BY_METHOD.get(method);
    if (kind) this.#mark(object, kind);
    if (!first) return;
    if (method === 'hasOwnProperty' || method === 'call') this.#ownMember(object, node.arguments);
    else if (method === 'test' || method === 'exec') this.#pattern(object, first);
    else if (method === 'match' || method === 'search') this.#pattern(first, object);
    else if (method === 'split') this.#split(object, first);
    else if (LOOKING.has(method)) this.#look(method, object, first);
  }

  /** @param {AnyNode} object @param {AnyNode[]} given */
  #ownMember(object, given) {
    const [source, name] = given.length > 1 ? given : [object, given[0]];
    const value = name && literalValue(name, this.names);
    if (typeof value === 'string' && source) for (const need of this.places.of(source)) need.member(value);
  }

  /** @param {AnyNode} expression @param {AnyNode} subject */
  #pattern(expression, subject) {
    const pattern = this.#regularExpression(expression);
    const source = this.#source(subject);
    if (pattern === undefined || source?.how !== 'whole') return;
    for (const need of source.needs) need.patterns.add(pattern);
  }

  /** @param {AnyNode} given @returns {string | undefined} */
  #regularExpression(given) {
    const node = bare(given);
    if (node.type === 'Literal' && node.regex) return node.regex.pattern;
    if (node.type !== 'Identifier') return undefined;
    const write = this.names.byNode.get(node)?.binding?.references.find(({ declares }) => declares);
    const declarator = write && this.names.parents.get(write.node);
    const init = declarator?.type === 'VariableDeclarator' ? declarator.init : undefined;
    return init?.type === 'Literal' ? init.regex?.pattern : undefined;
  }

  /** @param {AnyNode} object @param {AnyNode} given */
  #split(object, given) {
    const separator = literalValue(given, this.names);
    if (typeof separator !== 'string') return;
    for (const need of this.places.of(object)) need.split(separator, 1);
  }

  /** @param {string} method @param {AnyNode} object @param {AnyNode} first */
  #look(method, object, first) {
    for (const value of listedIn(object, this.names)) this.#equal(this.#source(first), value);
    const value = literalValue(first, this.names);
    const source = this.#source(object);
    if (value === undefined || source?.how !== 'whole') return;
    for (const need of source.needs) {
      if (typeof value !== 'string' || need.kinds.has('array') || soundsLikeList(need))
        need.items()?.literals.add(value);
      if (typeof value !== 'string') continue;
      if (method === 'endsWith') need.ends.add(value);
      else {
        need.starts.set(value, 0);
        need.parts.add(value);
      }
    }
  }
}

/** @param {Need} need @param {unknown} type a word that `typeof` gives */
function markType(need, type) {
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'object') need.kinds.add(type);
}
