// Completes a report after judging: what fixes would change, what only a page has room for, and from which severity on
// it fails.

import { describeRun } from '../engine/details.js';
import { attachFixes } from '../engine/fixes/attach.js';
import { maskEdits, maskReported } from '../engine/hide-secrets.js';

/** @import { Rule } from '../engine/rule.js' */
/** @import { Analysis } from '../engine/pipeline.js' */
/** @import { Report } from '../reports/report.js' */
/** @import { Destination } from './destinations.js' */

/**
 * @param {Pick<Analysis, 'report' | 'links' | 'run' | 'ask' | 'mask'>} analysis
 * @param {{rules: Rule[], failOn: Report['failOn'], destinations: readonly Destination[]}} wanted
 * @returns {Promise<Report>}
 */
export async function completeReport(analysis, { rules, failOn, destinations }) {
  const { report, links, mask } = analysis;
  // Reports without a fix load no code of fixes.
  const made = links.some(({ finding }) => finding.fix) ? attachFixes(links) : undefined;
  const edits = made && maskEdits(made, mask, report.sources);
  const complete = { ...report, ...(edits ? { edits } : {}), failOn, madeAt: new Date().toISOString() };
  if (!destinations.some(({ format }) => format.showsDetails)) return complete;
  return { ...complete, details: maskReported(describeRun(analysis, rules, edits), mask) };
}
