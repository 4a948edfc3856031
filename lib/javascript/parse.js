// Parses JavaScript: functions as CouchDB keeps them, CommonJS modules, whole files. Offsets are those of the given
// text; nothing is run.

import { Parser } from 'acorn';
import { bailoutReason, TOO_DEEP } from '../shared/bailout.js';
import { dialectOf, parserOf } from './dialects.js';
import { boundNesting, checkLevels } from './nesting.js';
import { unwrapType } from './typescript.js';

/** @import { AnonymousFunctionDeclaration, AnyNode, ArrowFunctionExpression, Comment, Expression, ExpressionStatement, FunctionDeclaration, FunctionExpression, MemberExpression, ModuleDeclaration, Program, Statement } from 'acorn' */

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
 * @property {AnyNode[]} roots every top-level node: the main function alone, or all statements of the text. A function
 *   without a name that stands as a statement is an expression statement here, as CouchDB makes one of it
 * @property {Comment[]} comments
 */
/** @typedef {{ok: false, text: string, message: string, offset: number, limit: string | undefined, comments: Comment[]}} UnparsedFunction
 *  `limit`: it may be sound, and exceeds this limit of the parser */

/** @typedef {Pick<UnparsedFunction, 'message' | 'offset' | 'limit'>} StoppingPlace */
/** @typedef {Statement | ModuleDeclaration} TopLevel */

/**
 * What acorn's types leave out of its parser, as far as it is needed here (acorn 8, statement.js).
 * @typedef {object} InnerParser
 * @property {unknown[]} scopeStack one member at the top level of the program
 * @property {() => void} next
 * @property {() => object} startNode
 * @property {(node: object, flags: number, allowExpressionBody: boolean, isAsync: boolean) => FunctionDeclaration | AnonymousFunctionDeclaration} parseFunction
 */

/** acorn's flags of `parseFunction`: a statement, whose name may be missing. */
const STATEMENT_WITHOUT_NAME = 1 | 4;

/** Takes `function (doc) {…}` for a statement, wherever one may stand at the top level: every engine of CouchDB does. */
const DesignDocParser = Parser.extend(takeFunctions, boundNesting);
const ModuleParser = Parser.extend(boundNesting);

/** @param {typeof Parser} Base @returns {typeof Parser} */
function takeFunctions(Base) {
  /** @type {{parseFunctionStatement: (node: object, isAsync: boolean, declarationPosition: boolean) => Statement}} */
  const base = /** @type {never} */ (Base.prototype);
  return class extends Base {
    /**
     * @param {object} node
     * @param {boolean} isAsync
     * @param {boolean} declarationPosition false behind a label or an `if`
     * @returns {Statement}
     */
    parseFunctionStatement(node, isAsync, declarationPosition) {
      const inner = innerParser(this);
      if (isAsync || !declarationPosition || inner.scopeStack.length > 1) {
        return base.parseFunctionStatement.call(this, node, isAsync, declarationPosition);
      }
      inner.next();
      const fn = inner.parseFunction(node, STATEMENT_WITHOUT_NAME, false, false);
      if (fn.id) return /** @type {FunctionDeclaration} */ (fn);
      const expression = /** @type {FunctionExpression} */ (/** @type {unknown} */ (fn));
      expression.type = 'FunctionExpression';
      return { type: 'ExpressionStatement', start: expression.start, end: expression.end, expression };
    }
  };
}

/**
 * @param {unknown} parser
 * @returns {InnerParser}
 */
function innerParser(parser) {
  return /** @type {InnerParser} */ (parser);
}

/**
 * Parses the text of one function as CouchDB keeps it.
 * @param {string} text
 * @returns {ParsedFunction | UnparsedFunction} the error carries the offset the parser stopped at
 */
export function parseFunction(text) {
  const program = parseWith(DesignDocParser, text, false);
  if (!program.ok) return program;
  const statements = program.roots.filter((node) => node.type !== 'EmptyStatement');
  const only = statements.length === 1 ? statements[0] : undefined;
  if (only?.type === 'FunctionDeclaration') {
    const fn = /** @type {FunctionExpression} */ (/** @type {unknown} */ (only));
    fn.type = 'FunctionExpression';
    return { ...program, fn, shape: 'named', roots: [fn] };
  }
  if (only?.type === 'ExpressionStatement') {
    const fn = mainFunction(only.expression);
    if (!fn) return program;
    const isNamed = fn.type !== 'ArrowFunctionExpression' && Boolean(fn.id);
    const parenthesised = only.expression.type === 'ParenthesizedExpression';
    const isAlone = !isAssigned(only.expression);
    const shape = isNamed ? 'named' : 'expression';
    return {
      ...program,
      fn,
      shape: isAlone ? shape : 'statements',
      parenthesised,
      roots: isAlone ? [fn] : program.roots,
    };
  }
  return mainAmong(statements, program);
}

/**
 * The main function of several statements: the one whose value the text has at its end, else the first.
 * @param {AnyNode[]} statements
 * @param {ParsedFunction} program
 * @returns {ParsedFunction}
 */
function mainAmong(statements, program) {
  const first = statements[0];
  const lastValue = statements.findLast((node) => node.type === 'ExpressionStatement');
  const value = lastValue && (mainFunction(lastValue.expression) ?? namedBy(lastValue.expression, statements));
  if (lastValue && value) {
    const parenthesised = lastValue.expression.type === 'ParenthesizedExpression';
    return { ...program, fn: value, shape: lastValue === first ? 'code-after' : 'statements', parenthesised };
  }
  if (first?.type === 'FunctionDeclaration') return { ...program, fn: first, shape: 'code-after' };
  if (first && isBare(first)) {
    return { ...program, fn: mainFunction(first.expression), shape: 'code-after' };
  }
  return program;
}

/**
 * Parses CommonJS code: the statements of a function's body, as CouchDB puts them into one.
 * @param {string} text
 * @returns {ParsedFunction | UnparsedFunction} of shape `none`, its statements as roots
 */
export function parseModule(text) {
  return parseWith(ModuleParser, text, true);
}

/**
 * Parses a whole file: an ES module, or else a script, in the dialect that its name says.
 * @param {string} text
 * @param {string} [path] plain JavaScript where absent; the dialect must have been loaded (`loadDialect`)
 * @param {{takesFunctions?: boolean}} [options] `takesFunctions`: it may be one function without a name, as in couchapps
 * @returns {{ok: true, program: Program, comments: Comment[]} | ({ok: false} & StoppingPlace)} where it is neither, the
 *   error that it has as a module
 */
export function parseFile(text, path = '', { takesFunctions = false } = {}) {
  // A space keeps the offsets; acorn takes no byte order mark at the head of a module.
  const withoutMark = scriptsOf(text, path).replace(/^\ufeff/, ' ');
  const isTypeScript = ['typescript', 'tsx'].includes(dialectOf(path));
  /** @type {unknown} */
  let moduleError;
  const isFunction = takesFunctions && dialectOf(path) === 'javascript' && /^\s*function\s*\(/.test(text);
  const ways = isFunction
    ? [{ parser: DesignDocParser, sourceType: /** @type {const} */ ('script') }]
    : waysToParse(path);
  for (const { parser, sourceType, separatesDecorators } of ways) {
    /** @type {Comment[]} */
    const comments = [];
    try {
      const program = parser.parse(separatesDecorators ? separateDecorators(withoutMark) : withoutMark, {
        ecmaVersion: 'latest',
        sourceType,
        onComment: comments,
        allowHashBang: true,
        allowReturnOutsideFunction: true,
        // acorn-typescript does not work without it.
        locations: isTypeScript,
      });
      checkLevels([program], { isFile: true });
      return { ok: true, program, comments };
    } catch (error) {
      moduleError ??= error;
    }
  }
  return { ok: false, ...stoppingPlace(moduleError, text) };
}

/** A page or component, whose scripts stand in elements. */
const HAS_SCRIPTS = /\.(?:vue|svelte|html?)$/i;
/** A comment, or a script with its opening tag and body. */
const SCRIPTS = /<!--.*?-->|(<script\b[^>]*>)(.*?)<\/script\s*>/gis;
/** Types of scripts that are no code: templates and data. */
const NO_CODE = /\stype\s*=\s*["']?(?!module\b|[\w./-]*(?:java|ecma|type)script\b|[\w/]*(?:babel|jsx)\b|["'\s>])/i;

/**
 * @param {string} text
 * @param {string} path
 * @returns {string} of a page or a component of Vue or Svelte its scripts alone, at their places
 */
export function scriptsOf(text, path) {
  if (!HAS_SCRIPTS.test(path)) return text;
  const blank = (/** @type {string} */ part) => part.replace(/[^\n]/g, ' ');
  let scripts = '';
  let end = 0;
  for (const { 0: whole, 1: opening = '', 2: body = '', index } of text.matchAll(SCRIPTS)) {
    if (opening === '' || NO_CODE.test(opening)) continue;
    // Each script ends by itself.
    scripts += `${blank(text.slice(end, index) + opening)}${body};${blank(whole.slice(opening.length + body.length + 1))}`;
    end = index + whole.length;
  }
  return scripts + blank(text.slice(end));
}

/**
 * @param {string} path
 * @returns {{parser: typeof Parser, sourceType: 'module' | 'script', separatesDecorators?: boolean}[]} in the order in which they are tried
 */
function waysToParse(path) {
  const dialect = dialectOf(path);
  const parser = parserOf(dialect);
  if (!parser) throw new TypeError(`the parser of ${dialect} is not loaded`);
  if (dialect === 'jsx') return [{ parser, sourceType: 'module' }];
  if (dialect !== 'javascript') {
    return [
      { parser, sourceType: 'module' },
      { parser, sourceType: 'module', separatesDecorators: true },
    ];
  }
  const jsx = parserOf('jsx');
  return [
    { parser, sourceType: 'module' },
    { parser, sourceType: 'script' },
    ...(jsx ? [{ parser: jsx, sourceType: /** @type {const} */ ('module') }] : []),
  ];
}

/**
 * acorn-typescript 1.0.13 does not take a decorator behind a type that ends with its line: `name: string` and `@Input() id` below.
 * @param {string} text
 * @returns {string} with a semicolon in the place of such a line break, so that all offsets stay
 */
function separateDecorators(text) {
  return text.replace(/(?<=[\w$\]>'"`])(?<!@[\w$.]+)\n(?=\s*@[\w$])/g, ';');
}

/**
 * @param {typeof Parser} parser
 * @param {string} text
 * @param {boolean} allowReturnOutsideFunction
 * @returns {ParsedFunction | UnparsedFunction}
 */
function parseWith(parser, text, allowReturnOutsideFunction) {
  /** @type {Comment[]} */
  const comments = [];
  try {
    const { body } = parser.parse(text, {
      ecmaVersion: 'latest',
      onComment: comments,
      preserveParens: true,
      allowReturnOutsideFunction,
      allowHashBang: false,
    });
    checkLevels(body);
    return { ok: true, text, fn: undefined, shape: 'none', parenthesised: false, roots: [...body], comments };
  } catch (error) {
    return { ok: false, text, ...stoppingPlace(error, text), comments };
  }
}

/**
 * @param {unknown} error
 * @param {string} text
 * @returns {StoppingPlace}
 */
function stoppingPlace(error, text) {
  // acorn says so itself where it notices that the stack ends.
  const limit = String(error).includes('Not enough stack space') ? TOO_DEEP : bailoutReason(error);
  if (limit !== undefined) {
    const problem = limit === TOO_DEEP ? 'nested too deeply' : 'too large';
    return { message: `The code is ${problem} to be parsed`, offset: 0, limit };
  }
  const { message, pos } = /** @type {SyntaxError & {pos?: number}} */ (error);
  return { message: message.replace(/ \(\d+:\d+\)$/, ''), offset: Math.min(pos ?? 0, text.length), limit: undefined };
}

/**
 * @param {AnyNode} statement
 * @returns {statement is ExpressionStatement} whether it is `function (…) {…}` with no name and no parentheses: an
 *   expression cannot begin so
 */
export function isBare(statement) {
  return (
    statement.type === 'ExpressionStatement' &&
    statement.expression.type === 'FunctionExpression' &&
    statement.expression.start === statement.start
  );
}

/**
 * @param {Expression} expression
 * @returns {boolean}
 */
function isAssigned(expression) {
  return withoutParens(expression).type === 'AssignmentExpression';
}

/**
 * @param {Expression} expression
 * @returns {FunctionNode | undefined} the function it is, parentheses and `name =` apart
 */
function mainFunction(expression) {
  const node = withoutParens(expression);
  if (node.type === 'AssignmentExpression' && node.operator === '=' && node.left.type === 'Identifier') {
    return mainFunction(node.right);
  }
  return node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression' ? node : undefined;
}

/**
 * @param {Expression} expression
 * @param {AnyNode[]} statements
 * @returns {FunctionNode | undefined} the function of the text that the expression names
 */
function namedBy(expression, statements) {
  const node = withoutParens(expression);
  if (node.type !== 'Identifier') return undefined;
  /** @type {FunctionNode | undefined} */
  let found;
  for (const statement of statements) {
    if (statement.type === 'FunctionDeclaration' && statement.id?.name === node.name) found = statement;
    if (statement.type !== 'VariableDeclaration') continue;
    for (const { id, init } of statement.declarations) {
      if (id.type === 'Identifier' && id.name === node.name && init) found = mainFunction(init);
    }
  }
  return found;
}

/**
 * @param {Expression} node
 * @returns {Expression}
 */
export function withoutParens(node) {
  let inner = node;
  while (inner.type === 'ParenthesizedExpression') inner = inner.expression;
  return inner;
}

/**
 * @param {AnyNode} node
 * @returns {AnyNode} without parentheses, the wrapper of an optional chain, and types (`node as T`, `node!`)
 */
export function bare(node) {
  let inner = node;
  for (;;) {
    if (inner.type === 'ParenthesizedExpression' || inner.type === 'ChainExpression') inner = inner.expression;
    else {
      const value = unwrapType(inner);
      if (!value) return inner;
      inner = value;
    }
  }
}

/**
 * @param {MemberExpression} node
 * @returns {string | undefined} the name of the member, where it is written
 */
export function memberName({ property, computed }) {
  if (!computed) return property.type === 'Identifier' ? property.name : undefined;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined;
}
