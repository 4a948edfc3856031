// Attacks by killing `confirm` at different moments: `--clean` drops everything that it left, and nothing that a user
// made, whatever its name. With COUCHDB_URL on that server, otherwise on one of this process.

import path from 'node:path';
import process from 'node:process';
import { SCRATCH_PREFIX, scratchName } from '../../../lib/measure/servers/scratch-name.js';
import { startCli } from '../../helpers/run-cli.js';
import { FEW_ROUNDS } from '../attack.js';
import { startCouchdb, startProxy } from '../couchdb-stand-in.js';
import { writeFiles } from '../hostile-project.js';
import { inspectRun } from '../inspect.js';

/** @import { Family } from '../attack.js' */

/** What users may call their databases, and may have put into them. @type {[name: string, documents: object[]][]} */
const OF_USER = [
  ['couch-advisor-scratch-mine-1', [{ _id: 'order-1', total: 5 }]],
  ['couch-advisor-scratch-a1b2c3d4e5f6-1', [{ _id: 'order-1' }]],
  ['couch-advisor-scratch-empty', []],
  ['couch-advisor-scratch-a1b2c3d4e5f6-2', []],
  [
    'couch-advisor-scratch-marked-1',
    [{ _id: '_local/couch-advisor-scratch', run: 'other', host: 'x', pid: 1, at: '' }],
  ],
  [scratchName('0123456789ab', 1), [{ _id: 'kept', about: 'a scratch database that was put to use' }]],
];

const MAP = "function (doc) {\n  if (typeof doc.total === 'number') emit(doc.customer, doc);\n}";

/** @type {Family} */
export const confirmKilled = {
  id: 'confirm-killed',
  about:
    'A killed `confirm` leaves nothing that `--clean` does not drop; databases of users stay, whatever they are called',
  least: { short: 8, full: 26 },
  async *attack({ folder, isFull }) {
    const cwd = path.join(folder, 'shop');
    writeFiles(cwd, {
      'orders.json': { _id: '_design/orders', views: { rows: { map: MAP } } },
      '.git/HEAD': 'ref: refs/heads/main\n',
    });
    /** The request, counted from the first that writes, at which the run is killed, before or behind its answer. */
    const moments = isFull ? [1, 2, 3, 4, 5, 6, 8, 10, 15, 30] : [1, 2];
    for (const when of moments) {
      for (const isAnswered of isFull ? [false, true] : [true]) {
        const name = `killed at request ${when}${isAnswered ? ', which was answered' : ', which was not'}`;
        yield { name, failure: await killAndClean(cwd, when, isAnswered) };
      }
    }
    for (const [name] of OF_USER)
      yield { name: `the database ${name} of a user`, failure: await cleanBeside(cwd, name) };
  },
};

/**
 * @param {string} origin
 * @param {string} method
 * @param {string} target
 * @param {unknown} [body]
 */
async function send(origin, method, target, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${origin}/${target}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return /** @type {any} */ (await response.json());
}

/** @param {import('../couchdb-stand-in.js').Before} [before] */
async function startServer(before) {
  const url = process.env['COUCHDB_URL'];
  const server = await (url === undefined ? startCouchdb(before) : startProxy(url, before));
  const dropAll = async () => {
    for (const name of await scratchNames(server.origin)) await send(server.origin, 'DELETE', name);
  };
  // On a real server, those of a run before this one.
  await dropAll();
  for (const [name, documents] of OF_USER) {
    await send(server.origin, 'PUT', name);
    for (const { _id, ...document } of /** @type {{_id: string}[]} */ (documents))
      await send(server.origin, 'PUT', `${name}/${_id}`, document);
  }
  return {
    origin: server.origin,
    close: async () => {
      await dropAll();
      await server.close();
    },
  };
}

/** @param {string} origin @returns {Promise<string[]>} */
async function scratchNames(origin) {
  /** @type {string[]} */
  const names = await send(origin, 'GET', '_all_dbs');
  return names.filter((name) => name.startsWith(SCRATCH_PREFIX)).sort();
}

/** @param {string} cwd @param {string[]} argv */
function run(cwd, argv) {
  return startCli(argv, { cwd, env: { XDG_CACHE_HOME: path.join(cwd, '.cache') } });
}

/**
 * @param {string} cwd
 * @param {number} when
 * @param {boolean} isAnswered
 * @returns {Promise<string | undefined>}
 */
async function killAndClean(cwd, when, isAnswered) {
  let requests = 0;
  /** @type {(() => void) | undefined} */
  let kill;
  const server = await startServer((request, response) => {
    if (kill === undefined || (requests === 0 && request.method === 'GET')) return false;
    requests += 1;
    if (requests !== when) return requests > when;
    if (!isAnswered) {
      kill();
      return true;
    }
    response.on('finish', kill);
    return false;
  });
  try {
    const argv = ['confirm', 'orders.json', '--url', server.origin, '--yes', ...FEW_ROUNDS];
    const { child, ended } = run(cwd, argv);
    kill = () => void child.kill('SIGKILL');
    const { exitCode } = await ended;
    kill = undefined;
    if (exitCode !== null) return `it ended by itself with ${exitCode}, after ${requests} requests`;
    const clean = await run(cwd, ['confirm', '--clean', '--url', server.origin]).ended;
    const wrong = inspectRun(clean) ?? notClean(clean);
    if (wrong !== undefined) return wrong;
    const left = await scratchNames(server.origin);
    const expected = OF_USER.map(([name]) => name).sort();
    return JSON.stringify(left) === JSON.stringify(expected) ? undefined : `databases: ${left.join(', ')}`;
  } finally {
    await server.close();
  }
}

/** @param {{exitCode: number | null}} ended @returns {string | undefined} */
function notClean({ exitCode }) {
  return exitCode === 0 ? undefined : `--clean dropped all that is its own and exits with ${exitCode}`;
}

/**
 * @param {string} cwd
 * @param {string} name of a database that must be as it was
 * @returns {Promise<string | undefined>}
 */
async function cleanBeside(cwd, name) {
  const server = await startServer();
  try {
    const before = await send(server.origin, 'GET', `${name}/_all_docs?include_docs=true`);
    const ended = await run(cwd, ['confirm', '--clean', '--url', server.origin]).ended;
    const after = await send(server.origin, 'GET', `${name}/_all_docs?include_docs=true`);
    const wrong = inspectRun(ended) ?? notClean(ended);
    if (wrong !== undefined) return wrong;
    if (!ended.stdout.includes(`kept ${name}:`)) return `it is not named: ${ended.stdout}`;
    return JSON.stringify(after) === JSON.stringify(before) ? undefined : 'its documents differ';
  } finally {
    await server.close();
  }
}
