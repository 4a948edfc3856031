// Follows an expression to where its value comes from: through names, imports, members, classes, calls and types, across files.
// Answers what it is of a CouchDB client, or undefined. Runs nothing, and goes only so far.

import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { annotationOf } from './annotations.js';
import { clientPackage } from './clients.js';
import { nameOf, propertyName } from './code.js';
import { assignedMembers, enclosingObject, returnsOf } from './enclosing.js';
import { callValue, newValue } from './factories.js';

/** @import { AnyNode, Class, Identifier, ImportDeclaration, MemberExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code, CodeStore } from './code.js' */
/** @import { ClassValue, InstanceValue, ObjectValue, Value } from './value.js' */

/** Names for names, functions that call functions: no code that people write comes near it. */
const MAX_DEPTH = 40;
/** Expressions followed for one call. */
const MAX_STEPS = 2_000;

export class Tracer {
  #steps = 0;
  /** What is being followed, to notice a name that is defined by itself. @type {Set<AnyNode>} */
  #following = new Set();

  /**
   * @param {CodeStore} store
   * @param {(specifier: string, from: string) => string | undefined} resolve path of an imported file
   */
  constructor(store, resolve) {
    this.store = store;
    this.resolve = resolve;
  }

  /**
   * @param {AnyNode} node
   * @param {Code} code that it stands in
   * @returns {Value | undefined}
   */
  start(node, code) {
    this.#steps = 0;
    return this.value(node, code, 0);
  }

  /** @returns {boolean} whether so much was followed that it is time to give up */
  #isTooFar() {
    this.#steps += 1;
    return this.#steps > MAX_STEPS;
  }

  /**
   * @param {AnyNode | null | undefined} written
   * @param {Code} code
   * @param {number} depth
   * @returns {Value | undefined}
   */
  value(written, code, depth) {
    if (!written || depth > MAX_DEPTH || this.#isTooFar()) return undefined;
    const node = bare(written);
    if (this.#following.has(node)) return undefined;
    this.#following.add(node);
    const found = this.#valueOf(node, code, depth + 1);
    this.#following.delete(node);
    return found ?? annotationOf(this, written, code, depth + 1);
  }

  /**
   * @param {AnyNode} node
   * @param {Code} code
   * @param {number} depth
   * @returns {Value | undefined}
   */
  #valueOf(node, code, depth) {
    switch (node.type) {
      case 'Identifier':
        return this.#name(node, code, depth);
      case 'MemberExpression':
        return this.#member(node, code, depth);
      case 'ThisExpression':
        return enclosingObject(node, code);
      case 'AwaitExpression':
        return this.value(node.argument, code, depth);
      case 'CallExpression':
        return callValue(this, node, code, depth);
      case 'NewExpression':
        return newValue(this, node, code, depth);
      case 'AssignmentExpression':
        return this.value(node.right, code, depth);
      case 'SequenceExpression':
        return this.value(node.expressions.at(-1), code, depth);
      case 'LogicalExpression':
        return this.value(node.right, code, depth) ?? this.value(node.left, code, depth);
      case 'ConditionalExpression':
        return this.value(node.consequent, code, depth) ?? this.value(node.alternate, code, depth);
      case 'ImportExpression':
        return node.source.type === 'Literal' ? this.imported(String(node.source.value), code) : undefined;
      case 'ClassDeclaration':
      case 'ClassExpression':
        return { is: 'class', code, node: /** @type {Class} */ (node) };
      case 'ObjectExpression':
        return { is: 'object', code, node };
      default:
        return isFunction(node) ? { is: 'function', code, node } : undefined;
    }
  }

  /**
   * @param {Identifier} node
   * @param {Code} code
   * @param {number} depth
   * @returns {Value | undefined}
   */
  #name(node, code, depth) {
    const binding = bindingAt(node, code.resolved);
    // A page loads PouchDB with a script of its own.
    if (!binding) return node.name === 'PouchDB' ? { is: 'maker', client: 'pouchdb', makes: 'database' } : undefined;
    for (const id of binding.declarations) {
      const found = this.#declared(id, code, depth);
      if (found) return found;
    }
    for (const { node: use, writes, declares } of binding.references) {
      const parent = code.parentOf(use);
      if (!writes || declares || parent?.type !== 'AssignmentExpression' || parent.left !== use) continue;
      const found = this.value(parent.right, code, depth);
      if (found) return found;
    }
    return undefined;
  }

  /**
   * @param {Identifier} id where a name is declared
   * @param {Code} code
   * @param {number} depth
   * @returns {Value | undefined}
   */
  #declared(id, code, depth) {
    const parent = code.parentOf(id);
    if (!parent) return undefined;
    if (/** @type {{type: string}} */ (parent).type === 'TSImportEqualsDeclaration')
      return this.#importEquals(parent, code);
    switch (parent.type) {
      case 'VariableDeclarator':
        if (parent.id === id) return this.value(parent.init, code, depth) ?? annotationOf(this, id, code, depth);
        break;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
        if (parent.id === id) return { is: 'function', code, node: parent };
        break;
      case 'ClassDeclaration':
      case 'ClassExpression':
        if (parent.id === id) return { is: 'class', code, node: /** @type {Class} */ (parent) };
        break;
      case 'ImportDefaultSpecifier':
        return this.importedMember('default', this.#sourceOf(parent, code), code, depth);
      case 'ImportNamespaceSpecifier':
        return this.imported(this.#sourceOf(parent, code), code);
      case 'ImportSpecifier': {
        const name = parent.imported.type === 'Identifier' ? parent.imported.name : String(parent.imported.value);
        return this.importedMember(name, this.#sourceOf(parent, code), code, depth);
      }
      default:
    }
    return annotationOf(this, id, code, depth) ?? this.#takenOut(id, code, depth);
  }

  /**
   * `const { db } = require('./db')`; a parameter that calls in the same file give a client.
   * @param {Identifier} id
   * @param {Code} code
   * @param {number} depth
   * @returns {Value | undefined}
   */
  #takenOut(id, code, depth) {
    /** @type {string[]} */
    const path = [];
    /** @type {AnyNode} */
    let at = id;
    for (let parent = code.parentOf(at); parent; at = parent, parent = code.parentOf(at)) {
      if (parent.type === 'AssignmentPattern' && parent.left === at) continue;
      if (parent.type === 'Property' && parent.value === at && !parent.computed) {
        path.unshift(parent.key.type === 'Identifier' ? parent.key.name : '');
        continue;
      }
      if (parent.type === 'ObjectPattern') continue;
      let value;
      if (parent.type === 'VariableDeclarator') value = this.value(parent.init, code, depth);
      else if (isFunction(parent))
        value = this.#argument(parent, parent.params.indexOf(/** @type {never} */ (at)), code, depth);
      for (const key of path) value = value && this.property(value, key, depth);
      return value;
    }
    return undefined;
  }

  /**
   * @param {FunctionNode} fn
   * @param {number} index of a parameter
   * @param {Code} code
   * @param {number} depth
   * @returns {Value | undefined} what the first call of the function in its own file gives it
   */
  #argument(fn, index, code, depth) {
    const parent = code.parentOf(fn);
    const id = 'id' in fn && fn.id ? fn.id : parent?.type === 'VariableDeclarator' ? parent.id : undefined;
    if (index < 0 || id?.type !== 'Identifier') return undefined;
    for (const { node } of bindingAt(id, code.resolved)?.references ?? []) {
      const call = code.parentOf(node);
      if (call?.type !== 'CallExpression' || call.callee !== node) continue;
      const found = this.value(call.arguments[index], code, depth);
      if (found) return found;
    }
    return undefined;
  }

  /**
   * @param {AnyNode} specifier
   * @param {Code} code
   * @returns {string}
   */
  #sourceOf(specifier, code) {
    return String(/** @type {ImportDeclaration} */ (code.parentOf(specifier)).source.value);
  }

  /**
   * @param {AnyNode} node
   * @param {Code} code
   * @returns {Value | undefined}
   */
  #importEquals(node, code) {
    const { moduleReference } = /** @type {{moduleReference?: {expression?: {value?: unknown}}}} */ (
      /** @type {unknown} */ (node)
    );
    const source = moduleReference?.expression?.value;
    return typeof source === 'string' ? this.imported(source, code) : undefined;
  }

  /**
   * @param {string} source
   * @param {Code} code that imports it
   * @returns {Value | undefined}
   */
  imported(source, code) {
    if (clientPackage(source)) return { is: 'package', name: source };
    const path = this.resolve(source, code.file.path);
    return path === undefined ? undefined : { is: 'module', path };
  }

  /**
   * @param {string} name
   * @param {string} source
   * @param {Code} code
   * @param {number} depth
   * @returns {Value | undefined}
   */
  importedMember(name, source, code, depth) {
    const whole = this.imported(source, code);
    if (!whole || (whole.is === 'package' && name === 'default')) return whole;
    return this.property(whole, name, depth);
  }

  /**
   * @param {MemberExpression} node
   * @param {Code} code
   * @param {number} depth
   * @returns {Value | undefined}
   */
  #member(node, code, depth) {
    if (node.object.type === 'Super') return undefined;
    const key = propertyName(node);
    if (key === undefined) return undefined;
    const object = this.value(node.object, code, depth);
    if (object) return this.property(object, key, depth);
    const isWindow = node.object.type === 'Identifier' && ['window', 'globalThis', 'self'].includes(node.object.name);
    return isWindow && key === 'PouchDB' ? { is: 'maker', client: 'pouchdb', makes: 'database' } : undefined;
  }

  /**
   * @param {Value} object
   * @param {string} key
   * @param {number} depth
   * @returns {Value | undefined}
   */
  property(object, key, depth) {
    if (depth > MAX_DEPTH) return undefined;
    switch (object.is) {
      case 'server':
        // `nano.db` and `cloudant.db` have the methods of the server, too.
        return key === 'db' ? object : undefined;
      case 'package': {
        const known = clientPackage(object.name);
        if (!known) return undefined;
        if (key === 'default') return object;
        if (known.makes === 'namespace' && ['Connection', 'CloudantV1'].includes(key)) {
          return { is: 'maker', client: known.client, makes: 'server' };
        }
        return undefined;
      }
      case 'module':
        return this.#exported(object.path, key, depth);
      case 'object':
        return this.#ofObject(object, key, depth);
      case 'instance':
        return this.#ofInstance(object, key, depth);
      case 'class':
        return this.#ofInstance(object, key, depth);
      default:
        return undefined;
    }
  }

  /**
   * @param {string} path
   * @param {string} name
   * @param {number} depth
   * @returns {Value | undefined}
   */
  #exported(path, name, depth) {
    const code = this.store.get(path);
    if (!code || this.#isTooFar() || depth > MAX_DEPTH) return undefined;
    const found = code.exported(name);
    if (found && 'node' in found) return this.value(found.node, code, depth + 1);
    if (found) {
      return found.name === '*'
        ? this.imported(found.from, code)
        : this.importedMember(found.name, found.from, code, depth + 1);
    }
    const whole = name === 'default' ? undefined : code.exported('default');
    if (whole && 'node' in whole) {
      const object = this.value(whole.node, code, depth + 1);
      const member = object && object.is !== 'module' ? this.property(object, name, depth + 1) : undefined;
      if (member) return member;
    }
    for (const source of code.starSources) {
      const member = this.importedMember(name, source, code, depth + 1);
      if (member) return member;
    }
    return undefined;
  }

  /**
   * @param {ObjectValue} object
   * @param {string} key
   * @param {number} depth
   * @returns {Value | undefined}
   */
  #ofObject({ code, node }, key, depth) {
    for (const property of node.properties) {
      if (property.type !== 'Property' || property.computed) continue;
      const name = property.key.type === 'Identifier' ? property.key.name : undefined;
      if (name !== key) continue;
      if (property.kind === 'get' && isFunction(property.value)) return this.returned(property.value, code, depth);
      return this.value(property.value, code, depth);
    }
    return undefined;
  }

  /**
   * @param {InstanceValue | ClassValue} object
   * @param {string} key
   * @param {number} depth
   * @returns {Value | undefined}
   */
  #ofInstance({ code, node }, key, depth) {
    for (const member of node.body.body) {
      if (!('key' in member) || nameOf(member.key) !== key) continue;
      const found =
        member.type === 'MethodDefinition'
          ? member.kind === 'get'
            ? this.returned(member.value, code, depth)
            : /** @type {Value} */ ({ is: 'function', code, node: member.value })
          : (this.value(member.value, code, depth) ?? annotationOf(this, member, code, depth));
      if (found) return found;
    }
    for (const found of assignedMembers(node, key, code)) {
      const value =
        'value' in found ? this.value(found.value, code, depth) : this.#declared(found.parameter, code, depth);
      if (value) return value;
    }
    const parent = node.superClass && this.value(node.superClass, code, depth);
    return parent?.is === 'class' ? this.#ofInstance(parent, key, depth + 1) : undefined;
  }

  /**
   * @param {FunctionNode} fn
   * @param {Code} code
   * @param {number} depth
   * @returns {Value | undefined} what it returns, if one of its returns is a client
   */
  returned(fn, code, depth) {
    if (!fn.body) return annotationOf(this, fn, code, depth);
    if (fn.body.type !== 'BlockStatement')
      return this.value(fn.body, code, depth) ?? annotationOf(this, fn, code, depth);
    for (const node of returnsOf(fn, code)) {
      const found = this.value(node, code, depth);
      if (found) return found;
    }
    return annotationOf(this, fn, code, depth);
  }
}
