// CouchDB's paths over PouchDB, as far as experiments use them: requests in, answers in CouchDB's shapes out.

/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/** @typedef {PouchDatabase} Pouch */
/** @typedef {{method: string, database: string, rest: string[], query: Record<string, any>, body: any}} Asked */
/** @typedef {{status: number, body: unknown}} Told */

/** Longer bodies are refused, in bytes: batches of experiments are far smaller. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Parameters that are JSON; others are words, as those for filter functions are. */
const JSON_PARAMETERS = new Set(
  (
    'attachments conflicts descending endkey end_key group group_level include_docs inclusive_end key keys limit reduce ' +
    'revs skip startkey start_key update_seq'
  ).split(' '),
);

/**
 * @param {(name: string) => Pouch} open makes or opens a database
 * @returns {(request: IncomingMessage, response: ServerResponse) => Promise<void>}
 */
export function createFront(open) {
  /** @type {Map<string, Pouch>} */
  const databases = new Map();
  return async (request, response) => {
    const { status, body } = await answer(request, databases, open).catch(failureOf);
    const text = `${JSON.stringify(body)}\n`;
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  };
}

/**
 * @param {IncomingMessage} request
 * @param {Map<string, Pouch>} databases
 * @param {(name: string) => Pouch} open
 * @returns {Promise<Told>}
 */
async function answer(request, databases, open) {
  const { method = 'GET', url = '/' } = request;
  const { pathname, searchParams } = new URL(url, 'http://embedded');
  const [database = '', ...rest] = pathname.split('/').slice(1).map(decodeURIComponent);
  const body = await readBody(request);
  if (database === '') return told(200, { couchdb: 'Welcome', vendor: { name: 'couch-advisor, embedded PouchDB' } });
  if (database === '_all_dbs') return told(200, [...databases.keys()].sort());
  if (database.startsWith('_')) return notFound();
  const pouch = databases.get(database);
  if (rest.length === 0 && method === 'PUT') {
    if (pouch)
      return told(412, { error: 'file_exists', reason: 'The database could not be created, the file already exists.' });
    databases.set(database, open(database));
    return told(201, { ok: true });
  }
  if (!pouch) return told(404, { error: 'not_found', reason: 'Database does not exist.' });
  if (rest.length === 0 && method === 'DELETE') {
    databases.delete(database);
    await pouch.destroy();
    return told(200, { ok: true });
  }
  return answerInDatabase(pouch, { method, database, rest, query: readQuery(searchParams), body });
}

/**
 * @param {Pouch} pouch
 * @param {Asked} asked
 * @returns {Promise<Told>}
 */
async function answerInDatabase(pouch, { method, rest, query, body }) {
  const [first = '', second = '', third = '', fourth = ''] = rest;
  if (first === '') return method === 'GET' ? told(200, await pouch.info()) : told(201, await pouch.post(body));
  if (first === '_bulk_docs')
    return told(201, await pouch.bulkDocs(body.docs, { new_edits: body.new_edits !== false }));
  if (first === '_all_docs') return told(200, await pouch.allDocs({ ...query, ...body }));
  if (first === '_bulk_get') return told(200, await pouch.bulkGet({ ...query, docs: body.docs }));
  if (first === '_find') return told(200, await pouch.find(body));
  if (first === '_index' && method === 'POST') return told(200, await pouch.createIndex(body));
  if (first === '_index') return told(200, await pouch.getIndexes());
  if (first === '_changes') return told(200, await pouch.changes({ ...query, ...readChanges(query, body) }));
  if (first === '_ensure_full_commit') return told(201, { ok: true });
  if (first === '_design' && third === '_view')
    return told(200, await readView(pouch, `${second}/${fourth}`, query, body));
  // PouchDB does not tell how large an index is.
  if (first === '_design' && third === '_info') return told(200, { name: second, view_index: { sizes: {} } });
  const isNested = first === '_design' || first === '_local';
  if (rest.length > (isNested ? 2 : 1) || (first.startsWith('_') && !isNested)) return notFound();
  const id = isNested ? `${first}/${second}` : first;
  if (method === 'PUT') return told(201, await pouch.put({ ...body, _id: id }));
  if (method === 'DELETE') return told(200, await pouch.remove(id, query['rev']));
  return told(200, await pouch.get(id, query));
}

/**
 * @param {Pouch} pouch
 * @param {string} view `designDoc/view`
 * @param {Record<string, any>} query
 * @param {any} body
 * @returns {Promise<unknown>}
 */
async function readView(pouch, view, query, body) {
  const { update: _, stable: __, stale: ___, ...options } = { ...query, ...body };
  return pouch.query(view, options);
}

/**
 * @param {Record<string, any>} query
 * @param {any} body
 * @returns {Record<string, unknown>} PouchDB takes a selector without being told that it is the filter
 */
function readChanges(query, body) {
  const selector = query['filter'] === '_selector' ? { selector: body?.selector, filter: undefined } : {};
  return { ...selector, since: query['since'] ?? 0, query_params: query };
}

/**
 * @param {URLSearchParams} parameters
 * @returns {Record<string, any>}
 */
function readQuery(parameters) {
  /** @type {[string, unknown][]} */
  const entries = [...parameters].map(([name, value]) => [name, JSON_PARAMETERS.has(name) ? parse(value) : value]);
  return Object.fromEntries(entries);
}

/**
 * @param {string} text
 * @returns {unknown}
 */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw Object.assign(new Error(`Invalid value: ${text}`), { status: 400, name: 'query_parse_error' });
  }
}

/**
 * @param {IncomingMessage} request
 * @returns {Promise<any>} undefined where there is none
 */
async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MOST_BYTES)
      throw Object.assign(new Error('the request is too large'), { status: 413, name: 'too_large' });
    chunks.push(chunk);
  }
  if (size === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw Object.assign(new Error('invalid UTF-8 JSON'), { status: 400, name: 'bad_request' });
  }
}

/**
 * @param {any} error of PouchDB, or one of ours
 * @returns {Told}
 */
function failureOf(error) {
  const status = Number.isInteger(error?.status) && error.status >= 400 ? error.status : 500;
  return told(status, {
    error: String(error?.name ?? 'error'),
    reason: String(error?.reason ?? error?.message ?? error),
  });
}

/** @returns {Told} */
function notFound() {
  return told(404, { error: 'not_found', reason: 'missing' });
}

/** @param {number} status @param {unknown} body @returns {Told} */
function told(status, body) {
  return { status, body };
}
