// Renders what a change brings for people at a terminal and in the log of a job: new findings in full, and the cost of
// its indexes.

import { createColors } from '../../reports/colors.js';
import { wrap } from '../../reports/display-width.js';
import { renderText } from '../../reports/text.js';
import { printable } from '../../shared/printable.js';
import { formatDuration } from '../../shared/units.js';
import { deploySteps } from './deploy-steps.js';
import { describeDisk, summarizeDisk } from './disk.js';
import { isBuilt } from './index-builds.js';
import { buildsByDocument, describeFindings, describeIndex, FATES, listShortly, summarizeBuilds } from './outcome.js';

/** @import { RenderOptions } from '../../reports/report.js' */
/** @import { ChangeOutcome } from './outcome.js' */
/** @import { IndexBuild } from './index-builds.js' */

const USUAL_WIDTH = 100;
const MIN_WIDTH = 40;

/**
 * @param {ChangeOutcome} outcome
 * @param {RenderOptions & {database?: string | undefined}} [options]
 * @returns {string} ending in a line feed
 */
export function renderChangeText(outcome, { database, ...options } = {}) {
  const { bold, dim } = createColors(options.color ?? false);
  const width = Math.max(MIN_WIDTH, Math.min(options.width ?? USUAL_WIDTH, USUAL_WIDTH));
  const { base, report, builds, disk } = outcome;
  const blocks = [];
  if (report.findings.length + report.errors.length > 0) blocks.push(renderText(report, options).trimEnd());
  const lines = [bold('Indexes'), ...wrap(summarizeBuilds(outcome), width)];
  if (disk) lines.push(...wrap(summarizeDisk(disk), width));
  for (const build of builds) lines.push(...renderBuild(build, disk, width));
  if (builds.length > 0) blocks.push(lines.join('\n'));
  for (const group of buildsByDocument(builds).values()) {
    const steps = deploySteps(group, database);
    const [first] = group;
    if (!first || steps.length === 0) continue;
    const title = `Deploy ${printable(first.designDoc ?? '')} without a cold index`;
    blocks.push([bold(title), ...steps.map((line) => (line === '' ? '' : `  ${line}`))].join('\n'));
  }
  const counts = [describeFindings(outcome)];
  if (builds.length === 0) counts.push('no index is affected');
  const compared = dim(`compared with ${printable(base.name)} at ${base.commit.slice(0, 10)}`);
  blocks.push(`${counts.join(', ')}; ${compared}`);
  return `${blocks.join('\n\n')}\n`;
}

/**
 * @param {IndexBuild} build
 * @param {ChangeOutcome['disk']} disk
 * @param {number} width
 * @returns {string[]}
 */
function renderBuild(build, disk, width) {
  const { fate, parts, estimate, signature, unknown } = build;
  const changed = parts.length > 0 && fate !== 'kept' ? `, for ${listShortly(parts)}` : '';
  const lines = [`- ${describeIndex(build)}: ${FATES[fate]}${changed}`];
  if (estimate && 'seconds' in estimate)
    lines.push(`  time: about ${formatDuration(estimate.seconds)}, ${estimate.basis}`);
  else if (estimate) lines.push(`  time: unknown, requires ${estimate.missing.join(' and ')}`);
  const found = disk?.indexes.find(({ index }) => index === build);
  if (found) lines.push(`  disk: ${describeDisk(found)}`);
  if (isBuilt(fate) && signature !== undefined) lines.push(`  signature: ${signature}`);
  if (unknown !== undefined) lines.push(`  compared as text because ${unknown}`);
  return lines.flatMap((line) => {
    const [first = '', ...rest] = wrap(printable(line.trimStart()), width - 2);
    const margin = line.startsWith('- ') ? '' : '  ';
    return [margin + first, ...rest.map((more) => `  ${more}`)];
  });
}
