// Attacks the program and prints the table of docs/security.md: family, attempts, failures.
//
//   node test/security/run.js                 everything, which takes an hour on a small machine
//   node test/security/run.js --short         what `npm test` tries
//   node test/security/run.js names servers   these families
//   node test/security/run.js --write         everything, and the table goes into docs/security.md
//
// Ends with 1 where something failed.

import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { runFamily } from './attack.js';
import { FAMILIES } from './families.js';

/** @import { Result } from './attack.js' */

const PAGE = new URL('../../docs/security.md', import.meta.url);
const TABLE = /(<!-- attacks -->\n)[\s\S]*?(<!-- end of attacks -->)/;

const { values, positionals } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
  allowPositionals: true,
});
const unknown = positionals.filter((id) => !FAMILIES.some((family) => family.id === id));
if (unknown.length > 0 || (values.write && (positionals.length > 0 || values.short))) {
  const ids = FAMILIES.map(({ id }) => id).join(' ');
  process.stderr.write(
    `usage: node test/security/run.js [--short] [--seed N] [FAMILY...] | --write\nfamilies: ${ids}\n`,
  );
  process.exit(2);
}

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
}

const rows = results.map(
  ({ id, about, attempts, failures }) =>
    `| \`${id}\` | ${about} | ${attempts.toLocaleString('en')} | ${failures.length} |`,
);
const total = results.reduce((sum, { attempts }) => sum + attempts, 0);
const failed = results.reduce((sum, { failures }) => sum + failures.length, 0);
const table = [
  '| Family | What must hold | Attempts | Failures |',
  '|---|---|---:|---:|',
  ...rows,
  `| | **all** | **${total.toLocaleString('en')}** | **${failed}** |`,
].join('\n');
process.stdout.write(`${table}\n`);
if (values.write) {
  const page = readFileSync(PAGE, 'utf8');
  if (!TABLE.test(page)) throw new Error('docs/security.md has no place for the table');
  writeFileSync(
    PAGE,
    page.replace(TABLE, (_, begin, end) => `${begin}\n${table}\n\n${end}`),
  );
}
process.exitCode = failed > 0 ? 1 : 0;
