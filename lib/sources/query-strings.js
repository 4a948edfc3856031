// Reads Mango queries that are the text of a string in a JSON file, as arguments of chaincode of Hyperledger Fabric are: `{"Args": ["query", "{\"selector\": …}"]}`.

import { SourceFile } from '../shared/source-file.js';
import { NO_RESULT } from './application/connections.js';
import { isSetUp } from './application/set-up.js';
import { parseJsonTree } from './design-docs/value-tree.js';
import { member } from './record.js';

/** @import { CallRecord } from './application/record.js' */
/** @import { ObjectNode, ValueNode } from './record.js' */

/** Members of a body of `POST /db/_find` (mango_opts:validate_find/1, 3.5.2). A string with others is something else. */
const QUERY_KEYS = new Set([
  'selector',
  'limit',
  'skip',
  'sort',
  'fields',
  'use_index',
  'allow_fallback',
  'bookmark',
  'partitioned',
  'r',
  'conflicts',
  'stable',
  'stale',
  'update',
  'execution_stats',
]);

/** The key as it stands in a string; only a query that is written in full is read. */
const SELECTOR = /\\"selector\\"\s*:\s*\{/g;

/** Fields that the name of a query shows. */
const SHOWN_FIELDS = 3;

/**
 * @param {SourceFile} file that holds JSON
 * @returns {CallRecord[]} one for each query; none for strings with escapes within their own strings
 */
export function readQueryStrings(file) {
  const { text } = file;
  /** @type {CallRecord[]} */
  const records = [];
  let end = 0;
  for (const { index } of text.matchAll(SELECTOR)) {
    // A query may have the word twice.
    if (index < end) continue;
    const start = text.lastIndexOf('"{', index);
    end = /(?<!\\)"/g.exec(text.slice(index))?.index ?? 0;
    if (start < 0 || end === 0) continue;
    end += index;
    // What is escaped within a string of the query would be read with its escapes.
    const query = text.slice(start, end).includes('\\\\') ? undefined : parseQuery(file, start + 1, end);
    if (query) records.push(recordOf(file, query));
  }
  return records;
}

/**
 * @param {SourceFile} file
 * @param {number} start behind the opening quote of the string
 * @param {number} end at its closing quote
 * @returns {ObjectNode | undefined} with its places in the file
 */
function parseQuery(file, start, end) {
  let isOpen = false;
  // Each escape stays as long as it is, so that every offset is that of the file.
  const plain = file.text.slice(start, end).replaceAll(/\\(["nrt])/g, (written, character) => {
    if (character !== '"') return isOpen ? written : '  ';
    isOpen = !isOpen;
    return isOpen ? ' "' : '" ';
  });
  const copy = new SourceFile(file.path, file.text.slice(0, start) + plain + file.text.slice(end));
  const { node, errors } = parseJsonTree(copy, start, end);
  if (node?.type !== 'object' || errors.length > 0 || member(node, 'selector')?.type !== 'object') return undefined;
  if (!node.entries.every(({ key }) => QUERY_KEYS.has(key))) return undefined;
  moveTo(file, node);
  return node;
}

/**
 * @param {SourceFile} file
 * @param {ValueNode} node whose nodes get the file
 */
function moveTo(file, node) {
  node.file = file;
  if (node.type === 'object') for (const entry of node.entries) moveTo(file, entry.node);
  if (node.type === 'array') for (const item of node.items) moveTo(file, item);
}

/**
 * @param {SourceFile} file
 * @param {ObjectNode} query
 * @returns {CallRecord} what is known of it is the body of the request
 */
function recordOf(file, query) {
  const selector = /** @type {ObjectNode} */ (member(query, 'selector'));
  const fields = selector.entries.map(({ key }) => key);
  const shown = [...fields.slice(0, SHOWN_FIELDS), ...(fields.length > SHOWN_FIELDS ? ['…'] : [])].join(', ');
  return {
    kind: 'call',
    file,
    start: query.start,
    end: query.end,
    name: `{"selector": {${shown}}}`,
    on: '',
    functionName: null,
    client: null,
    method: 'find',
    receiver: 'option',
    location: 'http',
    database: null,
    designDoc: null,
    view: null,
    arguments: [query],
    options: { node: query, isOpen: false },
    map: null,
    feedLocation: 'unknown',
    indexBefore: null,
    target: undefined,
    handledEvents: null,
    mayStartAgain: null,
    connection: null,
    timer: null,
    handler: null,
    through: null,
    loop: null,
    retry: null,
    result: NO_RESULT,
    write: null,
    newestRevision: null,
    unchecked: null,
    unhandled: null,
    majors: {},
    reopenedIn: null,
    regExps: [],
    written: { callee: 'find', arguments: [], options: [], answer: 'promise', answerBeforeLoop: 'promise' },
    skip: 'unknown',
    isSetUp: isSetUp(file.path),
    isScript: false,
  };
}
