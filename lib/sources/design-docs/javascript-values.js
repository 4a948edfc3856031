// Reads the value that an expression of a program plainly has, with exact places. Never runs it: what only running
// would show is an unknown node with its reason.

import { MappedText } from '../../shared/mapped-text.js';
import { member } from '../record.js';
import { computedKey, findHome, memberKey, setMember } from './javascript-members.js';
import { readJoin, readString, readSum, readTemplate } from './javascript-strings.js';

/** @import { AnyNode, ArrayExpression, CallExpression, MemberExpression, ObjectExpression, Property } from 'acorn' */
/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { Entry, ObjectNode, StringNode, UnknownNode, ValueNode } from '../record.js' */
/** @import { Holder, ProgramNames } from './javascript-names.js' */

/** Deeper values are not followed; no design document comes near it. */
const MAX_DEPTH = 100;
/** Expressions read for one file: names of names can multiply without end (`b = [a, a]; c = [b, b]; …`). */
const MAX_STEPS = 500_000;

export class ValueReader {
  #steps = 0;
  /** Names being followed, to notice one that refers to itself. @type {Set<Holder>} */
  #following = new Set();
  /** Offsets of the objects that were spread into others. @type {Set<number>} */
  spreadObjects = new Set();

  /**
   * @param {SourceFile} file
   * @param {ProgramNames} names of the whole program
   */
  constructor(file, names) {
    this.file = file;
    this.names = names;
    for (const { target, value } of names.memberWrites) {
      const home = findHome(this, target);
      if (!home) continue;
      const { start: keyStart, end: keyEnd } = target.property;
      home.holder.members.push({ path: home.path, value, target, keyStart, keyEnd });
    }
  }

  /**
   * @param {AnyNode} node
   * @param {number} [depth]
   * @returns {ValueNode}
   */
  read(node, depth = 0) {
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
        return this.#functionNode(node.start, node.end);
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
        return this.#readCall(node, next);
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
    return this.unknown(node, 'it is computed when the program runs');
  }

  /**
   * @param {Holder} holder
   * @param {AnyNode} node where the name is used
   * @param {number} [depth]
   * @returns {ValueNode} the name's one value, with the members that are written to it
   */
  readHolder(holder, node, depth = 0) {
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
    if (result.type === 'object') for (const item of holder.members) setMember(this, result, item, depth + 1);
    this.#following.delete(holder);
    return result;
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
    for (const item of exports.members) setMember(this, whole, item, 1);
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
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') {
        const spread = this.read(property.argument, depth);
        if (spread.type !== 'object') continue;
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
      entries.push({ key, keyStart: keyNode.start, keyEnd: keyNode.end, node: value });
    }
    return { ...this.base(node), type: 'object', entries };
  }

  /**
   * @param {Property} property
   * @param {number} depth
   * @returns {ValueNode}
   */
  #readProperty(property, depth) {
    if (property.kind !== 'init') return this.unknown(property, 'it is computed by a getter');
    // The source of a method begins at its name, and so does what `toString()` gives (ECMA-262 20.2.3.5).
    if (property.method) return this.#functionNode(property.start, property.end);
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
    return this.unknown(node, `\`${node.name}\` is not defined in this file`);
  }

  /**
   * @param {MemberExpression} node
   * @param {number} depth
   * @returns {ValueNode}
   */
  #readMember(node, depth) {
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
   * @param {CallExpression} node
   * @param {number} depth
   * @returns {ValueNode}
   */
  #readCall(node, depth) {
    const { callee } = node;
    const [first] = node.arguments;
    const isGlobal = callee.type === 'Identifier' && !this.names.holderOf(callee);
    if (isGlobal && callee.name === 'require') {
      return this.unknown(node, `${first ? this.source(first) : 'another file'} is loaded when the program runs`);
    }
    if (isGlobal && callee.name === 'String' && first && node.arguments.length === 1) {
      return readString(this, node, first, depth);
    }
    if (callee.type === 'MemberExpression' && !callee.computed && callee.property.type === 'Identifier') {
      const { name } = callee.property;
      if (name === 'toString' && !first) return readString(this, node, callee.object, depth);
      if (name === 'join') return readJoin(this, node, depth);
      const isObject = callee.object.type === 'Identifier' && callee.object.name === 'Object';
      if (isObject && name === 'freeze' && first && first.type !== 'SpreadElement') {
        return this.read(first, depth);
      }
    }
    return this.unknown(node, 'it is the result of a call');
  }

  /**
   * @param {number} start
   * @param {number} end
   * @returns {StringNode} the source of a function
   */
  #functionNode(start, end) {
    const text = MappedText.raw(this.file, start, end);
    return { file: this.file, start, end, type: 'string', value: text.text, text, isFunction: true };
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
