// What runs in place of docker, podman and nerdctl (container-stand-in.js): arguments are the folder of its state, the name it is called by, and
// those of the program. A container is a file in that folder, and the process of `run`.

import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { openEmbedded } from '../../lib/measure/servers/embedded.js';

/** @typedef {{id: string, labels: Record<string, string>, image: string, pid: number}} Container */

const [, , state = '', program = '', ...args] = process.argv;
const folder = path.join(state, 'containers');
const { COUCHDB_USER: user = '', COUCHDB_PASSWORD: password = '' } = process.env;
const hasPassword = password !== '' && args.some((word) => word.includes(password));
appendFileSync(path.join(state, 'calls.jsonl'), `${JSON.stringify({ program, args, hasPassword })}\n`);
const modeFile = path.join(state, 'mode.json');
/** @type {import('./container-stand-in.js').StandInMode} */
const mode = existsSync(modeFile) ? JSON.parse(readFileSync(modeFile, 'utf8')) : {};

/** @param {number} code @param {string} [stderr] @param {string} [stdout] @returns {never} */
function end(code, stderr = '', stdout = '') {
  if (stdout !== '') writeFileSync(1, stdout);
  if (stderr !== '') writeFileSync(2, `${stderr}\n`);
  process.exit(code);
}

/** @param {string} id @returns {Container} */
const readContainer = (id) => JSON.parse(readFileSync(path.join(folder, id), 'utf8'));

/** @param {string} name @returns {string[]} what stands behind each option of that name */
const valuesOf = (name) => args.flatMap((word, at) => (word === name ? [args[at + 1] ?? ''] : []));

const [command, second] = args;
if (command === 'ps') {
  if (mode.ps) end(mode.ps.code, mode.ps.stderr);
  const [name = '', value] = (valuesOf('--filter')[0] ?? '').replace(/^label=/, '').split('=');
  const ids = readdirSync(folder).filter((id) => {
    const { labels } = readContainer(id);
    return mode.ignoresFilter || (value === undefined ? labels[name] !== undefined : labels[name] === value);
  });
  end(0, '', ids.map((id) => `${id}\n`).join(''));
} else if (command === 'inspect') {
  const id = args.at(-1) ?? '';
  if (!existsSync(path.join(folder, id))) end(1, `Error: No such object: ${id}`);
  end(0, '', `${JSON.stringify(readContainer(id).labels)}\n`);
} else if (command === 'image' && second === 'inspect') {
  end(!mode.images || mode.images.includes(args[2] ?? '') ? 0 : 1, 'Error: No such image', '[]\n');
} else if (command === 'pull') {
  const { code, stderr, stdout } = mode.pull ?? { code: 0, stderr: '', stdout: 'Downloading layer 1 of 9\n' };
  end(code, stderr, stdout);
} else if (command === 'rm') {
  if (mode.refusesRemoval) end(1, 'Error response from daemon: device or resource busy');
  const id = args.at(-1) ?? '';
  if (!existsSync(path.join(folder, id))) end(1, `Error: No such container: ${id}`);
  const { pid } = readContainer(id);
  rmSync(path.join(folder, id));
  if (pid > 0) process.kill(pid, 'SIGKILL');
  end(0, '', `${id}\n`);
} else if (command === 'run') {
  await run();
} else end(1, `unknown command ${args.join(' ')}`);

async function run() {
  if (mode.run && mode.run.times > 0) {
    writeFileSync(modeFile, JSON.stringify({ ...mode, run: { ...mode.run, times: mode.run.times - 1 } }));
    end(mode.run.code, mode.run.stderr.replace('PASSWORD', password));
  }
  const labels = Object.fromEntries(valuesOf('--label').map((label) => label.split(/=(.*)/s).slice(0, 2)));
  const [, host = '', port = ''] = /^(.*):(\d+):5984$/.exec(valuesOf('--publish')[0] ?? '') ?? [];
  const given = valuesOf('--env');
  if (!given.includes('COUCHDB_USER') || !given.includes('COUCHDB_PASSWORD')) end(1, 'no admin was named');
  const id = randomBytes(32).toString('hex');
  writeFileSync(path.join(folder, id), JSON.stringify({ id, labels, image: args.at(-1), pid: process.pid }));
  process.stdout.write('[info] Apache CouchDB has started.\n');
  process.once('SIGTERM', () => {
    rmSync(path.join(folder, id), { force: true });
    process.exit(143);
  });
  if (mode.serves === 'silent') {
    process.stderr.write(`[error] cannot open the database, admin ${password}\n`);
    await pause(600_000);
  }
  const { origin, authorization } = await openBehind();
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url = '/', method = 'GET', headers } = request;
    const reply = (/** @type {number} */ status, /** @type {unknown} */ body) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (mode.serves === 'html') {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<h1>Welcome to nginx!</h1>');
      return;
    }
    if (mode.serves === 'json') return reply(200, { name: 'another database' });
    if (url === '/_up') return reply(200, { status: 'ok', seeds: {} });
    if (headers.authorization !== expected) return reply(401, { error: 'unauthorized' });
    if (mode.serves === 'refuses' && method === 'PUT') return reply(403, { error: 'forbidden' });
    if (process.env['COUCHDB_URL'] === undefined) {
      const version = mode.version ?? (args.at(-1) ?? '').split(':')[1] ?? '3.5';
      if (url === '/') return reply(200, { couchdb: 'Welcome', version: `${version}.0` });
      if (/^\/_(users|replicator)$/.test(url)) return reply(201, { ok: true });
      if (url === '/_membership') return reply(200, { all_nodes: ['couchdb@a'], cluster_nodes: ['couchdb@a'] });
      if (url === '/_active_tasks') return reply(200, []);
      if (url.startsWith('/_node/')) return reply(404, { error: 'not_found' });
    }
    const behind = await fetch(`${origin}${url}`, {
      method,
      headers: { 'content-type': headers['content-type'] ?? 'application/json', authorization },
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    response.writeHead(behind.status, { 'content-type': behind.headers.get('content-type') ?? 'application/json' });
    response.end(Buffer.from(await behind.arrayBuffer()));
  });
  server.listen(Number(port), host);
}

/** @returns {Promise<{origin: string, authorization: string}>} a real CouchDB where one was named, or the embedded server */
async function openBehind() {
  const { COUCHDB_URL: url } = process.env;
  if (url !== undefined) {
    const { username, password: secret, origin } = new URL(url);
    return { origin, authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}` };
  }
  const { origin, headers } = await openEmbedded();
  return { origin, authorization: headers['authorization'] ?? '' };
}
