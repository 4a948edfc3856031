// Settles the parts of files: how many lines each has, and its first and last minute. Once all parts are in, examples
// get the numbers that their lines have in the whole file, and clocks that jumped back between two parts are detected.

/** @import { Digest } from './digest.js' */

/** Servers write lines a little out of order; clocks that are set back go further. */
export const JUMP_MINUTES = 10;

/**
 * @typedef {object} Part What is known of a part of a file beside its counts.
 * @property {string} file
 * @property {number} part its number: parts of a file stand in the order of their numbers
 * @property {number} lines
 * @property {PartClock} [clock] absent where no line has a time
 */

/** @typedef {{from: number, line: number, to: number}} PartClock minutes since 1970; `line` is where the first of them stands, from 1 */

/**
 * @param {Part} first
 * @param {Part} second
 * @returns {number}
 */
export function compareParts(first, second) {
  if (first.file !== second.file) return first.file < second.file ? -1 : 1;
  return first.part - second.part;
}

/** @param {Digest} digest all of whose parts are in; changed, and has no parts afterwards */
export function settleParts(digest) {
  const parts = digest.parts.toSorted(compareParts);
  digest.parts = [];
  findJumps(digest, parts);
  /** By file: numbers of its parts, and how many lines stand before each. @type {Map<string, Map<number, number>>} */
  const starts = new Map();
  let before = 0;
  for (const [at, { file, part, lines }] of parts.entries()) {
    if (parts[at - 1]?.file !== file) before = 0;
    const ofFile = starts.get(file) ?? new Map();
    ofFile.set(part, before);
    starts.set(file, ofFile);
    before += lines;
  }
  const { groups, problems, queryServers, reports } = digest;
  const holders = [groups, problems, queryServers, reports.tallies].flatMap((map) => [...map.values()]);
  for (const { examples } of holders) {
    for (const example of examples) {
      if (example.part === undefined) continue;
      example.line += starts.get(example.file)?.get(example.part) ?? 0;
      delete example.part;
    }
  }
}

/**
 * @param {Digest} digest gets what is found
 * @param {Part[]} parts in order
 */
function findJumps(digest, parts) {
  let file = '';
  let last = Number.NEGATIVE_INFINITY;
  for (const { clock, ...place } of parts) {
    if (place.file !== file) last = Number.NEGATIVE_INFINITY;
    file = place.file;
    if (clock === undefined) continue;
    if (clock.from + JUMP_MINUTES < last) {
      digest.addProblemAt('clock-jumped-back', { file, part: place.part, line: clock.line });
    }
    last = clock.to;
  }
}
