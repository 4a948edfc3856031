// A function's text in, its syntax tree out, with offsets into that very text. Never runs anything.

import { parse as acornParse, parseExpressionAt, tokenizer } from 'acorn';

/** @import { AnonymousFunctionDeclaration, AnyNode, ArrowFunctionExpression, Comment, Expression, FunctionDeclaration, FunctionExpression, Program } from 'acorn' */

/** @typedef {FunctionExpression | FunctionDeclaration | AnonymousFunctionDeclaration | ArrowFunctionExpression} FunctionNode */

/**
 * How the function stands in its text:
 * `expression` alone (`function (doc) {…}`, parenthesised or an arrow), `named` alone with a name, `code-after` followed by
 * other code, `statements` at the end of other statements, `none` where the text gives no function.
 * @typedef {'expression' | 'named' | 'code-after' | 'statements' | 'none'} FunctionShape
 */

/**
 * @typedef {object} ParsedFunction
 * @property {true} ok
 * @property {string} text
 * @property {FunctionNode | undefined} fn the main function; undefined for shape `none` and for modules
 * @property {FunctionShape} shape
 * @property {boolean} parenthesised whether the main function stands in parentheses
 * @property {AnyNode[]} roots every top-level node: the main function first, or the statements of a module
 * @property {Comment[]} comments
 */
/** @typedef {{ok: false, text: string, message: string, offset: number, comments: Comment[]}} UnparsedFunction */

/**
 * Parses the text of one function as CouchDB keeps it.
 * @param {string} text
 * @returns {ParsedFunction | UnparsedFunction} the error carries the offset the parser stopped at
 */
export function parseFunction(text) {
  /** @type {Comment[]} */
  const comments = [];
  try {
    const expression = parseExpressionAt(text, 0, { ecmaVersion: 'latest', onComment: comments, preserveParens: true });
    const fn = mainFunction(expression);
    if (fn) {
      const rest = codeAfter(text, expression.end);
      if (rest === undefined) {
        const shape = fn.type !== 'ArrowFunctionExpression' && fn.id ? 'named' : 'expression';
        const parenthesised = expression.type === 'ParenthesizedExpression';
        return { ok: true, text, fn, shape, parenthesised, roots: [fn], comments };
      }
    }
  } catch {
    // Not one expression: perhaps statements, or wrong as both. The program parser below says where.
  }
  const program = parseModule(text);
  if (!program.ok) return program;
  const statements = program.roots;
  const first = statements[0];
  if (first?.type === 'FunctionDeclaration') {
    // `function (doc) {…} function helper() {…}` is no program, but `function map(doc) {…} …` is.
    return { ...program, fn: first, shape: statements.length > 1 ? 'code-after' : 'named' };
  }
  const last = statements.at(-1);
  const fn = last?.type === 'ExpressionStatement' ? mainFunction(last.expression) : undefined;
  return fn ? { ...program, fn, shape: 'statements' } : program;
}

/**
 * Parses CommonJS or other top-level code.
 * @param {string} text
 * @returns {ParsedFunction | UnparsedFunction} of shape `none`, its statements as roots
 */
export function parseModule(text) {
  /** @type {Comment[]} */
  const comments = [];
  try {
    const program = parseProgram(text, comments);
    return { ok: true, text, fn: undefined, shape: 'none', parenthesised: false, roots: [...program.body], comments };
  } catch (error) {
    const anonymous = parseAnonymousThenCode(text);
    if (anonymous) return anonymous;
    const { message, pos } = /** @type {SyntaxError & {pos?: number}} */ (error);
    return {
      ok: false,
      text,
      message: message.replace(/ \(\d+:\d+\)$/, ''),
      offset: Math.min(pos ?? 0, text.length),
      comments,
    };
  }
}

/**
 * `function (doc) {…} function helper() {…}`: not a program, yet some engines take it.
 * @param {string} text
 * @returns {ParsedFunction | undefined}
 */
function parseAnonymousThenCode(text) {
  /** @type {Comment[]} */
  const comments = [];
  try {
    const expression = parseExpressionAt(text, 0, { ecmaVersion: 'latest', onComment: comments, preserveParens: true });
    const fn = mainFunction(expression);
    if (!fn) return undefined;
    // Spaces keep the offsets of what follows.
    const rest = parseProgram(' '.repeat(expression.end) + text.slice(expression.end), comments);
    const parenthesised = expression.type === 'ParenthesizedExpression';
    return { ok: true, text, fn, shape: 'code-after', parenthesised, roots: [fn, ...rest.body], comments };
  } catch {
    return undefined;
  }
}

/**
 * @param {string} text
 * @param {Comment[]} comments filled with the comments met
 * @returns {Program}
 */
function parseProgram(text, comments) {
  return acornParse(text, {
    ecmaVersion: 'latest',
    onComment: comments,
    preserveParens: true,
    allowReturnOutsideFunction: false,
    allowHashBang: false,
  });
}

/**
 * @param {Expression} expression
 * @returns {FunctionNode | undefined} the function it is, parentheses apart
 */
function mainFunction(expression) {
  let node = expression;
  while (node.type === 'ParenthesizedExpression') node = node.expression;
  return node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression' ? node : undefined;
}

/**
 * @param {string} text
 * @param {number} from
 * @returns {number | undefined} offset of the first code from there on; semicolons and comments do not count
 */
function codeAfter(text, from) {
  const tokens = tokenizer(text.slice(from), { ecmaVersion: 'latest' });
  for (const token of tokens) {
    if (token.type.label !== ';') return from + token.start;
  }
  return undefined;
}
