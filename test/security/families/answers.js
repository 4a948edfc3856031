// Attacks by servers whose answers become many times larger once they are read: each costs little memory, whatever stands in it, and every run ends.

import { rmSync } from 'node:fs';
import path from 'node:path';
import { together } from '../attack.js';
import { SHOP, startShop } from '../couchdb-stand-in.js';
import { writeFiles } from '../hostile-project.js';
import { inspectRun } from '../inspect.js';
import { MAX_ADDED_BYTES, runAndWatch } from '../peak-memory.js';

/** @import { ServerResponse } from 'node:http' */
/** @import { Ended } from '../inspect.js' */
/** @import { Family } from '../attack.js' */

/** A run that takes longer has no end, in milliseconds. */
const MAX_MS = 900_000;
const MIB = 1024 * 1024;
const MAP = "function (doc) {\n  if (typeof doc.total === 'number') emit(doc.customer, doc);\n}";
const DESIGN_DOC = { _id: '_design/orders', views: { rows: { map: MAP } } };
/** So much is sent at once. */
const CHUNK = 65_536;

/** What an answer consists of: JSON up to and behind what is repeated. @typedef {{head: string, part: (at: number) => string, tail: string}} Shape */

/** @param {string} part @returns {Shape} a list of it */
const listOf = (part) => ({ head: '[0', part: () => `,${part}`, tail: ']' });
/** @param {string} part @returns {Shape} a string of it */
const stringOf = (part) => ({ head: '"', part: () => part, tail: '"' });

/** @type {Record<string, Shape>} */
const SHAPES = {
  'empty lists': listOf('[]'),
  'empty objects': listOf('{}'),
  'lists in lists': listOf('[[[[[[[[]]]]]]]]'),
  zeros: listOf('0'),
  fractions: listOf('1.5'),
  'lists of one object': listOf('[{}]'),
  'objects with other members each': { head: '[0', part: (at) => `,{"k${at.toString(36)}":0}`, tail: ']' },
  'members of one object': { head: '{"_":0', part: (at) => `,"k${at.toString(36)}":{}`, tail: '}' },
  'members that are numbers': { head: '{"_":0', part: (at) => `,"${at * 7}":0`, tail: '}' },
  'short strings': { head: '[0', part: (at) => `,"S${at.toString(36)}"`, tail: ']' },
  'one string': stringOf('order '.repeat(100)),
  'one string of other letters': stringOf('\u0416\u4e2d'.repeat(100)),
  'one string of escapes': stringOf('\\u4e2d\\n\\u0000\\"'.repeat(50)),
  'line feeds': stringOf('\\n'.repeat(300)),
  'strings that may hide the password': listOf('"\\/"'),
  'the text of a function': stringOf('[[],[],[]],'.repeat(50)),
};

/** Where it stands in an answer, by its path. @type {[name: string, path: RegExp, head: string, tail: string][]} */
const PLACES = [
  ['the welcome', /^\/$/, '{"couchdb":"Welcome","version":"3.5.0","vendor":', '}'],
  ['the databases', /^\/_all_dbs/, '', ''],
  ['the configuration', /_config$/, '{"log":{"level":', '}}'],
  ['an option', /_config\/couchdb/, '', ''],
  ['the counters', /_stats$/, '{"couchdb":', '}'],
  ['the tasks', /^\/_active_tasks/, '', ''],
  ['the nodes', /^\/_membership/, '{"all_nodes":[],"cluster_nodes":', '}'],
  ['the replications', /_scheduler/, '{"total_rows":1,"docs":', '}'],
  ['the running replications', /_scheduler\/jobs/, '{"total_rows":1,"jobs":', '}'],
  ['the compactions', /_smoosh/, '{"channels":', '}'],
  ['the changes', /_changes/, '{"results":', '}'],
  ['a database', /^\/[a-z][^/]*\/?$/, '{"db_name":"shop","doc_count":1,"sizes":', '}'],
  ['a design document', /_all_docs/, '{"rows":[{"id":"_design/a","doc":{"_id":"_design/a","views":', '}}]}'],
  ['a map', /_all_docs/, '{"rows":[{"id":"_design/a","doc":{"_id":"_design/a","views":{"rows":{"map":', '}}}}]}'],
  ['the rows', /_all_docs|_view\//, '{"total_rows":1,"rows":', '}'],
  ['the members', /_security/, '{"members":{"names":', '}}'],
  ['an index', /_info$/, '{"name":"orders","view_index":{"sizes":', '}}'],
  ['a mark', /_local\/couch-advisor-scratch/, '{"run":', '}'],
  ['a write', /_bulk_docs/, '', ''],
];

const LOG = `[notice] 2026-11-02T10:00:00.000000Z couchdb@127.0.0.1 <0.1.0> 0123456789 localhost:5984 10.0.0.1 anna GET /${SHOP}/_design/orders/_view/rows 200 ok 12\n`;

/** How much is sent, at most: bytes, and values as lib/shared/bounded-json.js counts them. @typedef {{maxBytes: number, maxValues: number}} Size */

/** @type {Record<'flood' | 'lint' | 'other', [name: string, size: Size]>} */
const SIZES = {
  flood: ['60 MiB', { maxBytes: 60 * MIB, maxValues: Number.POSITIVE_INFINITY }],
  // Just within the limits of the commands.
  lint: ['16 MiB or 90,000 values', { maxBytes: 15.9 * MIB, maxValues: 89_000 }],
  other: ['32 MiB or 1,000,000 values', { maxBytes: 31.9 * MIB, maxValues: 999_000 }],
};

/** Shapes that cost most, for commands that read few answers of their own. */
const WORST = ['short strings', 'one string of other letters'];

/** `shapes`: all of them where absent. @type {{name: string, argv: string[], sizes: (keyof typeof SIZES)[], shapes?: string[]}[]} */
const COMMANDS = [
  {
    name: 'lint',
    argv: ['lint', '--url', 'URL', '--rate', '1000', '--record', 'answers.jsonl'],
    sizes: ['flood', 'lint'],
  },
  { name: 'confirm --clean', argv: ['confirm', '--clean', '--url', 'URL'], sizes: ['flood', 'other'] },
  {
    name: 'confirm',
    argv: ['confirm', 'orders.json', '--url', 'URL', '--yes', '--max-docs', '100', '--runs', '1', '--budget', '1'],
    sizes: ['other'],
    shapes: [...WORST, 'empty objects'],
  },
  {
    name: 'bench',
    argv: ['bench', 'include-docs', '--url', 'URL', '--yes', '--size', '1000', '--rounds', '1'],
    sizes: ['other'],
    shapes: WORST,
  },
  {
    name: 'advise',
    argv: ['advise', 'orders.json', '--log', 'couch.log', '--url', 'URL', '--sample-from', SHOP],
    sizes: ['lint', 'other'],
    shapes: WORST,
  },
  {
    name: 'profile',
    argv: ['profile', '--watch-build', `${SHOP}/orders`, '--url', 'URL'],
    sizes: ['other'],
    shapes: ['short strings'],
  },
];

/** What is tried in seconds. */
const SHORT = new Set([
  '60 MiB of empty lists in the databases: lint',
  '16 MiB or 90,000 values of short strings in the members: lint',
  '16 MiB or 90,000 values of the text of a function in a map: lint',
  '16 MiB or 90,000 values of members of one object in the compactions: lint',
  '60 MiB of empty lists in the databases: confirm --clean',
  '32 MiB or 1,000,000 values of one string of other letters in the databases: confirm --clean',
]);

/** @type {Family} */
export const answers = {
  id: 'answers',
  about: 'An answer of a server costs at most 300 MiB of memory, whatever stands in it, and every run ends',
  least: { short: 5, full: 600 },
  async *attack({ folder, isFull }) {
    const planned = plan(isFull);
    /** What each command takes with an honest server. @type {Map<string, Promise<number>>} */
    const bases = new Map();
    const attempts = planned.map((one, number) => async () => {
      const cwd = path.join(folder, `shop-${number}`);
      const base =
        bases.get(one.command) ?? runAgainst(undefined, one.argv, `${cwd}-base`).then(({ peakBytes }) => peakBytes);
      bases.set(one.command, base);
      const { ended, peakBytes, wasReached } = await runAgainst(one, one.argv, cwd);
      if (!wasReached) return undefined;
      return { name: one.name, failure: failureOf(ended, peakBytes - (await base)) };
    });
    yield* together({ attempts, limit: 2 });
  },
};

/** @typedef {{name: string, command: string, argv: string[], shape: Shape, place: RegExp, head: string, tail: string} & Size} Planned */

/** @param {boolean} isFull @returns {Planned[]} */
function plan(isFull) {
  const all = COMMANDS.flatMap(({ name: command, argv, sizes, shapes = Object.keys(SHAPES) }) =>
    PLACES.flatMap(([about, place, head, tail]) =>
      Object.entries(SHAPES).flatMap(([shaped, shape]) =>
        sizes.flatMap((size) => {
          const [amount, limits] = SIZES[size];
          const name = `${amount} of ${shaped} in ${about}: ${command}`;
          return shapes.includes(shaped) ? [{ name, command, argv, shape, place, head, tail, ...limits }] : [];
        }),
      ),
    ),
  );
  return isFull ? all : all.filter(({ name }) => SHORT.has(name));
}

/**
 * @param {Planned | undefined} attack
 * @param {string[]} argv
 * @param {string} cwd
 * @returns {Promise<{ended: Ended, peakBytes: number, wasReached: boolean}>}
 */
async function runAgainst(attack, argv, cwd) {
  let wasReached = false;
  const server = await startShop(DESIGN_DOC, ({ url = '' }, response) => {
    if (!attack?.place.test(url.split('?')[0] ?? '')) return false;
    wasReached = true;
    send(response, attack);
    return true;
  });
  try {
    writeFiles(cwd, { 'orders.json': DESIGN_DOC, 'couch.log': LOG, '.git/HEAD': 'ref: refs/heads/main\n' });
    const url = server.origin.replace('//', '//admin:Tr0ub4dor3@');
    const words = argv.map((word) => word.replace('URL', url));
    return { ...(await runAndWatch(cwd, words, MAX_MS)), wasReached };
  } finally {
    await server.close();
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** @param {ServerResponse} response @param {Planned} attack */
function send(response, { shape, head, tail, maxBytes, maxValues }) {
  const counted = shape.head === '"' ? /\\/g : /[[{,:\\]/g;
  response.on('error', () => {});
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(head + shape.head);
  let at = 0;
  let bytes = 0;
  let values = 10;
  const go = () => {
    while (bytes < maxBytes - CHUNK && values < maxValues - CHUNK) {
      if (response.destroyed) return;
      let chunk = '';
      for (; chunk.length < CHUNK; at += 1) chunk += shape.part(at);
      bytes += Buffer.byteLength(chunk);
      values += chunk.match(counted)?.length ?? 0;
      if (!response.write(chunk)) {
        response.once('drain', go);
        return;
      }
    }
    response.end(shape.tail + tail);
  };
  go();
}

/** @param {Ended} ended @param {number} bytes above what the command takes with an honest server @returns {string | undefined} */
function failureOf(ended, bytes) {
  if (ended.exitCode === null) return `it did not end within ${MAX_MS / 1000} s: ${ended.stderr.slice(-300)}`;
  if (bytes > MAX_ADDED_BYTES) return `it took ${Math.round(bytes / MIB)} MiB`;
  return inspectRun(ended);
}
