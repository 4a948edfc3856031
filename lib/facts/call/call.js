// Facts about a call of a CouchDB client in the code of an application: what it is, and how that is known.

import { nodePlace } from '../../sources/record.js';

/** @import { About, Ask, CallSubject, Extracted, FactDeclaration } from '../fact.js' */
/** @import { ValueNode } from '../../sources/record.js' */
/** @import { CallRecord } from '../../sources/application/record.js' */

/** Servers, functions in a cloud, and consumers of queues. */
export const SERVER =
  /['"](?:express|koa|fastify|restify|@nestjs\/(?:common|core)|@hapi\/hapi|aws-lambda|amqplib|bull|bullmq|kafkajs)['"]|\bexports\.handler\s*=/;
/** Pages, apps and desktop programs: their PouchDB mostly stands beside them. */
export const RUNS_AT_USER =
  /['"](?:react|react-\w+|preact|vue|svelte|electron|obsidian|ember|@(?:angular|ionic|ember)\/[\w/-]+)['"]|\b(?:window|localStorage|navigator)\s*\.|\bdocument\s*\.\s*(?:getElement|querySelector|createElement|addEventListener)/;
/** Modules of Node.js programs. */
export const COMMON_JS = /\brequire\s*\(\s*['"]|\bmodule\.exports\b/;

/**
 * @param {string} id
 * @param {FactDeclaration['type']} type
 * @param {About<(record: CallRecord, subject: CallSubject, ask: Ask) => Extracted>} about
 * @returns {FactDeclaration<CallSubject>}
 */
export function callFact(id, type, { extract, ...about }) {
  return {
    id,
    type,
    subject: 'call',
    sources: ['application'],
    ...about,
    extract: (subject, ask) => extract(subject.record, subject, ask),
  };
}

/** @type {FactDeclaration<CallSubject>[]} */
export const callFacts = [
  callFact('call.method', 'text', {
    meaning: 'What it does, with one name for all clients: `view`, `get`, `insert`, `find`, …',
    phrases: 'the call is a `{value}`',
    extract: (record, { place }) => ({ value: record.method, place }),
  }),
  callFact('call.client', 'text', {
    meaning: 'The client: `nano`, `pouchdb`, `cloudant`, `http` for a request that the code builds itself, …',
    phrases: 'the client is `{value}`',
    extract: ({ client, receiver }) => {
      if (client !== null) return { value: client };
      return receiver === 'option'
        ? { unknown: 'only an option shows that this is a call of CouchDB' }
        : { unknown: 'the call goes through a function of the project' };
    },
  }),
  callFact('call.location', 'text', {
    meaning: 'Where the database is: `http` on a server, `local` in PouchDB itself.',
    phrases: { http: 'the database is on a server', local: 'the database is local', '*': 'the database is {value}' },
    extract: ({ location }) =>
      location === 'unknown'
        ? { unknown: 'the code that was read does not show where the database is' }
        : { value: location },
  }),
  callFact('call.isProbablyRemote', 'boolean', {
    meaning:
      'Whether its database is probably on a server where its place is unknown. It is in code of a server, and in modules of Node.js whose client is made elsewhere.',
    phrases: ['this is code of a server', 'the code may run where the database is'],
    extract: ({ location, receiver, file: { text } }) => {
      if (location !== 'unknown') return { value: location === 'http' };
      if (RUNS_AT_USER.test(text)) return { value: false };
      return { value: SERVER.test(text) || (receiver === 'option' && COMMON_JS.test(text)) };
    },
  }),
  callFact('call.receiver', 'text', {
    meaning: 'How it is known that this is a call of CouchDB: `traced`, `annotated`, `option`.',
    forOwnRules: 'which calls are judged by the code around them alone',
    extract: ({ receiver }) => ({ value: receiver }),
  }),
  callFact('call.isSetUp', 'boolean', {
    meaning:
      'Whether the code runs once: by the name of its file or folder (migrations, seeds, examples), or as a script without a server, a timer or a live feed.',
    phrases: ['the code runs once', 'the code runs more than once'],
    extract: ({ isSetUp, isScript }) => ({ value: isSetUp || isScript }),
  }),
  callFact('call.hasSetUpName', 'boolean', {
    meaning: 'Whether its file or folder is called after code that runs once: migrations, seeds, examples.',
    phrases: ['the file is called after code that runs once', 'the file is not called after code that runs once'],
    extract: ({ isSetUp }) => ({ value: isSetUp }),
  }),
  callFact('call.isInHandler', 'boolean', {
    meaning:
      'Whether a function that answers requests makes it, or calls the function that does. Such a function has a request and a response as parameters, sets `ctx.body`, has a decorator such as `@Get()`, or is an exported `handler`.',
    phrases: ['this function answers requests', 'no function that answers requests makes it'],
    extract: ({ handler }) => (handler ? { value: true, place: handler } : { value: false }),
  }),
  callFact('call.reachedThrough', 'text', {
    meaning: 'What the handler or timer calls, where the call stands in a function of its own: `orders.findAll`.',
    phrases: 'it is reached through `{value}`',
    extract: ({ through }) => (through === null ? { unknown: 'no other function is between' } : { value: through }),
  }),
  callFact('call.includeDocs', 'boolean', {
    meaning: 'Whether it has `include_docs: true` among its options.',
    phrases: ['`include_docs` is set here', '`include_docs` is not set'],
    extract: (record) => booleanOption(record, 'include_docs'),
  }),
];

/**
 * @param {CallRecord} record
 * @param {string} key
 * @returns {Extracted} whether the option is true; false where the call has no such option
 */
export function booleanOption(record, key) {
  const node = optionOf(record, key);
  if (!node) {
    return record.options.isOpen ? { unknown: `other code may set \`${key}\`` } : { value: false };
  }
  const place = nodePlace(node);
  if (node.type === 'boolean') return { value: node.value, place };
  return node.type === 'unknown' ? { unknown: node.reason, place } : { value: false, place };
}

/**
 * @param {CallRecord} record
 * @param {string} key
 * @returns {ValueNode | undefined} the value of the option, the last of equal keys
 */
export function optionOf({ options }, key) {
  return options.node?.entries.findLast((entry) => entry.key === key)?.node;
}
