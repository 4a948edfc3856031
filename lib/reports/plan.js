// Builds the document of a plan of `advise`: saved time, sizes, what each step rests on. Unknown figures are called unknown.

import { joinWords } from '../shared/join-words.js';
import { wordQuery } from '../shared/query-name.js';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatMilliseconds,
  formatShare,
  threeDigits,
} from '../shared/units.js';
import {
  chart,
  code,
  codeBlock,
  details,
  facts,
  folded,
  link,
  list,
  notes,
  paragraph,
  section,
  sharedSection,
  table,
} from './document/blocks.js';
import { describeOthers, otherFindings } from './plan-others.js';
import { countOf } from './report.js';

/** @import { Document, Fact, Inline, Optional } from './document/blocks.js' */
/** @import { Plan, PlanStep, Reads, StepCost, StepQuery } from '../advise/plan.js' */

const UNKNOWN = 'unknown';
const NO_CHANGE = 'no change';

/** Below this the milliseconds of a day are shown with fractions of a second. */
const MANY_MS = 90_000;

/** So many steps have a bar: of a longer plan the first ones save nearly all. */
const MAX_BARS = 12;
/** So many candidates that are not in the plan are listed; all are in the JSON. */
const MAX_REJECTED = 5;
/** Units of an axis, the largest first, by what one of them is. @type {Record<'time' | 'disk', [string, number][]>} */
const UNITS = {
  time: [
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1000],
    ['ms', 1],
  ],
  disk: [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1000],
  ],
};

/**
 * @param {Plan} plan
 * @returns {Document}
 */
export function planDocument(plan) {
  const { steps, rejected, cheapest, notes: remarks } = plan;
  const rest = rejected.length - MAX_REJECTED;
  return {
    title: 'couch-advisor plan',
    lead: summarizePlan(plan),
    facts: factsOfPlan(plan),
    blocks: [
      sharedSection('Steps', stepTable(steps), ...charts(steps.slice(0, MAX_BARS))),
      ...steps.map((step) => stepDetails(step, plan)),
      steps.length > 1 && section('All steps', facts(figuresOfTotal(plan))),
      otherFindings(plan),
      cheapest !== null && paragraph(`The cheapest useful change: ${cheapest}`),
      rejected.length > 0 &&
        section(
          'Not in the plan',
          list([
            ...rejected.slice(0, MAX_REJECTED).map(({ title, reason }) => `${title}: ${reason}`),
            ...(rest > 0 ? [`and ${rest} more; --format json lists them`] : []),
          ]),
        ),
      remarks.length > 0 && notes(remarks),
    ],
  };
}

/** @param {PlanStep[]} steps @returns {Optional} */
function stepTable(steps) {
  const names = ['saves', 'disk', 'writes', 'build'];
  return table({
    columns: [{ label: 'change' }, ...names.map((label) => ({ label }))],
    rows: steps.map((step) => [
      link(`${step.number}. ${step.title}`, `plan-${step.number}`),
      ...figuresOfStep(step).map(({ value }) => value),
    ]),
    noun: 'step',
  });
}

/** @param {PlanStep} step @param {Plan} plan @returns {Optional} */
function stepDetails(step, { queries }) {
  const { number, title, change, because, findings, files } = step;
  const placesOf = new Map(queries.map(({ id, places }) => [id, places]));
  const block = details(
    `${number}. ${title}`,
    facts([
      { name: 'database', value: change.database === null ? UNKNOWN : code(change.database) },
      ...(change.file === undefined ? [] : [{ name: 'defined in', value: code(change.file) }]),
      ...figuresOfStep(step),
      ...step.queries.flatMap((query) => {
        const places = placesOf.get(query.query) ?? [];
        /** @type {Inline} */
        const value = [
          code(nameQuery(query, queries)),
          `: ${describeQuery(query)}`,
          ...(places.length > 0 ? [', in ', code(places.join(', '))] : []),
        ];
        return [{ name: 'query', value }, ...query.mustChange.map((text) => ({ name: 'change', value: text }))];
      }),
      ...because.map((value) => ({ name: 'because', value })),
      ...findings.map((key) => ({ name: 'settles', value: code(key) })),
    ]),
    ...files.map(({ path, content }) => folded(['file: ', code(path)], codeBlock(content, languageOf(path)))),
  );
  return { ...block, anchor: `plan-${number}` };
}

/** @param {string} path @returns {string} */
function languageOf(path) {
  return path.endsWith('.json') ? 'json' : 'text';
}

/** @param {PlanStep[]} steps @returns {Optional[]} what each saves, and what it takes of the disk */
function charts(steps) {
  const bars = (
    /** @type {string} */ title,
    /** @type {string} */ label,
    /** @type {keyof typeof UNITS} */ kind,
    /** @type {(step: PlanStep) => number | null} */ take,
    /** @type {(value: number | null) => string} */ text,
  ) => {
    const { unit, scale } = axisOf(kind, steps.map(take));
    const rows = steps.map((step) => {
      const value = take(step);
      return {
        label: `step ${step.number}`,
        values: [{ value: value === null ? undefined : value / scale, text: text(value) }],
      };
    });
    return steps.some((step) => take(step) !== null) && chart('bars', { title, axis: { label, unit }, rows });
  };
  const timeText = (/** @type {number | null} */ ms) => (ms === null ? UNKNOWN : ms <= 0 ? 'none' : formatTime(ms));
  return [
    bars('Time that each step saves', 'request time a day', 'time', ({ savedMsPerDay }) => savedMsPerDay, timeText),
    bars(
      'Disk space that each step takes',
      'once built and compacted',
      'disk',
      ({ cost }) => cost.bytes,
      describeBytes,
    ),
  ];
}

/**
 * @param {keyof typeof UNITS} kind
 * @param {(number | null)[]} values
 * @returns {{unit: string, scale: number}} the largest unit that the longest bar reaches
 */
function axisOf(kind, values) {
  const longest = Math.max(0, ...values.map((value) => Math.abs(value ?? 0)));
  const units = UNITS[kind];
  const [unit, scale] = units.find(([, one]) => longest >= one) ?? units.at(-1) ?? ['', 1];
  return { unit, scale };
}

/**
 * @param {Plan} plan
 * @returns {string} one sentence
 */
export function summarizePlan({ steps, total, considered, cheapest, documents, others = [], workload }) {
  if (steps.length === 0) {
    const within = cheapest === null ? '' : ' within the budget';
    const reason = describeConsidered(considered, documents.sampled);
    return `No index or view change helps${within}: ${reason}. ${describeOthers(others, workload.hasTimes)}`;
  }
  const of = considered > steps.length ? ` (of ${formatCount(considered)} considered)` : '';
  const changes = `${countOf(steps.length, 'change')}${of}`;
  const { savedMsPerDay, savedShare } = total;
  if (savedMsPerDay === null) return `${changes}; how much time they save is unknown.`;
  const save = steps.length === 1 ? 'saves' : 'save';
  if (savedMsPerDay <= 0) return `${changes} ${save} no reading time, but disk space or writing.`;
  return `${changes} ${save} ${saved(savedMsPerDay, savedShare)}.`;
}

/** @param {number} considered candidates @param {number} sampled documents @returns {string} */
function describeConsidered(considered, sampled) {
  if (considered > 0) return `${countOf(considered, 'candidate')} considered`;
  return sampled === 0 ? 'without documents, no index can be judged' : 'there is no candidate for these queries';
}

/**
 * @param {number} ms a day
 * @param {number | null} share of all logged time
 * @returns {string} `52 min a day, 24 % of all request time`
 */
function saved(ms, share) {
  return `${formatTime(ms)} a day${share === null ? '' : `, ${formatShare(share)} of all request time`}`;
}

/**
 * @param {Plan} plan
 * @returns {Fact[]} what it was made from and for
 */
function factsOfPlan(plan) {
  const { workload, documents, target, targetSource } = plan;
  const { requests, minutes, from, to, files, msPerDay, writesPerDay } = workload;
  const logged = `${countOf(requests, 'request')} in ${formatDuration(minutes * 60)}`;
  const traffic = [
    ...(msPerDay === null ? [] : [`${formatTime(msPerDay)} of request time a day`]),
    ...(writesPerDay === null ? [] : [`${formatCount(threeDigits(writesPerDay))} writes a day`]),
  ];
  const sample =
    documents.sampled === 0
      ? 'none were given'
      : `${formatCount(documents.sampled)} of ${formatCount(documents.total)}, from ${documents.files.length > 0 ? joinWords(documents.files.map(quote)) : 'the server'}`;
  return [
    { name: 'CouchDB', value: targetSource === undefined ? target : `${target}, ${targetSource}` },
    ...(files.length > 0 ? [{ name: 'read', value: joinWords(files.map(quote)) }] : []),
    { name: 'workload', value: requests === 0 ? 'no logged requests' : `${logged}${describePeriod(from, to)}` },
    ...(traffic.length > 0 ? [{ name: 'traffic', value: traffic.join(', ') }] : []),
    { name: 'documents', value: sample },
    { name: 'budget', value: describeBudget(plan) },
  ];
}

/** @param {Plan} plan @returns {string} */
function describeBudget({ budget: { diskBytes, maxIndexes, writeShare, freeBytes } }) {
  const limits = [
    ...(diskBytes === null ? [] : [`${formatBytes(diskBytes)} of disk`]),
    ...(maxIndexes === null ? [] : [maxIndexes === 1 ? '1 index' : `${formatCount(maxIndexes)} indexes`]),
    ...(writeShare === null ? [] : [`${formatShare(writeShare)} of the request time for keeping indexes up to date`]),
  ];
  const free = freeBytes === null ? '' : `; ${formatBytes(freeBytes)} free on the disk`;
  return `${limits.length > 0 ? joinWords(limits) : 'no limit'}${free}`;
}

/**
 * @param {PlanStep} step
 * @returns {Fact[]} what it saves and costs
 */
function figuresOfStep({ savedMsPerDay, savedShare, requestsPerDay, cost, change }) {
  return [
    { name: 'saves', value: describeSaving(savedMsPerDay, savedShare, requestsPerDay) },
    { name: 'disk', value: `${describeBytes(cost.bytes)}${describeGrowth(cost, change)}` },
    { name: 'writes', value: describeWriting(cost.writeMsPerDay) },
    { name: 'build', value: describeBuild(cost) },
  ];
}

/**
 * @param {Plan} plan
 * @returns {Fact[]} of all steps
 */
function figuresOfTotal({ total }) {
  const { savedMsPerDay, savedShare, bytes, writeMsPerDay, buildSeconds, peakBytes } = total;
  return [
    { name: 'saves', value: describeSaving(savedMsPerDay, savedShare) },
    { name: 'disk', value: describeBytes(bytes) },
    { name: 'writes', value: describeWriting(writeMsPerDay) },
    { name: 'build', value: describeBuild({ buildSeconds, peakBytes }) },
  ];
}

/**
 * @param {number | null} ms a day
 * @param {number | null} share
 * @param {number} [requests] a day
 * @returns {string}
 */
function describeSaving(ms, share, requests) {
  const about = requests === undefined ? '' : `${formatCount(threeDigits(requests))} requests a day`;
  if (ms === null) return about === '' ? UNKNOWN : `${UNKNOWN}, for ${about}`;
  if (ms <= 0) return 'no reading time';
  return `${saved(ms, share)}${about === '' ? '' : ` (${about})`}`;
}

/**
 * @param {number | null} bytes
 * @returns {string} `41.2 MB`, `frees 3.0 MB`
 */
function describeBytes(bytes) {
  if (bytes === null) return UNKNOWN;
  if (bytes === 0) return NO_CHANGE;
  return bytes < 0 ? `frees ${formatBytes(Math.round(-bytes))}` : formatBytes(Math.round(bytes));
}

/** @param {StepCost} cost @param {PlanStep['change']} change @returns {string} */
function describeGrowth({ bytes, bytesPer1000Writes }, { replaces }) {
  if (bytesPer1000Writes === null) return bytes === null || bytes < 0 ? '' : `, growth ${UNKNOWN}`;
  if (bytesPer1000Writes <= 0) return '';
  return `, grows by ${formatBytes(Math.round(bytesPer1000Writes))}${replaces ? ' more' : ''} per 1,000 writes until compacted`;
}

/** @param {number | null} ms a day @returns {string} */
function describeWriting(ms) {
  if (ms === null) return UNKNOWN;
  if (ms === 0) return NO_CHANGE;
  return ms < 0 ? `saves ${formatTime(-ms)} of processor time a day` : `${formatTime(ms)} of processor time a day`;
}

/** @param {Pick<StepCost, 'buildSeconds' | 'peakBytes'>} cost @returns {string} */
function describeBuild({ buildSeconds, peakBytes }) {
  const peak = peakBytes === null || peakBytes <= 0 ? '' : `, needs ${formatBytes(Math.round(peakBytes))} of free disk`;
  if (buildSeconds === null) return `${UNKNOWN}${peak}`;
  return `${buildSeconds === 0 ? 'nothing to build' : formatDuration(buildSeconds)}${peak}`;
}

/**
 * @param {StepQuery} stepQuery
 * @param {Plan['queries']} queries of the plan
 * @returns {string} the form of query in words
 */
function nameQuery({ query }, queries) {
  return wordQuery(queries.find(({ id }) => id === query)?.name ?? query);
}

/**
 * @param {StepQuery} stepQuery
 * @returns {string} `120 ms → 3 ms, reads 5,000 documents → 25 (estimated)`
 */
function describeQuery({ msBefore, msAfter, before, after }) {
  const time = msBefore === null && msAfter === null ? [] : [`${timeOf(msBefore)} → ${timeOf(msAfter)}`];
  const reads = before === null && after === null ? [] : [`${describeReads(before, after)}${basisOf(before, after)}`];
  const parts = [...time, ...reads];
  return parts.length > 0 ? parts.join(', ') : `what it reads is ${UNKNOWN}`;
}

/** @param {number | null} ms @returns {string} */
function timeOf(ms) {
  return ms === null ? UNKNOWN : formatMilliseconds(ms);
}

/** @param {Reads | null} before @param {Reads | null} after @returns {string} */
function describeReads(before, after) {
  const [was, is] = [readsOf(before), readsOf(after)];
  if (was === is) return `reads ${was}, as before`;
  // The unit need not be repeated.
  const isSameKind = before && after && [before, after].every(({ rows, documents }) => rows === documents);
  return `reads ${was} → ${isSameKind ? formatCount(amount(after.documents)) : is}`;
}

/**
 * @param {Reads | null} reads
 * @returns {string} a document is read by its row, so that as many rows need not be named
 */
function readsOf(reads) {
  if (reads === null) return UNKNOWN;
  const { rows, documents } = reads;
  const [ofRows, ofDocuments] = [countOf(amount(rows), 'row'), countOf(amount(documents), 'document')];
  if (rows === documents) return ofDocuments;
  return documents === 0 ? `${ofRows} and no documents` : `${ofRows} and ${ofDocuments}`;
}

/** @param {number} mean @returns {number} with a fraction only where that matters */
function amount(mean) {
  return mean < 10 ? Number(mean.toFixed(1)) : Math.round(mean);
}

/** @param {Reads | null} before @param {Reads | null} after @returns {string} */
function basisOf(before, after) {
  const [first, second] = [before?.basis ?? after?.basis, after?.basis ?? before?.basis];
  return first === second ? ` (${first})` : ` (${first} → ${second})`;
}

/**
 * @param {number} ms
 * @returns {string} `12.3 s`, `52 min`
 */
export function formatTime(ms) {
  return ms < MANY_MS ? formatMilliseconds(ms) : formatDuration(ms / 1000);
}

/** @param {string | null} from ISO 8601 @param {string | null} to @returns {string} `, 2026-11-21 10:49 to 10:59 UTC` */
function describePeriod(from, to) {
  if (from === null || to === null) return '';
  const [first, last] = [from, to].map((time) => time.slice(0, 16).replace('T', ' '));
  const isOneDay = from.slice(0, 10) === to.slice(0, 10);
  return `, ${first} to ${isOneDay ? last?.slice(11) : last} UTC`;
}

/** @param {string} name @returns {string} */
function quote(name) {
  return `\`${name}\``;
}
