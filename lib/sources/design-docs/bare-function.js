// Reads a text that is one function of a design document and nothing else, as people paste it: what it is for follows from its parameters and from
// what it calls, or the user says it.

import { posix } from 'node:path';
import { resolveNames } from '../../javascript/names.js';
import { parseFunction } from '../../javascript/parse.js';
import { walkNodes } from '../../javascript/walk.js';
import { BARE_ROLES } from '../../shared/bare-roles.js';
import { entryOfName, textNode } from './text-nodes.js';

/** @import { FunctionNode } from '../../javascript/parse.js' */
/** @import { BareRole } from '../../shared/bare-roles.js' */
/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { ObjectNode, ReadResult, ValueNode } from '../record.js' */

/** Members of design documents, by what the functions in them are for. */
const MEMBERS = {
  map: 'views',
  reduce: 'views',
  filter: 'filters',
  validate: 'validate_doc_update',
  update: 'updates',
  show: 'shows',
  list: 'lists',
};

/** Functions that the query server gives to maps, and to shows and lists (share/server/loop.js, 3.5.0). */
const OF_LISTS = new Set(['getRow', 'send', 'start']);
const OF_SHOWS = new Set(['provides', 'registerType']);

/** What a text looks like that begins as a function does. */
const BEGINS_AS_FUNCTION = /^\s*(?:\/\/.*\n\s*|\/\*[\s\S]*?\*\/\s*)*\(?\s*function\s*\(/;

/**
 * @param {SourceFile} file
 * @param {BareRole} [role] as the user gives it
 * @returns {ReadResult | undefined} a design document with this function alone; an error where it is not known what it is for, or where it does
 *   not parse; undefined where the text is something else
 */
export function readBareFunction(file, role) {
  const parsed = parseFunction(file.text);
  if (!parsed.ok) {
    if (role) return { records: [recordOf(file, role)], errors: [] };
    if (!BEGINS_AS_FUNCTION.test(file.text)) return undefined;
    const place = file.place(parsed.offset);
    return {
      records: [],
      errors: [{ code: 'invalid-javascript', message: `invalid JavaScript: ${parsed.message}`, place }],
    };
  }
  const { fn, shape, roots } = parsed;
  if (!fn || shape === 'statements') return undefined;
  const found = role ?? roleOf(fn, globalsIn(roots));
  if (found) return { records: [recordOf(file, found)], errors: [] };
  // A program may be one function, too.
  if (shape === 'named') return undefined;
  return {
    records: [],
    errors: [
      {
        code: 'unknown-role',
        message: `it cannot be determined what the function in ${file.path} is for`,
        place: file.place(fn.start),
        hint: `name it: --as ${BARE_ROLES.join(', ')}`,
      },
    ],
  };
}

/**
 * @param {Parameters<typeof resolveNames>[0]} roots
 * @returns {Set<string>} names that the text uses and does not declare
 */
function globalsIn(roots) {
  const { references } = resolveNames(roots);
  return new Set(references.flatMap(({ node, binding }) => (binding ? [] : [node.name])));
}

/**
 * @param {FunctionNode} fn
 * @param {ReadonlySet<string>} globals
 * @returns {BareRole | undefined}
 */
function roleOf(fn, globals) {
  const names = fn.params.map((param) => (param.type === 'Identifier' ? param.name.toLowerCase() : ''));
  const [first = '', second = '', third = ''] = names;
  const has = (/** @type {Set<string>} */ list) => [...list].some((name) => globals.has(name));
  if (globals.has('emit')) return 'map';
  if (/^rereduce$/.test(third) || (/^k(?:eys?)?$/.test(first) && /^v(?:al(?:ue)?s?)?$/.test(second))) return 'reduce';
  if (first === 'head' || has(OF_LISTS)) return 'list';
  if (/user|ctx/.test(third) || throwsRejection(fn)) return 'validate';
  if (!/^req/.test(second)) return undefined;
  if (has(OF_SHOWS)) return 'show';
  const answers = answersOf(fn);
  if (answers.length > 0 && answers.every((type) => type === 'ArrayExpression')) return 'update';
  const isShown = answers.some((type) => type === 'ObjectExpression' || type === 'TemplateLiteral');
  if (isShown) return 'show';
  const isTest = (/** @type {string} */ type) =>
    /^(?:LogicalExpression|UnaryExpression|boolean|comparison)$/.test(type);
  return answers.length > 0 && answers.every(isTest) ? 'filter' : undefined;
}

/** @param {FunctionNode} fn @returns {boolean} whether it throws an object as CouchDB wants it for a rejected write */
function throwsRejection(fn) {
  let throws = false;
  walkNodes([fn], (node) => {
    if (node.type !== 'ThrowStatement' || node.argument.type !== 'ObjectExpression') return;
    throws ||= node.argument.properties.some((property) => {
      return (
        property.type === 'Property' &&
        property.key.type === 'Identifier' &&
        /^(?:forbidden|unauthorized)$/.test(property.key.name)
      );
    });
  });
  return throws;
}

/** @param {FunctionNode} fn @returns {string[]} kinds of expressions that it returns */
function answersOf(fn) {
  /** @type {string[]} */
  const kinds = [];
  /** @param {import('acorn').AnyNode} node */
  const add = (node) => {
    if (node.type === 'ConditionalExpression') {
      add(node.consequent);
      add(node.alternate);
    } else if (node.type === 'Literal') kinds.push(typeof node.value);
    else if (node.type === 'BinaryExpression')
      kinds.push(/^(?:[=!]==?|[<>]=?|in|instanceof)$/.test(node.operator) ? 'comparison' : node.type);
    else kinds.push(node.type);
  };
  if (fn.body.type !== 'BlockStatement') add(fn.body);
  walkNodes([fn.body], (node) => {
    if (node.type === 'ReturnStatement' && node.argument) add(node.argument);
  });
  return kinds;
}

/**
 * @param {SourceFile} file
 * @param {BareRole} role
 * @returns {ReadResult['records'][number]}
 */
function recordOf(file, role) {
  const name = posix.basename(file.path, posix.extname(file.path)).replace(/[<>]/g, '');
  const text = textNode(file, 0, file.text.length);
  const base = { file, start: 0, end: file.text.length };
  /** @param {Record<string, ValueNode>} members @returns {ObjectNode} */
  const object = (members) => ({
    ...base,
    type: 'object',
    entries: Object.entries(members).map(([key, node]) => entryOfName(key, node)),
  });
  /** @type {ValueNode} */
  const missing = { ...base, type: 'unknown', reason: 'only the reduce was given' };
  const value =
    role === 'map' ? object({ map: text }) : role === 'reduce' ? object({ map: missing, reduce: text }) : text;
  return {
    kind: 'design-doc',
    origin: 'couchapp',
    sameDatabase: false,
    id: `_design/${name}`,
    node: object({ [MEMBERS[role]]: role === 'validate' ? value : object({ [name]: value }) }),
    file,
    group: posix.dirname(file.path),
  };
}
