// `node test/bench/advise.js`: measures the time and memory of `couch-advisor advise` on a log of 2 million lines, 300 shapes of requests and
// 20,000 sample documents. README.md beside it says how to read the figures.

import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { randomFrom } from '../../lib/shared/seeded-random.js';
import { writeLog } from './logs-generate.js';
import { figures, peakMemory, timeRun } from './measure.js';
import { readNumber, readOptions } from './read-options.js';
import { unpackProgram } from './unpack-program.js';

/** @import { RandomSource } from '../../lib/shared/seeded-random.js' */

/** What the project promises. */
const MAX_SECONDS = 30;
const MAX_MEMORY = 500;

const HELP = `Measures the time and memory of couch-advisor advise on a workload that it writes.

  node test/bench/advise.js [options]

  --lines N      of CouchDB's log (2000000)
  --queries N    Mango queries of different shapes, in a HAR file (220)
  --views N      queries of different views, in the same file (70)
  --documents N  sample documents (20000)
  --rounds N     (3)
  --seed N       another one gives another workload (1)
  --keep DIR     write the workload there, and keep it
`;

const { values } = readOptions(HELP, {
  lines: { type: 'string', default: '2000000' },
  queries: { type: 'string', default: '220' },
  views: { type: 'string', default: '70' },
  documents: { type: 'string', default: '20000' },
  rounds: { type: 'string', default: '3' },
  seed: { type: 'string', default: '1' },
  keep: { type: 'string' },
});
const count = (/** @type {'lines' | 'queries' | 'views' | 'documents' | 'rounds' | 'seed'} */ name) =>
  readNumber(`--${name}`, values[name], HELP);
/** Requests of each shape in the HAR file. */
const REQUESTS = 20;
const START = Date.UTC(2026, 10, 21, 2, 0, 0);
const DAY_MS = 86_400_000;
/** How many different values the fields of the documents have. */
const DISTINCT = [2, 3, 5, 10, 30, 100, 300, 1000, 3000, 10_000];
const FIELDS = Array.from({ length: 40 }, (_, at) => ({
  name: `${['state', 'kind', 'group', 'region', 'day', 'shop', 'customer', 'article', 'price', 'number'][at % 10]}${at}`,
  distinct: DISTINCT[at % 10] ?? 2,
}));
/** There is an index for each of these, so that queries can be sorted by them. */
const SORTED = FIELDS.filter(({ distinct }) => distinct === 30);

const folder = mkdtempSync(path.join(tmpdir(), 'couch-advisor-bench-advise-'));
// The first run, which does not count, keeps the compiled code of the program there.
process.env['XDG_CACHE_HOME'] = path.join(folder, 'cache');
try {
  measure(unpackProgram(folder), path.resolve(values.keep ?? path.join(folder, 'workload')));
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * @param {string} bin
 * @param {string} cwd
 */
function measure(bin, cwd) {
  mkdirSync(path.join(cwd, 'indexes'), { recursive: true });
  const random = randomFrom(count('seed'));
  const bytes = writeLog(path.join(cwd, 'couch.log'), { lines: count('lines'), seed: count('seed') });
  writeDocuments(path.join(cwd, 'orders.jsonl'), random);
  writeFileSync(path.join(cwd, 'shop.har'), JSON.stringify({ log: { entries: harEntries(random) } }));
  for (const { name } of SORTED) {
    const index = { index: { fields: [name] }, ddoc: `by-${name}`, name, type: 'json' };
    writeFileSync(path.join(cwd, 'indexes', `${name}.json`), JSON.stringify(index));
  }
  const output = path.join(folder, 'plan.json');
  const logs = ['--log', 'couch.log', '--log', 'shop.har'];
  const given = [...logs, '--docs', 'orders.jsonl', '--documents', '2000000', '--format', `json=${output}`];
  const command = { args: [bin, 'advise', 'indexes', ...given], cwd, exitCodes: [0] };
  timeRun(command);
  const { steps, considered, queries } = JSON.parse(readFileSync(output, 'utf8'));
  tell(
    `${count('lines')} lines, ${(bytes / 1e6).toFixed(0)} MB; ${count('queries')} Mango queries and ${count('views')} views in a HAR file of ${(count('queries') + count('views')) * REQUESTS} requests; ${count('documents')} documents`,
  );
  tell(`  ${considered} candidates, ${steps.length} steps for ${queries.length} queries`);
  const times = figures(Array.from({ length: count('rounds') }, () => timeRun(command) / 1000));
  tell(`  median ${times.median.toFixed(1)} s, min ${times.min.toFixed(1)}, max ${times.max.toFixed(1)}`);
  verdict('wall time, s', times.median, MAX_SECONDS);
  verdict('peak memory, MiB', peakMemory(command), MAX_MEMORY);
}

/**
 * @param {string} file
 * @param {RandomSource} random
 */
function writeDocuments(file, { below }) {
  const handle = openSync(file, 'w');
  for (let at = 0; at < count('documents'); at += 1) {
    const fields = FIELDS.map(({ name, distinct }) => [name, fieldValue(distinct, below(distinct))]);
    writeSync(handle, `${JSON.stringify({ _id: `order-${at}`, ...Object.fromEntries(fields) })}\n`);
  }
  closeSync(handle);
}

/** @param {number} distinct @param {number} at @returns {string | number} */
function fieldValue(distinct, at) {
  return distinct === 3000 ? at : `value-${at}`;
}

/** @param {RandomSource} random @returns {object[]} each shape all day */
function harEntries(random) {
  const entries = [...findShapes(random), ...viewShapes()].flatMap(({ method, target, body, ms }, shape) =>
    Array.from({ length: REQUESTS }, (_, at) => ({
      startedDateTime: new Date(START + Math.floor(((at + shape / 1000) * DAY_MS) / REQUESTS)).toISOString(),
      time: ms,
      request: {
        method,
        url: `http://db.shop.example:5984${target}`,
        ...(body ? { postData: { text: JSON.stringify(body()) } } : {}),
      },
      response: { status: 200, content: { size: 900, text: '{}' } },
    })),
  );
  return entries;
}

/** @typedef {{method: string, target: string, ms: number, body?: () => object}} Shape */

/** @param {RandomSource} random @returns {Shape[]} of different conditions, some sorted, some with fields */
function findShapes(random) {
  const { below, pick, next } = random;
  /** @type {Map<string, Shape>} */
  const shapes = new Map();
  while (shapes.size < count('queries')) {
    const fields = random.shuffle(FIELDS).slice(0, 1 + below(3));
    const operators = fields.map(() => (next() < 0.7 ? '$eq' : pick(['$gte', '$lt', '$in', '$ne'])));
    const sort = next() < 0.15 ? pick(SORTED) : undefined;
    const answer = next() < 0.3 ? fields.map(({ name }) => name) : undefined;
    const limit = pick([25, 100, 1000]);
    const ms = 20 + below(2000);
    const body = () => ({
      selector: {
        ...Object.fromEntries(
          fields.map(({ name, distinct }, at) => {
            const value = fieldValue(distinct, below(distinct));
            const operator = operators[at] ?? '$eq';
            return [name, { [operator]: operator === '$in' ? [value] : value }];
          }),
        ),
        ...(sort && !fields.includes(sort) ? { [sort.name]: { $gt: null } } : {}),
      },
      ...(sort ? { sort: [sort.name] } : {}),
      ...(answer ? { fields: answer } : {}),
      limit,
    });
    const key = JSON.stringify([fields.map(({ name }, at) => [name, operators[at]]).sort(), sort, answer]);
    shapes.set(key, { method: 'POST', target: '/shop/_find', ms, body });
  }
  return [...shapes.values()];
}

/** @returns {Shape[]} */
function viewShapes() {
  return Array.from({ length: count('views') }, (_, at) => ({
    method: 'GET',
    target: `/shop/_design/app/_view/view${at}?key=%22a%22&include_docs=true&limit=20`,
    ms: 20 + at,
  }));
}

/**
 * @param {string} name
 * @param {number} value
 * @param {number} most
 */
function verdict(name, value, most) {
  tell(`  ${name}: ${value.toFixed(1)} (wanted: at most ${most})${value <= most ? '' : '  MISSED'}`);
}

/** @param {string} text */
function tell(text) {
  process.stdout.write(`${text}\n`);
}
