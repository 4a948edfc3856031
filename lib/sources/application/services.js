// Follows what AngularJS gives to functions by the names of their parameters: services that the project registers, and those of clients.

import { clientOfService } from '../../clients/index.js';
import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { propertyName } from './code.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { Summary } from './imports.js' */
/** @import { Tracer } from './trace.js' */
/** @import { Value } from './value.js' */

const REGISTERED = /\.\s*(?:factory|service|value|constant)\s*\(\s*['"]([\w$]{1,80})['"]/g;
/** Methods of a module that take a function whose parameters are services. */
const TAKES_SERVICES = new Set(
  'factory service controller directive run config filter provider component decorator'.split(' '),
);
const IS_ANGULAR = /\bangular\b|\$inject|ngInject|\.\s*(?:controller|factory|service|directive)\s*\(\s*['"]/;
const PARAMETERS = /\bfunction\s*[\w$]*\s*\(([^()]{1,800})\)/g;
const STRINGS = /['"]([\w$]{1,80})['"]\s*[,\]]/g;

/**
 * @param {string} text of a file
 * @returns {{registers: string[], injects: string[]}} names of services that it registers, and of those that its functions may be given
 */
export function servicesIn(text) {
  if (!IS_ANGULAR.test(text)) return { registers: [], injects: [] };
  const registers = [...text.matchAll(REGISTERED)].map(([, name = '']) => name);
  const parameters = [...text.matchAll(PARAMETERS)].flatMap(([, list = '']) => list.match(/[\w$]+/g) ?? []);
  const strings = [...text.matchAll(STRINGS)].map(([, name = '']) => name);
  return { registers, injects: [...new Set([...parameters, ...strings])] };
}

/** The services of a project. */
export class Services {
  /** Names by the file that registers them. @type {Map<string, readonly string[]>} */
  #byPath = new Map();
  /** @type {Set<string>} */
  #reached = new Set();
  #summaries;
  #tracer;
  #reaches;

  /**
   * @param {readonly Summary[]} summaries
   * @param {Tracer} tracer learns which file registers a service
   * @param {(value: Value) => boolean} reaches whether there is a client in a value
   */
  constructor(summaries, tracer, reaches) {
    this.#summaries = summaries;
    this.#tracer = tracer;
    this.#reaches = reaches;
    for (const { path, registers } of summaries) {
      if (registers.length > 0) this.#byPath.set(path, registers);
      for (const name of registers) tracer.services.set(name, path);
    }
  }

  /**
   * @param {string} path of a file that was read
   * @returns {string[]} files whose functions are given a service of it that has a client; each service once
   */
  reachedFrom(path) {
    return (this.#byPath.get(path) ?? []).flatMap((name) => {
      if (this.#reached.has(name) || this.#tracer.services.get(name) !== path) return [];
      const value = serviceOf(this.#tracer, name, 0);
      if (!value || !this.#reaches(value)) return [];
      this.#reached.add(name);
      return this.#summaries.filter((one) => one.path !== path && one.injects.includes(name)).map((one) => one.path);
    });
  }
}

/** Whether files use AngularJS. @type {WeakMap<Code, boolean>} */
const ANGULAR = new WeakMap();

/** @param {Code} code @returns {boolean} */
function usesAngular(code) {
  const known = ANGULAR.get(code) ?? IS_ANGULAR.test(code.file.text);
  ANGULAR.set(code, known);
  return known;
}

/**
 * @param {Tracer} tracer
 * @param {FunctionNode} fn
 * @param {number} index of a parameter
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined} the service that it is given
 */
export function injectedInto(tracer, fn, index, code, depth) {
  const name = usesAngular(code) ? injectedName(fn, index, code) : undefined;
  if (name === undefined) return undefined;
  if (tracer.services.has(name)) return serviceOf(tracer, name, depth);
  const known = clientOfService(name);
  return known && { is: 'maker', client: known.client.name, makes: known.makes };
}

/**
 * @param {Tracer} tracer
 * @param {string} name
 * @param {number} depth
 * @returns {Value | undefined} what a file of the project registers by that name
 */
function serviceOf(tracer, name, depth) {
  const code = tracer.store.get(tracer.services.get(name) ?? '');
  const call = code && callThatRegisters(name, code);
  const given = call?.arguments[1];
  if (!code || !call || !given) return undefined;
  const kind = call.callee.type === 'MemberExpression' ? propertyName(call.callee) : undefined;
  const last = given.type === 'ArrayExpression' ? given.elements.at(-1) : given;
  const value = tracer.value(last, code, depth);
  if (kind === 'factory') return value?.is === 'function' ? tracer.returned(value.node, value.code, depth) : undefined;
  if (kind !== 'service') return value;
  if (value?.is === 'class') return { ...value, is: 'instance' };
  return value?.is === 'function' ? { ...value, is: 'constructed' } : undefined;
}

/** @param {string} name @param {Code} code @returns {CallExpression | undefined} */
function callThatRegisters(name, code) {
  for (const node of code.resolved.nodes) {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') continue;
    const [first] = node.arguments;
    if (first?.type !== 'Literal' || first.value !== name) continue;
    if (['factory', 'service', 'value', 'constant'].includes(propertyName(node.callee) ?? '')) return node;
  }
  return undefined;
}

/**
 * @param {FunctionNode} fn
 * @param {number} index
 * @param {Code} code
 * @returns {string | undefined} the name of the service, where AngularJS calls the function
 */
function injectedName(fn, index, code) {
  const param = fn.params[index];
  const own = param?.type === 'Identifier' ? param.name : undefined;
  const parent = code.parentOf(fn);
  if (parent?.type === 'ArrayExpression' && parent.elements.at(-1) === fn) return textOf(parent.elements[index]);
  if (parent && takesServices(parent)) return own;
  const id = 'id' in fn && fn.id ? fn.id : parent?.type === 'VariableDeclarator' ? parent.id : undefined;
  const uses = id?.type === 'Identifier' ? (bindingAt(id, code.resolved)?.references ?? []) : [];
  const users = uses.map(({ node }) => code.parentOf(node));
  for (const user of users) {
    // `OrdersController.$inject = ['$scope', 'pouchDB']`
    const isList = user?.type === 'MemberExpression' && propertyName(user) === '$inject';
    const assignment = isList ? code.parentOf(user) : undefined;
    const list = assignment?.type === 'AssignmentExpression' ? bare(assignment.right) : undefined;
    if (list?.type === 'ArrayExpression') return textOf(list.elements[index]);
  }
  return users.some((user) => user && takesServices(user)) ? own : undefined;
}

/** @param {AnyNode} node @returns {boolean} */
function takesServices(node) {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const [first] = node.arguments;
  const isNamed = first?.type === 'Literal' || (first !== undefined && isFunction(first));
  return isNamed && TAKES_SERVICES.has(propertyName(node.callee) ?? '');
}

/** @param {AnyNode | null | undefined} node @returns {string | undefined} */
function textOf(node) {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
