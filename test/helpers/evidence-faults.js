// Whether what evidence.json names is there: the live test by its file and name, the figure by its id.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BUILDS } from '../bench/figures/builds.js';
import { READS } from '../bench/figures/reads.js';
import { WRITES } from '../bench/figures/writes.js';
import { root } from './run-cli.js';

/** @import { Evidence } from './rule-folders.js' */

const FIGURES = new Set([...READS, ...BUILDS, ...WRITES].map(({ id }) => id));

/** @type {Map<string, string>} */
const texts = new Map();

/**
 * @param {Evidence} evidence
 * @returns {string[]}
 */
export function evidenceFaults(evidence) {
  if (!('by' in evidence)) return [];
  const [file = '', ...rest] = evidence.by.split(': ');
  const name = rest.join(': ');
  if (file === 'by hand') return [];
  if (file === 'test/bench/rule-figures.js') return FIGURES.has(name) ? [] : [`no figure is called ${name}`];
  if (!existsSync(path.join(root, file))) return [`there is no ${file}`];
  return readText(file).includes(name) ? [] : [`${file} has no test \`${name}\``];
}

/** @param {string} file @returns {string} */
function readText(file) {
  const known = texts.get(file) ?? readFileSync(path.join(root, file), 'utf8');
  texts.set(file, known);
  return known;
}
