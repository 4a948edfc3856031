// Attacks the program and prints the table of docs/security.md: family, attempts, failures.

import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { runFamily } from './attack.js';
import { FAMILIES } from './families.js';
import { tableOf, withTable } from './table.js';

/** @import { Result } from './attack.js' */

const PAGE = new URL('../../docs/security.md', import.meta.url);

const USAGE = `Attacks couch-advisor through its own commands and prints how many attempts failed to do harm.

usage: node test/security/run.js [--short] [--seed N] [--write] [FAMILY...]

  FAMILY     only these families; all of them without any
  --short    what \`npm run test:long\` tries, which takes minutes; the full set takes about an hour on two cores
  --seed N   seed of the random damage (1)
  --write    write the results into the table of docs/security.md; rows of other families stay
  --help     print this

families: ${FAMILIES.map(({ id }) => id).join(' ')}
exit code: 0 without failures, 1 with failures, 2 for wrong arguments
`;

const { values, positionals } = readArguments();
/** @type {Result[]} */
const results = [];
for (const family of FAMILIES) {
  if (positionals.length > 0 && !positionals.includes(family.id)) continue;
  const started = Date.now();
  const result = await runFamily(family, {
    isFull: !values.short,
    seed: Number(values.seed),
    onFailure: ({ name, failure }) => process.stderr.write(`${family.id}: ${JSON.stringify(name)}: ${failure}\n`),
  });
  results.push(result);
  const seconds = Math.round((Date.now() - started) / 1000);
  process.stderr.write(`${family.id}: ${result.attempts} attempts, ${result.failures.length} failures, ${seconds} s\n`);
  if (values.write) writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8'), results.map(rowOf)));
}
process.stdout.write(`${tableOf(results.map(rowOf))}\n`);
process.exitCode = results.some(({ failures }) => failures.length > 0) ? 1 : 0;

/** @param {Result} result @returns {import('./table.js').Row} */
function rowOf({ id, attempts, failures }) {
  return { id, attempts, failures: failures.length };
}

/** Ends the process where they are wrong, or help was wanted. */
function readArguments() {
  try {
    const read = parseArgs({
      options: {
        short: { type: 'boolean', default: false },
        seed: { type: 'string', default: '1' },
        write: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
    if (read.values.help) {
      process.stdout.write(USAGE);
      process.exit(0);
    }
    const unknown = read.positionals.filter((id) => !FAMILIES.some((family) => family.id === id));
    if (unknown.length > 0) throw new Error(`unknown family: ${unknown.join(', ')}`);
    if (!/^\d{1,6}$/.test(read.values.seed)) throw new Error('--seed must be a number from 0 to 999999');
    if (read.values.write && read.values.short) throw new Error('the table is that of the full set: leave out --short');
    return read;
  } catch (error) {
    process.stderr.write(`${/** @type {Error} */ (error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}
