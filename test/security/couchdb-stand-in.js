// A server that does what a CouchDB does as far as `confirm` and `bench` need it, in this process, so that it outlives what is attacked: PouchDB behind
// CouchDB's paths, with the answers of a server of its own. Requests can be answered by something else first.

import { createServer } from 'node:http';
import PouchMemory from 'pouchdb-adapter-memory';
import { keepFunctions } from '../../lib/sandbox/kept-functions.js';
import { createFront } from '../../lib/servers/embedded-front.js';
import { createViews } from '../../lib/servers/embedded-views.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/** @typedef {(request: IncomingMessage, response: ServerResponse) => boolean} Before whether it has answered, or means to leave the request unanswered */

const { default: PouchDB } = await import('pouchdb-core');
const { default: createMapReduce } = await import('pouchdb-abstract-mapreduce');
const { default: find } = await import('pouchdb-find');
PouchDB.plugin(PouchMemory)
  .plugin(createViews(createMapReduce, await keepFunctions()))
  .plugin(find);

/** Databases of different servers must not be the same. */
let servers = 0;

/** What a server says of itself, by path. @type {Record<string, unknown>} */
const OWN = {
  '/': { couchdb: 'Welcome', version: '3.5.0' },
  '/_membership': { all_nodes: ['couchdb@127.0.0.1'], cluster_nodes: ['couchdb@127.0.0.1'] },
  '/_active_tasks': [],
  '/_node/_local/_versions': { javascript_engine: { name: 'quickjs' } },
};

/**
 * @param {Before} [before]
 * @returns {Promise<{origin: string, requests: string[], close: () => Promise<void>}>} `requests`: method and path of each
 */
export async function startCouchdb(before = () => false) {
  servers += 1;
  const prefix = `server-${servers}-`;
  const front = createFront(
    (name) => new PouchDB(`${prefix}${name}`, { adapter: 'memory' }),
    () => undefined,
  );
  /** @type {string[]} */
  const requests = [];
  const server = createServer((request, response) => {
    const { method = '', url = '/' } = request;
    requests.push(`${method} ${url}`);
    if (before(request, response)) return;
    const own = method === 'GET' ? OWN[url.split('?')[0] ?? ''] : undefined;
    if (own === undefined) {
      void front(request, response);
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(own));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
