// Renders the report for programs: share/schemas/lint.schema.json documents every key.

import { costliest } from '../engine/findings/order.js';
import { countSeverities } from './report.js';
import { stringifyJson } from './stringify-json.js';

/** @import { Finding } from '../engine/findings/finding.js' */
/** @import { Report } from './report.js' */

/**
 * @param {Report} report
 * @returns {string} version 1 of the shape: keys may be added to it, and none is renamed or removed
 */
export function renderJson(report) {
  const ranked = costliest(report.findings, report.rules);
  return stringifyJson({
    version: report.version,
    tool: { name: 'couch-advisor', version: report.tool.version },
    target: report.target,
    findings: report.findings.map(describeFinding),
    errors: report.errors,
    notes: report.notes,
    cannotTell: report.cannotTell.map(withoutWords),
    ...(report.below && report.below.length > 0 ? { belowThreshold: report.below.map(withoutWords) } : {}),
    read: report.read,
    ...(report.unseen && report.unseen.length > 0 ? { unseen: report.unseen } : {}),
    silenced: report.silenced,
    counts: countSeverities(report.findings),
    failOn: report.failOn,
    ...(ranked.length > 0 ? { costliest: ranked.map(({ finding, share }) => ({ key: finding.key, share })) } : {}),
  });
}

/**
 * @template T
 * @param {T & {words?: string}} one
 * @returns {Omit<T, 'words'>} the id of the fact says it to programs
 */
function withoutWords({ words: _, ...one }) {
  return /** @type {any} */ (one);
}

/**
 * @param {Finding} finding
 * @returns {object} its documented keys, in the order of the documentation
 */
function describeFinding(finding) {
  const { key, rule, outcome, severity, certainty, title, message, why, advice } = finding;
  const { subject, place, related, path, sources, fix, versions, cost, verdict, pattern } = finding;
  const base = { key, rule, outcome, severity, certainty, title, message, why, advice };
  return {
    ...base,
    ...{ subject, place, related, path, sources },
    ...(fix ? { fix } : {}),
    ...(versions ? { versions } : {}),
    ...(cost ? { cost: { ...cost, shapes: undefined } } : {}),
    ...(verdict ? { verdict } : {}),
    ...(pattern ? { pattern } : {}),
  };
}
