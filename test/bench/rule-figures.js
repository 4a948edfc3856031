// Measures the ratios that texts of rules quote, on the server that COUCHDB_URL names: processor time of the server and its query servers, which a
// busy machine changes little. Arms run in turn, in the opposite order each round; a figure is the ratio of their medians.
//
// COUCHDB_URL=http://admin:secret@127.0.0.1:5984 node test/bench/rule-figures.js [--rounds 5] [--engine quickjs] [--only skip,include-docs] [--output file.jsonl]
//
// Only ever touches databases whose names it made itself. Linux only: the server has to run on this machine.

import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { cpuOfTrees, findListener } from '../../lib/measure/servers/server-processes.js';
import { ScratchDatabase } from '../helpers/couchdb.js';
import { ADVISE } from './figures/advise.js';
import { BUILDS } from './figures/builds.js';
import { FEEDS } from './figures/feeds.js';
import { READS } from './figures/reads.js';
import { WRITES } from './figures/writes.js';
import { readNumber, readOptions } from './read-options.js';

/** @import { Figure, Site } from './figures/figure.js' */

const HELP = `Measures the ratios that rules quote: processor time of the server and its query servers. Linux; the server runs on this machine.

  COUCHDB_URL=http://admin:secret@127.0.0.1:5984 node test/bench/rule-figures.js [options]

  --rounds N       of each figure (5)
  --engine NAME    of JavaScript: spidermonkey or quickjs (that of the server)
  --only A,B       figures with these ids: skip,include-docs
  --output FILE    adds a line of JSON for each figure
`;

const { values } = readOptions(HELP, {
  rounds: { type: 'string', default: '5' },
  engine: { type: 'string' },
  only: { type: 'string' },
  output: { type: 'string' },
});
const url = process.env['COUCHDB_URL'];
if (!url) {
  process.stderr.write(`COUCHDB_URL names no server\n\n${HELP}`);
  process.exit(2);
}
const rounds = readNumber('--rounds', values.rounds, HELP);
const listener = findListener(new URL(url).origin);
if (listener === undefined)
  throw new Error('the processor time of the server cannot be read: it has to run on this machine, under Linux');
const language = values.engine === undefined ? 'javascript' : `javascript_${values.engine}`;
const wanted = values.only?.split(',');

/** @type {Figure[]} */
const figures = [...READS, ...BUILDS, ...WRITES, ...FEEDS, ...ADVISE].filter(
  ({ id, isOptional }) => wanted?.includes(id) ?? !isOptional,
);
for (const figure of figures) {
  const line = JSON.stringify({ ...(await serverOf()), engine: language, ...(await measure(figure)) });
  process.stdout.write(`${line}\n`);
  if (values.output) appendFileSync(values.output, `${line}\n`);
}

/**
 * @param {Figure} figure
 * @returns {Promise<object>} medians of CPU and wall time of each arm, in milliseconds a run, of the database file where each sample has its own, and the ratios to the first arm
 */
async function measure({ id, about, prepare, arms, runs = 1, fresh = false }) {
  /** @type {Record<string, {cpu: number[], wall: number[], file: number[]}>} */
  const samples = {};
  const names = Object.keys(arms);
  /** @type {Site[]} */
  const sites = [];
  const open = async () => {
    const site = await openSite();
    sites.push(site);
    await prepare?.(site);
    return site;
  };
  const shared = fresh ? undefined : await open();
  try {
    // The first round warms caches and does not count.
    for (let round = 0; round <= rounds; round += 1) {
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        const site = shared ?? (await open());
        const [cpu, wall] = [cpuOfTrees([/** @type {number} */ (listener)]) ?? 0, performance.now()];
        const times = typeof runs === 'number' ? runs : (runs[name] ?? 1);
        for (let run = 0; run < times; run += 1) await arms[name]?.(site, round * 1000 + run);
        const used = {
          cpu: (cpuOfTrees([/** @type {number} */ (listener)]) ?? 0) - cpu,
          wall: performance.now() - wall,
        };
        const file = fresh ? JSON.parse(await site.get('')).sizes.file : 0;
        if (fresh) await sites.pop()?.database.drop();
        if (round === 0) continue;
        samples[name] ??= { cpu: [], wall: [], file: [] };
        const own = samples[name];
        own.file.push(file);
        own.cpu.push(used.cpu / times);
        own.wall.push(used.wall / times);
      }
    }
  } finally {
    for (const site of sites) await site.database.drop();
  }
  /** @type {('cpu' | 'wall' | 'file')[]} */
  const measures = fresh ? ['cpu', 'wall', 'file'] : ['cpu', 'wall'];
  const [first = '', ...others] = names;
  const medianOf = (/** @type {string} */ name, /** @type {'cpu' | 'wall' | 'file'} */ measure) =>
    median(samples[name]?.[measure]);
  /** @param {string[]} arms @param {typeof medianOf} value */
  const tabled = (arms, value) =>
    Object.fromEntries(
      arms.map((name) => [name, Object.fromEntries(measures.map((measure) => [measure, value(name, measure)]))]),
    );
  return {
    id,
    about,
    rounds,
    medians: tabled(names, medianOf),
    toFirst: tabled(others, (name, measure) => round(medianOf(name, measure) / medianOf(first, measure))),
  };
}

/** @returns {Promise<Site>} a database of its own, with ways to talk to it */
async function openSite() {
  const database = new ScratchDatabase(/** @type {string} */ (url));
  await database.create();
  const call = async (/** @type {string} */ method, /** @type {string} */ path, /** @type {unknown} */ body) => {
    const response = await fetch(`${database.origin}/${database.name}${path}`, {
      method,
      headers: { authorization: database.authorization, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
    return text;
  };
  return {
    database,
    language,
    get: (path) => call('GET', path, undefined),
    send: (method, path, body) => call(method, path, body),
    load: async (docs, batch = 1000) => {
      for (let at = 0; at < docs.length; at += batch) {
        await call('POST', '/_bulk_docs', { docs: docs.slice(at, at + batch) });
      }
    },
    view: async (name, view, more = {}) => {
      await call('PUT', `/_design/${name}`, { language, views: { [name]: view }, ...more });
      return call('GET', `/_design/${name}/_view/${name}?limit=1`, undefined);
    },
  };
}

/** @returns {Promise<{version: string}>} */
async function serverOf() {
  const database = new ScratchDatabase(/** @type {string} */ (url));
  const response = await fetch(database.origin, { headers: { authorization: database.authorization } });
  return { version: /** @type {{version: string}} */ (await response.json()).version };
}

/** @param {number[]} [numbers] @returns {number} */
function median(numbers = []) {
  const sorted = numbers.toSorted((one, other) => one - other);
  return round(sorted[Math.floor(sorted.length / 2)] ?? 0);
}

/** @param {number} number @returns {number} */
function round(number) {
  return Number(number.toPrecision(3));
}
