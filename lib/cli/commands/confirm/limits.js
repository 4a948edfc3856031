// Checks what a run of `confirm` may take: the numbers that were typed, the bytes that it would write, the room on the server.

import { formatBytes } from '../../../shared/units.js';
import { UserError } from '../../../shared/user-error.js';

/** @import { Server } from '../../../measure/servers/server.js' */
/** @import { Experiment } from '../../../measure/experiments/experiment.js' */
/** @import { ConfirmOptions } from './run.js' */

/** What all experiments may write, in bytes of documents as JSON. */
const MAX_BYTES = 1_000_000_000;
/** More documents than this are no micro-benchmark, and fill disks. */
const MAX_DOCUMENTS = 100_000;
const MIN_DOCUMENTS = 100;
const MAX_CONNECTIONS = 100;
/** So many times the size of its documents a database may take while it is written and indexed. */
const ROOM = 8;

/** @param {ConfirmOptions} options @throws {UserError} */
export function checkNumbers({ maxDocs, maxBytes, runs, connections }) {
  /** @type {[string, number | undefined, number, number][]} */
  const limits = [
    ['max-docs', maxDocs, MIN_DOCUMENTS, MAX_DOCUMENTS],
    ['max-bytes', maxBytes, 1_000_000, 1e15],
    ['runs', runs, 1, 10_000],
    ['connections', connections, 1, MAX_CONNECTIONS],
  ];
  for (const [name, value, least, most] of limits) {
    if (value === undefined || (value >= least && value <= most)) continue;
    throw new UserError('bad-number', `invalid --${name} ${value}: must be between ${least} and ${most}`, {
      hint: `for example: --${name} ${least}`,
    });
  }
}

/**
 * @param {Server} server
 * @param {Experiment[]} experiments
 * @param {ConfirmOptions} options
 * @throws {UserError} where more would be written than is allowed, or there is room for
 */
export async function checkSpace(server, experiments, { maxBytes = MAX_BYTES, maxDocs }) {
  const bytes = experiments.reduce((sum, experiment) => sum + bytesOf(experiment, maxDocs), 0);
  if (bytes > maxBytes) {
    throw new UserError(
      'too-much-data',
      `the experiments would write ${formatBytes(bytes)} of documents, more than --max-bytes (${formatBytes(maxBytes)})`,
      {
        hint: 'select fewer experiments with --rule, or reduce --max-docs',
      },
    );
  }
  const free = await server.readFreeBytes?.();
  // Trees that are appended to, indexes and compaction take several times what the documents do.
  if (free !== undefined && free < bytes * ROOM) {
    throw new UserError(
      'too-little-space',
      `the server has ${formatBytes(free)} of free disk space; the run may write ${formatBytes(bytes * ROOM)}`,
      {
        hint: 'select fewer experiments with --rule, or reduce --max-docs',
      },
    );
  }
}

/**
 * @param {Experiment} experiment
 * @param {number | undefined} documents
 * @returns {number} of documents that are written at once, about
 */
function bytesOf({ dataset, arms, obstacle, isSeparate }, documents = dataset.documents) {
  if (obstacle !== undefined) return 0;
  const bytes = dataset.given
    ? dataset.given.documents.reduce((sum, document) => sum + JSON.stringify(document).length, 0)
    : ((dataset.paddingBytes ?? 200) + 300) * documents;
  // Rounds of loads and replications write a database each, which is dropped before the next.
  return bytes * (isSeparate || arms.some(({ measure }) => measure === 'load' || measure === 'replicate') ? 2 : 1);
}
