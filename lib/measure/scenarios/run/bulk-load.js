// Measures loads of one set of documents under ids of several orders, made here or by the server, and in batches of
// several sizes; and the files they leave, before and after compaction.

import { formatCount } from '../../../shared/units.js';
import { UserError } from '../../../shared/user-error.js';
import { CURVE_KINDS, documentsOfPoint, SETS, setOfBatch } from '../bulk-load.js';
import { makeRecord } from '../documents.js';
import { ID_KINDS, makeId } from '../ids.js';
import { withSetting } from './change-config.js';
import { countDocuments, interleave, loadDocuments, watchLoad } from './rounds.js';

/** @import { IdKind } from '../ids.js' */
/** @import { Workbench } from './workbench.js' */

/** What `[uuids] algorithm` may be in every CouchDB from 1.3 on (src/couch/src/couch_uuids.erl, state/0). Another word stops the server's ids. */
const ALGORITHMS = ['random', 'sequential', 'utc_id', 'utc_random'];

/** Between looks whether a compaction has ended, in milliseconds, and the longest it may take. */
const LOOK_EVERY = 100;
const LONGEST_COMPACTION = 1_800_000;
/** A compaction that was not seen after so long, in milliseconds, was too short to be seen. */
const LONGEST_BEGIN = 2000;

/**
 * @param {Workbench} bench
 * @returns {Promise<void>}
 */
export async function run(bench) {
  if (!bench.has('append-only-tree')) {
    bench.missing.push(
      `${bench.server.about.name} has no append-only B-tree files: id order has other costs here, and no file grows`,
    );
  }
  const documents = bench.number('size');
  const rounds = bench.number('rounds');
  const arms = [...ID_KINDS, ...(await serverArms(bench))];
  for (const { arm, round } of interleave(bench, SETS.ids, arms, rounds)) {
    await measureLoad(
      bench,
      { set: SETS.ids, arm, round },
      { documents, batch: bench.number('batch'), compacts: true },
    );
  }
  for (const batch of bench.numbers('batches')) {
    if (batch > documents) {
      bench.notes.push(`batches of ${batch} were skipped: there are only ${formatCount(documents)} documents`);
      continue;
    }
    const set = setOfBatch(batch);
    for (const { arm, round } of interleave(bench, set, [...CURVE_KINDS], rounds)) {
      await measureLoad(
        bench,
        { set, arm, round },
        { documents: documentsOfPoint(batch, documents), batch, compacts: false },
      );
    }
  }
}

/**
 * @param {Workbench} bench
 * @param {{set: string, arm: string, round: number}} place
 * @param {{documents: number, batch: number, compacts: boolean}} load
 */
async function measureLoad(bench, place, { documents, batch, compacts }) {
  const algorithm = /^server, (\w+)$/.exec(place.arm)?.[1];
  const database = await bench.create(bench.number('shard-count'));
  try {
    const load = async () => {
      const make = makerOf(bench, place.arm);
      const { ms, bytes } = await loadDocuments(bench, database, { documents, batch, make });
      return { ms, bytes, things: documents };
    };
    const work = () => watchLoad(bench, database, () => bench.sample(place, load));
    const known = bench.server.about.settings['algorithm'];
    const sample =
      algorithm === undefined || algorithm === known
        ? await work()
        : await withSetting(bench, 'uuids', 'algorithm', algorithm, work);
    const { sizes } = await countDocuments(bench, database, documents);
    if (typeof sizes?.file === 'number')
      sample.sizes = { file: sizes.file, ...(compacts ? await compact(bench, database, sizes.file) : {}) };
  } finally {
    await bench.drop(database);
  }
}

/**
 * @param {Workbench} bench
 * @param {string} arm
 * @returns {(number: number) => Record<string, unknown>}
 */
function makerOf({ options: { seed, ownDocuments } }, arm) {
  const kind = ID_KINDS.find((one) => one === arm);
  return (number) => ({
    ...(kind === undefined ? {} : { _id: makeId(/** @type {IdKind} */ (kind), seed, number) }),
    ...(ownDocuments.length > 0 ? ownDocuments[number % ownDocuments.length] : makeRecord(seed, number)),
  });
}

/**
 * @param {Workbench} bench
 * @returns {Promise<string[]>} an arm for each algorithm that the server has set or that may be set
 */
async function serverArms(bench) {
  if (bench.server.kind === 'embedded') return ['server'];
  const { status, body } = await bench.server.ask('GET', '_node/_local/_config/uuids/algorithm');
  const set = status === 200 && typeof body === 'string' ? body.trim() : 'sequential';
  bench.server.about.settings['algorithm'] = set;
  if (bench.options.mayChangeConfig) return ALGORITHMS.map((name) => `server, ${name}`);
  bench.notes.push('the server generated ids with the configured algorithm; --change-config also runs the others');
  return [`server, ${set}`];
}

/**
 * @param {Workbench} bench
 * @param {string} database
 * @param {number} before bytes of the file
 * @returns {Promise<{compacted: number}>} bytes of the file when all shards are compacted
 */
async function compact(bench, database, before) {
  await bench.write(database, 'POST', '_compact', {});
  let hasBegun = false;
  for (let waited = 0; waited < LONGEST_COMPACTION; waited += LOOK_EVERY) {
    await bench.options.pause(LOOK_EVERY);
    bench.check();
    const { compact_running: isRunning, sizes } = await bench.read(database, '');
    if (typeof sizes?.file !== 'number')
      throw new UserError('wrong-answer', 'the server does not report the file size');
    hasBegun ||= isRunning || sizes.file !== before || waited >= LONGEST_BEGIN;
    if (hasBegun && !isRunning) return { compacted: sizes.file };
  }
  throw new UserError('compaction-hangs', `a compaction did not finish within ${LONGEST_COMPACTION / 60_000} minutes`);
}
