// Renders SARIF 2.1.0 (OASIS, 27 March 2020, with errata 01) for code scanning: rules, results with places, fixes where
// there are edits, and what could not be read as notifications.

import { groupBy } from '../shared/group-by.js';
import { firstAddress } from '../shared/page-address.js';
import { describeSubject, docsOf } from './report.js';
import { stringifyJson } from './stringify-json.js';

/** @import { Finding, Severity } from '../engine/findings/finding.js' */
/** @import { Place, TextEdit } from '../shared/source-file.js' */
/** @import { Report, RuleSummary, UnreadSource } from './report.js' */

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** @type {Record<Severity, 'error' | 'warning' | 'note'>} */
const LEVELS = { error: 'error', warning: 'warning', info: 'note' };

/** The folder that paths are relative to; its absolute path is nobody's business. */
const ROOT = 'SRCROOT';

/** Name and version of how the key is made (lib/engine/findings/finding.js). */
const FINGERPRINT = 'couchAdvisorKey/v1';

/**
 * @param {Report} report
 * @returns {string}
 */
export function renderSarif(report) {
  const { findings, errors, rules, tool, target, edits } = report;
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  return stringifyJson({
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'couch-advisor',
            version: tool.version,
            semanticVersion: tool.version,
            rules: rules.map(describeRule),
          },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { [ROOT]: { description: { text: 'The folder that the command ran in.' } } },
        invocations: [
          {
            executionSuccessful: errors.length === 0,
            toolExecutionNotifications: errors.map(describeError),
          },
        ],
        properties: { couchdb: target.version },
        results: findings.map((finding) => ({
          ruleId: finding.rule,
          ...(indexes.has(finding.rule) ? { ruleIndex: indexes.get(finding.rule) } : {}),
          ...describeResult(finding, docsOf(finding, byId)),
          ...describeFix(finding, edits?.get(finding.key)),
        })),
      },
    ],
  });
}

/**
 * @param {RuleSummary} rule
 * @returns {object} a `reportingDescriptor`
 */
function describeRule({ id, title, severity, page, docs }) {
  const address = firstAddress([page, docs]);
  const more = `Run \`npx --no-install couch-advisor explain ${id}\` for the reasons, the decision tree and examples.`;
  const text = [`${title}.`, more, address ? `See ${address}` : ''].filter((part) => part !== '').join('\n');
  const markdown = [`${title}.`, more, address ? `[Documentation](${address})` : '']
    .filter((part) => part !== '')
    .join('\n\n');
  return {
    id,
    name: id,
    shortDescription: { text: title },
    fullDescription: { text: title },
    ...(address ? { helpUri: address } : {}),
    help: { text, markdown },
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

/**
 * @param {Finding} finding
 * @param {string | undefined} docs
 * @returns {object} the parts of a `result` that need nothing but the finding
 */
function describeResult(finding, docs) {
  const { message, why, advice, severity, place, related, subject, key, outcome, certainty } = finding;
  const text = [message, why, advice, docs ?? ''].filter((part) => part !== '').join('\n');
  return {
    kind: 'fail',
    level: LEVELS[severity],
    message: { text },
    locations: [
      {
        physicalLocation: physicalLocation(place),
        logicalLocations: [{ name: describeSubject(subject), kind: subject.kind }],
      },
    ],
    ...(related.length > 0
      ? {
          relatedLocations: related.map((item, id) => ({
            id,
            physicalLocation: physicalLocation(item.place),
            ...(item.message === '' ? {} : { message: { text: item.message } }),
          })),
        }
      : {}),
    partialFingerprints: { [FINGERPRINT]: key },
    properties: { outcome, certainty },
  };
}

/**
 * @param {Finding} finding
 * @param {TextEdit[] | undefined} edits
 * @returns {object} with `fixes`, or empty
 */
function describeFix({ fix }, edits) {
  if (!fix || !edits || edits.length === 0) return {};
  const artifactChanges = [...groupBy(edits, ({ file }) => file.path)].map(([path, changes]) => ({
    artifactLocation: artifactLocation(path),
    replacements: changes.map(({ file, start, end, text }) => ({
      deletedRegion: region(file.place(start, end)),
      insertedContent: { text },
    })),
  }));
  return { fixes: [{ description: { text: fix.title }, artifactChanges }] };
}

/**
 * @param {UnreadSource} error
 * @returns {object} a `notification`
 */
function describeError({ code, message, place, hint }) {
  return {
    level: 'error',
    descriptor: { id: code },
    message: { text: hint ? `${message}\n${hint}` : message },
    ...(place ? { locations: [{ physicalLocation: physicalLocation(place) }] } : {}),
  };
}

/**
 * @param {Place} place
 * @returns {object}
 */
function physicalLocation(place) {
  return { artifactLocation: artifactLocation(place.file), region: region(place) };
}

/**
 * @param {Place} place
 * @returns {object} SARIF counts as we do: from 1, the end column behind the last character
 */
function region({ line, column, endLine, endColumn }) {
  const start = { startLine: line, startColumn: column };
  return endLine === undefined || endColumn === undefined ? start : { ...start, endLine, endColumn };
}

/**
 * @param {string} path
 * @returns {object}
 */
function artifactLocation(path) {
  // What a server reported has an address of its own.
  if (/^https?:\/\//.test(path)) {
    return { uri: encodeURI(path.replace(/\p{Surrogate}/gu, '\ufffd')).replaceAll('#', '%23') };
  }
  const uri = path
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  return path.startsWith('/') ? { uri: `file://${uri}` } : { uri, uriBaseId: ROOT };
}
