// Finds the loop that repeats a call: a statement, or a function that is given to `map` and the like; and what of the call depends on the turn.

import { bindingAt, boundIn, isFunction } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { functionAround } from './enclosing.js';

/** @import { AnyNode, CallExpression, Identifier } from 'acorn' */
/** @import { Binding } from '../../javascript/names.js' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { CallLoop } from './record.js' */

/** Methods of lists that call their function once for each item, and functions of libraries that take list and function. */
const EACH = new Set([
  'forEach',
  'map',
  'flatMap',
  'reduce',
  'each',
  'eachSeries',
  'eachLimit',
  'eachOf',
  'forEachOf',
  'mapSeries',
  'mapLimit',
]);
/** Functions that do the same by their name alone: `pMap(ids, load)`. */
const EACH_FUNCTIONS = new Set(['pMap', 'pEach', 'pMapSeries']);
/** Methods whose function runs once, as a part of what surrounds it. */
const ONCE = new Set(['then', 'catch', 'finally', 'tap', 'nextTick', 'try']);
const CONCURRENT = new Set(['all', 'allSettled']);

/** @typedef {{loop: AnyNode, form: CallLoop['form'], body: AnyNode, variables: AnyNode[], over: AnyNode | undefined}} Found */

/**
 * @param {CallExpression} call
 * @param {Code} code
 * @param {{target: AnyNode | undefined, isClientCall: (node: CallExpression) => boolean}} about
 * @returns {CallLoop | null}
 */
export function loopAround(call, code, { target, isClientCall }) {
  const found = findLoop(call, code, isClientCall);
  if (!found) return null;
  const { loop, form, body, variables, over } = found;
  const end = body.start > loop.start ? body.start : loop.end;
  const place = code.file.place(loop.start, Math.max(loop.start, trimmedEnd(code.file.text, loop.start, end)));
  const tainted = taintedBy(variables, body, code);
  const receiver = call.callee.type === 'MemberExpression' ? call.callee.object : call.callee;
  const changesTarget = target ? mentions(target, tainted, code) : null;
  return {
    form,
    purpose: purposeOf(found, changesTarget),
    over: over ? code.source(over) : null,
    times: over ? literalLength(over, code) : null,
    isConcurrent: form === 'callback' && isGathered(loop, code),
    changesTarget,
    changesReceiver: mentions(receiver, tainted, code),
    endsEarly: endsEarly(found, code),
    place,
  };
}

/**
 * @param {CallExpression} call
 * @param {Code} code
 * @param {(node: CallExpression) => boolean} isClientCall
 * @returns {Found | undefined}
 */
function findLoop(call, code, isClientCall) {
  /** @type {AnyNode} */
  let inner = call;
  for (let at = code.parentOf(inner); at; inner = at, at = code.parentOf(at)) {
    switch (at.type) {
      case 'ForStatement':
        if (inner === at.init) continue;
        return { loop: at, form: 'for', body: at.body, variables: declaredIn(at.init), over: undefined };
      case 'ForInStatement':
      case 'ForOfStatement': {
        if (inner !== at.body) continue;
        const form = at.type === 'ForInStatement' ? 'for-in' : 'for-of';
        const variables = at.left.type === 'VariableDeclaration' ? declaredIn(at.left) : [at.left];
        return { loop: at, form, body: at.body, variables, over: at.right };
      }
      case 'WhileStatement':
      case 'DoWhileStatement':
        return { loop: at, form: 'while', body: at.body, variables: [], over: undefined };
      default:
    }
    if (!isFunction(at)) continue;
    const parent = code.parentOf(at);
    const each = parent?.type === 'CallExpression' ? eachOver(parent, at) : undefined;
    if (parent && each) {
      const isReduce = each.name === 'reduce';
      const variables = at.params.slice(isReduce ? 1 : 0, isReduce ? 3 : undefined);
      return { loop: parent, form: 'callback', body: at.body, variables, over: each.over };
    }
    if (!parent || !runsOnce(parent, at, isClientCall)) {
      return callsItself(at, code)
        ? { loop: at, form: 'recursion', body: at.body, variables: [], over: undefined }
        : undefined;
    }
  }
  return undefined;
}

/**
 * @param {CallExpression} call
 * @param {AnyNode} fn its argument
 * @returns {{over: AnyNode, name: string} | undefined} the list that it calls the function for
 */
function eachOver(call, fn) {
  const callee = bare(call.callee);
  const [first] = call.arguments;
  if (callee.type === 'Identifier' && EACH_FUNCTIONS.has(callee.name) && first && first !== fn)
    return { over: first, name: callee.name };
  const name = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
  if (callee.type !== 'MemberExpression' || name === undefined || !EACH.has(name)) return undefined;
  // `rows.map(load)` and `async.map(rows, load)`; `stream.pipe(map(load))` is neither.
  if (first === fn) return { over: callee.object, name };
  return first && call.arguments.indexOf(/** @type {never} */ (fn)) > 0 ? { over: first, name } : undefined;
}

/**
 * @param {AnyNode} parent
 * @param {AnyNode} fn
 * @param {(node: CallExpression) => boolean} isClientCall
 * @returns {boolean} whether the function runs once, as a part of what surrounds it
 */
function runsOnce(parent, fn, isClientCall) {
  if (parent.type === 'NewExpression') return parent.callee.type === 'Identifier' && parent.callee.name === 'Promise';
  if (parent.type === 'ParenthesizedExpression' || parent.type === 'AwaitExpression') return true;
  if (parent.type !== 'CallExpression') return false;
  const callee = bare(parent.callee);
  if (callee === fn) return true;
  if (callee.type !== 'MemberExpression') return false;
  return ONCE.has(memberName(callee) ?? '') || isClientCall(parent);
}

/**
 * @param {FunctionNode} fn
 * @param {Code} code
 * @returns {boolean}
 */
function callsItself(fn, code) {
  const parent = code.parentOf(fn);
  const id = 'id' in fn && fn.id ? fn.id : parent?.type === 'VariableDeclarator' ? parent.id : undefined;
  if (id?.type === 'Identifier') {
    return (bindingAt(id, code.resolved)?.references ?? []).some(
      ({ node, reads }) => reads && node.start >= fn.start && node.end <= fn.end,
    );
  }
  if (parent?.type !== 'MethodDefinition' || parent.key.type !== 'Identifier') return false;
  const { name } = parent.key;
  return code.nodesWithin(fn).some((node) => {
    return node.type === 'MemberExpression' && node.object.type === 'ThisExpression' && memberName(node) === name;
  });
}

/**
 * @param {Found} found
 * @param {boolean | null} changesTarget
 * @returns {CallLoop['purpose']}
 */
function purposeOf({ form, loop }, changesTarget) {
  // `for await` takes what comes, when it comes: a feed has no end to collect to.
  if (loop.type === 'ForOfStatement' && loop.await) return 'unknown';
  if (form === 'for-of' || form === 'for-in' || form === 'callback') return 'each';
  if (form === 'for' && changesTarget === true && loop.type === 'ForStatement' && isCounted(loop)) return 'each';
  return 'unknown';
}

/**
 * @param {import('acorn').ForStatement} loop
 * @returns {boolean} whether it counts to the end of a list: `i < ids.length`
 */
function isCounted({ test }) {
  if (test?.type !== 'BinaryExpression') return false;
  return [test.left, test.right].some((side) => side.type === 'MemberExpression' && memberName(side) === 'length');
}

/**
 * @param {AnyNode} loop the call that goes through a list
 * @param {Code} code
 * @returns {boolean} whether it stands in `Promise.all(…)`
 */
function isGathered(loop, code) {
  let at = code.parentOf(loop);
  while (at && ['SpreadElement', 'ArrayExpression', 'ParenthesizedExpression'].includes(at.type))
    at = code.parentOf(at);
  return (
    at?.type === 'CallExpression' &&
    at.callee.type === 'MemberExpression' &&
    CONCURRENT.has(memberName(at.callee) ?? '')
  );
}

/**
 * @param {AnyNode | null | undefined} node
 * @returns {AnyNode[]}
 */
function declaredIn(node) {
  return node?.type === 'VariableDeclaration' ? node.declarations.map(({ id }) => id) : [];
}

/**
 * @param {AnyNode[]} variables of the loop
 * @param {AnyNode} body
 * @param {Code} code
 * @returns {Set<Binding>} names that depend on the turn
 */
function taintedBy(variables, body, code) {
  /** @type {Set<Binding>} */
  const tainted = new Set();
  const add = (/** @type {AnyNode} */ pattern) => {
    for (const id of boundIn(pattern)) {
      const binding = bindingAt(id, code.resolved);
      if (binding) tainted.add(binding);
    }
  };
  for (const variable of variables) add(variable);
  const nodes = code.nodesWithin(body);
  for (let before = -1; before < tainted.size; ) {
    before = tainted.size;
    for (const node of nodes) {
      if (node.type === 'VariableDeclarator' && node.init && mentions(node.init, tainted, code)) add(node.id);
      else if (node.type === 'AssignmentExpression' && mentions(node.right, tainted, code)) add(rootOf(node.left));
      else if (node.type === 'ForOfStatement' && mentions(node.right, tainted, code)) {
        add(node.left.type === 'VariableDeclaration' ? (node.left.declarations[0]?.id ?? node.left) : node.left);
      } else if (isFunction(node)) {
        const parent = code.parentOf(node);
        // `db.get(id).then((order) => …)`: what the function is given comes from the call.
        if (
          parent?.type === 'CallExpression' &&
          (mentions(parent.callee, tainted, code) ||
            parent.arguments.some((item) => item !== node && mentions(item, tainted, code)))
        ) {
          for (const param of node.params) add(param);
        }
      }
    }
  }
  return tainted;
}

/** @param {AnyNode} node @returns {AnyNode} the name that a chain of members begins with */
function rootOf(node) {
  let at = bare(node);
  while (at.type === 'MemberExpression') at = bare(at.object);
  return at;
}

/**
 * @param {AnyNode} node
 * @param {ReadonlySet<Binding>} bindings
 * @param {Code} code
 * @returns {boolean} whether one of these names is used in it
 */
function mentions(node, bindings, code) {
  if (bindings.size === 0) return false;
  const isOne = (/** @type {AnyNode} */ inner) => {
    const binding =
      inner.type === 'Identifier' ? code.resolved.byNode.get(/** @type {Identifier} */ (inner))?.binding : undefined;
    return binding !== undefined && bindings.has(binding);
  };
  return isOne(node) || code.nodesWithin(node).some(isOne);
}

/**
 * @param {AnyNode} over
 * @param {Code} code
 * @returns {number | null} the length of a literal list
 */
function literalLength(over, code) {
  const value = code.reader.read(bare(over));
  return value.type === 'array' && value.items.every(({ type }) => type !== 'unknown') ? value.items.length : null;
}

/**
 * @param {Found} found
 * @param {Code} code
 * @returns {boolean} whether the loop may stop before its end: a `break`, or a `return` of the function around it
 */
function endsEarly({ form, loop, body }, code) {
  if (form === 'callback' || form === 'recursion') return false;
  const around = functionAround(loop, code);
  return code.nodesWithin(body).some((node) => {
    if (node.type === 'ReturnStatement') return functionAround(node, code) === around && !isInCatch(node, loop, code);
    return node.type === 'BreakStatement' && !node.label && breaksOut(node, loop, code);
  });
}

/** @param {AnyNode} node @param {AnyNode} loop @param {Code} code @returns {boolean} */
function isInCatch(node, loop, code) {
  for (let at = code.parentOf(node); at && at !== loop; at = code.parentOf(at))
    if (at.type === 'CatchClause') return true;
  return false;
}

/** @param {AnyNode} node @param {AnyNode} loop @param {Code} code @returns {boolean} whether a `break` ends this very loop */
function breaksOut(node, loop, code) {
  for (let at = code.parentOf(node); at; at = code.parentOf(at)) {
    if (at === loop) return !isInCatch(node, loop, code);
    if (/^(?:For|While|DoWhile|Switch)/.test(at.type)) return false;
  }
  return false;
}

/** @param {string} text @param {number} start @param {number} end @returns {number} */
function trimmedEnd(text, start, end) {
  return start + text.slice(start, end).trimEnd().length;
}
