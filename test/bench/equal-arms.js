// How often equal arms get a verdict that tells them apart on a real server: node test/bench/equal-arms.js [runs] [url].
// Without a url on the embedded server. Credentials as for `confirm`.

import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { readExperiments } from '../../lib/cli/read-experiments.js';
import { loadRules } from '../../lib/engine/load.js';
import { createLoadGenerator } from '../../lib/experiments/run/load-generator.js';
import { makeRunId } from '../../lib/experiments/run/run-all.js';
import { runExperiment } from '../../lib/experiments/run/run-experiment.js';
import { logRatiosOf } from '../../lib/experiments/summary.js';
import { LEAST_MARGIN, settleAll } from '../../lib/experiments/verdict.js';
import { openCouchdb } from '../../lib/servers/couchdb.js';
import { openEmbedded } from '../../lib/servers/embedded.js';
import { Target } from '../../lib/servers/target.js';

const DOCUMENTS = 300;
const PAIRS = 12;

const [, , runs = '30', url] = process.argv;
const server = url === undefined ? await openEmbedded() : await openCouchdb(url, process.env);
const target = new Target(server, { run: makeRunId(), host: 'bench', pid: process.pid, at: new Date().toISOString() });
const { rules } = await loadRules();
const experiment = readExperiments(rules).find(
  ({ arms }) => arms[1]?.measure === 'requests' && arms[1].designDoc?.views,
);
const arm = experiment?.arms[1];
if (!experiment || !arm) throw new Error('no experiment has a view');
const equal = {
  ...experiment,
  id: 'equal arms',
  counters: [],
  arms: [
    { ...arm, id: 'as-is' },
    { ...arm, id: 'advised' },
  ],
};

/** @type {Map<string, number>} */
const words = new Map();
/** @type {number[]} */
const ratios = [];
try {
  for (let run = 0; run < Number(runs); run += 1) {
    const { samples } = await runExperiment(equal, {
      target,
      generator: createLoadGenerator(),
      seed: `equal ${run}`,
      documents: DOCUMENTS,
      connections: 1,
      pairs: PAIRS,
      budgetMs: 60_000,
      margin: LEAST_MARGIN,
      experiments: Number.MAX_SAFE_INTEGER,
      clocks: { steady: () => performance.now(), wall: () => Date.now() },
      pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    });
    const limits = { margin: LEAST_MARGIN, effect: LEAST_MARGIN };
    const [verdict] = settleAll([{ logRatios: logRatiosOf(samples), ...limits, server: server.about.name }]);
    words.set(verdict?.word ?? '', (words.get(verdict?.word ?? '') ?? 0) + 1);
    ratios.push(verdict?.ratio ?? Number.NaN);
  }
} finally {
  await target.dropAll();
  await server.close();
}
const wrong = (words.get('confirmed') ?? 0) + (words.get('refuted') ?? 0);
ratios.sort((first, second) => first - second);
console.log(`${server.about.name}: ${wrong} of ${runs} runs of equal arms were told apart`);
console.log(`words: ${[...words].map(([word, count]) => `${count} ${word}`).join(', ')}`);
console.log(`ratios: ${ratios[0]?.toFixed(3)} to ${ratios.at(-1)?.toFixed(3)}`);
