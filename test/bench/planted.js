// Measures suggestions whose truth is known, as `confirm` measures findings: how often it confirms what does not help, and how often it confirms
// what does.
// COUCHDB_URL names the server; `--help` says the rest.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { Readable, Writable } from 'node:stream';
import { bindFindings } from '../../lib/cli/commands/confirm/bind-findings.js';
import { prepare } from '../../lib/cli/prepare.js';
import { analyze } from '../../lib/engine/pipeline.js';
import { createLoadGenerator } from '../../lib/measure/experiments/run/load-generator.js';
import { loadAverage, readEnvironment } from '../../lib/measure/experiments/run/read-environment.js';
import { makeRunId, runAll } from '../../lib/measure/experiments/run/run-all.js';
import { openCouchdb } from '../../lib/measure/servers/couchdb.js';
import { watchMachine } from '../../lib/measure/servers/server-processes.js';
import { Target } from '../../lib/measure/servers/target.js';
import { readFirstDocuments } from '../../lib/sources/loads/first-documents.js';
import { filesOf, PLANTED } from './planted-cases.js';
import { readNumber, readOptions } from './read-options.js';

/** @import { BoundExperiment } from '../../lib/cli/commands/confirm/bind-findings.js' */
/** @import { Link } from '../../lib/engine/judge.js' */
/** @import { Environment } from '../../lib/measure/experiments/environment.js' */
/** @import { Noise } from '../../lib/measure/experiments/experiment.js' */
/** @import { Settled } from '../../lib/measure/experiments/run/run-all.js' */
/** @import { Subject } from '../../lib/facts/fact.js' */
/** @import { Server } from '../../lib/measure/servers/server.js' */
/** @import { PlantedCase } from './planted-cases.js' */

const HELP = `Measures suggestions whose truth is known on a real CouchDB, as confirm measures findings.

  COUCHDB_URL=http://admin:secret@127.0.0.1:5984 node test/bench/planted.js [options]

  --quick          at most 8 pairs and 5 seconds each: shows that all can be measured, settles little
  --only TEXT      cases whose name or rule has the text
  --budget SECONDS for each case (60, which is the default of confirm)
  --json FILE      results, written after each case; cases that the file has are not measured again
  --minutes N      begins no case after so many minutes; run it again with the same --json for the rest
`;

/** The default of `confirm`. */
const BUDGET = 60;
const QUICK = { budget: 5, pairs: 8 };
const MAX_SAMPLED = 5000;

/**
 * @typedef {object} PlantedResult
 * @property {string} name
 * @property {string} rule
 * @property {boolean} helps
 * @property {string} why
 * @property {boolean} isFound whether `lint` has the finding by itself
 * @property {string} word of the verdict
 * @property {string} reason
 * @property {number | null} ratio
 * @property {Record<string, number | null>} ms medians by arm: of a request, of a document for loads
 * @property {[number, number] | null} interval
 * @property {number} margin ratio from which on a difference is believed and worth acting on
 * @property {number} rounds
 * @property {number} seconds it took
 * @property {string[]} warnings their codes
 */

/**
 * @typedef {object} PlantedRun
 * @property {string} at when it began
 * @property {number} budget in seconds
 * @property {Environment} environment
 * @property {Noise} [noise] what equal arms differed by
 * @property {PlantedResult[]} results
 */

/**
 * Plants the case in a project of its own and binds its experiment, as `confirm` does.
 * @param {PlantedCase} planted
 * @returns {Promise<{experiment: BoundExperiment, isFound: boolean}>}
 */
export async function plant(planted) {
  const cwd = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-planted-'));
  try {
    mkdirSync(path.join(cwd, '.git'));
    const files = filesOf(planted);
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, name), text);
    const options = { docs: ['documents.jsonl'], log: files['couch.log'] ? ['couch.log'] : [], cache: false };
    const surroundings = { cwd, env: {}, stdin: Readable.from([]), stdout: sink(), stderr: sink() };
    const prepared = await prepare(options, ['app.json'], surroundings);
    const advice = await analyze({ ...prepared, version: 'planted' });
    const found = advice.links.find(
      ({ finding, subject }) => finding.rule === planted.rule && isAbout(subject, planted),
    );
    const documents = (await prepared.openDocuments?.(MAX_SAMPLED)) ?? [];
    const [experiment] = await bindFindings(
      [readExperiment(planted.rule)],
      { links: [found ?? linkOf(planted, advice.run.subjects)], ask: advice.ask },
      {
        seed: '1',
        documents: undefined,
        samples: { documents, total: planted.documents.length, areScrambled: false },
        readLoad: (file, most) => readFirstDocuments(path.resolve(cwd, file), most),
      },
    );
    if (!experiment) throw new Error(`${planted.name}: nothing was bound`);
    return { experiment, isFound: found !== undefined };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** @param {string} rule */
function readExperiment(rule) {
  return JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../rules', rule, 'experiment.json'), 'utf8'));
}

/** @returns {Writable} */
function sink() {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

/** @param {Subject} subject @param {PlantedCase} planted */
function isAbout(subject, planted) {
  if (subject.kind !== planted.subject) return false;
  if (subject.kind === 'view') return subject.name === 'rows';
  return subject.kind !== 'request' || subject.record.view === 'rows';
}

/**
 * @param {PlantedCase} planted
 * @param {Subject[]} subjects
 * @returns {Link} a finding that no rule made
 */
function linkOf(planted, subjects) {
  const subject = subjects.find((one) => isAbout(one, planted));
  if (!subject) throw new Error(`${planted.name}: there is no ${planted.subject}`);
  const { rule, outcome, name } = planted;
  const finding = /** @type {Link['finding']} */ (
    /** @type {unknown} */ ({ rule, outcome, key: `${rule}#${outcome}:${name}`, place: subject.place })
  );
  return /** @type {Link} */ (/** @type {unknown} */ ({ finding, subject }));
}

/**
 * @param {PlantedCase} planted
 * @param {Server} server
 * @param {{budgetMs: number, pairs: number | undefined, noise?: Noise | undefined}} limits `noise`: of the cases before, as in a run of
 *   `confirm` with several findings
 * @returns {Promise<{settled: Settled, noise: Noise | null, isFound: boolean, seconds: number}>}
 */
export async function measurePlanted(planted, server, { budgetMs, pairs, noise: known }) {
  const { experiment, isFound } = await plant(planted);
  const mark = { run: makeRunId(), host: os.hostname(), pid: process.pid, at: new Date().toISOString() };
  const started = performance.now();
  const { settled, noise, failure } = await runAll([experiment], {
    server,
    target: new Target(server, mark),
    generator: createLoadGenerator(),
    environment: readEnvironment({ tool: 'planted', server: server.about }),
    seed: '1',
    documents: undefined,
    // One connection: with several the server is as busy as the machine lets it.
    connections: 1,
    pairs,
    budgetMs,
    ...(known ? { noise: known } : {}),
    known: new Map(),
    machine: watchMachine(server),
    loadAverage,
    clocks: { steady: () => performance.now(), wall: () => Date.now() },
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    keep: () => {},
    onProgress: () => {},
  });
  if (failure) throw failure;
  const [one] = settled;
  if (!one) throw new Error(`${planted.name}: nothing was settled`);
  return { settled: one, noise, isFound, seconds: (performance.now() - started) / 1000 };
}

/**
 * @param {PlantedCase} planted
 * @param {Awaited<ReturnType<typeof measurePlanted>>} measured
 * @returns {PlantedResult}
 */
function resultOf({ name, rule, helps, why }, { settled: { verdict, result }, isFound, seconds }) {
  const { word, reason, ratio, interval, rounds, margin } = verdict;
  const ms = Object.fromEntries((result?.arms ?? []).map((one) => [one.arm, one.ms]));
  const warnings = (result?.warnings ?? []).map(({ code }) => code);
  return {
    name,
    rule,
    helps,
    why,
    isFound,
    word,
    reason,
    ratio,
    interval,
    ms,
    margin,
    rounds,
    seconds: Math.round(seconds),
    warnings,
  };
}

/** @param {PlantedResult} result @returns {string} one line */
function lineOf({ name, helps, word, ratio, interval, margin, rounds, seconds, isFound, reason, warnings }) {
  const span = interval ? ` (${interval.map((end) => end.toFixed(2)).join(' to ')})` : '';
  const measured =
    ratio === null ? reason : `${ratio.toFixed(2)}${span} in ${rounds} pairs, margin ${margin.toFixed(2)}`;
  const notes = [isFound ? 'found by lint' : 'planted', `${seconds} s`, ...warnings];
  return `${helps ? 'helps ' : 'no use'}  ${name}: ${word}, ${measured}; ${notes.join(', ')}`;
}

/** @param {PlantedResult[]} results @returns {string} counts of words */
function countWords(results) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { word } of results) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ') || 'none';
}

async function main() {
  const { values } = readOptions(HELP, {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    budget: { type: 'string' },
    json: { type: 'string' },
    minutes: { type: 'string' },
  });
  const { COUCHDB_URL } = process.env;
  if (!COUCHDB_URL) {
    process.stderr.write(`COUCHDB_URL names no server\n\n${HELP}`);
    process.exitCode = 2;
    return;
  }
  const budget = readNumber('--budget', values.budget ?? String(values.quick ? QUICK.budget : BUDGET), HELP);
  const minutes =
    values.minutes === undefined ? Number.POSITIVE_INFINITY : readNumber('--minutes', values.minutes, HELP);
  const limits = { budgetMs: budget * 1000, pairs: values.quick ? QUICK.pairs : undefined };
  const server = await openCouchdb(COUCHDB_URL, process.env);
  const environment = readEnvironment({ tool: 'planted', server: server.about });
  const kept = readKept(values.json, server.about);
  /** @type {PlantedRun} */
  const run = kept ?? { at: new Date().toISOString(), budget, environment, results: [] };
  const started = performance.now();
  try {
    for (const planted of PLANTED) {
      if (!`${planted.name} ${planted.rule}`.includes(values.only)) continue;
      if (run.results.some(({ name }) => name === planted.name)) continue;
      if (performance.now() - started > minutes * 60_000) break;
      const measured = await measurePlanted(planted, server, { ...limits, noise: run.noise });
      const result = resultOf(planted, measured);
      run.noise ??= measured.noise ?? undefined;
      run.results.push(result);
      console.log(lineOf(result));
      if (values.json) writeFileSync(values.json, `${JSON.stringify(run, null, 2)}\n`);
    }
  } finally {
    await server.close();
  }
  const [useless, helpful] = [false, true].map((helps) => run.results.filter((one) => one.helps === helps));
  console.log(`\n${server.about.name}, ${server.about.nodes ?? 1} nodes, budget ${budget} s`);
  console.log(`no use (${useless?.length}): ${countWords(useless ?? [])}`);
  console.log(`helps (${helpful?.length}): ${countWords(helpful ?? [])}`);
}

/**
 * @param {string | undefined} file
 * @param {Server['about']} about
 * @returns {PlantedRun | undefined} what the file has of an earlier run
 * @throws {Error} where it is of another server
 */
function readKept(file, about) {
  if (file === undefined || !existsSync(file)) return undefined;
  /** @type {PlantedRun} */
  const run = JSON.parse(readFileSync(file, 'utf8'));
  const { name, nodes } = run.environment.server;
  if (name !== about.name || nodes !== about.nodes) throw new Error(`${file} has results of ${name}, ${nodes} nodes`);
  return run;
}

if (process.argv[1] === import.meta.filename) await main();
