// Says what a loop is for: each item of a list, another try, the next page; and whether it may stop before its end.

import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { nameOf } from './code.js';
import { dependentNames, mentions, namesIn } from './depends.js';
import { functionAround, isWithin } from './enclosing.js';

/** @import { AnyNode, CallExpression, ForStatement } from 'acorn' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { Found } from './loops.js' */
/** @import { CallLoop } from './record.js' */

/** Options that say where a page begins, by all clients. */
const PAGE_KEYS = new Set([
  'skip',
  'bookmark',
  'since',
  'startkey',
  'start_key',
  'startKey',
  'startkey_docid',
  'start_key_doc_id',
  'startKeyDocId',
]);

/**
 * @param {Found} found
 * @param {CallExpression} call
 * @param {Code} code
 * @param {{target: AnyNode | undefined, changesTarget: boolean | null}} about
 * @returns {CallLoop['purpose']}
 */
export function purposeOf(found, call, code, { target, changesTarget }) {
  const { form, loop, over } = found;
  // `for await` takes what comes, when it comes: a feed has no end to collect to.
  if (loop.type === 'ForOfStatement' && loop.await) return 'unknown';
  if (form === 'recursion') return recursionOf(found, call, code);
  const isOverList = form === 'for' ? changesTarget === true && over !== undefined : over !== undefined;
  if (isOverList) return target && isCarried(target, found, call, code) ? 'unknown' : 'each';
  if (isPaging(found, call, code)) return 'pages';
  return isRetry(found, call, code) ? 'retry' : 'unknown';
}

/**
 * @param {ForStatement} loop
 * @param {Code} code
 * @returns {AnyNode | undefined} the list to whose end it counts: `i < ids.length`, `i < count` after `count = ids.length`
 */
export function countedList({ test, init }, code) {
  if (test?.type !== 'BinaryExpression') return undefined;
  for (const side of [test.left, test.right]) {
    const given = side.type === 'Identifier' ? initialValue(side, code) : side;
    const list = given && lengthOf(bare(given));
    if (list) return list;
  }
  // `for (let i = ids.length; i--; )`
  const [first] = init?.type === 'VariableDeclaration' ? init.declarations : [];
  return first?.init ? lengthOf(bare(first.init)) : undefined;
}

/** @param {AnyNode} node @returns {AnyNode | undefined} `ids` of `ids.length` and `ids.length - 1` */
function lengthOf(node) {
  if (node.type === 'BinaryExpression' && node.operator === '-') return lengthOf(bare(node.left));
  return node.type === 'MemberExpression' && memberName(node) === 'length' ? node.object : undefined;
}

/** @param {AnyNode} id @param {Code} code @returns {AnyNode | undefined} */
function initialValue(id, code) {
  const binding = id.type === 'Identifier' ? bindingAt(id, code.resolved) : undefined;
  const parent = binding?.declarations[0] && code.parentOf(binding.declarations[0]);
  return parent?.type === 'VariableDeclarator' ? (parent.init ?? undefined) : undefined;
}

/**
 * `while (queue.length > 0) { const id = queue.shift(); … }`
 * @param {AnyNode} loop
 * @param {Code} code
 * @returns {{over: AnyNode, variables: AnyNode[]} | undefined} a list that it empties, and to which nothing is added meanwhile
 */
export function emptiedList(loop, code) {
  if (loop.type !== 'WhileStatement') return undefined;
  const taken = code.nodesWithin(loop).find((node) => takenFrom(node));
  const list = taken && takenFrom(taken);
  const binding = list && bindingAt(list, code.resolved);
  if (!taken || !list || !binding || !mentions(loop.test, new Set([binding]), code)) return undefined;
  const isFilled = binding.references.some(({ node, writes }) => {
    if (node.start < loop.start || node.end > loop.end) return false;
    const parent = code.parentOf(node);
    const name = parent?.type === 'MemberExpression' && parent.object === node ? memberName(parent) : undefined;
    return writes || !['length', 'shift', 'pop'].includes(name ?? '');
  });
  if (isFilled) return undefined;
  let at = code.parentOf(taken);
  while (at?.type === 'AwaitExpression' || at?.type === 'ParenthesizedExpression') at = code.parentOf(at);
  if (at?.type === 'VariableDeclarator') return { over: list, variables: [at.id] };
  return at?.type === 'AssignmentExpression' ? { over: list, variables: [at.left] } : undefined;
}

/**
 * `while (i < ids.length) { …; i++; }`
 * @param {AnyNode} loop
 * @param {Code} code
 * @returns {{over: AnyNode, variables: AnyNode[]} | undefined}
 */
export function countedWhile(loop, code) {
  if (loop.type !== 'WhileStatement' || loop.test.type !== 'BinaryExpression') return undefined;
  const { left, right, operator } = loop.test;
  const over = operator === '<' ? lengthOf(bare(right)) : undefined;
  if (!over || left.type !== 'Identifier') return undefined;
  const counts = code.nodesWithin(loop.body).some((node) => {
    return node.type === 'UpdateExpression' && node.argument.type === 'Identifier' && node.argument.name === left.name;
  });
  return counts ? { over, variables: [left] } : undefined;
}

/** @param {AnyNode} node @returns {import('acorn').Identifier | undefined} `ids` of `ids.pop()` */
function takenFrom(node) {
  const callee = node.type === 'CallExpression' ? bare(node.callee) : undefined;
  if (callee?.type !== 'MemberExpression' || !['shift', 'pop'].includes(memberName(callee) ?? '')) return undefined;
  return callee.object.type === 'Identifier' ? callee.object : undefined;
}

/**
 * `last = await db.insert({ ...order, previous: last.id })`
 * @param {AnyNode} target
 * @param {Found} found
 * @param {CallExpression} call
 * @param {Code} code
 * @returns {boolean} whether a turn needs the answer that the one before it got
 */
function isCarried(target, { loop, body }, call, code) {
  const nodes = code.nodesWithin(body);
  const answered = nodes.flatMap((node) =>
    node.type === 'VariableDeclarator' && node.init && hasAwait(node.init, code) ? [node.id] : [],
  );
  const fromAnswers = dependentNames(answered, body, code);
  return namesIn(target, code).some(({ binding }) => {
    if (binding.declarations.some((id) => isWithin(id, loop))) return false;
    return binding.references.some(({ node, writes }) => {
      const set = code.parentOf(node);
      if (!writes || set?.type !== 'AssignmentExpression' || !isWithin(set, loop)) return false;
      if (isWithin(call, set)) return true;
      // What is set before the call is of this turn: `order = await db.get(id)`.
      return set.start > call.end && (hasAwait(set.right, code) || mentions(set.right, fromAnswers, code));
    });
  });
}

/** @param {AnyNode} node @param {Code} code @returns {boolean} */
function hasAwait(node, code) {
  return node.type === 'AwaitExpression' || code.nodesWithin(node).some(({ type }) => type === 'AwaitExpression');
}

/**
 * @param {Found} found
 * @param {CallExpression} call
 * @param {Code} code
 * @returns {boolean} whether something that the call is given is set to another value in each turn
 */
function isPaging({ loop }, call, code) {
  const given = new Set(
    call.arguments.flatMap((item) => (isFunction(item) ? [] : namesIn(item, code).map(({ binding }) => binding))),
  );
  return code.nodesWithin(loop).some((node) => {
    if (node.type !== 'AssignmentExpression' || (node.start >= call.start && node.end <= call.end)) return false;
    const left = bare(node.left);
    if (left.type === 'MemberExpression')
      return PAGE_KEYS.has(memberName(left) ?? '') && mentions(left.object, given, code);
    const binding = left.type === 'Identifier' ? bindingAt(left, code.resolved) : undefined;
    const isOutside = binding?.declarations.every((id) => !isWithin(id, loop) || isInInit(id, loop));
    return binding !== undefined && given.has(binding) && isOutside === true;
  });
}

/** @param {AnyNode} node @param {AnyNode} loop @returns {boolean} */
function isInInit(node, loop) {
  return loop.type === 'ForStatement' && Boolean(loop.init) && isWithin(node, /** @type {AnyNode} */ (loop.init));
}

/**
 * @param {Found} found
 * @param {CallExpression} call
 * @param {Code} code
 * @returns {boolean} whether the loop goes on after an error of the call, and ends when it succeeds
 */
function isRetry(found, call, code) {
  const { loop } = found;
  const caught = code.nodesWithin(loop).find((node) => {
    if (node.type !== 'TryStatement' || !node.handler || !isWithin(call, node.block)) return false;
    return !alwaysLeaves(node.handler.body) || hasContinue(node.handler.body, code);
  });
  if (!caught) return false;
  return endsEarly(found, code) || setsTest(loop, code);
}

/** @param {import('acorn').BlockStatement} block @returns {boolean} whether it ends with a jump out of it */
function alwaysLeaves({ body }) {
  return ['ThrowStatement', 'ReturnStatement', 'BreakStatement'].includes(body.at(-1)?.type ?? '');
}

/** @param {AnyNode} block @param {Code} code @returns {boolean} whether some error goes on to the next turn: `if (err.status === 409) continue;` */
function hasContinue(block, code) {
  return code.nodesWithin(block).some(({ type }) => type === 'ContinueStatement');
}

/** @param {AnyNode} loop @param {Code} code @returns {boolean} `while (!isSaved)` with `isSaved = true` in it */
function setsTest(loop, code) {
  const test = 'test' in loop ? loop.test : undefined;
  if (!test) return false;
  return namesIn(/** @type {AnyNode} */ (test), code).some(({ binding }) =>
    binding.references.some(({ node, writes }) => {
      const parent = code.parentOf(node);
      return writes && isWithin(node, loop) && parent?.type === 'AssignmentExpression' && parent.operator === '=';
    }),
  );
}

/**
 * @param {Found} found whose function calls itself
 * @param {CallExpression} call
 * @param {Code} code
 * @returns {CallLoop['purpose']}
 */
function recursionOf({ loop }, call, code) {
  const fn = /** @type {FunctionNode} */ (loop);
  const again = callsOfItself(fn, code);
  if (again.length === 0) return 'unknown';
  if (again.every((node) => isAfterError(node, fn, code))) return 'retry';
  const given = new Set(
    call.arguments.flatMap((item) => (isFunction(item) ? [] : namesIn(item, code).map(({ binding }) => binding))),
  );
  const isNext = again.some((node) =>
    node.arguments.some((item, at) => {
      const param = fn.params[at];
      const own = param?.type === 'Identifier' ? bindingAt(param, code.resolved) : undefined;
      if (!own || !given.has(own)) return false;
      return item.type !== 'Identifier' || bindingAt(item, code.resolved) !== own;
    }),
  );
  return isNext ? 'pages' : 'unknown';
}

/**
 * @param {FunctionNode} fn
 * @param {Code} code
 * @returns {CallExpression[]} its calls of itself, by its name or as a method of `this`
 */
export function callsOfItself(fn, code) {
  const parent = code.parentOf(fn);
  const id = 'id' in fn && fn.id ? fn.id : parent?.type === 'VariableDeclarator' ? parent.id : undefined;
  const binding = id?.type === 'Identifier' ? bindingAt(id, code.resolved) : undefined;
  const method = methodName(parent);
  if (!binding && method === undefined) return [];
  return code.nodesWithin(fn).flatMap((node) => {
    if (node.type !== 'CallExpression') return [];
    const callee = bare(node.callee);
    if (callee.type === 'Identifier')
      return binding !== undefined && bindingAt(callee, code.resolved) === binding ? [node] : [];
    const isOwn = callee.type === 'MemberExpression' && isThis(callee.object, code);
    return isOwn && memberName(callee) === method ? [node] : [];
  });
}

/** @param {AnyNode | undefined} parent of a function @returns {string | undefined} its name as a method, also of `this.save = function () {…}` */
function methodName(parent) {
  if (parent?.type === 'MethodDefinition' || parent?.type === 'Property') return nameOf(parent.key);
  const left = parent?.type === 'AssignmentExpression' ? bare(parent.left) : undefined;
  return left?.type === 'MemberExpression' && left.object.type === 'ThisExpression' ? memberName(left) : undefined;
}

/** @param {AnyNode} object @param {Code} code @returns {boolean} whether it is `this`, or a name for it: `const self = this` */
function isThis(object, code) {
  return object.type === 'ThisExpression' || initialValue(object, code)?.type === 'ThisExpression';
}

/** @param {AnyNode} node @param {FunctionNode} fn @param {Code} code @returns {boolean} whether it runs where something failed */
function isAfterError(node, fn, code) {
  /** @type {AnyNode} */
  let inner = node;
  for (let at = code.parentOf(inner); at && at !== fn; inner = at, at = code.parentOf(at)) {
    if (at.type === 'CatchClause') return true;
    if (at.type === 'IfStatement' && at.consequent === inner && callbackTested(at.test, code)) return true;
    if (isFunction(inner) && at.type === 'CallExpression') {
      const callee = bare(at.callee);
      if (callee.type === 'MemberExpression' && memberName(callee) === 'catch') return true;
      if (callee.type === 'MemberExpression' && memberName(callee) === 'then' && at.arguments[1] === inner) return true;
    }
  }
  return false;
}

/**
 * @param {AnyNode} test
 * @param {Code} code
 * @returns {CallExpression | undefined} what the callback is given to whose first parameter it looks at: `if (err && err.statusCode === 409)`
 */
export function callbackTested(test, code) {
  const fn = functionAround(test, code);
  const [first] = fn?.params ?? [];
  const binding = first?.type === 'Identifier' ? bindingAt(first, code.resolved) : undefined;
  const parent = fn && code.parentOf(fn);
  return binding && parent?.type === 'CallExpression' && mentions(test, new Set([binding]), code) ? parent : undefined;
}

/**
 * @param {Found} found
 * @param {Code} code
 * @returns {boolean} whether the loop may stop before its end: a `break`, or a `return` of the function around it
 */
export function endsEarly({ form, loop, body }, code) {
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
