// Fix: makes a validation function throw what CouchDB understands: `{forbidden: reason}`.

import { parseFunction } from '../../javascript/parse.js';

/** @import { Fix } from './index.js' */

/** @type {Fix} */
export const throwForbidden = {
  id: 'throw-forbidden',
  title: 'Throw `{forbidden: …}`',
  safe: true,
  apply: ({ subject, item }) => {
    if (subject.kind !== 'validate' || item?.start === undefined || item.end === undefined) return undefined;
    const { text } = subject.function;
    const thrown = text.text.slice(item.start, item.end);
    const reason = reasonOf(thrown);
    if (reason === undefined) return undefined;
    const object = `{ forbidden: ${reason} }`;
    const edit = text.edit(item.start, item.end, thrown.startsWith('(') ? `(${object})` : object);
    return edit && [edit];
  },
};

/**
 * @param {string} thrown source of what is thrown now
 * @returns {string | undefined} source of the reason in it; undefined where there is no single one
 */
function reasonOf(thrown) {
  const parsed = parseFunction(`() => ${thrown.startsWith('{') ? `(${thrown})` : thrown}`);
  if (!parsed.ok || !parsed.fn) return undefined;
  let { body } = parsed.fn;
  while (body.type === 'ParenthesizedExpression') body = body.expression;
  const source = (/** @type {{start: number, end: number}} */ node) => parsed.text.slice(node.start, node.end);
  if (isText(body)) return source(body);
  if (body.type === 'NewExpression' || body.type === 'CallExpression') {
    const [first, second] = body.arguments;
    const isError = body.callee.type === 'Identifier' && body.callee.name.endsWith('Error');
    return isError && first && !second && first.type !== 'SpreadElement' ? source(first) : undefined;
  }
  if (body.type !== 'ObjectExpression') return undefined;
  const [member, other] = body.properties;
  return member?.type === 'Property' && !other && isText(member.value) ? source(member.value) : undefined;
}

/**
 * @param {import('acorn').AnyNode} node
 * @returns {boolean} whether it is a text as it stands, or a sum of texts
 */
function isText(node) {
  if (node.type === 'BinaryExpression') return node.operator === '+';
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}
