// Measures every way to answer one question: reading all, index documents kept by hand, a view, a Mango index; with few
// and more shards; and the loads. Every way must give the same answer.

import { UserError } from '../../../shared/user-error.js';
import { codeOf, countInId, indexIdOf, LIMIT, LOADS, setOfLoad, setOfQuery, WAYS } from '../coupons.js';
import { makeCoupon } from '../documents.js';
import { countDocuments, interleave, loadDocuments, watchLoad } from './rounds.js';
import { listIn } from './timed-requests.js';

/** @import { IndexDocuments } from '../coupons.js' */
/** @import { Workbench } from './workbench.js' */

/** @typedef {{databases: Record<IndexDocuments, string>, shards: number, round: number, due: number}} CouponQuery */
/** @typedef {{ms: number, bytes: number, found: number}} Reply */

const MAP = 'function (doc) { if (doc.redeemed_count !== undefined) emit(doc.redeemed_count, null); }';
/** In front of and behind all ids of index documents. */
const FIRST = 'idx=redeemed/';
const LAST = 'idx=redeemed0';
const COLD_MANGO = 'Mango index, cold';
/** A Mango answer has as many rows as are requested; 25 is what it gives by itself. */
const ALL = 1_000_000_000;

/**
 * @param {Workbench} bench
 * @returns {Promise<void>}
 */
export async function run(bench) {
  const wanted = bench.numbers('shards');
  const shardCounts = bench.has('scatter-gather') ? wanted : wanted.slice(0, 1);
  if (shardCounts.length < wanted.length) {
    bench.missing.push(`${bench.server.about.name} has no shards to query and merge: a database is a single shard`);
  }
  const rounds = bench.number('rounds');
  /** @type {Map<number, Record<IndexDocuments, string>>} */
  const kept = new Map();
  const loads = shardCounts.flatMap((shards) => Object.keys(LOADS).map((data) => `${shards} ${data}`));
  for (const { arm, round } of interleave(bench, 'load', loads, rounds)) {
    const [shards = '', data = 'none'] = arm.split(' ');
    const loaded = await measureLoad(bench, {
      shards: Number(shards),
      data: /** @type {IndexDocuments} */ (data),
      round,
    });
    // The databases of the last round are those that are queried.
    if (round < rounds - 1) await bench.drop(loaded);
    else
      kept.set(Number(shards), {
        ...(kept.get(Number(shards)) ?? { none: '', names: '', ranges: '' }),
        [data]: loaded,
      });
  }
  const due = countDue(bench);
  const ways = WAYS.map(({ id }) => id).filter((id) => bench.server.kind === 'couchdb' || id !== COLD_MANGO);
  if (bench.server.kind === 'embedded')
    bench.missing.push(`${bench.server.about.name} builds identical Mango indexes only once, so none is cold twice`);
  const queries = shardCounts.flatMap((shards) => ways.map((way) => `${shards} ${way}`));
  for (const shards of shardCounts) await warmUp(bench, kept, { shards, ways, due });
  for (const { arm, round } of interleave(bench, 'ask', queries, rounds)) {
    const shards = Number(arm.split(' ')[0]);
    const way = arm.slice(arm.indexOf(' ') + 1);
    const databases = kept.get(shards);
    if (databases) await measureAsk(bench, way, { databases, shards, round, due });
  }
}

/**
 * @param {Workbench} bench
 * @param {{shards: number, data: IndexDocuments, round: number}} load
 * @returns {Promise<string>} the database
 */
async function measureLoad(bench, { shards, data, round }) {
  const { seed } = bench.options;
  const coupons = bench.number('size');
  const documents = data === 'none' ? coupons : 2 * coupons;
  const database = await bench.create(shards);
  const make = (/** @type {number} */ number) => {
    // A coupon and its index document go in one after the other, as its writer would send them.
    const at = data === 'none' ? number : Math.floor(number / 2);
    const coupon = makeCoupon(seed, at);
    const code = codeOf(at);
    return data === 'none' || number % 2 === 0
      ? { _id: code, ...coupon }
      : { _id: indexIdOf(data, code, coupon.redeemed_count) };
  };
  const load = async () => {
    const { ms, bytes } = await loadDocuments(bench, database, { documents, batch: bench.number('batch'), make });
    return { ms, bytes, things: documents };
  };
  const place = { set: setOfLoad(shards), arm: LOADS[data], round };
  const sample = await watchLoad(bench, database, () => bench.sample(place, load));
  const { sizes } = await countDocuments(bench, database, documents);
  if (typeof sizes?.file === 'number') sample.sizes = { file: sizes.file };
  return database;
}

/**
 * @param {Workbench} bench
 * @param {Map<number, Record<IndexDocuments, string>>} kept
 * @param {{shards: number, ways: string[], due: number}} asked
 */
async function warmUp(bench, kept, { shards, ways, due }) {
  const databases = kept.get(shards);
  if (!databases) return;
  const question = { databases, shards, round: -1, due };
  // Builds what `warm` queries; the others fill caches.
  for (const way of ways) check(way, await ask(bench, way, question), question);
}

/**
 * @param {Workbench} bench
 * @param {string} way
 * @param {CouponQuery} question
 */
async function measureAsk(bench, way, question) {
  await bench.sample({ set: setOfQuery(question.shards), arm: way, round: question.round }, async () => {
    const reply = await ask(bench, way, question);
    check(way, reply, question);
    return { ms: reply.ms, bytes: reply.bytes, things: 1 };
  });
}

/**
 * @param {string} way
 * @param {Reply} reply
 * @param {CouponQuery} question
 */
function check(way, { found }, { due }) {
  if (found !== due) throw new UserError('wrong-answer', `${way} found ${found} coupons, expected ${due}`);
}

/**
 * @param {Workbench} bench
 * @param {string} way
 * @param {CouponQuery} question
 * @returns {Promise<Reply>} its time includes what the client has to look at itself
 */
async function ask(bench, way, { databases: { none, names, ranges }, round }) {
  if (way === 'scan documents') {
    return scan(bench, none, '_all_docs?include_docs=true', ({ doc }) => doc?.redeemed_count < LIMIT);
  }
  if (way === 'scan index documents') {
    return scan(bench, names, `_all_docs?${rangeTo(LAST)}`, ({ id }) => countInId(id) < LIMIT);
  }
  if (way === 'range of index documents') {
    const end = `${FIRST}${String(LIMIT).padStart(5, '0')}`;
    return scan(bench, ranges, `_all_docs?${rangeTo(end)}`, () => true);
  }
  const isCold = way.endsWith('cold');
  const name = isCold ? `round-${round + 1}` : 'warm';
  if (way.startsWith('view')) return askView(bench, none, { name: `view-${name}`, isNew: isCold || round < 0 });
  return askMango(bench, none, { name: `mango-${name}`, isNew: isCold || round < 0 });
}

/**
 * @param {Workbench} bench
 * @param {string} database
 * @param {{name: string, isNew: boolean}} index
 * @returns {Promise<Reply>}
 */
async function askView(bench, database, { name, isNew }) {
  if (isNew) {
    // Equal functions share one index, whatever their documents are called.
    const views = { by_count: { map: `${MAP} /* ${name} */` } };
    await bench.write(database, 'PUT', `_design/${name}`, { language: 'javascript', autoupdate: false, views });
  }
  return scan(bench, database, `_design/${name}/_view/by_count?endkey=${LIMIT}&inclusive_end=false`, () => true);
}

/**
 * @param {Workbench} bench
 * @param {string} database
 * @param {{name: string, isNew: boolean}} index
 * @returns {Promise<Reply>}
 */
async function askMango(bench, database, { name, isNew }) {
  if (isNew) {
    // Its name is part of what it is: equal fields under another name are another index (couch_mrview_util.erl, ddoc_to_mrst, 3.5.0).
    await bench.write(database, 'POST', '_index', {
      ddoc: name,
      name,
      type: 'json',
      index: { fields: ['redeemed_count'] },
    });
  }
  const body = {
    selector: { redeemed_count: { $lt: LIMIT, $gte: 0 } },
    fields: ['_id'],
    limit: ALL,
    use_index: [name, name],
  };
  const { ms, bytes, text } = await bench.time('POST', database, '_find', { body, keeps: true });
  const started = performance.now();
  const { length } = listIn(text, 'docs');
  return { ms: ms + performance.now() - started, bytes, found: length };
}

/**
 * @param {Workbench} bench
 * @param {string} database
 * @param {string} path
 * @param {(row: any) => boolean} isWanted
 * @returns {Promise<Reply>}
 */
async function scan(bench, database, path, isWanted) {
  const { ms, bytes, text } = await bench.time('GET', database, path, { keeps: true });
  const started = performance.now();
  const found = listIn(text, 'rows').filter(isWanted).length;
  return { ms: ms + performance.now() - started, bytes, found };
}

/** @param {Workbench} bench @returns {number} how many coupons are in the right answer */
function countDue(bench) {
  let due = 0;
  for (let at = 0; at < bench.number('size'); at += 1) {
    if (makeCoupon(bench.options.seed, at).redeemed_count < LIMIT) due += 1;
  }
  return due;
}

/** @param {string} last @returns {string} */
function rangeTo(last) {
  const written = (/** @type {string} */ id) => encodeURIComponent(JSON.stringify(id));
  return `startkey=${written(FIRST)}&endkey=${written(last)}`;
}
