// Gives the documents that `confirm` measures with: those of the user's files, or of a database of the server with their values scrambled.

import { sampleDatabase } from '../../../measure/servers/sample-database.js';
import { literalsOf, scramble } from '../../../proof/synthesis/scramble.js';

/** @import { Analysis } from '../../../engine/pipeline.js' */
/** @import { Server } from '../../../measure/servers/server.js' */
/** @import { Prepared } from '../../prepare.js' */
/** @import { Samples } from './bind-findings.js' */
/** @import { ConfirmOptions } from './run.js' */

/** Documents that are taken of the user, where the options do not say otherwise. */
const MAX_SAMPLED = 5000;

/**
 * @param {Server} server
 * @param {Analysis} analysis
 * @param {Prepared} prepared
 * @param {ConfirmOptions} options
 * @returns {Promise<Samples>}
 */
export async function readSamples(server, { run }, { openDocuments }, { sampleFrom, keepValues, maxDocs, seed = '1' }) {
  const most = maxDocs ?? MAX_SAMPLED;
  if (sampleFrom === undefined) {
    const documents = (await openDocuments?.(most)) ?? [];
    const loads = run.subjects.flatMap((subject) => (subject.kind === 'load' ? [subject.record.documents] : []));
    const total = loads.reduce((sum, count) => sum + count, 0);
    return { documents, total: Math.max(total, documents.length), areScrambled: false };
  }
  const { documents: sampled, total } = await sampleDatabase(server, sampleFrom, most);
  if (keepValues) return { documents: sampled, total, areScrambled: false };
  // What maps compare with is kept, or nothing would be emitted of the copies.
  const maps = run.subjects.flatMap((subject) =>
    subject.kind === 'view' && subject.map ? [subject.map.text.text] : [],
  );
  const keep = new Set(maps.flatMap((map) => [...literalsOf(map)]));
  return { documents: sampled.map((document) => scramble(document, { seed, keep })), total, areScrambled: true };
}
