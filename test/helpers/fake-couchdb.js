// A server that responds as CouchDB does, with as many databases as wanted, and records the requests it receives. For
// tests of what reads servers.

import { createServer } from 'node:http';

/** @typedef {{status?: number, body?: unknown, text?: string, headers?: Record<string, string>, cut?: boolean, hang?: boolean}} FakeAnswer */
/** @typedef {{method: string, path: string, authorization: string | undefined, body: string}} ServedRequest */

const ALL_DOCS = '_all_docs?startkey=%22_design%2F%22&endkey=%22_design0%22&include_docs=true';

/**
 * @param {object} options
 * @param {string[]} [options.databases]
 * @param {(name: string) => Record<string, unknown>[]} [options.designDocs] of a database
 * @param {(served: ServedRequest) => FakeAnswer | undefined} [options.special] answers that differ
 * @returns {Promise<{origin: string, served: ServedRequest[], close: () => Promise<void>}>}
 */
export async function startFakeCouchdb({
  databases = ['shop'],
  designDocs = () => [],
  special = () => undefined,
} = {}) {
  /** @type {ServedRequest[]} */
  const served = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const about = { method, path: url, authorization: headers.authorization, body: Buffer.concat(chunks).toString() };
    served.push(about);
    const answer = special(about) ?? usual(about, databases, designDocs);
    if (answer.hang) return;
    const text = answer.text ?? JSON.stringify(answer.body ?? {});
    if (answer.cut) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length + 100 });
      response.write(text);
      setTimeout(() => response.destroy(), 20);
      return;
    }
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end(text);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    served,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/**
 * @param {ServedRequest} asked
 * @param {string[]} databases
 * @param {(name: string) => Record<string, unknown>[]} designDocs
 * @returns {FakeAnswer}
 */
function usual({ method, path, body }, databases, designDocs) {
  const { pathname, searchParams } = new URL(path, 'http://fake');
  const [name = '', ...rest] = pathname.slice(1).split('/').map(decodeURIComponent);
  if (name === '') return { body: { couchdb: 'Welcome', version: '3.5.0' } };
  if (name === '_all_dbs') {
    const from = JSON.parse(searchParams.get('startkey') ?? '""');
    const limit = Number(searchParams.get('limit'));
    return { body: databases.filter((item) => item >= from).slice(0, limit) };
  }
  if (name === '_dbs_info') {
    return { body: JSON.parse(body).keys.map((/** @type {string} */ key) => ({ key, info: infoOf(key) })) };
  }
  if (name === '_membership') return { body: { all_nodes: ['a'], cluster_nodes: ['a'] } };
  if (name === '_active_tasks') return { body: [] };
  if (name === '_scheduler') return { body: { total_rows: 0, offset: 0, docs: [], jobs: [] } };
  if (pathname === '/_node/_local/_config') return { body: { admins: { anna: 'secret-hash' }, cluster: { q: '2' } } };
  if (name === '_node') return { body: {} };
  if (!databases.includes(name))
    return { status: 404, body: { error: 'not_found', reason: 'Database does not exist.' } };
  if (rest.length === 0 && method === 'GET') return { body: infoOf(name) };
  if (path.endsWith(ALL_DOCS)) return { body: { rows: designDocs(name).map((doc) => ({ id: doc['_id'], doc })) } };
  if (rest[0] === '_security') return { body: { members: { roles: ['_admin'] }, admins: { roles: ['_admin'] } } };
  if (rest[0] === '_changes') return { body: { results: [], last_seq: '0', pending: 0 } };
  if (rest[0] === '_index') return { body: { indexes: [] } };
  if (rest.at(-1) === '_info') {
    return {
      body: {
        name: rest[1],
        view_index: { sizes: { file: 1000, active: 900, external: 800 }, updater_running: false },
      },
    };
  }
  return { status: 404, body: { error: 'not_found', reason: 'missing' } };
}

/** @param {string} name @returns {unknown} */
function infoOf(name) {
  return {
    db_name: name,
    doc_count: 10,
    doc_del_count: 0,
    sizes: { file: 5000, active: 4000, external: 3000 },
    update_seq: `12-${'g1AAAACTeJzLYWBg'.repeat(8)}`,
    props: {},
    compact_running: false,
    cluster: { q: 2, n: 1, w: 1, r: 1 },
  };
}
