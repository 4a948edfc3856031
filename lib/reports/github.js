// Renders workflow commands of GitHub Actions: one annotation per finding. Whatever the input holds, a line stays one
// command.

import { printable } from '../shared/printable.js';
import { describeSamePlaces } from './report.js';

/** @import { Severity } from '../engine/findings/finding.js' */
/** @import { Place } from '../shared/source-file.js' */
/** @import { Report } from './report.js' */

/** @type {Record<Severity, string>} */
const COMMANDS = { error: 'error', warning: 'warning', info: 'notice' };

/**
 * @param {Report} report
 * @returns {string} empty where there is nothing to report
 */
export function renderGithub({ findings, errors }) {
  const lines = findings.map((finding) => {
    const { severity, rule, outcome, message, why, advice, place } = finding;
    const paragraphs = [message, why, advice, describeSamePlaces(finding)];
    return renderCommand(COMMANDS[severity], place, `${rule}#${outcome}`, paragraphs);
  });
  for (const { code, message, place, hint } of errors) {
    lines.push(renderCommand(COMMANDS.error, place, code, [message, hint ?? '']));
  }
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * @param {string} command
 * @param {Place | undefined} place
 * @param {string} title
 * @param {string[]} paragraphs empty ones are left out
 * @returns {string}
 */
function renderCommand(command, place, title, paragraphs) {
  const properties = [...(place ? placeProperties(place) : []), `title=${escapeProperty(title)}`];
  const text = paragraphs.filter((paragraph) => paragraph !== '').join('\n');
  return `::${command} ${properties.join(',')}::${escapeData(text)}`;
}

/**
 * @param {Place} place
 * @returns {string[]}
 */
function placeProperties({ file, line, column, endLine, endColumn }) {
  const properties = [`file=${escapeProperty(file)}`, `line=${line}`];
  if (endLine !== undefined) properties.push(`endLine=${endLine}`);
  // The runner takes columns only within one line (actions/runner, ValidateLinesAndColumns).
  if (endLine !== undefined && endLine !== line) return properties;
  properties.push(`col=${column}`);
  if (endColumn !== undefined) properties.push(`endColumn=${endColumn}`);
  return properties;
}

/**
 * @param {string} text
 * @returns {string} as `escapeData` of actions/toolkit does it, and without control characters
 */
function escapeData(text) {
  return printable(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'));
}

/**
 * @param {string} text
 * @returns {string} as `escapeProperty` of actions/toolkit does it, and without control characters
 */
function escapeProperty(text) {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
