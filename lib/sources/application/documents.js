// Follows the documents that a call writes back to where they are made: what gives them their ids, which are deletions, and whether the
// answer is used.

import { bindingAt, boundIn, isFunction } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { nameOf } from './code.js';
import { namesIn } from './depends.js';
import { isAnswerDropped } from './dropped-answers.js';
import { returnsOf } from './enclosing.js';
import { findLoop, packageOf } from './loops.js';

/** @import { AnyNode, CallExpression, ObjectExpression } from 'acorn' */
/** @import { Binding } from '../../javascript/names.js' */
/** @import { Code } from './code.js' */
/** @import { CallWrite, ClientName, IdSource } from './record.js' */
/** @import { Tracer } from './trace.js' */

/** Names that are followed from one call; the documents of most come from one or two. */
const MAX_NAMES = 30;
/** Functions of the project that an id comes through. */
const MAX_FUNCTIONS = 3;

/** Functions of packages that make random ids (uuid 11, nanoid 5, shortid 2.2, cuid 3, @paralleldrive/cuid2 2). */
const RANDOM_PACKAGES =
  /^(?:uuid(?:\/v?4)?|uuidv4|uuid-random|node-uuid|nanoid(?:\/.*)?|shortid|crypto-random-string|@paralleldrive\/cuid2)$/;
/** Their functions and those of `uuid` that grow with time or are made from a name. */
const ORDERED = new Set(['v1', 'v1mc', 'v3', 'v5', 'v6', 'v7', 'NIL', 'MAX', 'parse', 'stringify', 'validate']);
/** What a parameter or the variable of a loop is called that is a document. */
const DOCUMENT_NAME = /^(?:\w*D|d)oc(?:ument)?$/;
const CRYPTO = new Set(['randomUUID', 'randomBytes', 'getRandomValues']);

/** What documents are made from. @typedef {{expressions: AnyNode[], set: {key: string, value: AnyNode, on: AnyNode}[]}} Sources */

/**
 * @param {CallExpression} call
 * @param {AnyNode | undefined} target the document or the documents
 * @param {Code} code
 * @param {{client: ClientName | null, tracer: Tracer}} about
 * @returns {CallWrite}
 */
export function writeOf(call, target, code, { client, tracer }) {
  const sources = target ? sourcesOf(target, code) : { expressions: [], set: [] };
  const ids = idsOf(call, sources, client, code);
  const found = ids.map((node) => ({ node, source: idSource(node, code, tracer, 0) }));
  const shown = found.find(({ source }) => source === 'random') ?? found.find(({ source }) => source === 'clock');
  // `uuid()` of `order:${uuid()}`
  const made =
    (shown &&
      [shown.node, ...code.nodesWithin(shown.node)].find((node) => {
        return node.type === 'CallExpression' && idSource(node, code, tracer, 0) === shown.source;
      })) ??
    shown?.node;
  const deletion = deletionIn(sources, code);
  return {
    idSource: shown?.source ?? (found.length > 0 ? 'other' : 'none'),
    idCode: made ? code.source(made) : null,
    isIdRepeated: shown !== undefined && isRepeated(shown.node, code),
    idPlace: made ? code.file.place(made.start, made.end) : null,
    deletionPlace: deletion ? code.file.place(deletion.start, deletion.end) : null,
    deletionCode: deletion ? code.source(deletion) : null,
    isAnswerDropped: isAnswerDropped(call, code),
    hasOnlyNewDocuments: hasOnlyNew(sources, code),
    changesKnownDocuments:
      sources.set.some(({ key }) => key === '_rev' || key === '_deleted') ||
      hasKey(sources, ['_rev', '_deleted'], code),
  };
}

/**
 * @param {AnyNode} target
 * @param {Code} code
 * @returns {Sources}
 */
function sourcesOf(target, code) {
  /** @type {Sources} */
  const found = { expressions: [target], set: [] };
  /** @type {Set<Binding>} */
  const followed = new Set();
  for (let at = 0; at < found.expressions.length; at += 1) {
    for (const { binding } of namesIn(/** @type {AnyNode} */ (found.expressions[at]), code)) {
      if (followed.has(binding) || followed.size >= MAX_NAMES || binding.kind !== 'variable') continue;
      followed.add(binding);
      addSources(binding, found, code);
    }
  }
  return found;
}

/**
 * @param {Binding} binding
 * @param {Sources} found gets what the name is set to, what is added to its list, and what is set in it or in its items
 * @param {Code} code
 */
function addSources(binding, found, code) {
  for (const id of binding.declarations) {
    const parent = code.parentOf(id);
    if (parent?.type === 'VariableDeclarator' && parent.id === id && parent.init) found.expressions.push(parent.init);
  }
  addChanges(binding, found, code);
  for (const { node } of binding.references) {
    const parent = code.parentOf(node);
    const call = parent?.type === 'MemberExpression' && parent.object === node ? code.parentOf(parent) : undefined;
    if (parent?.type === 'ForOfStatement' && parent.right === node) addItems(parent.left, found, code);
    if (parent?.type !== 'MemberExpression' || call?.type !== 'CallExpression' || call.callee !== parent) continue;
    const name = memberName(parent);
    const [first] = call.arguments;
    if (name === 'push' || name === 'unshift') found.expressions.push(...call.arguments);
    else if (name === 'forEach' && first && isFunction(first) && first.params[0])
      addItems(first.params[0], found, code);
  }
}

/** @param {AnyNode} pattern of an item @param {Sources} found @param {Code} code */
function addItems(pattern, found, code) {
  const names = pattern.type === 'VariableDeclaration' ? pattern.declarations.map(({ id }) => id) : [pattern];
  for (const id of names.flatMap((item) => boundIn(item))) {
    const binding = bindingAt(id, code.resolved);
    if (binding) addChanges(binding, found, code);
  }
}

/** @param {Binding} binding @param {Sources} found @param {Code} code */
function addChanges(binding, found, code) {
  for (const { node } of binding.references) {
    const parent = code.parentOf(node);
    if (parent?.type === 'MemberExpression' && parent.object === node) {
      const assignment = code.parentOf(parent);
      const key = memberName(parent);
      if (assignment?.type === 'AssignmentExpression' && assignment.left === parent && key !== undefined)
        found.set.push({ key, value: assignment.right, on: node });
    } else if (parent?.type === 'AssignmentExpression' && parent.left === node) found.expressions.push(parent.right);
  }
}

/**
 * @param {CallExpression} call
 * @param {Sources} sources
 * @param {ClientName | null} client
 * @param {Code} code
 * @returns {AnyNode[]} what is given as `_id`
 */
function idsOf({ arguments: given }, sources, client, code) {
  const ids = sources.set.flatMap(({ key, value }) => (key === '_id' ? [value] : []));
  for (const object of objectsIn(sources, code)) {
    for (const property of object.properties) {
      if (property.type === 'Property' && nameOf(property.key) === '_id') ids.push(property.value);
    }
  }
  // `db.insert(order, id)`
  const [, second] = given;
  if (
    (client === 'nano' || client === 'cloudant') &&
    second &&
    !isFunction(second) &&
    second.type !== 'ObjectExpression'
  )
    ids.push(second);
  return ids;
}

/** @param {Sources} sources @param {Code} code @returns {ObjectExpression[]} */
function objectsIn({ expressions }, code) {
  return expressions.flatMap((node) =>
    [node, ...code.nodesWithin(node)].flatMap((inner) => (inner.type === 'ObjectExpression' ? [inner] : [])),
  );
}

/** @param {AnyNode} node @param {Code} code @returns {boolean} whether a loop or a function given to `map` makes it for each item */
function isRepeated(node, code) {
  const found = findLoop(node, code, () => false);
  return found !== undefined && 'form' in found && found.form !== 'recursion';
}

/** @param {Sources} sources @param {Code} code @returns {boolean} whether all documents are written out, without an id of their own */
function hasOnlyNew(sources, code) {
  const objects = objectsIn(sources, code).filter(({ properties }) => !properties.some((property) => isDocs(property)));
  const isOpen = objects.some((object) => {
    const parent = code.parentOf(object);
    const isMixed = parent?.type === 'CallExpression' && isAssign(parent);
    return isMixed || object.properties.some(({ type }) => type === 'SpreadElement');
  });
  return (
    objects.length > 0 && !isOpen && !hasKey(sources, ['_id', '_rev', '_deleted'], code) && sources.set.length === 0
  );
}

/** @param {AnyNode} property @returns {boolean} of `{ docs }`, which nano takes */
function isDocs(property) {
  return property.type === 'Property' && nameOf(property.key) === 'docs';
}

/** @param {Sources} sources @param {readonly string[]} keys @param {Code} code @returns {boolean} */
function hasKey(sources, keys, code) {
  return objectsIn(sources, code).some(({ properties }) =>
    properties.some((property) => property.type === 'Property' && keys.includes(nameOf(property.key) ?? '')),
  );
}

/**
 * @param {AnyNode} written
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {number} depth
 * @returns {IdSource}
 */
function idSource(written, code, tracer, depth) {
  const node = bare(written);
  if (depth > MAX_FUNCTIONS + 2) return 'other';
  switch (node.type) {
    case 'AwaitExpression':
      return idSource(node.argument, code, tracer, depth);
    case 'Identifier':
      return ofName(node, code, tracer, depth);
    case 'TemplateLiteral': {
      // What comes first decides the order: a clock in front of a random part is in order, and so is a name of a group.
      const sources = node.expressions.map((item) => idSource(item, code, tracer, depth + 1));
      return decisive(sources.filter((source) => source !== 'none'));
    }
    case 'BinaryExpression': {
      if (node.operator !== '+') return 'other';
      const sides = [node.left, node.right].map((side) =>
        idSource(/** @type {AnyNode} */ (side), code, tracer, depth + 1),
      );
      return decisive(sides.filter((source) => source !== 'none'));
    }
    case 'LogicalExpression':
      // `order._id || uuid()` keeps the ids that there are.
      return 'other';
    case 'CallExpression':
      return ofCall(node, code, tracer, depth);
    default:
      return node.type === 'Literal' ? 'none' : 'other';
  }
}

/** @param {IdSource[]} parts of an id, without what is literal @returns {IdSource} a clock with something behind it does not repeat */
function decisive([first = 'none', ...rest]) {
  return first === 'clock' && rest.some((source) => source !== 'clock') ? 'other' : first;
}

/** @param {import('acorn').Identifier} node @param {Code} code @param {Tracer} tracer @param {number} depth @returns {IdSource} */
function ofName(node, code, tracer, depth) {
  const [declared] = bindingAt(node, code.resolved)?.declarations ?? [];
  const parent = declared && code.parentOf(declared);
  return parent?.type === 'VariableDeclarator' && parent.id === declared && parent.init
    ? idSource(parent.init, code, tracer, depth + 1)
    : 'other';
}

/** @param {CallExpression} node @param {Code} code @param {Tracer} tracer @param {number} depth @returns {IdSource} */
function ofCall(node, code, tracer, depth) {
  const callee = bare(node.callee);
  if (callee.type === 'Identifier') {
    const source = packageOf(callee, code);
    if (source !== undefined && RANDOM_PACKAGES.test(source))
      return isOrdered(importedName(callee, code)) ? 'other' : 'random';
    if (source === 'crypto' || source === 'node:crypto')
      return CRYPTO.has(importedName(callee, code) ?? '') ? 'random' : 'other';
  }
  if (callee.type === 'MemberExpression') {
    const name = memberName(callee) ?? '';
    const object = bare(callee.object);
    const text = code.source(object);
    if (/^(?:(?:globalThis|window|self)\.)?crypto$|^(?:webcrypto)$/.test(text))
      return CRYPTO.has(name) ? 'random' : 'other';
    if (text === 'Math') return name === 'random' ? 'random' : 'other';
    if (text === 'Date' && name === 'now') return 'clock';
    if (object.type === 'Identifier' && RANDOM_PACKAGES.test(packageOf(object, code) ?? ''))
      return isOrdered(name) ? 'other' : 'random';
    if (isNow(object) && /^(?:toISOString|getTime|valueOf|toJSON)$/.test(name)) return 'clock';
    // `Math.random().toString(36).slice(2)`
    if (
      /^(?:toString|slice|substring|substr|replace|replaceAll|toLowerCase|toUpperCase|toISOString|valueOf)$/.test(name)
    )
      return idSource(object, code, tracer, depth + 1);
  }
  const value = depth < MAX_FUNCTIONS ? tracer.start(callee, code) : undefined;
  if (value?.is !== 'function' || !value.node.body) return 'other';
  const returned = value.node.body.type === 'BlockStatement' ? returnsOf(value.node, value.code) : [value.node.body];
  const [only] = returned;
  return returned.length === 1 && only ? idSource(only, value.code, tracer, depth + 1) : 'other';
}

/** @param {AnyNode} node @returns {boolean} `new Date()` */
function isNow(node) {
  return (
    node.type === 'NewExpression' &&
    node.callee.type === 'Identifier' &&
    node.callee.name === 'Date' &&
    node.arguments.length === 0
  );
}

/** @param {string | undefined} name @returns {boolean} */
function isOrdered(name) {
  return name !== undefined && ORDERED.has(name);
}

/** @param {import('acorn').Identifier} id @param {Code} code @returns {string | undefined} its name in the package: `v4` of `import { v4 as uuid }` */
function importedName(id, code) {
  const [declared] = bindingAt(id, code.resolved)?.declarations ?? [];
  const parent = declared && code.parentOf(declared);
  if (parent?.type === 'ImportSpecifier')
    return parent.imported.type === 'Identifier' ? parent.imported.name : undefined;
  if (parent?.type === 'Property') return nameOf(parent.key);
  const init = parent?.type === 'VariableDeclarator' && parent.init ? bare(parent.init) : undefined;
  return init?.type === 'MemberExpression' ? memberName(init) : undefined;
}

/**
 * @param {Sources} sources
 * @param {Code} code
 * @returns {AnyNode | undefined} code that makes a deletion of a whole document, whose fields stay in it
 */
function deletionIn(sources, code) {
  for (const object of objectsIn(sources, code)) {
    if (!deletes(object)) continue;
    const spread = object.properties.find((property) => property.type === 'SpreadElement');
    if (spread?.type === 'SpreadElement' && isWholeDocument(spread.argument, code)) return object;
    const call = code.parentOf(object);
    if (
      call?.type === 'CallExpression' &&
      isAssign(call) &&
      call.arguments.some((item) => item !== object && isWholeDocument(item, code))
    )
      return call;
  }
  const set = sources.set.find(({ key, value, on }) => {
    return key === '_deleted' && value.type === 'Literal' && value.value === true && isWholeDocument(on, code);
  });
  return set && code.parentOf(/** @type {AnyNode} */ (code.parentOf(set.on)));
}

/** @param {ObjectExpression} object @returns {boolean} */
function deletes({ properties }) {
  return properties.some((property) => {
    if (property.type !== 'Property' || nameOf(property.key) !== '_deleted') return false;
    return property.value.type === 'Literal' && property.value.value === true;
  });
}

/** @param {CallExpression} call @returns {boolean} `Object.assign`, `_.extend` and the like */
function isAssign({ callee }) {
  return (
    callee.type === 'MemberExpression' && ['assign', 'extend', 'defaults', 'merge'].includes(memberName(callee) ?? '')
  );
}

/**
 * @param {AnyNode} written
 * @param {Code} code
 * @returns {boolean} whether it is a document as it was read: what comes from a read of one, the `doc` of a row
 */
function isWholeDocument(written, code) {
  const node = bare(written);
  if (node.type === 'AwaitExpression') return true;
  if (node.type === 'MemberExpression') return memberName(node) === 'doc';
  if (node.type !== 'Identifier') return false;
  const binding = bindingAt(node, code.resolved);
  const [declared] = binding?.declarations ?? [];
  const parent = declared && code.parentOf(declared);
  if (!binding || !parent) return false;
  if (parent.type === 'Property') return nameOf(parent.key) === 'doc';
  if (binding.kind === 'parameter') return DOCUMENT_NAME.test(node.name);
  if (parent.type !== 'VariableDeclarator') return false;
  const init = parent.init ? bare(parent.init) : undefined;
  // `for (const doc of docs)`
  if (!init) return DOCUMENT_NAME.test(node.name);
  return init.type === 'AwaitExpression' || (init.type === 'MemberExpression' && memberName(init) === 'doc');
}
