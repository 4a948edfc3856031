// Reads which figures of all rows the answer of a reduce is made of: their number, sums, extremes. Both passes must
// give the same figures, otherwise the answer depends on how the rows are grouped.

import { comparisonOf } from './decide.js';
import { isAlwaysNumber, simplify } from './simplify.js';
import { isSame, partsOf } from './symbols.js';

/** @import { FoldSymbol, Symbol_ } from './symbols.js' */

/**
 * A figure of all rows, of a member of their values: the number of rows has no path. `sumOf`: the sum of what is computed
 * of each value alone, always a number.
 * @typedef {{figure: 'count' | 'sum' | 'sumsqr' | 'max' | 'min', path: readonly string[]} | {figure: 'sumOf', path: readonly string[], of: Symbol_}} Figure
 */
/**
 * @typedef {Figure | {value: string | number | boolean | null} | {op: string, parts: Form[]} | {shape: 'object' | 'array', members: [string, Form][]}} Form
 */

/** What a member of the values is taken to be. @typedef {(path: readonly string[]) => 'number' | 'object' | 'array' | undefined} TypeOf */

/** @type {TypeOf} */
export const NOTHING_ASSUMED = () => undefined;
/** @type {TypeOf} */
export const NUMBERS = (path) => (path.length === 0 ? 'number' : undefined);

/**
 * @param {Symbol_} value returned by a first pass
 * @returns {string[]} the members of the values that it computes with
 */
export function membersRead(value) {
  /** @type {Set<string>} */
  const names = new Set();
  visitUses(value, (path, comparedWith) => {
    if (path.length === 1 && comparedWith === undefined) names.add(path[0] ?? '');
  });
  return [...names];
}

/** Values, or a member of them, that a reduce does nothing with but to compare it with strings. @typedef {{path: readonly string[], with: string[]}} Compared */

/**
 * @param {Symbol_} value returned by a first pass
 * @returns {Compared[]} each path once
 */
export function comparedIn(value) {
  /** @type {Map<string, Compared>} */
  const found = new Map();
  /** @type {Set<string>} */
  const computed = new Set();
  visitUses(value, (path, comparedWith) => {
    const place = JSON.stringify(path);
    if (comparedWith === undefined) computed.add(place);
    else found.set(place, { path, with: [...(found.get(place)?.with ?? []), comparedWith] });
  });
  return [...found]
    .filter(([place]) => !computed.has(place))
    .map(([, { path, with: names }]) => ({ path, with: [...new Set(names)] }));
}

/**
 * @param {Symbol_} symbol
 * @param {(path: readonly string[], comparedWith?: string) => void} visit each use of a row's value, and what it is compared with
 */
function visitUses(symbol, visit) {
  const comparison = comparisonOf(symbol);
  if (comparison?.of.kind === 'element') visit(comparison.of.path, comparison.name);
  else if (symbol.kind === 'element' || symbol.kind === 'first') visit(symbol.path);
  else for (const part of partsOf(symbol)) visitUses(part, visit);
}

/**
 * @param {string[]} names
 * @returns {TypeOf} values that are objects, or lists, of numbers under these names
 */
export function membersAreNumbers(names) {
  const outer = names.length > 0 && names.every((name) => /^\d+$/.test(name)) ? 'array' : 'object';
  return (path) => {
    if (path.length === 0) return outer;
    return path.length === 1 && names.includes(path[0] ?? '') ? 'number' : undefined;
  };
}

/**
 * @param {Symbol_} value what the first pass returns
 * @param {TypeOf} typeOf of the emitted values
 * @returns {Form | undefined} undefined where it is made of anything else
 */
export function firstForm(value, typeOf) {
  return formOf(simplify(value, typeOf), (symbol) => figureOfRows(symbol, typeOf));
}

/**
 * @param {Symbol_} value what the second pass returns
 * @param {Form} first
 * @returns {Form | undefined} as figures of the rows behind the answers of first passes
 */
export function secondForm(value, first) {
  return formOf(
    simplify(
      value,
      (path) => typeIn(first, path),
      (path) => namesIn(first, path),
    ),
    (symbol) => figureOfAnswers(symbol, first),
  );
}

/**
 * @param {Form} one
 * @param {Form} other
 * @returns {boolean}
 */
export function isSameForm(one, other) {
  return JSON.stringify(ordered(one)) === JSON.stringify(ordered(other));
}

/**
 * @param {Form} form
 * @returns {Form} with the members of objects in one order, which JSON does not distinguish
 */
function ordered(form) {
  if ('op' in form) return { ...form, parts: form.parts.map(ordered) };
  if (!('shape' in form)) return form;
  const members = form.members.map(([name, member]) => /** @type {[string, Form]} */ ([name, ordered(member)]));
  return { ...form, members: members.sort(([one], [other]) => (one < other ? -1 : 1)) };
}

/**
 * @param {Form} form
 * @returns {Figure[]} all figures in it
 */
export function figuresIn(form) {
  if ('figure' in form) return [form];
  if ('op' in form) return form.parts.flatMap(figuresIn);
  return 'shape' in form ? form.members.flatMap(([, member]) => figuresIn(member)) : [];
}

/**
 * @param {Form} form
 * @param {readonly string[]} path
 * @returns {Form | undefined}
 */
function formAt(form, [name, ...rest]) {
  if (name === undefined) return form;
  const member = 'shape' in form ? form.members.find(([other]) => other === name)?.[1] : undefined;
  return member && formAt(member, rest);
}

/**
 * @param {Form} form of what a first pass answers
 * @param {readonly string[]} path
 * @returns {'number' | 'object' | 'array' | undefined}
 */
function typeIn(form, path) {
  const found = formAt(form, path);
  if (!found) return undefined;
  if ('shape' in found) return found.shape;
  if ('value' in found) return typeof found.value === 'number' ? 'number' : undefined;
  return 'figure' in found || isLinear(found) ? 'number' : undefined;
}

/**
 * @param {Form} form of what a first pass answers
 * @param {readonly string[]} path
 * @returns {string[] | undefined} the names of the members of an object there
 */
function namesIn(form, path) {
  const found = formAt(form, path);
  return found && 'shape' in found && found.shape === 'object' ? found.members.map(([name]) => name) : undefined;
}

/** Operators that make a number of two numbers. */
const ARITHMETIC = new Set(['+', '-', '*', '/', '%']);

/**
 * @param {Form} form
 * @returns {boolean} whether it is a number, where the values are
 */
function isNumeric(form) {
  return 'figure' in form || 'op' in form || ('value' in form && typeof form.value === 'number');
}

/**
 * @param {Form} first of what a first pass answers
 * @param {(readonly string[])[]} used members of these answers
 * @returns {boolean} whether all of them are there, and are what can be computed with
 */
export function canBeUsed(first, used) {
  return used.every((path) => typeIn(first, path) !== undefined);
}

/**
 * @param {Symbol_} symbol
 * @param {(symbol: Symbol_) => Form | undefined} figureOf
 * @returns {Form | undefined}
 */
function formOf(symbol, figureOf) {
  const figure = figureOf(symbol);
  if (figure) return figure;
  const inner = (/** @type {Symbol_} */ part) => formOf(part, figureOf);
  switch (symbol.kind) {
    case 'constant': {
      // JSON has no undefined, no NaN and no Infinity: they are stored as null.
      const { value = null } = symbol;
      return { value: typeof value === 'number' && !Number.isFinite(value) ? null : value };
    }
    case 'binary': {
      const [left, right] = [inner(symbol.left), inner(symbol.right)];
      if (!left || !right || !ARITHMETIC.has(symbol.op) || !isNumeric(left) || !isNumeric(right)) return undefined;
      return { op: symbol.op, parts: [left, right] };
    }
    case 'object':
    case 'array': {
      const pairs =
        symbol.kind === 'object'
          ? symbol.members
          : symbol.items.map((item, at) => /** @type {const} */ ([String(at), item]));
      /** @type {[string, Form][]} */
      const members = [];
      for (const [name, member] of pairs) {
        const isLeftOut = member.kind === 'constant' && member.value === undefined && symbol.kind === 'object';
        const form = inner(member);
        if (!form) return undefined;
        if (!isLeftOut) members.push([name, form]);
      }
      return { shape: symbol.kind, members };
    }
    default:
      return undefined;
  }
}

/**
 * @param {Symbol_} symbol
 * @param {TypeOf} typeOf
 * @returns {Form | undefined}
 */
function figureOfRows(symbol, typeOf) {
  if (symbol.kind === 'length') return { figure: 'count', path: [] };
  if (symbol.kind !== 'fold') return undefined;
  const { op, of, start } = symbol;
  if (op !== '+') {
    const isWhole = of.kind === 'element' && isSame(start, { kind: 'first', path: of.path });
    return isWhole ? { figure: op, path: of.path } : undefined;
  }
  if (!isZero(start)) return undefined;
  if (of.kind === 'element') return { figure: 'sum', path: of.path };
  if (of.kind === 'constant' && typeof of.value === 'number' && Number.isFinite(of.value)) {
    /** @type {Figure} */
    const count = { figure: 'count', path: [] };
    return of.value === 1 ? count : { op: '*', parts: [{ value: of.value }, count] };
  }
  const isSquare = of.kind === 'binary' && of.op === '*' && of.left.kind === 'element' && isSame(of.left, of.right);
  if (isSquare && of.left.kind === 'element') return { figure: 'sumsqr', path: of.left.path };
  return isAlwaysNumber(of, typeOf) ? { figure: 'sumOf', path: [], of } : undefined;
}

/**
 * @param {Symbol_} symbol
 * @param {Form} first
 * @returns {Form | undefined}
 */
function figureOfAnswers(symbol, first) {
  if (symbol.kind !== 'fold' || symbol.of.kind !== 'element') return undefined;
  const { op, of, start } = /** @type {FoldSymbol & {of: import('./symbols.js').ElementSymbol}} */ (symbol);
  const inner = formAt(first, of.path);
  if (!inner) return undefined;
  if (op === '+') return isZero(start) && isLinear(inner) ? inner : undefined;
  const isWhole = isSame(start, { kind: 'first', path: of.path });
  return isWhole && 'figure' in inner && inner.figure === op ? inner : undefined;
}

/**
 * @param {Form} form
 * @returns {boolean} whether it, of all rows, is the sum of what it is of their parts
 */
function isLinear(form) {
  if ('figure' in form) return form.figure !== 'max' && form.figure !== 'min';
  if (!('op' in form)) return false;
  const [left, right] = form.parts;
  if (!left || !right) return false;
  const isNumber = (/** @type {Form} */ part) => 'value' in part && typeof part.value === 'number';
  if (form.op === '*') return (isNumber(left) && isLinear(right)) || (isLinear(left) && isNumber(right));
  return form.op === '/'
    ? isLinear(left) && 'value' in right && Boolean(right.value)
    : (form.op === '+' || form.op === '-') && isLinear(left) && isLinear(right);
}

/** @param {Symbol_} symbol */
function isZero(symbol) {
  return symbol.kind === 'constant' && Object.is(symbol.value, 0);
}
