// Finds the function that answers a request around a call: a route of Express, Koa, Fastify or the like, a function of a cloud.

import { isFunction } from '../../javascript/names.js';
import { memberName } from '../../javascript/parse.js';
import { functionAround, rootOf } from './enclosing.js';

/** @import { AnyNode } from 'acorn' */
/** @import { Place } from '../../shared/source-file.js' */
/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { Code } from './code.js' */

/** Functions around a call: given to `then`, to `map`, the handler itself. */
const MAX_AROUND = 6;
const REQUEST = /^_?(?:req|request)$/;
const RESPONSE = /^_?(?:res|resp|response|reply|h)$/;

/**
 * @param {AnyNode} node
 * @param {Code} code
 * @returns {Place | null} of the parameters of the handler that it stands in
 */
export function handlerAround(node, code) {
  let fn = functionAround(node, code);
  for (let around = 0; fn && around < MAX_AROUND; around += 1, fn = functionAround(fn, code)) {
    if (!isHandler(fn, code)) continue;
    const [first] = fn.params;
    return code.file.place(first?.start ?? fn.start, fn.params.at(-1)?.end ?? fn.body.start);
  }
  return null;
}

/** @param {AnyNode} node @returns {boolean} whether it sends its argument: `res.json(docs)`, `res.status(200).send(docs)`, `NextResponse.json(docs)` */
export function answersRequest(node) {
  const callee = node.type === 'CallExpression' ? node.callee : undefined;
  if (callee?.type !== 'MemberExpression' || !/^(?:json|jsonp|send|end)$/.test(memberName(callee) ?? '')) return false;
  const root = rootOf(callee.object);
  return root.type === 'Identifier' && (RESPONSE.test(root.name) || /^(?:Next)?Response$/.test(root.name));
}

/** @param {FunctionNode} fn @param {Code} code @returns {boolean} */
function isHandler(fn, code) {
  const names = fn.params.map((param) => (param.type === 'Identifier' ? param.name : ''));
  const [first = '', second = ''] = names;
  if (REQUEST.test(first) && RESPONSE.test(second)) return true;
  // Koa: `async (ctx) => { ctx.body = … }`
  if (first === 'ctx' || first === 'context') return code.nodesWithin(fn).some((node) => isBodyOf(first, node));
  return isRoute(fn, code) || (first === 'event' && isExportedHandler(fn, code));
}

/** Decorators of NestJS and routing-controllers. */
const ROUTES = /^@(?:Get|Post|Put|Patch|Delete|All|MessagePattern|EventPattern)\b/;

/** @param {FunctionNode} fn @param {Code} code @returns {boolean} whether a decorator makes it one: `@Get(':id') find(@Param('id') id) {…}` */
function isRoute(fn, code) {
  const method = code.parentOf(fn);
  if (method?.type !== 'MethodDefinition') return false;
  const { decorators = [] } = /** @type {{decorators?: AnyNode[]}} */ (/** @type {unknown} */ (method));
  return decorators.some((decorator) => ROUTES.test(code.source(decorator)));
}

/** @param {string} name @param {AnyNode} node @returns {boolean} whether it sets the body of the response */
function isBodyOf(name, node) {
  if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return false;
  const { object } = node.left;
  return memberName(node.left) === 'body' && object.type === 'Identifier' && object.name === name;
}

/** @param {FunctionNode} fn @param {Code} code @returns {boolean} `exports.handler = async (event) => …`, `export const handler = …` */
function isExportedHandler(fn, code) {
  const parent = code.parentOf(fn);
  if (parent?.type === 'AssignmentExpression' && parent.left.type === 'MemberExpression')
    return memberName(parent.left) === 'handler';
  const id = fn.type === 'FunctionDeclaration' ? fn.id : parent?.type === 'VariableDeclarator' ? parent.id : undefined;
  if (id?.type !== 'Identifier' || id.name !== 'handler') return false;
  for (let at = parent; at && !isFunction(at); at = code.parentOf(at))
    if (at.type === 'ExportNamedDeclaration') return true;
  return false;
}
