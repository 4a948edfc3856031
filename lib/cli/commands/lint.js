// `couch-advisor lint`: reads, judges, mends where asked to, and writes the reports.

import path from 'node:path';
import { advise } from '../../pipeline.js';
import { formats } from '../../reports/index.js';
import { isFailing as isFailingAt } from '../../reports/report.js';
import { nearest } from '../../shared/nearest.js';
import { UserError } from '../../shared/user-error.js';
import { attachFixes, mend, previewFixes } from '../apply-fixes.js';
import { readBaseline, writeBaseline } from '../baseline.js';
import { wantsColor } from '../colors.js';
import { EXIT } from '../exit-codes.js';
import { version } from '../main.js';
import { prepare } from '../prepare.js';
import { writeFileAtomically } from '../write-file.js';

/** @import { Advice } from '../../pipeline.js' */
/** @import { Report } from '../../reports/report.js' */
/** @import { Config } from '../config.js' */
/** @import { Surroundings } from '../main.js' */
/** @import { Prepared, SourceOptions } from '../prepare.js' */

/**
 * @typedef {SourceOptions & {
 *   format?: string[], output?: string, failOn?: 'error' | 'warning' | 'info' | 'never', maxWarnings?: number,
 *   fix?: boolean, fixUnsafe?: boolean, fixDryRun?: boolean, baseline?: string, writeBaseline?: string,
 *   quiet?: boolean, verbose?: boolean, color?: boolean,
 * }} LintOptions
 */

/** @typedef {{name: string, file: string | undefined}} Destination */

/**
 * @param {LintOptions} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} the exit code
 */
export async function run(options, paths, surroundings) {
  const { cwd, stdout, stderr } = surroundings;
  const destinations = destinationsOf(options);
  const prepared = await prepare(options, paths, surroundings);
  const { config } = prepared;
  const baselineFile = options.baseline ? path.resolve(cwd, options.baseline) : config.baseline;
  const isWritingBaseline = options.writeBaseline !== undefined;
  const baseline = baselineFile && !isWritingBaseline ? readBaseline(baselineFile) : undefined;
  let advice = await advise({ ...prepared, version: version(), baseline });

  const wantsFix = options.fix === true || options.fixUnsafe === true;
  if (options.fixDryRun) {
    stdout.write(await previewFixes(advice, { unsafe: options.fixUnsafe === true }));
    return exitCodeOf(reportOf(advice, options, config), options, config);
  }
  if (wantsFix) {
    if (paths.includes('-')) {
      throw new UserError('fix-standard-input', 'standard input cannot be fixed', {
        hint: 'name the file, or use --fix-dry-run to get a patch',
      });
    }
    const again = async () =>
      advise({ ...(await prepare(options, paths, surroundings)), version: version(), baseline });
    advice = await mend(advice, again, { unsafe: options.fixUnsafe === true, cwd, stderr });
  }
  tellWhatWasRead(prepared, paths, options, surroundings);
  if (isWritingBaseline) {
    const file = path.resolve(cwd, /** @type {string} */ (options.writeBaseline));
    writeBaseline(file, advice.report.findings);
    stderr.write(`${advice.report.findings.length} findings written to ${options.writeBaseline}\n`);
    return advice.report.errors.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
  }
  if (advice.staleBaselineCount > 0) {
    stderr.write(
      `${advice.staleBaselineCount} findings of the baseline are gone; --write-baseline brings it up to date\n`,
    );
  }
  const report = reportOf(advice, options, config);
  await writeReports(options.quiet ? onlyErrors(report) : report, destinations, options, surroundings);
  return exitCodeOf(report, options, config);
}

/**
 * @param {Advice} advice
 * @param {LintOptions} options
 * @param {Config} config
 * @returns {Report}
 */
function reportOf(advice, options, config) {
  const edits = attachFixes(advice);
  return { ...advice.report, edits, failOn: options.failOn ?? config.failOn ?? 'error' };
}

/**
 * @param {LintOptions} options
 * @returns {Destination[]}
 */
function destinationsOf({ format = ['text'], output }) {
  const destinations = format.map((item) => {
    const [name = '', ...rest] = item.split('=');
    if (!formats.has(name)) {
      const guess = nearest(name, formats.keys());
      throw new UserError('unknown-format', `no format is called \`${name}\``, {
        hint: guess ? `did you mean \`${guess}\`?` : `there are: ${[...formats.keys()].join(', ')}`,
      });
    }
    return { name, file: rest.length > 0 ? rest.join('=') : undefined };
  });
  const last = destinations.at(-1);
  if (output !== undefined && last) last.file = output;
  if (destinations.filter(({ file }) => file === undefined).length > 1) {
    throw new UserError('formats-collide', 'more than one --format goes to standard output', {
      hint: 'name a file for all but one: --format sarif=advisor.sarif',
    });
  }
  return destinations;
}

/**
 * @param {Report} report
 * @param {Destination[]} destinations
 * @param {LintOptions} options
 * @param {Surroundings} surroundings
 */
async function writeReports(report, destinations, options, surroundings) {
  const { cwd, stdout } = surroundings;
  for (const { name, file } of destinations) {
    const format = formats.get(name);
    if (!format) continue;
    const color = file === undefined && wantsColor(options, surroundings);
    const text = await format.render(report, { color, verbose: options.verbose === true, width: stdout.columns });
    if (file === undefined) stdout.write(text);
    else writeFileAtomically(path.resolve(cwd, file), text);
  }
}

/**
 * @param {Prepared} prepared
 * @param {string[]} paths
 * @param {LintOptions} options
 * @param {Surroundings} surroundings
 */
function tellWhatWasRead({ opened }, paths, options, { stderr }) {
  const { counts, notes, records, errors } = opened;
  if (records.length === 0 && errors.length === 0) {
    throw new UserError('nothing-found', 'no design document, Mango index or CouchDB configuration was found', {
      hint: 'name the files or folders: couch-advisor lint path/to/design-documents',
    });
  }
  if (paths.length === 0) {
    const skipped = notes.length > 0 ? `, ${notes.length} paths skipped${options.verbose ? ':' : ''}` : '';
    stderr.write(`read ${counts.designDocs} design documents in ${counts.files} files${skipped}\n`);
  }
  if (!options.verbose) return;
  for (const note of notes) stderr.write(`  ${note.path}: ${note.reason}\n`);
}

/**
 * @param {Report} report
 * @returns {Report}
 */
function onlyErrors(report) {
  return { ...report, findings: report.findings.filter((finding) => finding.severity === 'error') };
}

/**
 * @param {Report} report
 * @param {LintOptions} options
 * @param {Config} config
 * @returns {number}
 */
function exitCodeOf(report, options, config) {
  if (report.errors.length > 0) return EXIT.INCOMPLETE;
  const isFailing = report.findings.some((finding) => isFailingAt(finding, report.failOn));
  const maxWarnings = options.maxWarnings ?? config.maxWarnings ?? Number.POSITIVE_INFINITY;
  const warnings = report.findings.filter((finding) => finding.severity === 'warning').length;
  return isFailing || warnings > maxWarnings ? EXIT.FINDINGS : EXIT.CLEAN;
}
