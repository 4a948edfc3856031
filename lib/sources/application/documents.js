// Says of the documents that a call writes what gives them their ids, which are new or literal, and which are deletions.

import { clientNamed } from '../../clients/index.js';
import { bindingAt, isFunction, onlyValueOf } from '../../javascript/names.js';
import { bare, memberName } from '../../javascript/parse.js';
import { nameOf } from './code.js';
import { deletionIn, insteadOf, isAssign } from './deletions.js';
import { namesIn } from './depends.js';
import { documentsOf, hasKey, isDocs, isUndeclared, objectsIn, sourcesOf } from './document-sources.js';
import { isWithin, returnsOf } from './enclosing.js';
import { findLoop, packageOf } from './loops.js';

/** @import { AnyNode, CallExpression, ObjectExpression } from 'acorn' */
/** @import { Code } from './code.js' */
/** @import { Sources } from './document-sources.js' */
/** @import { CallWrite, ClientName, IdSource } from './record.js' */
/** @import { Tracer } from './trace.js' */

/** Functions of the project that an id comes through. */
const MAX_FUNCTIONS = 3;

/** Functions of packages that make random ids (uuid 11, nanoid 5, shortid 2.2, cuid 3, @paralleldrive/cuid2 2). */
const RANDOM_PACKAGES =
  /^(?:uuid(?:\/v?4)?|uuidv4|uuid-random|node-uuid|nanoid(?:\/.*)?|shortid|crypto-random-string|@paralleldrive\/cuid2)$/;
/** Their functions and those of `uuid` that grow with time or are made from a name. */
const ORDERED = new Set(['v1', 'v1mc', 'v3', 'v5', 'v6', 'v7', 'NIL', 'MAX', 'parse', 'stringify', 'validate']);
const CRYPTO = new Set(['randomUUID', 'randomBytes', 'getRandomValues']);

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
  const writtenOut = target !== undefined && isWrittenOut(documentsOf(target), target, code);
  const hasOnlyNewDocuments = hasOnlyNew(sources, target, code);
  return {
    isWrittenOut: writtenOut,
    idSource: shown?.source ?? (found.length > 0 ? 'other' : 'none'),
    idCode: made ? code.source(made) : null,
    isIdRepeated: shown !== undefined && isRepeated(shown.node, code),
    idPlace: made ? code.file.place(made.start, made.end) : null,
    deletionPlace: deletion ? code.file.place(deletion.start, deletion.end) : null,
    deletionCode: deletion ? code.source(deletion) : null,
    ...insteadOf(deletion, sources, code),
    hasOnlyNewDocuments: writtenOut || hasOnlyNewDocuments !== true ? hasOnlyNewDocuments : null,
    hasOnlyLiteralDocuments: writtenOut && hasOnlyLiteral(sources, code),
    changesKnownDocuments:
      sources.set.some(({ key }) => key === '_rev' || key === '_deleted') ||
      hasKey(sources, ['_rev', '_deleted'], code),
  };
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
  if (clientNamed(client)?.takesId && second && !isFunction(second) && second.type !== 'ObjectExpression')
    ids.push(second);
  return ids;
}

/** @param {AnyNode} node @param {Code} code @returns {boolean} whether a loop or a function given to `map` makes it for each item */
function isRepeated(node, code) {
  const found = findLoop(node, code, () => false);
  return found !== undefined && 'form' in found && found.form !== 'recursion';
}

/**
 * @param {Sources} sources
 * @param {Code} code
 * @returns {ObjectExpression[]} objects that may be documents
 */
function documentObjects(sources, code) {
  return objectsIn(sources, code).filter(({ properties }) => !properties.some((property) => isDocs(property)));
}

/**
 * @param {AnyNode} written documents, or a part of them
 * @param {AnyNode} target where they are given
 * @param {Code} code
 * @returns {boolean} whether all keys of all documents are shown, and nothing else gets them before they are written
 */
function isWrittenOut(written, target, code) {
  const node = bare(written);
  if (node.type === 'ObjectExpression')
    return node.properties.every((property) => property.type === 'Property' && !property.computed);
  if (node.type === 'ArrayExpression')
    return node.elements.every((item) => item !== null && isWrittenOut(item, target, code));
  if (node.type === 'Identifier') {
    const binding = bindingAt(node, code.resolved);
    const value = binding && onlyValueOf(binding, code.resolved);
    const isOnlyGiven = binding?.references.every((one) => one.declares || isWithin(one.node, target));
    return value !== undefined && isOnlyGiven === true && isWrittenOut(value, target, code);
  }
  const [fn] = node.type === 'CallExpression' ? node.arguments : [];
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || !fn || !isFunction(fn)) return false;
  if (memberName(node.callee) !== 'map') return false;
  const made = fn.body.type === 'BlockStatement' ? returnsOf(fn, code) : [fn.body];
  return (
    made.length > 0 && made.every((item) => bare(item).type === 'ObjectExpression' && isWrittenOut(item, target, code))
  );
}

/**
 * @param {Sources} sources
 * @param {Code} code
 * @returns {boolean} whether each document is literal, with all of its values, as in examples and defaults
 */
function hasOnlyLiteral(sources, code) {
  const [target, ...others] = sources.expressions;
  if (!target || sources.set.length > 0 || hasKey(sources, ['_rev', '_deleted'], code)) return false;
  const list = documentsOf(target);
  // `orders[0].total = total`
  const isChanged = namesIn(list, code).some(({ binding }) => {
    return binding.references.some(({ node }) => {
      const parent = code.parentOf(node);
      return parent?.type === 'MemberExpression' && parent.object === node && parent.computed;
    });
  });
  if (isChanged) return false;
  const lists = list.type === 'Identifier' ? others : [list, ...others];
  return lists.length > 0 && lists.every((item) => isLiteral(bare(item)));
}

/** @param {AnyNode} node @returns {boolean} */
function isLiteral(node) {
  switch (node.type) {
    case 'Literal':
      return true;
    case 'TemplateLiteral':
      return node.expressions.length === 0;
    case 'UnaryExpression':
      return isLiteral(node.argument);
    case 'ArrayExpression':
      return node.elements.every((item) => item !== null && isLiteral(item));
    case 'ObjectExpression':
      return node.properties.every((property) => property.type === 'Property' && isLiteral(property.value));
    default:
      return false;
  }
}

/**
 * @param {Sources} sources
 * @param {AnyNode | undefined} target
 * @param {Code} code
 * @returns {boolean | null} whether all documents are written out, without an id of their own; null where they come from a name that nothing
 *   declares
 */
function hasOnlyNew(sources, target, code) {
  const objects = documentObjects(sources, code);
  if (objects.length === 0 && target && isUndeclared(documentsOf(target), code)) return null;
  const isOpen = objects.some((object) => {
    const parent = code.parentOf(object);
    const isMixed = parent?.type === 'CallExpression' && isAssign(parent);
    return isMixed || object.properties.some(({ type }) => type === 'SpreadElement');
  });
  return (
    objects.length > 0 && !isOpen && !hasKey(sources, ['_id', '_rev', '_deleted'], code) && sources.set.length === 0
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
