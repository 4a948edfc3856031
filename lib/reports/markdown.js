// Renders the report as GitHub-flavored Markdown, for job summaries and comments: counts, then the details of each
// file. Names from the input stay text: no markup, link, mention or HTML can come out of them.

import { samePlaces } from '../engine/findings/finding.js';
import { groupBy } from '../shared/group-by.js';
import { printable } from '../shared/printable.js';
import { countOf } from '../shared/units.js';
import { renderFrame } from './code-frame.js';
import { createColors } from './colors.js';
import { countSeverities, describeTarget, describeVerdict, docsOf, MAX_PLACES, summarize } from './report.js';

/** @import { Finding, Severity } from '../engine/findings/finding.js' */
/** @import { Place } from '../shared/source-file.js' */
/** @import { Report, RuleSummary, UnreadSource } from './report.js' */

/** @type {Record<Severity, string>} */
const SIGNS = { error: '❌', warning: '⚠️', info: 'ℹ️' };

/** A comment on GitHub takes 65,536 characters; what is longer cannot be posted at all. */
export const MAX_CHARACTERS = 60_000;

const FRAME_WIDTH = 90;
const PLAIN = createColors(false);

/** What may begin markup: punctuation, the colon of an address or of an emoji, and list marks at the beginning. */
const SYNTAX = /[\\`*_{}[\]<>#|~$&]|:(?=\/\/|[\w+-]*[a-z][\w+-]*:)|^\s*(?:[-+=]+|\d+[.)])/gi;

/**
 * @param {Report} report
 * @returns {string} at most about 60,000 characters; the number of details left out is shown
 */
export function renderMarkdown(report) {
  const byFile = groupBy(report.findings, ({ place }) => place.file);
  const rules = new Map(report.rules.map((rule) => [rule.id, rule]));
  const sections = [`## couch-advisor\n\n${escapeMarkdown(summarize(report))}`];
  if (report.target.source !== undefined) sections.push(escapeMarkdown(`Judged for ${describeTarget(report.target)}.`));
  if (byFile.size > 0) sections.push(renderCounts(byFile));
  if (report.errors.length > 0) sections.push(renderErrors(report.errors));
  let length = sections.join('\n\n').length;
  let left = report.findings.length;
  for (const [file, findings] of byFile) {
    const details = [`### ${code(file)}`];
    for (const finding of findings) {
      const detail = renderFinding(finding, report, rules);
      length += detail.length;
      if (length > MAX_CHARACTERS) break;
      details.push(detail);
      left -= 1;
    }
    if (details.length > 1) sections.push(...details);
    if (length > MAX_CHARACTERS) break;
  }
  if (left > 0) sections.push(`${countOf(left, 'more finding')} not shown: the report would be too long.`);
  return `${sections.join('\n\n')}\n`;
}

/**
 * @param {Map<string, Finding[]>} byFile
 * @returns {string} a table
 */
function renderCounts(byFile) {
  const rows = ['| File | Errors | Warnings | Infos |', '| --- | ---: | ---: | ---: |'];
  for (const [file, findings] of byFile) {
    const { error, warning, info } = countSeverities(findings);
    rows.push(`| ${code(file)} | ${error} | ${warning} | ${info} |`);
  }
  return rows.join('\n');
}

/**
 * @param {UnreadSource[]} errors
 * @returns {string}
 */
export function renderErrors(errors) {
  const items = errors.map(({ message, place, hint }) => {
    const where = place ? `${code(showPlace(place))}: ` : '';
    return `- ${where}${withCode(message)}${hint ? ` (${withCode(hint)})` : ''}`;
  });
  return ['### Could not be read', '', ...items].join('\n');
}

/**
 * @param {Finding} finding
 * @param {Pick<Report, 'sources'>} report
 * @param {Map<string, RuleSummary>} rules
 * @returns {string}
 */
export function renderFinding(finding, { sources }, rules) {
  const { severity, message, rule, outcome, place, why, advice, related, fix } = finding;
  const parts = [
    `#### ${SIGNS[severity]} ${withCode(message)}`,
    `${code(showPlace(place))} ${code(`${rule}#${outcome}`)}`,
  ];
  const file = sources.get(place.file);
  const frame = file ? renderFrame(file, place, { width: FRAME_WIDTH, colors: PLAIN, mark: (text) => text }) : [];
  if (frame.length > 0) parts.push(fence(frame.join('\n')));
  if (finding.verdict) parts.push(`**Measured:** ${withCode(describeVerdict(finding.verdict))}`);
  if (why !== '') parts.push(withCode(why));
  const items = advice === '' ? [] : [`- **Help:** ${withCode(advice)}`];
  const same = samePlaces(finding);
  for (const item of [...related.filter(({ key }) => key === undefined), ...same.slice(0, MAX_PLACES)]) {
    const [place, text] = [code(showPlace(item.place)), withCode(item.message)];
    if (item.key !== undefined) items.push(`- **Also:** ${place} ${text}`);
    else items.push(`- **Because:** ${text === '' ? place : `${text} (${place})`}`);
  }
  if (same.length > MAX_PLACES) items.push(`- **Also:** ${countOf(same.length - MAX_PLACES, 'more place')}`);
  if (fix) {
    const option = fix.safe ? '--fix' : '--fix-unsafe';
    items.push(`- **Fix:** ${withCode(fix.title)} (${code(`npx --no-install couch-advisor lint ${option}`)})`);
  }
  const docs = docsOf(finding, rules);
  if (docs && /^https?:\/\/[\w\-./#?=&%~+:]+$/.test(docs)) items.push(`- [Documentation](<${docs}>)`);
  if (items.length > 0) parts.push(items.join('\n'));
  return parts.join('\n\n');
}

/**
 * @param {Place} place
 * @returns {string}
 */
function showPlace({ file, line, column }) {
  return `${file}:${line}:${column}`;
}

/**
 * @param {string} text
 * @param {string} [language]
 * @returns {string} a fenced block; the fence is longer than any in the text
 */
export function fence(text, language = 'text') {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

/**
 * @param {string} text with code between backticks, as messages are written
 * @returns {string}
 */
export function withCode(text) {
  // A name with a backtick of its own only moves the borders of code: each part is escaped, whichever it is.
  const parts = text.split('`');
  if (parts.length % 2 === 0) return escapeMarkdown(text);
  return parts.map((part, index) => (index % 2 === 0 ? escapeMarkdown(part) : code(part))).join('');
}

/**
 * @param {string} text
 * @returns {string} as inline code, by HTML: a code span of Markdown cannot be made safe inside a table
 */
export function code(text) {
  return text === '' ? '' : `<code>${escapeMarkdown(text)}</code>`;
}

/**
 * @param {string} text
 * @returns {string} one line of Markdown that shows just this text
 */
export function escapeMarkdown(text) {
  const escaped = printable(text).replace(SYNTAX, (found) =>
    [...found].map((character) => `&#${character.codePointAt(0)};`).join(''),
  );
  // A mention is found in the shown text, so no escape helps: an empty comment parts the sign from the name.
  return escaped.replaceAll('@', '@<!-- -->').replace(/\bwww\./gi, (found) => found.replace('.', '&#46;'));
}
