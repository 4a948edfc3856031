// Computes for proposed changes what their indexes take on the disk and how long they take to build, from sample documents.

import { openSandbox } from '../../../sandbox/sandbox.js';
import { drawEvenly } from '../../../shared/draw.js';
import { formatCount, threeDigits } from '../../../shared/units.js';
import { compareKeys } from '../../../storage-model/view-keys.js';
import { readViews } from '../../read-views.js';
import { rowsOfMango, runMap, sizeIndex } from '../../sample-rows.js';

/** @import { IndexCost, Proposal } from '../../../advise/proposal.js' */
/** @import { LoggedRates } from '../../../advise/logged-rates.js' */
/** @import { IndexDeploy } from '../../../shared/deploy-cost.js' */
/** @import { ViewDefinition } from '../../../advise/plan.js' */
/** @import { Target, ViewSubject } from '../../../facts/fact.js' */
/** @import { GivenView } from '../../../measure/profile/run/profile-view.js' */
/** @import { PredictedIndex, PredictedView } from '../../../storage-model/predict-index.js' */
/** @import { Sandbox } from '../../../sandbox/sandbox.js' */
/** @import { Row, SampleDocument } from '../../sample-rows.js' */

/**
 * Documents that sizes are computed from: each proposal has an index to replay. What is chosen is sized again from more: in a tenth of the documents
 * neighbors are less alike and compress worse, so that a file of 729 kB was predicted as 838 kB. Growth takes several times as long, and is shown of
 * what was chosen only.
 */
const MAX_SIZED = { size: 2000, chosen: 10_000, growth: 500 };
/**
 * Documents a second that an index is built with, where nobody says it: documents of about 1 kB with a row each, on CouchDB 3.4.3 and 3.5.2, two shards,
 * two processors (measured at a load of 3 to 11). At a load of 20 it was half of that.
 */
const USUAL_RATES = { mango: { low: 6500, high: 14_000 }, javascript: { low: 4000, high: 9000 } };
/**
 * What of that time a document takes, each kB of it, and its row. Medians of the processor time of builds with rows for none, 1, 10, 50 and 100 % of 20,000
 * documents of 300 and 2,000 bytes (2026-11-28, the same servers with SpiderMonkey 78 and QuickJS, at a load of 8 to 13); documents of 10 kB took 1.8
 * and 2.9 times as long for a Mango index, and 3.8 and 3.7 times for a view. Five rows of a document took a tenth longer than one.
 */
const PARTS = {
  mango: { document: 0.54, kB: 0.08, row: 0.38 },
  javascript: { document: 0.39, kB: 0.26, row: 0.35 },
};
/** A rate that was measured is met within this factor. */
const MEASURED = 1.25;

/**
 * @typedef {object} SizingOptions
 * @property {Record<string, unknown>[]} documents of the sample
 * @property {(database: string | null) => number} totalOf documents in a database
 * @property {{perSecond: number, from: string} | undefined} rate that was measured or given
 * @property {LoggedRates} [logged] what the logs show of this server
 * @property {Target} target
 * @property {keyof typeof MAX_SIZED} [from] how many documents it is computed from; `growth`: growth by writes as well
 */

/** @typedef {{costs: Map<string, IndexCost>, keysOf: (proposal: Proposal) => unknown[], notes: string[]}} Costs `costs` by id of the proposal; `keysOf`: keys that a view emits, in its order */

/**
 * @param {Proposal[]} proposals
 * @param {SizingOptions} options
 * @returns {Promise<Costs>} no cost where there are no documents, or a map cannot be run
 */
export async function costIndexes(proposals, { documents, totalOf, rate, logged = {}, target, from = 'size' }) {
  /** @type {Costs['costs']} */
  const costs = new Map();
  /** @type {Map<string, unknown[]>} */
  const keys = new Map();
  /** @type {Set<string>} */
  const notes = new Set();
  const sized = drawEvenly(documents, MAX_SIZED[from]).map((document, at) => withId(document, at));
  if (sized.length === 0 || proposals.length === 0) return { costs, keysOf: () => [], notes: [] };
  const kB = sized.reduce((sum, one) => sum + JSON.stringify(one).length, 0) / sized.length / 1000;
  const sandbox = openSandbox();
  try {
    const maps = new KeptMaps(sandbox, sized);
    for (const { id, change, ofView, databases } of proposals) {
      const total = totalOf(change.database);
      const sizeOf = (/** @type {PredictedView[]} */ views) =>
        sizeIndex(views, { documents: sized, total, skipsGrowth: from !== 'growth' });
      const add = (/** @type {IndexCost} */ cost) => costs.set(id, inAll(cost, databases.count));
      const kind = ofView?.view ? 'javascript' : 'mango';
      const measured = rate?.perSecond ?? logged[kind]?.perSecond;
      /** @type {Build} */
      const build = { documents: total, ratesFor: (rows) => ratesOf(kind, { measured, kB, rows: rows / total }) };
      const definition = change.index ?? change.replaces?.index;
      const rows = definition && rowsOfMango(definition, sized);
      if (rows && !('unknown' in rows)) {
        const size = sizeOf([{ rows, reduce: '_count' }]);
        add(change.index ? costOfNew(size, { ...build, oldBytes: 0 }) : costOfDropped(size));
      }
      if (!ofView?.view) continue;
      const sizes = await sizesOf(ofView.view, change.view, { maps, sizeOf, target });
      if (typeof sizes === 'string') notes.add(sizes);
      else {
        keys.set(id, sizes.keys);
        add(costOfChange(sizes, build));
      }
    }
  } finally {
    await sandbox.close();
  }
  notes.add(rate ? `build times are for ${perSecond(rate.perSecond)} (${rate.from})` : wordRates(logged));
  return { costs, keysOf: ({ id }) => keys.get(id) ?? [], notes: [...notes] };
}

/** @typedef {Required<Pick<IndexDeploy, 'rate' | 'rates'>>} Rates */
/** @typedef {{documents: number, ratesFor: (rows: number) => Rates}} Build `ratesFor`: of an index with so many rows */

/**
 * @param {keyof typeof PARTS} kind
 * @param {{measured: number | undefined, kB: number, rows: number}} about `measured`: of documents such as these with a row each; `kB`, `rows`: of a document
 * @returns {Rates}
 */
function ratesOf(kind, { measured, kB, rows }) {
  const { document, kB: eachKB, row } = PARTS[kind];
  const read = document + eachKB * kB;
  const pace = (read + row * Math.min(1, rows)) / (measured ? read + row : 1);
  const { low, high } = measured ? { low: measured / MEASURED, high: measured * MEASURED } : USUAL_RATES[kind];
  return { rate: Math.sqrt(low * high) / pace, rates: { low: low / pace, high: high / pace } };
}

/** @param {number} documents @returns {string} */
function perSecond(documents) {
  return `${formatCount(threeDigits(documents))} documents a second`;
}

/** @param {LoggedRates} logged @returns {string} */
function wordRates(logged) {
  const of = (/** @type {keyof typeof USUAL_RATES} */ kind) => {
    const { low, high } = USUAL_RATES[kind];
    const found = logged[kind];
    return found
      ? `${perSecond(found.perSecond)}, as the log has it of ${found.from}`
      : `${formatCount(low)} to ${perSecond(high)}`;
  };
  return `build times are for an idle server (Mango index: ${of('mango')}; view: ${of('javascript')}; documents of 1 kB, one row each); a busy one is slower, so set --docs-per-second`;
}

/**
 * @param {IndexCost} each of one database
 * @param {number} count of databases
 * @returns {IndexCost} of all of them; a write grows the file of one, so growth by writes stays
 */
function inAll(each, count) {
  if (count === 1) return each;
  const { bytes, deploy } = each;
  if (!deploy) return { ...each, bytes: bytes * count, each };
  const { oldBytes, buildBytes, documents = 0 } = deploy;
  const times = (/** @type {number} */ one) => one * count;
  const all = { low: times(buildBytes.low), high: times(buildBytes.high) };
  // Compaction takes one file at a time: its size is that of one.
  const inTurn = { ...deploy, oldBytes: times(oldBytes), buildBytes: all, documents: times(documents) };
  return { ...each, bytes: bytes * count, deploy: inTurn, each };
}

/** @param {Record<string, unknown>} document @param {number} at @returns {SampleDocument} */
function withId(document, at) {
  const { _id: id } = document;
  return { ...document, _id: typeof id === 'string' ? id : `document-${at}` };
}

/** Runs each map over the documents once. */
class KeptMaps {
  /** @type {Map<string, Promise<Row[]>>} */
  #kept = new Map();

  /** @param {Sandbox} sandbox @param {SampleDocument[]} documents */
  constructor(sandbox, documents) {
    this.sandbox = sandbox;
    this.documents = documents;
  }

  /** @param {GivenView} view @returns {Promise<Row[]>} of the documents that its map can be run on */
  rowsOf(view) {
    const key = JSON.stringify([view.map.text, view.libraries]);
    const known = this.#kept.get(key) ?? runMap(view, this.documents, this.sandbox).then(({ rows }) => rows);
    this.#kept.set(key, known);
    return known;
  }
}

/** @typedef {{before: PredictedIndex, after: PredictedIndex | undefined, keys: unknown[]}} Sizes `after`: undefined where the document has no view left */

/**
 * @param {ViewSubject} view that is changed or dropped
 * @param {ViewDefinition | undefined} next
 * @param {{maps: KeptMaps, sizeOf: (views: PredictedView[]) => PredictedIndex, target: Target}} about
 * @returns {Promise<Sizes | string>} of the whole design document: changing one view rebuilds all; or why they are unknown
 */
async function sizesOf(view, next, { maps, sizeOf, target }) {
  const { record, views } = view.parent;
  const given = readViews([record], target);
  const at = views.indexOf(view);
  const own = given[at];
  if (given.length < views.length || !own)
    return `the size of the index of ${record.id} is unknown: a map is missing or not JavaScript`;
  const { reduce: _, builtin: __, ...kept } = own;
  const changed = next && {
    ...kept,
    map: { ...own.map, text: next.map },
    ...(next.reduce === undefined ? {} : { builtin: next.reduce }),
  };
  const after = given.flatMap((one, number) => (number === at ? (changed ?? []) : [one]));
  // A reduce that is replaced by an equal one stores the same values, which nobody can predict of one in JavaScript.
  const now = changed && changed.map.text === own.map.text ? changed : own;
  const before = given.map((one, number) => (number === at ? now : one));
  const rows = await maps.rowsOf(own);
  return {
    before: sizeOf(await treesOf(before, maps)),
    after: after.length === 0 ? undefined : sizeOf(await treesOf(after, maps)),
    keys: rows.map(({ key }) => key).sort(compareKeys),
  };
}

/** @param {GivenView[]} views @param {KeptMaps} maps @returns {Promise<PredictedView[]>} views of one map text share a tree */
async function treesOf(views, maps) {
  /** @type {Map<string, {rows: Row[], reduce: string[]}>} */
  const trees = new Map();
  for (const view of views) {
    const tree = trees.get(view.map.text) ?? { rows: await maps.rowsOf(view), reduce: [] };
    const reduce = view.builtin ?? view.reduce?.text;
    if (reduce !== undefined) tree.reduce.push(reduce.trim());
    trees.set(view.map.text, tree);
  }
  return [...trees.values()];
}

/** @param {PredictedIndex} size @param {Build & {oldBytes: number}} build @returns {IndexCost} */
function costOfNew({ fileBytes, bytesPer1000Writes, buildBytes, rows }, { ratesFor, ...build }) {
  return {
    bytes: fileBytes - build.oldBytes,
    bytesPer1000Writes: bytesPer1000Writes.updated.single,
    deploy: { ...build, ...ratesFor(rows), buildBytes, newBytes: fileBytes },
  };
}

/** @param {Sizes} sizes @param {Build} build @returns {IndexCost} */
function costOfChange({ before, after }, build) {
  if (!after) return costOfDropped(before);
  const fresh = costOfNew(after, { ...build, oldBytes: before.fileBytes });
  const growth = after.bytesPer1000Writes.updated.single - before.bytesPer1000Writes.updated.single;
  return { ...fresh, bytesPer1000Writes: growth };
}

/** @param {PredictedIndex} size @returns {IndexCost} */
function costOfDropped({ fileBytes, bytesPer1000Writes }) {
  return { bytes: -fileBytes, bytesPer1000Writes: -bytesPer1000Writes.updated.single, deploy: undefined };
}
