// Samples how many documents of a database have conflicts: its newest changes show which have several leaves, and a few of these
// whether the leaves are conflicts. Leaves that were deleted are none, and the changes do not tell them apart.

import { asObject } from '../../shared/values.js';
import { changesPath, conflictsPath, isAllowed } from './allowed-requests.js';

/** @import { ConflictSample } from './record.js' */

/** Documents with several leaves that are read: the one with most, and two of the others. */
const SPREAD = 2;

/**
 * @param {(path: string) => Promise<unknown>} read undefined where there is no answer
 * @param {string} name of a database
 * @returns {Promise<ConflictSample | undefined>} undefined where its changes could not be read
 */
export async function readConflicts(read, name) {
  const results = asObject(await read(changesPath(name)))?.['results'];
  if (!Array.isArray(results)) return undefined;
  const several = results.flatMap((row) => {
    const { id, changes, deleted } = asObject(row) ?? {};
    // Where the winning leaf is deleted, all are.
    const isOpen = typeof id === 'string' && deleted !== true && Array.isArray(changes) && changes.length > 1;
    return isOpen && isAllowed('GET', conflictsPath(name, id)) ? [{ id, leaves: changes.length }] : [];
  });
  const [most] = several.toSorted((one, other) => other.leaves - one.leaves);
  const documents = [];
  for (const { id } of most ? [most, ...spread(several.filter((row) => row !== most))] : []) {
    const document = asObject(await read(conflictsPath(name, id)));
    if (typeof document?.['_rev'] !== 'string') continue;
    const conflicts = document['_conflicts'];
    documents.push({ id, conflicts: Array.isArray(conflicts) ? conflicts.length : 0, isMost: id === most?.id });
  }
  return { changes: results.length, several: several.length, documents };
}

/**
 * @template T
 * @param {T[]} rows
 * @returns {T[]} some at even distances
 */
function spread(rows) {
  const step = Math.max(1, rows.length / SPREAD);
  return rows.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step)).slice(0, SPREAD);
}

/**
 * Ids may be names or addresses of people: they are shown to who reads the server, and not recorded.
 * @param {Map<string, unknown>} answers about a database
 * @returns {Map<string, unknown>}
 */
export function withoutIds(answers) {
  return new Map(
    [...answers].map(([path, answer]) => {
      const { documents, ...rest } = asObject(answer) ?? {};
      if (!path.includes('/_changes?') || !Array.isArray(documents)) return [path, answer];
      return [path, { ...rest, documents: documents.map((document) => ({ ...asObject(document), id: undefined })) }];
    }),
  );
}
