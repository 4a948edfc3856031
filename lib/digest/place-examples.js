// Examples that were found in blocks of files get the numbers that their lines have in the whole file.

/** @import { Digest } from './digest.js' */
/** @import { PlacedExample } from './shape-group.js' */

/**
 * @param {Digest} digest changed
 * @param {ReadonlyMap<string, number[]>} starts by file, how many lines stand before each of its blocks
 */
export function placeExamples(digest, starts) {
  const holders = [...digest.groups.values(), ...digest.problems.values(), ...digest.queryServers.values()];
  for (const { examples } of holders) for (const example of examples) place(example, starts);
}

/**
 * @param {PlacedExample} example
 * @param {ReadonlyMap<string, number[]>} starts
 */
function place(example, starts) {
  if (example.block === undefined) return;
  example.line += starts.get(example.file)?.[example.block] ?? 0;
  delete example.block;
}
