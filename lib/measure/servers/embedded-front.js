// Serves CouchDB's paths over PouchDB, as far as experiments use them, with responses in CouchDB's shapes. What would
// run a function anywhere except in the sandbox is refused.

import { isScratchName } from './scratch-name.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Guard } from './embedded-process.js' */

/** @typedef {PouchDatabase} Pouch */
/** @typedef {{method: string, rest: string[], query: Record<string, any>, body: any}} DatabaseRequest `rest`: the path below the database */
/** @typedef {{status: number, body: unknown, closes?: boolean}} Reply `closes`: the rest of the request is not read */

/** Longer bodies are refused, in bytes: batches of experiments are far smaller. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Options whose value in a query is JSON. */
const JSON_OPTIONS = new Set(
  (
    'conflicts descending endkey end_key group group_level include_docs inclusive_end key keys limit reduce revs skip ' +
    'startkey start_key update_seq'
  ).split(' '),
);
/** Options whose value is a word. PouchDB has more, which run functions, never end or return other types: they are not passed on. */
const WORD_OPTIONS = new Set(['since', 'style', 'rev']);

/** Members of a design document that hold functions other than views: CouchDB runs them, PouchDB does not or not in a sandbox. */
const FUNCTION_MEMBERS = ['filters', 'lists', 'rewrites', 'shows', 'updates', 'validate_doc_update'];
/** What runs them, below a design document. */
const FUNCTION_PATHS = new Set(['_list', '_rewrite', '_show', '_update']);
/** Filters of `_changes` that are not functions. */
const BUILTIN_FILTERS = new Set(['_doc_ids', '_selector']);

/**
 * @param {(name: string) => Pouch} open makes or opens a database
 * @param {Guard} guard
 * @returns {(request: IncomingMessage, response: ServerResponse) => Promise<void>}
 */
export function createFront(open, guard) {
  /** @type {Map<string, Pouch>} */
  const databases = new Map();
  return async (request, response) => {
    const reply = guard(request) ?? (await answer(request, databases, open).catch(failureOf));
    const text = `${JSON.stringify(reply.body)}\n`;
    response.writeHead(reply.status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      ...(reply.closes ? { connection: 'close' } : {}),
    });
    response.end(text);
  };
}

/**
 * @param {IncomingMessage} request
 * @param {Map<string, Pouch>} databases
 * @param {(name: string) => Pouch} open
 * @returns {Promise<Reply>}
 */
async function answer(request, databases, open) {
  const { method = 'GET', url = '/' } = request;
  const { path, query } = readTarget(url);
  const [database = '', ...rest] = path;
  const body = await readBody(request);
  if (database === '')
    return replyWith(200, { couchdb: 'Welcome', vendor: { name: 'couch-advisor, embedded PouchDB' } });
  if (database === '_all_dbs') return replyWith(200, [...databases.keys()].sort());
  if (database.startsWith('_')) return notFound();
  const pouch = databases.get(database);
  if (rest.length === 0 && method === 'PUT') {
    if (pouch) throw failure(412, 'file_exists', 'The database could not be created, the file already exists.');
    if (!isScratchName(database))
      throw failure(400, 'illegal_database_name', 'it is not the name of a scratch database');
    databases.set(database, open(database));
    return replyWith(201, { ok: true });
  }
  if (!pouch) throw failure(404, 'not_found', 'Database does not exist.');
  if (rest.length === 0 && method === 'DELETE') {
    databases.delete(database);
    await pouch.destroy();
    return replyWith(200, { ok: true });
  }
  return answerInDatabase(pouch, { method, rest, query, body });
}

/**
 * @param {Pouch} pouch
 * @param {DatabaseRequest} request
 * @returns {Promise<Reply>}
 */
async function answerInDatabase(pouch, { method, rest, query, body }) {
  const [first = '', second = '', third = '', fourth = ''] = rest;
  if (first === '') {
    return method === 'GET'
      ? replyWith(200, await pouch.info())
      : replyWith(201, await pouch.post(checkDocument(body)));
  }
  if (first === '_bulk_docs') {
    const docs = expectList(body, 'docs').map(checkDocument);
    return replyWith(201, await pouch.bulkDocs(docs, { new_edits: body.new_edits !== false }));
  }
  const options = { ...query, ...pickOptions(body) };
  if (first === '_all_docs') return replyWith(200, await pouch.allDocs(options));
  if (first === '_bulk_get') return replyWith(200, await pouch.bulkGet({ ...options, docs: expectList(body, 'docs') }));
  if (first === '_find') return replyWith(200, await pouch.find(expectObject(body)));
  if (first === '_index' && method === 'POST') return replyWith(200, await pouch.createIndex(expectObject(body)));
  if (first === '_index') return replyWith(200, await pouch.getIndexes());
  if (first === '_changes') return replyWith(200, await pouch.changes({ ...options, ...readFilter(query, body) }));
  if (first === '_temp_view' && method === 'POST') {
    return replyWith(200, await pouch.query(expectMap(body), query));
  }
  if (first === '_ensure_full_commit') return replyWith(201, { ok: true });
  if (first === '_design' && third === '_view')
    return replyWith(200, await pouch.query(`${second}/${fourth}`, options));
  // PouchDB does not know how large an index is.
  if (first === '_design' && third === '_info') return replyWith(200, { name: second, view_index: { sizes: {} } });
  if (first === '_design' && FUNCTION_PATHS.has(third)) throw notRun(`\`${third}\``);
  const isNested = first === '_design' || first === '_local';
  if (rest.length > (isNested ? 2 : 1) || (first.startsWith('_') && !isNested)) return notFound();
  const id = isNested ? `${first}/${second}` : first;
  if (method === 'PUT') return replyWith(201, await pouch.put(checkDocument({ ...expectObject(body), _id: id })));
  if (method === 'DELETE') return replyWith(200, await pouch.remove(id, query['rev']));
  return replyWith(200, await pouch.get(id, query));
}

/**
 * @param {unknown} given
 * @returns {object}
 * @throws {Error} where it is a design document with functions that this server does not run
 */
function checkDocument(given) {
  const document = expectObject(given);
  const { _id: id } = /** @type {{_id?: unknown}} */ (document);
  if (typeof id !== 'string' || !id.startsWith('_design/')) return document;
  const member = FUNCTION_MEMBERS.find((name) => Object.hasOwn(document, name));
  if (member !== undefined) throw notRun(`\`${member}\``);
  return document;
}

/**
 * @param {Record<string, any>} query
 * @param {any} body
 * @returns {object} options of `changes`
 * @throws {Error} where the filter is a function
 */
function readFilter({ filter, view }, body) {
  if (view !== undefined || (filter !== undefined && !BUILTIN_FILTERS.has(filter))) {
    throw notRun('a filter function', 'use `filter=_selector`');
  }
  if (filter === '_doc_ids') return { doc_ids: expectList(body, 'doc_ids') };
  if (filter === '_selector') return { selector: expectObject(body?.selector) };
  return {};
}

/**
 * @param {string} url of a request
 * @returns {{path: string[], query: Record<string, any>}} `query` has also `filter` and `view`, which are no options of PouchDB's
 */
function readTarget(url) {
  const { pathname, searchParams } = new URL(url, 'http://embedded');
  try {
    const path = pathname.split('/').slice(1).map(decodeURIComponent);
    const entries = [...searchParams].map(([name, value]) => [
      name,
      JSON_OPTIONS.has(name) ? parse(name, value) : value,
    ]);
    const [filter, view] = [searchParams.get('filter') ?? undefined, searchParams.get('view') ?? undefined];
    return {
      path,
      query: { ...pickOptions(Object.fromEntries(entries)), ...(filter && { filter }), ...(view && { view }) },
    };
  } catch (error) {
    if (error instanceof URIError) throw failure(400, 'bad_request', 'the path is not valid UTF-8');
    throw error;
  }
}

/** @param {unknown} given @returns {Record<string, any>} what PouchDB is given of it */
function pickOptions(given) {
  if (typeof given !== 'object' || given === null) return {};
  return Object.fromEntries(Object.entries(given).filter(([name]) => JSON_OPTIONS.has(name) || WORD_OPTIONS.has(name)));
}

/** @param {string} name @param {string} text @returns {unknown} */
function parse(name, text) {
  try {
    return JSON.parse(text);
  } catch {
    throw failure(400, 'query_parse_error', `Invalid value for ${name}: ${text.slice(0, 100)}`);
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
    if (size > MAX_BYTES) throw Object.assign(failure(413, 'too_large', 'the request is too large'), { closes: true });
    chunks.push(chunk);
  }
  if (size === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw failure(400, 'bad_request', 'invalid UTF-8 JSON');
  }
}

/** @param {unknown} given @returns {object} */
function expectObject(given) {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
  throw failure(400, 'bad_request', 'must be an object');
}

/** @param {any} body @returns {{map: string, reduce?: string}} of a temporary view, as text: it runs in the sandbox */
function expectMap(body) {
  const { map, reduce } = /** @type {{map?: unknown, reduce?: unknown}} */ (expectObject(body));
  if (typeof map === 'string' && (reduce === undefined || typeof reduce === 'string')) {
    return { map, ...(reduce === undefined ? {} : { reduce }) };
  }
  throw failure(400, 'bad_request', '`map` and `reduce` must be strings');
}

/** @param {any} body @param {string} name @returns {any[]} */
function expectList(body, name) {
  if (Array.isArray(body?.[name])) return body[name];
  throw failure(400, 'bad_request', `\`${name}\` must be an array`);
}

/** @param {string} what @param {string} [instead] */
function notRun(what, instead = 'use a CouchDB with --url') {
  return failure(501, 'not_implemented', `the embedded server does not run ${what}: ${instead}`);
}

/** @param {number} status @param {string} name @param {string} reason */
function failure(status, name, reason) {
  return Object.assign(new Error(reason), { status, name });
}

/**
 * @param {any} error of PouchDB, or one of ours
 * @returns {Reply}
 */
function failureOf(error) {
  const status = Number.isInteger(error?.status) && error.status >= 400 ? error.status : 500;
  const body = {
    error: String(error?.name ?? 'error'),
    reason: String(error?.reason ?? error?.message ?? error),
  };
  return { status, body, closes: error?.closes === true };
}

/** @returns {Reply} */
function notFound() {
  return replyWith(404, { error: 'not_found', reason: 'missing' });
}

/** @param {number} status @param {unknown} body @returns {Reply} */
function replyWith(status, body) {
  return { status, body };
}
