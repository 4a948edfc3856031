// Finds the construct of SpiderMonkey 1.8.5 at the place where the parser stopped. Looks at tokens; what it does not
// know is a plain syntax error.

import { tokenizer, tokTypes } from 'acorn';

/** @import { Token } from 'acorn' */

/** @typedef {{name: string, start: number, end: number}} LegacyUse offsets into the function's text */

/**
 * Constructs that only SpiderMonkey 1.8.5 takes (best-practices/jsdevel.rst, CouchDB 3.5.2: for each, E4X, a name before
 * the function; the others are JavaScript 1.6 to 1.8 and need no version switch there). The first that fits counts.
 * @type {[string, (tokens: Token[], text: string) => boolean][]}
 */
const CONSTRUCTS = [
  ['for each', (tokens) => isEach(tokens.at(-1)) && tokens.at(-2)?.type === tokTypes._for],
  [
    'catch with a condition',
    (tokens) =>
      tokens.at(-1)?.type === tokTypes._if &&
      tokens.at(-3)?.type === tokTypes.parenL &&
      tokens.at(-4)?.type === tokTypes._catch,
  ],
  [
    'array comprehension',
    (tokens) => tokens.at(-1)?.type === tokTypes._for && innermostOpen(tokens)?.type === tokTypes.bracketL,
  ],
  [
    'generator expression',
    (tokens) => tokens.at(-1)?.type === tokTypes._for && innermostOpen(tokens)?.type === tokTypes.parenL,
  ],
  ['a name before the function', isNameBeforeFunction],
  ['function without braces', isFunctionWithoutBraces],
  ['E4X', isE4x],
];

/**
 * @param {string} text
 * @param {number} offset where the parser stopped
 * @returns {LegacyUse | undefined}
 */
export function findLegacy(text, offset) {
  const tokens = tokensUpTo(text, offset);
  const last = tokens.at(-1);
  // `@` begins no token: there the parser stops behind the dot.
  if (!last || (last.start !== offset && text[offset] !== '@')) return undefined;
  for (const [name, fits] of CONSTRUCTS) {
    if (fits(tokens, text)) return { name, start: offset, end: Math.max(offset + 1, last.end) };
  }
  return undefined;
}

/**
 * @param {string} text
 * @param {number} offset
 * @returns {Token[]} up to the one that begins at the offset
 */
function tokensUpTo(text, offset) {
  /** @type {Token[]} */
  const tokens = [];
  try {
    for (const token of tokenizer(text, { ecmaVersion: 'latest' })) {
      if (token.start > offset) break;
      tokens.push(token);
    }
  } catch {
    // A character that begins no token: what comes before it is enough to know.
  }
  return tokens;
}

/** @param {Token | undefined} token */
function isEach(token) {
  return token?.type === tokTypes.name && 'value' in token && token.value === 'each';
}

/**
 * @param {Token[]} tokens
 * @returns {Token | undefined} the bracket before the last token that is not closed there
 */
function innermostOpen(tokens) {
  let closed = 0;
  for (const token of tokens.slice(0, -1).reverse()) {
    if (isClosing(token)) closed++;
    else if (isOpening(token) && closed-- === 0) return token;
  }
  return undefined;
}

/** @param {Token} token */
function isOpening({ type }) {
  return type === tokTypes.parenL || type === tokTypes.bracketL || type === tokTypes.braceL;
}

/** @param {Token} token */
function isClosing({ type }) {
  return type === tokTypes.parenR || type === tokTypes.bracketR || type === tokTypes.braceR;
}

/**
 * `by_date: function (doc) {…}`, a member of an object that lost its object.
 * @param {Token[]} tokens
 * @returns {boolean}
 */
function isNameBeforeFunction(tokens) {
  const [name, colon, word, paren] = tokens;
  return (
    tokens.length === 4 &&
    name?.type === tokTypes.name &&
    colon?.type === tokTypes.colon &&
    word?.type === tokTypes._function &&
    paren?.type === tokTypes.parenL
  );
}

/**
 * `function (x) x * 2`
 * @param {Token[]} tokens
 * @returns {boolean}
 */
function isFunctionWithoutBraces(tokens) {
  if (tokens.at(-2)?.type !== tokTypes.parenR) return false;
  let open = 0;
  for (let index = tokens.length - 2; index >= 0; index--) {
    const token = /** @type {Token} */ (tokens[index]);
    if (token.type === tokTypes.parenR) open++;
    if (token.type !== tokTypes.parenL || --open > 0) continue;
    const before = tokens[index - 1];
    const word = before?.type === tokTypes.name ? tokens[index - 2] : before;
    return word?.type === tokTypes._function;
  }
  return false;
}

/**
 * `<order/>` where a value is wanted, `order.(…)`, `order..item`, `order.@id`.
 * @param {Token[]} tokens
 * @param {string} text
 * @returns {boolean}
 */
function isE4x(tokens, text) {
  const last = tokens.at(-1);
  const before = tokens.at(-2);
  if (!last) return false;
  if (last.type === tokTypes.relational && text[last.start] === '<') {
    return (
      before?.type === tokTypes.eq ||
      before?.type === tokTypes.parenL ||
      before?.type === tokTypes.comma ||
      before?.type === tokTypes.colon ||
      before?.type === tokTypes.plusMin ||
      before?.type === tokTypes._return
    );
  }
  if (last.type === tokTypes.dot && text[last.end] === '@') return true;
  return before?.type === tokTypes.dot && (last.type === tokTypes.parenL || last.type === tokTypes.dot);
}
