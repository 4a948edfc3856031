// Finds, reads and writes the baseline file: findings that are known and not reported again. Their keys stay the same when
// lines move.

import path from 'node:path';
import { samePlaces } from '../engine/findings/finding.js';
import { readTextFile, reasonOf } from '../files/open-file.js';
import { parseBounded } from '../shared/bounded-json.js';
import { MAX_VALUES } from '../shared/parse-json.js';
import { shellWord } from '../shared/shell-word.js';
import { UserError } from '../shared/user-error.js';
import { writeFileAtomically } from './write-file.js';

/** @import { Config } from './config.js' */
/** @import { OpenOptions } from '../files/open-file.js' */
/** @import { Finding } from '../engine/findings/finding.js' */

const VERSION = 1;

/**
 * @param {string | undefined} named on the command line
 * @param {Config} config
 * @param {string} cwd
 * @returns {ReadonlySet<string> | undefined} keys of the findings in the baseline; undefined where there is none
 * @throws {UserError} where it cannot be read or is not a baseline
 */
export function findBaseline(named, config, cwd) {
  const file = named === undefined ? config.baseline : path.resolve(cwd, named);
  if (file === undefined) return undefined;
  return readBaseline(file, named ?? path.relative(cwd, file), { isNamed: named !== undefined, within: cwd });
}

/**
 * @param {string} file absolute
 * @param {string} shown how people know it
 * @param {OpenOptions} options
 * @returns {Set<string>} the keys of the findings in it
 * @throws {UserError} where it cannot be read or is not a baseline
 */
function readBaseline(file, shown, options) {
  const hint = `recreate it with --write-baseline ${shellWord(shown)}`;
  let text;
  try {
    text = readTextFile(file, options);
  } catch (error) {
    throw new UserError('baseline-unreadable', `cannot read the baseline ${shown} (${reasonOf(error)})`, { hint });
  }
  /** @type {any} */
  let value;
  try {
    value = parseBounded(text, `the baseline ${shown}`, { hint, maxValues: MAX_VALUES });
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError('baseline-broken', `the baseline ${shown} is not valid JSON`, { hint });
  }
  const isBaseline = value?.version === VERSION && Array.isArray(value.findings);
  if (!isBaseline || !value.findings.every((/** @type {any} */ finding) => typeof finding?.key === 'string')) {
    throw new UserError('baseline-broken', `${shown} is not a baseline of version ${VERSION}`, { hint });
  }
  return new Set(value.findings.map((/** @type {{key: string}} */ finding) => finding.key));
}

/**
 * @param {string} file absolute
 * @param {Finding[]} findings
 * @param {string} shown how people know it
 * @returns {number} how many entries it has: one for each place of a finding
 */
export function writeBaseline(file, findings, shown) {
  const kept = findings
    .flatMap((finding) => [finding, ...samePlaces(finding)])
    .map(({ key, place, message }) => ({ key, file: place.file, message }))
    .sort((first, second) => (first.key < second.key ? -1 : 1));
  writeFileAtomically(file, `${JSON.stringify({ version: VERSION, findings: kept }, null, 2)}\n`, shown);
  return kept.length;
}
