// Lists the built-in objects and methods that a function uses and some engine lacks. Only what is certain: a method
// counts where no object of that engine has one of its name and the code itself defines none.

import {
  GENERICS,
  GLOBALS,
  LAST_MATCH,
  METHODS,
  PLAIN_SOURCES,
  SPIDERMONKEY_ONLY,
  STATIC_SUPPORT,
  XML,
} from './api-support.js';
import { isInQuickjs, isNewerThan } from './engines.js';
import { isFunction, isTypeTested } from './names.js';
import { memberName, withoutParens } from './parse.js';

/** @import { AnyNode, MemberExpression } from 'acorn' */
/** @import { Names } from './names.js' */
/** @import { Support } from './api-support.js' */
/** @import { Effect, EngineName } from './engines.js' */

/** @typedef {{api: string, start: number, end: number, isMissing: (engine: EngineName, version: string) => boolean, effect: Effect}} ApiUse */

/**
 * @param {Names} names
 * @param {boolean} isModule the parameters of a module's functions may be any object
 * @returns {ApiUse[]} in the order of the text
 */
export function listApis(names, isModule) {
  if (!mayUseApis(names)) return [];
  const mentions = new Mentions(names);
  /** @type {ApiUse[]} */
  const uses = [];
  for (const { name, node, binding } of names.references) {
    // A module holds code for other places too, behind tests of what is there.
    const support = binding || isModule ? undefined : GLOBALS.get(name);
    if (!support || mentions.isTested(name) || depthOf(node, names.parents) > (isModule ? 0 : 1)) continue;
    uses.push(use(`\`${name}\``, node, support));
  }
  for (const node of names.nodes) {
    if (node.type === 'MemberExpression') {
      const found = mentions.lastMatch(node);
      if (found) uses.push({ ...use(`\`RegExp.${found}\``, node, SPIDERMONKEY_ONLY), effect: 'reads undefined' });
    }
    if (node.type !== 'CallExpression' || node.callee.type === 'Super') continue;
    const callee = withoutParens(node.callee);
    if (callee.type === 'Literal' && callee.regex) uses.push(use('a regular expression called', node, XML));
    if (callee.type !== 'MemberExpression') continue;
    const found = mentions.staticCall(callee) ?? mentions.methodCall(callee, isModule);
    if (found) uses.push(use(found.api, node, found.support));
  }
  return uses.sort((first, second) => first.start - second.start);
}

/** The last parts of all names that are looked for behind a dot. */
const MEMBER_NAMES = new Set([
  ...LAST_MATCH,
  ...METHODS.keys(),
  ...[...STATIC_SUPPORT.keys()].map((name) => name.slice(name.indexOf('.') + 1)),
  ...[...GENERICS.values()].flatMap((generic) => [...generic.names]),
]);

/**
 * @param {Names} names
 * @returns {boolean} false where a quick look shows that there is nothing to list, as in most functions
 */
function mayUseApis({ references, nodes }) {
  if (references.some(({ name, binding }) => !binding && GLOBALS.has(name))) return true;
  return nodes.some((node) => {
    if (node.type === 'MemberExpression') return MEMBER_NAMES.has(memberName(node) ?? '');
    return (
      node.type === 'CallExpression' && node.callee.type !== 'Super' && withoutParens(node.callee).type === 'Literal'
    );
  });
}

/**
 * Inner functions are often those of a library that is pasted in, which tests for features before it uses them.
 * @param {AnyNode} node
 * @param {Names['parents']} parents
 * @returns {number} how many functions the node stands in
 */
function depthOf(node, parents) {
  let depth = 0;
  for (let at = parents.get(node); at; at = parents.get(at)) if (isFunction(at)) depth += 1;
  return depth;
}

/**
 * @param {string} api
 * @param {AnyNode} node
 * @param {Support} support
 * @returns {ApiUse}
 */
function use(api, node, { since, until, quickjs }) {
  return {
    api,
    start: node.start,
    end: node.end,
    effect: 'throws when run',
    isMissing: (engine, version) => {
      if (engine === 'quickjs') return !isInQuickjs(quickjs, version);
      return isNewerThan(since, engine) || (until !== undefined && !isNewerThan(until, engine));
    },
  };
}

/** Which names a text defines or tests for, so that its uses of them are not certain to fail. */
class Mentions {
  /** Member names that stand anywhere but in a call of them. @type {Set<string>} */
  #members = new Set();
  /** Names whose type is tested, or that are read where a throw is caught. @type {Set<string>} */
  #tested = new Set();
  #loadsModules = false;

  /** @param {Names} names */
  constructor(names) {
    this.names = names;
    for (const { name, node, binding } of names.references) {
      if (name === 'require' && !binding) this.#loadsModules = true;
      if (isTypeTested(node, names.parents) || isInTry(node, names.parents)) this.#tested.add(name);
    }
    for (const node of names.nodes) this.#collect(node);
  }

  /** @param {AnyNode} node */
  #collect(node) {
    if (node.type === 'MemberExpression' && !this.#isCalled(node)) {
      const name = memberName(node);
      if (name !== undefined) this.#members.add(name);
    }
    if (node.type === 'Property' || node.type === 'MethodDefinition' || node.type === 'PropertyDefinition') {
      if (!node.computed && node.key.type === 'Identifier') this.#members.add(node.key.name);
    }
    // `'includes' in String.prototype`, or a name that is used as a key later.
    if (node.type === 'Literal' && typeof node.value === 'string') this.#members.add(node.value);
  }

  /**
   * @param {string} name
   * @returns {boolean} whether the text tests for it before it uses it: `typeof name`, or in a `try`
   */
  isTested(name) {
    return this.#tested.has(name);
  }

  /**
   * @param {MemberExpression} callee
   * @returns {{api: string, support: Support} | undefined}
   */
  staticCall(callee) {
    const name = memberName(callee);
    const object = this.#freeName(callee.object);
    if (name === undefined || object === undefined || this.#members.has(name)) return undefined;
    const api = `\`${object}.${name}()\``;
    const generic = GENERICS.get(object);
    if (generic?.names.has(name)) return { api, support: { since: 0, until: generic.until, quickjs: false } };
    const support = STATIC_SUPPORT.get(`${object}.${name}`);
    return support && { api, support };
  }

  /**
   * @param {MemberExpression} callee
   * @param {boolean} isModule
   * @returns {{api: string, support: Support} | undefined}
   */
  methodCall(callee, isModule) {
    const name = memberName(callee);
    const support = name === undefined ? undefined : METHODS.get(name);
    if (!support || name === undefined || callee.optional || this.#members.has(name)) return undefined;
    if (callee.object.type === 'Super' || isInTry(callee, this.names.parents)) return undefined;
    const object = withoutParens(callee.object);
    const isLiteral =
      object.type === 'Literal' || object.type === 'TemplateLiteral' || object.type === 'ArrayExpression';
    // Values of a document have no methods of their own. What a module gives, or a module is given, may have.
    if (!isLiteral && (isModule || this.#loadsModules || !this.#isOwnValue(object))) return undefined;
    return { api: `\`.${name}()\``, support };
  }

  /**
   * @param {MemberExpression} node
   * @returns {string | undefined} `$1`, where it is `RegExp.$1`
   */
  lastMatch(node) {
    const name = memberName(node);
    return name !== undefined && LAST_MATCH.has(name) && this.#freeName(node.object) === 'RegExp' ? name : undefined;
  }

  /**
   * @param {AnyNode} object
   * @returns {boolean} whether its first name is declared in the text, not given by somebody else
   */
  #isOwnValue(object) {
    /** @type {AnyNode} */
    let node = object;
    for (let inner = innerObject(node); inner; inner = innerObject(node)) node = inner;
    if (node.type === 'Literal' || node.type === 'TemplateLiteral') return true;
    if (node.type !== 'Identifier') return false;
    return this.names.byNode.get(node)?.binding !== undefined || PLAIN_SOURCES.has(node.name);
  }

  /**
   * @param {AnyNode} node
   * @returns {string | undefined} its name, where it is one that the text does not declare
   */
  #freeName(node) {
    if (node.type !== 'Identifier') return undefined;
    return this.names.byNode.get(node)?.binding ? undefined : node.name;
  }

  /**
   * @param {MemberExpression} node
   * @returns {boolean} whether it is what a call calls
   */
  #isCalled(node) {
    const parent = this.names.parents.get(node);
    return (parent?.type === 'CallExpression' || parent?.type === 'NewExpression') && parent.callee === node;
  }
}

/**
 * @param {AnyNode} node
 * @returns {AnyNode | undefined} what its value is taken or made from
 */
function innerObject(node) {
  switch (node.type) {
    case 'MemberExpression':
      return node.object;
    case 'CallExpression':
    case 'NewExpression':
      return node.callee;
    case 'ParenthesizedExpression':
      return node.expression;
    default:
      return undefined;
  }
}

/**
 * @param {AnyNode} node
 * @param {Names['parents']} parents
 * @returns {boolean} whether a throw of the node is caught in the same function
 */
export function isInTry(node, parents) {
  for (let at = node, parent = parents.get(at); parent; at = parent, parent = parents.get(at)) {
    if (parent.type === 'TryStatement' && parent.block === at && parent.handler) return true;
  }
  return false;
}
