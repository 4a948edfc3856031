// Computes the disk space that the indexes of a change take while it is deployed. Pure.

import { deployCost } from '../../shared/deploy-cost.js';
import { formatBytes } from '../../shared/units.js';
import { isBuilt } from './index-builds.js';
import { nameOfIndex } from './index-sizes.js';

/** @import { DeployCost, IndexDeploy } from '../../shared/deploy-cost.js' */
/** @import { IndexBuild } from './index-builds.js' */
/** @import { IndexSizes } from './index-sizes.js' */

/**
 * Without documents the new index is taken to be as large as the old one. Right after a build its file has up to so many times what is in use
 * (measured on 3.4.3 and 3.5.0: 0.8 to 11.9 times, 1,000 to 100,000 documents, docs/storage-model.md); with more documents it is more.
 */
const USUAL_LARGEST = 12;

/**
 * @typedef {object} DiskCost
 * @property {DeployCost | undefined} cost of all indexes that are built and whose size is known; undefined where there is none
 * @property {{index: IndexBuild, cost: DeployCost, basis: string}[]} indexes
 * @property {IndexBuild[]} unknown indexes that are built and whose size is unknown
 * @property {number | undefined} free
 */

/**
 * @param {IndexBuild[]} builds
 * @param {IndexSizes} sizes
 * @param {number | undefined} free bytes
 * @returns {DiskCost | undefined} undefined where nothing is built, or neither sizes nor free space are known
 */
export function findDiskCost(builds, sizes, free) {
  const built = builds.filter(({ fate }) => isBuilt(fate));
  if (built.length === 0 || (free === undefined && sizes.current.size + sizes.predicted.size === 0)) return undefined;
  /** @type {IndexDeploy[]} */
  const deploys = [];
  /** @type {DiskCost} */
  const result = { cost: undefined, indexes: [], unknown: [], free };
  for (const index of built) {
    const found = deployOf(index, sizes);
    if (!found) {
      result.unknown.push(index);
      continue;
    }
    deploys.push(found.deploy);
    result.indexes.push({ index, cost: deployCost([found.deploy], free), basis: found.basis });
  }
  if (deploys.length > 0) result.cost = deployCost(deploys, free);
  return result;
}

/**
 * @param {IndexBuild} index
 * @param {IndexSizes} sizes
 * @returns {{deploy: IndexDeploy, basis: string} | undefined}
 */
function deployOf({ designDoc, kind, name, fate, signatureBefore }, { current, predicted }) {
  // Files of search indexes are of another kind.
  if (kind !== 'views' && kind !== 'mango') return undefined;
  const old = fate === 'new' ? undefined : (current.get(signatureBefore ?? '') ?? current.get(designDoc ?? ''));
  const prediction = predicted.get(nameOfIndex(designDoc, kind === 'mango' ? name : ''));
  const oldBytes = old?.file ?? 0;
  if (prediction) {
    const { fileBytes, buildBytes } = prediction;
    return { deploy: { oldBytes, buildBytes, newBytes: fileBytes }, basis: 'predicted from documents' };
  }
  if (!old) return undefined;
  return {
    deploy: {
      oldBytes,
      buildBytes: { low: old.active, high: old.active * USUAL_LARGEST },
      newBytes: old.active,
      isGuessed: true,
    },
    basis: 'taken to be as large as the old index',
  };
}

/**
 * @param {DiskCost} disk
 * @returns {string} one or two sentences
 */
export function summarizeDisk({ cost, unknown }) {
  const missing =
    unknown.length === 0
      ? ''
      : ` Not counted: ${unknown.length} ${unknown.length === 1 ? 'index' : 'indexes'} of unknown size (\`--sizes\`).`;
  if (!cost) return `Disk space: unknown, requires the sizes of the indexes (\`--sizes\`).`;
  const verdict = cost.fits === undefined ? 'unknown whether it fits' : cost.fits ? 'it fits' : 'it does not fit';
  const lasting = `${formatBytes(Math.abs(cost.lastingBytes))} ${cost.lastingBytes < 0 ? 'less' : 'more'}`;
  return `Disk space: the deploy takes ${rangeOf(cost.moreBytes)} until \`_view_cleanup\` and compaction, ${lasting} afterwards; ${verdict}: ${cost.reason}.${missing}`;
}

/**
 * @param {DiskCost['indexes'][number]} index
 * @returns {string} `old index 1.2 GB; takes 2.0 GB to 3.1 GB more during the deploy (predicted from documents)`
 */
export function describeDisk({ cost, basis }) {
  const now = cost.peakBytes.low - cost.moreBytes.low;
  return `${now > 0 ? `old index ${formatBytes(now)}; ` : ''}takes ${rangeOf(cost.moreBytes)} more during the deploy (${basis})`;
}

/** @param {{low: number, high: number}} range @returns {string} */
function rangeOf({ low, high }) {
  const [from, to] = [formatBytes(low), formatBytes(high)];
  return from === to ? from : `${from} to ${to}`;
}
