// Reads the options of a call as they are written: with keys that are given twice, and whether others may come from elsewhere.

import { optionName } from '../../clients/index.js';
import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { nameOf } from './code.js';
import { LOGS } from './unchecked.js';

/** @import { AnyNode, CallExpression } from 'acorn' */
/** @import { Entry } from '../record.js' */
/** @import { MethodShape } from '../../clients/client.js' */
/** @import { Code } from './code.js' */
/** @import { CallOptions, ClientName } from './record.js' */

/** @type {CallOptions} */
const NONE = Object.freeze({ node: null, isOpen: false });

/**
 * @param {CallExpression} call
 * @param {MethodShape} shape
 * @param {ClientName | null} client
 * @param {Code} code
 * @returns {CallOptions}
 */
export function readOptions(call, shape, client, code) {
  if (call.arguments.some(({ type }) => type === 'SpreadElement')) return { node: null, isOpen: true };
  const at = shape.options;
  const given = at === undefined ? undefined : call.arguments[at];
  return !given || isFunction(given) ? NONE : optionsOf(given, client, code);
}

/**
 * @param {AnyNode} given
 * @param {ClientName | null} client
 * @param {Code} code
 * @returns {CallOptions}
 */
export function optionsOf(given, client, code) {
  const written = bare(given);
  if (written.type === 'ObjectExpression') return ofObject(written, client, code);
  const literal = onlyLiteral(written, code);
  if (literal) return ofObject(literal, client, code);
  // A name for an object literal; what is done to it between is not followed.
  const value = code.reader.read(written);
  if (value.type === 'object')
    return {
      node: { ...value, entries: value.entries.map((entry) => ({ ...entry, key: optionName(client, entry.key) })) },
      isOpen: true,
    };
  return { node: null, isOpen: value.type === 'unknown' };
}

/**
 * @param {AnyNode} given
 * @param {Code} code
 * @returns {import('acorn').ObjectExpression | undefined} the literal that a name stands for which nothing else gets or changes:
 *   `const query = { selector }; db.find(query)`
 */
function onlyLiteral(given, code) {
  const binding = given.type === 'Identifier' ? bindingAt(given, code.resolved) : undefined;
  const [declared, ...others] = binding?.declarations ?? [];
  const declarator = declared && code.parentOf(declared);
  if (!binding || declarator?.type !== 'VariableDeclarator' || others.length > 0) return undefined;
  const { init } = declarator;
  if (init?.type !== 'ObjectExpression' || isExported(declarator, code)) return undefined;
  const isKept = binding.references.every(({ node, declares, writes }) => {
    return declares || node === given || (!writes && isOnlyRead(node, code));
  });
  return isKept ? init : undefined;
}

/** @param {AnyNode} declarator @param {Code} code @returns {boolean} */
function isExported(declarator, code) {
  const declaration = code.parentOf(declarator);
  return declaration !== undefined && code.parentOf(declaration)?.type === 'ExportNamedDeclaration';
}

/** @param {AnyNode} name @param {Code} code @returns {boolean} whether a member is read there, or a message is written */
function isOnlyRead(name, code) {
  const parent = code.parentOf(name);
  if (parent?.type === 'CallExpression' && parent.callee !== name) return LOGS.test(code.source(parent.callee));
  if (parent?.type !== 'MemberExpression' || parent.object !== name) return false;
  const outer = code.parentOf(parent);
  if (outer?.type === 'CallExpression') return outer.callee !== parent;
  return !/^(?:Assignment|Update|Unary)Expression$/.test(outer?.type ?? '');
}

/**
 * @param {import('acorn').ObjectExpression} node
 * @param {ClientName | null} client
 * @param {Code} code
 * @returns {CallOptions}
 */
function ofObject(node, client, code) {
  /** @type {Entry[]} */
  const entries = [];
  let isOpen = false;
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const value = code.reader.read(property.argument);
      if (value.type === 'object')
        entries.push(...value.entries.map((entry) => ({ ...entry, key: optionName(client, entry.key) })));
      isOpen = true;
      continue;
    }
    const key = keyOf(property.key, property.computed);
    if (key === undefined) {
      isOpen = true;
      continue;
    }
    const { start: keyStart, end: keyEnd } = property.key;
    entries.push({ key: optionName(client, key), keyStart, keyEnd, node: code.reader.read(bare(property.value)) });
  }
  return { node: { type: 'object', file: code.file, start: node.start, end: node.end, entries }, isOpen };
}

/** @param {AnyNode} key @param {boolean} computed @returns {string | undefined} */
function keyOf(key, computed) {
  if (key.type === 'Literal') return String(key.value);
  return computed ? undefined : nameOf(key);
}
