// Checks what a rule's README says under "How it is confirmed" of each claim: tried or measured on which CouchDB, by
// what, or not tried.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BUILDS } from '../bench/figures/builds.js';
import { FEEDS } from '../bench/figures/feeds.js';
import { READS } from '../bench/figures/reads.js';
import { WRITES } from '../bench/figures/writes.js';
import { sectionOf } from './rule-page.js';
import { root } from './run-cli.js';

const NOTE = /^- (?:(?:Tried|Measured) on (?<on>[^:]+)|Not tried): (?<claim>.+) \((?<by>[^()]+)\)\.$/;
const FIGURES = new Set([...READS, ...BUILDS, ...WRITES, ...FEEDS].map(({ id }) => id));

/**
 * @param {string} page the README of a rule
 * @param {string} texts that quote versions as `(CouchDB 3.4.3)`
 * @returns {string[]} a page without a note, a note in another form, a test or a figure that does not exist, a version that is quoted and was not tried
 */
export function evidenceFaults(page, texts) {
  const lines = sectionOf(page, 'How it is confirmed').text.split('\n');
  const notes = lines.filter((line) => line.startsWith('- '));
  const parsed = notes.map((note) => NOTE.exec(note)?.groups);
  const tried = parsed.map((groups) => groups?.['on'] ?? '').join(' ');
  const quoted = [...texts.matchAll(/\(([^()]*\d+\.\d+\.\d+[^()]*)\)/g)].flatMap(([, text = '']) => versionsIn(text));
  return [
    ...(notes.length === 0 ? ['no claim is noted as tried, measured or not tried'] : []),
    ...notes.filter((_, at) => parsed[at] === undefined).map((note) => `another form: ${note}`),
    ...parsed.flatMap((groups) => (groups?.['on'] ? referenceFaults(groups['claim'] ?? '', groups['by'] ?? '') : [])),
    ...quoted.filter((version) => !versionsIn(tried).includes(version)).map((version) => `${version} was not tried`),
  ];
}

/** @param {string} text @returns {string[]} */
function versionsIn(text) {
  return text.match(/\b\d+\.\d+\.\d+\b/g) ?? [];
}

/**
 * @param {string} claim the title of the live test, where it is one
 * @param {string} by `test/live/…`, `rule-figures.js --only skip`, by hand, by others
 * @returns {string[]}
 */
function referenceFaults(claim, by) {
  const [, figure] = /^`rule-figures\.js --only (.+)`/.exec(by) ?? [];
  if (figure !== undefined) return FIGURES.has(figure) ? [] : [`no figure is called ${figure}`];
  const [, file] = /^`(test\/live\/.+)`$/.exec(by) ?? [];
  if (file === undefined) return /^by (hand|others)\b/.test(by) ? [] : [`by what? ${by}`];
  if (!existsSync(path.join(root, file))) return [`there is no ${file}`];
  return readFileSync(path.join(root, file), 'utf8').includes(claim) ? [] : [`${file} has no test "${claim}"`];
}
