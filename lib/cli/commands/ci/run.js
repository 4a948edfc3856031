// `couch-advisor ci`: judges a change against the commit where it began, and reports what it costs in the database.

import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { keysOf } from '../../../engine/findings/finding.js';
import { maskReported } from '../../../engine/hide-secrets.js';
import { analyze } from '../../../engine/pipeline.js';
import { renderMarkdownDocument } from '../../../reports/document/markdown.js';
import { isFailing } from '../../../reports/report.js';
import { printable } from '../../../shared/printable.js';
import { countOf } from '../../../shared/units.js';
import { UserError } from '../../../shared/user-error.js';
import { OverlayTree } from '../../../sources/overlay-tree.js';
import { mayBeSource } from '../../../sources/read-file.js';
import { pairVersions } from '../../../sources/record.js';
import { findBaseline } from '../../baseline.js';
import { findDiskCost } from '../../ci/disk.js';
import { changeDocument } from '../../ci/document.js';
import { findBase } from '../../ci/git/find-base.js';
import { openRepository } from '../../ci/git/repository.js';
import { readCommitState } from '../../ci/git/states.js';
import { findIndexBuilds } from '../../ci/index-builds.js';
import { addSizes, noSizes } from '../../ci/index-sizes.js';
import { joinTargets } from '../../ci/join-targets.js';
import { outcomeOf } from '../../ci/outcome.js';
import { completeReport } from '../../complete-report.js';
import { readDestinations, writeReports } from '../../destinations.js';
import { EXIT } from '../../exit-codes.js';
import { findRate } from '../../measured-rate.js';
import { checkVersion, prepare, targetOf } from '../../prepare.js';
import { readIfThere } from '../../read-if-there.js';
import { readSize } from '../../read-size.js';
import { reportCutOffs } from '../../report-sources.js';
import { version } from '../../version.js';
import { changeFormats } from './change-formats.js';

/** @import { Analysis } from '../../../engine/pipeline.js' */
/** @import { ChangeOutcome } from '../../ci/outcome.js' */
/** @import { Speed } from '../../ci/index-builds.js' */
/** @import { IndexSizes } from '../../ci/index-sizes.js' */
/** @import { CommitState } from '../../ci/git/states.js' */
/** @import { Opened } from '../../../sources/open.js' */
/** @import { Report } from '../../../reports/report.js' */
/** @import { Config } from '../../config.js' */
/** @import { Versions } from './suggestions.js' */
/** @import { Destination } from '../../destinations.js' */
/** @import { Surroundings } from '../../main.js' */
/** @import { Prepared, SourceOptions } from '../../prepare.js' */

/**
 * @typedef {SourceOptions & {
 *   base?: string, from?: string[], baseline?: string, failOnStale?: boolean, documents?: number, docsPerSecond?: number, database?: string, sizes?: string[], free?: string, format?: string[], output?: string[],
 *   failOn?: 'error' | 'warning' | 'info' | 'never', color?: boolean,
 * }} ChangeOptions
 */

/** Faults of what was typed, and not of files. */
const OF_COMMAND_LINE = new Set(['not-found', 'no-design-documents']);

/**
 * @param {ChangeOptions} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} the exit code
 * @throws {UserError}
 */
export async function run(options, paths, surroundings) {
  const { cwd, env, stderr } = surroundings;
  checkOptions(options, paths);
  const free = readSize('free', options.free);
  const database = options.database;
  /** @type {ChangeOutcome | undefined} */
  let outcome;
  /** @type {Versions} */
  let versions = { before: new Map(), after: new Map(), isNew: () => false, prefix: '' };
  const formats = changeFormats(() => ({ outcome: /** @type {ChangeOutcome} */ (outcome), database, versions }));
  const destinations = readDestinations(options, formats);
  const repository = await openRepository(cwd, env);
  const base = await findBase(repository, { base: options.base, env });
  const state = await readCommitState(repository, base.commit, mayBeSource);
  const prepared = await prepare(options, paths, surroundings);
  const sizes = readSizes(options.sizes ?? [], cwd);
  const speed = speedOf(options, prepared.config, sizes, env);
  const known = findBaseline(options.baseline, prepared.config, cwd);
  if (options.failOnStale && !known) {
    throw new UserError('unused-option', '--fail-on-stale requires a baseline', { hint: 'add --baseline FILE' });
  }
  const judged = await judgeChange(prepared, {
    base,
    state,
    options,
    cwd,
    speed,
    sizes,
    free,
    stderr,
    destinations,
    known,
  });
  outcome = judged.outcome;
  const isNew = (/** @type {string} */ file) => state.overlay.absent.has(file);
  versions = { before: judged.before, after: prepared.opened.files, isNew, prefix: repository.prefix };
  await writeReports(outcome.report, destinations, options, surroundings);
  addSummary(renderMarkdownDocument(changeDocument(outcome, { database })), env, stderr);
  const isWhole = paths.length === 0 && !options.rule;
  const stale = isWhole ? judged.stale : [];
  if (stale.length > 0) stderr.write(describeStale(stale));
  if (outcome.report.errors.length > 0) return EXIT.INCOMPLETE;
  if (options.failOnStale && stale.length > 0) return EXIT.FINDINGS;
  return outcome.report.findings.some((finding) => isFailing(finding, outcome.report.failOn))
    ? EXIT.FINDINGS
    : EXIT.CLEAN;
}

/** @param {string[]} files @param {string} cwd @returns {IndexSizes} @throws {UserError} */
function readSizes(files, cwd) {
  const sizes = noSizes();
  for (const file of files) {
    const text = readIfThere(path.resolve(cwd, file));
    if (text === undefined) {
      throw new UserError('not-found', `${file} (--sizes) cannot be read`, {
        hint: 'save answers of GET /db/_design/name/_info there, one a line',
      });
    }
    addSizes(sizes, text, file);
  }
  return sizes;
}

/** @param {ChangeOptions} options @param {string[]} paths @throws {UserError} */
function checkOptions({ docsPerSecond, base }, paths) {
  if (base?.startsWith('-') || base === '') {
    throw new UserError('bad-base', `\`${base}\` (--base) is not a branch, tag or commit`, {
      hint: 'for example: --base main',
    });
  }
  if (docsPerSecond === 0) {
    throw new UserError('bad-number', '--docs-per-second must be at least 1', {
      hint: 'for example: --docs-per-second 2000',
    });
  }
  if (paths.includes('-')) {
    throw new UserError('stdin-has-no-base', 'standard input cannot be compared: it has no earlier version', {
      hint: 'use files or folders of the repository',
    });
  }
}

/**
 * @param {Prepared} prepared
 * @param {{base: ChangeOutcome['base'], state: CommitState, options: ChangeOptions, cwd: string, speed: Speed, sizes: IndexSizes, free: number | undefined, stderr: Surroundings['stderr'], destinations: Destination[], known: ReadonlySet<string> | undefined}} change
 *   `known`: keys in the baseline
 * @returns {Promise<{outcome: ChangeOutcome, before: Opened['files'], stale: string[]}>} `stale`: keys in the baseline that no longer occur
 */
async function judgeChange(prepared, change) {
  const { base, state, options, cwd, speed, sizes, free, stderr, destinations, known = new Set() } = change;
  const { opened, rules } = prepared;
  const old = await prepared.reopen(new Map(), new OverlayTree(cwd, state.overlay));
  const changed = new Set(state.changed);
  const isChanged = (/** @type {string} */ file) =>
    changed.has(file) || state.changed.some((one) => one.endsWith('/') && file.startsWith(one));
  const targets = targetsOf(prepared, options.from ?? []);
  /** @type {Analysis[]} */
  const befores = [];
  for (const settings of targets) {
    befores.push(await analyze({ ...prepared, settings, opened: withoutErrors(old), version: version() }));
  }
  const builds = findIndexBuilds(old.records, opened.records, speed);
  addChanges(opened, old, speed);
  // What was there before is to the change what a baseline is to a project.
  /** @type {Analysis[]} */
  const analyses = [];
  for (const [at, settings] of targets.entries()) {
    const baseline = new Set([...(befores[at]?.report.findings ?? []).flatMap(keysOf), ...known]);
    analyses.push(await analyze({ ...prepared, settings, version: version(), baseline }));
  }
  const analysis = joinTargets(analyses);
  reportCutOffs(analysis.run, stderr);
  const failOn = options.failOn ?? prepared.config.failOn ?? 'error';
  const report = await completeReport(analysis, { rules, failOn, destinations });
  const outcome = outcomeOf({
    base,
    report: { ...report, errors: newErrors(report, old), silenced: { ...report.silenced, baseline: 0 } },
    before: befores[0]?.report.findings ?? [],
    known: analysis.known.map(({ finding }) => finding),
    builds: maskReported(builds, analysis.mask),
    disk: findDiskCost(builds, sizes, free),
    isTouched: ({ place, related }) => isChanged(place.file) || related.some((item) => isChanged(item.place.file)),
    touched: [...opened.files.keys()].filter(isChanged),
  });
  return { outcome, before: old.files, stale: analysis.staleBaseline.filter((key) => known.has(key)) };
}

/**
 * @param {Prepared} prepared
 * @param {string[]} versions that the project supports besides its target
 * @returns {Prepared['settings'][]} for each version once, that of the target first
 * @throws {UserError} where one is no version
 */
function targetsOf({ settings, config }, versions) {
  const others = versions.map((version) => {
    checkVersion('from', version);
    const target = targetOf({ target: version }, config);
    return { ...settings, target, targetOf: () => target };
  });
  const all = [settings, ...others];
  return all.filter(({ target }, at) => all.findIndex((one) => one.target.version === target.version) === at);
}

/** @param {string[]} keys @returns {string} */
function describeStale(keys) {
  const list = keys.map((key) => `  ${printable(key)}\n`).join('');
  return `${countOf(keys.length, 'finding')} in the baseline no longer found; update it with lint --write-baseline\n${list}`;
}

/** @param {Opened} opened @returns {Opened} what could not be read of the base is no matter of the change */
function withoutErrors(opened) {
  return { ...opened, errors: [] };
}

/**
 * @param {Pick<Report, 'errors'>} report
 * @param {Opened} old
 * @returns {Report['errors']} faults that were there before do not fail the change
 */
function newErrors({ errors }, old) {
  // What was named and is nowhere is a matter of the command line.
  const known = new Set(old.errors.filter(({ code }) => !OF_COMMAND_LINE.has(code)).map(nameOfError));
  return errors.filter((error) => !known.has(nameOfError(error)));
}

/** @param {Report['errors'][number]} error @returns {string} */
function nameOfError({ code, message, place }) {
  return JSON.stringify([code, message, place?.file]);
}

/**
 * @param {Opened} opened gets a record of each design document that differs
 * @param {Opened} old
 * @param {Speed} speed
 */
function addChanges(opened, old, { documents }) {
  for (const { before, after } of pairVersions(old.records, opened.records)) {
    if (!before || !after) continue;
    opened.records.push({ kind: 'change', file: after.file, before, after, documents });
  }
}

/**
 * @param {ChangeOptions} options
 * @param {Config} config
 * @param {IndexSizes} sizes
 * @param {Surroundings['env']} env
 * @returns {Speed}
 */
function speedOf({ documents, docsPerSecond }, config, sizes, env) {
  return {
    documents: documents ?? config.documents ?? sizes.documents,
    rate: findRate(docsPerSecond, config.documentsPerSecond, env),
  };
}

/**
 * GitHub Actions shows what stands in this file on the page of the run.
 * @param {string} summary
 * @param {Surroundings['env']} env
 * @param {Surroundings['stderr']} stderr
 */
function addSummary(summary, { GITHUB_STEP_SUMMARY: file }, stderr) {
  if (!file) return;
  try {
    appendFileSync(file, `${summary}\n`);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    stderr.write(`cannot write the summary to ${printable(file)} (${code})\n`);
  }
}
