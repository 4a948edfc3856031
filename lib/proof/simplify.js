// Algebraic simplification: rewrites a symbol to the plainest one with the same value, given the types of the rows' values.

import { choose, linearOf, operate, truthOf } from './operate.js';
import { constant, isSame, rebuild } from './symbols.js';

/** @import { TypeOf } from './forms.js' */
/** @import { Symbol_ } from './symbols.js' */

/** Names of the members of the rows' values at a path, where they are known. @typedef {(path: readonly string[]) => string[] | undefined} MembersOf */

/** @type {MembersOf} */
const NO_MEMBERS = () => undefined;

/**
 * @param {Symbol_} value
 * @param {TypeOf} typeOf
 * @param {MembersOf} [membersOf]
 * @returns {Symbol_} the same for values of these types
 */
export function simplify(value, typeOf, membersOf = NO_MEMBERS) {
  return rebuild(value, (part) => {
    switch (part.kind) {
      case 'unary':
        return simplifyOne(part, typeOf);
      case 'binary':
        return simplifyTwo(part, typeOf);
      case 'choice':
        return simplifyChoice(part, typeOf, membersOf);
      default:
        return part;
    }
  });
}

/**
 * @param {import('./symbols.js').ChoiceSymbol} part
 * @param {TypeOf} typeOf
 * @param {MembersOf} membersOf
 * @returns {Symbol_}
 */
function simplifyChoice({ test, yes, no }, typeOf, membersOf) {
  const truth = truthOf(test) ?? truthOfRow(test, typeOf);
  if (truth !== undefined) return truth ? yes : no;
  // `value ? value : 0`: where the number is 0 both are the same.
  if (isAlwaysNumber(test, typeOf) && isSame(atZero(yes, test), no)) return yes;
  // `values.length === 1 ? values[0] : sum(values)`: of one row both are the same.
  const isSingle = testsForOneRow(test);
  if (isSingle !== undefined) {
    const [single, many] = isSingle ? [yes, no] : [no, yes];
    const ofOne = (/** @type {Symbol_} */ symbol) => expanded(simplify(atOneRow(symbol, typeOf), typeOf), membersOf);
    if (isSame(ofOne(single), ofOne(many))) return many;
  }
  return choose(test, yes, no);
}

/**
 * @param {Symbol_} test
 * @returns {boolean | undefined} what it comes to where there is one row, if it comes to the opposite where there are more
 */
function testsForOneRow(test) {
  if (test.kind !== 'binary') return undefined;
  const [left, right] = [linearOf(test.left), linearOf(test.right)];
  if (!left || !right) return undefined;
  const isTurned = right.base === 'length';
  const [own, other] = isTurned ? [right, left] : [left, right];
  if (own.base !== 'length' || other.base) return undefined;
  const limit = other.plus - own.plus;
  if (/^[!=]==?$/.test(test.op)) return limit === 1 ? !test.op.startsWith('!') : undefined;
  const op = isTurned ? { '<': '>', '>': '<', '<=': '>=', '>=': '<=' }[test.op] : test.op;
  if ((op === '<' && limit === 2) || (op === '<=' && limit === 1)) return true;
  return (op === '>' && limit === 1) || (op === '>=' && limit === 2) ? false : undefined;
}

/**
 * @param {Symbol_} symbol
 * @param {TypeOf} typeOf
 * @returns {Symbol_} the same where there is one row
 */
function atOneRow(symbol, typeOf) {
  return rebuild(symbol, (part) => {
    switch (part.kind) {
      case 'length':
        return constant(1);
      case 'last':
        return { ...part, kind: 'first' };
      case 'fold': {
        const first = rebuild(part.of, (inner) => (inner.kind === 'element' ? { ...inner, kind: 'first' } : inner));
        if (part.op !== '+') return isSame(part.start, first) ? first : part;
        return isAlwaysNumber(first, typeOf) ? operate('+', part.start, first) : part;
      }
      case 'binary':
        return operate(part.op, part.left, part.right);
      default:
        return part;
    }
  });
}

/**
 * @param {Symbol_} symbol
 * @param {MembersOf} membersOf
 * @returns {Symbol_} with the members of the first row's value instead of the value, and members of objects in one order
 */
function expanded(symbol, membersOf) {
  return rebuild(symbol, (part) => {
    if (part.kind === 'object') {
      return { ...part, members: [...part.members].sort(([one], [other]) => (one < other ? -1 : 1)) };
    }
    const names = part.kind === 'first' ? membersOf(part.path) : undefined;
    if (part.kind !== 'first' || !names) return part;
    const members = [...names].sort().map((name) => {
      const member = expanded({ kind: 'first', path: [...part.path, name] }, membersOf);
      return /** @type {const} */ ([name, member]);
    });
    return { kind: 'object', members };
  });
}

/**
 * @param {Symbol_} symbol
 * @param {TypeOf} typeOf
 * @returns {boolean} whether it is a number that JSON has, for all values of these types
 */
export function isAlwaysNumber(symbol, typeOf) {
  switch (symbol.kind) {
    case 'constant':
      return typeof symbol.value === 'number' && Math.abs(symbol.value) <= Number.MAX_SAFE_INTEGER;
    case 'element':
    case 'first':
    case 'last':
      return typeOf(symbol.path) === 'number';
    case 'length':
      return true;
    case 'fold':
      return isAlwaysNumber(symbol.of, typeOf) && isAlwaysNumber(symbol.start, typeOf);
    case 'unary':
      return symbol.op === '-' && isAlwaysNumber(symbol.of, typeOf);
    case 'binary': {
      const isDivision = symbol.op === '/' && symbol.right.kind === 'constant' && Boolean(symbol.right.value);
      const isSafe = isDivision || symbol.op === '+' || symbol.op === '-' || symbol.op === '*';
      return isSafe && isAlwaysNumber(symbol.left, typeOf) && isAlwaysNumber(symbol.right, typeOf);
    }
    case 'choice':
      return isAlwaysNumber(symbol.yes, typeOf) && isAlwaysNumber(symbol.no, typeOf);
    default:
      return false;
  }
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
 * @param {Symbol_} number
 * @returns {Symbol_} with 0 instead of the number
 */
function atZero(symbol, number) {
  return rebuild(symbol, (part) => {
    if (isSame(part, number)) return constant(0);
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
  if (op === '!') {
    const truth = truthOf(of) ?? truthOfRow(of, typeOf);
    return truth === undefined ? part : constant(!truth);
  }
  const type = isAlwaysNumber(of, typeOf) ? 'number' : isRow(of) ? typeOf(of.path) : undefined;
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
  const [own, other] = right.kind === 'constant' ? [left, right] : [right, left];
  if (other.kind !== 'constant') return op === '+' ? addRest(part, typeOf) : part;
  const isNumber = isAlwaysNumber(own, typeOf);
  const isKnown = isNumber || (isRow(own) && typeOf(own.path) !== undefined);
  if (!isKnown) return part;
  if (/^[!=]==?$/.test(op) && (other.value === null || other.value === undefined)) return constant(op.startsWith('!'));
  if (!isNumber) return part;
  const isFirst = own === left;
  if (op === '*' && other.value === 1) return own;
  if (op === '+' && other.value === 0) return own;
  if ((op === '-' && other.value === 0 && isFirst) || (op === '/' && other.value === 1 && isFirst)) return own;
  return part;
}

/**
 * `first + sum(rest)`: what was taken off a sum is added to it again.
 * @param {import('./symbols.js').BinarySymbol} part
 * @param {TypeOf} typeOf
 * @returns {Symbol_}
 */
function addRest(part, typeOf) {
  for (const [own, rest] of [
    [part.left, part.right],
    [part.right, part.left],
  ]) {
    const isRest = own && rest?.kind === 'binary' && rest.op === '-' && isSame(rest.right, own);
    if (isRest && isAlwaysNumber(own, typeOf) && isAlwaysNumber(rest.left, typeOf)) return rest.left;
  }
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
