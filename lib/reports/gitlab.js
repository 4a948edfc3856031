// Renders the code quality report of GitLab: a list of places, each with a fingerprint that distinguishes new findings
// from old ones.

import { describeSamePlaces } from './report.js';
import { stringifyJson } from './stringify-json.js';

/** @import { Severity } from '../engine/findings/finding.js' */
/** @import { Report } from './report.js' */

/** @type {Record<Severity, string>} */
const SEVERITIES = { error: 'major', warning: 'minor', info: 'info' };

/** GitLab wants a path for everything; this is the folder the command ran in. */
const NO_PATH = '.';

/**
 * @param {Report} report
 * @returns {string}
 */
export function renderGitlab({ findings, errors }) {
  /** @type {Set<string>} */
  const used = new Set();
  const issues = findings.map((finding) => {
    const { message, advice, rule, outcome, severity, key, place } = finding;
    const more = describeSamePlaces(finding);
    return {
      description: [advice === '' ? message : `${message}. ${advice}`, more].join(' ').trimEnd(),
      check_name: `${rule}#${outcome}`,
      fingerprint: uniqueName(key, used),
      severity: SEVERITIES[severity],
      location: { path: place.file, lines: { begin: place.line } },
    };
  });
  for (const { code, message, place } of errors) {
    const path = place?.file ?? NO_PATH;
    issues.push({
      description: message,
      check_name: code,
      fingerprint: uniqueName(`${code}:${path}`, used),
      severity: SEVERITIES.error,
      location: { path, lines: { begin: place?.line ?? 1 } },
    });
  }
  return stringifyJson(issues);
}

/**
 * GitLab drops issues of equal fingerprints.
 * @param {string} name
 * @param {Set<string>} used names given so far; the result is added
 * @returns {string}
 */
function uniqueName(name, used) {
  let unique = name;
  for (let number = 2; used.has(unique); number += 1) unique = `${name}:${number}`;
  used.add(unique);
  return unique;
}
