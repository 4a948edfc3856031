// Reads the table of what changed between releases of CouchDB, and tells which rows lie between two of them.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PACKAGE_FOLDER } from '../../../package-folder.js';
import { compareVersions } from '../../../shared/version.js';

/** @import { Severity } from '../../../engine/findings/finding.js' */

/**
 * What shows in a project that a change matters to it. `inBoth`: the rule reports it for the old version too, as advice. `default`: nothing sets the
 * option, so that its default counts. `sets`: it is done where the section is set. `code`: a pattern in files that call CouchDB; `text`: in any file.
 * `answers`: functions that a document shows to answer otherwise, those that may, and those that do for strings that are no dates. `none`: nothing that is read can show it, with the reason.
 * @typedef {{rule: string, inBoth?: boolean} | {request: RequestPattern} | {call: string[]} | {code: string} | {text: string} | {global: string[]} | {option: string[]} | {default: string} | {sets: string} | {subject: string} | {answers: 'shown' | 'open' | 'dates'} | {deadOptions: true} | {plans: true} | {none: string}} Detector
 */
/** @typedef {{endpoints: string[], methods?: string[], database?: string | null, parameters?: string[]}} RequestPattern `database`: null for the server itself */
/** `deprecated`: it still works. `skip`: the release is not one to run. @typedef {'breaks' | 'silent' | 'better' | 'first' | 'deprecated' | 'skip'} Kind */
/** @typedef {'before' | 'during' | 'after'} Phase when something is to be done about it */

/**
 * @typedef {object} Change One row of share/upgrade/changes.json.
 * @property {string} id
 * @property {string} since the first release that has it
 * @property {string} [before] the first release that no longer has it
 * @property {string} [fromBefore] it matters only to those who come from a release older than this
 * @property {Kind} kind
 * @property {Phase} phase
 * @property {Severity} severity
 * @property {string} title what changed, in one sentence
 * @property {string} advice
 * @property {string[]} [commands] of a shell, with the address of the server in `COUCHDB`
 * @property {Detector | Detector[]} detector
 * @property {string} source
 * @property {string[]} triedOn versions on which it was tried
 * @property {string} [notTried] why there are none
 */

/**
 * The options of `default.ini` by section and key, each a list of pairs: from which release on (its number in `releases`), and the default; null where it
 * is no longer listed, 0 where the source does not name it either.
 * @typedef {{releases: string[], options: Record<string, Record<string, (number | string | null)[]>>}} OptionTable
 */

/** @type {{changes: Change[], options: OptionTable} | undefined} */
let tables;

/** @returns {{changes: Change[], options: OptionTable}} read once by a process */
export function readTables() {
  const read = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(path.join(PACKAGE_FOLDER, 'share/upgrade', name), 'utf8'));
  tables ??= { changes: read('changes.json').changes, options: read('options.json') };
  return tables;
}

/**
 * @param {string} version of one to three parts
 * @param {OptionTable} table
 * @returns {string} the newest release of that line; of a line that is not known, its first
 */
export function releaseOf(version, { releases }) {
  const line = releases.findLast((release) => release === version || release.startsWith(`${version}.`));
  return line ?? [...version.split('.'), '0', '0'].slice(0, 3).join('.');
}

/**
 * @param {Change[]} changes
 * @param {{from: string, to: string}} between two releases
 * @returns {Change[]} those that the upgrade brings
 */
export function changesBetween(changes, { from, to }) {
  return changes.filter(({ since, before, fromBefore, kind }) => {
    if (fromBefore !== undefined && compareVersions(from, fromBefore) >= 0) return false;
    // What holds for every upgrade is since 0, and what is found by comparison since 1.0.
    if (since === '0' || since === '1.0') return true;
    if (compareVersions(from, since) >= 0 || compareVersions(to, since) < 0) return false;
    return kind === 'skip' || before === undefined || compareVersions(to, before) < 0;
  });
}
