// Predicts how large the index file of a design document or a Mango index becomes from the rows of sample documents: after the
// build, after compaction, and how much it grows with writes. docs/storage-model.md has the errors.

import { drawEvenly } from '../shared/draw.js';
import { sumOf } from '../shared/values.js';
import { DEFAULT_SHARDS, INDEX_ITEM_DOCUMENTS, INDEX_QUEUE_BYTES } from './constants.js';
import { crc32 } from './crc32.js';
import { scatteredCost, scatteredShare } from './extrapolate-index.js';
import { IndexSample } from './index-sample.js';
import { shardOf } from './load-table.js';
import { CAREFUL, QUICK } from './node-packer.js';
import { RowTerms } from './row-terms.js';

/** @import { IndexedDocument } from './index-file.js' */
/** @import { Kind, SampleOptions } from './index-sample.js' */
/** @import { StoredReduce } from './view-reductions.js' */

/**
 * @typedef {object} PredictedView One B-tree: views of a design document with the same map share it.
 * @property {Iterable<{id: string, key: unknown, value: unknown}>} rows in the order of the documents
 * @property {string | string[]} [reduce] `_sum`, `_count`, `_stats`, another built-in, or any text for a reduce in JavaScript; several where
 *   views share the tree
 */

/**
 * @typedef {object} IndexRowsSample
 * @property {PredictedView[]} views in the order of the design document
 * @property {number} documents in the database, or in the one after the deploy
 * @property {number} [sampled] documents that the rows are of, those that emit nothing included; as many as `documents` where left out
 * @property {number} [documentBytes] mean length of a document as JSON; 500 where left out
 * @property {number} [shards] `q` of the database, 2 where left out
 * @property {boolean} [skipsGrowth] leaves out the growth by writes, which takes about half of the time
 */

/** Bytes by which the file grows with 1,000 writes, before compaction: indexed one by one, and 100 at once. @typedef {{single: number, hundred: number}} WriteGrowth */

/**
 * @typedef {object} PredictedIndex All shards together, without copies on other nodes. Bytes, as `sizes` in `_info` has them.
 * @property {number} fileBytes length of the files after compaction
 * @property {number} activeBytes in use of it
 * @property {{low: number, high: number}} buildBytes length right after the build: it depends on how many documents the server indexes at once
 * @property {{inserted: WriteGrowth, updated: WriteGrowth}} bytesPer1000Writes new documents behind the others of the sample; and existing
 *   ones all over it, with rows that change. Zero where `skipsGrowth`
 * @property {number} rows
 * @property {number} rowBytes mean of a row as a term: key, id and value
 * @property {number} externalBytes
 * @property {boolean} isExtrapolated whether the sample has fewer documents than the database
 * @property {boolean} isReduceGuessed whether the size of a reduce's results was guessed from the values
 */

const USUAL_DOCUMENT_BYTES = 500;
/** Times the documents that wait in the queue, at most. */
const QUICK_WRITER = 1.7;
const SLOW_WRITER = 5;
/** Of a HyperLogLog sketch (couch_hyper.erl): its size depends on the keys; this one fitted the files of 1,000 to 100,000 documents best. */
const SKETCH_BYTES = 1500;
/** What is around a document in the queue of a build: `#doc{}` with its revision. couch_db.hrl. */
const RECORD_BYTES = 110;
/** Writes that are indexed at once, in the whole database. */
const HUNDRED = 100;
/** Documents with which builds and writes are replayed to be extrapolated, at most: it takes most of the time. */
const MAX_REPLAYED = 5000;
/** So many updates at least show where rows land. */
const PROBES = 8;
/** A part of the sample of this share shows how costs change with the number of documents. */
const PART = 4;

/** @typedef {Record<'file' | 'active' | 'low' | 'high' | 'external' | 'rowBytes', number> & Record<'insertedSingle' | 'insertedHundred' | 'updatedSingle' | 'updatedHundred', number>} Figures */
/** @typedef {SampleOptions & {atOnce: {fewest: number, most: number}, shards: number}} Context `atOnce`: documents with rows in an update of the build */

/**
 * @param {IndexRowsSample} sample
 * @returns {PredictedIndex}
 */
export function predictIndex({
  views,
  documents: total,
  sampled = total,
  documentBytes = USUAL_DOCUMENT_BYTES,
  shards = DEFAULT_SHARDS,
  skipsGrowth = false,
}) {
  const { documents, reduces, isReduceGuessed } = readSample(views);
  const count = Math.max(sampled, documents.length);
  const scale = count === 0 ? 1 : Math.max(1, total / count);
  const share = count === 0 ? 1 : documents.length / count;
  const { fewest, most } = buildBatches(documentBytes, reduces.flat().some(isOther));
  /** @type {Context} */
  const context = {
    reduces,
    atOnce: { fewest: Math.max(1, Math.round(fewest * share)), most: Math.max(1, Math.round(most * share)) },
    shards,
    skipsGrowth,
    care: count > MAX_REPLAYED || scale > 1 ? QUICK : CAREFUL,
  };
  const figures =
    scale === 1
      ? replayShards(documents, context)
      : extrapolate(documents, (documents.length * scale) / shards, context);
  const rows = documents.reduce((sumOf, { emitted }) => sumOf + emitted.length, 0);
  return {
    fileBytes: Math.round(figures.file),
    activeBytes: Math.round(figures.active),
    buildBytes: { low: Math.round(figures.low), high: Math.round(figures.high) },
    bytesPer1000Writes: {
      inserted: {
        single: Math.round(figures.insertedSingle * share),
        hundred: Math.round(figures.insertedHundred * share),
      },
      updated: {
        single: Math.round(figures.updatedSingle * share),
        hundred: Math.round(figures.updatedHundred * share),
      },
    },
    rows: Math.round(rows * scale),
    rowBytes: rows === 0 ? 0 : figures.rowBytes / rows,
    externalBytes: Math.round(figures.external),
    isExtrapolated: scale > 1,
    isReduceGuessed,
  };
}

/** @param {StoredReduce} reduce @returns {boolean} whether its result is not computed here */
function isOther(reduce) {
  return typeof reduce !== 'string';
}

/**
 * How many documents an update of a build takes depends on which of reader, map functions and writer is the slowest. Where it is the map
 * functions, it is all that wait in the queue and one item more that is read meanwhile (couch_work_queue.erl, couch_mrview_updater.erl,
 * `[view_updater] queue_memory_cap`). Seen in 72 builds on 3.4.3 and 3.5.0: from one item to 1.7 times as many; with a reduce in
 * JavaScript, which makes the writer slow, up to five times as many.
 * @param {number} documentBytes mean as JSON
 * @param {boolean} isWriterSlow
 * @returns {{fewest: number, most: number}}
 */
function buildBatches(documentBytes, isWriterSlow) {
  const itemBytes = INDEX_ITEM_DOCUMENTS * (documentBytes + RECORD_BYTES);
  const queued = INDEX_ITEM_DOCUMENTS * (Math.ceil(INDEX_QUEUE_BYTES / itemBytes) + 1);
  return isWriterSlow
    ? { fewest: queued, most: SLOW_WRITER * queued }
    : { fewest: INDEX_ITEM_DOCUMENTS, most: QUICK_WRITER * queued };
}

/**
 * @param {PredictedView[]} views
 * @returns {{documents: IndexedDocument[], reduces: StoredReduce[][], isReduceGuessed: boolean}} documents that emit something
 */
function readSample(views) {
  /** @type {Map<string, IndexedDocument>} */
  const documents = new Map();
  let isReduceGuessed = false;
  const reduces = views.map(({ rows, reduce = [] }, view) => {
    /** @type {unknown} */
    let first;
    for (const { id, key, value } of rows) {
      first ??= value;
      const document = documents.get(id);
      if (document) document.emitted.push([view, key, value]);
      else documents.set(id, { id, emitted: [[view, key, value]] });
    }
    return [reduce].flat().map((name) => {
      const { stored, isGuessed } = storedReduce(name, first);
      isReduceGuessed ||= isGuessed;
      return stored;
    });
  });
  return { documents: [...documents.values()], reduces, isReduceGuessed };
}

/**
 * @param {string} name
 * @param {unknown} value one that the reduce is called with
 * @returns {{stored: StoredReduce, isGuessed: boolean}}
 */
function storedReduce(name, value) {
  if (name === '_count') return { stored: '_count', isGuessed: false };
  if ((name === '_sum' || name === '_stats') && typeof value === 'number') return { stored: name, isGuessed: false };
  if (name.startsWith('_approx_count_distinct')) return { stored: new Uint8Array(SKETCH_BYTES), isGuessed: true };
  // `_sum` of arrays and objects, and most reduces in JavaScript, give a value of about the form of those they get.
  const terms = new RowTerms();
  return { stored: Uint8Array.from(terms.termOf(value)), isGuessed: name !== '_sum' };
}

/**
 * @param {IndexedDocument[]} documents of all shards
 * @param {Context} context
 * @returns {Figures}
 */
function replayShards(documents, context) {
  /** @type {IndexedDocument[][]} */
  const parts = Array.from({ length: context.shards }, () => []);
  for (const document of documents) {
    const id = Buffer.from(document.id);
    parts[shardOf(crc32(id, 0, id.length), context.shards)]?.push(document);
  }
  const figures = noFigures();
  for (const part of parts) {
    const sample = new IndexSample(part, context);
    const { compacted, written } = sample;
    figures.file += compacted.file + compacted.headers;
    figures.active += compacted.active;
    figures.external += compacted.external;
    figures.rowBytes += sample.rowBytes;
    figures.low += sample.build(context.atOnce.most).file;
    figures.high += sample.build(context.atOnce.fewest).file;
    if (written === 0) continue;
    // Each shard gets its part of the writes.
    for (const kind of /** @type {const} */ (['inserted', 'updated'])) {
      const bytesOf = (/** @type {number} */ batch) =>
        (sumOf(sample.run(kind, batch).map(({ bytes }) => bytes)) / written) * (1000 / context.shards);
      figures[`${kind}Single`] += bytesOf(1);
      figures[`${kind}Hundred`] += bytesOf(Math.max(1, HUNDRED / context.shards));
    }
  }
  return figures;
}

/**
 * @param {IndexedDocument[]} documents of the sample, taken for those of one shard
 * @param {number} perShard documents of a shard of the database
 * @param {Context} context
 * @returns {Figures}
 */
function extrapolate(documents, perShard, context) {
  const { atOnce, shards, skipsGrowth } = context;
  const figures = noFigures();
  if (documents.length === 0) return figures;
  const whole = new IndexSample(
    drawEvenly(documents, Math.max(1, Math.min(documents.length, Math.round(perShard)))),
    context,
  );
  const { compacted } = whole;
  const some = whole.count > MAX_REPLAYED ? new IndexSample(drawEvenly(whole.documents, MAX_REPLAYED), context) : whole;
  const fewer = new IndexSample(drawEvenly(some.documents, Math.ceil(some.count / PART)), context);
  const samples = { whole: some, part: fewer, scale: perShard / some.count };
  // What a document costs in a compacted file hardly depends on how many there are: leaves are packed alike, and levels above add little.
  for (const name of /** @type {const} */ (['file', 'active', 'external']))
    figures[name] = shards * perShard * (compacted[name] / whole.count);
  figures.file += shards * compacted.headers;
  figures.rowBytes = whole.rowBytes * (documents.length / whole.count);
  for (const [name, batch] of /** @type {const} */ ([
    ['low', atOnce.most],
    ['high', atOnce.fewest],
  ]))
    figures[name] = Math.max(figures.file, shards * perShard * costOf('build', batch, samples));
  if (skipsGrowth || whole.written === 0) return figures;
  for (const kind of /** @type {const} */ (['inserted', 'updated'])) {
    figures[`${kind}Single`] = 1000 * costOf(kind, 1, samples);
    figures[`${kind}Hundred`] = 1000 * costOf(kind, Math.max(1, HUNDRED / shards), samples);
  }
  return figures;
}

/**
 * @param {Kind} kind
 * @param {number} batch documents in an update of a shard
 * @param {{whole: IndexSample, part: IndexSample, scale: number}} samples
 * @returns {number} bytes a document in a shard of `scale` times the sample
 */
function costOf(kind, batch, { whole, part, scale }) {
  const ratio = whole.count / part.count;
  const size = { documents: whole.documentsOf(kind), scale, batch, grows: kind === 'build' };
  const scaled = whole.run(kind, Math.max(1, batch / scale)).map((run) => scatteredCost(run, size));
  if (batch === 1 || kind === 'updated') return sumOf(scaled);
  const own = whole.run(kind, batch).map((run) => run.bytes / whole.documentsOf(kind));
  // A batch of as many documents as the sample has would not show where rows land.
  const probe = Math.min(batch, Math.max(1, whole.documentsOf(kind) / PROBES));
  const [ofWhole, ofPart, ofScaledPart] = [
    probe === batch ? own : whole.run(kind, probe).map((run) => run.bytes / whole.documentsOf(kind)),
    part.run(kind, probe).map((run) => run.bytes / part.documentsOf(kind)),
    part.run(kind, probe / ratio).map((run) => run.bytes / part.documentsOf(kind)),
  ];
  return sumOf(
    scaled.map((cost, tree) => {
      const costs = { whole: ofWhole[tree] ?? 0, part: ofPart[tree] ?? 0, scaled: ofScaledPart[tree] ?? 0 };
      const share = scatteredShare(costs);
      return share * cost + (1 - share) * (own[tree] ?? 0);
    }),
  );
}

/** @returns {Figures} */
function noFigures() {
  return {
    file: 0,
    active: 0,
    low: 0,
    high: 0,
    external: 0,
    rowBytes: 0,
    insertedSingle: 0,
    insertedHundred: 0,
    updatedSingle: 0,
    updatedHundred: 0,
  };
}
