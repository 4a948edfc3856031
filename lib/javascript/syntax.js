// Lists the language features that a syntax tree uses, each with its place. Does not judge which engines can run them.

import { isFunction } from './names.js';

/** @import { AnyNode, Literal } from 'acorn' */
/** @import { ParsedFunction } from './parse.js' */
/** @import { Names } from './names.js' */
/** @import { FeatureName } from './features.js' */

/** @typedef {{feature: FeatureName, start: number, end: number}} FeatureUse offsets into the function's text */

/** Features that a type of node alone shows. @type {Map<string, FeatureName>} */
const BY_TYPE = new Map([
  ['ArrowFunctionExpression', 'arrow function'],
  ['ClassDeclaration', 'class'],
  ['ClassExpression', 'class'],
  ['TemplateLiteral', 'template literal'],
  ['ForOfStatement', 'for-of loop'],
  ['MetaProperty', 'new.target'],
  ['ObjectPattern', 'destructuring'],
  ['ArrayPattern', 'destructuring'],
  ['ChainExpression', 'optional chaining'],
  ['ImportExpression', 'dynamic import'],
  ['PropertyDefinition', 'class field'],
  ['PrivateIdentifier', 'private name'],
  ['StaticBlock', 'static block'],
]);

/** Types that all editions have had in the same form: most nodes are of these. */
const PLAIN_TYPES = new Set([
  'Identifier',
  'MemberExpression',
  'ExpressionStatement',
  'BlockStatement',
  'IfStatement',
  'ReturnStatement',
  'VariableDeclarator',
  'ObjectExpression',
  'ArrayExpression',
  'UnaryExpression',
  'UpdateExpression',
  'ForStatement',
  'ForInStatement',
  'ConditionalExpression',
  'ParenthesizedExpression',
]);

/** Regular expression flags newer than ES5. @type {Map<string, FeatureName>} */
const BY_FLAG = new Map([
  ['u', 'regular expression flag u'],
  ['y', 'regular expression flag y'],
  ['s', 'regular expression flag s'],
  ['d', 'regular expression flag d'],
  ['v', 'regular expression flag v'],
]);

/**
 * @param {ParsedFunction} parsed
 * @param {Names} names of the same text
 * @returns {FeatureUse[]} in the order of the text
 */
export function listFeatures(parsed, names) {
  /** @type {FeatureUse[]} */
  const uses = [];
  for (const node of names.nodes) {
    if (PLAIN_TYPES.has(node.type)) continue;
    for (const feature of featuresOf(node, parsed, names.parents)) {
      uses.push({ feature, start: node.start, end: node.end });
    }
  }
  return uses;
}

/**
 * @param {AnyNode} node
 * @param {ParsedFunction} parsed
 * @param {Names['parents']} parents
 * @returns {FeatureName[]}
 */
function featuresOf(node, parsed, parents) {
  const plain = BY_TYPE.get(node.type);
  /** @type {FeatureName[]} */
  const found = plain ? [plain] : [];
  if (isFunction(node)) {
    if (node.async) found.push(node.generator ? 'async iteration' : 'async function');
    if (node.generator) found.push('generator function');
    if (hasCommaBehind(parsed, node.params.at(-1))) found.push('trailing comma in a call or in parameters');
    return found;
  }
  const parent = parents.get(node);
  switch (node.type) {
    case 'VariableDeclaration':
      if (node.kind === 'let' || node.kind === 'const') found.push(node.kind);
      else if (node.kind !== 'var') found.push('using declaration');
      break;
    case 'ForOfStatement':
      if (node.await) found.push('async iteration');
      break;
    case 'AssignmentPattern':
      found.push(parent && isFunction(parent) ? 'default parameter' : 'default value in a pattern');
      break;
    case 'RestElement':
      if (parent && isFunction(parent)) found.push('rest parameter');
      else found.push(parent?.type === 'ObjectPattern' ? 'object rest' : 'rest in a pattern');
      break;
    case 'SpreadElement':
      found.push(parent?.type === 'ObjectExpression' ? 'object spread' : 'spread');
      break;
    case 'Property':
      if (parent?.type !== 'ObjectExpression') break;
      if (node.computed) found.push('computed property name');
      if (node.shorthand) found.push('shorthand property');
      if (node.method) found.push('method shorthand');
      break;
    case 'BinaryExpression':
      if (node.operator !== '**') break;
      found.push('exponent operator');
      if (isUnaryInParens(node.left)) found.push('exponent of a signed number');
      break;
    case 'AssignmentExpression':
      if (node.operator === '**=') found.push('exponent operator');
      if (['??=', '||=', '&&='].includes(node.operator)) found.push('logical assignment');
      break;
    case 'LogicalExpression':
      if (node.operator === '??') found.push('nullish coalescing');
      break;
    case 'CatchClause':
      if (!node.param) found.push('catch without a parameter');
      break;
    case 'CallExpression':
    case 'NewExpression':
      if (hasCommaBehind(parsed, node.arguments.at(-1))) found.push('trailing comma in a call or in parameters');
      break;
    case 'Literal':
      found.push(...featuresOfLiteral(node, parsed.text.slice(node.start, node.end)));
      break;
    default:
  }
  return found;
}

/**
 * @param {AnyNode} node
 * @returns {boolean} whether it is `(-x)` or the like
 */
function isUnaryInParens(node) {
  return node.type === 'ParenthesizedExpression' && node.expression.type === 'UnaryExpression';
}

/**
 * @param {ParsedFunction} parsed
 * @param {AnyNode | undefined | null} last the last argument or parameter
 * @returns {boolean} whether a comma is the next thing behind it, comments apart
 */
function hasCommaBehind({ text, comments }, last) {
  if (!last) return false;
  for (let at = last.end; at < text.length; at++) {
    const comment = comments.find(({ start }) => start === at);
    if (comment) at = comment.end - 1;
    else if (text.charAt(at).trim() !== '') return text[at] === ',';
  }
  return false;
}

/**
 * @param {Literal} node
 * @param {string} raw as it is written
 * @returns {FeatureName[]}
 */
function featuresOfLiteral(node, raw) {
  if (node.regex) return featuresOfRegularExpression(node.regex);
  if (node.bigint) return ['BigInt'];
  if (typeof node.value === 'number') return featuresOfNumber(raw);
  return typeof node.value === 'string' ? featuresOfString(raw) : [];
}

/**
 * @param {string} raw
 * @returns {FeatureName[]}
 */
function featuresOfNumber(raw) {
  /** @type {FeatureName[]} */
  const found = raw.includes('_') ? ['numeric separator'] : [];
  if (raw[0] === '0' && 'oObB'.includes(raw[1] ?? ' ')) found.push('octal or binary number');
  return found;
}

/**
 * @param {string} raw a string literal with its quotes
 * @returns {FeatureName[]}
 */
function featuresOfString(raw) {
  /** @type {Set<FeatureName>} */
  const found = new Set();
  for (let at = 1; at < raw.length - 1; at++) {
    if (raw[at] === '\\') {
      if (raw[at + 1] === 'u' && raw[at + 2] === '{') found.add('code point escape');
      at++;
    } else if (raw[at] === '\u2028' || raw[at] === '\u2029') found.add('line separator in a string');
  }
  return [...found];
}

/**
 * @param {{pattern: string, flags: string}} regex
 * @returns {FeatureName[]}
 */
function featuresOfRegularExpression({ pattern, flags }) {
  const found = new Set([...flags].flatMap((flag) => BY_FLAG.get(flag) ?? []));
  // Without one of these flags `\p` is the letter p.
  const isUnicode = flags.includes('u') || flags.includes('v');
  let isInClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') {
      at++;
      if (isUnicode && 'pP'.includes(pattern[at] ?? ' ') && pattern[at + 1] === '{')
        found.add('Unicode property escape');
    } else if (isInClass) isInClass = character !== ']';
    else if (character === '[') isInClass = true;
    else if (character === '(' && pattern[at + 1] === '?') {
      const feature = featureOfGroup(pattern[at + 2], pattern[at + 3]);
      if (feature) found.add(feature);
    }
  }
  return [...found];
}

/**
 * @param {string | undefined} first the character behind `(?`
 * @param {string | undefined} second
 * @returns {FeatureName | undefined}
 */
function featureOfGroup(first, second) {
  if (first === '<') return second === '=' || second === '!' ? 'lookbehind' : 'named group';
  return first !== undefined && 'ims-'.includes(first) ? 'regular expression modifiers' : undefined;
}
