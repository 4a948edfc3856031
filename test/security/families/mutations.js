// Attacks by damaged files of every kind that the program reads: design documents, logs, loads, HAR files,
// configurations, caches. Each run ends with a documented exit code and without a stack trace.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { generateDesignDocs } from '../../bench/generate.js';
import { runMain } from '../../helpers/run-main.js';
import { inspectRun } from '../inspect.js';
import { createRandom, mutate, pick } from '../mutate.js';
import { createRepository } from '../repository.js';
import { baselineSample, digestSample, roundsSample, verdictsSample } from '../samples.js';

/** @import { Family } from '../attack.js' */

/** @typedef {{file: string, content: Buffer}} Sample */

/**
 * @typedef {object} Kind
 * @property {string} id
 * @property {number} share of all mutations
 * @property {() => Sample[] | Promise<Sample[]>} samples sound files
 * @property {string[][]} argvs of which each run takes one; `FILE` is the file
 * @property {(cwd: string) => void} [prepare] what is there beside the file
 */

const FIXTURES = new URL('../../../fixtures/', import.meta.url);

/** Mutations of all kinds together. */
const SHORT = 250;
const FULL = 10_000;

/** @type {Family} */
export const mutations = {
  id: 'mutations',
  about: 'Damaged design documents, logs, loads, HAR files, configurations and caches end in no stack trace',
  least: { short: SHORT, full: FULL },
  async *attack({ folder, isFull, seed }) {
    const cwd = path.join(folder, 'shop');
    const cache = path.join(folder, 'cache');
    const total = KINDS.reduce((sum, { share }) => sum + share, 0);
    for (const [number, kind] of KINDS.entries()) {
      const samples = await kind.samples();
      const count = Math.ceil(((isFull ? FULL : SHORT) * kind.share) / total);
      for (let at = 0; at < count; at += 1) {
        const own = seed * 1_000_000 + number * 100_000 + at;
        const random = createRandom(own);
        const { file, content } = pick(random, samples);
        mkdirSync(path.join(cwd, '.git'), { recursive: true });
        kind.prepare?.(cwd);
        // Samples of the cache lie in the cache folder, which is beside the project.
        const target = path.join(cwd, file);
        mkdirSync(path.dirname(target), { recursive: true });
        writeFileSync(target, mutate(content, random), { mode: 0o600 });
        const argv = pick(random, kind.argvs).map((word) => (word === 'FILE' ? file : word));
        const ended = await runMain(argv, { cwd, env: { XDG_CACHE_HOME: cache } });
        yield { name: `${kind.id} ${own}: ${argv.join(' ')}`, failure: inspectRun(ended) };
        rmSync(cwd, { recursive: true, force: true });
        // Proofs of sound functions stay, so that not every run makes them again.
        rmSync(target, { force: true });
      }
    }
  },
};

/** @param {string} folder below the fixtures @param {RegExp} [wanted] @returns {Sample[]} */
function filesOf(folder, wanted = /./) {
  const root = new URL(`${folder}/`, FIXTURES);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && wanted.test(entry.name))
    .map(({ name, parentPath }) => ({ file: name, content: readFileSync(path.join(parentPath, name)) }));
}

/** @param {string} cwd a project with a finding of most kinds */
function copyShop(cwd) {
  cpSync(new URL('projects/shop/', FIXTURES), cwd, { recursive: true });
}

/** @returns {Sample[]} documents with functions as real projects have them */
function generated() {
  return generateDesignDocs({ documents: 6, views: 4, seed: 7 }).map((document, at) => ({
    file: `generated-${at}.json`,
    content: Buffer.from(JSON.stringify(document, null, 2)),
  }));
}

const LINT = ['lint', '--no-config', '--format', 'json', 'FILE'];

/** @type {Kind[]} */
const KINDS = [
  {
    id: 'design document',
    share: 30,
    samples: () => [
      ...filesOf('design-docs', /\.(?:json|jsonl|js|txt)$/),
      ...filesOf('projects/shop/design-docs'),
      ...filesOf('projects/shop/indexes'),
      ...generated(),
    ],
    argvs: [
      LINT,
      LINT,
      ['lint', '--no-config', 'FILE'],
      ['facts', '--no-config', 'FILE'],
      ['lint', '--no-config', '--fix-dry-run', 'FILE'],
    ],
  },
  {
    id: 'log',
    share: 15,
    samples: () => [
      ...filesOf('logs', /\.log$/),
      ...filesOf('logs', /\.log$/).map(({ file, content }) => ({
        file: `${file}.gz`,
        content: gzipSync(content.subarray(0, 4000)),
      })),
      {
        file: 'couch.log',
        content: readFileSync(new URL('projects/shop/logs/couch.log', FIXTURES)).subarray(0, 20_000),
      },
    ],
    prepare: (cwd) =>
      cpSync(new URL('projects/shop/design-docs/', FIXTURES), path.join(cwd, 'ddocs'), { recursive: true }),
    argvs: [
      ['digest', 'FILE'],
      ['digest', 'FILE', '--format', 'json', '--keep-values'],
      ['lint', 'ddocs', '--log', 'FILE', '--format', 'json'],
    ],
  },
  {
    id: 'HAR file',
    share: 10,
    samples: () => filesOf('logs', /\.har$/),
    prepare: (cwd) =>
      cpSync(new URL('projects/shop/design-docs/', FIXTURES), path.join(cwd, 'ddocs'), { recursive: true }),
    argvs: [
      ['digest', 'FILE'],
      ['lint', 'ddocs', '--log', 'FILE', '--format', 'json'],
    ],
  },
  {
    id: 'load',
    share: 15,
    samples: () => [
      ...filesOf('loads'),
      ...filesOf('loads').map(({ file, content }) => ({
        file: `${file}.gz`,
        content: gzipSync(content.subarray(0, 4000)),
      })),
    ],
    prepare: (cwd) =>
      cpSync(new URL('projects/shop/design-docs/', FIXTURES), path.join(cwd, 'ddocs'), { recursive: true }),
    argvs: [
      ['predict', 'FILE'],
      ['predict', 'FILE', '--format', 'json', '--count', '1000'],
      ['lint', 'ddocs', '--docs', 'FILE', '--format', 'json'],
      ['facts', 'ddocs', '--docs', 'FILE'],
    ],
  },
  {
    id: 'settings of CouchDB',
    share: 5,
    samples: () => filesOf('server-config', /\.ini$/),
    argvs: [LINT, ['facts', '--no-config', 'FILE'], ['lint', '--no-config', '--fix-unsafe', 'FILE']],
  },
  {
    id: 'configuration',
    share: 10,
    samples: () => [
      { file: 'couch-advisor.config.json', content: Buffer.from(JSON.stringify(CONFIGURATION, null, 2)) },
      {
        file: 'package.json',
        content: Buffer.from(JSON.stringify({ name: 'shop', 'couch-advisor': CONFIGURATION }, null, 2)),
      },
    ],
    prepare: (cwd) => {
      copyShop(cwd);
      rmSync(path.join(cwd, 'couch-advisor.config.json'));
    },
    argvs: [
      ['lint', '--format', 'json'],
      ['facts', 'design-docs/stock.json'],
      ['explain', 'view/emit-whole-doc'],
      ['rules'],
    ],
  },
  {
    id: 'rule of the user',
    share: 5,
    samples: () => [
      {
        file: 'rules/shop/own-rule/rule.json',
        content: readFileSync(new URL('../rules/view/emit-whole-doc/rule.json', FIXTURES)),
      },
      {
        file: 'rules/shop/own-rule/rule.json',
        content: readFileSync(new URL('../rules/reduce/custom-sum/rule.json', FIXTURES)),
      },
    ],
    prepare: (cwd) => {
      copyShop(cwd);
      writeFileSync(path.join(cwd, 'couch-advisor.config.json'), JSON.stringify({ ruleFolders: ['rules'] }));
    },
    argvs: [['lint', 'design-docs', '--format', 'json'], ['rules'], ['explain', 'shop/own-rule']],
  },
  {
    id: 'kept verdicts',
    share: 5,
    samples: async () => [{ file: '../cache/couch-advisor/verdicts.json', content: await verdictsSample() }],
    prepare: copyShop,
    argvs: [
      ['lint', 'design-docs', '--format', 'json', '--target', '3.5'],
      ['lint', 'design-docs'],
    ],
  },
  {
    id: 'kept rounds',
    share: 3,
    samples: async () => [{ file: '../cache/couch-advisor/confirm.jsonl', content: await roundsSample() }],
    prepare: (cwd) => {
      cpSync(new URL('projects/shop/design-docs/', FIXTURES), path.join(cwd, 'ddocs'), { recursive: true });
      createRepository(cwd).commit();
      const file = path.join(cwd, 'ddocs/stock.json');
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('emit(', 'emit( '));
    },
    argvs: [
      ['ci', '--base', 'HEAD', '--documents', '1000', '--format', 'json'],
      ['ci', '--base', 'HEAD', '--documents', '1000'],
    ],
  },
  {
    id: 'digest',
    share: 7,
    samples: async () => [{ file: 'digest.json', content: await digestSample() }],
    argvs: [
      ['digest', '--merge', 'FILE'],
      ['digest', '--merge', 'FILE', 'FILE', '--format', 'json'],
    ],
  },
  {
    id: 'recorded answers',
    share: 8,
    samples: () => filesOf('servers'),
    argvs: [LINT, ['facts', '--no-config', 'FILE']],
  },
  {
    id: 'baseline',
    share: 2,
    samples: async () => [{ file: 'baseline.json', content: await baselineSample() }],
    prepare: copyShop,
    argvs: [['lint', 'design-docs', '--baseline', 'FILE', '--format', 'json']],
  },
];

/** Every key that it has. */
const CONFIGURATION = {
  target: { version: '3.3', engine: 'spidermonkey-91' },
  paths: ['design-docs', 'couchdb/local.ini'],
  exclude: ['old/**'],
  loads: ['loads/*.jsonl'],
  logs: ['logs/*.log'],
  rules: { 'ddoc/deprecated-features': 'off', 'map/unguarded-access': { severity: 'error' } },
  overrides: [{ files: ['design-docs/**'], rules: { 'view/duplicate-index': 'off' } }],
  ignore: [{ rule: 'security/cors-any-origin', file: 'couchdb/local.ini', reason: 'a test' }],
  failOn: 'warning',
  maxWarnings: 10,
  queries: [{ database: 'shop', body: { selector: { customer: 'ada' } } }],
  documents: 100_000,
  documentsPerSecond: 2000,
};
