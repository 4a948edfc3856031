// Follows an expression to where its value comes from: through names, imports, members, classes, calls and types, across files.
// Answers what it is of a CouchDB client, or undefined. Runs nothing, and goes only so far.

import { clientOfGlobal, clientOfMember, clientPackage, requestLibrary } from '../../clients/index.js';
import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { annotationOf, importSource } from './annotations.js';
import { isParameterProperty, keyOf, ownerName } from './code.js';
import { DeclaredClients, serverByName } from './declared-clients.js';
import { enclosingObject, isNothing, returnsOf } from './enclosing.js';
import { callValue, newValue } from './factories.js';
import { Forwards } from './forwards.js';
import { joined } from './locations.js';
import { memberOf } from './members.js';
import { argumentOf, GivenClients } from './parameters.js';
import { SharedMembers } from './shared-members.js';
import { storedIn, writtenTo } from './stored.js';

/** @import { AnyNode, Class, Identifier, MemberExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code, CodeStore } from './code.js' */
/** @import { Value } from './value.js' */

/** Names for names, functions that call functions: no code that people write comes near it. */
const MAX_DEPTH = 40;
/** Expressions followed for one call. */
const MAX_STEPS = 2_000;

export class Tracer {
  #steps = 0;
  /** What is being followed, to notice a name that is defined by itself. @type {Set<AnyNode>} */
  #following = new Set();
  /** What expressions are, until more is known of what functions are given. @type {WeakMap<AnyNode, Value | undefined>} */
  #known = new WeakMap();
  /** How often something was not followed to its end. */
  #cutOff = 0;
  given = new GivenClients(() => this.forget());
  forwards = new Forwards();
  shared = new SharedMembers(() => this.forget());
  /** Paths of files by the services that they register with AngularJS. @type {Map<string, string>} */
  services = new Map();

  /**
   * @param {CodeStore} store
   * @param {(specifier: string, from: string) => string | undefined} resolve path of an imported file
   * @param {ReadonlyMap<string, ReadonlySet<string>>} [extended] members that other classes may assign, by the name of the class that these extend
   * @param {ReadonlySet<string>} [defined] names of methods of clients that the project has functions with
   * @param {DeclaredClients} [clients] what the user says of them
   */
  constructor(store, resolve, extended = new Map(), defined = new Set(), clients = new DeclaredClients()) {
    this.store = store;
    this.resolve = resolve;
    this.extended = extended;
    this.defined = defined;
    this.clients = clients;
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

  /**
   * @param {Value} object
   * @param {string} key
   * @returns {Value | undefined}
   */
  startProperty(object, key) {
    this.#steps = 0;
    return this.property(object, key, 0);
  }

  /**
   * @param {import('./value.js').FunctionValue} fn
   * @returns {Value | undefined}
   */
  startReturned({ node, code }) {
    this.#steps = 0;
    return this.returned(node, code, 0);
  }

  /**
   * @param {string} path
   * @param {Set<string>} [seen] files that were looked at
   * @returns {string[]} names of what the file exports, of its own and from others
   */
  exportNames(path, seen = new Set()) {
    const code = seen.has(path) ? undefined : this.store.get(path);
    seen.add(path);
    if (!code) return [];
    const others = code.starSources.flatMap((source) => this.resolve(source, path) ?? []);
    return [...code.exportNames, ...others.flatMap((other) => this.exportNames(other, seen))];
  }

  /** Forgets what expressions are: more is known of clients now. */
  forget() {
    this.#known = new WeakMap();
  }

  /** @returns {boolean} whether so much was followed that it is time to give up */
  isTooFar() {
    this.#steps += 1;
    if (this.#steps <= MAX_STEPS) return false;
    this.#cutOff += 1;
    return true;
  }

  /**
   * @param {AnyNode | null | undefined} written
   * @param {Code} code
   * @param {number} depth
   * @returns {Value | undefined}
   */
  value(written, code, depth) {
    if (!written) return undefined;
    if (this.#known.has(written)) return this.#known.get(written);
    const node = bare(written);
    if (depth > MAX_DEPTH || this.isTooFar() || this.#following.has(node)) {
      this.#cutOff += 1;
      return undefined;
    }
    const before = this.#cutOff;
    const value = this.#found(node, written, code, depth);
    // What was cut off may be found from elsewhere. Values with code in them would keep its tree.
    if (this.#cutOff === before && !(value && 'code' in value)) this.#known.set(written, value);
    return value;
  }

  /**
   * @param {AnyNode} node
   * @param {AnyNode} written the same, maybe in parentheses or with a type
   * @param {Code} code
   * @param {number} depth
   * @returns {Value | undefined}
   */
  #found(node, written, code, depth) {
    this.#following.add(node);
    const own = this.#valueOf(node, code, depth + 1);
    this.#following.delete(node);
    const found = own ?? annotationOf(this, written, code, depth + 1);
    if (found?.is === 'database' || found?.is === 'server') return found;
    return this.clients.of(node, code) ?? found ?? serverByName(node, code);
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
        return this.#oneOf([node.right, node.left], node, code, depth);
      case 'ConditionalExpression':
        return this.#oneOf([node.consequent, node.alternate], node, code, depth);
      case 'ImportExpression':
        return node.source.type === 'Literal' ? this.imported(String(node.source.value), code) : undefined;
      case 'ClassDeclaration':
      case 'ClassExpression':
        return { is: 'class', code, node: /** @type {Class} */ (node) };
      case 'ObjectExpression':
        return { is: 'object', code, node };
      case 'ArrayExpression':
        return { is: 'list', code, node };
      case 'Literal':
        return typeof node.value === 'string' ? { is: 'text', code, node } : undefined;
      case 'TemplateLiteral':
        return { is: 'text', code, node };
      case 'BinaryExpression':
        return node.operator === '+' ? { is: 'text', code, node } : undefined;
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
    // A page may load a client with a script of its own.
    if (!binding) return makerOfGlobal(node.name) ?? this.shared.valueOf('global', node.name, this, depth);
    const declared = binding.declarations.flatMap((id) => this.declared(id, code, depth) ?? []);
    const written = binding.references.flatMap(({ node: use, writes, declares }) => {
      const parent = code.parentOf(use);
      if (!writes || declares) return [];
      const isAssigned = parent?.type === 'AssignmentExpression' && parent.left === use;
      if (!isAssigned) return [this.#takenOut(/** @type {Identifier} */ (use), code, depth)];
      return isNothing(parent.right) ? [] : [this.value(parent.right, code, depth)];
    });
    const found = joined([...declared, ...written]);
    // A string that changes may be anything.
    return found?.is === 'text' && declared.length + written.length > 1 ? undefined : found;
  }

  /**
   * @param {AnyNode[]} choices the likeliest first
   * @param {AnyNode} node that they stand in
   * @param {Code} code
   * @param {number} depth
   * @returns {Value | undefined}
   */
  #oneOf(choices, node, code, depth) {
    const parent = code.parentOf(node);
    // `db = db || new PouchDB('shop')`
    const own = parent?.type === 'AssignmentExpression' ? code.source(parent.left) : undefined;
    const others = choices.filter((choice) => !isNothing(choice) && code.source(choice) !== own);
    const found = joined(others.map((choice) => this.value(choice, code, depth)));
    return found?.is === 'text' ? { is: 'text', code, node } : found;
  }

  /**
   * @param {Identifier} id where a name is declared
   * @param {Code} code
   * @param {number} depth
   * @returns {Value | undefined}
   */
  declared(id, code, depth) {
    const parent = code.parentOf(id);
    if (!parent) return undefined;
    const byComment = this.clients.atLineOf(id, code);
    if (byComment) return byComment;
    const source = importSource(id, code);
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
        return this.importedMember('default', source ?? '', code, depth);
      case 'ImportSpecifier': {
        const name = parent.imported.type === 'Identifier' ? parent.imported.name : String(parent.imported.value);
        return this.importedMember(name, source ?? '', code, depth);
      }
      default:
        // `import * as nano from 'nano'`, `import nano = require('nano')`
        if (source !== undefined) return this.imported(source, code);
    }
    const typed = annotationOf(this, id, code, depth);
    // A type does not say where a PouchDB is; a call may.
    if (typed && !(typed.is === 'database' && typed.location === 'unknown')) return typed;
    const given = this.#takenOut(id, code, depth);
    return typed && given?.is !== 'database' ? typed : given;
  }

  /**
   * `const { db } = require('./db')`; a parameter that calls give a client.
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
      if (parent.type === 'ArrayPattern') {
        path.unshift(String(parent.elements.indexOf(/** @type {never} */ (at))));
        continue;
      }
      if (parent.type === 'ObjectPattern' || isParameterProperty(parent)) continue;
      let value;
      if (parent.type === 'VariableDeclarator') {
        value = this.value(parent.init, code, depth);
        const [first] = value ? [] : path;
        if (first !== undefined && parent.init) {
          value = this.shared.memberOf(parent.init, first, this, depth);
          path.shift();
        }
      } else if (parent.type === 'AssignmentExpression' && at !== id) value = this.value(parent.right, code, depth);
      else if (isFunction(parent))
        value =
          (at === id ? undefined : annotationOf(this, at, code, depth)) ??
          argumentOf(this, parent, parent.params.indexOf(/** @type {never} */ (at)), code, depth);
      for (const key of path) value = value && this.property(value, key, depth);
      return value;
    }
    return undefined;
  }

  /**
   * @param {string} source
   * @param {Code} code that imports it
   * @returns {Value | undefined}
   */
  imported(source, code) {
    if (clientPackage(source) || requestLibrary(source) || source.startsWith('pouchdb-adapter-'))
      return { is: 'package', name: source };
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
    const key = keyOf(node);
    // `cache[name]` is what is written to any member of it.
    if (key === undefined) return storedIn(this, node.object, code, depth);
    const name = ownerName(node);
    const added = clientOfMember(name, key);
    if (added) return { is: 'server', location: 'http', ...added };
    const object = this.value(node.object, code, depth);
    const found = object && this.property(object, key, depth);
    // What `this` has is not all of it: Vue gives it `$shop`.
    if (found || (object && node.object.type !== 'ThisExpression')) return found;
    return (
      (['window', 'globalThis', 'self'].includes(name) ? makerOfGlobal(key) : undefined) ??
      writtenTo(this, node, code, depth) ??
      this.shared.memberOf(node.object, key, this, depth)
    );
  }

  /**
   * @param {Value} object
   * @param {string} key
   * @param {number} depth
   * @returns {Value | undefined}
   */
  property(object, key, depth) {
    if (depth <= MAX_DEPTH && !this.isTooFar()) return memberOf(this, object, key, depth);
    this.#cutOff += 1;
    return undefined;
  }

  /**
   * @param {FunctionNode} fn
   * @param {Code} code
   * @param {number} depth
   * @returns {Value | undefined} what it returns, if one of its returns is a client
   */
  returned(fn, code, depth) {
    // What is declared without a body, of an abstract class or as one of several forms, has its type alone.
    const returns = fn.body && fn.body.type !== 'BlockStatement' ? [fn.body] : returnsOf(fn, code);
    const found = joined(returns.flatMap((node) => this.value(node, code, depth) ?? []));
    return found ?? annotationOf(this, fn, code, depth);
  }
}

/** @param {string} name @returns {Value | undefined} what a script of the page declares */
function makerOfGlobal(name) {
  const client = clientOfGlobal(name);
  return client && { is: 'maker', client: client.name, makes: 'database' };
}
