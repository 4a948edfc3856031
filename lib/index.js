// The library, for other programs: does what the command line does. Reads files and judges them; prints and writes
// nothing.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describeRun } from './engine/details.js';
import { applyFixes } from './engine/fixes/apply-fixes.js';
import { attachFixes } from './engine/fixes/attach.js';
import { maskEdits, maskReported } from './engine/hide-secrets.js';
import { loadRules as load } from './engine/load.js';
import { analyze, collectAllFacts } from './engine/pipeline.js';
import { checkRuleNames, unknownRule } from './engine/rule-names.js';
import { selectedIds } from './engine/rule-selectors.js';
import { keptProofs, loadSoundRules, openRun } from './engine/run/open-run.js';
import { serverOf } from './engine/run/target.js';
import { createSettings } from './engine/settings.js';
import { PACKAGE_FOLDER } from './package-folder.js';
import { UserError } from './shared/user-error.js';
import { NEWEST_COUCHDB } from './shared/version.js';

export { formats } from './reports/index.js';
export { NEWEST_COUCHDB, UserError };

/** @typedef {import('./engine/findings/finding.js').Finding} Finding */
/** @typedef {import('./engine/rule.js').Rule} Rule */
/** @import { IgnoreEntry, OverrideEntry, RuleSettings } from './engine/settings.js' */
/** @import { Target } from './facts/fact.js' */
/** @import { Analysis } from './engine/pipeline.js' */
/** @typedef {import('./reports/report.js').Report} Report */
/** @import { Run, RunOptions } from './engine/run/open-run.js' */
/** @import { Opened } from './sources/open.js' */
/** @import { DeclaredQuery } from './sources/live/live-records.js' */
/** @import { BareRole } from './shared/bare-roles.js' */
/** @import { ReadError } from './sources/record.js' */

/**
 * @typedef {object} JudgeOptions As in the configuration file; that file itself is not read.
 * @property {Target} [target] where absent that of the server that is read, else the newest CouchDB
 * @property {string[]} [only] ids and families (`call/*`) of the rules to run; all where absent
 * @property {boolean} [drafts] whether rules that are drafts run too; only those that are named where absent
 * @property {RuleSettings} [rules] by rule id or family: a severity, `off`, or severity and thresholds
 * @property {OverrideEntry[]} [overrides] other settings for some files, by globs relative to `cwd`; later ones win
 * @property {IgnoreEntry[]} [ignore] findings to silence
 * @property {string[]} [ruleFolders] folders with rules of your own, absolute
 * @property {ReadonlySet<string>} [baseline] keys of findings that are not reported
 * @property {Report['failOn']} [failOn] what reports call a failure: from `error` on where absent
 * @property {boolean | string} [cache] whether proofs are kept for later runs: in the folder of the command line, or in the one that is
 *   named. Nothing is kept where absent
 */

/**
 * @typedef {object} PathOptions
 * @property {string[]} [paths] files, folders or globs; all below `cwd` where absent and no server is read
 * @property {string} [cwd] the working directory where absent
 * @property {string[]} [exclude] patterns, in the form of `.gitignore`, of what is skipped
 * @property {string[]} [loads] files or globs of documents to be loaded, relative to `cwd`; functions are tried on these
 * @property {string[]} [logs] query logs or globs, relative to `cwd`
 * @property {string} [logFormat] of all of them, as `--log-format` names it; detected where absent
 * @property {string} [logField] the member of JSON lines that holds a line of the log; detected where absent
 * @property {string[]} [deployed] files or folders with the versions that are deployed, relative to `cwd`: the changes are judged too
 * @property {number} [documents] of the database, for what a change costs
 * @property {BareRole} [as] what a function is for that is all of a file, if its parameters and calls do not show it
 * @property {Record<string, string>} [clients] names of clients by the code that stands for one, as `{"container.resolve('db')": 'nano'}`
 */

/**
 * @typedef {object} ServerOptions What is read of a server, as with `--url`: nothing is written to it.
 * @property {string} [url] of the server or of one of its databases. Credentials are taken from it, from the environment
 *   (`COUCHDB_USER`, `COUCHDB_PASSWORD`) or from a netrc file, in this order
 * @property {string[]} [databases] names and globs; all where absent
 * @property {number} [rate] requests a second; 50 where absent
 * @property {number} [perPattern] databases of one name pattern that are read in full; 100 where absent
 * @property {DeclaredQuery[]} [queries] Mango queries whose plans are requested from the server
 * @property {string} [sampleFrom] a database of it: functions are tried on its documents instead of those of `loads`
 */

/** @typedef {PathOptions & JudgeOptions} FixOptions */
/** @typedef {FixOptions & ServerOptions} LintOptions */
/** @typedef {Analysis & {rules: Rule[]}} Judgement */
/** @typedef {{file: string, before: string, after: string}} FileChange `file` relative to `cwd` */

/**
 * Judges files, and a server where one is named.
 * @param {LintOptions} [options]
 * @returns {Promise<Report>} with everything that was found, and in `errors` what could not be read
 * @throws {UserError | AggregateError} where a rule is named that does not exist, rules of your own are not sound, or the server cannot
 *   be read
 */
export async function lint(options = {}) {
  const { opened, judge } = await prepare(options, { role: options.as });
  return finish(await judge(opened), options);
}

/**
 * Judges one text.
 * @param {string} text a design document, a dump, an index definition, an `.ini` file, a module, or one function of a design document
 * @param {JudgeOptions & {filename?: string, cwd?: string, as?: BareRole}} [options] `filename` is shown in places, and its ending says
 *   what the text is; `as`: what a function is for that is all of the text, if its parameters and calls do not show it
 * @returns {Promise<Report>}
 * @throws {UserError | AggregateError} as `lint`
 */
export async function lintText(text, { filename, as, ...options } = {}) {
  const { opened, judge } = await prepare({ ...options, paths: ['-'] }, { stdin: { text, filename }, role: as });
  return finish(await judge(opened), options);
}

/**
 * What fixes would make of files.
 * @param {FixOptions & {unsafe?: boolean}} [options] `unsafe`: also the fixes that may change results
 * @returns {Promise<{report: Report, changes: FileChange[]}>} what is still found afterwards, and the texts to write
 * @throws {UserError | AggregateError} as `lint`, and where a server is named
 */
export async function fix({ unsafe = false, ...options } = {}) {
  if ('url' in options) {
    throw new UserError('live-read-only', 'servers are only read and cannot be fixed', {
      hint: 'fix the source files of the design documents instead',
    });
  }
  const { opened, judge, read } = await prepare(options);
  const { last, changes } = await applyFixes(await judge(opened), {
    unsafe,
    again: async (texts) => judge(await read(new Map([...opened.files, ...texts]))),
  });
  return {
    report: await finish(last, options),
    changes: changes.map(({ file, text }) => ({ file: file.path, before: file.text, after: text })),
  };
}

/**
 * Every subject of files, and of a server where one is named, with all its facts.
 * @param {PathOptions & ServerOptions & Pick<JudgeOptions, 'target' | 'cache'>} [options]
 * @returns {ReturnType<typeof collectAllFacts>}
 * @throws {UserError} where the server cannot be read
 */
export async function facts({ target, cache, ...options } = {}) {
  const { opened, openDocuments } = await read(options);
  return collectAllFacts(opened.records, targetOf(target, opened), { openProofs: openProofs(cache), openDocuments });
}

/**
 * @param {string[]} [ruleFolders] folders with rules of your own, absolute
 * @returns {Promise<{rules: Rule[], errors: ReadError[]}>} the bundled rules and the sound ones of your own
 */
export function loadRules(ruleFolders = []) {
  return load({ folders: ruleFolders });
}

/**
 * @param {LintOptions} options
 * @param {RunOptions['reading']} [reading]
 * @returns {Promise<{opened: Opened, read: Run['read'], judge: (opened: Opened) => Promise<Judgement>}>}
 */
async function prepare(
  { target, only, drafts, ruleFolders = [], baseline, cache, rules: wanted, overrides, ignore, ...options },
  reading,
) {
  const rules = await loadSoundRules(ruleFolders);
  checkRuleNames({ rules: wanted ?? {}, overrides: overrides ?? [] }, rules);
  const ids = rules.map(({ id }) => id);
  for (const one of only ?? []) if (selectedIds(one, ids).length === 0) throw unknownRule(one, ids);
  const { opened, ...run } = await read(options, reading);
  const isWhole = (options.paths ?? []).length === 0 && options.url === undefined;
  const wishes = { target: targetOf(target, opened), only, drafts, rules: wanted, overrides, ignore, isWhole };
  const judging = { rules, settings: createSettings(wishes), version: version(), baseline };
  const opening = { openProofs: openProofs(cache), openDocuments: run.openDocuments };
  return {
    opened,
    read: run.read,
    judge: async (again) => ({ ...(await analyze({ ...judging, ...opening, opened: again })), rules }),
  };
}

/**
 * @param {PathOptions & ServerOptions} options
 * @param {RunOptions['reading']} [reading]
 * @returns {Promise<Run & {opened: Opened}>}
 */
async function read(
  { paths = [], cwd = process.cwd(), exclude = [], logs = [], logFormat, logField, ...options },
  reading,
) {
  const { loads, deployed, documents, clients, url, databases, rate, perPattern, queries, sampleFrom } = options;
  const server = url === undefined ? undefined : { url, rate, env: process.env };
  const run = await openRun({
    cwd,
    paths,
    reading: { ...reading, clients },
    exclusions: () => [{ patterns: exclude, folder: cwd }],
    loads,
    readLogs: async () => {
      if (logs.length === 0) return undefined;
      const { openLogs } = await import('./digest/run/open-logs.js');
      return openLogs(logs, { isNamed: true, cwd, format: logFormat, field: logField, now: Date.now() });
    },
    readLive:
      server &&
      (async () =>
        (await import('./engine/run/read-server.js')).readLive({ ...server, databases, perPattern, queries })),
    sampleLive:
      server && sampleFrom !== undefined
        ? async (max) => (await import('./engine/run/read-server.js')).sampleLive(server, sampleFrom, max)
        : undefined,
    deployed,
    documents,
    onSample: (reason) => opened.notes.push({ path: sampleFrom ?? (loads ?? []).join(', '), reason }),
  });
  const opened = await run.read();
  return { ...run, opened };
}

/**
 * @param {Target | undefined} wanted
 * @param {Opened} opened
 * @returns {Target}
 */
function targetOf(wanted, { records }) {
  return wanted ?? serverOf(records) ?? { version: NEWEST_COUCHDB, source: 'default' };
}

/**
 * @param {JudgeOptions['cache']} cache
 * @returns {ReturnType<typeof keptProofs> | undefined}
 */
function openProofs(cache = false) {
  if (cache === false) return undefined;
  return keptProofs({ env: process.env, version: version(), folder: cache === true ? undefined : cache });
}

/** @returns {string} of couch-advisor */
function version() {
  return JSON.parse(readFileSync(path.join(PACKAGE_FOLDER, 'package.json'), 'utf8')).version;
}

/**
 * @param {Judgement} judgement
 * @param {JudgeOptions} options
 * @returns {Promise<Report>} ready for each of `formats`
 */
async function finish(judgement, { failOn = 'error' }) {
  const { report, links, rules, mask } = judgement;
  const edits = maskEdits(attachFixes(links), mask, report.sources);
  return { ...report, edits, details: maskReported(describeRun(judgement, rules, edits), mask), failOn };
}
