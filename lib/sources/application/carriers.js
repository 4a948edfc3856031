// Finds out which exports of a file give a client to the files that import them: the others need not be parsed for that.

import { clientPackage } from '../../clients/index.js';
import { nameOf } from './code.js';
import { assignedMembers, madeMembers } from './enclosing.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Tracer } from './trace.js' */
/** @import { Value } from './value.js' */

/** Members of members, functions of functions: a client lies at most so deep in what a file exports. */
const MAX_LEVELS = 6;

export class Carriers {
  #tracer;
  /** By path and name of the export. @type {Map<string, boolean>} */
  #known = new Map();

  /** @param {Tracer} tracer */
  constructor(tracer) {
    this.#tracer = tracer;
  }

  /**
   * @param {string} path
   * @param {readonly string[] | undefined} names of exports; undefined for all of them
   * @returns {boolean} whether one of these is a client, or has one in it, or returns one
   */
  carries(path, names) {
    // `require('./db').get('a')` takes a member of all that the module exports.
    const all = names ? [...names, 'default'] : this.#tracer.exportNames(path);
    return all.some((name) => this.#carriesOne(path, name));
  }

  /**
   * @param {Value} value
   * @returns {boolean} whether it is a client, or has one in it, or returns one
   */
  reaches(value) {
    return this.#reaches(value, new Set(), 0);
  }

  /** @param {string} path of a file of which more is known now */
  forget(path) {
    for (const key of this.#known.keys()) if (key.startsWith(`${path}\0`)) this.#known.delete(key);
  }

  /**
   * @param {string} path
   * @param {string} name
   * @returns {boolean}
   */
  #carriesOne(path, name) {
    const key = `${path}\0${name}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      // Files that import each other: what comes back here adds nothing.
      this.#known.set(key, false);
      known = this.#reaches(this.#tracer.startProperty({ is: 'module', path }, name), new Set(), 0);
      this.#known.set(key, known);
    }
    return known;
  }

  /**
   * @param {Value | undefined} value
   * @param {Set<AnyNode>} seen
   * @param {number} level
   * @returns {boolean}
   */
  #reaches(value, seen, level) {
    if (!value || level > MAX_LEVELS) return false;
    if (value.is === 'module') return this.carries(value.path, undefined);
    if (value.is === 'text') return false;
    if (value.is === 'type')
      return membersOfType(value).some((name) =>
        this.#reaches(this.#tracer.startProperty(value, name), seen, level + 1),
      );
    if (value.is === 'package') return clientPackage(value.name) !== undefined;
    if (!('node' in value)) return true;
    const node = /** @type {AnyNode} */ (value.node);
    if (seen.has(node)) return false;
    seen.add(node);
    if (value.is === 'function' && this.#tracer.forwards.has(value.code.file.path, value.node)) return true;
    if (value.is === 'function') return this.#reaches(this.#tracer.startReturned(value), seen, level + 1);
    if ((value.is === 'class' || value.is === 'instance') && value.node.superClass) {
      if (this.#reaches(this.#tracer.start(value.node.superClass, value.code), seen, level + 1)) return true;
    }
    return memberNames(value).some((name) => this.#reaches(this.#tracer.startProperty(value, name), seen, level + 1));
  }
}

/**
 * @param {Extract<Value, {is: 'class' | 'instance' | 'object' | 'list' | 'constructed'}>} value
 * @returns {string[]} of its own members
 */
function memberNames(value) {
  if (value.is === 'list') return Object.keys(value.node.elements);
  if (value.is === 'constructed') return [...madeMembers(value.node, value.code).keys()];
  if (value.is === 'object') {
    return value.node.properties.flatMap((item) => (item.type === 'Property' ? (nameOf(item.key) ?? []) : []));
  }
  const written = value.node.body.body.flatMap((item) => ('key' in item ? (nameOf(item.key) ?? []) : []));
  return [...written, ...assignedMembers(value.node, value.code).keys()];
}

/** @param {import('./value.js').TypeValue} value @returns {string[]} */
function membersOfType({ node }) {
  return [...(node.members ?? []), ...(Array.isArray(node.body) ? node.body : [])].flatMap(
    ({ key }) => key?.name ?? [],
  );
}
