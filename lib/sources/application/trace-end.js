// Finds where the trace of a receiver ends that no client was found for: the expression that stands for it, and why nothing more is known of it.

import { bindingAt, isFunction } from '../../javascript/names.js';
import { bare } from '../../javascript/parse.js';
import { propertyName } from './code.js';
import { assignedMembers, enclosingObject, functionAround, returnsOf } from './enclosing.js';

/** @import { AnyNode, CallExpression, Identifier, MemberExpression } from 'acorn' */
/** @import { Binding } from '../../javascript/names.js' */
/** @import { Code } from './code.js' */
/** @import { Tracer } from './trace.js' */

/** `reason`: a clause about the expression. @typedef {{node: AnyNode, code: Code, reason: string}} TraceEnd */

/** Names for names, files that import others. */
const MAX_STEPS = 8;

/**
 * @param {AnyNode} written a receiver
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {number} [steps] that were taken before
 * @returns {TraceEnd}
 */
export function traceEnd(written, code, tracer, steps = 0) {
  const node = bare(written);
  const next = steps < MAX_STEPS ? stepFrom(node, code, tracer) : undefined;
  if (!next) return { node, code, reason: 'what this is was not found' };
  if ('reason' in next) return { node, code, ...next };
  return traceEnd(next.node, next.code, tracer, steps + 1);
}

/** @typedef {{reason: string} | {node: AnyNode, code: Code}} Step */

/**
 * @param {AnyNode} node
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Step | undefined}
 */
function stepFrom(node, code, tracer) {
  switch (node.type) {
    case 'Identifier':
      return stepFromName(node, code, tracer);
    case 'MemberExpression':
      return stepFromMember(node, code, tracer);
    case 'AwaitExpression':
      return { node: node.argument, code };
    case 'CallExpression':
      return stepFromCall(node, code, tracer);
    default:
      return undefined;
  }
}

/**
 * @param {CallExpression} node
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Step}
 */
function stepFromCall(node, code, tracer) {
  const called = tracer.start(node.callee, code);
  const body = called?.is === 'function' ? called.node.body : undefined;
  if (called?.is === 'function' && body) {
    const [first] = body.type === 'BlockStatement' ? returnsOf(called.node, called.code) : [body];
    if (first) return { node: first, code: called.code };
  }
  return { reason: 'what this call returns is unknown' };
}

/**
 * @param {MemberExpression} node
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Step}
 */
function stepFromMember(node, code, tracer) {
  const name = propertyName(node);
  const object = bare(/** @type {AnyNode} */ (node.object));
  const owner = object.type === 'ThisExpression' ? enclosingObject(object, code) : undefined;
  if (name !== undefined && (owner?.is === 'instance' || owner?.is === 'object')) {
    const [assigned] = assignedMembers(owner.node, code).get(name) ?? [];
    if (!assigned) return { reason: 'nothing that was read assigns it' };
    return { node: 'value' in assigned ? assigned.value : assigned.parameter, code };
  }
  const value = tracer.start(object, code);
  if (value) return { reason: `nothing that was read shows what \`${name ?? '…'}\` of it is` };
  // `container.cradle.db`: the whole expression says more than its first name.
  return { reason: object.type === 'Identifier' ? `\`${object.name}\` is unknown` : 'its object is unknown' };
}

/**
 * @param {Identifier} node
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Step}
 */
function stepFromName(node, code, tracer) {
  const binding = bindingAt(node, code.resolved);
  const [id] = binding?.declarations ?? [];
  if (!binding || !id) return { reason: 'no file that was read declares it' };
  const parent = code.parentOf(id);
  if (parent?.type === 'VariableDeclarator' && parent.id === id && parent.init) return { node: parent.init, code };
  if (/^Import/.test(parent?.type ?? '')) return stepFromImport(/** @type {AnyNode} */ (parent), code, tracer);
  const assigned = assignedTo(binding, code);
  if (assigned) return { node: assigned, code };
  for (let at = parent; at; at = code.parentOf(at)) {
    if (at.type === 'VariableDeclarator' && at.init) return { node: at.init, code };
    if (isFunction(at)) return { reason: 'a parameter, and no call that was read shows what it is given' };
  }
  return functionAround(id, code) ? { reason: 'nothing that was read assigns it' } : { reason: 'it is not followed' };
}

/** @param {Binding} binding @param {Code} code @returns {AnyNode | undefined} */
function assignedTo(binding, code) {
  for (const { node, writes, declares } of binding.references) {
    const parent = writes && !declares ? code.parentOf(node) : undefined;
    if (parent?.type === 'AssignmentExpression' && parent.left === node && parent.right.type !== 'Literal')
      return parent.right;
  }
  return undefined;
}

/**
 * @param {AnyNode} specifier
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Step}
 */
function stepFromImport(specifier, code, tracer) {
  const declaration = code.parentOf(specifier);
  const source = declaration?.type === 'ImportDeclaration' ? String(declaration.source.value) : '';
  const path = tracer.resolve(source, code.file.path);
  if (path === undefined) return { reason: `it comes from \`${source}\`, which was not read` };
  const other = tracer.store.get(path);
  const name =
    specifier.type === 'ImportSpecifier' && specifier.imported.type === 'Identifier'
      ? specifier.imported.name
      : 'default';
  const found = other?.exported(name);
  if (other && found && 'node' in found) return { node: found.node, code: other };
  return { reason: `nothing in ${path} shows what it is` };
}
