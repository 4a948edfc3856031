// Attacks by malicious and broken servers, on every command that takes an address: each run ends in a clear error,
// within a time and a size; no credentials are sent to another server.

import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { together } from '../attack.js';
import { SHOP, startShop } from '../couchdb-stand-in.js';
import { HOSTILE_NAMES, writeFiles } from '../hostile-project.js';
import { inspectRun, inspectTerminal } from '../inspect.js';
import { MAX_ADDED_BYTES, runAndWatch } from '../peak-memory.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Ended } from '../inspect.js' */
/** @import { Attempt, Family } from '../attack.js' */

/** @typedef {(response: ServerResponse, request: IncomingMessage, elsewhere: string) => void} Fault */

const PASSWORD = 's3cret-of-the-shop';
const ENCODED = Buffer.from(`admin:${PASSWORD}`).toString('base64');
/** A run that takes longer has no end, in milliseconds: the longest limit is 300 s for a request that manages a database. */
const MAX_MS = 900_000;
/** What these commands take with an honest server, in bytes: 90 to 140 MiB, and more with a thousand databases. */
const BASE_BYTES = 200 * 1024 * 1024;
const MAP = "function (doc) {\n  if (typeof doc.total === 'number') emit(doc.customer, doc);\n}";

/** The stand-in takes no other names. */
const DESIGN_DOC = { _id: '_design/orders', views: { rows: { map: MAP } } };

/** @type {Family} */
export const servers = {
  id: 'servers',
  about:
    'Servers that refuse, redirect, cut, flood or stop in the middle end in a clear error; credentials follow no redirect',
  least: { short: 80, full: 1000 },
  async *attack({ folder, isFull }) {
    const all = plan(isFull).map((one, number) => ({ ...one, cwd: path.join(folder, `shop-${number}`) }));
    /** Moments that runs of a command do not reach. @type {Set<string>} */
    const unreached = new Set();
    const make = (/** @type {typeof all} */ planned) =>
      planned.map((one) => async () => {
        const moment = `${one.command} ${one.moment}`;
        if (unreached.has(moment)) return undefined;
        const made = await attempt(one);
        if (!made) unreached.add(moment);
        return made;
      });
    // Those that wait for an answer need no processor.
    yield* together(
      { attempts: make(all.filter(({ isSlow }) => isSlow)), limit: 20 },
      { attempts: make(all.filter(({ isSlow }) => !isSlow)), limit: 2 * os.availableParallelism() },
    );
  },
};

/** @typedef {{name: string, fault: Fault, moment: string, isReached: Moment, command: string, argv: string[], isSlow: boolean, isSilenceWrong: boolean}} Planned */

/** @param {boolean} isFull @returns {Planned[]} every fault, with every command, from every moment on */
function plan(isFull) {
  const commands = isFull ? COMMANDS : COMMANDS.slice(0, 2);
  const moments = isFull ? MOMENTS : MOMENTS.slice(0, 1);
  return Object.entries(FAULTS).flatMap(([about, fault]) =>
    commands.flatMap(([command, argv]) =>
      moments.flatMap(([moment, isReached]) => {
        const writes = command === 'confirm' || command === 'bench';
        const isSlow = SLOW.has(about);
        if (!isFull && isSlow) return [];
        if (moment === 'for writes' && !writes) return [];
        // Answers of experiments may take minutes, so that such a server is only waited for at the beginning.
        if (moment !== 'from the start' && isSlow && writes) return [];
        const isSilenceWrong = UNREAD.has(about) && command.startsWith('lint');
        const name = `${about} ${moment}: ${command}`;
        return [{ name, fault, moment, isReached, command, argv, isSlow, isSilenceWrong }];
      }),
    ),
  );
}

/** Whether a fault begins at a request. @typedef {(answered: number, method: string) => boolean} Moment */

/** @type {[name: string, isReached: Moment][]} */
const MOMENTS = [
  ['from the start', () => true],
  ['behind 2 answers', (answered) => answered > 2],
  ['behind 5 answers', (answered) => answered > 5],
  ['behind 8 answers', (answered) => answered > 8],
  ['behind 12 answers', (answered) => answered > 12],
  ['for writes', (_, method) => method === 'PUT' || method === 'DELETE'],
];

/** @type {[name: string, argv: string[]][]} */
const COMMANDS = [
  ['lint', ['lint', '--url', 'URL', '--rate', '1000', '--verbose']],
  ['confirm --clean', ['confirm', '--clean', '--url', 'URL']],
  ['lint of a database', ['lint', '--url', `URL/${SHOP}`, '--record', 'answers.jsonl', '--rate', '1000', '--verbose']],
  ['confirm', ['confirm', 'orders.json', '--url', 'URL', '--yes', '--max-docs', '100', '--runs', '1', '--budget', '1']],
  ['bench', ['bench', 'include-docs', '--url', 'URL', '--yes', '--size', '1000', '--rounds', '1']],
];

/** @param {number} status @param {string} text @param {Record<string, string>} [headers] @returns {Fault} */
const answer =
  (status, text, headers = {}) =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(text);
  };

/** @param {string} text written to the connection as it is @param {boolean} [closes] @returns {Fault} */
const raw =
  (text, closes = true) =>
  (response) => {
    response.socket?.write(text, 'latin1');
    if (closes) response.socket?.end();
  };

/** @param {string} part @returns {Fault} writes it as often as it is taken */
const flood = (part) => (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = part.repeat(Math.ceil(65_536 / part.length));
  const write = () => {
    while (!response.destroyed) {
      if (!response.write(chunk)) {
        response.once('drain', write);
        return;
      }
    }
  };
  response.on('error', () => {});
  write();
};

/** @param {string} head @param {string} part written to the connection as often as it is taken @param {number} [pause] between parts, in milliseconds @returns {Fault} */
const endless =
  (head, part, pause = 0) =>
  (response) => {
    const { socket } = response;
    if (!socket) return;
    socket.on('error', () => {});
    socket.write(head, 'latin1');
    const write = () => {
      if (socket.destroyed) return;
      if (pause > 0) {
        socket.write(part, 'latin1');
        setTimeout(write, pause);
      } else if (socket.write(part.repeat(Math.ceil(16_384 / part.length)), 'latin1')) setImmediate(write);
      else socket.once('drain', write);
    };
    write();
  };

/** @param {(number: number, limit: number) => unknown[]} rowsOf one page: a list, or what holds it @returns {Fault} pages that all are full */
const pages = (rowsOf) => {
  let number = 0;
  return (response, { url = '' }) => {
    number += 1;
    const rows = rowsOf(number, Number(/limit=(\d+)/.exec(url)?.[1] ?? 100));
    const isList = /_all_dbs|_active_tasks/.test(url);
    const one = { couchdb: 'Welcome', version: '3.5.0', db_name: 'shop', doc_count: 1e6, update_seq: `${number}-x` };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(isList ? rows : { ...one, rows, docs: rows, indexes: rows, bookmark: 'same', total_rows: 1e6 }),
    );
  };
};

/** @param {number} number @param {number} limit @returns {unknown[]} what is both a row and a name, as far as it can be */
const namesOf = (number, limit) =>
  Array.from({ length: limit }, (_, at) => `shop-${String(number).padStart(9, '0')}-${String(at).padStart(9, '0')}`);
/** @param {string} prefix @returns {(number: number, limit: number) => unknown[]} */
const rowsOf = (prefix) => (number, limit) =>
  namesOf(number, limit).map((name) => ({ id: prefix + name, key: name, value: null, doc: { _id: prefix + name } }));

/** @param {number} status @param {(elsewhere: string, request: IncomingMessage) => string} target @returns {Fault} */
const redirect = (status, target) => (response, request, elsewhere) => {
  response.writeHead(status, { location: target(elsewhere, request), 'content-type': 'application/json' });
  response.end('{}');
};

/** Names of databases that no CouchDB has. */
const NAMES = HOSTILE_NAMES.map(({ name }) => name);
const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const ESCAPES = '\\u001b[2J\\u009b31m\\u202eowned<script>owned()</script>';

/** 20 MB of white space. */
const PACKED = gzipSync(Buffer.alloc(20_000_000, 32));

/** @type {Record<string, Fault>} */
const FAULTS = {
  401: answer(401, '{"error":"unauthorized","reason":"Name or password is incorrect."}'),
  '401 with a challenge': answer(401, '{}', { 'www-authenticate': 'Basic realm="\u00b1owned"' }),
  403: answer(403, '{"error":"forbidden","reason":"no"}'),
  404: answer(404, '{"error":"not_found","reason":"missing"}'),
  500: answer(500, '{"error":"internal_server_error","reason":"No DB shards could be opened."}'),
  '500 without JSON': answer(500, '<h1>Internal error</h1>', { 'content-type': 'text/html' }),
  '503 of a proxy': answer(503, '<html><script>owned()</script>', { 'content-type': 'text/html' }),
  'an error with escapes': answer(500, `{"error":"${ESCAPES}","reason":"${ESCAPES}"}`),
  'a refusal with escapes': answer(403, `{"error":"${ESCAPES}","reason":"${ESCAPES}"}`),
  'a web page': answer(200, '<!doctype html><p>Log in', { 'content-type': 'text/html' }),
  'an empty answer': answer(200, ''),
  'no content': answer(204, ''),
  null: answer(200, 'null'),
  'a number': answer(200, '7'),
  'a string': answer(200, `"${ESCAPES}"`),
  'a list': answer(200, '[]'),
  'a list of anything': answer(200, '[null,1,"",{},[],"_users","shop","../shop","couch-advisor-scratch-a-1"]'),
  'names that work': answer(200, JSON.stringify(NAMES)),
  'members of anything': answer(
    200,
    `{"couchdb":"${ESCAPES}","version":"${ESCAPES}","rows":[null,{},{"doc":null}],"run":1,"pid":"x"}`,
  ),
  __proto__: answer(
    200,
    '{"couchdb":1,"version":"3.5.0","__proto__":{"rows":[{"id":"_design/x","doc":{"_id":"_design/x"}}]}}',
  ),
  'deep nesting': answer(200, DEEP),
  'deep nesting in a document': answer(
    200,
    `{"couchdb":"Welcome","version":"3.5.0","rows":[{"id":"_design/a","doc":{"_id":"_design/a","views":${DEEP}}}]}`,
  ),
  'what is no UTF-8': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(Buffer.from([0x22, 0xff, 0xfe, 0x22]));
  },
  NUL: answer(200, '{"couchdb":"Welcome","version":"3.5.0"}\0\0\0'),
  'JSON that is cut': answer(200, '{"couchdb":"Welcome","version":"3.5'),
  'a length that is too long': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"couchdb":"Welcome","version":"3.5.0"}');
    setTimeout(() => response.destroy(), 20);
  },
  'chunks that are cut': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"couchdb":"Welcome","version":"3.5.0"');
    setTimeout(() => response.destroy(), 20);
  },
  'a length that is too short': raw(
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{"couchdb":"Welcome","version":"3.5.0"}',
  ),
  'two lengths': raw('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 30\r\n\r\n{"couchdb":"Welcome"}'),
  'a length and chunks': raw(
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  ),
  'a chunk of no length': raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n'),
  'a connection that closes at once': (response) => response.socket?.destroy(),
  'no HTTP': raw('\x16\x03\x01\x02\x00\x01\x00owned\x1b[2J\r\n\r\n'),
  'old HTTP': raw('{"couchdb":"Welcome","version":"3.5.0"}'),
  'a status that is none': raw('HTTP/1.1 999 \x1b[2Jowned\r\nContent-Length: 2\r\n\r\n{}'),
  'a status with escapes': raw('HTTP/1.1 500 \x9b2Jowned\r\nContent-Length: 2\r\n\r\n{}'),
  'headers with line feeds': raw('HTTP/1.1 200 OK\r\nX: a\nSet-Cookie: b\r\nContent-Length: 2\r\n\r\n{}'),
  'endless headers': raw(`HTTP/1.1 200 OK\r\n${`X-${'a'.repeat(100)}: ${'b'.repeat(1000)}\r\n`.repeat(200)}\r\n{}`),
  'many answers to one request': raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'.repeat(50), false),
  'continue, again and again': raw(
    `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)}HTTP/1.1 500 no\r\nContent-Length: 2\r\n\r\n{}`,
  ),
  'switching protocols': raw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
  'a body that is not packed': answer(200, '{}', { 'content-encoding': 'gzip' }),
  'a packed flood': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    // Parts of gzip are one after the other.
    for (let part = 0; part < 20; part += 1) response.write(PACKED);
    response.end();
  },
  'a flood of white space': flood(' '),
  'a flood of names': flood('"orders",'),
  'headers without end': endless('HTTP/1.1 200 OK\r\n', 'X-Order: one\r\n'),
  'a header without end': endless('HTTP/1.1 200 OK\r\nX-Order: ', 'o'),
  'a status line without end': endless('HTTP/1.1 200 ', 'O'),
  'continue without end': endless('', 'HTTP/1.1 100 Continue\r\n\r\n'),
  'hints without end': endless('', 'HTTP/1.1 103 Early Hints\r\nLink: </order>; rel=preload\r\n\r\n'),
  'chunks without end': endless('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\n \r\n'),
  'an extension of a chunk without end': endless('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'a'),
  'trailers without end': endless(
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n',
    'X-Order: one\r\n',
  ),
  'an error without end': endless('HTTP/1.1 500 no\r\nContent-Type: application/json\r\n\r\n{"reason":"', 'order '),
  'a letter of a header a second': endless('HTTP/1.1 200 OK\r\nX-Order: ', 'o', 1000),
  'a header a second': endless('HTTP/1.1 200 OK\r\n', 'X-Order: one\r\n', 1000),
  'continue each second': endless('', 'HTTP/1.1 100 Continue\r\n\r\n', 1000),
  'a chunk a second': endless('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\n \r\n', 1000),
  'pages of names without end': pages(namesOf),
  'the same page of names again and again': pages((_, limit) => namesOf(0, limit)),
  'pages of rows without end': pages(rowsOf('')),
  'the same page of rows again and again': pages((_, limit) => rowsOf('')(0, limit)),
  'pages of design documents without end': pages(rowsOf('_design/')),
  'cookies and policies': answer(401, '{}', {
    'set-cookie': 'AuthSession=x; Domain=evil.example',
    'strict-transport-security': 'max-age=1',
  }),
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((status) => [
      `${status} to another server`,
      redirect(status, (elsewhere, { url }) => `${elsewhere}${url}`),
    ]),
  ),
  'a redirect to another name of the server': redirect(
    302,
    (_, { headers, url }) => `http://localhost:${headers.host?.split(':')[1]}${url}`,
  ),
  'a redirect to itself': redirect(302, (_, { url }) => url ?? '/'),
  'a redirect with credentials': redirect(302, (elsewhere) => `${elsewhere.replace('//', '//admin:x@')}/?token=t0ken`),
  'a redirect to a file': redirect(302, () => 'file:///etc/passwd'),
  'a redirect to a script': redirect(302, () => 'javascript:owned()'),
  'a redirect to nowhere': redirect(302, () => 'http://'),
  'a redirect without a target': answer(302, '{}'),
  'a refresh': answer(200, '{"couchdb":"Welcome","version":"3.5.0"}', { refresh: '0; url=http://evil.example/' }),
  'no answer': () => {},
  'headers and no body': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{');
  },
  'a drop a second': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 1000);
    response.on('close', () => clearInterval(timer));
  },
};

/** What is waited for. */
const SLOW = new Set([
  'no answer',
  'headers and no body',
  'a drop a second',
  'a letter of a header a second',
  'a header a second',
  'continue each second',
  'a chunk a second',
  'continue without end',
  'hints without end',
  'chunks without end',
  'an extension of a chunk without end',
  'trailers without end',
  'many answers to one request',
  'switching protocols',
]);

/** Faults behind which nothing was read, so that a run without findings must not look like one of a sound server. */
const UNREAD = new Set([
  '401',
  '401 with a challenge',
  '403',
  '500',
  '500 without JSON',
  '503 of a proxy',
  'a web page',
  'an empty answer',
  'JSON that is cut',
  'chunks that are cut',
  'a length that is too long',
  'a connection that closes at once',
  'a flood of names',
  '302 to another server',
  'no answer',
  'headers and no body',
  'a drop a second',
]);

/**
 * @param {Planned & {cwd: string}} planned `cwd` is made, and has a server of its own
 * @returns {Promise<Attempt | undefined>} undefined where the run ended before the fault began
 */
async function attempt({ name, fault, isReached, argv, isSilenceWrong, cwd }) {
  /** @type {string[]} */
  const followed = [];
  const other = createServer((request, response) => {
    followed.push(`${request.method} ${request.url} ${request.headers.authorization ?? 'without credentials'}`);
    response.end('{"couchdb":"Welcome","version":"3.5.0"}');
  });
  await new Promise((resolve) => other.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = other.address();
  const elsewhere = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  let answered = 0;
  let wasReached = false;
  const server = await startShop(DESIGN_DOC, (request, response) => {
    answered += 1;
    if (!isReached(answered, request.method ?? '')) return false;
    wasReached = true;
    response.on('error', () => {});
    request.on('error', () => {});
    fault(response, request, elsewhere);
    return true;
  });
  try {
    const { ended, peakBytes } = await run(argv, server.origin, cwd);
    if (!wasReached) return undefined;
    if (peakBytes > BASE_BYTES + MAX_ADDED_BYTES)
      return { name, failure: `it took ${Math.round(peakBytes / 1024 / 1024)} MiB` };
    return { name, failure: inspectEnd(ended, followed) ?? (isSilenceWrong ? failureOfSilence(ended) : undefined) };
  } finally {
    other.close();
    other.closeAllConnections();
    await server.close();
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** @param {string[]} argv @param {string} origin @param {string} cwd @returns {ReturnType<typeof runAndWatch>} */
async function run(argv, origin, cwd) {
  writeFiles(cwd, { 'orders.json': DESIGN_DOC, '.git/HEAD': 'ref: refs/heads/main\n' });
  const url = origin.replace('//', `//admin:${PASSWORD}@`);
  const words = argv.map((word) => word.replace('URL', url));
  return runAndWatch(cwd, words, MAX_MS);
}

/** @param {Ended} ended @param {string[]} followed @returns {string | undefined} */
function inspectEnd(ended, followed) {
  if (ended.exitCode === null) return `it did not end within ${MAX_MS / 1000} s: ${ended.stderr.slice(-300)}`;
  const output = `${ended.stdout}${ended.stderr}`;
  if (output.includes(PASSWORD) || output.includes(ENCODED)) return 'the credentials are printed';
  if (output.includes('t0ken')) return 'a token of the server is printed';
  if (followed.length > 0) return `a redirect was followed: ${followed[0]}`;
  return inspectRun(ended) ?? inspectTerminal(ended.stdout);
}

/** @param {Ended} ended @returns {string | undefined} */
function failureOfSilence({ stdout, stderr, exitCode }) {
  const output = `${stdout}${stderr}`;
  const isSaid = exitCode === 2 || exitCode === 3 || /view\/emit-whole-doc|may not be read/.test(output);
  return isSaid ? undefined : `it reports no problem: ${output.slice(-400)}`;
}
