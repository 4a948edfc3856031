// Renders an index build that was watched: a line for each poll, and a summary.

import { formatCount } from '../shared/units.js';

/** @typedef {{ms: number, done: number, total: number, rate: number | null}} BuildPoint `rate`: changes a second */

/**
 * @param {BuildPoint} point
 * @returns {string} `   3.0 s      12,400 of 50,000   24 %    4,100 changes/s`
 */
export function renderBuildPoint({ ms, done, total, rate }) {
  const seconds = (ms / 1000).toFixed(1).padStart(6);
  const of = total > 0 ? ` of ${group(total)}  ${String(Math.floor((done / total) * 100)).padStart(3)} %` : '';
  const speed = rate === null ? '' : `  ${group(rate).padStart(8)} changes/s`;
  return `${seconds} s  ${group(done).padStart(11)}${of}${speed}\n`;
}

/**
 * @param {{index: string, points: BuildPoint[], shards: number}} build
 * @returns {string}
 */
export function renderWatchedBuild({ index, points, shards }) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return `${index}: no build seen\n`;
  const seconds = (last.ms - first.ms) / 1000;
  const speed = seconds > 0 ? `, ${group((last.done - first.done) / seconds)} changes/s on average` : '';
  const head = `${index}: ${group(last.done)} changes after ${seconds.toFixed(1)} s${speed}, ${shards} ${shards === 1 ? 'shard' : 'shards'}\n`;
  const rates = points.flatMap(({ rate }) => rate ?? []);
  if (rates.length < 2) return head;
  const [begin, least, most, end] = [rates[0] ?? 0, Math.min(...rates), Math.max(...rates), rates.at(-1) ?? 0].map(
    group,
  );
  return `${head}  first ${begin}/s, slowest ${least}/s, fastest ${most}/s, last ${end}/s\n`;
}

/** @param {number} number @returns {string} `19,821` */
function group(number) {
  return formatCount(Math.round(number));
}
