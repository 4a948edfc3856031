// Reads a digest back from its JSON, or reports one clear error. Nothing in a file is trusted.

import { findFaults } from '../shared/schema/find-faults.js';
import { UserError } from '../shared/user-error.js';
import { CounterTable } from './counter-table.js';
import { DatabasePattern } from './database-patterns.js';
import { Digest } from './digest.js';
import { DistinctCount, REGISTERS } from './distinct-count.js';
import { IndexBuilds, Tally } from './evidence.js';
import { FindStats, FingerprintGroup, keyOfGroup } from './fingerprint-group.js';
import { bucketOf, Histogram } from './histogram.js';
import { MinuteCounts } from './minute-counts.js';
import { ReportTally } from './server-reports.js';
import { FingerprintStep, WholeStep } from './time-steps.js';

/** @import { DigestOptions } from './digest.js' */
/** @import { Part } from './parts.js' */
/** @import { PlacedExample } from './fingerprint-group.js' */
/** @import { TimeSteps } from './time-steps.js' */

/**
 * @param {unknown} value what `digestToJson` gave
 * @param {string} source where it comes from, for the error
 * @param {DigestOptions} [options] of the digest that is made; folding is the file's own
 * @returns {Digest}
 * @throws {UserError} of code `bad-digest`
 */
export function digestFromJson(value, source, options = {}) {
  try {
    const [fault] = findFaults('digest', value, 'the whole');
    if (fault) throw new WrongValue(fault.message);
    return readDigest(value, options);
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error;
    throw new UserError('bad-digest', `${source} is not a couch-advisor digest: ${error.message}`, {
      hint: 'create one with `npx --no-install couch-advisor digest LOG --output digest.json`',
    });
  }
}

/** What the schema cannot say. */
class WrongValue extends Error {}

/**
 * @param {any} json that fits the schema, as all below: of a file that was checked, or of a thread of this program
 * @param {DigestOptions} options
 * @returns {Digest}
 */
export function readDigest(json, options) {
  const digest = new Digest({ ...options, fold: json.folded });
  digest.coarsen(json.coarseness);
  const { read, requests, other, malformed } = json.lines;
  Object.assign(digest.lines, { read, requests, other, malformed });
  digest.first = readTime(json.from, Number.POSITIVE_INFINITY);
  digest.last = readTime(json.to, Number.NEGATIVE_INFINITY);
  for (const entry of json.databases) {
    const pattern = new DatabasePattern(entry.pattern);
    pattern.name = entry.name ?? null;
    pattern.distinct = readDistinct(entry.counters);
    digest.patterns.merge(pattern);
  }
  if (json.overTime) readOverTime(digest.steps, json.overTime);
  for (const fingerprint of json.shapes) {
    const group = readGroup(fingerprint);
    digest.groups.set(keyOfGroup(group), group);
  }
  for (const entry of json.indexBuilds) {
    const builds = readBuilds(entry);
    digest.builds.set(JSON.stringify([builds.database, builds.designDoc]), builds);
  }
  readTallies(json.queryServers, digest.queryServers);
  readTallies(json.problems, digest.problems);
  for (const entry of json.serverReports ?? []) {
    const { kind, pattern: database = '', designDoc = '', detail = '', most = 0 } = entry;
    const tally = new ReportTally({ kind, database, designDoc, detail });
    digest.reports.tallies.set(tally.key, Object.assign(tally, readTally(entry), { most }));
  }
  digest.parts = (json.parts ?? []).map(readPart);
  const { reports, finds, starts, ends } = json.waiting;
  for (const report of reports)
    digest.findJoins.waiting.set(report.nonce, { time: report.time, half: readFind(report) });
  for (const { nonce, time, group: key } of finds) {
    const group = digest.groups.get(key);
    if (group) digest.findJoins.early.set(nonce, { time, half: group });
  }
  for (const { name, time } of starts) digest.buildJoins.waiting.set(name, { time, half: digest.buildsNamed(name) });
  for (const { name, time } of ends) digest.buildJoins.early.set(name, { time, half: digest.buildsNamed(name) });
  return digest;
}

/**
 * @param {any} json
 * @returns {FingerprintGroup}
 */
function readGroup(json) {
  const { counters } = json;
  const fingerprint = {
    endpoint: json.endpoint,
    designDoc: json.designDoc ?? '',
    view: json.view ?? '',
    functionName: json.function ?? '',
    parameters: json.parameters,
    byReplicator: counters.byReplicator === true,
  };
  const group = new FingerprintGroup(json.method, counters.pattern, fingerprint, json.replication === true);
  group.count = json.count;
  group.first = readTime(json.first, Number.POSITIVE_INFINITY);
  group.last = readTime(json.last, Number.NEGATIVE_INFINITY);
  for (const [status, count] of Object.entries(json.statuses)) {
    group.statuses.add(Number(status), Number(count));
    if (Number(status) >= 400) group.failed += Number(count);
  }
  group.responseBytes = json.bytes ?? 0;
  group.sized = counters.sized;
  group.latencyMicros = readHistogram(counters.latencyMicros) ?? new Histogram();
  group.rowsMeasured = readHistogram(counters.rowsMeasured);
  group.rowsAtMost = readHistogram(counters.rowsAtMost);
  group.limits = readHistogram(counters.limits);
  group.skips = readHistogram(counters.skips);
  group.keys = readDistinct(counters.keys);
  group.minutes = readMinutes(counters.minutes);
  // Digests of the first versions have none.
  if (counters.steps) readSteps(group.steps, counters.steps);
  if (json.find) group.find = readFind(json.find);
  group.examples = json.examples.map(readExample);
  return group;
}

/**
 * @param {any} json
 * @returns {IndexBuilds}
 */
function readBuilds(json) {
  const builds = new IndexBuilds(json.counters.pattern, json.designDoc);
  builds.starts = json.starts;
  builds.first = readTime(json.first, Number.POSITIVE_INFINITY);
  builds.last = readTime(json.last, Number.NEGATIVE_INFINITY);
  builds.micros = readHistogram(json.counters.micros) ?? new Histogram();
  if (json.counters.minutes) builds.minutes = readMinutes(json.counters.minutes);
  builds.longest = json.longest.map((/** @type {any} */ { from, ms }) => ({ from: readTime(from, 0), ms }));
  return builds;
}

/**
 * @param {any} json
 * @returns {FindStats}
 */
function readFind(json) {
  const stats = new FindStats();
  for (const name of /** @type {(keyof FindStats & string)[]} */ (Object.keys(stats))) {
    Object.assign(stats, { [name]: json[name] });
  }
  return stats;
}

/**
 * @param {any} json
 * @returns {Part}
 */
function readPart({ file, part, lines, clock }) {
  return { file, part, lines, ...(clock && { clock: { from: clock.from, line: clock.line, to: clock.to } }) };
}

/**
 * @param {any[]} list
 * @param {Map<string, Tally>} target
 */
function readTallies(list, target) {
  for (const entry of list) target.set(entry.kind, readTally(entry));
}

/**
 * @param {any} json
 * @returns {Tally}
 */
function readTally({ count, first, last, examples, counters }) {
  const tally = new Tally();
  tally.count = count;
  tally.first = readTime(first, Number.POSITIVE_INFINITY);
  tally.last = readTime(last, Number.NEGATIVE_INFINITY);
  tally.examples = examples.map(readExample);
  if (counters) tally.minutes = readMinutes(counters.minutes);
  return tally;
}

/**
 * @param {any} json
 * @returns {PlacedExample}
 */
function readExample(json) {
  const { file, line } = json;
  /** @type {PlacedExample} */
  const example = { file, line };
  for (const name of /** @type {const} */ (['part', 'parameters', 'target', 'user', 'peer'])) {
    if (json[name] !== undefined) Object.assign(example, { [name]: json[name] });
  }
  return example;
}

/**
 * @param {any} json undefined for none
 * @returns {Histogram | undefined}
 */
function readHistogram(json) {
  if (json === undefined) return undefined;
  const histogram = new Histogram();
  histogram.buckets = readTable(json.buckets, bucketOf(2 ** 51));
  histogram.sum = json.sum;
  histogram.min = json.min;
  histogram.max = json.max;
  histogram.count = histogram.buckets.total();
  return histogram;
}

/** Numbers of a step in a list of them. */
const STEP_NUMBERS = 5;

/**
 * @param {TimeSteps<FingerprintStep>} target
 * @param {any} json
 */
function readSteps(target, { width, steps }) {
  if (steps.length % STEP_NUMBERS !== 0) throw new WrongValue('an array of steps has an odd length');
  /** @type {[number, FingerprintStep][]} */
  const entries = [];
  for (let at = 0; at < steps.length; at += STEP_NUMBERS) {
    const [step, requests, failed, timed, buckets] = steps.slice(at, at + STEP_NUMBERS);
    entries.push([step, Object.assign(new FingerprintStep(), { requests, failed, timed, buckets })]);
  }
  if (!target.restore(width, entries)) throw new WrongValue('steps have a width or number that is not possible');
}

/**
 * @param {TimeSteps<WholeStep>} target
 * @param {any} json
 */
function readOverTime(target, { minutes, steps }) {
  const entries = steps.map((/** @type {any} */ { from, requests, failed, counters }) => {
    const step = Object.assign(new WholeStep(), { requests, failed });
    for (const [bucket, count] of readTable(counters?.times ?? [], step.times.length - 1).entries()) {
      step.times[bucket] = count;
    }
    return [Math.floor(readTime(from, 0) / 60_000 / minutes), step];
  });
  if (!target.restore(minutes, entries)) throw new WrongValue('steps have a width or number that is not possible');
}

/**
 * @param {any} json
 * @returns {MinuteCounts}
 */
function readMinutes({ width, steps }) {
  const counts = new MinuteCounts();
  counts.shift = Math.log2(width);
  if (!Number.isInteger(counts.shift)) throw new WrongValue('`width` is not a power of two');
  counts.steps = readTable(steps, 2 ** 30);
  return counts;
}

/**
 * @param {number[]} numbers
 * @param {number} most that is counted
 * @returns {CounterTable}
 */
function readTable(numbers, most) {
  const table = new CounterTable();
  if (numbers.length % 2 !== 0) throw new WrongValue('an array of counts has an odd length');
  for (let at = 0; at < numbers.length; at += 2) {
    const [number, count] = /** @type {[number, number]} */ ([numbers[at], numbers[at + 1]]);
    if (number > most) throw new WrongValue(`${number} is out of range: must be at most ${most}`);
    table.add(number, count);
  }
  return table;
}

/**
 * @param {any} json undefined for none
 * @returns {DistinctCount}
 */
function readDistinct(json) {
  const distinct = new DistinctCount();
  if (json?.registers !== undefined) {
    const registers = Uint8Array.from(Buffer.from(json.registers, 'base64'));
    if (registers.length !== REGISTERS) throw new WrongValue('a sketch has the wrong size');
    return DistinctCount.ofRegisters(registers);
  }
  const hashes = json?.hashes ?? [];
  for (let at = 0; at + 1 < hashes.length; at += 2) distinct.add(hashes[at] | 0, hashes[at + 1] | 0);
  return distinct;
}

/**
 * @param {string | null | undefined} text
 * @param {number} absent what stands for none
 * @returns {number} milliseconds since 1970
 */
function readTime(text, absent) {
  if (text === null || text === undefined) return absent;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new WrongValue('invalid time');
  return time;
}
