// `couch-advisor lint`: reads, judges, fixes if requested, and writes the reports.

import path from 'node:path';
import { applyFixes } from '../../../engine/fixes/apply-fixes.js';
import { unifiedDiff } from '../../../engine/fixes/unified-diff.js';
import { analyze } from '../../../engine/pipeline.js';
import { formats } from '../../../reports/index.js';
import { countSeverities, isFailing } from '../../../reports/report.js';
import { printable, printableLines } from '../../../shared/printable.js';
import { countOf } from '../../../shared/units.js';
import { UserError } from '../../../shared/user-error.js';
import { DiskTree } from '../../../sources/disk-tree.js';
import { findBaseline, writeBaseline } from '../../baseline.js';
import { completeReport } from '../../complete-report.js';
import { describeError } from '../../describe-error.js';
import { readDestinations, writeReports } from '../../destinations.js';
import { EXIT } from '../../exit-codes.js';
import { liveReader } from '../../live-reader.js';
import { prepare } from '../../prepare.js';
import { reportCutOffs, reportSources } from '../../report-sources.js';
import { withVerdicts } from '../../verdict-memory.js';
import { version } from '../../version.js';
import { debugSources } from './debug-sources.js';
import { printConfig } from './print-config.js';
import { openReportCache } from './report-cache.js';
import { readStagedFiles } from './staged.js';
import { Timing } from './timing.js';
import { watch } from './watch.js';
import { writeChanges } from './write-changes.js';

/** @import { Change } from '../../../engine/fixes/apply-fixes.js' */
/** @import { Analysis, Measure } from '../../../engine/pipeline.js' */
/** @import { Report } from '../../../reports/report.js' */
/** @import { Config } from '../../config.js' */
/** @import { Destination } from '../../destinations.js' */
/** @import { Surroundings } from '../../main.js' */
/** @import { LiveOptions } from '../../live.js' */
/** @import { Prepared, SourceOptions } from '../../prepare.js' */

/** Records that come of logs. */
const OF_LOGS = new Set(['request', 'build', 'log']);

/**
 * @typedef {SourceOptions & LiveOptions & {
 *   format?: string[], output?: string[], failOn?: 'error' | 'warning' | 'info' | 'never', maxWarnings?: number,
 *   fix?: boolean, fixUnsafe?: boolean, fixDryRun?: boolean, baseline?: string, writeBaseline?: string,
 *   staged?: boolean, ignoreUnknown?: boolean, quiet?: boolean, verbose?: boolean, color?: boolean, printConfig?: string,
 *   timing?: boolean, watch?: boolean,
 * }} LintOptions
 */

/** What holds for each round of one run. @typedef {{options: LintOptions, paths: string[], destinations: Destination[], surroundings: Surroundings}} LintRun */

/**
 * @param {LintOptions} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} the exit code
 */
export async function run(options, paths, surroundings) {
  if (options.printConfig !== undefined) {
    return printConfig(options, options.printConfig, paths, surroundings);
  }
  // A run that watches has no end to print it at.
  if (!options.timing || options.watch) return lint(options, paths, surroundings);
  const timing = new Timing();
  try {
    return await lint(options, paths, surroundings, timing.measure);
  } finally {
    surroundings.stderr.write(timing.render());
  }
}

/**
 * @param {LintOptions} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @param {Measure} [measure] with `--timing`
 * @returns {Promise<number>} the exit code
 */
async function lint(options, paths, surroundings, measure) {
  const { cwd, stderr } = surroundings;
  const destinations = readDestinations(options, formats);
  if (options.watch) checkWatch(options, paths, destinations);
  const wantsFix = (options.fix || options.fixUnsafe) === true;
  if (wantsFix && !options.fixDryRun && paths.includes('-')) {
    throw new UserError('fix-standard-input', 'cannot fix standard input', {
      hint: 'use the path of the file, or --fix-dry-run to get a patch',
    });
  }
  checkReadOnly(options);
  const live = liveReader(options, surroundings);
  const isHook = options.staged === true || options.ignoreUnknown === true;
  const { named, tree } = options.staged
    ? await readStaged(options, paths, surroundings)
    : { named: paths, tree: options.watch ? new DiskTree(cwd) : undefined };
  // Of a commit that touches nothing of ours there is nothing to report.
  if (isHook && named.length === 0) return EXIT.CLEAN;
  const read = (/** @type {DiskTree | undefined} */ from) =>
    prepare(options, named, surroundings, { tree: from, passesUnknown: isHook, keepsCalls: !from && !isHook, ...live });
  const prepared = await (measure ? measure('stage', 'read', () => read(tree)) : read(tree));
  // The logs that the configuration names are read for what is committed; by themselves they are no part of it.
  const isOwn = (/** @type {{kind: string}} */ { kind }) => options.log !== undefined || !OF_LOGS.has(kind);
  if (isHook && prepared.opened.errors.length === 0 && !prepared.opened.records.some(isOwn)) return EXIT.CLEAN;
  if (options.debug) {
    debugSources(prepared, stderr);
  }
  const run = { options, paths, destinations, surroundings };
  try {
    reportSources(prepared, { ...options, isDiscovery: named.length === 0 }, surroundings);
  } catch (error) {
    await reportNothing(error, prepared, run);
    throw error;
  }
  if (!options.watch || !tree) return judge({ ...prepared, measure }, run);
  return watch({ tree, prepared, prepare: read, lint: (now) => judge(now, run) }, surroundings);
}

/**
 * Programs that read a report get one whatever there was to read.
 * @param {unknown} error that ends the run
 * @param {Prepared} prepared
 * @param {LintRun} run
 */
async function reportNothing(error, prepared, run) {
  const destinations = run.destinations.filter(({ format }) => format !== formats.get('text'));
  if (!(error instanceof UserError) || destinations.length === 0) return;
  const { code, message, hint } = error;
  const opened = { ...prepared.opened, errors: [{ code, message, ...(hint === undefined ? {} : { hint }) }] };
  await judge({ ...prepared, opened }, { ...run, destinations });
}

/**
 * @param {Prepared & {measure?: Measure | undefined}} prepared
 * @param {LintRun} run
 * @returns {Promise<number>} the exit code
 */
async function judge(prepared, run) {
  const { options, paths, destinations, surroundings } = run;
  const { cwd, stdout, stderr } = surroundings;
  const wantsFix = (options.fix || options.fixUnsafe) === true;
  const baseline =
    options.writeBaseline === undefined ? findBaseline(options.baseline, prepared.config, cwd) : undefined;
  const failOn = options.failOn ?? prepared.config.failOn ?? 'error';
  const isWhole = paths.length === 0;
  const cache = openReportCache(prepared, options, { ...surroundings, isWhole, destinations, baseline });
  const kept = cache?.read();
  if (kept) return finish({ ...kept, report: { ...kept.report, failOn } }, prepared, run);
  let analysis = withVerdicts(await analyze({ ...prepared, version: version(), baseline }), prepared, surroundings);
  if (options.verbose) {
    // Notes about what was read were printed before; these are about what was tried and measured.
    for (const { path: file, reason } of analysis.report.notes.slice(prepared.opened.notes.length)) {
      stderr.write(`${printable(file)}: ${printable(reason)}\n`);
    }
  } else if (!options.quiet) reportCutOffs(analysis.run, stderr);
  if (options.fixDryRun || wantsFix) {
    const { last, changes } = await applyAllFixes(analysis, prepared, options, baseline);
    if (options.fixDryRun) {
      const patch = analysis.mask.cover(await describeChanges(changes));
      // A patch is exact, and on a terminal nothing of it may work.
      stdout.write(stdout.isTTY ? printableLines(patch) : patch);
      if (!options.quiet) stderr.write(describePatch(analysis, last, changes, options));
      await reportErrors(analysis.report, stderr);
      return exitCodeOf({ ...analysis.report, failOn }, options, surroundings, prepared.config);
    }
    writeChanges(changes, surroundings);
    analysis = withVerdicts(last, prepared, surroundings);
  }

  if (options.writeBaseline !== undefined) {
    const file = path.resolve(cwd, options.writeBaseline);
    const count = countOf(writeBaseline(file, analysis.report.findings, options.writeBaseline), 'finding');
    if (!options.quiet) stderr.write(`${count} written to ${printable(options.writeBaseline)}\n`);
    await reportErrors(analysis.report, stderr);
    return analysis.report.errors.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
  }
  const report = await completeReport(analysis, { rules: prepared.rules, failOn, destinations });
  const staleBaselineCount = analysis.staleBaseline.length;
  cache?.write({ report, staleBaselineCount }, analysis.run);
  return finish({ report, staleBaselineCount }, prepared, run);
}

/**
 * @param {{report: Report, staleBaselineCount: number}} result
 * @param {Prepared} prepared
 * @param {LintRun} run
 * @returns {Promise<number>} the exit code
 */
async function finish({ report, staleBaselineCount }, { config }, { options, paths, destinations, surroundings }) {
  // Of a part of the project, or of one rule, it cannot be known what is gone.
  if (staleBaselineCount > 0 && paths.length === 0 && !options.rule && !options.quiet) {
    const count = countOf(staleBaselineCount, 'finding');
    surroundings.stderr.write(`${count} in the baseline no longer found; update it with --write-baseline\n`);
  }
  await writeReports(options.quiet ? onlyErrors(report) : report, destinations, options, surroundings);
  return exitCodeOf(report, options, surroundings, config);
}

/**
 * @param {LintOptions} options
 * @param {string[]} paths
 * @param {Destination[]} destinations
 * @throws {UserError} where something cannot be done again and again
 */
function checkWatch(options, paths, destinations) {
  const [wrong] = /** @type {const} */ (['fix', 'fixUnsafe', 'writeBaseline', 'staged', 'url', 'timing']).filter(
    (name) => options[name],
  );
  const name = wrong?.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const isStdin = paths.includes('-') || options.log?.includes('-');
  const against =
    (name && `--${name}`) ||
    (isStdin && 'standard input') ||
    (destinations.some(({ file }) => file !== undefined) && 'a report file');
  if (!against) return;
  throw new UserError('watch-collides', `--watch cannot be combined with ${against}`, { hint: 'remove one of them' });
}

/**
 * @param {LintOptions} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<import('./staged.js').Staged>}
 * @throws {UserError}
 */
async function readStaged(options, paths, surroundings) {
  if (options.fix || options.fixUnsafe) {
    throw new UserError(
      'fix-staged',
      'cannot fix staged files: fixes are written to the working tree, not to the index',
      {
        hint: 'use the pre-commit hook `couch-advisor-fix`, or lint-staged',
      },
    );
  }
  return readStagedFiles(paths, surroundings);
}

/** @param {LintOptions} options @throws {UserError} where files are to be changed that a server has */
function checkReadOnly(options) {
  const [wrong] = /** @type {const} */ (['fix', 'fixUnsafe', 'staged']).filter((name) => options[name]);
  if (options.url === undefined || wrong === undefined) return;
  throw new UserError(
    'live-read-only',
    '--fix, --fix-unsafe and --staged cannot be combined with --url: servers are only read',
    {
      hint: 'fix the source files of the design documents instead',
    },
  );
}

/**
 * @param {Analysis} analysis
 * @param {Prepared} prepared
 * @param {LintOptions} options
 * @param {ReadonlySet<string> | undefined} baseline
 * @returns {Promise<{last: Analysis, changes: Change[]}>}
 */
async function applyAllFixes(analysis, prepared, options, baseline) {
  return applyFixes(analysis, {
    unsafe: options.fixUnsafe === true,
    again: async (texts) => {
      const opened = await prepared.reopen(new Map([...prepared.opened.files, ...texts]));
      return analyze({ ...prepared, opened, version: version(), baseline });
    },
  });
}

/**
 * @param {Change[]} changes
 * @returns {Promise<string>} one unified diff of all files, for `git apply` or `patch -p1`
 */
async function describeChanges(changes) {
  return changes.map(({ file, text }) => unifiedDiff(file.path, file.text, text)).join('');
}

/**
 * @param {Analysis} before
 * @param {Analysis} after the fixes
 * @param {Change[]} changes
 * @param {LintOptions} options
 * @returns {string} what the patch fixes, what it leaves, and how to apply it; empty where nothing could be read
 */
function describePatch({ report: before }, { report: after }, changes, { fixUnsafe }) {
  const all = before.findings.length;
  if (all === 0) return before.errors.length > 0 ? '' : 'no findings, nothing to fix\n';
  const unsafe = after.findings.filter(({ fix }) => fix?.safe === false).length;
  const parts = [];
  if (changes.length > 0) {
    const fixed = Math.max(0, all - after.findings.length);
    const apply = fixUnsafe ? '--fix-unsafe' : '--fix';
    parts.push(`fixes ${fixed} of ${countOf(all, 'finding')} in ${countOf(changes.length, 'file')} (apply: ${apply})`);
  }
  if (unsafe > 0) parts.push(`fixes of ${countOf(unsafe, 'finding')} may change results: add --fix-unsafe`);
  return `${parts.join('; ') || `no fix for ${countOf(all, 'finding')}`}\n`;
}

/**
 * @param {Analysis['report']} report
 * @param {Surroundings['stderr']} stderr
 */
async function reportErrors({ errors }, stderr) {
  if (errors.length === 0) return;
  stderr.write(errors.map(describeError).join(''));
}

/**
 * @param {Report} report
 * @returns {Report}
 */
function onlyErrors(report) {
  const findings = report.findings.filter((finding) => finding.severity === 'error');
  const hidden = report.findings.length - findings.length;
  const silenced = hidden === 0 ? report.silenced : { ...report.silenced, quiet: hidden };
  return { ...report, findings, below: [], silenced };
}

/**
 * @param {Report} report
 * @param {LintOptions} options
 * @param {Surroundings} surroundings
 * @param {Config} config
 * @returns {number}
 */
function exitCodeOf({ findings, errors, failOn }, { quiet, ...options }, { stderr }, config) {
  const most = options.maxWarnings ?? config.maxWarnings ?? Number.POSITIVE_INFINITY;
  const { warning } = countSeverities(findings);
  const failing = findings.filter((finding) => isFailing(finding, failOn));
  if (warning > most) stderr.write(`${countOf(warning, 'warning')}, more than --max-warnings ${most}\n`);
  else if (quiet && failing.length > 0 && failing.every(({ severity }) => severity !== 'error')) {
    stderr.write(`${countOf(failing.length, 'finding')} at or above --fail-on ${failOn} hidden by --quiet\n`);
  }
  if (errors.length > 0) return EXIT.INCOMPLETE;
  return failing.length > 0 || warning > most ? EXIT.FINDINGS : EXIT.CLEAN;
}
