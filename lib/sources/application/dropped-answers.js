// Says whether the answer of a call is unused: it is awaited as a statement, or what gets it does not use it.

import { bindingAt, isFunction } from '../../javascript/names.js';
import { propertyName } from './code.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { Code } from './code.js' */

/**
 * @param {CallExpression} call
 * @param {Code} code
 * @returns {boolean} whether its answer is unused
 */
export function isAnswerDropped(call, code) {
  const last = call.arguments.at(-1);
  if (last && isFunction(last)) return isUnread(last.params[1], code);
  // `db.bulk({ docs }, done)`
  if (call.arguments.length > 1 && (last?.type === 'Identifier' || last?.type === 'MemberExpression')) return false;
  /** @type {AnyNode} */
  let inner = call;
  for (let at = code.parentOf(inner); at; inner = at, at = code.parentOf(at)) {
    switch (at.type) {
      case 'AwaitExpression':
      case 'ParenthesizedExpression':
      case 'ChainExpression':
        continue;
      case 'ExpressionStatement':
        return true;
      case 'UnaryExpression':
        return at.operator === 'void';
      case 'MemberExpression': {
        const name = propertyName(at);
        const outer = code.parentOf(at);
        if (at.object !== inner || outer?.type !== 'CallExpression' || outer.callee !== at) return false;
        const [first] = outer.arguments;
        if (name === 'then') return Boolean(first && isFunction(first) && isUnread(first.params[0], code));
        if (name !== 'catch' && name !== 'finally') return false;
        at = outer;
        continue;
      }
      case 'VariableDeclarator':
        return at.id.type === 'Identifier' && isUnread(at.id, code);
      default:
        return false;
    }
  }
  return false;
}

/** @param {AnyNode | undefined} pattern @param {Code} code @returns {boolean} whether there is no such parameter, or its name is not used */
function isUnread(pattern, code) {
  if (!pattern) return true;
  if (pattern.type !== 'Identifier') return false;
  return bindingAt(pattern, code.resolved)?.references.every(({ reads }) => !reads) ?? false;
}
