// Collects what a program assigns to its names and exports, and the expressions in it that may be design documents.
// Runs nothing and evaluates nothing.

import { bindingAt, boundIn, isFunction, resolveNames } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { declaredByTypeScript } from '../../javascript/typescript.js';

/** @import { AnyNode, AssignmentExpression, CallExpression, Class, ExportNamedDeclaration, Identifier, MemberExpression, MethodDefinition, ObjectExpression, Program, PropertyDefinition } from 'acorn' */
/** @import { Binding, Names } from '../../javascript/names.js' */
/** @import { FunctionNode } from '../../javascript/parse.js' */

/**
 * @typedef {object} Holder A name, or the exports, with what it is given.
 * @property {string} name
 * @property {AnyNode[]} values each value it is given; a name is only followed where there is exactly one
 * @property {string} [reason] why the value is unknown: a parameter, an import
 * @property {Member[]} members written to the object that it holds
 */
/** @typedef {{path: string[], value: AnyNode, target: AnyNode, keyStart: number, keyEnd: number}} Member a value written below an object */

export class ProgramNames {
  /** What the module exports, CommonJS or ES. */
  exports = createHolder('exports');
  /** `x.y = value`, in the order of the text. @type {{target: MemberExpression, value: AnyNode}[]} */
  memberWrites = [];
  /** Every object literal. @type {ObjectExpression[]} */
  objects = [];
  /** Every call with arguments. @type {CallExpression[]} */
  calls = [];
  /** Names that the program declares. @type {Map<Binding, Holder>} */
  #declared = new Map();
  /** Undeclared names that are given a value: old scripts keep their design document in one. @type {Map<string, Holder>} */
  #globals = new Map();
  /** Every name of the program. @type {Names} */
  resolved;

  /** @param {Program} program */
  constructor(program) {
    this.resolved = resolveNames(program.body);
    /** @type {AssignmentExpression[]} */
    const assignments = [];
    for (const node of this.resolved.nodes) {
      if (node.type === 'ObjectExpression') this.objects.push(node);
      else if (node.type === 'CallExpression' && node.arguments.length > 0) this.calls.push(node);
      else if (node.type === 'AssignmentExpression') assignments.push(node);
      else if (node.type === 'ExportDefaultDeclaration') this.exports.values.push(node.declaration);
      else if (node.type === 'ExportNamedDeclaration') this.#addExports(node);
    }
    const assigned = new Set(assignments.flatMap(({ left }) => boundIn(left)));
    for (const scope of [this.resolved.top, ...this.resolved.scopes.values()]) {
      for (const binding of scope.bindings.values()) this.#addDeclared(binding, assigned);
    }
    for (const node of assignments) this.#addAssignment(node);
  }

  /** @returns {ReadonlySet<string>} names that a compiler may replace by a value: of enums, and of imports, which may be enums */
  get inlinable() {
    const names = [...this.#declared.keys()].filter(
      ({ kind, declarations }) =>
        kind === 'import' || declarations.some((id) => declaredByTypeScript(this.#parentOf(id) ?? id)),
    );
    return new Set(names.map(({ name }) => name));
  }

  /**
   * @param {AnyNode} callee
   * @returns {FunctionNode | undefined} the function of this file that is called there
   */
  helperOf(callee) {
    const node = bare(callee);
    if (node.type === 'Identifier') {
      const holder = this.holderOf(node);
      const [value, ...others] = holder?.values ?? [];
      if (!value || others.length > 0 || holder?.reason) return undefined;
      const helper = bare(value);
      return isFunction(helper) ? helper : undefined;
    }
    const member = node.type === 'MemberExpression' ? this.#classMember(node) : undefined;
    const value = member?.type === 'MethodDefinition' && member.kind !== 'method' ? undefined : member?.value;
    return value && isFunction(value) ? value : undefined;
  }

  /**
   * @param {MemberExpression} node `this.name` or `Shop.name`
   * @returns {AnyNode | undefined} the value of the field of a class that nothing in the file changes
   */
  fieldOf(node) {
    const member = this.#classMember(node);
    return (member?.type === 'PropertyDefinition' && member.value) || undefined;
  }

  /**
   * @param {MemberExpression} node
   * @returns {PropertyDefinition | MethodDefinition | undefined} the only one of its name, where nothing in the file changes it
   */
  #classMember({ object, property, computed }) {
    if (computed || property.type !== 'Identifier') return undefined;
    const of = bare(object);
    const owner = of.type === 'ThisExpression' ? this.#classAround(of) : this.#classNamed(of);
    const [found, ...others] = (owner?.body.body ?? []).filter(
      (item) => 'key' in item && !item.computed && item.key.type === 'Identifier' && item.key.name === property.name,
    );
    if (!found || others.length > 0 || found.type === 'StaticBlock') return undefined;
    const isChanged = this.memberWrites.some(({ target }) => {
      const base = bare(target.object);
      return (
        target.property.type === 'Identifier' &&
        target.property.name === property.name &&
        (base.type === 'ThisExpression' || this.#classNamed(base) === owner)
      );
    });
    return isChanged ? undefined : found;
  }

  /**
   * @param {AnyNode} node
   * @returns {Class | undefined} the class that `this` stands in a method or a field of
   */
  #classAround(node) {
    for (let at = this.#parentOf(node); at; at = this.#parentOf(at)) {
      if (at.type === 'ClassDeclaration' || at.type === 'ClassExpression') return at;
      const isMethod = this.#parentOf(at)?.type === 'MethodDefinition';
      if (isFunction(at) && at.type !== 'ArrowFunctionExpression' && !isMethod) return undefined;
    }
    return undefined;
  }

  /**
   * @param {AnyNode} node
   * @returns {Class | undefined}
   */
  #classNamed(node) {
    if (node.type !== 'Identifier') return undefined;
    const binding = bindingAt(node, this.resolved);
    const parent =
      binding?.declarations.length === 1 && this.#parentOf(/** @type {Identifier} */ (binding.declarations[0]));
    return parent && (parent.type === 'ClassDeclaration' || parent.type === 'ClassExpression') ? parent : undefined;
  }

  /** @param {AnyNode} node @returns {AnyNode | undefined} */
  #parentOf(node) {
    return this.resolved.parents.get(node);
  }

  /** @returns {Holder[]} of all names, those that the program declares first */
  get holders() {
    return [...this.#declared.values(), ...this.#globals.values()];
  }

  /**
   * @param {Identifier} node
   * @returns {Holder | undefined} of what the name means there; undefined for what this file does not define
   */
  holderOf(node) {
    const binding = bindingAt(node, this.resolved);
    return binding ? this.#declared.get(binding) : this.#globals.get(node.name);
  }

  /**
   * @param {AnyNode} node
   * @returns {boolean} whether it is `module.exports`
   */
  isModuleExports(node) {
    return (
      node.type === 'MemberExpression' &&
      !node.computed &&
      node.object.type === 'Identifier' &&
      node.object.name === 'module' &&
      node.property.type === 'Identifier' &&
      node.property.name === 'exports' &&
      !this.holderOf(node.object)
    );
  }

  /**
   * @param {Binding} binding
   * @param {ReadonlySet<Identifier>} assigned names that assignments give a value
   */
  #addDeclared(binding, assigned) {
    const { name, declarations, references, isThereOnEntry } = binding;
    const holder = createHolder(name);
    this.#declared.set(binding, holder);
    for (const id of declarations) {
      const given = this.#readDeclaration(id, isThereOnEntry);
      if (typeof given === 'string') holder.reason = `\`${name}\` ${given}`;
      else if (given) holder.values.push(given);
    }
    if (references.some(({ node, writes, declares }) => writes && !declares && !assigned.has(node))) {
      holder.reason = `\`${name}\` changes while the program runs`;
    }
  }

  /**
   * @param {Identifier} id where a name is declared
   * @param {boolean} isThereOnEntry
   * @returns {AnyNode | string | undefined} the value that it is given there, or why that is unknown
   */
  #readDeclaration(id, isThereOnEntry) {
    const { parents } = this.resolved;
    let at = parents.get(id);
    if (at?.type === 'VariableDeclarator' && at.id === id) return at.init ?? undefined;
    if (at && isEnum(at)) return at;
    if (at && declaredByTypeScript(at)) return 'is a namespace or an import';
    if (at?.type === 'ClassDeclaration' || at?.type === 'ClassExpression') return 'is a class';
    if (at?.type === 'FunctionExpression' && at.id === id) return at;
    if (at?.type === 'FunctionDeclaration' && at.id === id) {
      return isThereOnEntry ? at : 'is declared in a block that may not run';
    }
    while (at) {
      if (isFunction(at)) return 'is a parameter';
      if (at.type === 'VariableDeclarator') return 'is destructured from another value';
      if (at.type === 'CatchClause') return 'is a caught error';
      if (at.type === 'ImportDeclaration') return `comes from ${String(at.source.raw)}`;
      at = parents.get(at);
    }
    return undefined;
  }

  /**
   * `export const orders = …` and `export { orders }` are members of what the module exports.
   * @param {ExportNamedDeclaration} node
   */
  #addExports({ source, declaration, specifiers }) {
    if (source) return;
    const { members } = this.exports;
    for (const { id } of declaration?.type === 'VariableDeclaration' ? declaration.declarations : []) {
      if (id.type !== 'Identifier') continue;
      members.push({ path: [id.name], value: id, target: id, keyStart: id.start, keyEnd: id.end });
    }
    for (const { local, exported } of specifiers) {
      const name = exported.type === 'Identifier' ? exported.name : String(exported.value);
      members.push({ path: [name], value: local, target: local, keyStart: exported.start, keyEnd: exported.end });
    }
  }

  /** @param {AssignmentExpression} node */
  #addAssignment({ left, operator, right }) {
    const target = bare(left);
    if (target.type === 'MemberExpression') {
      if (operator !== '=') return;
      if (this.isModuleExports(target)) this.exports.values.push(right);
      else this.memberWrites.push({ target, value: right });
      return;
    }
    for (const id of boundIn(left)) {
      const { name } = id;
      let holder = this.holderOf(id);
      // `exports = module.exports = {…}` is the usual spelling; the inner assignment says what is exported.
      if (!holder && name === 'exports') continue;
      if (!holder) {
        holder = createHolder(name);
        this.#globals.set(name, holder);
      }
      holder.values.push(right);
      if (left.type !== 'Identifier' || operator !== '=') holder.reason = `\`${name}\` is computed`;
    }
  }
}

/**
 * @param {{type: string}} node
 * @returns {boolean}
 */
export function isEnum({ type }) {
  return type === 'TSEnumDeclaration';
}

/**
 * @param {string} name
 * @returns {Holder}
 */
function createHolder(name) {
  return { name, values: [], members: [] };
}
