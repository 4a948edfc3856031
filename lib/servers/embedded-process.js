// The process of the embedded server: loads PouchDB, listens on this machine only, tells its port to the parent. Ends with the parent.

import { createServer } from 'node:http';
import process from 'node:process';
import { keepFunctions } from '../sandbox/kept-functions.js';
import { createFront } from './embedded-front.js';
import { createViews } from './embedded-views.js';

/** @typedef {{port: number, version: string} | {missing: string}} Started */

// The parent decides when it is over; an interrupt goes to both.
process.on('SIGINT', () => {});
process.once('disconnect', () => process.exit());

const loaded = await loadPouchdb();
if ('missing' in loaded) process.send?.(loaded);
else {
  const server = createServer(createFront(loaded.open));
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ port: typeof address === 'object' ? address?.port : 0, version: loaded.version });
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
    return { open: (database) => new PouchDB(database, { adapter: 'memory' }), version: PouchDB.version };
  } catch {
    return { missing: name };
  }
}
