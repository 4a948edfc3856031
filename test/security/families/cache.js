// Attacks on the cache folder: damaged, not writable, used by three runs at once, or planted by another user. A report
// is the same as without it.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { contentOf, keepVerdicts, VERDICTS_FILE } from '../../../lib/cli/verdict-memory.js';
import { version } from '../../../lib/cli/version.js';
import { seal, unseal } from '../../../lib/engine/run/cache-file.js';
import { startCli } from '../../helpers/run-cli.js';
import { runMain } from '../../helpers/run-main.js';
import { writeFiles } from '../hostile-project.js';
import { inspectRun } from '../inspect.js';
import { createRandom, mutate } from '../mutate.js';

/** @import { Ended } from '../inspect.js' */
/** @import { Family } from '../attack.js' */

/** A reduce that is found to be `_sum`; a proof that says otherwise silences the finding. */
const DOCUMENT = {
  _id: '_design/orders',
  views: {
    totals: {
      map: "function (doc) { if (typeof doc.total === 'number') emit(doc.customer, doc.total); }",
      reduce: 'function (keys, values) { return sum(values); }',
    },
  },
};
const VIEW = DOCUMENT.views.totals;
const LIE = { verdict: 'custom', basis: 'proved', trials: 3, steps: [] };
/** Another user than the one that runs this. */
const STRANGER = 4321;
const ARGV = ['lint', 'orders.json', '--format', 'json'];

/** @type {Family} */
export const cache = {
  id: 'cache',
  about:
    'A cache that is damaged, not writable, shared or planted changes no report, and nothing is written outside of it',
  least: { short: 50, full: 280 },
  async *attack({ folder, isFull, seed }) {
    const cwd = path.join(folder, 'shop');
    const home = path.join(folder, 'home');
    const proofs = path.join(home, 'couch-advisor/proofs');
    writeFiles(cwd, { 'orders.json': DOCUMENT, '.git/HEAD': 'ref: refs/heads/main\n' });
    const env = { XDG_CACHE_HOME: home };
    const lint = (/** @type {string[]} */ ...more) => runMain([...ARGV, ...more], { cwd, env });
    const expected = (await lint('--no-cache')).stdout;
    if (!isFound(expected)) throw new Error('the reduce is not found, so nothing can be silenced');
    await lint();
    const verdict = refute(JSON.parse(expected));
    const refuted = path.join(home, 'couch-advisor', VERDICTS_FILE);
    keepVerdicts(path.dirname(refuted), [verdict]);
    if (isFound((await lint()).stdout)) throw new Error('a verdict that may be used is not used');
    rmSync(refuted);
    const kept = ['proofs', 'reports'].map((kind) => {
      const [name = ''] = readdirSync(path.join(home, 'couch-advisor', kind));
      const file = path.join(home, 'couch-advisor', kind, name);
      return { kind, file, sound: readFileSync(file, 'utf8') };
    });

    /** @param {Ended} ended @returns {string | undefined} */
    const failureOf = (ended) => inspectRun(ended) ?? (ended.stdout === expected ? undefined : 'the report differs');
    const reset = (/** @type {typeof kept} */ files) => {
      rmSync(home, { recursive: true, force: true });
      mkdirSync(proofs, { recursive: true });
      for (const { file, sound } of files) write(file, sound);
    };
    for (const one of kept) {
      const { kind, file, sound } = one;
      for (const [about, plant] of [...plants(file, sound, folder), ...plantsOfVerdicts(refuted, verdict)]) {
        reset([one]);
        const isPossible = plant() !== false;
        if (isPossible)
          yield { name: `${kind}: ${about}`, failure: failureOf(await lint()) ?? failureOfTarget(folder) };
      }
    }
    // Where nothing can be written, by any user.
    for (const nowhere of ['/proc', '/sys', '/dev/null', '/dev/full']) {
      if (!existsSync(nowhere)) continue;
      const ended = await runMain(ARGV, { cwd, env: { XDG_CACHE_HOME: nowhere } });
      yield { name: `a cache in ${nowhere}`, failure: failureOf(ended) };
    }
    const random = createRandom(seed);
    for (const one of kept) {
      for (let at = 0; at < (isFull ? 120 : 5); at += 1) {
        reset([one]);
        writeFileSync(one.file, mutate(Buffer.from(one.sound), random));
        yield { name: `${one.kind}: damaged ${at}`, failure: failureOf(await lint()) };
      }
    }
    for (let at = 0; at < (isFull ? 8 : 1); at += 1) {
      rmSync(home, { recursive: true, force: true });
      const runs = Array.from({ length: 3 }, () => startCli(ARGV, { cwd, env }).ended);
      for (const ended of await Promise.all(runs))
        yield { name: `three runs at once ${at}`, failure: failureOf(ended) };
      const left = readdirSync(proofs).filter((one) => one.endsWith('.tmp'));
      yield {
        name: `files left by three runs ${at}`,
        failure: left.length === 0 ? failureOf(await lint()) : left.join(),
      };
    }
  },
};

/** @param {string} report @returns {boolean} whether the reduce is in it */
function isFound(report) {
  return JSON.parse(report).findings.some((/** @type {{rule: string}} */ { rule }) => rule === 'reduce/custom-sum');
}

/** @param {string} folder @returns {string | undefined} whether something that a link led to was changed */
function failureOfTarget(folder) {
  const target = path.join(folder, 'target');
  if (!existsSync(target)) return undefined;
  const text = readFileSync(target, 'utf8');
  rmSync(target);
  return text === 'stock' ? undefined : 'a file outside of the cache was written';
}

/**
 * @param {string} file of a proof, or of a report
 * @param {string} sound its text
 * @param {string} folder for what lies outside of the cache
 * @returns {[about: string, plant: () => false | void][]} false where it cannot be done here
 */
function plants(file, sound, folder) {
  const entry = unseal(version(), sound);
  const wrong = 'proof' in entry ? { ...entry, proof: LIE } : { ...entry, report: { ...entry.report, findings: [] } };
  const lie = seal(version(), wrong);
  const target = path.join(folder, 'target');
  const own = path.dirname(file);
  const isRoot = process.getuid?.() === 0;
  return [
    ['sound', () => {}],
    ['a file that others may write', () => write(file, lie, 0o666)],
    ['a file that the group may write', () => write(file, lie, 0o660)],
    ['of another version of the program', () => write(file, seal('0.0.0', wrong))],
    ['without its seal', () => write(file, JSON.stringify(wrong))],
    ['with a seal of another one', () => write(file, sound.replaceAll('equal', 'wrong'))],
    ['of another question', () => write(file, seal(version(), { ...wrong, question: `${entry.question} `, key: '0' }))],
    [
      'of another function text',
      () =>
        write(file, seal(version(), { ...wrong, question: entry.question?.replace('sum(', 'max('), key: undefined })),
    ],
    ['of no kind', () => write(file, seal(version(), { ...wrong, proof: { verdict: 7 }, report: { findings: 7 } }))],
    [
      'a file of another user',
      () => {
        if (!isRoot) return false;
        write(file, lie);
        chownSync(file, STRANGER, STRANGER);
      },
    ],
    [
      'a folder of another user',
      () => {
        if (!isRoot) return false;
        write(file, lie);
        for (const one of [file, own, path.dirname(own)]) chownSync(one, STRANGER, STRANGER);
      },
    ],
    [
      'a link to another one',
      () => {
        write(`${file}.other`, lie);
        rmSync(file);
        symlinkSync(`${file}.other`, file);
      },
    ],
    [
      'a link to a file outside',
      () => {
        write(target, 'stock');
        rmSync(file);
        symlinkSync(target, file);
      },
    ],
    [
      'links where a temporary file could be',
      () => {
        write(target, 'stock');
        rmSync(file);
        for (const suffix of [`.${process.pid}.tmp`, '.tmp', '.0.tmp']) symlinkSync(target, `${file}${suffix}`);
      },
    ],
    [
      'a pipe',
      () => {
        rmSync(file);
        execFileSync('mkfifo', [file]);
      },
    ],
    [
      'a folder instead of the file',
      () => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
    [
      'a file instead of the folder',
      () => {
        rmSync(own, { recursive: true });
        write(own, 'stock');
      },
    ],
    [
      'a folder that cannot be written to',
      () => {
        rmSync(file);
        chmodSync(own, 0o500);
      },
    ],
    [
      'a broken link instead of the folder',
      () => {
        rmSync(own, { recursive: true });
        symlinkSync(path.join(folder, 'nowhere'), own);
      },
    ],
  ];
}

/** @param {string} file @param {string} text @param {number} [mode] */
function write(file, text, mode = 0o600) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}

/**
 * @param {any} report
 * @returns {import('../../../lib/cli/verdict-memory.js').Kept} a verdict that silences the finding, where it is believed
 */
function refute({ findings, target }) {
  const { key } = findings.find((/** @type {{rule: string}} */ { rule }) => rule === 'reduce/custom-sum');
  const subject = { kind: 'view', map: { text: { text: VIEW.map } }, reduce: { text: { text: VIEW.reduce } } };
  return {
    key,
    content: contentOf(/** @type {any} */ (subject)),
    version: `${target.version}.0`,
    isPattern: false,
    verdict: /** @type {any} */ ({
      word: 'refuted',
      ratio: 1,
      interval: [0.9, 1.1],
      rounds: 12,
      server: 'CouchDB 3.5.0',
      counters: {},
      warnings: [],
      at: new Date().toISOString(),
    }),
  };
}

/**
 * @param {string} file
 * @param {ReturnType<typeof refute>} verdict
 * @returns {ReturnType<typeof plants>}
 */
function plantsOfVerdicts(file, verdict) {
  const keep = (/** @type {Partial<typeof verdict>} */ changes) =>
    keepVerdicts(path.dirname(file), [{ ...verdict, ...changes }]);
  return [
    [
      'verdicts of another user',
      () => {
        if (process.getuid?.() !== 0) return false;
        keep({});
        chownSync(file, STRANGER, STRANGER);
      },
    ],
    [
      'verdicts that others may write',
      () => {
        keep({});
        chmodSync(file, 0o666);
      },
    ],
    [
      'verdicts that the group may write',
      () => {
        keep({});
        chmodSync(file, 0o660);
      },
    ],
    [
      'a link to verdicts',
      () => {
        keep({});
        renameSync(file, `${file}.other`);
        symlinkSync(`${file}.other`, file);
      },
    ],
    ['a pipe instead of verdicts', () => void execFileSync('mkfifo', [file])],
    ['a folder instead of verdicts', () => mkdirSync(file)],
  ];
}
