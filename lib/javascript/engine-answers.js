// Table of what CouchDB's engines run without an error and answer differently, and which functions have it. What an engine refuses is in engines.js.

import { LAST_MATCH } from './api-support.js';
import { aftermathOf } from './caught.js';
import { isFunction, onlyValueOf } from './names.js';
import { bare, memberName } from './parse.js';
import { someNode } from './walk.js';

/** @import { AnyNode, CallExpression, ForInStatement, MemberExpression } from 'acorn' */
/** @import { EngineName } from './engines.js' */
/** @import { Names } from './names.js' */

/** Only a map gets its document frozen. */
export const FROZEN = 'sort of an array of the document';
/** The one row about where code runs, and not about what a built-in function answers. */
export const IN_MODULE = 'built-in object extended in a module';

/**
 * @typedef {object} AnswerRow
 * @property {string} example an expression, and what it gives in UTC by engine; an engine that was not tried is absent
 * @property {Partial<Record<EngineName, string>>} answers
 * @property {RegExp} [hint] functions whose text does not match cannot have it; absent where the sandbox cannot answer as the other engine does
 * @property {true} [isPartly] whether functions can only be run for some of its values: the locale `en-US`, arrays of documents that were made
 * @property {true} [needsDocument] whether only a document shows that an answer differs: most values give the same everywhere
 */

/** @type {(spidermonkey: string, quickjs: string, old?: string) => AnswerRow['answers']} */
const since60 = (spidermonkey, quickjs, old) => ({
  ...(old === undefined ? {} : { 'spidermonkey-1.8.5': old }),
  'spidermonkey-78': spidermonkey,
  'spidermonkey-91': spidermonkey,
  quickjs,
});
/** @type {(before: string, after: string) => AnswerRow['answers']} */
const not185 = (before, after) => ({
  'spidermonkey-1.8.5': before,
  'spidermonkey-60': after,
  ...since60(after, after),
});

/**
 * Tried on couchjs of 3.4.3 with SpiderMonkey 78 and QuickJS, on QuickJS of 3.5.2, and on the shell of SpiderMonkey 102, which stands for 91 and later.
 * 1.8.5 was tried with couchjs and main.js of 2.3.1. What is said of 60 is from best-practices/jsdevel.rst (3.5.2) and was not tried.
 * @satisfies {Record<string, AnswerRow>}
 */
export const ANSWERS = {
  'last match': {
    example: "/(b)/.test('abc') && RegExp.$1",
    hint: /\bRegExp\b/,
    answers: { 'spidermonkey-1.8.5': '"b"', 'spidermonkey-60': '"b"', ...since60('"b"', 'undefined') },
  },
  'date in a locale': {
    example: "new Date(0).toLocaleDateString('en-US')",
    hint: /\btoLocale/,
    answers: since60('"1/1/1970"', '"01/01/1970"', '"01/01/1970"'),
    isPartly: true,
  },
  'date and time in a locale': {
    example: "new Date(0).toLocaleString('en-US')",
    hint: /\btoLocale/,
    answers: since60('"1/1/1970, 12:00:00 AM"', '"01/01/1970, 12:00:00 AM"', '"Thu Jan  1 00:00:00 1970"'),
    isPartly: true,
  },
  'time in a locale': {
    example: "new Date(46800000).toLocaleTimeString('en-US')",
    hint: /\btoLocale/,
    answers: since60('"1:00:00 PM"', '"01:00:00 PM"', '"13:00:00"'),
    isPartly: true,
  },
  'number in a locale': {
    example: "(1234.5).toLocaleString('en-US')",
    hint: /\btoLocaleString\b/,
    answers: since60('"1,234.5"', '"1234.5"', '"1234.5"'),
    isPartly: true,
  },
  'date as a string': {
    example: 'new Date(0).toString()',
    hint: /\bDate\b/,
    answers: since60(
      '"Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)"',
      '"Thu Jan 01 1970 00:00:00 GMT+0000"',
      '"Thu Jan 01 1970 00:00:00 GMT+0000 (UTC)"',
    ),
  },
  'test of a date': {
    example: "isNaN(new Date('2019-02-31'))",
    hint: /\bDate\b/,
    answers: since60('true', 'false', 'true'),
  },
  'code in a string': {
    example: "eval('1 + 1')",
    hint: /\b(?:eval|Function|constructor)\b/,
    answers: since60('an error', '2', 'an error'),
  },
  'sort by a test': {
    example: '[5, 1, 4, 2, 3, 9, 8, 7, 6].sort(function (a, b) { return a > b; })',
    hint: /\bsort\b/,
    answers: since60('[1,2,3,4,5,6,7,8,9]', '[5,1,2,3,4,6,7,8,9]', '[1,2,3,4,5,6,7,8,9]'),
    isPartly: true,
  },
  // SpiderMonkey refuses to sort such an array of two values or more, QuickJS only to move one.
  [FROZEN]: {
    example: 'Object.freeze([1, 2]).sort()',
    hint: /\bsort\b/,
    answers: since60('an error', '[1,2]'),
    isPartly: true,
  },
  // QuickJS runs each module in a realm of its own; SpiderMonkey in that of the function that loads it first.
  [IN_MODULE]: {
    example: 'typeof Date.prototype.inDays',
    hint: /\brequire\b/,
    answers: {
      'spidermonkey-1.8.5': '"function"',
      'spidermonkey-60': '"function"',
      ...since60('"function"', '"undefined"'),
    },
  },
  'E4X in a try': {
    example: 'typeof XML',
    answers: not185('"function"', '"undefined"'),
  },
  'text of a function': {
    example: "(function () { return   1; }) + ''",
    answers: {
      'spidermonkey-1.8.5': '"function () {\\n    return 1;\\n}"',
      'spidermonkey-78': '"function () {\\n        return 1;\\n    }"',
      quickjs: '"function () { return   1; }"',
    },
  },
  'text of an error': {
    example: '(function () { try { null.a; } catch (e) { return e.message; } })()',
    answers: {
      'spidermonkey-1.8.5': '"null has no properties"',
      'spidermonkey-78': '"null has no properties"',
      quickjs: '"cannot read property \'a\' of null"',
    },
  },
  // 1.8.5 has keys in the order in which they were set. In the texts of documents and answers they stay in order (jiffy, 3.5.2).
  'order of keys': {
    example: 'Object.keys({ 10: 1, 2: 1 })',
    answers: not185('["10","2"]', '["2","10"]'),
  },
  'number without a radix': { example: "parseInt('08')", hint: /\bparseInt\b/, answers: not185('0', '8') },
  'match of undefined': {
    example: "'abc'.match(undefined)",
    hint: /\bmatch\b/,
    answers: not185('null', '[""]'),
    needsDocument: true,
  },
  'invalid date in ISO format': {
    example: 'new Date(NaN).toISOString()',
    hint: /\btoISOString\b/,
    answers: not185('"Invalid Date"', 'an error'),
    needsDocument: true,
  },
};

/** @typedef {keyof typeof ANSWERS} AnswerName */

/** Modules add members to these. */
const EXTENSIBLE = [Array, Boolean, Date, Error, Function, Number, Object, RegExp, String];
const ERROR_TEXTS = new Set(['message', 'stack', 'lineNumber', 'fileName', 'columnNumber']);
const E4X = ['XML', 'XMLList', 'QName', 'Namespace'];

/**
 * @param {Names} names
 * @returns {{name: AnswerName, start: number, end: number}[]} in the order of the text; only what is certain to be such an expression
 */
export function listAnswers(names) {
  return names.nodes.flatMap((node) => {
    const name = nameOf(node, names);
    return name === undefined ? [] : [{ name, start: node.start, end: node.end }];
  });
}

/** @param {AnyNode} node @param {Names} names @returns {AnswerName | undefined} */
function nameOf(node, names) {
  const text = textOf(node, names);
  if (text) return text;
  if (node.type === 'MemberExpression') {
    if (isExtension(node, names)) return IN_MODULE;
    return LAST_MATCH.has(memberName(node) ?? '') && isFree(node.object, 'RegExp', names) ? 'last match' : undefined;
  }
  if (node.type === 'ForInStatement') return isListed(node, names) ? 'order of keys' : undefined;
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined;
  const callee = bare(node.callee);
  // What no `catch` makes up for fails in the new engine: engines.js has it.
  if (E4X.some((name) => isFree(callee, name, names))) {
    return aftermathOf(node, names.parents) === 'made up for' ? 'E4X in a try' : undefined;
  }
  if (node.type === 'NewExpression') return isFree(callee, 'Function', names) ? 'code in a string' : undefined;
  if (callee.type === 'MemberExpression') return nameOfMethod(memberName(callee), callee.object, node, names);
  const [first] = node.arguments;
  if (isFree(callee, 'eval', names) || isFree(callee, 'Function', names)) return 'code in a string';
  if (isFree(callee, 'Date', names)) return 'date as a string';
  if (isFree(callee, 'parseInt', names)) return node.arguments.length === 1 ? 'number without a radix' : undefined;
  if (first === undefined) return undefined;
  return isFree(callee, 'isNaN', names) && isParsedDate(bare(first), names) ? 'test of a date' : undefined;
}

/**
 * @param {string | undefined} method
 * @param {AnyNode} object
 * @param {CallExpression} call
 * @param {Names} names
 * @returns {AnswerName | undefined}
 */
function nameOfMethod(method, object, call, names) {
  if (method === 'toLocaleDateString') return 'date in a locale';
  if (method === 'toLocaleTimeString') return 'time in a locale';
  if (method === 'toISOString') return 'invalid date in ISO format';
  if (method === 'keys') return isFree(object, 'Object', names) && isKept(call, names) ? 'order of keys' : undefined;
  if (method === 'sort' && isTest(call.arguments[0])) return 'sort by a test';
  if (method === 'sort') return mayBeOfDocument(object, names) ? FROZEN : undefined;
  if (method === 'match') return call.arguments.length === 1 ? 'match of undefined' : undefined;
  if (method !== 'toLocaleString') return undefined;
  if (isDate(object, names)) return 'date and time in a locale';
  return call.arguments.length > 0 ? 'number in a locale' : undefined;
}

/** @param {AnyNode} node @param {Names} names @returns {AnswerName | undefined} what it makes a string of, where engines write that differently */
function textOf(node, names) {
  const isError = (/** @type {AnyNode} */ of) =>
    of.type === 'Identifier' && names.byNode.get(of)?.binding?.kind === 'catch' && !isLogged(node, names);
  if (node.type === 'MemberExpression')
    return ERROR_TEXTS.has(memberName(node) ?? '') && isError(bare(node.object)) ? 'text of an error' : undefined;
  for (const part of stringified(node, names).map(bare)) {
    if (isDate(part, names)) return 'date as a string';
    if (isFunction(initialOf(part, names)) || isDeclared(part, names)) return 'text of a function';
    if (isError(part)) return 'text of an error';
  }
  return undefined;
}

/** @param {AnyNode} node @param {Names} names @returns {AnyNode[]} what becomes a string, if it is an object: `'' + at`, `String(at)`, `at.toString()` */
function stringified(node, names) {
  if (node.type === 'BinaryExpression') return node.operator === '+' ? [node.left, node.right] : [];
  if (node.type === 'TemplateLiteral')
    return names.parents.get(node)?.type === 'TaggedTemplateExpression' ? [] : node.expressions;
  if (node.type !== 'CallExpression') return [];
  const callee = bare(node.callee);
  if (callee.type === 'MemberExpression' && memberName(callee) === 'toString') return [callee.object];
  return isFree(callee, 'String', names) ? node.arguments.slice(0, 1) : [];
}

/** @param {AnyNode} node @param {Names} names @returns {boolean} whether it only goes to the log */
function isLogged(node, names) {
  for (let at = names.parents.get(node); at && !at.type.endsWith('Statement'); at = names.parents.get(at)) {
    if (at.type === 'CallExpression' && isFree(at.callee, 'log', names)) return true;
  }
  return false;
}

/** @param {AnyNode} node @param {Names} names @returns {boolean} whether it is the name of a function declaration */
function isDeclared(node, names) {
  return node.type === 'Identifier' && names.byNode.get(node)?.binding?.kind === 'function';
}

/** @param {AnyNode} node @param {Names} names @returns {AnyNode} the value of a variable that never has another */
function initialOf(node, names) {
  const inner = bare(node);
  const binding = inner.type === 'Identifier' ? names.byNode.get(inner)?.binding : undefined;
  return bare((binding && onlyValueOf(binding, names)) ?? inner);
}

/** @param {ForInStatement} node @param {Names} names @returns {boolean} whether what it does with keys shows their order */
function isListed({ right, body }, names) {
  const isInOrder = (/** @type {AnyNode} */ node) =>
    node.type === 'CallExpression' &&
    ((node.callee.type === 'MemberExpression' && memberName(node.callee) === 'push') ||
      isFree(node.callee, 'send', names));
  return isFilled(right, names) && someNode(body, isInOrder);
}

/** @param {CallExpression} call of `Object.keys` @param {Names} names @returns {boolean} whether the order of what it returns is kept */
function isKept(call, names) {
  const parent = names.parents.get(call);
  const next = parent?.type === 'MemberExpression' && parent.object === call ? memberName(parent) : undefined;
  const [object] = call.arguments;
  return object !== undefined && isFilled(object, names) && next !== 'sort' && next !== 'length';
}

/** @param {AnyNode} node @param {Names} names @returns {boolean} whether it is an object of the function whose keys are computed: `counts[doc.year] = 1` */
function isFilled(node, names) {
  const binding = node.type === 'Identifier' ? names.byNode.get(node)?.binding : undefined;
  if (!binding || initialOf(node, names).type !== 'ObjectExpression') return false;
  return binding.references.some(({ node: use }) => {
    const at = names.parents.get(use);
    if (at?.type !== 'MemberExpression' || at.object !== use || memberName(at) !== undefined) return false;
    const parent = names.parents.get(at);
    return parent?.type === 'UpdateExpression' || (parent?.type === 'AssignmentExpression' && parent.left === at);
  });
}

/** @param {MemberExpression} node @param {Names} names @returns {boolean} whether it is given a value, and no engine has such a member: `Date.prototype.inDays` */
function isExtension(node, names) {
  const parent = names.parents.get(node);
  if (parent?.type !== 'AssignmentExpression' || parent.left !== node) return false;
  const name = memberName(node);
  const object = bare(node.object);
  const isPrototype = object.type === 'MemberExpression' && memberName(object) === 'prototype';
  const type = bare(isPrototype ? object.object : object);
  if (name === undefined || type.type !== 'Identifier' || !isFree(type, type.name, names)) return false;
  const builtIn = EXTENSIBLE.find((one) => one.name === type.name);
  return builtIn !== undefined && !(name in (isPrototype ? builtIn.prototype : builtIn));
}

/** @param {AnyNode} node @param {Names} names @returns {boolean} whether it is a member of the first function's parameter, or a variable that gets one */
function mayBeOfDocument(node, names) {
  let root = bare(node);
  const isMember = root.type === 'MemberExpression';
  while (root.type === 'MemberExpression') root = bare(root.object);
  const binding = root.type === 'Identifier' ? names.byNode.get(root)?.binding : undefined;
  if (isMember) return binding?.kind === 'parameter' && binding.scope.parent === names.top;
  return (binding?.references ?? []).some(({ node: use }) => {
    const at = names.parents.get(use);
    const value = at?.type === 'VariableDeclarator' ? at.init : at?.type === 'AssignmentExpression' && at.right;
    return value ? bare(value).type === 'MemberExpression' && mayBeOfDocument(value, names) : false;
  });
}

/** @param {AnyNode | undefined} node @returns {boolean} whether it is a function that returns whether one value is larger, as true or false */
function isTest(node) {
  if (node?.type !== 'FunctionExpression' && node?.type !== 'ArrowFunctionExpression') return false;
  const [first] = node.body.type === 'BlockStatement' ? node.body.body : [];
  const value = node.body.type !== 'BlockStatement' ? node.body : first?.type === 'ReturnStatement' && first.argument;
  if (!value) return false;
  const compared = bare(value);
  return compared.type === 'BinaryExpression' && (compared.operator === '>' || compared.operator === '<');
}

/** @param {AnyNode} node @param {Names} names @returns {boolean} whether it is a date that is made of one string or number of a document */
function isParsedDate(node, names) {
  if (node.type === 'CallExpression') {
    const callee = bare(node.callee);
    if (callee.type !== 'MemberExpression') return false;
    const method = memberName(callee);
    if (method === 'parse') return isFree(callee.object, 'Date', names);
    return (method === 'getTime' || method === 'valueOf') && isParsedDate(bare(callee.object), names);
  }
  const made = initialOf(node, names);
  return made.type === 'NewExpression' && isDate(made, names) && made.arguments.length === 1;
}

/** @param {AnyNode} node @param {Names} names @returns {boolean} */
function isDate(node, names) {
  const made = initialOf(node, names);
  return made.type === 'NewExpression' && isFree(made.callee, 'Date', names);
}

/** @param {AnyNode} node @param {string} name @param {Names} names @returns {boolean} whether it is the name of JavaScript's own object */
function isFree(node, name, { byNode }) {
  const inner = bare(node);
  return inner.type === 'Identifier' && inner.name === name && !byNode.get(inner)?.binding;
}
