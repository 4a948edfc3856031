// Collects what an experiment needs of a load of the user: its first documents with their ids, in their order and requests.

import { createRandom, randomInteger } from '../../../shared/seeded-random.js';
import { countOf } from '../../../shared/units.js';
import { ServerIds } from '../../../storage-model/server-ids.js';

/** @import { BoundLoad } from '../../../measure/experiments/bind-load.js' */
/** @import { Assumption } from '../../../measure/experiments/experiment.js' */
/** @import { FirstDocuments } from '../../../sources/loads/first-documents.js' */
/** @import { LoadRecord } from '../../../sources/record.js' */
/** @import { Binding } from './bind-findings.js' */

/** Documents and bytes of one round: a load of some seconds shows what hours would. */
const MAX_DOCUMENTS = 10_000;
const MAX_BYTES = 20_000_000;
/** The outcome that says that the server makes ids in no order. */
const RANDOM_OF_SERVER = 'server-makes-random-ids';

/**
 * @param {LoadRecord} record
 * @param {{name: string, outcome: string}} about
 * @param {Pick<Binding, 'seed' | 'documents' | 'readLoad'>} binding
 * @returns {Promise<BoundLoad>}
 */
export async function describeLoad(
  { documents },
  { name, outcome },
  { seed, documents: most = MAX_DOCUMENTS, readLoad },
) {
  const first = await readLoad(name, { documents: Math.min(most, MAX_DOCUMENTS), bytes: MAX_BYTES });
  const isRandom = outcome === RANDOM_OF_SERVER;
  return {
    name,
    outcome,
    data: {
      documents: withIds(first.documents, isRandom ? randomIds(seed) : sequentialIds()),
      keys: [],
      ...(first.requestEnds ? { requestEnds: first.requestEnds } : {}),
    },
    documents,
    assumed: assumptionsOf(first.counts, isRandom),
  };
}

/**
 * @param {FirstDocuments['counts']} counts
 * @param {boolean} isRandom
 * @returns {Assumption[]}
 */
function assumptionsOf({ withoutId, revisions, attachments, repeated }, isRandom) {
  /** @type {Assumption[]} */
  const assumed = [];
  if (withoutId > 0) {
    const ids = isRandom ? 'random ids' : '`algorithm = sequential` ids';
    assumed.push({ part: 'ids', text: `${countOf(withoutId, 'document')} without an id got ${ids}` });
  }
  if (revisions > 0)
    assumed.push({ part: 'documents', text: `${countOf(revisions, 'revision')} ignored: all documents are new` });
  if (attachments > 0)
    assumed.push({ part: 'documents', text: `the attachments of ${countOf(attachments, 'document')} are ignored` });
  if (repeated > 0)
    assumed.push({ part: 'documents', text: `${countOf(repeated, 'document')} with a repeated id ignored` });
  return assumed;
}

/**
 * @param {Record<string, unknown>[]} documents
 * @param {() => string} next
 * @returns {{_id: string}[]}
 */
function withIds(documents, next) {
  return documents.map((document) => ({
    ...document,
    _id: typeof document['_id'] === 'string' ? document['_id'] : next(),
  }));
}

/** @returns {() => string} as a server makes them */
function sequentialIds() {
  const ids = new ServerIds();
  return () => ids.next();
}

/** @param {string} seed @returns {() => string} 32 hexadecimal digits, as `algorithm = random` makes them */
function randomIds(seed) {
  const random = createRandom(`${seed} ids of the server`);
  return () => Array.from({ length: 32 }, () => randomInteger(random, 0, 16).toString(16)).join('');
}
