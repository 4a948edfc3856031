// Maps values to pixels: where each value is drawn, and ticks whose labels do not touch.

import { extent } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';
import { formatLogTick, formatTicks } from './numbers.js';
import { FONT } from './style.js';
import { textWidth } from './text-size.js';

/**
 * @typedef {object} Axis
 * @property {string} label what is measured: `time of a request`
 * @property {string} [unit] `ms`; stands behind the label and behind values
 * @property {'linear' | 'log'} [scale] `linear` where absent
 * @property {(value: number) => string} [format] of labels of ticks, where the usual form does not do
 * @property {number} [min] the axis begins here at the latest
 * @property {number} [max] the axis goes up to here at least
 * @property {boolean} [fromZero] for a linear axis: whether 0 is always on it
 */

/** @typedef {{value: number, at: number, label: string, labelAt: number}} Tick `labelAt`: the middle of the label */

/**
 * @typedef {object} Scale
 * @property {boolean} isLog
 * @property {(value: number) => number} at pixels; values beyond the ends lead beyond the stretch
 * @property {(value: number | undefined) => value is number} shows whether the axis can show such a value at all
 * @property {number} lowest of the axis
 * @property {number} highest
 * @property {Tick[]} ticks
 * @property {number} labelWidth of the widest label, in pixels
 */

/** Between the labels of two ticks, in pixels. */
const GAP = 10;
/** From one tick to the next: at least so much on an upright axis, and about so much on a lying one. */
const UPRIGHT_STEP = 34;
const LYING_STEP = 70;

/** Which of 1 to 9 times a power of ten get a tick on a logarithmic axis, the richest choice first. */
const MULTIPLES = [[1, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]];

/**
 * @param {Axis} axis
 * @param {(number | undefined)[]} values all that are to be shown
 * @param {{from: number, to: number, isUpright?: boolean, room?: [number, number]}} stretch in pixels; `room`: where labels may stand,
 *   on a lying axis
 * @returns {Scale}
 */
export function makeScale(axis, values, { from, to, isUpright = false, room }) {
  const isLog = axis.scale === 'log';
  /** @param {number | undefined} value @returns {value is number} */
  const shows = (value) => value !== undefined && Number.isFinite(value) && (!isLog || value > 0);
  const [first, last] = domainOf(axis, values.filter(shows), isLog);
  const length = Math.abs(to - from);
  const scale = isLog ? scaleLog([first, last], [from, to]) : scaleLinear([first, last], [from, to]);
  if (!isLog) scale.nice(countFor(length, isUpright));
  const [lowest = first, highest = last] = scale.domain();
  const format = axis.format;
  const label = (/** @type {number[]} */ chosen) =>
    format ? chosen.map(format) : isLog ? chosen.map(formatLogTick) : formatTicks(chosen);

  /** @type {Tick[]} */
  let ticks = [];
  for (const chosen of choicesOf(scale, isLog, countFor(length, isUpright))) {
    const labels = label(chosen);
    ticks = chosen.map((value, at) => place(value, labels[at] ?? '', scale(value), room));
    if (isUpright ? areApart(ticks) : doNotTouch(ticks)) break;
  }
  return {
    isLog,
    at: (value) => scale(value),
    shows,
    lowest,
    highest,
    ticks,
    labelWidth: Math.max(0, ...ticks.map((tick) => textWidth(tick.label, FONT.small))),
  };
}

/**
 * @param {Axis} axis
 * @param {number[]} values that it can show
 * @param {boolean} isLog
 * @returns {[number, number]}
 */
function domainOf({ min, max, fromZero }, values, isLog) {
  const bounds = [min, max].filter((bound) => bound !== undefined && Number.isFinite(bound) && (!isLog || bound > 0));
  const [low, high] = extent([...values, ...bounds, ...(fromZero && !isLog ? [0] : [])], Number);
  if (low === undefined || high === undefined) return isLog ? [1, 10] : [0, 1];
  // Ends of more than that leave no room for the arithmetic of scales.
  const [lowest, highest] = [Math.max(low, -1e300), Math.min(high, 1e300)];
  if (isLog) return lowest === highest ? [lowest / 2, highest * 2] : [Math.max(lowest, 1e-300) / 1.08, highest * 1.08];
  if (highest - lowest > Math.abs(highest) * 1e-12) return [lowest, highest];
  return highest === 0 ? [0, 1] : [Math.min(0, lowest), Math.max(0, highest)];
}

/**
 * @param {number} length
 * @param {boolean} isUpright
 * @returns {number} of ticks
 */
function countFor(length, isUpright) {
  return Math.max(2, Math.min(9, Math.floor(length / (isUpright ? UPRIGHT_STEP : LYING_STEP))));
}

/**
 * @param {import('d3-scale').ScaleContinuousNumeric<number, number>} scale
 * @param {boolean} isLog
 * @param {number} count
 * @returns {Generator<number[]>} choices of values for ticks, the richest first, down to one that cannot touch
 */
function* choicesOf(scale, isLog, count) {
  const [low = 0, high = 1] = scale.domain();
  if (isLog) yield* logChoices(low, high, count);
  const linear = isLog ? scaleLinear([low, high], [0, 1]) : scale;
  for (let fewer = count; fewer >= 2; fewer -= 1) {
    const ticks = linear.ticks(fewer);
    if (ticks.length > 1) yield ticks;
  }
  yield linear.ticks(2).slice(0, 1);
}

/**
 * @param {number} low
 * @param {number} high
 * @param {number} count
 * @returns {Generator<number[]>}
 */
function* logChoices(low, high, count) {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  for (const multiples of MULTIPLES) {
    for (let every = 1; every <= (multiples.length === 1 ? last - first : 1); every += 1) {
      /** @type {number[]} */
      const ticks = [];
      for (let power = Math.ceil(first / every) * every; power <= last; power += every) {
        for (const multiple of multiples) {
          // Number() of the text: 10 ** -3 * 3 is not 0.003.
          const value = Number(`${multiple}e${power}`);
          if (value >= low && value <= high) ticks.push(value);
        }
      }
      if (ticks.length >= 3 && ticks.length <= count + 1) yield ticks;
    }
  }
}

/**
 * @param {number} value
 * @param {string} label
 * @param {number} at
 * @param {[number, number] | undefined} room
 * @returns {Tick}
 */
function place(value, label, at, room) {
  if (!room) return { value, at, label, labelAt: at };
  const half = textWidth(label, FONT.small) / 2;
  return { value, at, label, labelAt: Math.min(room[1] - half, Math.max(room[0] + half, at)) };
}

/**
 * @param {Tick[]} ticks of a lying axis
 * @returns {boolean}
 */
function doNotTouch(ticks) {
  const spans = ticks
    .map(({ label, labelAt }) => ({ middle: labelAt, half: textWidth(label, FONT.small) / 2 }))
    .sort((one, other) => one.middle - other.middle);
  return spans.every((span, at) => {
    const before = spans[at - 1];
    return !before || span.middle - span.half - (before.middle + before.half) >= GAP;
  });
}

/**
 * @param {Tick[]} ticks of an upright axis
 * @returns {boolean}
 */
function areApart(ticks) {
  const places = ticks.map(({ at }) => at).sort((one, other) => one - other);
  return places.every((at, index) => index === 0 || at - /** @type {number} */ (places[index - 1]) >= FONT.small * 1.6);
}
