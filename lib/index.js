// The library: what the command line does, for other programs. Reads files and judges them; prints and writes nothing.

import { readFileSync } from 'node:fs';
import { loadRules as load } from './engine/load.js';
import { advise, collectAllFacts } from './pipeline.js';
import { NEWEST_COUCHDB } from './shared/version.js';
import { openSources } from './sources/open.js';

export { formats } from './reports/index.js';
export { UserError } from './shared/user-error.js';
export { NEWEST_COUCHDB };

/** @import { Rule } from './engine/rule.js' */
/** @import { Target } from './facts/fact.js' */
/** @import { Settings } from './pipeline.js' */
/** @import { Report } from './reports/report.js' */
/** @import { Opened } from './sources/open.js' */
/** @import { ReadError } from './sources/record.js' */

/**
 * @typedef {object} LintOptions
 * @property {string[]} [paths] files, folders or globs; all below `cwd` where absent
 * @property {string} [cwd] the working directory where absent
 * @property {string[]} [exclude] patterns of what is passed over
 * @property {Target} [target] the newest CouchDB where absent
 * @property {string[]} [only] ids of the rules to ask; all where absent
 * @property {Record<string, 'off' | 'error' | 'warning' | 'info'>} [severities] by rule id
 * @property {string[]} [ruleFolders] folders with rules of your own, absolute
 * @property {ReadonlySet<string>} [baseline] keys of findings that are not reported
 */

/**
 * Judges files.
 * @param {LintOptions} [options]
 * @returns {Promise<Report>} with everything that was found, and in `errors` what could not be read
 * @throws {Error} where a rule of your own is not sound; the message names it
 */
export async function lint({ paths = [], cwd = process.cwd(), exclude, ...options } = {}) {
  return judge(await openSources({ paths, cwd, exclude }), options);
}

/**
 * Judges one text.
 * @param {string} text a design document, a dump, an index definition or an `.ini` file
 * @param {LintOptions & {filename?: string}} [options] `filename` is shown in places, and its ending says what the text is
 * @returns {Promise<Report>}
 */
export async function lintText(text, { filename, cwd = process.cwd(), ...options } = {}) {
  return judge(await openSources({ paths: ['-'], cwd, stdin: { text, filename } }), options);
}

/**
 * Every subject of files with all its facts.
 * @param {Pick<LintOptions, 'paths' | 'cwd' | 'exclude' | 'target'>} [options]
 * @returns {Promise<ReturnType<typeof collectAllFacts>>}
 */
export async function facts({ paths = [], cwd = process.cwd(), exclude, target } = {}) {
  const { records } = await openSources({ paths, cwd, exclude });
  return collectAllFacts(records, target ?? { version: NEWEST_COUCHDB });
}

/**
 * @param {string[]} [ruleFolders] folders with rules of your own, absolute
 * @returns {Promise<{rules: Rule[], errors: ReadError[]}>} the bundled rules and the sound ones of your own
 */
export function loadRules(ruleFolders = []) {
  return load({ folders: ruleFolders });
}

/**
 * @param {Opened} opened
 * @param {LintOptions} options
 * @returns {Promise<Report>}
 */
async function judge(opened, { target = { version: NEWEST_COUCHDB }, only, severities = {}, ruleFolders, baseline }) {
  const { rules, errors } = await loadRules(ruleFolders);
  if (errors[0]) throw new Error(`${errors[0].place?.file ?? 'a rule'}: ${errors[0].message}`);
  /** @type {Settings} */
  const settings = {
    target,
    only,
    severities: new Map(Object.entries(severities)),
    thresholds: new Map(),
    overrides: [],
    ignores: [],
  };
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return { ...advise({ opened, rules, settings, version, baseline }).report, failOn: 'error' };
}
