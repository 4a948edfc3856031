// Measures the ratios that texts of rules quote, on the server that COUCHDB_URL names: processor time of the server and its query servers, which a
// busy machine changes little. Arms run by turns, in the opposite order each round; a figure is the ratio of their medians.
//
//   COUCHDB_URL=http://admin:secret@127.0.0.1:5984 node test/bench/rule-figures.js [--rounds 5] [--engine quickjs] [--only skip,include-docs] [--output file.jsonl]
//
// Only ever touches databases whose names it made itself. Linux only: the server has to run on this machine.

import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cpuOfTrees, findListener } from '../../lib/servers/server-processes.js';
import { ScratchDatabase } from '../helpers/couchdb.js';
import { BUILDS } from './figures/builds.js';
import { READS } from './figures/reads.js';
import { WRITES } from './figures/writes.js';

/** @import { Figure, Site } from './figures/figure.js' */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    engine: { type: 'string' },
    only: { type: 'string' },
    output: { type: 'string' },
  },
});
const url = process.env['COUCHDB_URL'];
if (!url) throw new Error('name a server with COUCHDB_URL');
const listener = findListener(new URL(url).origin);
if (listener === undefined)
  throw new Error('the processor time of the server cannot be read: it has to run on this machine, under Linux');
const language = values.engine === undefined ? 'javascript' : `javascript_${values.engine}`;
const wanted = values.only?.split(',');

/** @type {Figure[]} */
const figures = [...READS, ...BUILDS, ...WRITES].filter(({ id }) => wanted?.includes(id) ?? true);
for (const figure of figures) {
  const line = JSON.stringify({ ...(await serverOf()), engine: language, ...(await measure(figure)) });
  process.stdout.write(`${line}\n`);
  if (values.output) appendFileSync(values.output, `${line}\n`);
}

/**
 * @param {Figure} figure
 * @returns {Promise<object>} medians of CPU and wall time of each arm, in milliseconds a run, and the ratios to the first arm
 */
async function measure({ id, about, prepare, arms, runs = 1, fresh = false }) {
  /** @type {Record<string, {cpu: number[], wall: number[]}>} */
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
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        const site = shared ?? (await open());
        const [cpu, wall] = [cpuOfTrees([/** @type {number} */ (listener)]) ?? 0, performance.now()];
        const times = typeof runs === 'number' ? runs : (runs[name] ?? 1);
        for (let run = 0; run < times; run += 1) await arms[name]?.(site, round * 1000 + run);
        const used = {
          cpu: (cpuOfTrees([/** @type {number} */ (listener)]) ?? 0) - cpu,
          wall: performance.now() - wall,
        };
        if (fresh) await sites.pop()?.database.drop();
        if (round === 0) continue;
        samples[name] ??= { cpu: [], wall: [] };
        const own = samples[name];
        own.cpu.push(used.cpu / times);
        own.wall.push(used.wall / times);
      }
    }
  } finally {
    for (const site of sites) await site.database.drop();
  }
  const medians = names.map((name) => [name, { cpu: median(samples[name]?.cpu), wall: median(samples[name]?.wall) }]);
  const [first] = /** @type {[string, {cpu: number, wall: number}][]} */ (medians);
  const ratios = /** @type {[string, {cpu: number, wall: number}][]} */ (medians)
    .slice(1)
    .map(([name, own]) => [
      name,
      { cpu: round(own.cpu / (first?.[1].cpu ?? 0)), wall: round(own.wall / (first?.[1].wall ?? 0)) },
    ]);
  return {
    id,
    about,
    rounds: Number(values.rounds),
    medians: Object.fromEntries(medians),
    toFirst: Object.fromEntries(ratios),
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
