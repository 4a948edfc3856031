// Describes what a reduce computes in words and expressions for people.

import { isSame } from './symbols.js';

/** @import { Figure, Form } from './forms.js' */
/** @import { Symbol_ } from './symbols.js' */

/** @type {Record<Figure['figure'], string>} */
const WORDS = {
  count: 'the number of rows',
  sum: 'the sum',
  sumOf: 'the sum',
  sumsqr: 'the sum of the squares',
  min: 'the least',
  max: 'the greatest',
};

/**
 * @param {Form} form
 * @returns {string} in words
 */
export function describeForm(form) {
  return writeForm(form, (figure) => {
    if (figure.figure === 'count') return WORDS.count;
    if (figure.figure === 'sumOf') return `${WORDS.sumOf} of \`${describeSymbol(figure.of)}\` over the rows`;
    return `${WORDS[figure.figure]} of ${figure.path.length === 0 ? 'the values' : `\`${valueAt(figure.path)}\` over the rows`}`;
  });
}

/**
 * @param {Form} form
 * @param {(figure: Figure) => string} write
 * @returns {string} an expression of JavaScript, with what `write` gives for the figures
 */
export function writeForm(form, write) {
  if ('figure' in form) return write(form);
  if ('value' in form) return JSON.stringify(form.value);
  if ('op' in form) {
    return form.parts
      .map((part) => ('op' in part ? `(${writeForm(part, write)})` : writeForm(part, write)))
      .join(` ${form.op} `);
  }
  const isList = form.shape === 'array';
  const members = form.members.map(([name, member]) => {
    return isList ? writeForm(member, write) : `${writeName(name)}: ${writeForm(member, write)}`;
  });
  if (isList) return `[${members.join(', ')}]`;
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/**
 * @param {Figure} figure a sum or the number of rows
 * @returns {string} what each row adds to it, as an expression of its `value`
 */
export function describeAddend(figure) {
  if (figure.figure === 'count') return '1';
  return figure.figure === 'sumOf' ? describeSymbol(figure.of, true) : valueAt(figure.path);
}

/** @type {import('./symbols.js').Symbol_} */
const OBJECT_TYPE = { kind: 'constant', value: 'object' };

/**
 * @param {Symbol_} symbol what is computed from a row
 * @param {boolean} [isEmitted] whether the `value` is as the map has it: undefined there, of a missing field, is null in the row
 * @returns {string} an expression of its `value`
 */
function describeSymbol(symbol, isEmitted = false) {
  const inParentheses = (/** @type {Symbol_} */ part) => {
    const text = describeSymbol(part, isEmitted);
    return part.kind === 'binary' || part.kind === 'choice' ? `(${text})` : text;
  };
  switch (symbol.kind) {
    case 'constant':
      return describeConstant(symbol.value);
    case 'element':
      return valueAt(symbol.path);
    case 'binary':
      return (
        (isEmitted && testOfMissing(symbol)) ||
        `${inParentheses(symbol.left)} ${symbol.op} ${inParentheses(symbol.right)}`
      );
    case 'unary': {
      if (symbol.op === 'typeof') return `typeof ${inParentheses(symbol.of)}`;
      return /\w/.test(symbol.op[1] ?? '')
        ? `${symbol.op}(${describeSymbol(symbol.of, isEmitted)})`
        : `${symbol.op}${inParentheses(symbol.of)}`;
    }
    case 'choice': {
      const { test, yes, no } = symbol;
      if (isSame(test, yes)) return `${describePart(test, isEmitted)} || ${describePart(no, isEmitted)}`;
      return `${describePart(test, isEmitted)} ? ${inParentheses(yes)} : ${no.kind === 'choice' ? describeSymbol(no, isEmitted) : inParentheses(no)}`;
    }
    default:
      return symbol.kind;
  }
}

/**
 * @param {import('./symbols.js').ConstantSymbol['value']} value
 * @returns {string}
 */
function describeConstant(value) {
  if (value === undefined) return 'undefined';
  return typeof value === 'string' && /^[\w .:/-]*$/.test(value) ? `'${value}'` : JSON.stringify(value);
}

/**
 * @param {Symbol_} symbol a test, or one side of `||`
 * @param {boolean} isEmitted
 * @returns {string} in parentheses where operators of it would be taken for those around it
 */
function describePart(symbol, isEmitted) {
  const text = describeSymbol(symbol, isEmitted);
  if (symbol.kind === 'choice') return isSame(symbol.test, symbol.yes) ? text : `(${text})`;
  const isPlain = symbol.kind !== 'binary' || / [=!]==? /.test(text);
  return isPlain && !text.includes('||') ? text : `(${text})`;
}

/**
 * A comparison that null passes, or undefined, and not the other.
 * @param {import('./symbols.js').BinarySymbol} symbol
 * @returns {string | undefined} one that takes undefined for null; undefined where the comparison does
 */
function testOfMissing({ op, left, right }) {
  const [of, constant] = left.kind === 'constant' ? [right, left] : [left, right];
  const equality = /^([!=])==?$/.exec(op)?.[1];
  if (!equality || constant.kind !== 'constant') return undefined;
  if (of.kind === 'element' && constant.value === null) return `${valueAt(of.path)} ${equality}= null`;
  if (of.kind !== 'unary' || of.op !== 'typeof' || of.of.kind !== 'element' || !isSame(constant, OBJECT_TYPE)) {
    return undefined;
  }
  const value = valueAt(of.of.path);
  return equality === '='
    ? `${value} == null || typeof ${value} === 'object'`
    : `${value} != null && typeof ${value} !== 'object'`;
}

/**
 * @param {readonly string[]} path
 * @returns {string}
 */
export function valueAt(path) {
  return path.reduce((text, name) => `${text}${memberText(name)}`, 'value');
}

/**
 * @param {string} name
 * @returns {string} as it stands behind an object
 */
function memberText(name) {
  if (/^\d+$/.test(name)) return `[${name}]`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** @param {string} name @returns {string} as it stands in an object: in quotes where it is more than a word */
export function writeName(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
