// Attacks by malicious functions, through every command that reads or runs functions, in every format: none escapes
// from the sandbox, and each costs at most one clear error.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { HOSTILE_FUNCTIONS, HOSTILE_WAYS, reachBy } from '../../../fixtures/hostile/functions.js';
import { runMain } from '../../helpers/run-main.js';
import { FEW_ROUNDS } from '../attack.js';
import { inFiles, inspectOutput, REPORT_FORMATS } from '../formats.js';
import { writeFiles } from '../hostile-project.js';
import { inspectJson, inspectPage, inspectRun, inspectTerminal } from '../inspect.js';
import { openInEditor } from '../language-server.js';
import { createRepository, GIT_ENV } from '../repository.js';

/** @import { HostileFunction, HostileKind } from '../../../fixtures/hostile/functions.js' */
/** @import { Attempt, Family } from '../attack.js' */
/** @import { Run } from '../formats.js' */

const DOCUMENTS = Array.from({ length: 30 }, (_, at) => ({ _id: `order-${at}`, customer: `c${at % 3}`, total: at }));
const ROWS = "function (doc) { if (typeof doc.total === 'number') emit(doc.customer, doc.total); }";
/** Ways out that one run of `confirm` measures: three views of a rule. */
const VIEWS = 3;

/** @type {Family} */
export const functions = {
  id: 'functions',
  about: 'Functions of design documents stay in the sandbox: they reach no file, no process and no network',
  least: { short: 250, full: 3000 },
  async *attack({ folder, isFull }) {
    const marker = path.join(folder, 'stolen');
    const some = isFull ? HOSTILE_FUNCTIONS : HOSTILE_FUNCTIONS.filter((_, at) => at % 12 === 0);
    for (const hostile of some) yield* attackWith(hostile, path.join(folder, 'shop'), marker);
    if (isFull) yield* confirmWith(path.join(folder, 'shop'), marker);
  },
};

/**
 * @param {HostileFunction} hostile
 * @returns {Record<string, unknown>} a design document with the function in its place
 */
function documentWith({ kind, source }) {
  const rows = { map: ROWS };
  const document = { _id: '_design/hostile', language: 'javascript', views: { rows } };
  switch (kind) {
    case 'map':
      return { ...document, views: { hostile: { map: source }, summed: { map: source, reduce: '_sum' } } };
    case 'reduce':
      return { ...document, views: { hostile: { map: ROWS, reduce: source } } };
    case 'library': {
      const map = "function (doc) { var lib = require('views/lib/hostile'); emit(doc.customer, [lib, doc.total]); }";
      return { ...document, views: { lib: { hostile: source }, hostile: { map, reduce: '_count' } } };
    }
    case 'validate':
      return { ...document, validate_doc_update: source };
    case 'rewrite':
      return { ...document, rewrites: source };
    default:
      return { ...document, [`${kind}s`]: { hostile: source } };
  }
}

/** Kinds that are run: the others are read. @type {ReadonlySet<HostileKind>} */
const OF_VIEWS = new Set(['map', 'reduce', 'library']);
/** The document before the change. */
const HARMLESS = { _id: '_design/hostile', language: 'javascript', views: { rows: { map: ROWS } } };

/**
 * @param {HostileFunction} hostile
 * @param {string} cwd
 * @param {string} marker
 * @returns {AsyncIterable<Attempt>}
 */
async function* attackWith(hostile, cwd, marker) {
  const name = (/** @type {string} */ command) => `${hostile.kind}: ${hostile.name}: ${command}`;
  try {
    const repository = createRepository(cwd);
    const orders = `${DOCUMENTS.map((one) => JSON.stringify(one)).join('\n')}\n`;
    writeFiles(cwd, { 'hostile.json': HARMLESS, 'orders.jsonl': orders });
    repository.commit();
    const source = hostile.source.replaceAll('MARKER', marker);
    writeFiles(cwd, { 'hostile.json': documentWith({ ...hostile, source }) });
    const env = { ...GIT_ENV, HOME: cwd };
    for (const run of await runsOf(hostile.kind, cwd, env)) {
      const ended = await runMain(run.argv, { cwd, env });
      const output = `${ended.stdout}${ended.stderr}`;
      const failure = inspectRun(ended) ?? failureOfEscape(output, marker) ?? run.inspect(ended.stdout);
      yield { name: name(run.name), failure };
      for (const written of inspectOutput(run, cwd)) {
        const wrong = written.failure ?? failureOfEscape(written.text, marker);
        yield { name: name(`${run.name}, ${written.file}`), failure: wrong };
      }
    }
    const text = readFileSync(path.join(cwd, 'hostile.json'), 'utf8');
    const { failure, shown } = await openInEditor(cwd, 'hostile.json', text, env);
    yield { name: name('lsp'), failure: failure ?? failureOfEscape(shown, marker) };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/**
 * @param {HostileKind} kind
 * @param {string} cwd
 * @param {Record<string, string>} env
 * @returns {Promise<Run[]>}
 */
async function runsOf(kind, cwd, env) {
  const docs = ['--docs', 'orders.jsonl'];
  const lint = inFiles('lint', REPORT_FORMATS);
  const ci = inFiles('ci', REPORT_FORMATS);
  const profile = ['profile', '--view', 'hostile/hostile', '--budget', '1'];
  const { stdout } = await runMain(['lint', '--format', 'json'], { cwd, env });
  const key = JSON.parse(stdout).findings[0]?.key;
  /** @type {[name: string, argv: string[], files?: Run['files']][]} */
  const runs = [
    ['lint', ['lint', ...docs, '--no-cache', '--verbose', ...lint.argv], lint.files],
    ['facts', ['facts', ...docs]],
    ['ci', ['ci', '--base', 'HEAD', ...ci.argv], ci.files],
  ];
  if (key !== undefined) runs.push(['explain', ['explain', key]]);
  if (OF_VIEWS.has(kind)) {
    const files = ['--output', 'q.html', '--svg', 'q.svg', '--folded', 'q.txt'];
    const inspections = { 'q.html': inspectPage, 'q.svg': inspectPage, 'q.txt': inspectTerminal };
    runs.push(['profile', [...profile, ...docs, ...files], inspections]);
  }
  const read = runs.map(([name, argv, files = {}]) => ({ name, argv, inspect: inspectTerminal, files }));
  read.push({ name: 'facts as JSON', argv: ['facts', ...docs, '--format', 'json'], inspect: inspectJson, files: {} });
  // A patch is exact.
  read.push({ name: 'lint --fix-dry-run', argv: ['lint', '--fix-dry-run'], inspect: () => undefined, files: {} });
  if (OF_VIEWS.has(kind)) {
    const argv = [...profile, '--size', '50', '--format', 'json'];
    read.push({ name: 'profile as JSON', argv, inspect: inspectJson, files: {} });
  }
  return read;
}

/** @param {string} text @param {string} marker */
function failureOfEscape(text, marker) {
  if (existsSync(marker)) return 'a file was written';
  return text.includes('reached the host') ? 'the process was reached' : undefined;
}

/**
 * Maps that try a way out and emit whole documents are measured on the embedded server.
 * @param {string} cwd
 * @param {string} marker
 * @returns {AsyncIterable<Attempt>}
 */
async function* confirmWith(cwd, marker) {
  for (let at = 0; at < HOSTILE_WAYS.length; at += VIEWS * 4) {
    mkdirSync(path.join(cwd, '.git'), { recursive: true });
    const ways = HOSTILE_WAYS.slice(at, at + VIEWS);
    const views = ways.map(([, expression], number) => {
      const map = reachBy('map', expression)
        .replaceAll('MARKER', marker)
        .replace('emit(found, 1)', 'emit([found, first.customer], first)');
      return [`way-${number}`, { map }];
    });
    writeFiles(cwd, {
      'hostile.json': { _id: '_design/hostile', language: 'javascript', views: Object.fromEntries(views) },
      'orders.jsonl': `${DOCUMENTS.map((one) => JSON.stringify(one)).join('\n')}\n`,
    });
    const argv = ['confirm', '--docs', 'orders.jsonl', ...FEW_ROUNDS, '--journal', 'rounds.jsonl'];
    const ended = await runMain(argv, { cwd });
    const wasMeasured = /measur|faster|inconclusive|difference/.test(ended.stdout)
      ? undefined
      : `nothing was measured: ${ended.stderr}`;
    const failure = inspectRun(ended) ?? failureOfEscape(`${ended.stdout}${ended.stderr}`, marker) ?? wasMeasured;
    for (const [way] of ways) yield { name: `map: ${way}: confirm`, failure };
    rmSync(cwd, { recursive: true, force: true });
  }
}
