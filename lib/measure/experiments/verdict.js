// Judges the times of paired rounds: one of five verdicts, a ratio with its interval, and how many rounds would settle what is open. Pure. The caller
// checks at fixed looks whether it may stop, and the price of looking is paid in the significance level.

import { holm } from '../../shared/holm.js';
import { chanceAbove, chanceBelow, hodgesLehmann, quantile } from './statistics.js';

/** @import { Experiment, Limits, Verdict, Word } from './experiment.js' */

/** The chance of a word that is wrong, over a whole run of experiments, to each side: together they are the usual 5 %. */
const LEVEL = 0.025;

/** So often it is looked whether the rounds may end; the level is shared out among the looks (Bonferroni), so that looking early
 *  costs no more errors. */
const LOOK_COUNT = 4;

/** Fewer pairs than this are no measurement. */
export const MIN_PAIRS = 6;

/** No difference below 5 % counts, however quiet the machine. */
export const MIN_MARGIN = 1.05;

/**
 * @param {number} experiments how many the run has
 * @returns {number[]} after so many pairs it is looked. The first look is at the fewest pairs that can settle anything, were they
 *   all of one sign: 8 of one experiment, as 1/2^8 is below a quarter of the level.
 */
export function looksOf(experiments) {
  const least = Math.max(MIN_PAIRS, Math.ceil(Math.log2((LOOK_COUNT * Math.max(1, experiments)) / LEVEL)));
  return [1, 1.5, 2.5, 4].map((factor) => Math.round(least * factor));
}

/**
 * @typedef {object} RoundsVerdict What the rounds say before other experiments are thought of.
 * @property {Word} word the claim with the least chance of being wrong
 * @property {number} chance of that claim being wrong, after the correction for looks; 1 where nothing is claimed
 * @property {number} ratio
 * @property {[number, number]} interval
 * @property {number} confidence
 * @property {number} pairs
 */

/**
 * @typedef {object} Borders
 * @property {number} margin ratio beyond which a difference is believed: at least what equal arms differed by
 * @property {number} effect ratio below which a difference is not worth acting on
 */

/**
 * @param {Pick<Experiment, 'effect' | 'effectMs'>} experiment
 * @param {number | null} advisedMs of a thing the advised way, the median; null where it was not measured
 * @returns {number} smallest ratio worth acting on: both by itself and in milliseconds
 */
export function effectOf({ effect, effectMs }, advisedMs) {
  return effectMs === undefined || !advisedMs ? effect : Math.max(effect, 1 + effectMs / advisedMs);
}

/**
 * @param {readonly number[]} logRatios of paired rounds: log(time as is / time as advised)
 * @param {Borders} limits a noisy server raises the margin, and must not make large differences out to be none
 * @returns {RoundsVerdict}
 */
export function judgePairs(logRatios, { margin, effect }) {
  const limit = Math.log(margin);
  const least = Math.log(effect);
  const { estimate, low, high, confidence } = hodgesLehmann(logRatios, 1 - 2 * LEVEL);
  /** @type {[Word, number][]} */
  const claims = [
    ['confirmed', chanceAbove(logRatios, limit)],
    ['no practical difference', Math.max(chanceAbove(logRatios, -least), chanceBelow(logRatios, least))],
    ['refuted', chanceBelow(logRatios, -limit)],
  ];
  const [word, chance] = claims.reduce((best, claim) => (claim[1] < best[1] ? claim : best));
  const corrected = Math.min(1, chance * LOOK_COUNT);
  return {
    word: logRatios.length < MIN_PAIRS ? 'inconclusive' : word,
    chance: logRatios.length < MIN_PAIRS ? 1 : corrected,
    ratio: Math.exp(estimate),
    interval: [Math.exp(low), Math.exp(high)],
    confidence,
    pairs: logRatios.length,
  };
}

/**
 * @param {readonly number[]} logRatios
 * @param {Borders & {experiments: number}} options `experiments`: how many the run has
 * @returns {boolean} whether the rounds may end: it is a look, and the claim would stand whatever the others give
 */
export function maySettle(logRatios, { margin, effect, experiments }) {
  if (!looksOf(experiments).includes(logRatios.length)) return false;
  return judgePairs(logRatios, { margin, effect }).chance <= LEVEL / Math.max(1, experiments);
}

/**
 * The verdicts of all experiments of a run, corrected for their number: a claim that does not stand is inconclusive.
 * @param {(Borders & {logRatios: readonly number[], server: string, limits?: Limits, effectMs?: number, second?: string})[]} measured
 *   `effectMs`: where that many milliseconds, and no share, are what is worth acting on; `second`: how reasons name the second arm
 * @returns {Verdict[]} in the same order
 */
export function settleAll(measured) {
  const judged = measured.map((one) => judgePairs(one.logRatios, one));
  const corrected = holm(judged.map(({ chance }) => chance));
  return judged.map((one, at) => {
    const {
      margin = MIN_MARGIN,
      effect = MIN_MARGIN,
      server = '',
      logRatios = [],
      limits,
      effectMs,
      second = 'the advised variant is',
    } = measured[at] ?? {};
    const chance = corrected[at] ?? 1;
    const word = chance <= LEVEL ? one.word : 'inconclusive';
    const hasRounds = one.pairs > 0;
    const neededRounds =
      word === 'inconclusive' ? pairsNeeded(logRatios, { margin, experiments: measured.length }) : null;
    return {
      word,
      reason: reasonOf(word, one, { margin, effect, effectMs, second }),
      ratio: hasRounds ? one.ratio : null,
      interval: hasRounds ? one.interval : null,
      confidence: one.confidence,
      margin,
      p: chance,
      rounds: one.pairs,
      neededRounds,
      neededOptions: neededRounds === null || !limits ? [] : optionsFor(neededRounds, limits),
      server,
    };
  });
}

/**
 * @param {string[]} missing what the server lacks, as people call it
 * @param {{server: string, advice: string, margin: number}} options `advice`: what to run instead
 * @returns {Verdict}
 */
export function notMeasurable(missing, { server, advice, margin }) {
  const reason = `${server} has no ${missing.join(' and no ')}: ${advice}`;
  const nothing = { ratio: null, interval: null, neededRounds: null, neededOptions: [] };
  return { word: 'not measurable here', reason, ...nothing, confidence: 0, margin, p: 1, rounds: 0, server };
}

/**
 * @param {readonly number[]} logRatios of equal arms
 * @param {number} effect smallest ratio worth acting on
 * @returns {number} the ratio from which on a difference counts: never below what equal arms differ by on this server
 */
export function marginOf(logRatios, effect) {
  if (logRatios.length < MIN_PAIRS) return Math.max(MIN_MARGIN, effect);
  const { low, high } = hodgesLehmann(logRatios, 1 - 2 * LEVEL);
  return Math.max(MIN_MARGIN, effect, Math.exp(Math.max(-low, high)));
}

/**
 * How many pairs would likely settle it, were the rest like what was seen: the least number at which the claim nearest to the
 * estimate is made in about nine of ten runs. From the usual formula for means with the efficiency of ranks at its worst, 0.864
 * (Hodges and Lehmann, 1956).
 * @param {readonly number[]} logRatios
 * @param {{margin: number, experiments: number}} options
 * @returns {number | null} null where it is unknown, or would be more than 10,000
 */
export function pairsNeeded(logRatios, { margin, experiments }) {
  const n = logRatios.length;
  // So few say nothing of their spread; before the first look nothing is settled.
  if (n < 3) return looksOf(experiments)[0] ?? MIN_PAIRS;
  const limit = Math.log(margin);
  const { estimate } = hodgesLehmann(logRatios, 1 - 2 * LEVEL);
  const distance = Math.abs(Math.abs(estimate) - limit);
  // A third of the span between the sixths is a sturdy standard deviation.
  const spread = (quantile(logRatios, 0.8413) - quantile(logRatios, 0.1587)) / 2;
  const level = LEVEL / LOOK_COUNT / Math.max(1, experiments);
  const steps = upperPoint(level) + upperPoint(0.1);
  const needed = Math.ceil((steps * (spread / distance)) ** 2 / 0.864);
  const least = Math.ceil(Math.log2(1 / level));
  const pairs = Math.max(needed, least, n + 1);
  return Number.isFinite(pairs) && pairs <= 10_000 ? pairs : null;
}

/** Pairs do not take equally long. */
const ROOM = 1.2;

/**
 * @param {number} pairs that are needed
 * @param {Limits} limits of the run that had too few
 * @returns {string[]} the options that have to be greater: `--budget 90s`, `--runs 40`
 */
export function optionsFor(pairs, { pairs: most, budgetMs, setupMs, msOfPair }) {
  const seconds = Math.ceil(((setupMs + pairs * msOfPair) * ROOM) / 1000);
  return [
    ...(seconds * 1000 > budgetMs
      ? [seconds < 600 ? `--budget ${seconds}s` : `--budget ${Math.ceil(seconds / 60)}m`]
      : []),
    ...(pairs > most ? [`--runs ${pairs}`] : []),
  ];
}

/**
 * @param {Word} word
 * @param {RoundsVerdict} judged
 * @param {Borders & {effectMs: number | undefined, second: string}} borders
 * @returns {string}
 */
function reasonOf(word, { pairs, ratio, interval: [low, high] }, { margin, effect, effectMs, second }) {
  const least = effectMs === undefined ? percentOf(effect) : `${effectMs} ms`;
  // A noisy server may need more than what is worth acting on.
  const percent = margin > effect ? percentOf(margin) : least;
  if (word === 'confirmed') return `${second} faster by more than ${percent}`;
  if (word === 'refuted') return `${second} slower by more than ${percent}`;
  if (word === 'no practical difference') return `the difference is less than ${least}`;
  if (pairs < MIN_PAIRS) return `too few pairs of rounds: ${pairs} of at least ${MIN_PAIRS}`;
  if (low > 1) return `${second} faster, but possibly by less than ${percent}`;
  if (high < 1) return `${second} slower, but possibly by less than ${percent}`;
  return `the rounds vary too much: ${ratio >= 1 ? 'faster' : 'slower'} on the whole, but the interval includes both`;
}

/** @param {number} ratio @returns {string} `10 %` of 1.1 */
function percentOf(ratio) {
  return `${Number(((ratio - 1) * 100).toPrecision(2))} %`;
}

/**
 * @param {number} chance small
 * @returns {number} the point of the normal distribution above which so much of it lies (Abramowitz and Stegun 26.2.23, error < 4.5e-4)
 */
function upperPoint(chance) {
  const t = Math.sqrt(-2 * Math.log(chance));
  const above = 2.515517 + t * (0.802853 + t * 0.010328);
  const below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  return t - above / below;
}
