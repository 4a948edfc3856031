// Puts the documents of a load into another order, or under other ids, with nothing else changed: the arms of an
// experiment about ids. Pure.

/** @import { GivenData, LoadIds } from './experiment.js' */

/** Of each load its arrangements are made once: every round writes it again. @type {WeakMap<object, Map<LoadIds, {_id: string}[]>>} */
const arranged = new WeakMap();

/**
 * @param {Pick<GivenData, 'documents'>} given
 * @param {LoadIds} ids `given`, `sorted` or `counted`
 * @returns {{_id: string}[]}
 */
export function arrangeLoad({ documents }, ids) {
  if (ids === 'given') return documents;
  const known = arranged.get(documents) ?? new Map();
  const made = known.get(ids) ?? (ids === 'sorted' ? sortById(documents) : countIds(documents));
  arranged.set(documents, known.set(ids, made));
  return made;
}

/**
 * @param {{_id: string}[]} documents
 * @returns {{_id: string}[]} in the order of the bytes of their ids, which is that of the tree (couch_bt_engine.erl, 3.5.2)
 */
function sortById(documents) {
  const keyed = documents.map((document) => ({ document, bytes: new TextEncoder().encode(document._id) }));
  return keyed.sort((one, other) => Buffer.compare(one.bytes, other.bytes)).map(({ document }) => document);
}

/**
 * @param {{_id: string}[]} documents
 * @returns {{_id: string}[]} under numbers that count up, all of one length: that of the ids on average, or of the largest number
 */
function countIds(documents) {
  const all = documents.reduce((sum, { _id }) => sum + new TextEncoder().encode(_id).length, 0);
  const length = Math.max(String(documents.length).length, Math.round(all / Math.max(1, documents.length)));
  return documents.map((document, at) => ({ ...document, _id: String(at).padStart(length, '0') }));
}
