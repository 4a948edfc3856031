// A server in memory for tests: keeps which databases there are and every request it was sent. Answers like CouchDB, as far as the
// targets of experiments ask.

import { guardRequest } from '../../../lib/measure/servers/scratch-name.js';

/** @import { Server } from '../../../lib/measure/servers/server.js' */

/** @typedef {Server & {databases: Map<string, Map<string, unknown>>, sent: string[], refuse: Set<string>, counters: Record<string, number>}} MemoryServer */

/**
 * @param {Partial<Server>} [changes]
 * @returns {MemoryServer} `refuse`: requests (`PUT name`) that are answered 500
 */
export function createMemoryServer(changes = {}) {
  /** @type {MemoryServer['databases']} */
  const databases = new Map();
  /** @type {string[]} */
  const sent = [];
  /** @type {Set<string>} */
  const refuse = new Set();
  /** @type {Record<string, number>} */
  const counters = {};
  return {
    kind: 'couchdb',
    origin: 'http://127.0.0.1:1',
    headers: {},
    mechanisms: new Set(['document-lookup', 'kept-index', 'round-trip']),
    advice: 'run it on a real CouchDB',
    about: { name: 'CouchDB in memory', kind: 'couchdb', version: '3.5.0', settings: { q: '2' } },
    databases,
    sent,
    refuse,
    counters,
    async ask(method, path, body) {
      guardRequest(method, path, body);
      const [name = '', ...rest] = (path.split('?')[0] ?? '').split('/');
      const id = rest.join('/');
      sent.push(`${method} ${id === '' ? 'database' : id}`);
      if (refuse.has(`${method} ${id}`)) return { status: 500, body: { error: 'internal', reason: 'out of stock' } };
      if (name === '_all_dbs') return { status: 200, body: [...databases.keys()] };
      if (name.startsWith('_')) return { status: 200, body: [] };
      const database = databases.get(name);
      if (method === 'PUT' && id === '') {
        if (database) return { status: 412, body: { error: 'file_exists', reason: 'it is there' } };
        databases.set(name, new Map());
        return { status: 201, body: { ok: true } };
      }
      if (!database) return { status: 404, body: { error: 'not_found', reason: 'missing' } };
      if (method === 'DELETE' && id === '') databases.delete(name);
      else if (method === 'PUT') database.set(id, body);
      else if (id === '_bulk_docs') {
        for (const document of /** @type {{docs: {_id?: string}[]}} */ (body).docs)
          database.set(document._id ?? `order-${database.size}`, document);
      } else if (method === 'GET' && id.startsWith('_local/')) {
        return database.has(id) ? { status: 200, body: database.get(id) } : { status: 404, body: null };
      }
      return {
        status: 200,
        body: {
          ok: true,
          doc_count: [...database.keys()].filter((one) => !one.startsWith('_local/')).length,
          rows: [],
          sizes: { file: 100, active: 50 },
          view_index: { sizes: { active: 10 } },
        },
      };
    },
    processes: [],
    readCounters: async () => ({ values: { ...counters }, read: 1, nodes: 1 }),
    findSignsOfUse: async () => [],
    close: async () => {},
    ...changes,
  };
}
