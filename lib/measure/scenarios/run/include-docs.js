// Measures reads of a view that holds the documents, of one that holds nothing, and of that one with `include_docs`:
// all rows, and pages.

import { createRandom, randomInteger } from '../../../shared/seeded-random.js';
import { formatCount } from '../../../shared/units.js';
import { UserError } from '../../../shared/user-error.js';
import { makeTiny } from '../documents.js';
import { makeId } from '../ids.js';
import { ARMS, SETS, setOfPage } from '../include-docs.js';
import { countDocuments, interleave, loadDocuments } from './rounds.js';
import { listIn } from './timed-requests.js';

/** @import { Workbench } from './workbench.js' */

/** Documents a request while the data is loaded. */
const LOAD_BATCH = 1000;

/** Each view has a design document of its own, so that its index is a file of its own. */
const VIEWS = {
  emitdoc: 'function (doc) { emit(doc._id, doc); }',
  emitnull: 'function (doc) { emit(doc._id, null); }',
};

/**
 * @param {Workbench} bench
 * @returns {Promise<void>}
 */
export async function run(bench) {
  const documents = bench.number('size');
  const database = await bench.create();
  const { seed, ownDocuments, onProgress } = bench.options;
  onProgress('load');
  const make = (/** @type {number} */ number) => ({
    ...(ownDocuments.length > 0 ? ownDocuments[number % ownDocuments.length] : makeTiny(seed, number)),
    _id: makeId('sequential', seed, number),
  });
  await loadDocuments(bench, database, { documents, batch: LOAD_BATCH, make });
  await countDocuments(bench, database, documents);
  for (const [name, map] of Object.entries(VIEWS)) {
    onProgress(`build ${name}`);
    const designDoc = { language: 'javascript', autoupdate: false, views: { rows: { map } } };
    await bench.write(database, 'PUT', `_design/${name}`, designDoc);
    await bench.sample({ set: SETS.build, arm: name, round: 0 }, async () => {
      const { ms } = await bench.time('GET', database, `_design/${name}/_view/rows?limit=1`);
      return { ms, things: documents, ...(await indexSize(bench, database, name)) };
    });
  }
  for (const { id, view, query } of ARMS)
    await checkRows(bench, database, { arm: id, path: pathOf(view, query), documents });

  const rounds = bench.number('rounds');
  for (const { arm, round } of interleave(
    bench,
    SETS.all,
    ARMS.map(({ id }) => id),
    rounds,
  )) {
    const { view, query } = armOf(arm);
    await bench.sample({ set: SETS.all, arm, round }, async () => {
      const { ms, bytes } = await bench.time('GET', database, pathOf(view, query));
      return { ms, bytes, things: 1 };
    });
  }
  for (const page of bench.numbers('pages')) {
    if (page > documents) {
      bench.notes.push(`a page of ${page} rows was skipped: there are only ${formatCount(documents)} documents`);
      continue;
    }
    await measurePages(bench, database, { page, rounds, documents });
  }
}

/**
 * @param {Workbench} bench
 * @param {string} database
 * @param {{page: number, rounds: number, documents: number}} order
 */
async function measurePages(bench, database, { page, rounds, documents }) {
  const { seed } = bench.options;
  const requests = bench.number('requests');
  const set = setOfPage(page);
  for (const { arm, round } of interleave(
    bench,
    set,
    ARMS.map(({ id }) => id),
    rounds,
  )) {
    const { view, query } = armOf(arm);
    // Arms of one round read the same pages.
    const random = createRandom(`${seed} ${set} ${round}`);
    await bench.sample({ set, arm, round }, async () => {
      let ms = 0;
      let bytes = 0;
      const latencies = [];
      for (let request = 0; request < requests; request += 1) {
        const first = makeId('sequential', seed, randomInteger(random, 0, documents - page + 1));
        const range = `limit=${page}&startkey=${encodeURIComponent(JSON.stringify(first))}`;
        const answer = await bench.time('GET', database, pathOf(view, [query, range].filter(Boolean).join('&')));
        ms += answer.ms;
        bytes += answer.bytes;
        latencies.push(answer.ms);
      }
      return { ms, bytes, things: requests, latencies };
    });
  }
}

/**
 * The first reading warms caches, and shows that the arm reads what it is to read.
 * @param {Workbench} bench
 * @param {string} database
 * @param {{arm: string, path: string, documents: number}} order
 */
async function checkRows(bench, database, { arm, path, documents }) {
  bench.options.onProgress(`warm up ${arm}`);
  const { text } = await bench.time('GET', database, path, { keeps: true });
  const rows = listIn(text, 'rows');
  if (rows.length !== documents) {
    throw new UserError('wrong-answer', `${arm} returned ${rows.length} rows for ${documents} documents`);
  }
}

/**
 * @param {string} view
 * @param {string} query
 * @returns {string}
 */
function pathOf(view, query) {
  return `_design/${view}/_view/rows${query === '' ? '' : `?${query}`}`;
}

/** @param {string} id */
function armOf(id) {
  const arm = ARMS.find((one) => one.id === id);
  if (!arm) throw new TypeError(`no arm ${id}`);
  return arm;
}

/**
 * @param {Workbench} bench
 * @param {string} database
 * @param {string} name of the design document
 * @returns {Promise<{sizes?: Record<string, number>}>} nothing where the server does not report them
 */
async function indexSize(bench, database, name) {
  const { view_index: index } = await bench.read(database, `_design/${name}/_info`);
  const file = index?.sizes?.file;
  return typeof file === 'number' && file > 0 ? { sizes: { index: file } } : {};
}
