// Extrapolates the cost of a document in an index from a replayed sample to a database of more documents.
// docs/storage-model.md has the errors.

import { CHUNK_SIZE } from './constants.js';
import { ownBytes } from './tree.js';

/** @import { Tree, TreeNode } from './tree.js' */

/**
 * @typedef {object} TreeRun What a replay did to one B-tree.
 * @property {number} bytes written, headers not counted
 * @property {number} rootBytes of them: roots
 * @property {number} actions entries that were added or removed
 * @property {number} innerBytes of a usual node that is no leaf
 * @property {number} fanOut children of such a node
 * @property {number} rootChildren children of the last root
 */

/** How full a node is where there is none to look at. */
const USUAL_FILL = 0.75;
/** The tree of a build grows: its size is taken at so many moments. */
const MOMENTS = 8;

/**
 * @param {Tree} tree
 * @param {Pick<Tree, 'bytes' | 'rootBytes' | 'actions'>} [before] the same figures before the replay
 * @returns {TreeRun}
 */
export function readRun(tree, before = { bytes: 0, rootBytes: 0, actions: 0 }) {
  const { root } = tree;
  /** @type {TreeNode[]} */
  const inner = [];
  /** @type {TreeNode[]} */
  const open = [...(root?.children ?? [])];
  for (let node = open.pop(); node; node = open.pop()) {
    if (!node.children) continue;
    inner.push(node);
    open.push(...node.children);
  }
  const children = root?.children?.length ?? 0;
  const entry = root?.entryBytes ?? 1;
  const fanOut =
    inner.length > 0
      ? inner.reduce((sum, node) => sum + (node.children?.length ?? 0), 0) / inner.length
      : Math.max(2, (CHUNK_SIZE * USUAL_FILL) / entry);
  const innerBytes =
    inner.length > 0
      ? inner.reduce((sum, node) => sum + ownBytes(node), 0) / inner.length
      : root && children > 0
        ? (ownBytes(root) / children) * fanOut
        : CHUNK_SIZE / 2;
  return {
    bytes: tree.bytes - before.bytes,
    rootBytes: tree.rootBytes - before.rootBytes,
    actions: tree.actions - before.actions,
    innerBytes,
    fanOut,
    rootChildren: Math.max(1, children),
  };
}

/**
 * A batch in a larger tree meets as many nodes a document as one that is as much smaller does in the sample; above the sample's root
 * there are more levels.
 * @param {TreeRun} run of the sample, with a batch as much smaller as the sample is, but of one document at least
 * @param {object} size
 * @param {number} size.documents that were written in the run
 * @param {number} size.scale how many times more documents the database has than the sample
 * @param {number} size.batch documents in an update of the database
 * @param {boolean} size.grows whether the tree began empty
 * @returns {number} bytes a document
 */
export function scatteredCost(run, { documents, scale, batch, grows }) {
  let above = 0;
  const moments = grows ? MOMENTS : 1;
  for (let moment = 1; moment <= moments; moment += 1)
    above += bytesAbove(run, (scale * moment) / moments, (batch * run.actions) / documents) / moments;
  return (run.bytes - run.rootBytes) / documents + above / batch;
}

/**
 * @param {TreeRun} run
 * @param {number} scale
 * @param {number} actions of an update
 * @returns {number} bytes of the nodes from the level of the sample's root up that an update writes
 */
function bytesAbove({ innerBytes, fanOut, rootChildren }, scale, actions) {
  let bytes = 0;
  let nodes = (scale * rootChildren) / fanOut;
  for (; nodes > 1; nodes /= fanOut) bytes += nodes * (1 - (1 - 1 / nodes) ** actions) * innerBytes;
  // The root is as full as it happens to be: half of a node on average.
  return bytes + innerBytes * Math.min(1, Math.max(nodes, 1 / fanOut));
}

/**
 * How much of a cost depends on where rows land: all of it where they are scattered over the tree, nothing where they come behind each
 * other in a few places.
 * @param {object} costs bytes a document
 * @param {number} costs.whole of the sample in updates of the database's batch
 * @param {number} costs.part of a part of the sample in the same
 * @param {number} costs.scaled of the part in updates that are as much smaller as the part is
 * @returns {number} 0 to 1
 */
export function scatteredShare({ whole, part, scaled }) {
  if (scaled - part <= 0.02 * part) return 0;
  return Math.min(1, Math.max(0, (whole - part) / (scaled - part)));
}
