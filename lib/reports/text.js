// Renders the report for people at a terminal: each finding with its source underlined, what is wrong, why, and what to
// do.

import { samePlaces } from '../engine/findings/finding.js';
import { costliest } from '../engine/findings/order.js';
import { firstAddress } from '../shared/page-address.js';
import { printable } from '../shared/printable.js';
import { countOf, formatCount, formatShare } from '../shared/units.js';
import { renderFrame } from './code-frame.js';
import { createColors } from './colors.js';
import { wrap } from './display-width.js';
import {
  describeCost,
  describeSubject,
  describeTarget,
  describeUnknown,
  describeVerdict,
  describeWanted,
  MAX_PLACES,
  summarize,
} from './report.js';

/** @import { BelowThreshold } from '../engine/below-threshold.js' */
/** @import { UnseenReceiver } from '../sources/application/unseen.js' */
/** @import { Finding, Severity } from '../engine/findings/finding.js' */
/** @import { Place } from '../shared/source-file.js' */
/** @import { Colors, Paint, Style } from './colors.js' */
/** @import { OpenQuestion, RenderOptions, Report, RuleSummary, UnreadSource } from './report.js' */

/**
 * @typedef {object} Context
 * @property {Report} report
 * @property {Colors} colors
 * @property {number} width
 * @property {boolean} verbose
 * @property {Map<string, RuleSummary>} rules by id
 * @property {Map<string, string>} printed sentences of the findings so far by outcome, with the place of the finding that has them
 */

/** Longer lines are hard to read, however wide the terminal is. */
const GREATEST_WIDTH = 100;
const MIN_WIDTH = 40;

const LABEL_WIDTH = 8;

/** So many unknown receivers are listed. */
const MAX_UNSEEN = 20;

/** So many findings are ranked by what they cost. */
const MAX_RANKED = 5;

/** @type {Record<Severity, {style: Style, sign: string}>} */
const LOOKS = {
  error: { style: 'red', sign: '×' },
  warning: { style: 'yellow', sign: '!' },
  info: { style: 'blue', sign: 'i' },
};

/**
 * @param {Report} report
 * @param {RenderOptions} [options] without a width, lines are as long as they may get
 * @returns {string} ending in a line feed, or empty if `quiet` has nothing to show; no control character of the input is in it
 */
export function renderText(report, { color = false, width = GREATEST_WIDTH, verbose = false, quiet = false } = {}) {
  /** @type {Context} */
  const context = {
    report,
    colors: createColors(color),
    width: Math.max(MIN_WIDTH, Math.min(width, GREATEST_WIDTH)),
    verbose,
    rules: new Map(report.rules.map((rule) => [rule.id, rule])),
    printed: new Map(),
  };
  const blocks = [
    ...report.findings.map((finding) => renderFinding(finding, context)),
    ...report.errors.map((error) => renderError(error, context)),
  ];
  if (verbose && report.cannotTell.length > 0) blocks.push(renderOpenQuestions(report.cannotTell, context));
  if (verbose && report.below && report.below.length > 0) blocks.push(renderBelow(report.below, context));
  if (verbose && report.unseen && report.unseen.length > 0) blocks.push(renderUnseen(report.unseen, context));
  const ranking = renderRanking(context);
  if (ranking.length > 0) blocks.push(ranking);
  if (!quiet) blocks.push(renderSummary(context));
  return blocks.length === 0 ? '' : `${blocks.map((lines) => lines.join('\n').trimEnd()).join('\n\n')}\n`;
}

/**
 * @param {Finding} finding
 * @param {Context} context
 * @returns {string[]}
 */
function renderFinding(finding, context) {
  const { colors, rules, verbose } = context;
  const { style, sign } = LOOKS[finding.severity];
  const code = printable(`${finding.rule}#${finding.outcome}`);
  const [why, help] = [
    withPointer('why', finding.why, finding, context),
    withPointer('help', finding.advice, finding, context),
  ];
  const doubt = finding.certainty === 'low' ? colors.dim(' (low certainty)') : '';
  const lines = [
    `${showPlace(finding.place, colors)} ${colors[style](finding.severity)} ${colors.dim(code)}${doubt}`,
    ...renderMessage(finding.message, sign, colors[style], context),
    ...frameOf(finding.place, colors[style], context),
    ...(finding.verdict ? labelled('measured', describeVerdict(finding.verdict), colors.cyan, context) : []),
    ...labelled('why', why.text, colors.cyan, context),
    // One pointer is enough.
    ...labelled('help', why.isShort ? help.rest : help.text, colors.green, context),
  ];
  if (finding.cost) lines.push(...labelled('cost', describeCost(finding.cost), colors.cyan, context));
  if (finding.pattern) {
    lines.push(...labelled('pattern', `measured elsewhere, ${describeVerdict(finding.pattern)}`, colors.cyan, context));
  }
  const same = samePlaces(finding);
  for (const item of finding.related) {
    if (item.key === undefined) lines.push(...labelled('because', showEvidence(item), colors.cyan, context));
  }
  for (const item of verbose ? same : same.slice(0, MAX_PLACES)) {
    lines.push(...labelled('also', showRelated(item), colors.cyan, context));
    if (verbose) lines.push(...labelled('key', item.key, colors.dim, context));
  }
  const rest = verbose ? 0 : same.length - MAX_PLACES;
  if (rest > 0)
    lines.push(...labelled('also', `${countOf(rest, 'more place')}; --verbose lists them`, colors.cyan, context));
  if (finding.fix) {
    const how = finding.fix.safe ? 'safe, run with --fix' : 'may change results, run with --fix-unsafe';
    const title = unprinted('fix', finding.fix.title, finding, context);
    lines.push(...labelled('fix', title === '' ? how : `${title} (${how})`, colors.green, context));
  }
  const { page = '', docs = firstAddress(finding.sources) ?? '' } = rules.get(finding.rule) ?? {};
  lines.push(...labelled('rule', unprinted('rule', page, finding, context), colors.dim, context));
  lines.push(...labelled('docs', unprinted('docs', docs, finding, context), colors.dim, context));
  if (verbose) lines.push(...labelled('key', finding.key, colors.dim, context));
  return lines;
}

/**
 * @param {string} label
 * @param {string} text
 * @param {Finding} finding
 * @param {Context} context
 * @returns {{rest: string, text: string, isShort: boolean}} `rest`: without the sentences that an earlier finding of the same outcome has under this
 *   label, with `verbose` the whole text; `text`: that, and the place where the others stand
 */
function withPointer(label, text, { rule, outcome, place }, { printed, verbose }) {
  if (verbose) return { rest: text, text, isShort: false };
  // A period between backticks ends no sentence.
  const sentences = text.match(/(?:`[^`]*`|.)+?(?:[.!?](?= )|$)/gs) ?? [];
  const keyOf = (/** @type {string} */ sentence) => `${rule}#${outcome} ${label} ${sentence.trim()}`;
  const left = sentences.filter((sentence) => !printed.has(keyOf(sentence)));
  const first = printed.get(keyOf(sentences.find((sentence) => !left.includes(sentence)) ?? ''));
  for (const sentence of left) printed.set(keyOf(sentence), `${place.file}:${place.line}:${place.column}`);
  const rest = left.join('').trim();
  if (first === undefined) return { rest, text: rest, isShort: false };
  return {
    rest,
    text: rest === '' ? `see ${first} (or --verbose)` : `${rest} For the rest see ${first}.`,
    isShort: true,
  };
}

/**
 * @param {string} label
 * @param {string} text
 * @param {Finding} finding
 * @param {Context} context
 * @returns {string} without what an earlier finding of the same outcome has under this label
 */
const unprinted = (label, text, finding, context) => withPointer(label, text, finding, context).rest;

/**
 * @param {Finding['related'][number]} evidence
 * @returns {string} `CORS is enabled here (local.ini:7:1)`; the place alone where there are no words for it
 */
function showEvidence({ place: { file, line, column }, message }) {
  const place = `${file}:${line}:${column}`;
  return message === '' ? place : `${message} (${place})`;
}

/**
 * @param {Finding['related'][number]} related
 * @returns {string}
 */
function showRelated({ place: { file, line, column }, message }) {
  return `${file}:${line}:${column} ${message}`;
}

/**
 * @param {Context} context
 * @returns {string[]} what costs most in the logs; none where it is known of fewer than two findings
 */
function renderRanking({ report, colors }) {
  const ranked = costliest(report.findings, report.rules);
  if (ranked.length < 2) return [];
  const rows = ranked.slice(0, MAX_RANKED).map(({ finding: { rule, outcome, place }, share }) => {
    const code = printable(`${rule}#${outcome}`);
    return `${formatShare(share).padStart(7)}  ${code} ${colors.dim(printable(`${place.file}:${place.line}`))}`;
  });
  const rest = ranked.length - rows.length;
  return [colors.bold('Costliest in the logs:'), ...rows, ...(rest > 0 ? [`${' '.repeat(7)}  and ${rest} more`] : [])];
}

/**
 * @param {UnreadSource} error
 * @param {Context} context
 * @returns {string[]}
 */
function renderError(error, context) {
  const { colors } = context;
  const { style, sign } = LOOKS.error;
  const where = error.place ? `${showPlace(error.place, colors)} ` : '';
  return [
    `${where}${colors[style]('unreadable')} ${colors.dim(printable(error.code))}`,
    ...renderMessage(error.message, sign, colors[style], context),
    ...(error.place ? frameOf(error.place, colors[style], context) : []),
    ...(error.hint ? labelled('help', error.hint, colors.green, context) : []),
  ];
}

/**
 * @param {OpenQuestion[]} questions
 * @param {Context} context
 * @returns {string[]}
 */
function renderOpenQuestions(questions, { colors, width }) {
  const lines = [colors.bold('Open questions:')];
  for (const { rule, subject, fact, words, reason } of questions) {
    lines.push(`  ${printable(describeSubject(subject))} ${colors.dim(printable(rule))}`);
    lines.push(...wrap(printable(`${words ?? fact}: ${reason}`), width - 4).map((line) => `    ${line}`));
  }
  return lines;
}

/**
 * @param {UnseenReceiver[]} unseen
 * @param {Context} context
 * @returns {string[]} by receiver, with what would settle it
 */
function renderUnseen(unseen, { colors, width }) {
  const lines = [colors.bold('Calls whose client is unknown:')];
  for (const { receiver, reason, place, calls } of unseen.slice(0, MAX_UNSEEN)) {
    const shown = calls.slice(0, MAX_PLACES).map((call) => `${call.name} (${call.place.file}:${call.place.line})`);
    const rest = calls.length > shown.length ? `, and ${formatCount(calls.length - shown.length)} more` : '';
    lines.push(
      `  ${printable(`\`${receiver}\``)} ${colors.dim(printable(`${place.file}:${place.line}:${place.column}`))}`,
    );
    lines.push(...wrap(printable(`${reason}: ${shown.join(', ')}${rest}`), width - 4).map((line) => `    ${line}`));
  }
  if (unseen.length > MAX_UNSEEN) lines.push(`  and ${countOf(unseen.length - MAX_UNSEEN, 'more receiver')}`);
  const [first] = unseen;
  const entry = `"clients": { ${JSON.stringify(first?.receiver ?? '')}: "nano" }`;
  const help = `If one is a client, add it to the configuration: ${entry}; or put \`// couch-advisor-client nano\` at the line that defines it.`;
  lines.push(...wrap(printable(help), width - 2).map((line) => `  ${line}`));
  return lines;
}

/**
 * @param {BelowThreshold[]} below
 * @param {Context} context
 * @returns {string[]}
 */
function renderBelow(below, { colors, width }) {
  const lines = below.flatMap((one) =>
    wrap(printable(describeBelow(one)), width - 4).map((line, at) => `${at === 0 ? '  ' : '    '}${line}`),
  );
  return [colors.bold('Queries close to a threshold:'), ...lines];
}

/**
 * @param {BelowThreshold} below
 * @returns {string} raw
 */
function describeBelow({ rule, subject, requests, fact, value, words, reportedAt }) {
  const what = words ?? `${fact} is ${formatCount(value)}`;
  return `\`${subject.name}\` (${countOf(requests, 'request')}): ${what}; ${rule} reports ${reportedAt}`;
}

/**
 * @param {Context} context
 * @returns {string[]}
 */
function renderSummary({ report, colors, width, verbose }) {
  const { findings, errors, cannotTell } = report;
  const worst = ['error', 'warning', 'info'].find((severity) => findings.some((item) => item.severity === severity));
  const isClean = findings.length === 0 && errors.length === 0;
  const paint = isClean
    ? colors.green
    : worst === 'info'
      ? colors.blue
      : worst === 'warning'
        ? colors.yellow
        : colors.red;
  const lines = wrap(summarize(report), width).map((line) => colors.bold(paint(line)));
  if (report.target.source !== undefined) {
    const text = `for ${describeTarget(report.target)}`;
    lines.push(...wrap(printable(text), width).map((line) => colors.dim(line)));
  }
  const [nearest] = report.below ?? [];
  if (nearest && !verbose && !findings.some(({ cost }) => cost)) {
    const text = `closest to a threshold: ${describeBelow(nearest)}`;
    lines.push(...wrap(printable(text), width).map((line) => colors.dim(line)));
  }
  const unknown = describeUnknown(report.read);
  if (unknown !== '') {
    const text = `${unknown}${report.read.unseen && !verbose ? ' (--verbose lists them)' : ''}`;
    lines.push(...wrap(text, width).map((line) => colors.dim(line)));
  }
  if (cannotTell.length > 0 && !verbose) {
    const checks = countOf(cannotTell.length, 'check');
    const text = [`${checks} lacked input; --verbose lists them`, ...describeWanted(report.wanted)].join('; ');
    lines.push(...wrap(text, width).map((line) => colors.dim(line)));
  }
  return lines;
}

/**
 * @param {string} message
 * @param {string} sign
 * @param {Paint} paint
 * @param {Context} context
 * @returns {string[]}
 */
function renderMessage(message, sign, paint, { colors, width }) {
  const [first = '', ...rest] = wrap(printable(message), width - 4);
  return [`  ${paint(sign)} ${colors.bold(first)}`, ...rest.map((line) => `    ${colors.bold(line)}`)];
}

/**
 * @param {Place} place
 * @param {Paint} mark
 * @param {Context} context
 * @returns {string[]} with a blank line around it
 */
function frameOf(place, mark, { report, colors, width }) {
  const file = report.sources.get(place.file);
  const frame = file ? renderFrame(file, place, { width: width - 2, colors, mark }) : [];
  return frame.length > 0 ? ['', ...frame.map((line) => `  ${line}`), ''] : [];
}

/**
 * @param {string} label
 * @param {string} text
 * @param {Paint} paint
 * @param {Context} context
 * @returns {string[]} none for an empty text
 */
function labelled(label, text, paint, { width }) {
  if (text === '') return [];
  // A long label stands out to the right, and what follows below the others.
  const headWidth = Math.max(LABEL_WIDTH, label.length + 4);
  const [first, ...rest] = wrap(printable(text), width - headWidth);
  const head = `  ${paint(`${label}:`)}${' '.repeat(headWidth - label.length - 3)}`;
  return [`${head}${first}`, ...rest.map((line) => `${' '.repeat(LABEL_WIDTH)}${line}`)];
}

/**
 * @param {Place} place
 * @param {Colors} colors
 * @returns {string} with `./` before a path that a CI runner would take for a command
 */
function showPlace({ file, line, column }, colors) {
  const path = printable(/^\s*(::|##\[)/.test(file) ? `./${file}` : file);
  return `${colors.bold(path)}:${line}:${column}`;
}
