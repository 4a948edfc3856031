// Measures how often `confirm` is wrong on a server: experiments whose arms are equal, measured as real ones are, one verdict each. Any
// `confirmed` or `refuted` among them is false.
// node test/bench/equal-arms.js [RUNS], with COUCHDB_URL for a real server; the embedded one otherwise.

import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createLoadGenerator } from '../../lib/measure/experiments/run/load-generator.js';
import { readEnvironment } from '../../lib/measure/experiments/run/read-environment.js';
import { makeRunId, runAll } from '../../lib/measure/experiments/run/run-all.js';
import { openCouchdb } from '../../lib/measure/servers/couchdb.js';
import { openEmbedded } from '../../lib/measure/servers/embedded.js';
import { Target } from '../../lib/measure/servers/target.js';
import { readNumber, readOptions } from './read-options.js';

/** @import { Experiment } from '../../lib/measure/experiments/experiment.js' */

const HELP = `Measures an experiment whose arms are equal, again and again, as confirm does: how often it is wrong.

  [COUCHDB_URL=http://admin:secret@127.0.0.1:5984] node test/bench/equal-arms.js [RUNS]   (50)
`;

const { given } = readOptions(HELP, {}, { names: ['runs'] });
const runs = readNumber('RUNS', given[0] ?? '50', HELP);
const { COUCHDB_URL } = process.env;
const folder = path.resolve(import.meta.dirname, '../../rules/view/include-docs-hot');
/** @type {Experiment} */
const experiment = JSON.parse(readFileSync(path.join(folder, 'experiment.json'), 'utf8'));
const { binding: _, ...pattern } = experiment;
const advised = pattern.arms.find(({ id }) => id === 'advised');
if (!advised) throw new Error('the experiment has no advised arm');
const equal = { ...pattern, counters: [], arms: [{ ...advised, id: 'as-is' }, advised] };

const server = COUCHDB_URL ? await openCouchdb(COUCHDB_URL, process.env) : await openEmbedded();
/** @type {Map<string, number>} */
const words = new Map();
try {
  for (let run = 1; run <= runs; run += 1) {
    const mark = { run: makeRunId(), host: os.hostname(), pid: process.pid, at: new Date().toISOString() };
    const { settled, noise, failure } = await runAll([equal], {
      server,
      target: new Target(server, mark),
      generator: createLoadGenerator(),
      environment: readEnvironment({ tool: 'equal arms', server: server.about }),
      seed: String(run),
      documents: 500,
      connections: 1,
      pairs: undefined,
      budgetMs: 10_000,
      known: new Map(),
      clocks: { steady: () => performance.now(), wall: () => Date.now() },
      pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      keep: () => {},
      onProgress: () => {},
    });
    if (failure) throw failure;
    const [one] = settled;
    if (!one) throw new Error('nothing was settled');
    const { word, ratio, rounds } = one.verdict;
    words.set(word, (words.get(word) ?? 0) + 1);
    console.log(
      `${run}: ${word}, ${ratio?.toFixed(3)} in ${rounds} pairs, margin ${noise?.ratio?.toFixed(3) ?? 'not measured'}`,
    );
  }
} finally {
  await server.close();
}
console.log(`${server.about.name}: ${[...words].map(([word, count]) => `${count} ${word}`).join(', ')}`);
