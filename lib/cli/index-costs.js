// Computes for proposed changes what their indexes take on the disk and how long they take to build, from sample documents.

import { definitionOf } from '../advise/view-candidates.js';
import { mangoRows } from '../facts/mango/index-rows.js';
import { predictIndex } from '../measure/storage-model/predict-index.js';
import { compareKeys } from '../measure/storage-model/view-keys.js';
import { openSandbox } from '../sandbox/sandbox.js';
import { formatCount } from '../shared/units.js';
import { member, plainValue } from '../sources/record.js';

/** @import { IndexCost, Proposal } from '../advise/proposal.js' */
/** @import { DesignDocSubject, ViewSubject } from '../facts/fact.js' */
/** @import { IndexDefinition } from '../advise/plan.js' */
/** @import { PredictedIndex, PredictedView } from '../measure/storage-model/predict-index.js' */
/** @import { Sandbox } from '../sandbox/sandbox.js' */

/** Documents that sizes are computed from: each proposal has an index to replay. */
const MAX_SIZED = 2000;
/**
 * Documents a second that an index is built with, where nobody says it: CouchDB 3.5.0, documents of 330 bytes, two shards, two processors
 * (`rule-figures.js --only build-languages`).
 */
const USUAL_RATE = { mango: 12_000, javascript: 6000 };

/** @typedef {{id: string, key: unknown, value: unknown}} Row */
/**
 * @typedef {object} SizingOptions
 * @property {Record<string, unknown>[]} documents
 * @property {number} total
 * @property {number | undefined} [docsPerSecond]
 */

/**
 * @param {Proposal[]} proposals
 * @param {SizingOptions} options
 * @returns {Promise<{costs: Map<string, IndexCost>, keysOf: (proposal: Proposal) => unknown[], notes: string[]}>} `costs` by id; none where there
 *   are no documents, or a map cannot be run; `keysOf`: keys that a view emits, in its order
 */
export async function costIndexes(proposals, { documents, total, docsPerSecond }) {
  /** @type {Map<string, IndexCost>} */
  const costs = new Map();
  /** @type {Map<string, unknown[]>} */
  const keys = new Map();
  /** @type {Set<string>} */
  const notes = new Set();
  const sized = everyNth(documents, MAX_SIZED);
  if (sized.length === 0) return { costs, keysOf: () => [], notes: [] };
  const bytes = JSON.stringify(sized).length / sized.length;
  const sizeOf = (/** @type {PredictedView[]} */ views) =>
    predictIndex({ views, documents: total, sampled: sized.length, documentBytes: bytes });
  const sandbox = openSandbox();
  try {
    const runner = new MapRunner(sandbox, sized);
    for (const proposal of proposals) {
      const { id, change, ofView } = proposal;
      const rate = docsPerSecond ?? USUAL_RATE[ofView?.view ? 'javascript' : 'mango'];
      if (change.kind === 'create-index' && change.index) {
        costs.set(
          id,
          costOfNew(sizeOf([{ rows: rowsOfIndex(change.index, sized) }]), { oldBytes: 0, documents: total, rate }),
        );
        continue;
      }
      if (change.kind === 'drop-index') continue;
      const view = ofView?.view;
      if (!view) continue;
      const sizes = await sizesOf(view, change.view, { runner, sizeOf });
      if (typeof sizes === 'string') {
        notes.add(sizes);
        continue;
      }
      keys.set(id, sizes.keys);
      costs.set(id, costOfChange(sizes, { documents: total, rate }));
    }
  } finally {
    sandbox.close();
  }
  if (proposals.length > 0 && docsPerSecond === undefined) {
    const { mango, javascript } = USUAL_RATE;
    notes.add(
      `build times assume ${formatCount(mango)} documents a second for a Mango index and ${formatCount(javascript)} for a view; --docs-per-second sets what you measured`,
    );
  }
  return { costs, keysOf: ({ id }) => keys.get(id) ?? [], notes: [...notes] };
}

/** @template T @param {T[]} list @param {number} most @returns {T[]} spread over all of it */
function everyNth(list, most) {
  const count = Math.min(most, list.length);
  return Array.from({ length: count }, (_, at) => /** @type {T} */ (list[Math.floor((at * list.length) / count)]));
}

/** @param {IndexDefinition} index @param {Record<string, unknown>[]} documents @returns {Row[]} */
function rowsOfIndex(index, documents) {
  return documents.flatMap((document, at) => {
    const rows = mangoRows(index, document);
    return Array.isArray(rows) ? rows.map((row) => ({ id: idOf(document, at), ...row })) : [];
  });
}

/** @param {Record<string, unknown>} document @param {number} at @returns {string} */
function idOf({ _id: id }, at) {
  return typeof id === 'string' ? id : `document-${at}`;
}

/** Runs maps over the documents once each. */
class MapRunner {
  /** @type {Map<string, Promise<Row[] | undefined>>} */
  #kept = new Map();

  /** @param {Sandbox} sandbox @param {Record<string, unknown>[]} documents */
  constructor(sandbox, documents) {
    this.sandbox = sandbox;
    this.documents = documents;
  }

  /**
   * @param {string} map
   * @param {DesignDocSubject} designDoc
   * @returns {Promise<Row[] | undefined>} undefined where it cannot be run
   */
  rowsOf(map, designDoc) {
    const key = `${designDoc.record.file.path} ${designDoc.record.id} ${map}`;
    const known = this.#kept.get(key) ?? this.#run(map, designDoc);
    this.#kept.set(key, known);
    return known;
  }

  /** @param {string} map @param {DesignDocSubject} designDoc @returns {Promise<Row[] | undefined>} */
  async #run(map, designDoc) {
    const lib = member(member(designDoc.record.node, 'views'), 'lib');
    const libraries = lib?.type === 'object' ? /** @type {Record<string, unknown>} */ (plainValue(lib)) : undefined;
    const answers = await this.sandbox.forView().map({ source: map, libraries, docs: this.documents });
    if (answers.every((answer) => 'error' in answer)) return undefined;
    return answers.flatMap((answer, at) => {
      const document = /** @type {Record<string, unknown>} */ (this.documents[at]);
      return 'error' in answer ? [] : answer.emits.map(({ key, value }) => ({ id: idOf(document, at), key, value }));
    });
  }
}

/** @typedef {{before: PredictedIndex, after: PredictedIndex | undefined, keys: unknown[]}} Sizes `after`: undefined where the document has no view left */

/**
 * @param {ViewSubject} view that is changed or dropped
 * @param {{map: string, reduce?: string} | undefined} next
 * @param {{runner: MapRunner, sizeOf: (views: PredictedView[]) => PredictedIndex}} about
 * @returns {Promise<Sizes | string>} of the whole design document: changing one view rebuilds all; or why they are unknown
 */
async function sizesOf(view, next, { runner, sizeOf }) {
  const all = view.parent.views.map((one) => ({ one, definition: definitionOf(one) }));
  const unread = all.find(({ definition }) => definition === undefined);
  if (unread)
    return `the size of the index of ${view.parent.record.id} is unknown: ${unread.one.name} is not JavaScript`;
  const before = await viewsOf(all, view.parent, runner);
  const changed = all.map(({ one, definition }) => ({ one, definition: one === view ? next : definition }));
  const kept = changed.filter(({ definition }) => definition !== undefined);
  const after = await viewsOf(kept, view.parent, runner);
  if (!before || !after)
    return `the size of the index of ${view.parent.record.id} is unknown: a map cannot be run on the documents`;
  const rows = (await runner.rowsOf(definitionOf(view)?.map ?? '', view.parent)) ?? [];
  return {
    before: sizeOf(before),
    after: after.length === 0 ? undefined : sizeOf(after),
    keys: rows.map(({ key }) => key).sort(compareKeys),
  };
}

/**
 * @param {{one: ViewSubject, definition: {map: string, reduce?: string} | undefined}[]} views
 * @param {DesignDocSubject} designDoc
 * @param {MapRunner} runner
 * @returns {Promise<PredictedView[] | undefined>} views of one map text share a tree
 */
async function viewsOf(views, designDoc, runner) {
  /** @type {Map<string, {rows: Row[], reduce: string[]}>} */
  const trees = new Map();
  for (const { definition } of views) {
    if (!definition) continue;
    const rows = await runner.rowsOf(definition.map, designDoc);
    if (!rows) return undefined;
    const tree = trees.get(definition.map) ?? { rows, reduce: [] };
    if (definition.reduce !== undefined) tree.reduce.push(definition.reduce.trim());
    trees.set(definition.map, tree);
  }
  return [...trees.values()];
}

/** @param {PredictedIndex} size @param {{oldBytes: number, documents: number, rate: number}} build @returns {IndexCost} */
function costOfNew({ fileBytes, bytesPer1000Writes, buildBytes }, build) {
  return {
    bytes: fileBytes - build.oldBytes,
    bytesPer1000Writes: bytesPer1000Writes.updated.single,
    deploy: { ...build, buildBytes, newBytes: fileBytes },
  };
}

/** @param {Sizes} sizes @param {{documents: number, rate: number}} build @returns {IndexCost} */
function costOfChange({ before, after }, build) {
  const { fileBytes: oldBytes, bytesPer1000Writes } = before;
  const saved = bytesPer1000Writes.updated.single;
  if (!after) return { bytes: -oldBytes, bytesPer1000Writes: -saved, deploy: undefined };
  const fresh = costOfNew(after, { ...build, oldBytes });
  return { ...fresh, bytesPer1000Writes: (fresh.bytesPer1000Writes ?? 0) - saved };
}
