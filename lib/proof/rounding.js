// Recognizes a reduce whose two passes round a sum: with values of no more decimal places the rounding changes only the
// last digits of floats, so clients can round once.

import { isSame } from './symbols.js';

/** @import { Claim } from './claims.js' */
/** @import { Emitted } from './emitted-values.js' */
/** @import { Pass } from './run-pass.js' */
/** @import { Symbol_ } from './symbols.js' */

/** Whole numbers of the last place that trials add. */
const UNITS = [0, 1, 2, 3, 7, 10, 12, 199, 1250, -1, -4, -225, 100_000];

/** A share of the last place that is lost where it is rounded alone, and not where three are added. */
const LOST = 0.4;

/**
 * @param {Pass} first
 * @param {Pass} second
 * @param {Emitted} emitted
 * @returns {Claim | undefined}
 */
export function roundingOf(first, second, emitted) {
  const [factor, again] = [roundedSum(first.value), roundedSum(second.value)];
  if (factor === undefined || factor !== again || emitted.number.isNumber === 'not') return undefined;
  const answer = factor === 1 ? 'Math.round(value)' : `Math.round(value * ${factor}) / ${factor}`;
  const places = Math.log10(factor);
  const exact =
    factor === 1 ? 'a whole number' : `a number of at most ${places} decimal place${places === 1 ? '' : 's'}`;
  const { open } = emitted.number;
  return {
    verdict: 'equalAfterRewrite',
    builtin: '_sum',
    form: { figure: 'sum', path: [] },
    condition: `every value is ${exact}`,
    holds: open === undefined ? { isNumber: 'if' } : { isNumber: 'if', open },
    spec: { kind: 'oneOf', of: UNITS.map((unit) => ({ kind: 'literal', value: unit / factor })) },
    outside: { kind: 'literal', value: LOST / factor },
    pattern: 'rounding',
    rewrite: { answer, text: `clients read \`${answer}\` instead of \`value\``, changesShape: true },
    steps: [
      `Both passes add what they are given and round it to ${factor === 1 ? 'whole numbers' : `${places} decimal places`}.`,
      'A sum of values of no more places has no more places, so rounding changes only the last digits of floats.',
    ],
  };
}

/**
 * @param {Symbol_} value
 * @returns {number | undefined} the power of ten by whose inverse the sum of the values is rounded: 100 for two decimal places
 */
function roundedSum(value) {
  const whole = roundedIn(value);
  if (whole) return isSum(whole) ? 1 : undefined;
  if (value.kind === 'unary' && (value.op === 'Number' || value.op === 'parseFloat') && value.of.kind === 'unary') {
    const places = /^toFixed (\d+)$/.exec(value.of.op)?.[1];
    return places !== undefined && isSum(value.of.of) ? 10 ** Number(places) : undefined;
  }
  if (value.kind !== 'binary' || value.op !== '/') return undefined;
  const { right: divisor } = value;
  const of = roundedIn(value.left);
  if (divisor.kind !== 'constant' || typeof divisor.value !== 'number' || !/^10+$/.test(String(divisor.value))) {
    return undefined;
  }
  if (of?.kind !== 'binary' || of.op !== '*') return undefined;
  const isRight = (isSum(of.left) && isSame(of.right, divisor)) || (isSum(of.right) && isSame(of.left, divisor));
  return isRight ? divisor.value : undefined;
}

/** @param {Symbol_} symbol @returns {Symbol_ | undefined} what is rounded to whole numbers */
function roundedIn(symbol) {
  return symbol.kind === 'unary' && symbol.op === 'Math.round' ? symbol.of : undefined;
}

/** @param {Symbol_} symbol @returns {boolean} whether it is the sum of the values as they are */
function isSum(symbol) {
  if (symbol.kind !== 'fold' || symbol.op !== '+') return false;
  const { of, start } = symbol;
  return of.kind === 'element' && of.path.length === 0 && start.kind === 'constant' && start.value === 0;
}
