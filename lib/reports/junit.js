// Renders JUnit XML, in the dialect that Jenkins, GitLab and CircleCI read: a suite per file, a test case per finding. Findings that do not make the
// run fail are passed cases with their text as output, so the report agrees with the exit code.

import { describeSamePlaces, isFailing } from './report.js';

/** @import { Finding } from '../engine/findings/finding.js' */
/** @import { Report, UnreadSource } from './report.js' */

/** @typedef {{name: string, cases: string[], failures: number, errors: number}} Suite */

/** Not allowed in XML 1.0 at all, not even as a reference: C0 but for tab and line ends, lone surrogates, U+FFFE, U+FFFF. */
const ILLEGAL = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;
/** Allowed, yet changed by readers or harmful to terminals: written as references. */
const REFERENCED = /[\t\r\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** @type {Record<string, string>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Errors that belong to no file stand in a suite of this name, as does the one case of a clean run. */
const OWN_SUITE = 'couch-advisor';

/**
 * @param {Report} report
 * @returns {string}
 */
export function renderJunit({ findings, errors, failOn }) {
  /** @type {Map<string, Suite>} */
  const suites = new Map();
  /** @param {string} name */
  const suiteOf = (name) => {
    const suite = suites.get(name) ?? { name, cases: [], failures: 0, errors: 0 };
    suites.set(name, suite);
    return suite;
  };
  for (const finding of findings) {
    const suite = suiteOf(finding.place.file);
    const isFailure = isFailing(finding, failOn);
    suite.cases.push(renderFinding(finding, isFailure));
    if (isFailure) suite.failures += 1;
  }
  for (const error of errors) {
    const suite = suiteOf(error.place?.file ?? OWN_SUITE);
    suite.cases.push(renderError(error));
    suite.errors += 1;
  }
  // A report without a test case counts as a broken one in Jenkins.
  if (suites.size === 0)
    suiteOf(OWN_SUITE).cases.push(`    <testcase${attributes({ name: 'lint', classname: OWN_SUITE })}/>`);
  const all = [...suites.values()];
  const total = attributes({ name: OWN_SUITE, ...countsOf(all) });
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites${total}>`];
  for (const suite of all) {
    lines.push(
      `  <testsuite${attributes({ name: suite.name, ...countsOf([suite]) })}>`,
      ...suite.cases,
      '  </testsuite>',
    );
  }
  return `${lines.join('\n')}\n</testsuites>\n`;
}

/**
 * @param {Suite[]} suites
 * @returns {{tests: number, failures: number, errors: number}}
 */
function countsOf(suites) {
  const counts = { tests: 0, failures: 0, errors: 0 };
  for (const { cases, failures, errors } of suites) {
    counts.tests += cases.length;
    counts.failures += failures;
    counts.errors += errors;
  }
  return counts;
}

/**
 * @param {Finding} finding
 * @param {boolean} isFailure
 * @returns {string}
 */
function renderFinding(finding, isFailure) {
  const { rule, outcome, severity, message, why, advice, place, key } = finding;
  const { file, line, column } = place;
  const parts = [`${file}:${line}:${column}`, message, why, advice, describeSamePlaces(finding), key];
  const text = parts.filter((part) => part !== '').join('\n');
  const name = `${rule}#${outcome} at ${line}:${column}`;
  const body = isFailure
    ? `<failure${attributes({ message, type: severity })}>${escapeXml(text)}</failure>`
    : `<system-out>${escapeXml(`${severity}: ${text}`)}</system-out>`;
  return renderCase(name, file, body);
}

/**
 * @param {UnreadSource} error
 * @returns {string}
 */
function renderError({ code, message, place, hint }) {
  const where = place ? `${place.file}:${place.line}:${place.column}` : '';
  const text = [where, message, hint ?? ''].filter((part) => part !== '').join('\n');
  const name = place ? `${code} at ${place.line}:${place.column}` : code;
  return renderCase(name, place?.file, `<error${attributes({ message, type: code })}>${escapeXml(text)}</error>`);
}

/**
 * @param {string} name
 * @param {string | undefined} file
 * @param {string} body XML
 * @returns {string}
 */
function renderCase(name, file, body) {
  const about = attributes({ name, classname: file ?? OWN_SUITE, ...(file === undefined ? {} : { file }) });
  return `    <testcase${about}>\n      ${body}\n    </testcase>`;
}

/**
 * @param {Record<string, string | number>} values
 * @returns {string} with a space before each
 */
function attributes(values) {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');
}

/**
 * @param {string} text
 * @returns {string} for the text of an element
 */
function escapeXml(text) {
  return text
    .replace(ILLEGAL, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .replace(REFERENCED, (character) => `&#${character.charCodeAt(0)};`);
}
