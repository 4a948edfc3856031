// Finds what a function does or depends on besides its document: clock, random numbers, time zone, variables that live
// on, changes of the document. Reports only what is certain from the text; what is merely possible is left out.

import { LOCAL_TIME_METHOD, listDates } from './dates.js';
import { LocalFunctions } from './local-functions.js';
import { bindingAt, isFunction, isStrict, onlyValueOf } from './names.js';
import { bare, memberName } from './parse.js';

/** @import { AnyNode, CallExpression, NewExpression } from 'acorn' */
/** @import { MadeDate } from './dates.js' */
/** @import { ParsedFunction } from './parse.js' */
/** @import { Binding, Names } from './names.js' */

/**
 * What it gives: milliseconds (`Date.now()`), a date (`new Date()`), a text (`Date()`), a number below 1 (`Math.random()`).
 * @typedef {{node: CallExpression | NewExpression, kind: 'milliseconds' | 'date' | 'text' | 'random'}} MomentCall
 */

/**
 * @typedef {object} Effects
 * @property {MomentCall[]} moments calls that read the clock or give a random number
 * @property {AnyNode[]} localTime calls of a date's local methods, which give the time of the server
 * @property {AnyNode[]} localDates dates made of local parts, or of a string in local time, that are read in universal time
 * @property {AnyNode[]} mutations what changes the document and throws where it is frozen
 * @property {AnyNode[]} ignoredMutations what would change the document and does nothing where it is frozen
 */

/** Methods of a date that read it in universal time. What two dates differ by does not depend on the zone, so `getTime` is none of them. */
const UNIVERSAL_TIME_METHOD = /^(?:getUTC\w+|to(?:ISO|UTC|GMT)String|toJSON)$/;

/** Methods with which a date made of local hours and days is made one of universal time. */
const CORRECTING_METHOD = /^(?:getTimezoneOffset|setTime|setUTC\w+)$/;

/** Methods that change the array they are called on (ECMA-262, 23.1.3); values of a document have no other of these names. */
const MUTATING_METHODS = new Set([
  'sort',
  'reverse',
  'push',
  'pop',
  'shift',
  'unshift',
  'splice',
  'fill',
  'copyWithin',
]);

/**
 * @param {ParsedFunction} tree
 * @param {Names} names of the same text
 * @param {number} [parameter] the position of the one whose changes are listed: 0, the document; 1, the list of values of a reduce
 * @returns {Effects} each list in the order of the text
 */
export function readEffects(tree, names, parameter = 0) {
  const reader = new EffectReader(tree, names, parameter);
  for (const node of names.nodes) reader.visit(node);
  reader.effects.localDates.sort((one, other) => one.start - other.start);
  return reader.effects;
}

class EffectReader {
  /** @type {Effects} */
  effects = { moments: [], localTime: [], localDates: [], mutations: [], ignoredMutations: [] };
  /** @type {LocalFunctions | undefined} */
  #functions;
  /** @type {Map<AnyNode, MadeDate> | undefined} */
  #dates;

  /**
   * @param {ParsedFunction} tree
   * @param {Names} names
   * @param {number} parameter
   */
  constructor(tree, names, parameter) {
    this.names = names;
    this.parents = names.parents;
    this.document = parameterOf(tree, names, parameter);
    // A document is no list, the values of a reduce are one.
    this.listDepth = parameter === 0 ? 1 : 0;
    this.written = freeWrites(names);
  }

  /** Made only where a date is read: most texts have none. */
  get dates() {
    this.#dates ??= new Map(listDates(this.names, this.written).map((date) => [date.node, date]));
    return this.#dates;
  }

  /** Likewise. */
  get functions() {
    this.#functions ??= new LocalFunctions(this.names);
    return this.#functions;
  }

  /** @param {AnyNode} node */
  visit(node) {
    switch (node.type) {
      case 'CallExpression':
        this.noteMoment(node, this.momentOf(node));
        this.noteZone(node);
        if (this.changesDocument(node)) this.effects.mutations.push(node);
        break;
      case 'NewExpression':
        if (node.arguments.length === 0 && this.isFree(node.callee, 'Date')) this.noteMoment(node, 'date');
        break;
      case 'AssignmentExpression':
        this.visitChange(node, node.left);
        break;
      case 'UpdateExpression':
        this.visitChange(node, node.argument);
        break;
      case 'UnaryExpression':
        if (node.operator === 'delete') this.visitChange(node, node.argument);
        break;
      default:
    }
  }

  /**
   * @param {CallExpression} call
   * @returns {MomentCall['kind'] | undefined}
   */
  momentOf(call) {
    const { callee } = call;
    // `Date(…)` without `new` gives the time as text, whatever its arguments. Where it is taken for a date, the function throws.
    if (this.isFree(callee, 'Date')) return this.membersRead(call).every(isOfStrings) ? 'text' : undefined;
    const method = bare(callee);
    if (method.type !== 'MemberExpression') return undefined;
    const name = memberName(method);
    if (name === 'now' && this.isFree(method.object, 'Date')) return 'milliseconds';
    return name === 'random' && this.isFree(method.object, 'Math') ? 'random' : undefined;
  }

  /**
   * @param {AnyNode} node
   * @returns {string[]} names of the members that are read of its value, also where a variable has it as its only value
   */
  membersRead(node) {
    const whole = outermost(node, this.names);
    const parent = this.parents.get(whole);
    if (parent?.type === 'MemberExpression' && parent.object === whole) return [memberName(parent) ?? ''];
    if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return [];
    const binding = bindingAt(parent.id, this.names);
    if (!binding || onlyValueOf(binding, this.names) !== whole) return [];
    return binding.references.flatMap((use) => (use.writes ? [] : this.membersRead(use.node)));
  }

  /**
   * @param {MomentCall['node']} node
   * @param {MomentCall['kind'] | undefined} kind
   */
  noteMoment(node, kind) {
    // `Date(Date.now())`: the outer call alone decides.
    const isInside = node.start < (this.effects.moments.at(-1)?.node.end ?? 0);
    if (kind !== undefined && !isInside) this.effects.moments.push({ node, kind });
  }

  /**
   * A date made of local hours and days gives those back in every time zone, and gives others in universal time.
   * @param {CallExpression} call
   */
  noteZone(call) {
    const method = bare(call.callee);
    if (method.type !== 'MemberExpression' || method.object.type === 'Super') return;
    const name = memberName(method) ?? '';
    const isLocal = LOCAL_TIME_METHOD.test(name);
    if (!isLocal && !(UNIVERSAL_TIME_METHOD.test(name) && !this.correctsZone())) return;
    const dates = this.valuesOf(method.object).flatMap((node) => this.dates.get(node) ?? []);
    if (isLocal) {
      if (dates.some(({ kind }) => kind === 'other')) this.effects.localTime.push(call);
      return;
    }
    for (const { kind, node } of dates)
      if (kind !== 'other' && !this.effects.localDates.includes(node)) this.effects.localDates.push(node);
  }

  /** @returns {boolean} whether the text may shift a date by the offset of its zone, after which universal time is the same everywhere */
  correctsZone() {
    return this.names.nodes.some((node) => node.type === 'Identifier' && CORRECTING_METHOD.test(node.name));
  }

  /**
   * @param {CallExpression} call
   * @returns {boolean}
   */
  changesDocument({ callee, arguments: given }) {
    const method = bare(callee);
    if (method.type !== 'MemberExpression') return false;
    const name = memberName(method) ?? '';
    if (MUTATING_METHODS.has(name)) return (this.depthInDocument(method.object, true) ?? -1) >= this.listDepth;
    const [target] = given;
    const isAssign = name === 'assign' && given.length > 1 && this.isFree(method.object, 'Object');
    return isAssign && target !== undefined && this.depthInDocument(target, false) !== undefined;
  }

  /**
   * @param {AnyNode} node
   * @param {AnyNode} changed by an assignment, `++` or `delete`
   */
  visitChange(node, changed) {
    const target = bare(changed);
    if (target.type !== 'MemberExpression' || this.depthInDocument(target.object, false) === undefined) return;
    // Strict code throws where sloppy code does nothing (ECMA-262, 6.2.5.6).
    this.effects[isStrict(node, this.parents) ? 'mutations' : 'ignoredMutations'].push(node);
  }

  /**
   * @param {AnyNode} node
   * @param {boolean} allowDefault whether `doc.tags || []` counts as `doc.tags`, which it is where that is there
   * @returns {number | undefined} how far below the document it certainly is, 0 for itself; undefined elsewhere
   */
  depthInDocument(node, allowDefault) {
    if (!this.document) return undefined;
    /** @type {Set<AnyNode>} */
    const seen = new Set();
    let depth = 0;
    let at = bare(node);
    while (!seen.has(at)) {
      seen.add(at);
      if (at.type === 'MemberExpression') {
        depth += 1;
        at = bare(at.object);
      } else if (allowDefault && at.type === 'LogicalExpression' && at.operator !== '&&') {
        at = bare(at.left);
      } else if (at.type === 'Identifier') {
        const binding = this.names.byNode.get(at)?.binding;
        if (binding === this.document) return depth;
        const value = binding && onlyValueOf(binding, this.names);
        if (!value) return undefined;
        at = bare(value);
      } else {
        return undefined;
      }
    }
    return undefined;
  }

  /**
   * @param {AnyNode} node
   * @returns {AnyNode[]} what it is at one time or another: the only value of a variable, what a function of the text answers, what calls
   *   pass as its parameter; the node itself where that is not known
   */
  valuesOf(node) {
    /** @type {Set<AnyNode>} */
    const seen = new Set();
    const waiting = [bare(node)];
    const found = [];
    for (let at = waiting.pop(); at; at = waiting.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const sources = this.sourcesOf(at);
      if (sources.length === 0) found.push(at);
      else waiting.push(...sources.map(bare));
    }
    return found;
  }

  /**
   * @param {AnyNode} node
   * @returns {AnyNode[]} the nodes that it has its value from
   */
  sourcesOf(node) {
    if (node.type === 'CallExpression') {
      const fn = this.functions.at(node.callee);
      return fn ? this.functions.answersOf(fn) : [];
    }
    const binding = node.type === 'Identifier' ? this.names.byNode.get(node)?.binding : undefined;
    if (!binding) return [];
    const value = onlyValueOf(binding, this.names);
    if (value) return [value];
    const fn = binding.scope.node;
    if (binding.kind !== 'parameter' || !fn || !isFunction(fn) || binding.references.some(({ writes }) => writes))
      return [];
    const position = fn.params.findIndex((param) => param.type === 'Identifier' && param.name === binding.name);
    return this.functions.callsOf(fn).flatMap((call) => call.arguments[position] ?? []);
  }

  /**
   * @param {AnyNode} node
   * @param {string} name
   * @returns {boolean} whether it is the global of that name, which the text neither declares nor writes
   */
  isFree(node, name) {
    const value = bare(node);
    if (value.type !== 'Identifier' || value.name !== name || this.written.has(name)) return false;
    const reference = this.names.byNode.get(value);
    return reference !== undefined && !reference.binding;
  }
}

/**
 * @param {ParsedFunction} tree
 * @param {Names} names
 * @param {number} position
 * @returns {Binding | undefined} the parameter of that position, where it has a plain name and keeps its value
 */
function parameterOf({ fn }, names, position) {
  const param = fn?.params[position];
  if (!fn || param?.type !== 'Identifier') return undefined;
  const binding = bindingAt(param, names);
  return binding?.references.every(({ writes }) => !writes) ? binding : undefined;
}

/**
 * @param {Names} names
 * @returns {Set<string>} names that are written and declared nowhere
 */
function freeWrites({ references }) {
  return new Set(references.flatMap(({ name, binding, writes }) => (writes && !binding ? [name] : [])));
}

/**
 * @param {string} name of a member; empty where it is computed
 * @returns {boolean}
 */
function isOfStrings(name) {
  return name === '' || name in String.prototype;
}

/** Methods whose value is the array that they change (ECMA-262, 23.1.3). */
const GIVING_THE_ARRAY = new Set(['sort', 'reverse', 'fill', 'copyWithin']);

/**
 * Where only the value of a call is used that changes an array, a copy of the array would do. Elsewhere the change itself
 * was meant, and a copy would lose it.
 * @param {AnyNode} call
 * @param {Names} names
 * @param {string} text
 * @returns {{arrayEnd: number, optional: boolean} | undefined} where the array ends in the text, and whether it may be
 *   missing (`?.`)
 */
export function copyableArray(call, names, text) {
  if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return undefined;
  const { callee } = call;
  if (callee.object.type === 'Super' || !GIVING_THE_ARRAY.has(memberName(callee) ?? '')) return undefined;
  if (names.parents.get(outermost(call, names))?.type === 'ExpressionStatement') return undefined;
  const array = text.slice(callee.object.start, callee.object.end);
  const isUsedAgain = names.nodes.some(
    (node) => node.start >= call.end && node.type === callee.object.type && text.slice(node.start, node.end) === array,
  );
  return isUsedAgain ? undefined : { arrayEnd: callee.object.end, optional: callee.optional };
}

/**
 * @param {AnyNode} call
 * @param {Names} names
 * @returns {AnyNode} the call with the parentheses and the optional chain around it
 */
function outermost(call, { parents }) {
  let node = call;
  for (let parent = parents.get(node); parent; parent = parents.get(node)) {
    if (parent.type !== 'ParenthesizedExpression' && parent.type !== 'ChainExpression') break;
    node = parent;
  }
  return node;
}
