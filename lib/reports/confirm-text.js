// Renders settled experiments for people: verdict, ratio, which parts of the measurement are not the user's own, both arms
// in numbers, the server's counters, what it holds for, warnings.

import { printable } from '../shared/printable.js';
import { formatBytes, formatCount, formatMilliseconds } from '../shared/units.js';
import { createColors } from './colors.js';
import { isPattern } from './confirm-json.js';
import { planLines } from './confirm-plan.js';
import { displayWidth, wrap } from './display-width.js';
import { countOf, describeSubject } from './report.js';

/** @import { ArmSummary, Crowd, Experiment, Noise, Word } from '../measure/experiments/experiment.js' */
/** @import { Finding } from '../engine/findings/finding.js' */
/** @import { Colors } from './colors.js' */
/** @import { Confirmation } from './confirm-json.js' */

/** @typedef {{colors: Colors, width: number}} Page */

/** So many findings of one experiment are named; all are in the JSON. */
const MAX_FINDINGS = 5;
/** Counters that differ by so many times show a mechanism. */
const MARKED = 1.5;

/** What the embedded server is not, and what is. */
const EMBEDDED =
  "measured on the embedded server (PouchDB); for CouchDB's own figures: npx --no-install couch-advisor confirm --docker";

/** How verdicts are painted. @type {Record<Word, (colors: Colors) => (text: string) => string>} */
export const PAINTS = {
  confirmed: (colors) => colors.green,
  refuted: (colors) => colors.red,
  'no practical difference': (colors) => colors.yellow,
  inconclusive: (colors) => colors.yellow,
  'not measurable here': (colors) => colors.dim,
};

/** What is behind the head of a report in the text of a line; its continuation is aligned. */
const HEAD = /^(\w+: +)(.*)$/;
/** A name up to here is a column of its own. */
const WIDE = 20;

/**
 * @param {Confirmation} confirmation
 * @param {{color?: boolean, width?: number}} [options] `width`: columns; a longer word has a line of its own
 * @returns {string}
 */
export function renderConfirmText(confirmation, { color = false, width = 80 } = {}) {
  const page = { colors: createColors(color), width };
  const { settled, environment, noise, file, findings } = confirmation;
  const settles = new Set(settled.flatMap(({ experiment }) => experiment.findings ?? []));
  const found = findings.filter((finding) => settles.has(finding.key));
  const heads = [...environment, ...noiseLines(noise)].flatMap((line) => {
    const [, head = '', text = line] = HEAD.exec(line) ?? [];
    return hang(head, text, width);
  });
  const ends = [summary(confirmation), ...(file === undefined ? [] : [`all rounds are in ${file}`])];
  const isEmbedded = settled.some(({ verdict }) => verdict.server.startsWith('embedded'));
  if (isEmbedded) ends.push(EMBEDDED);
  const blocks = [
    [
      confirmation.heading
        ? printable(confirmation.heading)
        : `${countOf(settled.length, 'experiment')} for ${found.length} of ${countOf(findings.length, 'finding')}`,
      ...heads,
    ],
    ...settled.map((one) => experimentLines(one, confirmation, page)),
    ends.flatMap((line) => hang('', line, width)),
  ];
  return blocks.map((block) => `${block.join('\n')}\n`).join('\n');
}

/**
 * @param {string} head what the first line begins with
 * @param {string} text not yet printable
 * @param {number} width
 * @param {number} [indent] of the other lines; that of the text in the first one where absent
 * @returns {string[]}
 */
function hang(head, text, width, indent = displayWidth(head)) {
  const [first = '', ...rest] = wrap(printable(text), width - Math.max(indent, displayWidth(head)));
  return [`${head}${first}`, ...rest.map((line) => `${' '.repeat(indent)}${line}`)];
}

/**
 * @param {Confirmation['settled'][number]} settled
 * @param {Confirmation} confirmation
 * @param {Page} page
 * @returns {string[]}
 */
function experimentLines({ experiment, verdict, result }, { findings }, page) {
  const { width, colors } = page;
  const own = new Set(experiment.findings);
  const about = findings.filter((finding) => own.has(finding.key));
  const elsewhere = isPattern(experiment) && about.length > 0 ? 'generic pattern: ' : '';
  const texts = [experiment.question, verdict.reason, ...planLines({ experiment, verdict, result })];
  for (const note of experiment.notes ?? []) texts.push(`data: ${note}`);
  for (const { part, text } of experiment.assumed ?? []) texts.push(`assumed ${part}: ${text}`);
  texts.push(...neededLines(verdict));
  if (verdict.word === 'inconclusive') texts.push(...timelessLines(result?.arms ?? []));
  const behind = [...crowdLines(result?.crowd ?? null)];
  for (const finding of about.slice(0, MAX_FINDINGS)) behind.push(`finding: ${nameOf(finding)}`);
  if (about.length > MAX_FINDINGS) behind.push(`and ${countOf(about.length - MAX_FINDINGS, 'more finding')}`);
  if (verdict.rounds > 0) behind.push(`holds for ${verdict.server}`);
  const indented = (/** @type {string} */ text) => hang('  ', text, width, 4);
  return [
    ...titleLines(experiment.id, { ...verdict, text: `${elsewhere}${verdict.word}${ratioOf(verdict)}` }, page),
    ...texts.flatMap(indented),
    ...armLines(result?.arms ?? [], experiment, result?.documents ?? 0, width),
    ...behind.flatMap(indented),
    ...(result?.warnings ?? []).flatMap(({ code, message }) => {
      const [first = '', ...rest] = indented(`warning ${code}: ${message}`);
      return [first.replace('warning', colors.yellow('warning')), ...rest];
    }),
  ];
}

/**
 * @param {string} id
 * @param {{word: Word, text: string}} verdict
 * @param {Page} page
 * @returns {string[]} one line where there is room
 */
function titleLines(id, { word, text }, { colors, width }) {
  const name = printable(id);
  const painted = (/** @type {string} */ line) => line.replace(word, PAINTS[word](colors)(word));
  if (displayWidth(`${name}  ${text}`) <= width) return [`${colors.bold(name)}  ${painted(text)}`];
  const [first = '', ...rest] = hang('  ', text, width, 4);
  return [...wrap(name, width).map((line) => colors.bold(line)), painted(first), ...rest];
}

/**
 * @param {Noise | null} noise
 * @returns {string[]}
 */
function noiseLines(noise) {
  if (noise === null) return ['noise:   not measured'];
  const pairs = countOf(noise.pairs, 'pair');
  if (noise.ratio === null) return [`noise:   not measured: too few rounds of identical arms (${pairs})`];
  return [`noise:   identical arms differed by less than ${percent(noise.ratio - 1)} (${pairs})`];
}

/**
 * @param {Confirmation['settled'][number]['verdict']} verdict
 * @returns {string[]} what would settle it
 */
function neededLines({ neededRounds, neededOptions, rounds }) {
  if (neededRounds === null || rounds === 0) return [];
  const options = neededOptions.length > 0 ? `: ${neededOptions.join(' ')}` : '';
  return [`about ${countOf(neededRounds, 'pair')} of rounds would give a clear result${options}`];
}

/**
 * @param {Confirmation['settled'][number]['verdict']} verdict
 * @returns {string} `: 1.60 times faster (1.37 to 1.83, 8 pairs)`
 */
export function ratioOf({ ratio, interval, confidence, rounds }) {
  if (ratio === null) return '';
  const isFaster = ratio >= 1;
  const ends = (interval ?? []).map((end) => (isFaster ? end : 1 / end)).sort((one, other) => one - other);
  // Of too few pairs there is no interval.
  const sure = ends.length === 0 ? '' : `${ends.map(times).join(' to ')} at ${percent(confidence)}, `;
  const span = `${sure}${countOf(rounds, 'pair')}`;
  return `: ${times(isFaster ? ratio : 1 / ratio)} times ${isFaster ? 'faster' : 'slower'} (${span})`;
}

/**
 * @param {ArmSummary[]} arms
 * @returns {string[]} what differs however busy the machine is: counters of the server, sizes
 */
function timelessLines([asIs, advised]) {
  if (!asIs || !advised) return [];
  const figures = (/** @type {ArmSummary} */ arm) => ({ ...arm.counters, ...arm.sizes });
  const [before, after] = [figures(asIs), figures(advised)];
  const changes = Object.entries(before).flatMap(([name, was]) => {
    const is = after[name] ?? was;
    if (Math.max(was, is) < 1 || (was < is * MARKED && is < was * MARKED)) return [];
    const show = (/** @type {number} */ number) =>
      name in asIs.sizes ? formatBytes(Math.round(number)) : short(number);
    return [`${name.split('.').at(-1)} ${show(was)} vs ${show(is)}`];
  });
  return changes.length > 0 ? [`but independent of time: ${changes.join(', ')}`] : [];
}

/**
 * @param {Crowd | null} crowd
 * @returns {string[]}
 */
function crowdLines(crowd) {
  if (!crowd || crowd.ratio === null) return [];
  const { connections, logRatios, ratio } = crowd;
  const speed = `${times(ratio >= 1 ? ratio : 1 / ratio)} times ${ratio >= 1 ? 'faster' : 'slower'}`;
  return [`with ${connections} connections: ${speed} (${countOf(logRatios.length, 'pair')}, not judged)`];
}

/**
 * @param {ArmSummary[]} arms
 * @param {Experiment} experiment
 * @param {number} documents
 * @param {number} columns
 * @returns {string[]}
 */
function armLines(arms, experiment, documents, columns) {
  const width = Math.max(0, ...arms.map(({ arm }) => arm.length));
  const measures = new Map(experiment.arms.map(({ id, measure }) => [id, measure]));
  return arms.flatMap(({ arm, about, ms, perSecond, latencyMs, counters, sizes, buildMs }) => {
    const figures = [];
    if (ms !== null && perSecond !== null) {
      const measure = measures.get(arm);
      if (measure === 'load') figures.push(`${rate(perSecond)} documents/s`);
      else if (measure === 'build')
        figures.push(`${formatMilliseconds(ms)} per build, ${rate(perSecond * documents)} documents/s`);
      else figures.push(`${formatMilliseconds(ms)} each, ${rate(perSecond)}/s`);
    }
    if (latencyMs) figures.push(`p50 ${formatMilliseconds(latencyMs.p50)}, p95 ${formatMilliseconds(latencyMs.p95)}`);
    if (buildMs)
      figures.push(`build ${formatMilliseconds(buildMs)} (${rate((documents * 1000) / buildMs)} documents/s)`);
    figures.push(...Object.entries(sizes).map(([name, bytes]) => `${name} ${formatBytes(Math.round(bytes))}`));
    figures.push(...Object.entries(counters).map(([name, value]) => `${name.split('.').at(-1)} ${short(value)}`));
    return hang(`  ${arm.padEnd(width)}  `, `${about}: ${figures.join(', ')}`, columns, Math.min(width, WIDE) + 4);
  });
}

/**
 * @param {Confirmation} confirmation
 * @returns {string} `2 confirmed, 1 not measurable here`
 */
function summary({ settled }) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { experiment, verdict } of settled) {
    const ofPattern = isPattern(experiment) && (experiment.findings ?? []).length > 0 ? ' (generic pattern)' : '';
    const word = `${verdict.word}${ofPattern}`;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const parts = [...counts].map(([word, count]) => `${count} ${word}`);
  return parts.length > 0 ? parts.join(', ') : 'none of the findings can be measured';
}

/** @param {Finding} finding */
function nameOf({ place, subject }) {
  return `${place.file}:${place.line}:${place.column} ${describeSubject(subject)}`;
}

/** @param {number} number */
function times(number) {
  return number >= 100 ? String(Math.round(number)) : number.toFixed(number >= 10 ? 1 : 2);
}

/** @param {number} share */
function percent(share) {
  return `${Number((share * 100).toPrecision(3))} %`;
}

/** @param {number} number */
function rate(number) {
  return number >= 100 ? formatCount(Math.round(number)) : String(Number(number.toPrecision(3)));
}

/** @param {number} number */
function short(number) {
  return number >= 10 ? String(Math.round(number)) : String(Number(number.toFixed(2)));
}
