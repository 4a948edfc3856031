// The process of the embedded server: loads PouchDB, listens on this machine only, sends its port and the secret of
// this run to the parent. Ends with the parent. Only the program that started it may send requests, and nobody else on this
// machine: a page in a browser is refused even if it knows the secret, under whatever name it reached this port.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import process from 'node:process';
import { keepFunctions } from '../../sandbox/kept-functions.js';
import { authorizationOf } from './credentials.js';
import { createFront } from './embedded-front.js';
import { createViews, refuseFilterFunctions } from './embedded-views.js';

/** @import { IncomingMessage } from 'node:http' */
/** @import { Reply } from './embedded-front.js' */

/** @typedef {{port: number, version: string, headers: Record<string, string>} | {missing: string}} Started `headers`: what every request needs */

// The parent decides when it is over; an interrupt goes to both.
process.on('SIGINT', () => {});
process.once('disconnect', () => process.exit());

const loaded = await loadPouchdb();
if ('missing' in loaded) process.send?.(loaded);
else {
  const { open, version } = loaded;
  const server = createServer();
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const headers = authorizationOf({ user: 'couch-advisor', password: randomBytes(32).toString('hex') });
    const { authorization = '' } = headers;
    server.on('request', createFront(open, createGuard({ host: `127.0.0.1:${port}`, authorization })));
    process.send?.({ port, version, headers });
  });
}

/** @returns {Promise<{open: (name: string) => PouchDatabase, version: string} | {missing: string}>} */
async function loadPouchdb() {
  let name = 'pouchdb-core';
  try {
    const { default: PouchDB } = await import('pouchdb-core');
    name = 'pouchdb-adapter-memory';
    PouchDB.plugin((await import('pouchdb-adapter-memory')).default);
    name = 'pouchdb-abstract-mapreduce';
    PouchDB.plugin(createViews((await import('pouchdb-abstract-mapreduce')).default, keepFunctions()));
    name = 'pouchdb-find';
    PouchDB.plugin((await import('pouchdb-find')).default);
    PouchDB.plugin(refuseFilterFunctions);
    return { open: (database) => new PouchDB(database, { adapter: 'memory' }), version: PouchDB.version };
  } catch {
    return { missing: name };
  }
}

/** @typedef {(request: IncomingMessage) => Reply | undefined} Guard the refusal; undefined where the request may be answered */

const METHODS = new Set(['GET', 'HEAD', 'PUT', 'POST', 'DELETE']);

/**
 * @param {{host: string, authorization: string}} expected `host`: address and port, as a request names them; `authorization`: the whole header
 * @returns {Guard}
 */
function createGuard({ host, authorization }) {
  return ({ headers, method = '' }) => {
    // Another name for this address is that of a page: DNS rebinding.
    if (headers.host !== host) return refuse(403, `requests must be sent to ${host}`);
    // Browsers add these, and nothing else does. There is no CORS: nothing allows another origin.
    if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) {
      return refuse(403, 'requests of web pages are refused');
    }
    if (!isEqual(headers.authorization ?? '', authorization))
      return refuse(401, 'the secret of this run is missing or wrong');
    if (!METHODS.has(method)) return refuse(405, `${method} is not supported`);
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    const isJson = /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '');
    if (hasBody && !isJson) return refuse(415, 'the body must have the type application/json');
    return undefined;
  };
}

/** @param {string} given @param {string} expected @returns {boolean} in a time that does not depend on where they differ */
function isEqual(given, expected) {
  const digest = (/** @type {string} */ text) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** @param {number} status @param {string} reason @returns {Reply} */
function refuse(status, reason) {
  return { status, body: { error: status === 401 ? 'unauthorized' : 'forbidden', reason }, closes: true };
}
