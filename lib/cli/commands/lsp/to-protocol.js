// Converts findings to what editors show: diagnostics, and the text under the pointer. Knows the protocol's shapes,
// reads nothing.

import path from 'node:path';
import { describeVerdict } from '../../../reports/report.js';
import { printable } from '../../../shared/printable.js';
import { uriOf } from './workspace.js';

/** @import { Detail } from '../../../engine/details.js' */
/** @import { Finding } from '../../../engine/findings/finding.js' */
/** @import { Place } from '../../../shared/source-file.js' */
/** @import { ReadError } from '../../../sources/record.js' */
/** @import { Diagnostic, Position, Range } from 'vscode-languageserver-protocol' */
/** @import { LintedDocument } from './workspace.js' */

/** The name that editors show beside a finding. */
const SOURCE = 'couch-advisor';

/** Numbers of the protocol (DiagnosticSeverity, 3.17). */
const SEVERITIES = Object.freeze({ error: 1, warning: 2, info: 3 });

/** Lines and columns count from 0 in the protocol, in UTF-16 code units as here. @param {Place} place @returns {Range} */
export function rangeOf({ line, column, endLine = line, endColumn = column + 1 }) {
  return {
    start: { line: line - 1, character: column - 1 },
    end: { line: endLine - 1, character: endColumn - 1 },
  };
}

/**
 * @param {Finding} finding
 * @param {(file: string) => string} uriOf
 * @returns {Diagnostic}
 */
export function diagnosticOf(finding, uriOf) {
  const { rule, outcome, severity, message, advice, place, related, sources, key } = finding;
  const link = sources.find((source) => source.startsWith('https://'));
  return {
    range: rangeOf(place),
    severity: SEVERITIES[severity],
    code: `${rule}#${outcome}`,
    ...(link ? { codeDescription: { href: link } } : {}),
    source: SOURCE,
    message: `${printable(message)}\n${printable(advice)}`,
    relatedInformation: related.map(({ message: text, place: at }) => ({
      location: { uri: uriOf(at.file), range: rangeOf(at) },
      message: printable(text) || 'this belongs to the evidence',
    })),
    data: { key },
  };
}

/**
 * @param {LintedDocument} judged
 * @returns {Map<string, Diagnostic[]>} by absolute path of the file
 */
export function diagnosticsOf({ folder, findings, errors }) {
  /** @type {Map<string, Diagnostic[]>} */
  const byFile = new Map();
  const add = (/** @type {string} */ file, /** @type {Diagnostic} */ diagnostic) => {
    const absolute = path.resolve(folder, file);
    const list = byFile.get(absolute);
    if (list) list.push(diagnostic);
    else byFile.set(absolute, [diagnostic]);
  };
  for (const finding of findings)
    add(
      finding.place.file,
      diagnosticOf(finding, (file) => uriOf(path.resolve(folder, file))),
    );
  for (const error of errors) if (error.place) add(error.place.file, errorDiagnostic(error));
  return byFile;
}

/**
 * @param {ReadError} error
 * @returns {Diagnostic} something that could not be read
 */
function errorDiagnostic({ code, message, place, hint }) {
  return {
    range: rangeOf(place ?? { file: '', line: 1, column: 1 }),
    severity: SEVERITIES.error,
    code,
    source: SOURCE,
    message: [message, hint].flatMap((text) => (text ? [printable(text)] : [])).join('\n'),
  };
}

/**
 * @param {Range} range
 * @param {Position} position
 * @returns {boolean} whether the pointer is in it; its end counts, as the caret stands there too
 */
export function isWithin({ start, end }, { line, character }) {
  const isBehindStart = line > start.line || (line === start.line && character >= start.character);
  const isBeforeEnd = line < end.line || (line === end.line && character <= end.character);
  return isBehindStart && isBeforeEnd;
}

/**
 * @param {Range} one
 * @param {Range} other
 * @returns {boolean}
 */
export function doMeet(one, other) {
  return isWithin(one, other.start) || isWithin(other, one.start);
}

/**
 * @param {Finding} finding
 * @param {Detail | undefined} detail
 * @returns {string} Markdown: what was found and why, how it was found, and the proof
 */
export function hoverText(
  { rule, outcome, title, message, why, advice, path, certainty, verdict, pattern, sources },
  detail,
) {
  const lines = [
    `**${escapeMarkdown(title)}** \u2014 \`${rule}#${outcome}\``,
    '',
    escapeText(message),
    '',
    escapeText(why),
    '',
    `**Do:** ${escapeText(advice)}`,
  ];
  for (const [label, one] of /** @type {const} */ ([
    ['Measured', verdict],
    ['Pattern, measured elsewhere', pattern],
  ])) {
    if (one) lines.push('', `**${label}:** ${escapeText(describeVerdict(one))}`);
  }
  if (detail?.proof) lines.push('', ...proofLines(detail.proof));
  lines.push('', `**How it was found** (certainty ${certainty})`, '');
  for (const [at, step] of path.entries()) {
    const asked = detail?.steps[at]?.asked ?? step.fact;
    lines.push(`${at + 1}. ${escapeText(asked)} *${step.answer}*: ${escapeText(step.because)}`);
  }
  const link = sources.find((source) => source.startsWith('https://'));
  if (link) lines.push('', `[Documentation](${link})`);
  return lines.join('\n');
}

/**
 * @param {NonNullable<Detail['proof']>} proof
 * @returns {string[]}
 */
function proofLines({ isProved, builtin, condition, steps, counterexample, trials }) {
  const lines = [`**${isProved ? 'Proof' : 'Trials'}**${builtin ? `: equals \`${builtin}\`` : ''}`, ''];
  if (condition) lines.push(`- if ${escapeText(condition)}`);
  lines.push(...steps.map((step) => `- ${escapeText(step)}`));
  if (counterexample.length > 0)
    lines.push('', '**Counterexample**', '', '```text', ...counterexample.map(inFence), '```');
  if (!isProved && trials > 0) lines.push(`- ${trials} groupings were tested`);
  return lines;
}

/**
 * @param {string} text of findings, where backticks stand around code
 * @returns {string} Markdown that shows the same on one line
 */
function escapeText(text) {
  // A name with a backtick of its own only moves the borders of code: no part has a backtick, and where they do not pair, all is text.
  const parts = text.split('`');
  if (parts.length % 2 === 0) return escapeMarkdown(text);
  const code = (/** @type {string} */ part) => (part === '' ? '' : `\`${printable(part)}\``);
  return parts.map((part, at) => (at % 2 === 1 ? code(part) : escapeMarkdown(part))).join('');
}

/** @param {string} text @returns {string} */
function escapeMarkdown(text) {
  const line = printable(text.replace(/\r?\n/g, ' '));
  return line.replace(/[\\`*_{}[\]()#+!|<>~]/g, '\\$&');
}

/** @param {string} line @returns {string} that cannot end the block it stands in */
function inFence(line) {
  return printable(line).replaceAll('```', "'''");
}
