// Attacks by files that have no end, that nobody writes to, or that are larger than the memory, in each place where a file can be named or is looked
// for: a run ends, stays within its memory, and names the file.

import { execFileSync } from 'node:child_process';
import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { VERDICTS_FILE } from '../../../lib/cli/verdict-memory.js';
import { shopPlan } from '../../helpers/sample-plan.js';
import { together } from '../attack.js';
import { writeFiles } from '../hostile-project.js';
import { inspectRun } from '../inspect.js';
import { MAX_ADDED_BYTES, runAndWatch } from '../peak-memory.js';

/** @import { Attempt, Family } from '../attack.js' */
/** @import { Ended } from '../inspect.js' */

const MEBIBYTE = 1024 * 1024;
/** A run that takes longer waits for something; unpacking 3 GB takes a minute on a busy machine. */
const MAX_MS = 600_000;
const CONFIG = 'couch-advisor.config.json';

const DESIGN_DOC = {
  _id: '_design/orders',
  views: { totals: { map: 'function (doc) { emit(doc.customer, doc.total); }', reduce: '_sum' } },
};
const ORDERS = '{"_id":"order-1","customer":"c1","total":3}\n'.repeat(3);

/**
 * @typedef {object} Place
 * @property {string} id
 * @property {string[]} argv `HOG` stands for the file
 * @property {string} file that is one; of the project
 * @property {object} [config] with `HOG` too
 * @property {Record<string, string | object>} [files] what the project has besides
 * @property {Record<string, string>} [env]
 * @property {boolean} [isNamed] whether the command line names it, so that a pipe is waited for
 * @property {[before: string, filling: string, after: string]} [text] of one line without end
 * @property {string} [json] of which `[]` can be repeated at the place of `VALUES`
 * @property {boolean} [isSilent] whether it is left out without a word, as a cache is
 */

const LOAD = /** @type {Place['text']} */ (['{"_id":"order-1","text":"', 'x', '"}\n']);
const LOG = /** @type {Place['text']} */ (['[notice] 2026-11-03T09:15:00.000000Z couchdb@127.0.0.1 ', 'x', '\n']);
const HAR = /** @type {Place['text']} */ (['{"log":{"version":"1.2","creator":{},"entries":[', ' ', ']}}\n']);
const ENTRIES = '{"log":{"version":"1.2","creator":{},"entries":VALUES}}';
const DOCUMENT = '{"_id":"_design/orders","views":{"a":{"map":VALUES}}}';
const LINT = ['lint', '--verbose', '--fail-on', 'never'];

/** @type {Place[]} */
const FOUND = [
  { id: 'the configuration', file: CONFIG, argv: LINT, json: '{"paths":VALUES}' },
  { id: 'package.json', file: 'package.json', argv: LINT, isSilent: true, json: '{"couch-advisor":{},"a":VALUES}' },
  { id: 'extends', file: 'base.json', argv: LINT, config: { extends: './HOG' }, json: '{"paths":VALUES}' },
  {
    id: 'baseline',
    file: 'known.json',
    argv: LINT,
    config: { baseline: 'HOG' },
    json: '{"version":1,"findings":VALUES}',
  },
  { id: 'paths', file: 'hog.json', argv: LINT, config: { paths: ['HOG'] }, json: DOCUMENT },
  { id: 'paths of ini', file: 'local.ini', argv: LINT, config: { paths: ['HOG', 'orders.json'] } },
  { id: 'logs', file: 'hog.log', argv: LINT, config: { logs: ['HOG'] }, text: LOG },
  { id: 'logs of HAR', file: 'hog.har', argv: LINT, config: { logs: ['HOG'] }, text: HAR, json: ENTRIES },
  { id: 'loads', file: 'hog.jsonl', argv: LINT, config: { loads: ['HOG'] }, text: LOAD },
  {
    id: 'a rule',
    file: 'rules/own/hog/rule.json',
    argv: LINT,
    config: { ruleFolders: ['rules'] },
    json: '{"id":VALUES}',
  },
  { id: '.gitignore', file: '.gitignore', argv: LINT },
  { id: 'a design document', file: 'hog.json', argv: LINT, json: DOCUMENT },
  { id: 'settings', file: 'local.ini', argv: LINT },
  { id: 'code', file: 'app.js', argv: LINT },
  {
    id: 'a map of a couchapp',
    file: 'stock/views/low/map.js',
    argv: LINT,
    files: { 'stock/_id': '_design/stock', 'stock/views/low/reduce.js': '_count' },
  },
  {
    id: 'a !code of a couchapp',
    file: 'stock/lib/price.js',
    argv: LINT,
    files: {
      'stock/_id': '_design/stock',
      'stock/views/low/map.js': '// !code lib/price.js\nfunction (doc) { emit(1); }',
    },
  },
  { id: 'paths in facts', file: 'hog.json', argv: ['facts'], config: { paths: ['HOG'] } },
  { id: 'loads in facts', file: 'hog.jsonl', argv: ['facts'], config: { loads: ['HOG'] } },
  { id: 'logs in advise', file: 'hog.log', argv: ['advise'], config: { logs: ['HOG'] } },
  { id: 'files of init', file: 'orders.jsonl', argv: ['init', '--dry-run'], text: LOAD, isSilent: true },
  { id: 'cached files', file: '.cache', argv: LINT, isSilent: true },
];

/** @type {Place[]} */
const NAMED = [
  { id: '--config', file: 'hog.json', argv: [...LINT, '--config', 'HOG'] },
  { id: '--baseline', file: 'hog.json', argv: [...LINT, '--baseline', 'HOG'] },
  { id: 'a path', file: 'hog.json', argv: [...LINT, 'HOG'] },
  { id: '--deployed', file: 'hog.json', argv: [...LINT, '--deployed', 'HOG'] },
  { id: '--docs', file: 'hog.jsonl', argv: [...LINT, '--docs', 'HOG'], text: LOAD, json: '{"_id":"a","b":VALUES}' },
  { id: '--log', file: 'hog.log', argv: [...LINT, '--log', 'HOG'] },
  { id: '--log of HAR', file: 'hog.har', argv: [...LINT, '--log', 'HOG'], json: ENTRIES },
  { id: '--docs of facts', file: 'hog.jsonl', argv: ['facts', '--docs', 'HOG'] },
  { id: '--docs of profile', file: 'hog.jsonl', argv: ['profile', '--docs', 'HOG', '--budget', '1'] },
  { id: '--docs of advise', file: 'hog.jsonl', argv: ['advise', '--docs', 'HOG', '--log', 'couch.log'] },
  {
    id: '--docs of bench',
    file: 'hog.jsonl',
    argv: ['bench', 'bulk-load', '--docs', 'HOG'],
    text: LOAD,
  },
  { id: 'a load of predict', file: 'hog.jsonl', argv: ['predict', 'HOG'], text: LOAD, json: '{"_id":"a","b":VALUES}' },
  { id: '--views of predict', file: 'hog.json', argv: ['predict', 'orders.jsonl', '--views', 'HOG'] },
  { id: 'a log of digest', file: 'hog.log', argv: ['digest', 'HOG'], text: LOG },
  { id: 'a HAR file of digest', file: 'hog.har', argv: ['digest', 'HOG'], text: HAR },
  {
    id: '--merge',
    file: 'hog.json',
    argv: ['digest', '--merge', 'HOG'],
    text: ['{"version":1,"a":"', 'x', '"}\n'],
    json: '{"version":1,"groups":VALUES}',
  },
  { id: '--compare', file: 'hog.json', argv: ['digest', '--compare', 'couch.log', 'HOG'], text: LOG },
  { id: '--plan', file: 'hog.json', argv: ['confirm', '--plan', 'HOG'], json: '{"steps":VALUES}' },
  { id: 'documents of a plan', file: 'orders.hog.jsonl', argv: ['confirm', '--plan', 'plan.json'], text: LOAD },
  {
    id: 'netrc',
    file: 'hog.netrc',
    argv: ['lint', '--url', 'http://127.0.0.1:9'],
    env: { NETRC: 'HOG' },
    isSilent: true,
  },
];

/** @typedef {{id: string, isFor: (place: Place) => boolean, make: (file: string, place: Place, shared: string) => void | Promise<() => void>, given?: string, ending?: string, isSlow?: boolean}} Hog */

/** @type {Hog[]} */
const HOGS = [
  { id: 'a device', given: '/dev/zero', isFor: () => true, make: (file) => symlinkSync('/dev/zero', file) },
  {
    id: 'a pipe',
    isFor: ({ isNamed, env }) => !isNamed && !env,
    make: (file) => void execFileSync('mkfifo', [file]),
  },
  { id: 'a socket', isFor: ({ isNamed }) => !isNamed, make: listen },
  {
    id: '3 GB without a block',
    isFor: () => true,
    make: (file) => {
      closeSync(openSync(file, 'w'));
      truncateSync(file, 3 * 1024 * MEBIBYTE);
    },
  },
  {
    id: '3 GB in a gzip file',
    isSlow: true,
    ending: '.gz',
    isFor: ({ text }) => text !== undefined,
    make: (file, { text = ['', ' ', ''] }) => {
      const handle = openSync(file, 'w');
      const [before, filling, after] = text;
      writeSync(handle, gzipSync(before));
      const member = gzipSync(Buffer.alloc(64 * MEBIBYTE, filling));
      for (let at = 0; at < 48; at += 1) writeSync(handle, member);
      writeSync(handle, gzipSync(after));
      closeSync(handle);
    },
  },
  {
    id: 'a line of 700 MB',
    isSlow: true,
    isFor: ({ text }) => text !== undefined,
    make: (file, { text = ['', ' ', ''] }, shared) => {
      const [before, filling, after] = text;
      const kept = path.join(shared, Buffer.from(text.join()).toString('hex'));
      if (!readdirSync(shared).includes(path.basename(kept))) {
        const handle = openSync(kept, 'w');
        writeSync(handle, before);
        const piece = Buffer.alloc(7 * MEBIBYTE, filling);
        for (let at = 0; at < 100; at += 1) writeSync(handle, piece);
        writeSync(handle, after);
        closeSync(handle);
      }
      linkSync(kept, file);
    },
  },
  {
    id: '60 MB of empty arrays',
    isSlow: true,
    isFor: ({ json }) => json !== undefined,
    make: (file, { json = '' }) =>
      writeFileSync(file, `${json.replace('VALUES', () => `[${'[],'.repeat(20e6)}[]]`)}\n`),
  },
];

/** @type {Family} */
export const files = {
  id: 'files',
  about:
    'A file without end, or larger than the memory, costs at most 300 MiB wherever it is named, and no pipe or device is waited for',
  least: { short: 25, full: 160 },
  async *attack({ folder, isFull }) {
    const shared = path.join(folder, 'shared');
    mkdirSync(shared);
    const places = [...FOUND, ...NAMED.map((place) => ({ ...place, isNamed: true }))];
    const all = places.flatMap((place) => HOGS.filter((hog) => hog.isFor(place)).map((hog) => ({ place, hog })));
    // What unpacks or writes much takes long.
    const quick = all.filter(({ hog }, at) => !hog.isSlow && at % 4 === 0);
    /** By command, with harmless files. @type {Map<string, Promise<number>>} */
    const bases = new Map();
    const attempts = (isFull ? all : quick).map(({ place, hog }, number) => async () => {
      const cwd = path.join(folder, String(number));
      const [command = ''] = place.argv;
      const base = bases.get(command) ?? measureBase(path.join(folder, `base-${command}`), command);
      bases.set(command, base);
      const attempt = await attack(cwd, place, hog, shared, await base);
      rmSync(cwd, { recursive: true, force: true });
      return attempt;
    });
    yield* together({ attempts, limit: Math.min(2, os.availableParallelism()) });
  },
};

/** @param {string} cwd @param {string} command @returns {Promise<number>} bytes */
async function measureBase(cwd, command) {
  writeFiles(cwd, projectFiles());
  const argv = {
    digest: ['digest', 'couch.log'],
    predict: ['predict', 'orders.jsonl'],
    confirm: ['confirm', '--plan', 'gone.json'],
    bench: ['bench', 'bulk-load', '--docs', 'gone.jsonl'],
    advise: ['advise', '--log', 'couch.log'],
    init: ['init', '--dry-run'],
  }[command] ?? [command, 'orders.json'];
  return (await runAndWatch(cwd, argv, MAX_MS)).peakBytes;
}

/** @returns {Record<string, string | object>} */
function projectFiles() {
  const line =
    '[notice] 2026-11-03T09:15:00.000000Z couchdb@127.0.0.1 <0.1.0> 0a1b2c3d4e db:5984 10.0.0.1 app GET /shop/_all_docs 200 ok 5\n';
  const plan = shopPlan();
  return {
    'orders.json': DESIGN_DOC,
    'orders.jsonl': ORDERS,
    'couch.log': line.repeat(3),
    'plan.json': { ...plan, documents: { ...plan.documents, files: ['orders.hog.jsonl', 'orders.hog.jsonl.gz'] } },
    '.git/HEAD': 'ref: refs/heads/main\n',
  };
}

/**
 * @param {string} cwd
 * @param {Place} place
 * @param {Hog} hog
 * @param {string} shared folder of large files
 * @param {number} base bytes
 * @returns {Promise<Attempt>}
 */
async function attack(cwd, place, hog, shared, base) {
  const name = `${place.file}${hog.ending ?? ''}`;
  const given = hog.given ?? name;
  const withHog = (/** @type {string} */ text) =>
    text.replaceAll('./HOG', hog.given ?? './HOG').replaceAll('HOG', given);
  writeFiles(cwd, { ...projectFiles(), ...place.files });
  if (place.config) writeFiles(cwd, { [CONFIG]: withHog(JSON.stringify(place.config)) });
  const argv = place.argv.map(withHog);
  const isGiven = JSON.stringify([place.config, place.argv]).includes('HOG');
  const env = Object.fromEntries(Object.entries(place.env ?? {}).map(([key, value]) => [key, withHog(value)]));
  /** @type {(() => void)[]} */
  const done = [];
  for (const file of place.file === '.cache' ? await fillCache(cwd, argv) : [path.join(cwd, name)]) {
    mkdirSync(path.dirname(file), { recursive: true });
    rmSync(file, { force: true });
    done.push((await hog.make(file, place, shared)) ?? (() => {}));
  }
  const { ended, peakBytes } = await runAndWatch(cwd, argv, MAX_MS, env);
  for (const end of done) end();
  return {
    name: `${hog.id}: ${place.id}`,
    failure: failureOf(ended, peakBytes - base, place.isSilent ? '' : path.basename(isGiven ? given : name)),
  };
}

/** @param {Ended} ended @param {number} bytes above the base @param {string} named what must be named @returns {string | undefined} */
function failureOf(ended, bytes, named) {
  if (ended.exitCode === null) return `it did not end: ${ended.stderr.slice(-300)}`;
  if (bytes > MAX_ADDED_BYTES) return `it took ${Math.round(bytes / MEBIBYTE)} MiB`;
  const output = `${ended.stdout}${ended.stderr}`;
  return inspectRun(ended) ?? (output.includes(named) ? undefined : `${named} is not named: ${output.slice(-600)}`);
}

/** @param {string} cwd @param {string[]} argv @returns {Promise<string[]>} what the cache keeps of a run, and verdicts */
async function fillCache(cwd, argv) {
  await runAndWatch(cwd, argv, MAX_MS);
  const cache = path.join(cwd, '.cache/couch-advisor');
  const kept = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return [
    ...new Set([...kept.map((entry) => path.join(entry.parentPath, entry.name)), path.join(cache, VERDICTS_FILE)]),
  ];
}

/** @param {string} file @returns {Promise<() => void>} ends it */
function listen(file) {
  // A path of a socket has at most 107 bytes.
  const own = path.join(os.tmpdir(), `couch-advisor-${process.pid}-${Math.random().toString(36).slice(2)}.socket`);
  const server = net.createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(own, () => {
      linkSync(own, file);
      resolve(() => server.close());
    });
  });
}
