// Judges the times of paired rounds: one of five verdicts, a ratio with its interval, and how many rounds would settle what is open. Pure. The caller
// checks at fixed looks whether it may stop, and the price of looking is paid in the significance level.

import { holm } from '../../shared/distributions.js';
import { chanceAbove, chanceBelow, hodgesLehmann, quantile } from './statistics.js';

/** @import { Experiment, Limits, Verdict, Word } from './experiment.js' */

/** The chance of a word that is wrong, over a whole run of experiments, to each side: together they are the usual 5 %. */
const LEVEL = 0.025;

/** So often it is looked whether the rounds may end; the level is shared out among the looks (Bonferroni), so that looking early
 *  costs no more errors. What rounds end by otherwise (time, `--runs`, an interrupt) does not depend on which arm is faster, so
 *  the verdict may then use the shares of all looks that did not take place. */
const LOOK_COUNT = 4;

/** How reasons name the second arm, where nothing else is said. */
const SECOND = 'the advised variant is';

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
  const least = pairsFor(LEVEL / LOOK_COUNT / Math.max(1, experiments));
  return [1, 1.5, 2.5, 4].map((factor) => Math.round(least * factor));
}

/**
 * @typedef {object} Claim What the rounds say most clearly.
 * @property {Word} word the claim with the least chance of being wrong
 * @property {number} chance of that claim being wrong, at one look
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
 * @returns {Claim}
 */
function claimOf(logRatios, { margin, effect }) {
  const limit = Math.log(margin);
  const least = Math.log(effect);
  /** @type {[Word, number][]} */
  const claims = [
    ['confirmed', chanceAbove(logRatios, limit)],
    ['no practical difference', Math.max(chanceAbove(logRatios, -least), chanceBelow(logRatios, least))],
    ['refuted', chanceBelow(logRatios, -limit)],
  ];
  const [word, chance] = claims.reduce((best, claim) => (claim[1] < best[1] ? claim : best));
  return { word, chance };
}

/**
 * @param {readonly number[]} logRatios
 * @param {Borders & {experiments: number}} options `experiments`: how many the run has
 * @returns {boolean} whether the rounds may end: it is a look, and the claim would stand whatever the others give
 */
export function maySettle(logRatios, { margin, effect, experiments }) {
  if (!looksOf(experiments).includes(logRatios.length)) return false;
  return claimOf(logRatios, { margin, effect }).chance * LOOK_COUNT <= LEVEL / Math.max(1, experiments);
}

/**
 * @typedef {object} Measured The rounds of an experiment, as they are to be judged.
 * @property {readonly number[]} logRatios
 * @property {number} margin
 * @property {number} effect
 * @property {string} server
 * @property {Limits} [limits]
 * @property {number} [effectMs] where that many milliseconds, and no share, are what is worth acting on
 * @property {string} [second] how reasons name the second arm
 * @property {boolean} [hasLooks] false where the number of rounds was fixed beforehand
 */

/**
 * The verdicts of all experiments of a run, corrected for their number: a claim that does not stand is inconclusive. The interval is at the
 * level of the correction, so it says the same as the word: `confirmed` where all of it is beyond the margin, and only there.
 * @param {Measured[]} measured
 * @returns {Verdict[]} in the same order
 */
export function settleAll(measured) {
  const looks = looksOf(measured.length);
  const judged = measured.map((one) => {
    const spent = one.hasLooks === false ? 0 : looks.filter((look) => look < one.logRatios.length).length;
    const share = (LOOK_COUNT - Math.min(spent, LOOK_COUNT - 1)) / LOOK_COUNT;
    const { word, chance } = claimOf(one.logRatios, one);
    return { word, share, chance: Math.min(1, chance / share) };
  });
  const corrected = holm(judged.map(({ chance }) => chance));
  const standing = corrected.filter((chance) => chance <= LEVEL).length;
  // Holm's procedure ends at this level: every claim that stands is below it, and every other above.
  const level = LEVEL / Math.max(1, measured.length - standing);
  return measured.map((one, at) => {
    const { logRatios, margin, server, limits } = one;
    const { word: claim = 'inconclusive', share = 1 } = judged[at] ?? {};
    const chance = corrected[at] ?? 1;
    const word = chance <= LEVEL ? claim : 'inconclusive';
    const pairs = logRatios.length;
    const { estimate, low, high, confidence } = hodgesLehmann(logRatios, 1 - 2 * level * share);
    const least = pairsFor(level * share);
    const interval = pairs >= least ? /** @type {[number, number]} */ ([Math.exp(low), Math.exp(high)]) : null;
    const neededRounds =
      word === 'inconclusive' ? pairsNeeded(logRatios, { margin, experiments: measured.length }) : null;
    const reason = reasonOf(word, { pairs, least, interval }, one);
    return {
      word,
      reason: `${reason}${endingOf(word, pairs, limits)}`,
      ratio: pairs > 0 ? Math.exp(estimate) : null,
      interval,
      confidence: interval === null ? 0 : confidence,
      margin,
      p: chance,
      rounds: pairs,
      neededRounds,
      neededOptions: neededRounds === null || !limits ? [] : optionsFor(neededRounds, limits),
      server,
    };
  });
}

/**
 * @param {number} level of one side
 * @returns {number} the fewest pairs that can settle anything at that level, were they all of one sign: n of them have a chance of 1/2^n
 */
function pairsFor(level) {
  return Math.max(MIN_PAIRS, Math.ceil(Math.log2(1 / level) - 1e-9));
}

/**
 * @param {string[]} missing what the server lacks, as people call it
 * @param {{server: string, advice: string, margin: number}} options `advice`: what to run instead
 * @returns {Verdict}
 */
export function notMeasurable(missing, { server, advice, margin }) {
  const reason = `${server} lacks ${missing.join(' and ')}: ${advice}`;
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
  const pairs = Math.max(needed, pairsFor(level), n + 1);
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
 * @param {{pairs: number, least: number, interval: [number, number] | null}} judged `least`: pairs without which nothing can be said
 * @param {Pick<Measured, 'margin' | 'effect' | 'effectMs' | 'second'>} borders
 * @returns {string}
 */
function reasonOf(word, { pairs, least, interval }, { margin, effect, effectMs, second = SECOND }) {
  const worth = effectMs === undefined ? percentOf(effect) : `${effectMs} ms`;
  // A noisy server may need more than what is worth acting on.
  const percent = margin > effect ? percentOf(margin) : worth;
  if (word === 'confirmed') return `${second} faster by more than ${percent}`;
  if (word === 'refuted') return `${second} slower by more than ${percent}`;
  if (word === 'no practical difference') return `the difference is less than ${worth}`;
  if (interval === null) return `too few pairs of rounds: ${pairs} of at least ${least}`;
  const [low, high] = interval;
  const isLarge = margin >= 2 && (margin > effect || effectMs === undefined);
  const possibly = isLarge ? `less than ${Number(margin.toPrecision(2))} times` : `by less than ${percent}`;
  if (low > 1) return `${second} faster, but possibly ${possibly}`;
  if (high < 1) return `${second} slower, but possibly ${possibly}`;
  return 'too noisy to decide';
}

/**
 * @param {Word} word
 * @param {number} pairs that were measured
 * @param {Limits | undefined} limits
 * @returns {string} what ended the rounds, where it was not that the verdict was clear
 */
function endingOf(word, pairs, limits) {
  if (limits?.ended === 'budget') return `; the time budget ran out after ${pairs} of ${limits.pairs} pairs`;
  if (limits?.ended === 'interrupted') return `; the run was interrupted after ${pairs} of ${limits.pairs} pairs`;
  if (limits?.ended === 'pairs' && word === 'inconclusive' && pairs > 0) {
    return limits.pairs === 1 ? '; the only pair was run' : `; all ${limits.pairs} pairs were run`;
  }
  return '';
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
