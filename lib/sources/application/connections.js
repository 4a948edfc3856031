// Reads what code connects to: the address and the credentials that a client is made with, as far as they are written in the code.

import { clientNamed, clientPackage, MAKER_WORDS } from '../../clients/index.js';
import { bare } from '../../javascript/parse.js';
import { entry, member } from '../record.js';
import { connectionOf } from './addresses.js';
import { functionName, shownCallee } from './shown-name.js';

/** @import { AnyNode, CallExpression, NewExpression } from 'acorn' */
/** @import { Entry, ValueNode } from '../record.js' */
/** @import { Code } from './code.js' */
/** @import { CallRecord, ClientName, Connection } from './record.js' */
/** @import { Tracer } from './trace.js' */

/**
 * @typedef {object} Made
 * @property {ClientName} client
 * @property {Connection} connection
 * @property {Entry | undefined} [limit] `revs_limit` of a database of PouchDB in the process or browser
 * @property {string} [database] its name, where it is literal
 */

/** Of calls whose answer has no rows. @type {CallRecord['result']} */
export const NO_RESULT = {
  use: 'unknown',
  rowMembers: null,
  docFields: null,
  valueFields: null,
  docPlaces: [],
  isOnlyCounted: false,
  lists: [],
};

/**
 * @param {Code} code
 * @param {Tracer} tracer
 * @param {boolean} isSetUp
 * @param {readonly {node: CallExpression, connection: Connection}[]} requests that code builds itself
 * @returns {CallRecord[]} of clients and requests with a URL without TLS, with credentials or a limit of revisions: of the others there is nothing to report.
 *   Of those with the same credentials, or without TLS to the same host, the first
 */
export function readConnects(code, tracer, isSetUp, requests) {
  const seen = new Set();
  const clients = code.resolved.nodes.flatMap((node) => {
    const made =
      node.type === 'CallExpression' || node.type === 'NewExpression' ? clientMade(node, code, tracer) : undefined;
    return made ? { node: /** @type {CallExpression | NewExpression} */ (node), made } : [];
  });
  const sent = requests.map(({ node, connection }) => ({ node, made: { client: 'http', connection } }));
  return [...clients, ...sent].flatMap(({ node, made }) => {
    const { protocol, host, credentials } = made.connection;
    const plain = protocol === 'http' ? host : null;
    const key = credentials ? `${credentials.node.file.path}:${credentials.end}` : plain;
    const isNew = key !== null && !seen.has(key);
    seen.add(key).add(plain);
    return isNew || ('limit' in made && made.limit) ? [createConnect(node, made, isSetUp, code)] : [];
  });
}

/**
 * @param {CallExpression | NewExpression} node
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {Made | undefined} undefined where it makes no client
 */
function clientMade(node, code, tracer) {
  const callee = bare(node.callee);
  if (node.arguments.length === 0 || callee.type === 'Super' || !MAKER_WORDS.test(code.source(callee)))
    return undefined;
  const client = clientMadeBy(callee, code, tracer);
  if (!client) return undefined;
  const values = node.arguments.map((item) => code.reader.read(item));
  const connection = connectionOf(node.arguments, code, tracer);
  return {
    client,
    connection,
    ...(clientNamed(client)?.local && connection.host === null ? revisionLimit(values) : {}),
  };
}

/**
 * @param {readonly ValueNode[]} values `'stock', { revs_limit: 5 }` or `{ name: 'stock', revs_limit: 5 }`
 * @returns {{limit?: Entry | undefined, database?: string}}
 */
function revisionLimit(values) {
  const limit = values.map((value) => entry(value, 'revs_limit')).find((found) => found !== undefined);
  const [first] = values;
  const name = first?.type === 'object' ? member(first, 'name') : first;
  return { limit, ...(name?.type === 'string' && !name.isFunction ? { database: name.value } : {}) };
}

/**
 * @param {CallExpression | NewExpression} node
 * @param {Made} made
 * @param {boolean} isSetUp
 * @param {Code} code
 * @returns {CallRecord} without its arguments, which may be secret
 */
function createConnect(node, { client, connection, limit, database }, isSetUp, code) {
  const { start, end } = node;
  const callee = shownCallee(node.callee, code);
  return {
    kind: 'call',
    file: code.file,
    start,
    end,
    name: `${node.type === 'NewExpression' ? 'new ' : ''}${callee}(…)`,
    functionName: functionName(node, code),
    client,
    on: '',
    write: null,
    newestRevision: null,
    unchecked: null,
    unhandled: null,
    majors: {},
    reopenedIn: null,
    method: 'connect',
    receiver: 'traced',
    location: connection.host === null ? 'unknown' : 'http',
    database: limit && database !== undefined ? database : null,
    designDoc: null,
    view: null,
    arguments: [],
    options: {
      node: limit ? { type: 'object', file: code.file, start, end, entries: [limit] } : null,
      isOpen: true,
    },
    map: null,
    target: undefined,
    feedLocation: 'unknown',
    indexBefore: null,
    handledEvents: null,
    mayStartAgain: null,
    connection,
    timer: null,
    handler: null,
    through: null,
    loop: null,
    retry: null,
    result: NO_RESULT,
    regExps: [],
    skip: 'none',
    written: { callee, arguments: [], options: [], answer: 'promise', answerBeforeLoop: 'promise' },
    isSetUp,
    isScript: false,
  };
}

/**
 * @param {AnyNode} callee
 * @param {Code} code
 * @param {Tracer} tracer
 * @returns {ClientName | undefined}
 */
function clientMadeBy(callee, code, tracer) {
  const maker = tracer.start(callee, code);
  if (maker?.is === 'maker') return maker.client;
  return maker?.is === 'package' ? clientPackage(maker.name)?.client.name : undefined;
}
