// Reads the value that an expression of a program plainly has, with exact places. Never runs it: what only running
// would show is an unknown node with its reason.

import { bare } from '../../javascript/parse.js';
import { MappedText } from '../../shared/mapped-text.js';
import { member } from '../record.js';
import {
  absent,
  argumentsOf,
  isAbsent,
  isInside,
  isMadeOfArguments,
  placeAtCall,
  readCall,
  resultOf,
} from './javascript-calls.js';
import { readFunctionText } from './javascript-functions.js';
import { computedKey, findHome, isOpenKey, memberKey, setMember } from './javascript-members.js';
import { isEnum } from './javascript-names.js';
import { readSum, readTemplate } from './javascript-strings.js';

/** @import { AnyNode, ArrayExpression, CallExpression, MemberExpression, ObjectExpression, Property } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { Entry, ObjectNode, UnknownNode, ValueNode } from '../record.js' */
/** @import { Holder, Member, ProgramNames } from './javascript-names.js' */

/** @typedef {{start: number, end: number, members: {id: AnyNode, initializer?: AnyNode}[]}} EnumNode */

/** Deeper values are not followed; no design document comes near it. */
const MAX_DEPTH = 100;
/** Expressions read for one file: names of names can multiply without end (`b = [a, a]; c = [b, b]; …`). */
const MAX_STEPS = 500_000;

export class ValueReader {
  #steps = 0;
  /** Names being followed, to notice one that refers to itself. @type {Set<Holder>} */
  #following = new Set();
  /** Helpers whose call is being read. @type {Set<FunctionNode>} */
  #calling = new Set();
  /** Parameters of those, with what they are given. @type {Map<Holder, ValueNode>} */
  #given = new Map();
  /** Offsets of the objects that helpers filled with their arguments, by that of the call. @type {Map<number, number>} */
  madeBy = new Map();
  /** Offsets of the objects that were spread into others. @type {Set<number>} */
  spreadObjects = new Set();

  /**
   * @param {SourceFile} file
   * @param {ProgramNames} names of the whole program
   */
  constructor(file, names) {
    this.file = file;
    this.names = names;
    /** Whether the text has the beginning of an id of a design document anywhere. */
    this.mentionsDesignIds = file.text.includes('_design/');
    for (const { target, value } of names.memberWrites) {
      const home = findHome(this, target);
      if (!home) continue;
      const { start: keyStart, end: keyEnd } = target.property;
      home.holder.members.push({ path: home.path, value, target, keyStart, keyEnd });
    }
  }

  /**
   * @param {AnyNode} whole
   * @param {number} [depth]
   * @returns {ValueNode}
   */
  read(whole, depth = 0) {
    const node = bare(whole);
    this.#steps += 1;
    if (depth > MAX_DEPTH) return this.unknown(node, 'it is nested too deeply to be evaluated');
    if (this.#steps > MAX_STEPS) return this.unknown(node, 'the file is too complex to be evaluated');
    const next = depth + 1;
    switch (node.type) {
      case 'Literal':
        return this.#readLiteral(node);
      case 'TemplateLiteral':
        return readTemplate(this, node, next);
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return readFunctionText(this, node);
      case 'ObjectExpression':
        return this.#readObject(node, next);
      case 'ArrayExpression':
        return { ...this.base(node), type: 'array', items: this.#readItems(node, next) };
      case 'Identifier':
        return this.#readName(node, next);
      case 'MemberExpression':
        return this.#readMember(node, next);
      case 'BinaryExpression':
        return readSum(this, node, next);
      case 'UnaryExpression':
        return this.#readUnary(node, next);
      case 'CallExpression':
        return readCall(this, node, next);
      case 'AssignmentExpression':
        if (this.names.isModuleExports(node.left)) return this.readHolder(this.names.exports, node, next);
        if (node.operator === '=') return this.read(node.right, next);
        break;
      case 'SequenceExpression': {
        const last = node.expressions.at(-1);
        if (last) return this.read(last, next);
        break;
      }
      case 'ConditionalExpression':
      case 'LogicalExpression':
        return this.unknown(node, 'it depends on a condition');
      default:
    }
    if (isEnum(node)) return this.#readEnum(/** @type {EnumNode} */ (/** @type {unknown} */ (node)), next);
    return this.unknown(node, 'it is computed when the program runs');
  }

  /**
   * @param {Holder} holder
   * @param {AnyNode} node where the name is used
   * @param {number} [depth]
   * @returns {ValueNode} the name's one value, with the members that are written to it
   */
  readHolder(holder, node, depth = 0) {
    const given = this.#given.get(holder);
    if (given) return given;
    const [value] = holder.values;
    if (holder.reason) return this.unknown(node, holder.reason);
    if (!value) return this.unknown(node, `\`${holder.name}\` has no value here`);
    // The last of several `module.exports = …` is what is exported.
    if (holder.values.length > 1 && holder !== this.names.exports) {
      return this.unknown(node, `\`${holder.name}\` is assigned more than once`);
    }
    if (this.#following.has(holder)) return this.unknown(node, `\`${holder.name}\` is defined in terms of itself`);
    this.#following.add(holder);
    const result = this.read(holder.values.at(-1) ?? value, depth);
    if (result.type === 'object') for (const item of holder.members) this.#setMember(result, item, depth + 1);
    this.#following.delete(holder);
    return result;
  }

  /**
   * @param {ObjectNode} object
   * @param {Member} item
   * @param {number} depth
   */
  #setMember(object, item, depth) {
    // What is given to a helper may be a key: `ddoc.views[name] = …`.
    const home = this.#calling.size > 0 ? findHome(this, item.target) : undefined;
    setMember(this, object, home ? { ...item, path: home.path } : item, depth);
  }

  /**
   * @param {CallExpression} call
   * @param {FunctionNode} helper of this file
   * @param {number} depth
   * @returns {ValueNode | undefined} what the helper gives for these arguments; undefined where that is not plain
   */
  readHelper(call, helper, depth) {
    const result = resultOf(helper);
    if (!result || this.#calling.has(helper)) return undefined;
    const given = argumentsOf(this, call, helper, depth);
    const outer = this.#given;
    this.#given = new Map([...outer, ...given]);
    this.#calling.add(helper);
    const value = this.read(result, depth);
    this.#calling.delete(helper);
    this.#given = outer;
    if (value.type !== 'object' || !isInside(value, helper) || !isMadeOfArguments(value, helper)) return value;
    this.madeBy.set(call.start, value.start);
    return placeAtCall(value, call, helper);
  }

  /**
   * @returns {ObjectNode | undefined} what the module exports, as one object or member by member: `exports.views = {…}`
   */
  readExports() {
    const { exports } = this.names;
    const [node] = exports.values;
    if (node) {
      const value = this.readHolder(exports, node);
      return value.type === 'object' ? value : undefined;
    }
    if (exports.members.length === 0) return undefined;
    /** @type {ObjectNode} */
    const whole = { type: 'object', file: this.file, start: 0, end: this.file.text.length, entries: [] };
    for (const item of exports.members) this.#setMember(whole, item, 1);
    return whole;
  }

  /**
   * @param {ObjectExpression} node
   * @param {number} depth
   * @returns {ValueNode}
   */
  #readObject(node, depth) {
    /** @type {Entry[]} */
    const entries = [];
    let isOpen = false;
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') {
        const spread = this.read(property.argument, depth);
        if (spread.type !== 'object') {
          isOpen = true;
          continue;
        }
        if (spread.isOpen) isOpen = true;
        this.spreadObjects.add(spread.start);
        for (const entry of spread.entries) setEntry(entries, entry);
        continue;
      }
      const { key: keyNode } = property;
      const isPlain = !property.computed && keyNode.type === 'Identifier';
      const key = isPlain ? keyNode.name : computedKey(this, keyNode, depth);
      // `__proto__: x` sets the prototype and no member (ECMA-262 13.2.5.5).
      if (key === '__proto__' && !property.computed && !property.method && !property.shorthand) continue;
      const value = this.#readProperty(property, depth);
      // As JSON.stringify leaves it out.
      if (isAbsent(value)) continue;
      const entry = { key, keyStart: keyNode.start, keyEnd: keyNode.end, node: value };
      entries.push(property.computed && isOpenKey(this, keyNode, key) ? { ...entry, isOpen: true } : entry);
    }
    return { ...this.base(node), type: 'object', entries, ...(isOpen ? { isOpen } : {}) };
  }

  /**
   * @param {Property} property
   * @param {number} depth
   * @returns {ValueNode}
   */
  #readProperty(property, depth) {
    if (property.kind !== 'init') return this.unknown(property, 'it is computed by a getter');
    if (property.method) return readFunctionText(this, property);
    return this.read(property.value, depth);
  }

  /**
   * @param {ArrayExpression} node
   * @param {number} depth
   * @returns {ValueNode[]}
   */
  #readItems(node, depth) {
    return node.elements.map((item) => {
      if (!item) return this.unknown(node, 'the array has a hole');
      if (item.type === 'SpreadElement') return this.unknown(item, 'another array is spread here');
      return this.read(item, depth);
    });
  }

  /**
   * @param {import('acorn').Identifier} node
   * @param {number} depth
   * @returns {ValueNode}
   */
  #readName(node, depth) {
    const holder = this.names.holderOf(node);
    if (holder) return this.readHolder(holder, node, depth);
    if (node.name === 'undefined') return absent(this, node);
    return this.unknown(node, `\`${node.name}\` is not defined in this file`);
  }

  /**
   * @param {MemberExpression} node
   * @param {number} depth
   * @returns {ValueNode}
   */
  #readMember(node, depth) {
    const field = this.names.fieldOf(node);
    if (field) return this.read(field, depth);
    const object = this.names.isModuleExports(node.object)
      ? this.readHolder(this.names.exports, node, depth)
      : this.read(node.object, depth);
    if (object.type === 'unknown') return this.unknown(node, object.reason);
    const key = memberKey(this, node);
    const value = key === undefined ? undefined : member(object, key);
    return value ?? this.unknown(node, 'no such member is defined in this file');
  }

  /**
   * @param {import('acorn').UnaryExpression} node
   * @param {number} depth
   * @returns {ValueNode}
   */
  #readUnary(node, depth) {
    const value = this.read(node.argument, depth);
    if (node.operator === '-' && value.type === 'number')
      return { ...this.base(node), type: 'number', value: -value.value };
    // Minifiers write `!0` and `!1`.
    if (node.operator === '!' && value.type === 'number')
      return { ...this.base(node), type: 'boolean', value: !value.value };
    return this.unknown(node, 'it is computed when the program runs');
  }

  /**
   * @param {import('acorn').Literal} node
   * @returns {ValueNode}
   */
  #readLiteral(node) {
    const base = this.base(node);
    const { value } = node;
    if (typeof value === 'string') {
      const text = MappedText.literal(value, this.file, node.start, node.end, 'javascript');
      return { ...base, type: 'string', value, text };
    }
    if (typeof value === 'number') return { ...base, type: 'number', value };
    if (typeof value === 'boolean') return { ...base, type: 'boolean', value };
    if (node.raw === 'null') return { ...base, type: 'null' };
    return this.unknown(node, 'JSON has no such value');
  }

  /**
   * @param {EnumNode} node
   * @param {number} depth
   * @returns {ObjectNode} its members that are strings
   */
  #readEnum(node, depth) {
    const entries = node.members.flatMap(({ id, initializer }) => {
      if (!initializer || id.type !== 'Identifier') return [];
      return [{ key: id.name, keyStart: id.start, keyEnd: id.end, node: this.read(initializer, depth) }];
    });
    return { file: this.file, start: node.start, end: node.end, type: 'object', entries };
  }

  /**
   * @param {AnyNode} node
   * @param {string} reason
   * @returns {UnknownNode}
   */
  unknown(node, reason) {
    return { ...this.base(node), type: 'unknown', reason };
  }

  /**
   * @param {AnyNode} node
   * @returns {{file: SourceFile, start: number, end: number}}
   */
  base(node) {
    return { file: this.file, start: node.start, end: node.end };
  }

  /**
   * @param {AnyNode} node
   * @returns {string} the characters it is written with
   */
  source(node) {
    return this.file.text.slice(node.start, node.end);
  }
}

/**
 * @param {Entry[]} entries changed in place
 * @param {Entry} entry added, or replaces the one of its key
 */
function setEntry(entries, entry) {
  const index = entries.findIndex((candidate) => candidate.key === entry.key);
  if (index === -1) entries.push(entry);
  else entries[index] = entry;
}
