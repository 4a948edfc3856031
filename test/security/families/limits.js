// Attacks by functions that take all the memory or all the time they can get, through every command that runs functions: the whole process stays
// within its memory, every run ends by itself, and the function that reached a limit is named.

import { rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startCli } from '../../helpers/run-cli.js';
import { hogOf, MEMORY_HOGS } from '../../sandbox/memory-hogs.js';
import { together } from '../attack.js';
import { writeFiles } from '../hostile-project.js';
import { inspectRun } from '../inspect.js';
import { MAX_ADDED_BYTES, runAndWatch } from '../peak-memory.js';

/** @import { Ended } from '../inspect.js' */
/** @import { Attempt, Family } from '../attack.js' */

/** A run that takes longer has no end. Limits count work and processor time; a busy machine takes a multiple of that. */
const MAX_MS = 1_800_000;

/** Bodies of functions that never end, or not in a lifetime. @type {readonly (readonly [name: string, body: string])[]} */
const TIME_HOGS = [
  ['a loop', 'while (true) {}'],
  ['a loop that catches', 'while (true) { try { null.order; } catch (error) {} }'],
  ['a regular expression', 'return /^(a+)+$/.test(new Array(60).join("a") + "!");'],
  ['a search in one call', 'return [].indexOf.call({ length: 9e15 }, 1);'],
  ['a sort', 'return new Array(3e5).fill(0).map(function (_, at) { return (at * 7919) % 300007; }).sort().length;'],
  ['a great number', 'var n = 3n; while (true) n = n * n;'],
  ['a getter that loops', 'return { get order() { while (true) {} } };'],
  ['toJSON that loops', 'return { toJSON: function () { while (true) {} } };'],
  [
    'a getter of an array that loops',
    'return Object.defineProperty([1], 0, { enumerable: true, get: function () { while (true) {} } });',
  ],
  ['an iterator without end', 'return Array.from({ length: 4294967295 }).length;'],
];

/** @typedef {'map' | 'reduce'} Kind */
/** @typedef {{name: string, argv: string[], kind: Kind, isInShort?: boolean}} Command */

const DOCS = ['--docs', 'orders.jsonl'];
/** `KEY` is that of a finding about the view. @type {Command[]} */
const COMMANDS = [
  { name: 'lint', argv: ['lint', ...DOCS, '--no-cache', '--verbose'], kind: 'reduce', isInShort: true },
  { name: 'facts', argv: ['facts', ...DOCS], kind: 'reduce' },
  { name: 'explain', argv: ['explain', 'KEY', '--no-cache'], kind: 'reduce' },
  { name: 'profile', argv: ['profile', ...DOCS, '--budget', '1'], kind: 'map' },
];
/** Runs for minutes. @type {Command} */
const CONFIRM = {
  name: 'confirm',
  argv: ['confirm', ...DOCS, '--max-docs', '100', '--runs', '1', '--budget', '1', '--journal', 'rounds.jsonl'],
  kind: 'map',
};

const MAP = "function (doc) { if (typeof doc.total === 'number') emit(doc.customer, doc); }";
const SUM = 'function (keys, values) { return values.length; }';
/** What is printed about a function that reached a limit. */
const LIMIT =
  /more than [\d.,]+ (?:million steps|s of processor time)|out of memory|longer than|nested|not determined|did not end|does not end|stopped/;

/** @type {Family} */
export const limits = {
  id: 'limits',
  about:
    'A function that takes all memory or all time costs at most 300 MiB, every run ends, and the function is named',
  least: { short: 5, full: 140 },
  async *attack({ folder, isFull }) {
    const commands = COMMANDS.filter(({ isInShort }) => isFull || isInShort);
    const [memory = [], time = []] = [MEMORY_HOGS, TIME_HOGS].map((all) =>
      all.filter((_, at) => isFull || at % 8 === 0),
    );
    const attempts = commands.flatMap((command) => [
      ...attemptsWith(folder, command, memory, false),
      ...attemptsWith(folder, command, time, true),
    ]);
    if (isFull) {
      attempts.push(...attemptsWith(folder, CONFIRM, MEMORY_HOGS.slice(0, 2), false));
      attempts.push(...attemptsWith(folder, CONFIRM, TIME_HOGS.slice(0, 3), true));
    }
    yield* together({ attempts, limit: os.availableParallelism() });
  },
};

/**
 * @param {string} folder
 * @param {Command} command
 * @param {readonly (readonly [name: string, body: string])[]} hogs
 * @param {boolean} isCutOff whether each of them must reach a limit
 * @returns {(() => Promise<Attempt>)[]}
 */
function attemptsWith(folder, { name: command, argv, kind }, hogs, isCutOff) {
  /** What the command takes with a harmless function. @type {Promise<{key: string, bytes: number}> | undefined} */
  let base;
  const wordsFor = (/** @type {string} */ key) => argv.map((word) => (word === 'KEY' ? key : word));
  const measureBase = async (/** @type {string} */ cwd) => {
    writeProject(cwd, kind, undefined);
    const { stdout } = await startCli(['lint', '--format', 'json', '--no-cache'], { cwd }).ended;
    const key = JSON.parse(stdout).findings[0]?.key;
    if (key === undefined) throw new Error(`nothing is found about the view: ${stdout.slice(0, 500)}`);
    return { key, bytes: (await runAndWatch(cwd, wordsFor(key), MAX_MS)).peakBytes };
  };
  return hogs.map(([name, body], number) => async () => {
    const cwd = path.join(folder, `${command}-${isCutOff}-${number}`);
    base ??= measureBase(`${cwd}-base`);
    const { key, bytes } = await base;
    writeProject(cwd, kind, body);
    const { ended, peakBytes } = await runAndWatch(cwd, wordsFor(key), MAX_MS);
    rmSync(cwd, { recursive: true, force: true });
    return { name: `${name}: ${command}`, failure: failureOf(ended, peakBytes - bytes, isCutOff) };
  });
}

/** @param {Ended} ended @param {number} bytes above the base @param {boolean} isCutOff @returns {string | undefined} */
function failureOf(ended, bytes, isCutOff) {
  if (ended.exitCode === null) return `it did not end: ${ended.stderr.slice(-300)}`;
  if (bytes > MAX_ADDED_BYTES) return `it took ${Math.round(bytes / 1024 / 1024)} MiB`;
  const output = `${ended.stdout}${ended.stderr}`;
  const isNamed = !isCutOff || (output.includes('hog') && LIMIT.test(output));
  return inspectRun(ended) ?? (isNamed ? undefined : `no function and limit are named: ${output.slice(-600)}`);
}

/** @param {string} cwd @param {Kind} kind @param {string | undefined} body of the function; a harmless one where absent */
function writeProject(cwd, kind, body) {
  // What a map returns is not looked at, so it emits what the function makes.
  const map = `function (doc) { if (typeof doc.total === 'number') emit(doc.customer, doc); emit(0, (function () { ${body} })()); }`;
  const reduce = body === undefined || kind === 'map' ? SUM : hogOf(body);
  const view = { map: body === undefined || kind === 'reduce' ? MAP : map, reduce };
  const orders = Array.from({ length: 30 }, (_, at) => ({ _id: `order-${at}`, customer: `c${at % 3}`, total: at }));
  writeFiles(cwd, {
    'orders.json': { _id: '_design/orders', language: 'javascript', views: { hog: view } },
    'orders.jsonl': `${orders.map((one) => JSON.stringify(one)).join('\n')}\n`,
    '.git/HEAD': 'ref: refs/heads/main\n',
  });
}
