// Writes the tables of docs/measurements.md from the kept runs of test/bench/planted.js: nothing there is typed by
// hand.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { formatRatio } from '../../lib/reports/bench.js';
import { PLANTED } from '../bench/planted-cases.js';
import { root } from './run-cli.js';

/** @import { PlantedResult, PlantedRun } from '../bench/planted.js' */

const folder = path.join(root, 'docs/measurements/planted');
const WORDS = ['confirmed', 'no practical difference', 'refuted', 'inconclusive', 'not measurable here'];

/** @returns {PlantedRun[]} in the order of the names of their files */
export function readPlanted() {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.toSorted().map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')));
}

/**
 * @param {string} page with a pair of marks: `<!-- planted -->` and `<!-- end: planted -->`
 * @param {PlantedRun[]} runs
 * @returns {string} the page with the tables between the marks
 * @throws {Error} where it has no marks
 */
export function refreshPlanted(page, runs) {
  const marks = /(<!-- planted -->\n)[\s\S]*?(<!-- end: planted -->)/;
  if (!marks.test(page)) throw new Error('docs/measurements.md has no place for planted suggestions');
  return page.replace(marks, (_, begin, end) => `${begin}\n${renderPlanted(runs)}\n\n${end}`);
}

/** @param {PlantedRun[]} runs @returns {string} */
function renderPlanted(runs) {
  const servers = runs.map(({ at, budget, environment: { server, processors, processor, node } }) =>
    [
      `- ${serverOf(server)}, ${server.engine ?? 'unknown engine'}: ${at.slice(0, 10)}, ${processors} × ${processor}, Node ${node}`,
      `budget of a case ${budget} s`,
    ].join(', '),
  );
  return [
    servers.join('\n'),
    '**Suggestions that do not help**',
    countsOf(runs, false),
    '**Suggestions that help**',
    countsOf(runs, true),
    '**Each case**: how many times faster the advised way is, with the interval of 95 %',
    casesOf(runs),
    '**What stayed inconclusive**',
    inconclusiveOf(runs),
  ].join('\n\n');
}

/** @param {PlantedRun['environment']['server']} server @returns {string} `CouchDB 3.5.0, 3 nodes` */
function serverOf({ name, nodes = 1 }) {
  return `${name}, ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`;
}

/** @param {PlantedRun[]} runs @param {boolean} helps @returns {string} */
function countsOf(runs, helps) {
  const rows = runs.map(({ results, environment }) => {
    const those = results.filter((one) => one.helps === helps);
    const counts = WORDS.map((word) => those.filter((one) => one.word === word).length);
    return [serverOf(environment.server), those.length, ...counts];
  });
  return tableOf(['server', 'cases', ...WORDS], rows, 1);
}

/** @param {PlantedRun[]} runs @returns {string} */
function casesOf(runs) {
  const rows = PLANTED.map(({ name, rule, helps, why }) => [
    name,
    `\`${rule}\``,
    helps ? 'yes' : 'no',
    why,
    ...runs.map(({ results }) => cellOf(results.find((one) => one.name === name))),
  ]);
  return tableOf(
    ['case', 'rule', 'helps', 'why', ...runs.map(({ environment }) => serverOf(environment.server))],
    rows,
    4,
  );
}

/** @param {PlantedResult | undefined} result @returns {string} */
function cellOf(result) {
  if (!result) return 'not run';
  return `${result.word}${timesOf(result)}`;
}

/** @param {PlantedResult} result @returns {string} `, 2.1 (1.9 to 2.3)` */
function timesOf({ ratio, interval }) {
  if (ratio === null || interval === null) return '';
  return `, ${formatRatio(ratio)} (${interval.map(formatRatio).join(' to ')})`;
}

/** @param {PlantedRun[]} runs @returns {string} */
function inconclusiveOf(runs) {
  const lines = runs.flatMap(({ results, environment }) =>
    results
      .filter(({ word }) => word === 'inconclusive')
      .map((one) => {
        const notes = one.warnings.length > 0 ? ` (warnings: ${one.warnings.join(', ')})` : '';
        const margin = `${formatRatio(one.margin)} times are needed`;
        return `- ${serverOf(environment.server)}, *${one.name}*: ${timesOf(one).slice(2)} in ${one.rounds} pairs; ${margin}${notes}`;
      }),
  );
  return lines.length > 0 ? lines.join('\n') : 'Nothing.';
}

/**
 * @param {string[]} columns
 * @param {(string | number)[][]} rows
 * @param {number} texts columns at the left that hold text
 * @returns {string}
 */
function tableOf(columns, rows, texts) {
  const line = (/** @type {(string | number)[]} */ cells) => `| ${cells.join(' | ')} |`;
  const rule = columns.map((_, at) => (at < texts ? '---' : '--:'));
  return [line(columns), line(rule), ...rows.map(line)].join('\n');
}
