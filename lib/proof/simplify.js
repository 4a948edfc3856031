// Simplifies a symbol to the plainest one with the same value, given the types of the rows' values.

import { choose, operate, truthOf } from './operate.js';
import { constant, isSame, rebuild } from './symbols.js';

/** @import { TypeOf } from './forms.js' */
/** @import { Symbol_ } from './symbols.js' */

/**
 * @param {Symbol_} value
 * @param {TypeOf} typeOf
 * @returns {Symbol_} the same for values of these types
 */
export function simplify(value, typeOf) {
  return rebuild(value, (part) => {
    switch (part.kind) {
      case 'unary':
        return simplifyOne(part, typeOf);
      case 'binary':
        return simplifyTwo(part, typeOf);
      case 'choice': {
        const truth = truthOf(part.test) ?? truthOfRow(part.test, typeOf);
        if (truth !== undefined) return truth ? part.yes : part.no;
        const { test, yes, no } = part;
        // `value ? value : 0`: where the number is 0 both are the same.
        if (isRow(test) && typeOf(test.path) === 'number' && isSame(atZero(yes, test), no)) return yes;
        return choose(test, yes, no);
      }
      default:
        return part;
    }
  });
}

/**
 * @param {Symbol_} part
 * @returns {part is import('./symbols.js').ElementSymbol | import('./symbols.js').EndSymbol}
 */
function isRow(part) {
  return part.kind === 'element' || part.kind === 'first' || part.kind === 'last';
}

/**
 * @param {Symbol_} symbol
 * @param {Symbol_} row
 * @returns {Symbol_} with 0 instead of the row's value
 */
function atZero(symbol, row) {
  return rebuild(symbol, (part) => {
    if (isSame(part, row)) return constant(0);
    return part.kind === 'binary' ? operate(part.op, part.left, part.right) : part;
  });
}

/**
 * @param {import('./symbols.js').UnarySymbol} part
 * @param {TypeOf} typeOf
 * @returns {Symbol_}
 */
function simplifyOne(part, typeOf) {
  const { op, of } = part;
  const type = isRow(of) ? typeOf(of.path) : undefined;
  if (op === '!') {
    const truth = truthOf(of) ?? truthOfRow(of, typeOf);
    return truth === undefined ? part : constant(!truth);
  }
  if (type === undefined) return part;
  if (op === 'typeof') return constant(type === 'number' ? 'number' : 'object');
  if (op === 'isArray') return constant(type === 'array');
  if (type !== 'number') return part;
  if (op === 'Number' || op === 'parseFloat') return of;
  if (op === 'isNaN') return constant(false);
  return op === 'isFinite' ? constant(true) : part;
}

/**
 * @param {import('./symbols.js').BinarySymbol} part
 * @param {TypeOf} typeOf
 * @returns {Symbol_}
 */
function simplifyTwo(part, typeOf) {
  const { op, left, right } = part;
  if (left.kind === 'constant' && right.kind === 'constant') return operate(op, left, right);
  const [row, other] = isRow(left) ? [left, right] : [right, left];
  if (!isRow(row)) return part;
  const type = typeOf(row.path);
  if (type === undefined || other.kind !== 'constant') return part;
  if (/^[!=]==?$/.test(op) && (other.value === null || other.value === undefined)) return constant(op.startsWith('!'));
  if (type !== 'number') return part;
  const isFirst = row === left;
  if (op === '*' && other.value === 1) return row;
  if (op === '+' && other.value === 0) return row;
  if ((op === '-' && other.value === 0 && isFirst) || (op === '/' && other.value === 1 && isFirst)) return row;
  return part;
}

/**
 * @param {Symbol_} symbol
 * @param {TypeOf} typeOf
 * @returns {boolean | undefined}
 */
function truthOfRow(symbol, typeOf) {
  if (!isRow(symbol)) return undefined;
  const type = typeOf(symbol.path);
  return type === 'object' || type === 'array' ? true : undefined;
}
