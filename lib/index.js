// The library: what the command line does, for other programs. Reads files and judges them; prints and writes nothing.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describeRun } from './details.js';
import { openLogs } from './digest/run/open-logs.js';
import { loadRules as load } from './engine/load.js';
import { checkRuleNames, unknownRule } from './engine/rule-names.js';
import { createSettings } from './engine/settings.js';
import { attachFixes } from './fixes/attach.js';
import { mend } from './fixes/mend.js';
import { PACKAGE_FOLDER } from './package-folder.js';
import { advise, collectAllFacts } from './pipeline.js';
import { UserError } from './shared/user-error.js';
import { NEWEST_COUCHDB } from './shared/version.js';
import { openLoads } from './sources/loads/open-loads.js';
import { openSources } from './sources/open.js';

export { formats } from './reports/index.js';
export { NEWEST_COUCHDB, UserError };

/** @import { Rule } from './engine/rule.js' */
/** @import { IgnoreEntry, OverrideEntry, RuleSettings } from './engine/settings.js' */
/** @import { Target } from './facts/fact.js' */
/** @import { Advice } from './pipeline.js' */
/** @import { Report } from './reports/report.js' */
/** @import { SourceFile } from './shared/source-file.js' */
/** @import { Opened, OpenOptions } from './sources/open.js' */
/** @import { ReadError } from './sources/record.js' */

/**
 * @typedef {object} JudgeOptions As in the configuration file; that file itself is not read.
 * @property {Target} [target] the newest CouchDB where absent
 * @property {string[]} [only] ids of the rules to ask; all where absent
 * @property {RuleSettings} [rules] by rule id: a severity, `off`, or severity and thresholds
 * @property {OverrideEntry[]} [overrides] other settings for some files, by globs relative to `cwd`; later ones win
 * @property {IgnoreEntry[]} [ignore] findings to silence
 * @property {string[]} [ruleFolders] folders with rules of your own, absolute
 * @property {ReadonlySet<string>} [baseline] keys of findings that are not reported
 * @property {Report['failOn']} [failOn] what reports call a failure: from `error` on where absent
 */

/**
 * @typedef {object} PathOptions
 * @property {string[]} [paths] files, folders or globs; all below `cwd` where absent
 * @property {string} [cwd] the working directory where absent
 * @property {string[]} [exclude] patterns, in the form of `.gitignore`, of what is passed over
 * @property {string[]} [loads] files or globs of documents to be loaded, relative to `cwd`
 * @property {string[]} [logs] query logs or globs, relative to `cwd`
 * @property {string} [logFormat] of all of them, as `--log-format` names it; found out where absent
 */

/** @typedef {PathOptions & JudgeOptions} LintOptions */
/** @typedef {Advice & {rules: Rule[]}} Judgement */
/** @typedef {{file: string, before: string, after: string}} FileChange `file` relative to `cwd` */

/**
 * Judges files.
 * @param {LintOptions} [options]
 * @returns {Promise<Report>} with everything that was found, and in `errors` what could not be read
 * @throws {UserError | AggregateError} where a rule is named that does not exist, or rules of your own are not sound
 */
export async function lint({ paths = [], cwd = process.cwd(), exclude, loads, logs, logFormat, ...options } = {}) {
  const judge = await prepare(options, paths.length === 0);
  const beside = await openBeside({ cwd, loads, logs, logFormat });
  return finish(await judge(await openSources({ paths, cwd, exclude, ...beside })), options);
}

/**
 * Judges one text.
 * @param {string} text a design document, a dump, an index definition or an `.ini` file
 * @param {JudgeOptions & {filename?: string, cwd?: string}} [options] `filename` is shown in places, and its ending says
 *   what the text is
 * @returns {Promise<Report>}
 * @throws {UserError | AggregateError} as `lint`
 */
export async function lintText(text, { filename, cwd = process.cwd(), ...options } = {}) {
  const judge = await prepare(options, false);
  return finish(await judge(await openSources({ paths: ['-'], cwd, stdin: { text, filename } })), options);
}

/**
 * What fixes would make of files.
 * @param {LintOptions & {unsafe?: boolean}} [options] `unsafe`: also the fixes that may change results
 * @returns {Promise<{report: Report, changes: FileChange[]}>} what is still found afterwards, and the texts to write
 * @throws {UserError | AggregateError} as `lint`
 */
export async function fix({ paths = [], cwd = process.cwd(), exclude, unsafe = false, ...given } = {}) {
  const { loads, logs, logFormat, ...options } = given;
  const judge = await prepare(options, paths.length === 0);
  const open = { paths, cwd, exclude, ...(await openBeside({ cwd, loads, logs, logFormat })) };
  const opened = await openSources(open);
  /** @param {Map<string, SourceFile>} texts */
  const again = async (texts) => judge(await openSources({ ...open, known: new Map([...opened.files, ...texts]) }));
  const { last, changes } = await mend(await judge(opened), { unsafe, again });
  return {
    report: await finish(last, options),
    changes: changes.map(({ file, text }) => ({ file: file.path, before: file.text, after: text })),
  };
}

/**
 * Every subject of files with all its facts.
 * @param {PathOptions & Pick<JudgeOptions, 'target'>} [options]
 * @returns {ReturnType<typeof collectAllFacts>}
 */
export async function facts({ paths = [], cwd = process.cwd(), exclude, loads, logs, logFormat, target } = {}) {
  const beside = await openBeside({ cwd, loads, logs, logFormat });
  const { records } = await openSources({ paths, cwd, exclude, ...beside });
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
 * @param {PathOptions & {cwd: string}} options
 * @returns {Promise<Pick<OpenOptions, 'loads' | 'logs'>>} what is read beside the paths
 */
async function openBeside({ cwd, loads = [], logs = [], logFormat }) {
  const opened = loads.length > 0 ? openLoads(loads, cwd) : undefined;
  const told = logs.length > 0 ? openLogs(logs, { cwd, format: logFormat, now: Date.now() }) : undefined;
  return { loads: await opened, logs: await told };
}

/**
 * @param {JudgeOptions} options
 * @param {boolean} isWhole whether all of a project is read
 * @returns {Promise<(opened: Opened) => Promise<Judgement>>}
 */
async function prepare({ target = { version: NEWEST_COUCHDB }, only, ruleFolders, baseline, ...wishes }, isWhole) {
  const { rules, errors } = await loadRules(ruleFolders);
  if (errors.length > 0) {
    const all = errors.map(({ code, message, place, hint }) => new UserError(code, message, { place, hint }));
    throw new AggregateError(all, `${errors[0]?.place?.file ?? 'a rule'}: ${errors[0]?.message}`);
  }
  checkRuleNames({ rules: wishes.rules ?? {}, overrides: wishes.overrides ?? [] }, rules);
  const ids = rules.map(({ id }) => id);
  for (const id of only ?? []) if (!ids.includes(id)) throw unknownRule(id, ids);
  const settings = createSettings({ ...wishes, target, only, isWhole });
  const { version } = JSON.parse(readFileSync(path.join(PACKAGE_FOLDER, 'package.json'), 'utf8'));
  return async (opened) => ({ ...(await advise({ opened, rules, settings, version, baseline })), rules });
}

/**
 * @param {Judgement} judgement
 * @param {JudgeOptions} options
 * @returns {Promise<Report>} ready for each of `formats`
 */
async function finish(judgement, { failOn = 'error' }) {
  const { report, links, rules } = judgement;
  const edits = await attachFixes(links);
  return { ...report, edits, details: describeRun(judgement, rules, edits), failOn };
}
