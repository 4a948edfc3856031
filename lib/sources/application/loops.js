// Finds the loop that repeats a call: a statement, or a function that is given to `map` and the like; and what of the call depends on the turn.

import { MUTATORS } from '../../javascript/assignments.js';
import { bindingAt, boundIn, isFunction } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { oneLine } from '../../shared/printable.js';
import { dependentNames, mentions, namesIn } from './depends.js';
import { functionAround, isWithin, rootOf } from './enclosing.js';
import { callsOfItself, countedList, countedWhile, emptiedList, endsEarly, purposeOf } from './loop-purpose.js';
import { rowQuery } from './row-queries.js';
import { isFallback, WRITES, waitsForMore } from './turns.js';

/** @import { AnyNode, CallExpression, Identifier } from 'acorn' */
/** @import { ValueNode } from '../record.js' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */
/** @import { CallLoop, CallMethod, ClientName } from './record.js' */
/** @import { Tracer } from './trace.js' */

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
  'eachOfSeries',
  'eachOfLimit',
  'forEachOf',
  'forEachSeries',
  'forEachLimit',
  'mapSeries',
  'mapLimit',
  'concatMap',
]);
/** Packages whose functions take a list and a function: async 3.2, bluebird 3.7, lodash 4.17, p-map 7 and the like. */
const EACH_PACKAGES = /^(?:p-(?:map|each-series|map-series)|(?:async|bluebird|lodash|lodash-es|underscore)(?:\/.+)?)$/;
/** Functions that do the same by their name alone: `pMap(ids, load)`. */
const EACH_FUNCTIONS = new Set(['pMap', 'pEach', 'pMapSeries', 'pEachSeries', 'asyncForEach', 'eachAsync']);
/** Methods whose function runs once, as a part of what surrounds it. */
const ONCE = new Set(['then', 'catch', 'finally', 'tap', 'nextTick', 'try', 'push']);
/** Packages that make functions that run what they are given, once or until it succeeds. */
const ONCE_PACKAGES = new Set(['p-limit', 'p-retry', 'async-retry', 'promise-retry']);
const CONCURRENT = new Set(['all', 'allSettled']);
/** Functions that make a list from an object, and wrappers of lists. */
const WRAPPERS = new Set(['_', 'chain', '$', 'jQuery']);

/** Characters of a list that are shown or written into an advice. */
const MAX_LIST = 60;

/**
 * @typedef {object} Found A loop.
 * @property {AnyNode} loop
 * @property {CallLoop['form']} form
 * @property {AnyNode} body
 * @property {AnyNode[]} variables patterns that have another value in each turn
 * @property {AnyNode | undefined} over the list it goes through
 */

/**
 * @typedef {object} Repeated What of a call is looked at.
 * @property {AnyNode | undefined} target the id, the document, or the options of a query
 * @property {AnyNode | undefined} item the id, the key or the document
 * @property {AnyNode} receiver
 */

/**
 * @typedef {object} Around What is known around a call.
 * @property {CallMethod} method
 * @property {ClientName | null} client
 * @property {(node: CallExpression) => boolean} isClientCall
 * @property {(node: CallExpression) => import('./row-queries.js').Recognized | undefined} recognized
 * @property {(node: CallExpression, client: ClientName | null) => AnyNode} receiverOf
 * @property {Tracer} tracer
 */

/**
 * @param {CallExpression} call
 * @param {Code} code
 * @param {Repeated & Around} about
 * @returns {CallLoop | null}
 */
export function loopAround(call, code, about) {
  const found = findLoop(call, code, about.isClientCall);
  if (!found || 'caller' in found) return null;
  const changing = dependentNames(found.variables, found.body, code);
  return describeLoop(found, call, code, {
    target: about.target,
    item: about.item,
    changesTarget: about.target ? mentions(about.target, changing, code) : null,
    changesReceiver: mentions(about.receiver, changing, code),
    isFallback: isFallback(call, code, about, about.receiver),
    waitsForMore: WRITES.has(about.method) && waitsForMore(found.body, call, code, about),
    rowQuery: about.method === 'get' ? rowQuery(found, about.item, code, about) : null,
  });
}

/**
 * @param {Found} found
 * @param {CallExpression} call that it repeats
 * @param {Code} code
 * @param {{target: AnyNode | undefined, item: AnyNode | undefined, changesTarget: boolean | null, changesReceiver: boolean, through?: string} & Pick<CallLoop, 'isFallback' | 'waitsForMore' | 'rowQuery'>} about
 * @returns {CallLoop}
 */
export function describeLoop(found, call, code, about) {
  const { target, item, changesTarget, changesReceiver, through, isFallback, waitsForMore, rowQuery } = about;
  const { loop, form, body, over } = found;
  const end = body.start > loop.start ? body.start : loop.end;
  return {
    form,
    purpose: purposeOf(found, call, code, { target, changesTarget }),
    over: over ? oneLine(code.source(over), MAX_LIST) : null,
    targets: item ? listOfTargets(found, item, code) : null,
    times: over ? literalLength(over, code) : null,
    isConcurrent: form === 'callback' && isGathered(loop, code),
    changesTarget,
    changesReceiver,
    endsEarly: endsEarly(found, code),
    through: through ?? null,
    isFallback,
    waitsForMore,
    rowQuery,
    place: code.file.place(loop.start, Math.max(loop.start, trimmedEnd(code.file.text, loop.start, end))),
  };
}

/**
 * @param {AnyNode} call
 * @param {Code} code
 * @param {(node: CallExpression) => boolean} isClientCall
 * @returns {Found | {caller: FunctionNode} | undefined} the loop, or the function that the call stands in and no loop does
 */
export function findLoop(call, code, isClientCall) {
  /** @type {AnyNode} */
  let inner = call;
  for (let at = code.parentOf(inner); at; inner = at, at = code.parentOf(at)) {
    const statement = statementLoop(at, inner, code);
    if (statement) return statement;
    if (!isFunction(at)) continue;
    const parent = code.parentOf(at);
    const each = parent?.type === 'CallExpression' ? eachOver(parent, at, code) : undefined;
    if (parent && each) {
      return { loop: parent, form: 'callback', body: at.body, variables: itemsOf(at, each.name), over: each.over };
    }
    if (parent && (runsOnce(parent, at, code, isClientCall) || isTask(at, parent, code))) continue;
    return callsOfItself(at, code).length > 0
      ? { loop: at, form: 'recursion', body: at.body, variables: [], over: undefined }
      : { caller: at };
  }
  return undefined;
}

/**
 * @param {AnyNode} at
 * @param {AnyNode} inner the part of it that the call stands in
 * @param {Code} code
 * @returns {Found | undefined}
 */
function statementLoop(at, inner, code) {
  switch (at.type) {
    case 'ForStatement': {
      if (inner === at.init) return undefined;
      const over = countedList(at, code);
      return { loop: at, form: 'for', body: at.body, variables: declaredIn(at.init), over };
    }
    case 'ForInStatement':
    case 'ForOfStatement': {
      if (inner !== at.body) return undefined;
      const form = at.type === 'ForInStatement' ? 'for-in' : 'for-of';
      const variables = at.left.type === 'VariableDeclaration' ? declaredIn(at.left) : [at.left];
      return { loop: at, form, body: at.body, variables, over: at.right };
    }
    case 'WhileStatement':
    case 'DoWhileStatement': {
      const { over, variables = [] } = emptiedList(at, code) ?? countedWhile(at, code) ?? { over: undefined };
      return { loop: at, form: 'while', body: at.body, variables, over };
    }
    default:
      return undefined;
  }
}

/**
 * @param {FunctionNode} fn that gets the items of a list
 * @param {string} name of what calls it
 * @returns {AnyNode[]} its parameters that have another value in each turn
 */
function itemsOf({ params }, name) {
  return name === 'reduce' ? params.slice(1, 3) : params;
}

/**
 * @param {CallExpression} call
 * @param {AnyNode} fn its argument
 * @param {Code} code
 * @returns {{over: AnyNode, name: string} | undefined} the list that it calls the function for
 */
export function eachOver(call, fn, code) {
  const callee = bare(call.callee);
  const [first] = call.arguments;
  if (callee.type === 'Identifier') {
    const isEach = EACH_FUNCTIONS.has(callee.name) || EACH_PACKAGES.test(packageOf(callee, code) ?? '');
    return isEach && first && first !== fn ? { over: first, name: callee.name } : undefined;
  }
  const name = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
  if (callee.type !== 'MemberExpression' || name === undefined) return undefined;
  const isArrayFrom = name === 'from' && callee.object.type === 'Identifier' && callee.object.name === 'Array';
  if (!EACH.has(name) && !isArrayFrom) return undefined;
  // `rows.map(load)` and `async.map(rows, load)`; `stream.pipe(map(load))` is neither.
  if (first === fn) return holdsOne(callee.object) ? undefined : { over: unwrapped(callee.object), name };
  return first && call.arguments.indexOf(/** @type {never} */ (fn)) > 0 ? { over: first, name } : undefined;
}

/** What holds one value or none in functional libraries, and has `map`, too. */
const HOLDERS = /^(?:Maybe|Either|Option|Optional|Just|Some|Right|Left|Task|Future|IO|Identity|Box)$/;

/** @param {AnyNode | import('acorn').Super} node @returns {boolean} `Maybe(order)`, `Option.of(order).filter(isOpen)` */
function holdsOne(node) {
  const root = rootOf(node);
  return root !== node && root.type === 'Identifier' && HOLDERS.test(root.name);
}

/** @param {AnyNode} node @returns {AnyNode} `ids` of `_(ids)` */
function unwrapped(node) {
  const inner = bare(node);
  if (inner.type !== 'CallExpression' || inner.arguments.length !== 1) return node;
  const callee = bare(inner.callee);
  const name = callee.type === 'Identifier' ? callee.name : callee.type === 'MemberExpression' && memberName(callee);
  const [first] = inner.arguments;
  return first && first.type !== 'SpreadElement' && WRAPPERS.has(name || '') ? first : node;
}

/**
 * @param {Identifier} id
 * @param {Code} code
 * @returns {string | undefined} the package that the name is imported from
 */
export function packageOf(id, code) {
  const [declared] = bindingAt(id, code.resolved)?.declarations ?? [];
  for (let at = declared && code.parentOf(declared); at; at = code.parentOf(at)) {
    if (at.type === 'ImportDeclaration') return String(at.source.value);
    if (at.type === 'VariableDeclarator') {
      const given = at.init ? bare(at.init) : undefined;
      // `require('uuid').v4`
      const init = given?.type === 'MemberExpression' ? bare(given.object) : given;
      const isRequire =
        init?.type === 'CallExpression' && init.callee.type === 'Identifier' && init.callee.name === 'require';
      const [source] = isRequire ? init.arguments : [];
      return source?.type === 'Literal' ? String(source.value) : undefined;
    }
    if (isFunction(at) || at.type === 'BlockStatement') return undefined;
  }
  return undefined;
}

/**
 * @param {AnyNode} parent
 * @param {AnyNode} fn
 * @param {Code} code
 * @param {(node: CallExpression) => boolean} isClientCall
 * @returns {boolean} whether the function runs once, as a part of what surrounds it
 */
function runsOnce(parent, fn, code, isClientCall) {
  if (parent.type === 'NewExpression') return parent.callee.type === 'Identifier' && parent.callee.name === 'Promise';
  if (parent.type === 'ParenthesizedExpression' || parent.type === 'AwaitExpression') return true;
  if (parent.type !== 'CallExpression') return false;
  const callee = bare(parent.callee);
  if (callee === fn) return true;
  if (callee.type === 'Identifier') return runsGiven(callee, code);
  if (callee.type !== 'MemberExpression') return false;
  return ONCE.has(memberName(callee) ?? '') || isClientCall(parent);
}

/** @param {AnyNode} fn @param {AnyNode} parent @param {Code} code @returns {boolean} `async.parallel(ids.map((id) => (done) => db.get(id, done)), …)` */
function isTask(fn, parent, code) {
  const outer = parent.type === 'ReturnStatement' ? functionAround(parent, code) : parent;
  const map = outer && isFunction(outer) && outer !== fn ? code.parentOf(outer) : undefined;
  const all = map?.type === 'CallExpression' && eachOver(map, outer ?? map, code) ? code.parentOf(map) : undefined;
  const callee = all?.type === 'CallExpression' && all.arguments[0] === map ? code.source(all.callee) : '';
  return /(?:^|\.)(?:parallel|parallelLimit|series|pAll)$/.test(callee);
}

/** @param {Identifier} callee @param {Code} code @returns {boolean} `limit` of `const limit = pLimit(3)`, and `retry` itself */
function runsGiven(callee, code) {
  if (ONCE_PACKAGES.has(packageOf(callee, code) ?? '')) return true;
  const [declared] = bindingAt(callee, code.resolved)?.declarations ?? [];
  const parent = declared && code.parentOf(declared);
  const init = parent?.type === 'VariableDeclarator' && parent.init ? bare(parent.init) : undefined;
  return (
    init?.type === 'CallExpression' &&
    init.callee.type === 'Identifier' &&
    ONCE_PACKAGES.has(packageOf(init.callee, code) ?? '')
  );
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
  if (node?.type === 'VariableDeclaration') return node.declarations.map(({ id }) => id);
  if (node?.type === 'SequenceExpression') return node.expressions.flatMap((item) => declaredIn(item));
  return node?.type === 'AssignmentExpression' ? [node.left] : [];
}

/**
 * @param {Found} found
 * @param {AnyNode} target
 * @param {Code} code
 * @returns {string | null} code for the list of all targets, where it can be written before the loop: `rows.map((row) => row.id)`
 */
function listOfTargets({ form, loop, body, variables, over }, target, code) {
  const item = bare(target);
  const [variable] = variables;
  if (!over || !variable || form === 'while') return null;
  const list = form === 'for-in' ? `Object.keys(${code.source(over)})` : code.source(over);
  const written = code.source(item);
  const own = new Set(boundIn(variable).map((id) => bindingAt(id, code.resolved)));
  // Names that are made within the loop do not exist before it.
  const isOutside = namesIn(item, code).every(({ binding }) => {
    const isOfLoop = binding.references.some(
      ({ node, writes, declares }) => writes && !declares && isWithin(node, body),
    );
    if (own.has(binding) || isOfLoop) return !isOfLoop;
    const [declared] = binding.declarations;
    return !declared || !isWithin(declared, loop);
  });
  if (!isOutside) return null;
  let text;
  if (form === 'for') {
    const turn = variable.type === 'Identifier' ? `${list}[${variable.name}]` : undefined;
    const rest = turn !== undefined && written.startsWith(turn) ? written.slice(turn.length) : undefined;
    if (rest === '') text = list;
    else if (rest !== undefined && /^(?:\.\w+)+$/.test(rest)) text = `${list}.map((item) => item${rest})`;
  } else if (written === code.source(variable)) text = list;
  else
    text = `${list}.map((${code.source(variable)}) => ${item.type === 'ObjectExpression' ? `(${written})` : written})`;
  return text === undefined || text.length > MAX_LIST || text.includes('\n') ? null : text;
}

/**
 * @param {AnyNode} over
 * @param {Code} code
 * @returns {number | 'unknown' | null} the length of a list that is written in the code, whatever its items are:
 *   `[require('./a.js')]`; unknown where other code gets the list and may change it; null where it is filled at run time
 */
function literalLength(over, code) {
  const value = code.reader.read(bare(over));
  if (value.type === 'object') return value.isOpen ? null : value.entries.length;
  const isSpread = (/** @type {ValueNode} */ { file, start }) => file.text.startsWith('...', start);
  if (value.type !== 'array' || value.items.some(isSpread)) return null;
  const list = bare(over);
  const binding = list.type === 'Identifier' ? bindingAt(list, code.resolved) : undefined;
  const uses = (binding?.references ?? []).filter(({ node, declares }) => !declares && !isWithin(node, over));
  const changes = uses.map(({ node }) => mayLengthen(node, code));
  if (changes.includes(true)) return null;
  return changes.includes(undefined) ? 'unknown' : value.items.length;
}

/**
 * @param {AnyNode} name of a list
 * @param {Code} code
 * @returns {boolean | undefined} whether this use of it may add items to it; undefined where it goes to other code
 */
function mayLengthen(name, code) {
  const parent = code.parentOf(name);
  if (parent?.type === 'MemberExpression' && parent.object === name) {
    const method = memberName(parent);
    const isWritten = code.parentOf(parent)?.type === 'AssignmentExpression';
    return isWritten || method === undefined || MUTATORS.has(method);
  }
  return parent?.type === 'ForOfStatement' || parent?.type === 'SpreadElement' ? false : undefined;
}

/** @param {string} text @param {number} start @param {number} end @returns {number} */
function trimmedEnd(text, start, end) {
  return start + text.slice(start, end).trimEnd().length;
}
