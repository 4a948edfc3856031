// Finds reasons to doubt a verdict in its rounds and in what is known of the machine: warnings of a closed list. Pure.
// A warning never changes a verdict.

import { groupBy } from '../../shared/group-by.js';
import { sumOf } from '../../shared/values.js';
import { median, quantile } from './statistics.js';

/** @import { Sample } from './experiment.js' */

/** The closed list. */
export const WARNINGS = /** @type {const} */ ({
  'busy-machine': 'the machine was busy with other work',
  'clock-jumped': 'the clock was changed during the measurement',
  'failed-requests': 'requests failed and are not included in the times',
  'time-outs': 'requests timed out',
  'too-few-rounds': 'too few pairs of rounds',
  'few-requests': 'few requests per round',
  drift: 'rounds became slower or faster over time',
  'two-speeds': 'the times fall into two groups',
  'compaction-ran': 'the server compacted files during the measurement',
  'counters-of-some-nodes': 'counters of other nodes could not be read, so the figures are too low',
  'counters-shared': 'other clients used the server, so its counters include their work',
});

/** @typedef {keyof typeof WARNINGS} WarningCode */
/** @typedef {{code: WarningCode, message: string}} Warning */

/** Work beyond this share of the processors is somebody's else: the server and the generator take one each. */
const MAX_LOAD_SHARE = 1.5;
/** A round during which others kept more than this share of one processor busy met other work: two processors leave nothing for them. */
export const DISTURBED = 0.3;
/** Two clocks may differ so far, in milliseconds, by rounding and slewing. */
const CLOCK_SLACK = 1000;
/** A change of the middle time from the first third to the last by this factor is called drift. */
const DRIFT = 1.3;
/** One slow answer decides a round of fewer. */
const FEW_REQUESTS = 3;

/**
 * @param {object} observed
 * @param {readonly Sample[]} observed.samples
 * @param {number} observed.leastPairs
 * @param {number} observed.loadAverage of a minute, the highest before and between the rounds; NaN where the system reports none
 * @param {number} observed.processors
 * @param {{wallMs: number, steadyMs: number}} observed.clocks what two clocks say the rounds took
 * @param {ReadonlySet<string>} observed.requestArms arms whose rounds are a number of requests, and no build or load
 * @param {boolean} [observed.compacted]
 * @param {boolean} [observed.shared]
 * @param {{read: number, nodes: number} | undefined} [observed.counted] nodes whose counters were read, of how many
 * @returns {Warning[]} in the order of the list
 */
export function findWarnings({
  samples,
  leastPairs,
  loadAverage,
  processors,
  clocks,
  requestArms,
  compacted = false,
  shared = false,
  counted,
}) {
  /** @type {Warning[]} */
  const warnings = [];
  /** @param {WarningCode} code @param {string} detail */
  const warn = (code, detail) => warnings.push({ code, message: `${WARNINGS[code]} (${detail})` });
  const watched = samples.flatMap(({ others }) => others ?? []);
  const met = watched.filter((others) => others > DISTURBED).length;
  if (met > 0) warn('busy-machine', `during ${met} of ${watched.length} rounds`);
  // The load of a minute has our own in it, and says nothing of single rounds: it is for where these cannot be watched.
  else if (watched.length === 0 && loadAverage > processors * MAX_LOAD_SHARE) {
    warn('busy-machine', `load ${loadAverage.toFixed(1)} on ${processors} processors`);
  }
  const jump = Math.abs(clocks.wallMs - clocks.steadyMs);
  if (jump > CLOCK_SLACK) warn('clock-jumped', `by ${Math.round(jump)} ms`);
  const requests = sumOf(samples, ({ requests }) => requests);
  const refused = sumOf(samples, ({ refused, errors, timeouts }) => refused + errors - timeouts);
  if (refused > 0) warn('failed-requests', `${refused} of ${requests}`);
  const timeouts = sumOf(samples, (sample) => sample.timeouts);
  if (timeouts > 0) warn('time-outs', `${timeouts} of ${requests}`);
  const pairs = new Set(samples.filter(({ isUsable }) => isUsable).map(({ pair }) => pair)).size;
  if (pairs < leastPairs) warn('too-few-rounds', `${pairs} of at least ${leastPairs}`);
  const usable = samples.filter(({ isUsable }) => isUsable);
  for (const [arm, rounds] of groupBy(usable, ({ arm }) => arm)) {
    const few = median(rounds.map((round) => round.latencies.length));
    if (requestArms.has(arm) && few < FEW_REQUESTS) warn('few-requests', `${few} in a round of \`${arm}\``);
    const times = rounds.map((round) => round.ms);
    const factor = driftOf(times);
    if (factor > DRIFT || factor < 1 / DRIFT)
      warn('drift', `\`${arm}\` ended at ${factor.toFixed(2)} times its initial time`);
    if (hasTwoSpeeds(times)) warn('two-speeds', `\`${arm}\``);
  }
  if (compacted) warn('compaction-ran', 'file sizes are snapshots');
  if (counted && counted.read < counted.nodes) {
    warn('counters-of-some-nodes', `read from ${counted.read} of ${counted.nodes} nodes`);
  }
  if (shared) warn('counters-shared', 'treat them as upper limits');
  const order = Object.keys(WARNINGS);
  return warnings.sort((first, second) => order.indexOf(first.code) - order.indexOf(second.code));
}

/**
 * @param {readonly number[]} times in their order
 * @returns {number} the middle of the last third to that of the first; 1 of fewer than nine, where thirds are noise
 */
function driftOf(times) {
  if (times.length < 9) return 1;
  const third = Math.floor(times.length / 3);
  return median(times.slice(-third)) / median(times.slice(0, third));
}

/**
 * Whether a gap in the middle half is wider than all else: the rounds then had two speeds, and their median is arbitrary.
 * @param {readonly number[]} times
 * @returns {boolean} false of fewer than ten
 */
function hasTwoSpeeds(times) {
  if (times.length < 10) return false;
  const sorted = times.toSorted((first, second) => first - second);
  const gaps = sorted
    .slice(1)
    .map((time, at) => ({ gap: time - (sorted[at] ?? time), share: (at + 1) / sorted.length }));
  const inner = gaps.filter(({ share }) => share >= 0.25 && share <= 0.75);
  const widest = Math.max(...inner.map(({ gap }) => gap));
  const rest = quantile(sorted, 0.9) - quantile(sorted, 0.1) - widest;
  return widest > 2 * rest && widest > 0.1 * median(sorted);
}
