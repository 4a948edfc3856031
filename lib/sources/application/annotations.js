// Reads what a type annotation of TypeScript says of a client: `PouchDB.Database<Order>`, `DocumentScope<Order>`, a class of the project.

import { clientOfGlobal, clientPackage, clientType, requestLibrary } from '../../clients/index.js';
import { bindingAt } from '../../javascript/names.js';

/** @import { Client } from '../../clients/client.js' */
/** @import { AnyNode, Identifier } from 'acorn' */
/** @import { Code } from './code.js' */
/** @import { Tracer } from './trace.js' */
/** @import { Value } from './value.js' */

/** A node of a type, as acorn-typescript makes it. @typedef {{type: string, id?: {name: string}, key?: {name?: string}, body?: any, members?: TypeNode[], typeAnnotation?: TypeNode, typeName?: TypeNode, left?: TypeNode, right?: TypeNode, name?: string, types?: TypeNode[], typeArguments?: {params: TypeNode[]}, returnType?: TypeNode, start: number, end: number}} TypeNode */

/** Names of types for names of types. */
const MAX_DEPTH = 40;

/** Types around the one that counts: `Promise<Database>`. */
const WRAPPING = new Set(['Promise', 'PromiseLike', 'Readonly', 'NonNullable', 'Awaited', 'Partial']);

/**
 * @param {Tracer} tracer
 * @param {AnyNode} node an identifier, a member of a class, `value as T`, or a function, of which its result counts
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined}
 */
export function annotationOf(tracer, node, code, depth) {
  const { typeAnnotation, returnType } = /** @type {TypeNode} */ (/** @type {unknown} */ (node));
  const type = returnType ?? typeAnnotation;
  return type && valueOfType(tracer, type, code, depth);
}

/**
 * @param {Tracer} tracer
 * @param {import('acorn').CallExpression} node `ref<PouchDB.Database>(…)`
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined} what its only type argument says
 */
export function typeArgumentOf(tracer, node, code, depth) {
  const { typeArguments } = /** @type {TypeNode} */ (/** @type {unknown} */ (node));
  const [type, second] = typeArguments?.params ?? [];
  return type && !second ? valueOfType(tracer, type, code, depth) : undefined;
}

/**
 * @param {Tracer} tracer
 * @param {TypeNode} type
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined}
 */
export function valueOfType(tracer, type, code, depth) {
  // A type may be declared by itself.
  if (depth > MAX_DEPTH || tracer.isTooFar()) return undefined;
  if (type.type === 'TSTypeAnnotation' && type.typeAnnotation)
    return valueOfType(tracer, type.typeAnnotation, code, depth);
  if (type.type === 'TSUnionType') {
    for (const one of type.types ?? []) {
      const found = valueOfType(tracer, one, code, depth);
      if (found) return found;
    }
    return undefined;
  }
  if (type.type === 'TSTypeLiteral' || type.type === 'TSInterfaceBody') return { is: 'type', code, node: type };
  if (type.type !== 'TSTypeReference' || !type.typeName) return undefined;
  const { typeName } = type;
  if (typeName.type === 'TSQualifiedName') {
    const { left, right } = typeName;
    if (left?.type !== 'Identifier' || !right?.name) return undefined;
    return ofNamespace(/** @type {Identifier} */ (/** @type {unknown} */ (left)), right.name, code);
  }
  const name = typeName.name ?? '';
  const inner = type.typeArguments?.params[0];
  if (WRAPPING.has(name)) return inner && valueOfType(tracer, inner, code, depth);
  return ofName(tracer, name, code, depth);
}

/**
 * `PouchDB.Database`, `nano.DocumentScope`
 * @param {Identifier} namespace
 * @param {string} name
 * @param {Code} code
 * @returns {Value | undefined}
 */
function ofNamespace(namespace, name, code) {
  const binding = bindingAt(namespace, code.resolved) ?? code.resolved.top.bindings.get(namespace.name);
  // `@types/pouchdb` declares `PouchDB` for all files.
  if (!binding) return typed(clientOfGlobal(namespace.name), name);
  const [id] = binding.declarations;
  const source = id && importSource(id, code);
  return source === undefined ? undefined : typed(clientPackage(source)?.client, name);
}

/**
 * @param {Tracer} tracer
 * @param {string} name
 * @param {Code} code
 * @param {number} depth
 * @returns {Value | undefined}
 */
function ofName(tracer, name, code, depth) {
  const declared = typeDeclared(name, code);
  if (declared) return valueOfType(tracer, declared, code, depth + 1);
  const binding = code.resolved.top.bindings.get(name);
  const [id] = binding?.declarations ?? [];
  if (!id) return undefined;
  const source = importSource(id, code);
  const client = source === undefined ? undefined : clientPackage(source)?.client;
  if (source !== undefined && requestLibrary(source)) return { is: 'package', name: source };
  if (client) {
    const specifier = code.parentOf(id);
    const imported =
      specifier?.type === 'ImportSpecifier' && specifier.imported.type === 'Identifier'
        ? specifier.imported.name
        : name;
    return typed(client, imported);
  }
  const value = tracer.value(id, code, depth + 1);
  if (value?.is === 'type') return value;
  return value?.is === 'class' ? { ...value, is: 'instance' } : undefined;
}

/**
 * @param {string} name
 * @param {Code} code
 * @returns {TypeNode | undefined} what the file declares by that name: `type Shop = DocumentScope<Order>`, or an interface
 */
export function typeDeclared(name, code) {
  for (const statement of code.program.body) {
    const node = /** @type {TypeNode} */ (
      /** @type {unknown} */ (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement)
    );
    if (node?.id?.name !== name) continue;
    if (node.type === 'TSTypeAliasDeclaration') return node.typeAnnotation;
    if (node.type === 'TSInterfaceDeclaration') return node.body;
  }
  return undefined;
}

/**
 * @param {Tracer} tracer
 * @param {import('./value.js').TypeValue} type
 * @param {string} key
 * @param {number} depth
 * @param {boolean} [isCalled] whether it is what a method returns
 * @returns {Value | undefined} what a member of it is, by its type
 */
export function memberOfType(tracer, { code, node }, key, depth, isCalled = false) {
  for (const item of [...(node.members ?? []), ...(Array.isArray(node.body) ? node.body : [])]) {
    if (item.key?.name === key && (item.type === 'TSMethodSignature') === isCalled)
      return annotationOf(tracer, /** @type {AnyNode} */ (/** @type {unknown} */ (item)), code, depth);
  }
  return undefined;
}

/**
 * @param {Client | undefined} client
 * @param {string} name
 * @returns {Value | undefined}
 */
function typed(client, name) {
  const is = client && clientType(client, name);
  if (!is) return undefined;
  /** @type {import('./record.js').CallLocation} */
  const location = client.local ? 'unknown' : 'http';
  const about = { client: client.name, location, annotated: true };
  return is === 'server' ? { is: 'server', ...about } : { is: 'database', ...about, database: null };
}

/**
 * @param {Identifier} id where an import declares a name
 * @param {Code} code
 * @returns {string | undefined} what it imports from
 */
export function importSource(id, code) {
  const specifier = code.parentOf(id);
  const declaration = specifier && code.parentOf(specifier);
  if (declaration?.type === 'ImportDeclaration') return String(declaration.source.value);
  if (/** @type {{type: string} | undefined} */ (specifier)?.type === 'TSImportEqualsDeclaration') {
    const { moduleReference } = /** @type {{moduleReference?: {expression?: {value?: unknown}}}} */ (
      /** @type {unknown} */ (specifier)
    );
    return String(moduleReference?.expression?.value);
  }
  return undefined;
}
