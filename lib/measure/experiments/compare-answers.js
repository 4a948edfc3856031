// Compares what two requests answer that must mean the same to a program: before and after a change that is advised. Pure.

import { formatCount } from '../../shared/units.js';

/** @import { AnswerPair, ArmRequest } from './experiment.js' */

/** @typedef {{result: 'same' | 'different' | 'unknown', why: string}} Comparison `why`: a clause, empty of `same` */

/** Sums of many numbers differ in their last digits where they are added in another order. */
const ROUNDING = 1e-9;
/** Characters of an id in a message. */
const MAX_ID = 60;

/** @type {Comparison} */
const SAME = { result: 'same', why: '' };

/**
 * The request that answers with all results, for `_find`, where which of them the first ones are depends on the index unless they are sorted. Without
 * `fields` where these differ or would hide what is sorted by.
 * @param {ArmRequest} request
 * @param {ArmRequest} other of the pair
 * @param {number} documents of the database
 * @returns {ArmRequest | undefined} undefined where it is no `_find`
 */
export function wholeFind(request, other, documents) {
  if (!isFind(request)) return undefined;
  const { skip: _, bookmark: __, fields, ...body } = bodyOf(request);
  const keepsFields = fields !== undefined && body['sort'] === undefined && isEqual(fields, bodyOf(other)['fields']);
  return { ...request, body: { ...body, limit: documents + 1, ...(keepsFields ? { fields } : {}) } };
}

/** @param {ArmRequest} request @returns {boolean} */
function isFind({ path }) {
  return path === '_find';
}

/**
 * @typedef {object} Bodies What was answered, as JSON.
 * @property {unknown} before
 * @property {unknown} after
 * @property {unknown} [wholeBefore] to {@link wholeFind}
 * @property {unknown} [wholeAfter]
 */

/**
 * @param {AnswerPair} pair
 * @param {Bodies} bodies
 * @returns {Comparison}
 */
export function compareAnswers(pair, bodies) {
  if ((pair.before.answers ?? 1) !== (pair.after.answers ?? 1)) {
    return { result: 'unknown', why: 'one request replaces several' };
  }
  const [before, after] = [readAnswer(bodies.before), readAnswer(bodies.after)];
  if (before === undefined || after === undefined) {
    if (isEqual(withoutRevision(bodies.before), withoutRevision(bodies.after))) return SAME;
    return { result: 'unknown', why: 'no rows and no documents are answered' };
  }
  if (isFind(pair.before) && isFind(pair.after)) return compareFinds(pair, bodies, { before, after });
  if (before.length === 0 && after.length === 0) return SAME;
  if (before.length > 0 && after.length > 0 && isReduced(before) !== isReduced(after))
    return { result: 'unknown', why: 'only one of the answers is reduced' };
  if (isFind(pair.before)) return compareFound(before, readAnswer(bodies.wholeBefore) ?? before, after);
  return isNarrowed(pair) ? compareNarrowed(before, after) : compareRows(before, after, pair.isChanged);
}

/** What limits the rows of an index to some. */
const NARROWING = ['key', 'keys', 'startkey', 'start_key', 'endkey', 'end_key', 'limit'];

/**
 * @param {AnswerPair} pair
 * @returns {boolean} whether the program filters what is answered before, and the database what is answered after
 */
function isNarrowed({ before, after }) {
  const endpointOf = (/** @type {ArmRequest} */ { path }) => (path.includes('/_view/') ? '_view' : path);
  if (endpointOf(before) !== endpointOf(after)) return true;
  const names = (/** @type {ArmRequest} */ request) => new Set(Object.keys({ ...request.query, ...bodyOf(request) }));
  const [had, has] = [names(before), names(after)];
  return NARROWING.some((name) => has.has(name) && !had.has(name));
}

/**
 * @typedef {object} Item A document, a row of an index, or a row that a reduce gives.
 * @property {'document' | 'row' | 'group'} kind
 * @property {string | undefined} id
 * @property {unknown} key
 * @property {unknown} value
 * @property {unknown} doc
 */

/**
 * @param {any} body
 * @returns {Item[] | undefined} undefined where it is something else
 */
function readAnswer(body) {
  if (Array.isArray(body?.docs)) {
    return body.docs.map((/** @type {any} */ doc) => {
      const id = typeof doc?._id === 'string' ? doc._id : undefined;
      return { kind: 'document', id, key: undefined, value: undefined, doc: withoutRevision(doc) };
    });
  }
  if (!Array.isArray(body?.rows)) return undefined;
  return body.rows.map((/** @type {any} */ row) => {
    const { id, key, value, doc } = row ?? {};
    // The rows of `_all_docs` have the revision as their value.
    const shown = typeof value?.rev === 'string' ? undefined : value;
    return { kind: typeof id === 'string' ? 'row' : 'group', id, key, value: shown, doc: withoutRevision(doc) };
  });
}

/**
 * @param {AnswerPair} pair
 * @param {Bodies} bodies
 * @param {{before: Item[], after: Item[]}} answers
 * @returns {Comparison}
 */
function compareFinds(pair, bodies, { before, after }) {
  const fields = sharedFields(pair);
  if (before.length !== after.length) return { result: 'different', why: countsOf(before, after) };
  const isSame = before.every((item, at) => isEqual(project(item.doc, fields), project(after[at]?.doc, fields)));
  if (fields?.length !== 0 && isSame) return SAME;
  const [all, allAfter] = [readAnswer(bodies.wholeBefore) ?? before, readAnswer(bodies.wholeAfter) ?? after];
  if (all.length !== allAfter.length) return { result: 'different', why: countsOf(all, allAfter) };
  const missing = missingOf(all, allAfter);
  if (missing !== undefined) return { result: 'different', why: missing };
  const names = sortedBy(pair.before);
  const isInOrder = all.every((item, at) =>
    names.every((name) => isEqual(valueAt(item.doc, name), valueAt(allAfter[at]?.doc, name))),
  );
  return isInOrder ? SAME : { result: 'different', why: 'the results are in another order' };
}

/**
 * @param {Item[]} before
 * @param {Item[]} after
 * @param {boolean} isChanged
 * @returns {Comparison}
 */
function compareRows(before, after, isChanged) {
  if (before.length !== after.length) return { result: 'different', why: countsOf(before, after) };
  for (const [at, one] of before.entries()) {
    const other = /** @type {Item} */ (after[at]);
    const place = `result ${formatCount(at + 1)}`;
    if (one.id !== other.id) {
      return { result: 'different', why: `${place} is ${showId(one.id)} before and ${showId(other.id)} after` };
    }
    if (!isChanged && !isEqual(one.key, other.key)) return { result: 'different', why: `${place} has another key` };
    if (!isChanged && !isEqual(one.doc, other.doc))
      return { result: 'different', why: `${place} has another document` };
    if (!isSameValue(one, other, isChanged)) return { result: 'different', why: `${place} has another value` };
  }
  return SAME;
}

/**
 * @param {Item} before
 * @param {Item} after
 * @param {boolean} isChanged
 * @returns {boolean}
 */
function isSameValue(before, after, isChanged) {
  if (isEqual(before.value, after.value)) return isEqual(before.doc, after.doc) || (isChanged && !after.doc);
  if (!isChanged) return false;
  // `_stats` has more members than most reduces that it replaces.
  if (before.kind === 'group') return isPartOf(before.value, after.value);
  // A program that is changed reads in the value, or in another document, what it read in the document.
  return isTakenFrom(after.value, before.doc) && (after.doc === undefined || isEqual(before.doc, after.doc));
}

/**
 * @param {Item[]} before
 * @param {Item[]} whole all results that `before` is the first of
 * @param {Item[]} after of a view
 * @returns {Comparison}
 */
function compareFound(before, whole, after) {
  if (before.length !== after.length) return { result: 'different', why: countsOf(before, after) };
  const why = strangerOf(whole, after);
  return why === undefined ? SAME : { result: 'different', why };
}

/**
 * @param {Item[]} before
 * @param {Item[]} after
 * @returns {Comparison}
 */
function compareNarrowed(before, after) {
  const why = strangerOf(before, after);
  if (why !== undefined) return { result: 'different', why };
  if (before.length === after.length) return SAME;
  const counts = `${formatCount(after.length)} of the ${formatCount(before.length)} results`;
  return { result: 'unknown', why: `the answer after has ${counts}; the program filters the others out today` };
}

/** @param {Item[]} before @param {Item[]} after @returns {string | undefined} what is only in the second */
function strangerOf(before, after) {
  const ids = new Set(before.map(({ id }) => id));
  const stranger = after.find(({ id }) => !ids.has(id));
  return stranger && `${showId(stranger.id)} is only in the answer after`;
}

/** @param {Item[]} items @returns {boolean} */
function isReduced(items) {
  return items.some(({ kind }) => kind === 'group');
}

/**
 * @param {Item[]} before
 * @param {Item[]} after as many
 * @returns {string | undefined} what is only before, in whichever order they are
 */
function missingOf(before, after) {
  const nameOf = (/** @type {Item} */ { id, doc }) => id ?? JSON.stringify(sorted(doc));
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const item of after) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  for (const item of before) {
    const left = counts.get(nameOf(item)) ?? 0;
    if (left === 0) return `${showId(item.id)} is only in the answer before`;
    counts.set(nameOf(item), left - 1);
  }
  return undefined;
}

/** @param {Item[]} before @param {Item[]} after @returns {string} */
function countsOf(before, after) {
  return `${formatCount(before.length)} ${before.length === 1 ? 'result' : 'results'} before, ${formatCount(after.length)} after`;
}

/** @param {string | undefined} id @returns {string} */
function showId(id) {
  if (id === undefined) return 'a result';
  return `\`${id.length > MAX_ID ? `${id.slice(0, MAX_ID)}…` : id}\``;
}

/** @param {ArmRequest} request @returns {string[]} names of the fields that it sorts by */
function sortedBy(request) {
  const { sort } = bodyOf(request);
  return (Array.isArray(sort) ? sort : []).map((one) =>
    typeof one === 'string' ? one : (Object.keys(one ?? {})[0] ?? ''),
  );
}

/** @param {ArmRequest} request @returns {Record<string, unknown>} */
function bodyOf({ body }) {
  return typeof body === 'object' && body !== null ? /** @type {Record<string, unknown>} */ (body) : {};
}

/** @param {any} doc @returns {unknown} */
function withoutRevision(doc) {
  if (typeof doc !== 'object' || doc === null || Array.isArray(doc)) return doc ?? undefined;
  const { _rev, ...rest } = doc;
  return rest;
}

/** @param {AnswerPair} pair @returns {string[] | undefined} fields that both requests return; undefined where both return whole documents */
function sharedFields({ before, after }) {
  const [one, other] = [bodyOf(before)['fields'], bodyOf(after)['fields']].map((fields) =>
    Array.isArray(fields) && fields.length > 0 ? fields.map(String) : undefined,
  );
  return one && other ? one.filter((name) => other.includes(name)) : (one ?? other);
}

/** @param {unknown} doc @param {string[] | undefined} fields @returns {unknown} */
function project(doc, fields) {
  return fields?.map((name) => valueAt(doc, name)) ?? doc;
}

/** @param {unknown} doc @param {string} name `address.city`; `\.` is a dot of the name @returns {unknown} */
function valueAt(doc, name) {
  const steps = name.split(/(?<!\\)\./).map((step) => step.replaceAll('\\.', '.'));
  return steps.reduce((/** @type {any} */ value, step) => value?.[step], doc);
}

/** @param {unknown} value @returns {unknown} with members in one order */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([name, member]) => [name, sorted(member)]);
}

/** @param {unknown} one @param {unknown} other @returns {boolean} whether they are the same JSON, but for rounding */
function isEqual(one, other) {
  if (typeof one === 'number' && typeof other === 'number') {
    return one === other || Math.abs(one - other) <= ROUNDING * Math.max(Math.abs(one), Math.abs(other));
  }
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  const [first, second] = [/** @type {any} */ (one), /** @type {any} */ (other)];
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(second, name) && isEqual(first[name], second[name]))
  );
}

/** @param {unknown} part @param {unknown} whole @returns {boolean} whether each member of an object is in the other */
function isPartOf(part, whole) {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return isEqual(part, whole);
  const members = /** @type {any} */ (typeof whole === 'object' && whole !== null ? whole : {});
  return Object.entries(part).every(([name, value]) => Object.hasOwn(members, name) && isEqual(value, members[name]));
}

/**
 * @param {unknown} value that a view emits
 * @param {unknown} doc
 * @returns {boolean} whether it is made of parts of the document: one, an array of some, or an object of some
 */
function isTakenFrom(value, doc) {
  if (value === null || isWithin(value, doc)) return true;
  return typeof value === 'object' && Object.values(value).every((one) => one === null || isWithin(one, doc));
}

/** @param {unknown} part @param {unknown} whole @returns {boolean} */
function isWithin(part, whole) {
  if (isEqual(part, whole)) return true;
  return typeof whole === 'object' && whole !== null && Object.values(whole).some((member) => isWithin(part, member));
}
