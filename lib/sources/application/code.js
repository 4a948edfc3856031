// One file of an application, parsed: its names, what it imports and what it exports. Runs nothing.

import { loadDialect } from '../../javascript/dialects.js';
import { bare, parseFile } from '../../javascript/parse.js';
import { ProgramNames } from '../design-docs/javascript-names.js';
import { ValueReader } from '../design-docs/javascript-values.js';

/** @import { AnyNode, MemberExpression, Program } from 'acorn' */
/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { Names } from '../../javascript/names.js' */
/** @import { StoppingPlace } from '../../javascript/parse.js' */

/** Trees that are kept at a time, by the characters they were made of. A tree takes more than a hundred bytes a character. */
const MAX_KEPT_CHARACTERS = 500_000;

/** An export: an expression of this file, or an export of another one. @typedef {{node: AnyNode} | {from: string, name: string}} Exported */

export class Code {
  /** @type {Map<string, Exported> | undefined} */
  #exports;
  /** The number of each node in the order of the text, made when first needed. @type {Map<AnyNode, number>} */
  #order = new Map();
  /** Made when first needed: a file without a call needs none. @type {ValueReader | undefined} */
  #reader;
  /** @type {string[]} */
  #starSources = [];

  /**
   * @param {SourceFile} file
   * @param {Program} program
   */
  constructor(file, program) {
    this.file = file;
    this.program = program;
    this.names = new ProgramNames(program);
  }

  /** @returns {ValueReader} */
  get reader() {
    this.#reader ??= new ValueReader(this.file, this.names);
    return this.#reader;
  }

  /** @returns {Names} */
  get resolved() {
    return this.names.resolved;
  }

  /**
   * @param {AnyNode} node
   * @returns {AnyNode | undefined}
   */
  parentOf(node) {
    return this.resolved.parents.get(node);
  }

  /**
   * @param {AnyNode} outer
   * @returns {AnyNode[]} all nodes in it, itself left out, in the order of the text
   */
  nodesWithin(outer) {
    const { nodes } = this.resolved;
    if (this.#order.size === 0) for (const [index, node] of nodes.entries()) this.#order.set(node, index);
    const found = [];
    // Parents come before their children, so what is in a node follows it.
    for (let at = (this.#order.get(outer) ?? nodes.length) + 1; at < nodes.length; at += 1) {
      const node = /** @type {AnyNode} */ (nodes[at]);
      if (node.start >= outer.end) break;
      found.push(node);
    }
    return found;
  }

  /**
   * @param {AnyNode} node
   * @returns {string} the characters it is written with
   */
  source(node) {
    return this.file.text.slice(node.start, node.end);
  }

  /**
   * @param {string} name `default` for what the module exports as a whole
   * @returns {Exported | undefined}
   */
  exported(name) {
    this.#exports ??= this.#listExports();
    return this.#exports.get(name);
  }

  /** @returns {readonly string[]} sources of `export * from` */
  get starSources() {
    this.#exports ??= this.#listExports();
    return this.#starSources;
  }

  /** @returns {string[]} names of all exports that stand in this file itself */
  get exportNames() {
    this.#exports ??= this.#listExports();
    return [...this.#exports.keys()];
  }

  /** @returns {Map<string, Exported>} */
  #listExports() {
    /** @type {Map<string, Exported>} */
    const found = new Map();
    // The reader has added what is written to members of the exports.
    const { exports } = this.reader.names;
    for (const { path, value } of exports.members) {
      if (path.length === 1) found.set(path[0] ?? '', { node: value });
    }
    const whole = exports.values.at(-1);
    if (whole) found.set('default', { node: whole });
    for (const node of this.program.body) {
      if (node.type === 'ExportAllDeclaration') {
        const from = String(node.source.value);
        if (!node.exported) this.#starSources.push(from);
        else if (node.exported.type === 'Identifier') found.set(node.exported.name, { from, name: '*' });
      }
      if (node.type !== 'ExportNamedDeclaration') continue;
      const { declaration, source, specifiers } = node;
      if (declaration?.type === 'FunctionDeclaration' || declaration?.type === 'ClassDeclaration') {
        found.set(declaration.id.name, { node: declaration });
      }
      for (const { local, exported } of source ? specifiers : []) {
        if (local.type !== 'Identifier' || exported.type !== 'Identifier') continue;
        found.set(exported.name, { from: String(source?.value), name: local.name });
      }
    }
    return found;
  }
}

/** Gives parsed files by their paths, and keeps the trees of the last few. */
export class CodeStore {
  #read;
  /** In the order of their last use. @type {Map<string, Code | undefined>} */
  #kept = new Map();
  #characters = 0;
  /** Files that do not parse. @type {Map<string, {file: SourceFile} & StoppingPlace>} */
  unparsed = new Map();

  /** @param {(path: string) => SourceFile | undefined} read */
  constructor(read) {
    this.#read = read;
  }

  /**
   * @param {string} path
   * @returns {Code | undefined} undefined where there is no such file or it does not parse; its dialect must have been loaded
   */
  get(path) {
    if (this.#kept.has(path)) {
      const known = this.#kept.get(path);
      this.#kept.delete(path);
      this.#kept.set(path, known);
      return known;
    }
    if (this.unparsed.has(path)) return undefined;
    const file = this.#read(path);
    const parsed = file && parseFile(file.text, path, { takesFunctions: true });
    if (file && parsed && !parsed.ok) {
      const { message, offset, limit } = parsed;
      this.unparsed.set(path, { file, message, offset, limit });
      return undefined;
    }
    const code = file && parsed?.ok ? new Code(file, parsed.program) : undefined;
    this.#kept.set(path, code);
    this.#characters += code?.file.text.length ?? 0;
    for (const [oldest, { file: old } = { file: undefined }] of this.#kept) {
      if (this.#characters <= MAX_KEPT_CHARACTERS || oldest === path) break;
      this.#kept.delete(oldest);
      this.#characters -= old?.text.length ?? 0;
    }
    return code;
  }
}

/** Loads all parsers that the code of an application may need. */
export async function loadAllDialects() {
  for (const path of ['.jsx', '.ts', '.tsx']) await loadDialect(`code${path}`, '');
}

/**
 * @param {MemberExpression} node
 * @returns {string | undefined} `#db` for a private member
 */
export function propertyName({ property, computed }) {
  return computed ? undefined : nameOf(property);
}

/** @param {AnyNode} key @returns {string | undefined} */
export function nameOf(key) {
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  // `{ 'url': … }`
  if (key.type === 'Literal') return typeof key.value === 'string' ? key.value : undefined;
  return key.type === 'Identifier' ? key.name : undefined;
}

/** @param {MemberExpression} node @returns {string} the name of what has the member: `$`, and `$$()` for a call of a function */
export function ownerName({ object }) {
  if (object.type === 'Identifier') return object.name;
  return object.type === 'CallExpression' && object.callee.type === 'Identifier' ? `${object.callee.name}()` : '';
}

/** @param {MemberExpression} node @returns {string | undefined} `0` for `list[0]`, `shop` for `databases['shop']` */
export function keyOf(node) {
  if (!node.computed) return propertyName(node);
  const { property } = node;
  return property.type === 'Literal' ? String(property.value) : undefined;
}

/** @param {{type: string}} node @returns {boolean} whether it is a parameter of a constructor that is a member, too */
export function isParameterProperty({ type }) {
  return type === 'TSParameterProperty';
}

/**
 * @param {AnyNode | undefined} object
 * @param {readonly string[]} names
 * @returns {AnyNode[]} the values of these members
 */
export function membersOf(object, names) {
  const node = object && bare(object);
  if (node?.type !== 'ObjectExpression') return [];
  return node.properties.flatMap((item) =>
    item.type === 'Property' && !item.computed && names.includes(nameOf(item.key) ?? '') ? item.value : [],
  );
}
