// `node test/bench/choice.js`: how long the choice among many candidates takes, and how good it is where every set can be tried. README.md beside it
// says how to read it.

import process from 'node:process';
import { chooseChanges } from '../../lib/advise/choice.js';
import { bestGain, largeChoice, smallChoice } from '../helpers/random-candidates.js';
import { readNumber, readOptions } from './read-options.js';

const HELP = `Measures the choice of advise: its time for many candidates, and how near it comes to the best set of few.

  node test/bench/choice.js [options]

  --candidates N    (200)
  --queries N       (300)
  --small N         random choices among at most 12 candidates that are compared with the best set (2000)
`;
/** The part of all queries that a candidate serves. */
const DENSITIES = [0.01, 0.05, 0.3, 1];
/** The part of what all candidates would need that the budget allows. */
const BUDGETS = [0.01, 0.05, 0.1, 0.4];

const { values } = readOptions(HELP, {
  candidates: { type: 'string', default: '200' },
  queries: { type: 'string', default: '300' },
  small: { type: 'string', default: '2000' },
});
const count = readNumber('--candidates', values.candidates, HELP);
const queries = readNumber('--queries', values.queries, HELP);
const small = readNumber('--small', values.small, HELP);

process.stdout.write(`${count} candidates, ${queries} queries\n  density  budget  chosen     steps  processor time\n`);
for (const density of DENSITIES) {
  const candidates = largeChoice({ seed: 'bench', candidates: count, queries, density });
  const bytes = candidates.reduce((sum, one) => sum + one.bytes, 0);
  const writeCost = candidates.reduce((sum, one) => sum + one.writeCost, 0);
  for (const part of BUDGETS) {
    const before = process.cpuUsage();
    const { chosen, work } = chooseChanges(candidates, { bytes: bytes * part, writeCost: writeCost * part });
    const { user, system } = process.cpuUsage(before);
    const cells = [
      density,
      part,
      chosen.length,
      `${(work / 1e6).toFixed(1)} M`,
      `${((user + system) / 1e6).toFixed(2)} s`,
    ];
    const [one, two, three, four, five] = cells.map(String);
    process.stdout.write(
      `${one?.padStart(9)}${two?.padStart(8)}${three?.padStart(8)}${four?.padStart(10)}${five?.padStart(16)}\n`,
    );
  }
}

const parts = Array.from({ length: small }, (_, at) => {
  const { candidates, budget } = smallChoice(`bench ${at}`);
  const best = bestGain(candidates, budget);
  return best === 0 ? 1 : chooseChanges(candidates, budget).gain / best;
});
const best = parts.filter((part) => part > 1 - 1e-9).length;
process.stdout.write(
  `${small} choices among at most 12: the best set in ${best}, the worst ${(Math.min(...parts) * 100).toFixed(1)} % of it\n`,
);
