// Computes a form, what a reduce was read to compute, for given values, to check the reading against trials.

import { choose, operate, operateOne } from './operate.js';
import { constant, rebuild } from './symbols.js';

/** @import { Figure, Form } from './forms.js' */
/** @import { Symbol_ } from './symbols.js' */

/** Represents what is not a JSON value, or cannot be computed here. */
const NOTHING = Number.NaN;

/**
 * @param {Form} form
 * @param {unknown[]} values of all rows, that meet the condition the form was found under
 * @returns {unknown} the answer of the reduce as JSON has it
 */
export function evaluateForm(form, values) {
  if ('figure' in form) return asJson(figureOf(form, values));
  if ('value' in form) return form.value;
  if ('op' in form) {
    const [left, right] = form.parts.map((part) => constant(Number(evaluateForm(part, values))));
    const result = left && right && operate(form.op, left, right);
    return result?.kind === 'constant' ? asJson(Number(result.value)) : null;
  }
  if (form.shape === 'array') return form.members.map(([, member]) => evaluateForm(member, values));
  return Object.fromEntries(form.members.map(([name, member]) => [name, evaluateForm(member, values)]));
}

/** @param {number} number @returns {number | null} */
function asJson(number) {
  return Number.isFinite(number) ? number : null;
}

/**
 * @param {Figure} figure
 * @param {unknown[]} values
 * @returns {number}
 */
function figureOf(figure, values) {
  if (figure.figure === 'count') return values.length;
  if (figure.figure === 'sumOf')
    return values.reduce((/** @type {number} */ sum, value) => sum + Number(worth(figure.of, value)), 0);
  const numbers = values.map((value) => Number(memberAt(value, figure.path)));
  switch (figure.figure) {
    case 'max':
      return Math.max(...numbers);
    case 'min':
      return Math.min(...numbers);
    case 'sumsqr':
      return numbers.reduce((sum, number) => sum + number * number, 0);
    default:
      return numbers.reduce((sum, number) => sum + number, 0);
  }
}

/**
 * @param {unknown} value
 * @param {readonly (string | number)[]} path
 * @returns {unknown} undefined where there is nothing
 */
export function memberAt(value, path) {
  return path.reduce((/** @type {unknown} */ at, name) => {
    const isHolder = typeof at === 'object' && at !== null && Object.hasOwn(at, name);
    return isHolder ? /** @type {Record<string | number, unknown>} */ (at)[name] : undefined;
  }, value);
}

/**
 * @param {Symbol_} symbol what is computed from one row
 * @param {unknown} value of that row
 * @returns {unknown}
 */
function worth(symbol, value) {
  const found = rebuild(symbol, (part) => {
    switch (part.kind) {
      case 'element':
        return constantOf(memberAt(value, part.path));
      case 'binary':
        return operate(part.op, part.left, part.right);
      case 'unary':
        return worthOfOne(part.op, part.of);
      case 'choice':
        return choose(part.test, part.yes, part.no);
      default:
        return part;
    }
  });
  return found.kind === 'constant' ? found.value : NOTHING;
}

/**
 * @param {unknown} value
 * @returns {Symbol_}
 */
function constantOf(value) {
  if (Array.isArray(value)) return { kind: 'array', items: [] };
  if (typeof value === 'object' && value !== null) return { kind: 'object', members: [] };
  return constant(/** @type {string | number | boolean | null | undefined} */ (value));
}

/**
 * @param {string} op
 * @param {Symbol_} of
 * @returns {Symbol_}
 */
function worthOfOne(op, of) {
  if (op === 'isArray') return constant(of.kind === 'array');
  if (of.kind !== 'constant') return operateOne(op, of);
  switch (op) {
    case 'Number':
      return constant(Number(of.value));
    case 'parseFloat':
      return constant(Number.parseFloat(String(of.value)));
    case 'isNaN':
      return constant(Number.isNaN(Number(of.value)));
    case 'isFinite':
      return constant(Number.isFinite(Number(of.value)));
    default:
      return operateOne(op, of);
  }
}
