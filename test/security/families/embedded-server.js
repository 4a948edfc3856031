// Attacks on the embedded server while it runs: every kind of function over HTTP, with and without its secret, as a page of another site would send
// it and as the program itself does. No function runs outside of the sandbox, and without the secret nothing is answered.

import { existsSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { HOSTILE_KINDS, HOSTILE_WAYS, reachBy } from '../../../fixtures/hostile/functions.js';
import { openEmbedded } from '../../../lib/measure/servers/embedded.js';

/** @import { HostileKind } from '../../../fixtures/hostile/functions.js' */
/** @import { Server } from '../../../lib/measure/servers/server.js' */
/** @import { Attempt, Family } from '../attack.js' */

/** @typedef {{method: string, path: string, body?: string, headers?: Record<string, string>}} Sent */
/** @typedef {{status: number, text: string, headers: http.IncomingHttpHeaders}} Got */

const DATABASE = 'couch-advisor-scratch-attack-1';
const DOCUMENT = { _id: 'order-1', customer: 'ada', total: 5 };
/** An answer takes no longer, in milliseconds. */
const TIMEOUT = 20_000;
const JSON_TYPE = { 'content-type': 'application/json' };

/** @type {Family} */
export const embeddedServer = {
  id: 'embedded-server',
  about:
    'The embedded server runs no function outside of the sandbox, and answers no request without the secret of the run',
  least: { short: 150, full: 600 },
  async *attack({ folder, isFull }) {
    const marker = path.join(folder, 'stolen');
    const server = await openEmbedded();
    try {
      await prepare(server);
      yield* attackFromOutside(server, marker, isFull ? HOSTILE_KINDS : ['map', 'filter']);
      yield* attackFromInside(server, marker, isFull ? HOSTILE_WAYS : HOSTILE_WAYS.slice(0, 4));
      yield* attackWithBodies(server, isFull);
      yield { name: 'the server still answers', failure: await failureOfHealth(server) };
    } finally {
      await server.close();
    }
  },
};

/** @param {Server} server @param {Sent} sent @returns {Promise<Got>} status 0 where the connection was cut */
function send({ origin }, { method, path: target, body, headers = {} }) {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const lost = () => resolve({ status: 0, text: '', headers: {} });
    const request = http.request({ hostname, port, method, path: target, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
      response.on('error', lost);
    });
    request.on('error', lost);
    // What takes longer has no end.
    request.setTimeout(TIMEOUT, () => request.destroy());
    request.end(body);
  });
}

/** @param {Server} server */
async function prepare(server) {
  const headers = { ...server.headers, ...JSON_TYPE };
  const made = await send(server, { method: 'PUT', path: `/${DATABASE}`, headers });
  const put = await send(server, {
    method: 'PUT',
    path: `/${DATABASE}/${DOCUMENT._id}`,
    headers,
    body: JSON.stringify(DOCUMENT),
  });
  if (made.status !== 201 || put.status !== 201) throw new Error(`nothing can be attacked: ${made.text} ${put.text}`);
}

/** @param {string} text @param {string} marker */
function failureOfEscape(text, marker) {
  if (existsSync(marker)) return 'a file was written';
  return text.includes('reached the host') ? 'the process was reached' : undefined;
}

/** @param {Server} server */
async function failureOfHealth(server) {
  const { status, text } = await send(server, {
    method: 'GET',
    path: `/${DATABASE}/${DOCUMENT._id}`,
    headers: server.headers,
  });
  return status === 200 && JSON.parse(text).total === 5 ? undefined : `it answers ${status}`;
}

/**
 * Headers of senders that do not know the secret, and of web pages that do.
 * @param {Server} server
 * @returns {[name: string, headers: Record<string, string>, statuses: number[]][]} what is allowed as an answer
 */
function strangers({ origin, headers }) {
  const { host, port } = new URL(origin);
  const wrong = `Basic ${Buffer.from('couch-advisor:0000').toString('base64')}`;
  const [[name, right] = ['authorization', 'Basic x']] = Object.entries(headers);
  return [
    ['without the secret', { ...JSON_TYPE }, [401]],
    ['as a form of a page', { 'content-type': 'text/plain' }, [401]],
    ['with another secret', { ...JSON_TYPE, authorization: wrong }, [401]],
    ['with a part of the secret', { ...JSON_TYPE, [name]: right.slice(0, -4) }, [401]],
    ['with an empty secret', { ...JSON_TYPE, authorization: 'Basic ' }, [401]],
    ['with a bearer token', { ...JSON_TYPE, authorization: `Bearer ${right}` }, [401]],
    ['with the secret in a cookie', { ...JSON_TYPE, cookie: `AuthSession=${right}` }, [401]],
    ['under another host', { ...JSON_TYPE, ...headers, host: `evil.example:${port}` }, [403, 421]],
    ['under the name localhost.evil.example', { ...JSON_TYPE, ...headers, host: 'localhost.evil.example' }, [403, 421]],
    ['under another port', { ...JSON_TYPE, ...headers, host: '127.0.0.1:80' }, [403, 421]],
    ['from another site', { ...JSON_TYPE, ...headers, origin: 'https://evil.example' }, [403]],
    ['from no site', { ...JSON_TYPE, ...headers, origin: 'null' }, [403]],
    ['from a page of its own', { ...JSON_TYPE, ...headers, origin: `http://${host}` }, [403]],
    ['from a page, by what browsers add', { ...JSON_TYPE, ...headers, 'sec-fetch-site': 'cross-site' }, [403]],
  ];
}

/**
 * @param {Server} server
 * @param {string} marker
 * @param {readonly HostileKind[]} kinds
 * @returns {AsyncIterable<Attempt>}
 */
async function* attackFromOutside(server, marker, kinds) {
  const way = "first.constructor.constructor('return process')()";
  let number = 0;
  for (const [who, headers, statuses] of strangers(server)) {
    for (const kind of kinds) {
      const name = `${kind} ${who}`;
      number += 1;
      let text = '';
      /** @type {string | undefined} */
      let failure;
      for (const sent of requestsFor(kind, reachBy(kind, way).replaceAll('MARKER', marker), `outside-${number}`)) {
        const got = await send(server, { ...sent, headers: { ...headers } });
        text += got.text;
        if (!statuses.includes(got.status)) failure ??= `${sent.method} ${sent.path} is answered ${got.status}`;
        if (Object.keys(got.headers).some((header) => header.startsWith('access-control-')))
          failure ??= 'CORS is granted';
      }
      yield { name, failure: failure ?? failureOfEscape(text, marker) };
    }
    for (const path of [
      '/',
      '/_all_dbs',
      `/${DATABASE}`,
      `/${DATABASE}/${DOCUMENT._id}`,
      '/_session',
      '//evil.example/',
    ]) {
      const { status } = await send(server, { method: 'GET', path, headers: { ...headers } });
      yield { name: `GET ${path} ${who}`, failure: statuses.includes(status) ? undefined : `is answered ${status}` };
    }
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
    const headers = { ...server.headers, ...(type === '' ? {} : { 'content-type': type }) };
    const { status } = await send(server, { method: 'POST', path: `/${DATABASE}`, headers, body: '{"stock":1}' });
    yield { name: `a body of the type "${type}"`, failure: status === 415 ? undefined : `is answered ${status}` };
  }
  for (const method of ['OPTIONS', 'TRACE', 'PATCH', 'COPY', 'PROPFIND']) {
    const got = await send(server, { method, path: `/${DATABASE}`, headers: { ...server.headers, ...JSON_TYPE } });
    const allows = Object.keys(got.headers).some((header) => header.startsWith('access-control-'));
    yield { name: method, failure: got.status === 405 && !allows ? undefined : `is answered ${got.status}` };
  }
}

/**
 * What saves a function of this kind and has it run, as CouchDB does or as PouchDB would.
 * @param {HostileKind} kind
 * @param {string} source
 * @param {string} id of the design document
 * @returns {Sent[]}
 */
function requestsFor(kind, source, id) {
  const views = { rows: { map: 'function (doc) { emit(doc.customer, doc.total); }' } };
  const get = (/** @type {string} */ target) => ({ method: 'GET', path: `/${DATABASE}/${target}` });
  const post = (/** @type {string} */ target, /** @type {unknown} */ body) => ({
    method: 'POST',
    path: `/${DATABASE}/${target}`,
    body: JSON.stringify(body),
  });
  /** @param {object} members @param {string} [name] @returns {Sent[]} the ways in which a design document is saved */
  const save = (members, name = id) => [
    { method: 'PUT', path: `/${DATABASE}/_design/${name}`, body: JSON.stringify({ views, ...members }) },
    post('', { _id: `_design/${name}-post`, views, ...members }),
    post('_bulk_docs', { docs: [{ _id: `_design/${name}-bulk`, views, ...members }] }),
    post('_bulk_docs', { new_edits: false, docs: [{ _id: `_design/${name}-edit`, _rev: '1-abc', views, ...members }] }),
  ];
  const names = [id, `${id}-post`, `${id}-bulk`, `${id}-edit`];
  const each = (/** @type {(name: string) => Sent[]} */ send) => names.flatMap(send);
  switch (kind) {
    case 'map':
      return [
        ...save({
          views: { rows: { map: source }, query: { map: { fields: { [source]: 'asc' } }, options: { def: {} } } },
        }),
        ...each((name) => [
          get(`_design/${name}/_view/rows`),
          get(`_changes?filter=_view&view=${name}/rows`),
          get(`_changes?view=${name}/rows`),
        ]),
        post('_temp_view', { map: source }),
        post(`_design/${id}/_view/rows`, { map: source, keys: ['ada'] }),
        post('_changes?filter=_view', { view: `${id}/rows` }),
      ];
    case 'reduce':
      return [
        ...save({ views: { rows: { ...views.rows, reduce: source } } }),
        ...each((name) => [get(`_design/${name}/_view/rows`), get(`_design/${name}/_view/rows?group=true`)]),
        post(`_design/${id}/_view/rows`, { reduce: source, group: true }),
      ];
    case 'filter':
      return [
        ...save({ filters: { mine: source } }),
        ...each((name) => [get(`_changes?filter=${name}/mine`), get(`_changes?filter=${name}%2Fmine&feed=continuous`)]),
        post(`_changes?filter=${id}/mine`, { selector: {} }),
        post('_changes', { filter: `${id}/mine` }),
        post('_changes?filter=_selector', { selector: { $where: source, total: { $where: source } } }),
        {
          method: 'POST',
          path: '/_replicate',
          body: JSON.stringify({ source: DATABASE, target: 'x', filter: `${id}/mine` }),
        },
      ];
    case 'validate':
      return [
        ...save({ validate_doc_update: source }),
        post('', { stock: 1 }),
        post('_bulk_docs', { docs: [{ stock: 2 }] }),
      ];
    case 'update':
      return [
        ...save({ updates: { mine: source } }),
        ...each((name) => [
          post(`_design/${name}/_update/mine`, {}),
          { method: 'PUT', path: `/${DATABASE}/_design/${name}/_update/mine/order-1`, body: '{}' },
        ]),
      ];
    case 'show':
      return [
        ...save({ shows: { mine: source }, rewrites: source }),
        ...each((name) => [
          get(`_design/${name}/_show/mine/order-1`),
          get(`_design/${name}/_show/mine`),
          get(`_design/${name}/_rewrite/x`),
        ]),
      ];
    case 'rewrite':
      return [...save({ rewrites: source }), ...each((name) => [get(`_design/${name}/_rewrite/x`)])];
    case 'list':
      return [
        ...save({ lists: { mine: source } }),
        ...each((name) => [
          get(`_design/${name}/_list/mine/rows`),
          post(`_design/${name}/_list/mine/rows`, { keys: ['ada'] }),
        ]),
      ];
    case 'library':
      return [
        ...save({
          views: {
            lib: { mine: source },
            rows: { map: "function (doc) { emit(require('views/lib/mine').found, 1); }" },
          },
        }),
        ...each((name) => [get(`_design/${name}/_view/rows`)]),
      ];
  }
}

/** Kinds that the embedded server does not run, and what saves or runs one is refused with. */
const REFUSED = new Set(['filter', 'validate', 'update', 'show', 'list']);

/**
 * @param {Server} server
 * @param {string} marker
 * @param {readonly (readonly [string, string])[]} ways
 * @returns {AsyncIterable<Attempt>}
 */
async function* attackFromInside(server, marker, ways) {
  const headers = { ...server.headers, ...JSON_TYPE };
  let number = 0;
  for (const kind of HOSTILE_KINDS) {
    for (const [way, expression] of ways) {
      number += 1;
      const source = reachBy(kind, expression).replaceAll('MARKER', marker);
      let text = '';
      let isRefused = false;
      for (const sent of requestsFor(kind, source, `inside-${number}`)) {
        const got = await send(server, { ...sent, headers });
        text += got.text;
        isRefused ||= got.status === 501 && JSON.parse(got.text).reason.includes('embedded server');
      }
      const failure = failureOfEscape(text, marker);
      yield {
        name: `${kind} by ${way}`,
        failure: failure ?? (REFUSED.has(kind) && !isRefused ? 'it is not refused' : undefined),
      };
    }
  }
}

/**
 * @param {Server} server
 * @param {boolean} isFull
 * @returns {AsyncIterable<Attempt>}
 */
async function* attackWithBodies(server, isFull) {
  const headers = { ...server.headers, ...JSON_TYPE };
  const deep = isFull ? 200_000 : 20_000;
  /** @type {[name: string, method: string, path: string, body: string][]} */
  const bodies = [
    [
      'members called __proto__',
      'POST',
      '',
      '{"_id":"proto-1","__proto__":{"polluted":1},"a":{"__proto__":{"polluted":1}}}',
    ],
    ['options called __proto__', 'POST', '/_all_docs', '{"__proto__":{"include_docs":true},"keys":["order-1"]}'],
    ['constructor.prototype', 'POST', '', '{"_id":"proto-2","constructor":{"prototype":{"polluted":1}}}'],
    [
      'documents called __proto__',
      'POST',
      '/_bulk_docs',
      '{"docs":[{"_id":"__proto__"},{"_id":"constructor"},{"_id":"hasOwnProperty"}]}',
    ],
    ['a list', 'POST', '', '[]'],
    ['null', 'POST', '/_bulk_docs', 'null'],
    ['a number', 'POST', '/_find', '7'],
    ['documents that are none', 'POST', '/_bulk_docs', '{"docs":{"length":1e9}}'],
    ['keys that are none', 'POST', '/_all_docs', '{"keys":"x"}'],
    [
      'options of a feed that never ends',
      'POST',
      '/_changes?live=true&continuous=true&feed=continuous&timeout=1e9',
      '{}',
    ],
    ['deep nesting', 'POST', '', `{"_id":"deep","a":${'['.repeat(deep)}${']'.repeat(deep)}}`],
    ['cut JSON', 'POST', '', '{"_id":"cut'],
    ['no UTF-8', 'POST', '', '{"_id":"\ud800"}'],
    ['a path with a broken escape', 'GET', '/%E0%A4%A', ''],
    ['a path that climbs', 'GET', '/../../etc/passwd', ''],
    ['a database called __proto__', 'PUT', '/../__proto__', ''],
    ['a database that is none of ours', 'PUT', '/../orders', ''],
    ['a database outside of the folder', 'PUT', '/../..%2F..%2Ftmp%2Fstolen', ''],
    ['an option that is no JSON', 'GET', '/_all_docs?limit={', ''],
    [
      'an index with a function',
      'POST',
      '/_index',
      '{"index":{"fields":["a"],"partial_filter_selector":{"$where":"process.exit()"}}}',
    ],
    ['a broken pattern', 'POST', '/_find', '{"selector":{"customer":{"$regex":"("}}}'],
  ];
  for (const [name, method, target, body] of bodies) {
    const path = `/${DATABASE}${target}`.replace(/^\/[^/]+\/\.\.\//, '/');
    const got = await send(server, { method, path, headers, ...(body === '' ? {} : { body }) });
    const isAnswered = got.status !== 0 && !/\n\s+at /.test(got.text);
    const wasMade = method === 'PUT' && got.status < 300;
    yield {
      name,
      failure: !isAnswered ? `is answered ${got.status}` : wasMade ? 'it was made' : await failureOfHealth(server),
    };
  }
  const large = 80 * 1024 * 1024;
  for (const [name, given] of /** @type {const} */ ([
    ['with the secret', headers],
    ['without the secret', JSON_TYPE],
  ])) {
    const status = await sendEndlessly(server, given, large);
    const isRefused = status === 413 || status === 401 || status === 0;
    yield {
      name: `a body of ${large} bytes ${name}`,
      failure: isRefused ? await failureOfHealth(server) : `is answered ${status}`,
    };
  }
}

/**
 * @param {Server} server
 * @param {Record<string, string>} headers
 * @param {number} bytes
 * @returns {Promise<number>} the status; 0 where the connection was cut
 */
function sendEndlessly({ origin }, headers, bytes) {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const request = http.request({ hostname, port, method: 'POST', path: `/${DATABASE}`, headers, agent: false });
    const part = Buffer.alloc(1024 * 1024, 32);
    let sent = 0;
    const write = () => {
      while (sent < bytes && !request.destroyed) {
        sent += part.length;
        if (!request.write(part)) {
          request.once('drain', write);
          return;
        }
      }
      request.end();
    };
    request.on('response', (response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    request.on('error', () => resolve(0));
    write();
  });
}
