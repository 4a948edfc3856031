// Replaces the value in each `emit` of a map. Changes nothing else, so that two arms differ in that alone.

import { parseFunction } from '../../javascript/parse.js';
import { walkNodes } from '../../javascript/walk.js';

/** Members of a document whose names can be written behind a point. */
const PLAIN = /^[A-Za-z_$][\w$]*$/;

/**
 * @param {string} map
 * @returns {string | undefined} the name of its document; undefined where it has none
 */
export function documentName(map) {
  const parsed = parseFunction(map);
  const [parameter] = parsed.ok ? (parsed.fn?.params ?? []) : [];
  return parameter?.type === 'Identifier' ? parameter.name : undefined;
}

/**
 * @param {string} map
 * @param {string} value source of an expression
 * @param {string} [only] source of all values that it may replace
 * @returns {string | undefined} undefined where the map cannot be read, or emits something else, or through another name
 */
export function emitInstead(map, value, only) {
  const parsed = parseFunction(map);
  if (!parsed.ok) return undefined;
  /** @type {{start: number, end: number, text: string}[]} */
  const edits = [];
  let isClear = true;
  walkNodes(parsed.roots, (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'emit') return;
    const [key, old] = node.arguments;
    const written = old && map.slice(old.start, old.end);
    if (only !== undefined && written !== only) isClear = false;
    if (!key || key.type === 'SpreadElement' || old?.type === 'SpreadElement') isClear = false;
    else if (old) edits.push({ start: old.start, end: old.end, text: value });
    else edits.push({ start: key.end, end: key.end, text: `, ${value}` });
  });
  if (!isClear || edits.length === 0) return undefined;
  // An `emit` inside the value of another would be cut in two.
  edits.sort((one, other) => one.start - other.start);
  if (edits.some((edit, at) => at > 0 && edit.start < (edits[at - 1]?.end ?? 0))) return undefined;
  return edits.reduceRight((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), map);
}

/**
 * @param {string} document its name in the map
 * @param {string[]} fields
 * @returns {string} source of an object with these fields of it
 */
export function fieldsOf(document, fields) {
  const members = fields.map((field) =>
    PLAIN.test(field)
      ? `${field}: ${document}.${field}`
      : `${JSON.stringify(field)}: ${document}[${JSON.stringify(field)}]`,
  );
  return `{ ${members.join(', ')} }`;
}
