// Builds the document of a plan of `advise`: saved time, sizes, what each step rests on. Unknown figures are called unknown.

import { joinWords } from '../shared/join-words.js';
import { wordQuery } from '../shared/query-name.js';
import {
  countOf,
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
  NONE,
  notes,
  paragraph,
  section,
  sharedSection,
  table,
} from './document/blocks.js';
import {
  describeBytes,
  figuresOfStep,
  figuresOfTotal,
  formatRange,
  formatTime,
  UNKNOWN,
  wordSaved,
} from './plan-figures.js';
import { describeOthers, otherFindings } from './plan-others.js';

/** @import { Document, Fact, Inline, Optional } from './document/blocks.js' */
/** @import { Plan, PlanStep, Reads, StepQuery } from '../advise/plan.js' */

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
      sharedSection('Steps', stepTable(plan), ...charts(steps.slice(0, MAX_BARS))),
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

/** @param {Plan} plan @returns {Optional} */
function stepTable({ steps, workload }) {
  const names = ['saves', 'disk', 'writes', 'build'];
  return table({
    columns: ['change', ...names],
    rows: steps.map((step) => [
      link(`${step.number}. ${step.title}`, `plan-${step.number}`),
      ...figuresOfStep(step, workload).map(({ value }) => value),
    ]),
    noun: 'step',
  });
}

/** @param {PlanStep} step @param {Plan} plan @returns {Optional} */
function stepDetails(step, { queries, workload }) {
  const { number, title, change, because, findings, files, actions = [] } = step;
  const [placesOf, classOf] = [
    new Map(queries.map(({ id, places }) => [id, places])),
    new Map(queries.map(({ id, requestClass }) => [id, requestClass])),
  ];
  const block = details(
    `${number}. ${title}`,
    facts([
      { name: 'database', value: change.database === null ? UNKNOWN : code(change.database) },
      ...(change.file === undefined ? [] : [{ name: 'defined in', value: code(change.file) }]),
      ...figuresOfStep(step, workload),
      ...databasesOf(step),
      ...step.queries.flatMap((query) => {
        const places = placesOf.get(query.query) ?? [];
        /** @type {Inline} */
        const value = [
          code(nameQuery(query, queries)),
          `: ${describeQuery(query)}`,
          ...(places.length > 0 ? [', in ', code(places.join(', '))] : []),
          ...(classOf.get(query.query) ? [`; ${classOf.get(query.query)} of Cloudant`] : []),
        ];
        return [{ name: 'query', value }, ...query.mustChange.map((text) => ({ name: 'change', value: text }))];
      }),
      ...because.map((value) => ({ name: 'because', value })),
      ...findings.map((key) => ({ name: 'settles', value: code(key) })),
    ]),
    databaseTable(step),
    actions.length > 0 && codeBlock(scriptOf(actions), 'sh'),
    ...files.map(({ path, content }) => folded(['file: ', code(path)], codeBlock(content, languageOf(path)))),
  );
  return { ...block, anchor: `plan-${number}` };
}

/** @param {NonNullable<PlanStep['actions']>} actions @returns {string} what to paste, each part below what it does */
export function scriptOf(actions) {
  return actions.map(({ name, text, commands }) => [`# ${name}: ${text}`, ...commands].join('\n')).join('\n\n');
}

/** So many databases are named in a line. */
const MAX_DATABASES = 8;

/** @param {PlanStep} step @returns {Fact[]} which of several databases have what, and the revisions that the step is made for */
function databasesOf({ databases, change }) {
  if (!databases) return [];
  const { all, count, basis, revisions } = databases;
  const some = (/** @type {string[]} */ list) =>
    joinWords(
      list.length > MAX_DATABASES
        ? [...list.slice(0, MAX_DATABASES), `${formatCount(list.length - MAX_DATABASES)} more`]
        : list,
    );
  const source = basis === 'server' ? 'the server says' : 'the logs say';
  const rows =
    all > 1 ? [{ name: 'to change', value: `${formatCount(count)} of ${formatCount(all)}, as ${source}` }] : [];
  for (const { revision, names: own } of revisions) {
    const where = all > 1 ? ` in ${formatCount(own.length)}: ${some(own)}` : '';
    rows.push({
      name: 'made for',
      value: revision === null ? `no ${change.designDoc}${where}` : `${change.designDoc} at ${revision}${where}`,
    });
  }
  return rows;
}

/** @param {PlanStep} step @returns {Optional} of several databases that a server has: which have what */
function databaseTable({ databases, change }) {
  if (!databases || databases.all === 1 || databases.names.length + databases.done.length === 0) return undefined;
  const { names, done, revisions } = databases;
  const revisionOf = new Map(
    revisions.flatMap(({ revision, names: own }) => own.map((name) => [name, revision ?? 'not there'])),
  );
  const rowsOf = (/** @type {string[]} */ list, /** @type {string} */ state) =>
    list.map((name) => [code(name), state, revisionOf.get(name) ?? NONE]);
  return table({
    columns: ['database', change.name, change.designDoc],
    rows: [...rowsOf(done, 'has it'), ...rowsOf(names, 'to change')],
    most: MAX_DATABASES,
    noun: 'database',
  });
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
  const { savedMsPerDay, savedRange, savedShare } = total;
  if (savedMsPerDay === null) return `${changes}; how much time they save is unknown.`;
  const save = steps.length === 1 ? 'saves' : 'save';
  if (savedMsPerDay <= 0) return `${changes} ${save} no reading time, but disk space or writing.`;
  return `${changes} ${save} ${wordSaved(savedMsPerDay, savedRange, savedShare)}.`;
}

/** @param {number} considered candidates @param {number} sampled documents @returns {string} */
function describeConsidered(considered, sampled) {
  if (considered > 0) return `${countOf(considered, 'candidate')} considered`;
  return sampled === 0 ? 'without documents, no index can be judged' : 'there is no candidate for these queries';
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
function describeQuery({ msBefore, msAfter, msAfterRange, before, after }) {
  const then = msAfter === null ? UNKNOWN : formatRange(msAfterRange, msAfter, formatMilliseconds);
  const time = msBefore === null && msAfter === null ? [] : [`${timeOf(msBefore)} → ${then}`];
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
