// Builds the document of settled experiments: verdict, ratio, which parts of the measurement are not the user's own, both arms in numbers, the server's
// counters, what it holds for, warnings; of several images of CouchDB all verdicts side by side.

import { countOf, formatBytes, formatCount, formatMilliseconds } from '../shared/units.js';
import { compareImages, isPattern } from './confirm-json.js';
import { planFacts } from './confirm-plan.js';
import { code, facts, NONE, notes, numbers, pageSection, paragraph, section, span, table } from './document/blocks.js';
import { describeSubject } from './report.js';

/** @import { ArmSummary, Crowd, Experiment, Noise, Word } from '../measure/experiments/experiment.js' */
/** @import { Finding } from '../engine/findings/finding.js' */
/** @import { Confirmation, ImageOutcome } from './confirm-json.js' */
/** @import { Document, Fact, Inline, Optional, Style } from './document/blocks.js' */

/** So many findings of one experiment are named; all are in the JSON. */
const MAX_FINDINGS = 5;
/** Counters that differ by so many times show a mechanism. */
const MARKED = 1.5;

/** What the embedded server is not, and what is. */
const EMBEDDED =
  "measured on the embedded server (PouchDB); for CouchDB's own figures: npx --no-install couch-advisor confirm --docker";

/** @type {Record<Word, Style>} */
const STYLES = {
  confirmed: 'good',
  refuted: 'bad',
  'no practical difference': 'warning',
  inconclusive: 'warning',
  'not measurable here': 'muted',
};

/**
 * @param {ImageOutcome[]} images at least one
 * @returns {Document}
 */
export function confirmDocument(images) {
  const title = 'couch-advisor: what was confirmed';
  const [only] = images;
  if (images.length === 1 && only?.confirmation) return { title, ...partsOfServer(only.confirmation) };
  return {
    title,
    blocks: [
      ...images.map(({ name, confirmation, failure }) => {
        if (!confirmation)
          return section(
            [span(name, 'strong')],
            paragraph(`not measured: ${failure?.message ?? 'nothing was measured'}`),
          );
        const parts = partsOfServer(confirmation);
        return section([span(name, 'strong')], paragraph(parts.lead), facts(parts.facts), ...parts.blocks);
      }),
      section(
        'Side by side',
        table({
          columns: ['experiment', 'image', 'verdict'],
          rows: compareImages(images).flatMap(({ id, verdicts }) =>
            verdicts.map(({ image, verdict }) => [
              code(id),
              image,
              // Without what the report of the image has besides.
              verdict ? wordOf(verdict, ratioOf(verdict).replace(/[\d.]+ % interval /, '')) : 'not measured',
            ]),
          ),
        }),
      ),
    ],
  };
}

/**
 * @param {Confirmation} confirmation
 * @returns {{lead: Inline, facts: Fact[], blocks: Optional[]}}
 */
function partsOfServer(confirmation) {
  const { settled, environment, noise, file, findings, heading } = confirmation;
  const settles = new Set(settled.flatMap(({ experiment }) => experiment.findings ?? []));
  const found = findings.filter((finding) => settles.has(finding.key));
  const isEmbedded = settled.some(({ verdict }) => verdict.server.startsWith('embedded'));
  return {
    lead:
      heading ??
      `${countOf(settled.length, 'experiment')} for ${found.length} of ${countOf(findings.length, 'finding')}`,
    facts: [...environment, { name: 'noise', value: describeNoise(noise) }],
    blocks: [
      ...settled.map((one) => experimentSection(one, confirmation)),
      paragraph([
        span(summary(confirmation), 'strong'),
        ...(file === undefined ? [] : ['; all rounds are in ', code(file)]),
      ]),
      pageSection('Summary', summaryTable(confirmation)),
      isEmbedded && notes([EMBEDDED]),
    ],
  };
}

/** @param {Confirmation} confirmation @returns {Optional} a row for each experiment, which spreadsheets take */
function summaryTable({ settled }) {
  const figures = numbers('times faster', 'from', 'to', 'level', 'pairs').map((column) => ({ ...column, unit: '' }));
  const cell = (/** @type {number | null | undefined} */ value, show = times) =>
    value == null ? NONE : { shown: show(value), sort: value };
  return table({
    columns: ['experiment', 'verdict', ...figures],
    rows: settled.map(({ experiment, verdict: { word, ratio, interval, confidence, rounds } }) => [
      code(experiment.id),
      span(word, STYLES[word]),
      cell(ratio),
      cell(interval?.[0]),
      cell(interval?.[1]),
      cell(interval && confidence, percent),
      cell(rounds, String),
    ]),
  });
}

/**
 * @param {Confirmation['settled'][number]} settled
 * @param {Confirmation} confirmation
 * @returns {Optional}
 */
function experimentSection({ experiment, verdict, result }, { findings }) {
  const own = new Set(experiment.findings);
  const about = findings.filter((finding) => own.has(finding.key));
  const isElsewhere = isPattern(experiment) && about.length > 0 && verdict.word !== 'not measurable here';
  const elsewhere = isElsewhere ? 'the pattern, measured elsewhere: ' : '';
  const arms = result?.arms ?? [];
  return section(
    [span(experiment.id, 'strong')],
    paragraph([elsewhere, ...wordOf(verdict, ratioOf(verdict))]),
    facts([
      { name: 'question', value: experiment.question },
      { name: 'because', value: verdict.reason },
      ...planFacts({ experiment, verdict, result }),
      ...(experiment.notes ?? []).map((value) => ({ name: 'data', value })),
      ...(experiment.assumed ?? []).map(({ part, text }) => ({ name: 'assumed', value: `${part}: ${text}` })),
      ...needed(verdict),
      ...(verdict.word === 'inconclusive' ? timeless(arms) : []),
      ...armFacts(arms, experiment, result?.documents ?? 0),
      ...crowdFacts(result?.crowd ?? null),
      ...about.slice(0, MAX_FINDINGS).map((finding) => ({ name: 'finding', value: code(nameOf(finding)) })),
      ...(about.length > MAX_FINDINGS
        ? [{ name: 'and', value: countOf(about.length - MAX_FINDINGS, 'more finding') }]
        : []),
      ...(verdict.rounds > 0 ? [{ name: 'holds for', value: verdict.server }] : []),
    ]),
    notes(
      (result?.warnings ?? []).map(({ code: name, message }) => `${message} (\`${name}\`)`),
      'warning',
    ),
  );
}

/** @param {{word: Word}} verdict @param {string} ratio @returns {(string | import('./document/blocks.js').Span)[]} */
function wordOf({ word }, ratio) {
  return [span(word, STYLES[word]), ratio];
}

/** @param {Noise | null} noise @returns {string} */
function describeNoise(noise) {
  if (noise === null) return 'not measured';
  const pairs = countOf(noise.pairs, 'pair');
  if (noise.ratio === null) return `not measured: too few pairs of rounds (${pairs})`;
  return `${percent(noise.ratio - 1)} (${pairs} of the same request); smaller differences are noise`;
}

/**
 * @param {Confirmation['settled'][number]['verdict']} verdict
 * @returns {Fact[]} what would settle it
 */
function needed({ neededRounds, neededOptions, rounds }) {
  if (neededRounds === null || rounds === 0) return [];
  const options = neededOptions.length > 0 ? `: ${neededOptions.join(' ')}` : '';
  return [{ name: 'to settle it', value: `about ${countOf(neededRounds, 'pair')} of rounds${options}` }];
}

/**
 * @param {Confirmation['settled'][number]['verdict']} verdict
 * @returns {string} `: advised was 1.60 times faster, 96.1 % interval 1.37 to 1.83 (8 pairs)`
 */
function ratioOf({ ratio, interval, confidence, rounds }) {
  if (ratio === null) return '';
  const isFaster = ratio >= 1;
  const ends = (interval ?? []).map((end) => (isFaster ? end : 1 / end)).sort((one, other) => one - other);
  // Of too few pairs there is no interval.
  const sure = ends.length === 0 ? '' : `, ${percent(confidence)} interval ${ends.map(times).join(' to ')}`;
  const speed = `${times(isFaster ? ratio : 1 / ratio)} times ${isFaster ? 'faster' : 'slower'}`;
  return `: advised was ${speed}${sure} (${countOf(rounds, 'pair')})`;
}

/**
 * @param {ArmSummary[]} arms
 * @returns {Fact[]} what differs however busy the machine is: counters of the server, sizes
 */
function timeless([asIs, advised]) {
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
  return changes.length > 0 ? [{ name: 'server counters', value: changes.join(', ') }] : [];
}

/**
 * @param {Crowd | null} crowd
 * @returns {Fact[]}
 */
function crowdFacts(crowd) {
  if (!crowd || crowd.ratio === null) return [];
  const { connections, logRatios, ratio } = crowd;
  const speed = `${times(ratio >= 1 ? ratio : 1 / ratio)} times ${ratio >= 1 ? 'faster' : 'slower'}`;
  return [{ name: `${connections} connections`, value: `${speed} (${countOf(logRatios.length, 'pair')}, not judged)` }];
}

/**
 * @param {ArmSummary[]} arms
 * @param {Experiment} experiment
 * @param {number} documents
 * @returns {Fact[]}
 */
function armFacts(arms, experiment, documents) {
  const measures = new Map(experiment.arms.map(({ id, measure }) => [id, measure]));
  return arms.map(({ arm, about, ms, perSecond, latencyMs, counters, sizes, buildMs }) => {
    const figures = [];
    if (ms !== null && perSecond !== null) {
      const measure = measures.get(arm);
      if (measure === 'load') figures.push(`${rate(perSecond)} documents/s`);
      else if (measure === 'build')
        figures.push(`${formatMilliseconds(ms)} per build, ${rate(perSecond * documents)} documents/s`);
      else if (measure === 'replicate') figures.push(`${formatMilliseconds(ms)} per replication`);
      else figures.push(`${formatMilliseconds(ms)} each, ${rate(perSecond)}/s`);
    }
    if (latencyMs) figures.push(`p50 ${formatMilliseconds(latencyMs.p50)}, p95 ${formatMilliseconds(latencyMs.p95)}`);
    if (buildMs)
      figures.push(`build ${formatMilliseconds(buildMs)} (${rate((documents * 1000) / buildMs)} documents/s)`);
    figures.push(...Object.entries(sizes).map(([name, bytes]) => `${name} ${formatBytes(Math.round(bytes))}`));
    figures.push(...Object.entries(counters).map(([name, value]) => `${name.split('.').at(-1)} ${short(value)}`));
    return { name: arm, value: `${about}: ${figures.join(', ')}` };
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
    const ofPattern =
      isPattern(experiment) && (experiment.findings ?? []).length > 0 ? ' (the pattern, measured elsewhere)' : '';
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
