// Lists the built-in objects and methods that a function uses and some engine lacks. Only what is certain: a method
// counts where no object of that engine has one of its name and the code itself defines none, a name where the function
// around it is called, and either where no `catch` makes up for it.

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
import { calledFunctions } from './called-functions.js';
import { aftermathOf, ownerOf } from './caught.js';
import { isInQuickjs, isNewerThan } from './engines.js';
import { isTypeTested, onlyValueOf } from './names.js';
import { memberName, withoutParens } from './parse.js';

/** @import { AnyNode, MemberExpression } from 'acorn' */
/** @import { Names } from './names.js' */
/** @import { Support } from './api-support.js' */
/** @import { Effect, EngineName } from './engines.js' */

/** What these make has only the methods that engines and the text give it. */
const LITERALS = new Set(['Literal', 'TemplateLiteral', 'ArrayExpression', 'ObjectExpression']);

/** `isReplaced`: whether a `catch` gives another result where it throws.
 *  @typedef {{api: string, start: number, end: number, isMissing: (engine: EngineName, version: string) => boolean, effect: Effect, isReplaced: boolean}} ApiUse */

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
    if (!support || mentions.isTested(name) || !mentions.isReached(node, isModule)) continue;
    uses.push(...mentions.use(`\`${name}\``, node, support));
  }
  for (const node of names.nodes) {
    if (node.type === 'MemberExpression') {
      const found = mentions.lastMatch(node);
      if (found) uses.push({ ...useOf(`\`RegExp.${found}\``, node, SPIDERMONKEY_ONLY), effect: 'reads undefined' });
    }
    if (node.type !== 'CallExpression' || node.callee.type === 'Super') continue;
    const callee = withoutParens(node.callee);
    if (callee.type === 'Literal' && callee.regex) {
      uses.push(...mentions.use('a regular expression called', node, XML));
    }
    if (callee.type !== 'MemberExpression') continue;
    const found = mentions.staticCall(callee) ?? mentions.methodCall(callee, isModule);
    if (found) uses.push(...mentions.use(found.api, node, found.support));
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
 * @param {string} api
 * @param {AnyNode} node
 * @param {Support} support
 * @returns {ApiUse}
 */
function useOf(api, node, { since, until, quickjs }) {
  return {
    api,
    start: node.start,
    end: node.end,
    effect: 'throws when run',
    isReplaced: false,
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
  /** Names whose type is tested, or that are read where a `catch` makes up for a throw. @type {Set<string>} */
  #tested = new Set();
  #loadsModules = false;

  /** @param {Names} names */
  constructor(names) {
    this.names = names;
    this.functions = calledFunctions(names);
    for (const { name, node, binding } of names.references) {
      if (name === 'require' && !binding) this.#loadsModules = true;
      if (binding || !GLOBALS.has(name)) continue;
      if (isTypeTested(node, names.parents) || this.#aftermath(node) === 'made up for') this.#tested.add(name);
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
   * @returns {boolean} whether the text tests for it before it uses it: `typeof name`, `this.name`, or in a `try`
   */
  isTested(name) {
    return this.#tested.has(name) || this.#members.has(name);
  }

  /**
   * @param {AnyNode} node
   * @param {boolean} isModule
   * @returns {boolean} whether the functions around it are called: a module holds others for whoever loads it
   */
  isReached(node, isModule) {
    const owner = ownerOf(node, this.names.parents);
    return owner === undefined || (!isModule && this.functions.called.has(owner));
  }

  /**
   * @param {string} api
   * @param {AnyNode} node
   * @param {Support} support
   * @returns {ApiUse[]} none where a `catch` may make up for it
   */
  use(api, node, support) {
    const aftermath = this.#aftermath(node);
    if (aftermath === 'made up for') return [];
    return [{ ...useOf(api, node, support), isReplaced: aftermath === 'other result' }];
  }

  /** @param {AnyNode} node @returns {import('./caught.js').Aftermath} of a throw there */
  #aftermath(node) {
    const { parents } = this.names;
    for (let at = ownerOf(node, parents); at; at = ownerOf(at, parents)) {
      if (this.functions.caught.has(at)) return 'made up for';
    }
    return aftermathOf(node, parents);
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
    if (callee.object.type === 'Super') return undefined;
    const object = withoutParens(callee.object);
    const binding = object.type === 'Identifier' ? this.names.byNode.get(object)?.binding : undefined;
    const isLiteral = LITERALS.has(((binding && onlyValueOf(binding, this.names)) ?? object).type);
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
