// The process of the embedded server: loads PouchDB, listens on this machine only, sends its port and the secret of
// this run to the parent. Ends with the parent.

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import process from 'node:process';
import { keepFunctions } from '../../sandbox/kept-functions.js';
import { authorizationOf } from './credentials.js';
import { createFront } from './embedded-front.js';
import { createGuard } from './embedded-guard.js';
import { createViews, refuseFilterFunctions } from './embedded-views.js';

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
