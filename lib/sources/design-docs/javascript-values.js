// An expression of a program in, the value that it plainly has out, with exact places. Reads and never runs: what only
// running would tell is an unknown node with its reason.

import { MappedText } from '../../shared/mapped-text.js';
import { member } from '../record.js';
import { computedKey, findHome, memberKey, setMember } from './javascript-members.js';
import { findBinding, isModuleExports } from './javascript-names.js';
import { readJoin, readString, readSum, readTemplate } from './javascript-strings.js';

/** @import { AnyNode, ArrayExpression, CallExpression, MemberExpression, ObjectExpression, Property } from 'acorn' */
/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { Entry, ObjectNode, StringNode, UnknownNode, ValueNode } from '../record.js' */
/** @import { Binding, Names, Scope, Written } from './javascript-names.js' */

/** Deeper values are not followed; no design document comes near it. */
const MAX_DEPTH = 100;
/** Expressions read for one file: names that stand for names can multiply without end (`b = [a, a]; c = [b, b]; …`). */
const MAX_STEPS = 500_000;

export class ValueReader {
  #steps = 0;
  /** Names being followed, to notice one that stands for itself. @type {Set<Binding>} */
  #following = new Set();
  /** Offsets of the objects that were spread into others. @type {Set<number>} */
  spreadObjects = new Set();

  /**
   * @param {SourceFile} file
   * @param {Names} names of the whole program
   */
  constructor(file, names) {
    this.file = file;
    this.names = names;
    for (const { target, value } of names.memberWrites) {
      const home = findHome(this, target, value.scope);
      if (!home) continue;
      const { start: keyStart, end: keyEnd } = target.property;
      home.binding.members.push({ path: home.path, value, target, keyStart, keyEnd });
    }
  }

  /**
   * @param {Written} written
   * @param {number} [depth]
   * @returns {ValueNode}
   */
  read({ node, scope }, depth = 0) {
    this.#steps += 1;
    if (depth > MAX_DEPTH) return this.unknown(node, 'it is nested too deep to be followed');
    if (this.#steps > MAX_STEPS) return this.unknown(node, 'the file is too involved to be followed');
    const next = depth + 1;
    switch (node.type) {
      case 'Literal':
        return this.#readLiteral(node);
      case 'TemplateLiteral':
        return readTemplate(this, node, scope, next);
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return this.#functionNode(node.start, node.end);
      case 'ObjectExpression':
        return this.#readObject(node, scope, next);
      case 'ArrayExpression':
        return { ...this.base(node), type: 'array', items: this.#readItems(node, scope, next) };
      case 'Identifier':
        return this.#readName(node, scope, next);
      case 'MemberExpression':
        return this.#readMember(node, scope, next);
      case 'BinaryExpression':
        return readSum(this, node, scope, next);
      case 'UnaryExpression':
        return this.#readUnary(node, scope, next);
      case 'CallExpression':
        return this.#readCall(node, scope, next);
      case 'AssignmentExpression':
        if (isModuleExports(node.left, scope)) return this.readBinding(this.names.exports, node, next);
        if (node.operator === '=') return this.read({ node: node.right, scope }, next);
        break;
      case 'SequenceExpression': {
        const last = node.expressions.at(-1);
        if (last) return this.read({ node: last, scope }, next);
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
   * @param {Binding} binding
   * @param {AnyNode} node where the name is used
   * @param {number} [depth]
   * @returns {ValueNode} the name's one value, with the members that are written to it
   */
  readBinding(binding, node, depth = 0) {
    const [value] = binding.values;
    if (binding.reason) return this.unknown(node, binding.reason);
    if (!value) return this.unknown(node, `\`${binding.name}\` is given no value here`);
    // The last of several `module.exports = …` is what is exported.
    if (binding.values.length > 1 && binding !== this.names.exports) {
      return this.unknown(node, `\`${binding.name}\` is assigned more than once`);
    }
    if (this.#following.has(binding)) return this.unknown(node, `\`${binding.name}\` is defined by itself`);
    this.#following.add(binding);
    const result = this.read(binding.values.at(-1) ?? value, depth);
    if (result.type === 'object') for (const item of binding.members) setMember(this, result, item, depth + 1);
    this.#following.delete(binding);
    return result;
  }

  /**
   * @returns {ObjectNode | undefined} what the module exports, as one object or member by member: `exports.views = {…}`
   */
  readExports() {
    const binding = this.names.exports;
    if (binding.values.length > 0) {
      const [{ node }] = /** @type {[Written]} */ (binding.values);
      const value = this.readBinding(binding, node);
      return value.type === 'object' ? value : undefined;
    }
    if (binding.members.length === 0) return undefined;
    /** @type {ObjectNode} */
    const whole = { type: 'object', file: this.file, start: 0, end: this.file.text.length, entries: [] };
    for (const item of binding.members) setMember(this, whole, item, 1);
    return whole;
  }

  /**
   * @param {ObjectExpression} node
   * @param {Scope} scope
   * @param {number} depth
   * @returns {ValueNode}
   */
  #readObject(node, scope, depth) {
    /** @type {Entry[]} */
    const entries = [];
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') {
        const spread = this.read({ node: property.argument, scope }, depth);
        if (spread.type !== 'object') continue;
        this.spreadObjects.add(spread.start);
        for (const entry of spread.entries) setEntry(entries, entry);
        continue;
      }
      const { key: keyNode } = property;
      const isPlain = !property.computed && keyNode.type === 'Identifier';
      const key = isPlain ? keyNode.name : computedKey(this, keyNode, scope, depth);
      // `__proto__: x` sets the prototype and no member (ECMA-262 13.2.5.5).
      if (key === '__proto__' && !property.computed && !property.method && !property.shorthand) continue;
      const value = this.#readProperty(property, scope, depth);
      entries.push({ key, keyStart: keyNode.start, keyEnd: keyNode.end, node: value });
    }
    return { ...this.base(node), type: 'object', entries };
  }

  /**
   * @param {Property} property
   * @param {Scope} scope
   * @param {number} depth
   * @returns {ValueNode}
   */
  #readProperty(property, scope, depth) {
    if (property.kind !== 'init') return this.unknown(property, 'it is computed by a getter');
    // The source of a method begins at its name, and so does what `toString()` gives (ECMA-262 20.2.3.5).
    if (property.method) return this.#functionNode(property.start, property.end);
    return this.read({ node: property.value, scope }, depth);
  }

  /**
   * @param {ArrayExpression} node
   * @param {Scope} scope
   * @param {number} depth
   * @returns {ValueNode[]}
   */
  #readItems(node, scope, depth) {
    return node.elements.map((item) => {
      if (!item) return this.unknown(node, 'the array has a hole');
      if (item.type === 'SpreadElement') return this.unknown(item, 'another array is spread here');
      return this.read({ node: item, scope }, depth);
    });
  }

  /**
   * @param {import('acorn').Identifier} node
   * @param {Scope} scope
   * @param {number} depth
   * @returns {ValueNode}
   */
  #readName(node, scope, depth) {
    const binding = findBinding(scope, node.name);
    if (binding) return this.readBinding(binding, node, depth);
    return this.unknown(node, `\`${node.name}\` is not defined in this file`);
  }

  /**
   * @param {MemberExpression} node
   * @param {Scope} scope
   * @param {number} depth
   * @returns {ValueNode}
   */
  #readMember(node, scope, depth) {
    const holder = isModuleExports(node.object, scope)
      ? this.readBinding(this.names.exports, node, depth)
      : this.read({ node: node.object, scope }, depth);
    if (holder.type === 'unknown') return this.unknown(node, holder.reason);
    const key = memberKey(this, node, scope);
    const value = key === undefined ? undefined : member(holder, key);
    return value ?? this.unknown(node, 'no such member is defined in this file');
  }

  /**
   * @param {import('acorn').UnaryExpression} node
   * @param {Scope} scope
   * @param {number} depth
   * @returns {ValueNode}
   */
  #readUnary(node, scope, depth) {
    const value = this.read({ node: node.argument, scope }, depth);
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
   * @param {Scope} scope
   * @param {number} depth
   * @returns {ValueNode}
   */
  #readCall(node, scope, depth) {
    const { callee } = node;
    const [first] = node.arguments;
    const isGlobal = callee.type === 'Identifier' && !findBinding(scope, callee.name);
    if (isGlobal && callee.name === 'require') {
      return this.unknown(node, `${first ? this.source(first) : 'another file'} is loaded when the program runs`);
    }
    if (isGlobal && callee.name === 'String' && first && node.arguments.length === 1) {
      return readString(this, node, { node: first, scope }, depth);
    }
    if (callee.type === 'MemberExpression' && !callee.computed && callee.property.type === 'Identifier') {
      const { name } = callee.property;
      if (name === 'toString' && !first) return readString(this, node, { node: callee.object, scope }, depth);
      if (name === 'join') return readJoin(this, node, scope, depth);
      const isObject = callee.object.type === 'Identifier' && callee.object.name === 'Object';
      if (isObject && name === 'freeze' && first && first.type !== 'SpreadElement') {
        return this.read({ node: first, scope }, depth);
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
 * @param {Entry} entry added, or put in the place of the one of its key
 */
function setEntry(entries, entry) {
  const index = entries.findIndex((candidate) => candidate.key === entry.key);
  if (index === -1) entries.push(entry);
  else entries[index] = entry;
}
