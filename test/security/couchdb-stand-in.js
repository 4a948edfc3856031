// A server that responds as CouchDB does, as far as `confirm` and `bench` need it: PouchDB behind CouchDB's paths, in this process, so that it
// outlives the program under attack; or a real CouchDB behind a proxy. A test can answer each request with something else first.

import { createServer, request as sendRequest } from 'node:http';
import PouchMemory from 'pouchdb-adapter-memory';
import { createFront } from '../../lib/measure/servers/embedded-front.js';
import { createViews } from '../../lib/measure/servers/embedded-views.js';
import { keepFunctions } from '../../lib/sandbox/kept-functions.js';

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

/** @typedef {{origin: string, requests: string[], close: () => Promise<void>}} StandIn `requests`: method and path of each */

/**
 * @param {Before} [before]
 * @returns {Promise<StandIn>}
 */
export async function startCouchdb(before = () => false) {
  servers += 1;
  const prefix = `server-${servers}-`;
  const front = createFront(
    (name) => new PouchDB(`${prefix}${name}`, { adapter: 'memory' }),
    () => undefined,
  );
  return listen(before, (request, response) => {
    const { method = '', url = '/' } = request;
    const own = method === 'GET' ? OWN[url.split('?')[0] ?? ''] : undefined;
    if (own === undefined) {
      void front(request, response);
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(own));
  });
}

/** The database that attacked servers have; scratch databases of couch-advisor begin so. */
export const SHOP = 'couch-advisor-scratch-shop-1';

/**
 * @param {Record<string, unknown>} designDoc `_design/orders` of the database `SHOP`
 * @param {Before} before for requests that come once it is there
 * @returns {Promise<StandIn>}
 */
export async function startShop(designDoc, before) {
  let isArmed = false;
  const server = await startCouchdb((request, response) => isArmed && before(request, response));
  const put = { method: 'PUT', headers: { 'content-type': 'application/json' } };
  await (await fetch(`${server.origin}/${SHOP}`, put)).text();
  await (await fetch(`${server.origin}/${SHOP}/_design/orders`, { ...put, body: JSON.stringify(designDoc) })).text();
  isArmed = true;
  return server;
}

/**
 * @param {string} url of a real CouchDB, with credentials
 * @param {Before} [before]
 * @returns {Promise<StandIn>}
 */
export async function startProxy(url, before = () => false) {
  const { hostname, port, username, password } = new URL(url);
  const auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return listen(before, (request, response) => {
    const { method, url: path, headers } = request;
    const { host: _, authorization: __, ...rest } = headers;
    const passed = sendRequest({ hostname, port, method, path, headers: rest, auth, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
}

/**
 * @param {Before} before
 * @param {(request: IncomingMessage, response: ServerResponse) => void} answer
 * @returns {Promise<StandIn>}
 */
async function listen(before, answer) {
  /** @type {string[]} */
  const requests = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (!before(request, response)) answer(request, response);
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
