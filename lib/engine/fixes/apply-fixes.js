// Applies fixes in memory, round by round, until nothing is left to fix. Writes no file: it returns the edits and the
// resulting texts.

import { SourceFile } from '../../shared/source-file.js';
import { attachFixes } from './attach.js';
import { applyEdits, chooseFixes } from './edit.js';

/** @import { Link } from './attach.js' */

/** @typedef {{file: SourceFile, text: string}} Change a file as it was read, and the text it would get */

/** A fix may uncover another, or wait for one at the same place; fixes that undo each other end here. */
const MAX_ROUNDS = 10;

/**
 * Fixes until nothing is left to fix.
 * @template {{links: Link[]}} A
 * @param {A} first what was found
 * @param {object} options
 * @param {boolean} options.unsafe whether fixes that may change results are made too
 * @param {(texts: Map<string, SourceFile>) => Promise<A>} options.again judges again, with these files instead of those that
 *   were read
 * @returns {Promise<{last: A, changes: Change[]}>} what is found at the end, and the files that differ then
 */
export async function applyFixes(first, { unsafe, again }) {
  /** @type {Map<string, {file: SourceFile, now: SourceFile}>} */
  const changed = new Map();
  let last = first;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const edits = await attachFixes(last.links);
    const wanted = last.links.filter(
      ({ finding }) =>
        finding.fix &&
        (finding.fix.safe || unsafe) &&
        edits.get(finding.key)?.every(({ file }) => !file.isRemote) === true,
    );
    const { chosen } = chooseFixes(wanted.map(({ finding }) => edits.get(finding.key) ?? []));
    if (chosen.size === 0) break;
    for (const [file, list] of chosen) {
      const now = new SourceFile(file.path, applyEdits(file.text, list).text);
      changed.set(file.path, { file: changed.get(file.path)?.file ?? file, now });
    }
    last = await again(new Map([...changed].map(([path, { now }]) => [path, now])));
  }
  const changes = [...changed.values()].map(({ file, now }) => ({ file, text: now.text }));
  return { last, changes: changes.filter(({ file, text }) => file.text !== text) };
}
