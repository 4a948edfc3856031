// Malicious functions, through every command that reads or runs functions: none gets out of the sandbox, and each costs at most one clear error.

import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { HOSTILE_FUNCTIONS, HOSTILE_WAYS, reachBy } from '../../../fixtures/hostile/functions.js';
import { runMain } from '../../helpers/run-main.js';
import { writeFiles } from '../hostile-project.js';
import { inspectRun, inspectTerminal } from '../inspect.js';

/** @import { HostileFunction } from '../../../fixtures/hostile/functions.js' */
/** @import { Attempt, Family } from '../attack.js' */

const DOCUMENTS = Array.from({ length: 30 }, (_, at) => ({ _id: `order-${at}`, customer: `c${at % 3}`, total: at }));
const ROWS = "function (doc) { if (typeof doc.total === 'number') emit(doc.customer, doc.total); }";
/** Ways out that one run of `confirm` measures: three views of a rule. */
const VIEWS = 3;

/** @type {Family} */
export const functions = {
  id: 'functions',
  about: 'Functions of design documents stay in the sandbox: they reach no file, no process and no network',
  least: { short: 60, full: 900 },
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
    default:
      return { ...document, [`${kind}s`]: { hostile: source } };
  }
}

/**
 * @param {HostileFunction} hostile
 * @param {string} cwd
 * @param {string} marker
 * @returns {AsyncIterable<Attempt>}
 */
async function* attackWith(hostile, cwd, marker) {
  mkdirSync(path.join(cwd, '.git'), { recursive: true });
  try {
    const source = hostile.source.replaceAll('MARKER', marker);
    writeFiles(cwd, {
      'hostile.json': documentWith({ ...hostile, source }),
      'orders.jsonl': `${DOCUMENTS.map((one) => JSON.stringify(one)).join('\n')}\n`,
    });
    /** @type {string[][]} */
    const runs = [
      ['lint', '--docs', 'orders.jsonl', '--no-cache'],
      ['facts', '--docs', 'orders.jsonl'],
      ['lint', '--fix-dry-run'],
      ['profile', '--docs', 'orders.jsonl', '--budget', '1'],
      ['profile', '--size', '50', '--budget', '1', '--format', 'json'],
    ];
    for (const argv of runs) {
      const ended = await runMain(argv, { cwd });
      const failure = inspectRun(ended) ?? failureOfEscape(`${ended.stdout}${ended.stderr}`, marker);
      const isPatch = argv.includes('--fix-dry-run');
      yield {
        name: `${hostile.kind}: ${hostile.name}: ${argv[0]}`,
        failure: failure ?? (isPatch ? undefined : inspectTerminal(ended.stdout)),
      };
    }
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
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
    const argv = [
      'confirm',
      '--docs',
      'orders.jsonl',
      '--max-docs',
      '100',
      '--runs',
      '1',
      '--budget',
      '1',
      '--output',
      'rounds.jsonl',
    ];
    const ended = await runMain(argv, { cwd });
    const wasMeasured = /measur|faster|inconclusive|difference/.test(ended.stdout)
      ? undefined
      : `nothing was measured: ${ended.stderr}`;
    const failure = inspectRun(ended) ?? failureOfEscape(`${ended.stdout}${ended.stderr}`, marker) ?? wasMeasured;
    for (const [way] of ways) yield { name: `map: ${way}: confirm`, failure };
    rmSync(cwd, { recursive: true, force: true });
  }
}
