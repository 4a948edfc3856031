// Collects rows that a map emits, each with its document: a reduce may be accused only with rows that can occur. The
// documents are made and changed here; the map runs only in the sandbox.

import { randomFrom } from '../shared/seeded-random.js';
import { signatureOf } from './emitted-lists.js';
import { memberAt } from './evaluate-form.js';
import { withRevision } from './synthesis/find-choices.js';
import { fitDocuments } from './synthesis/fit-documents.js';
import { literalsOf } from './synthesis/literals.js';
import { arrayPlaces, drawAlike, drawOfKind, resized, scalarPlaces, withValueAt } from './vary-document.js';

/** @import { MapAnswer } from '../sandbox/sandbox.js' */
/** @import { RandomSource } from '../shared/seeded-random.js' */
/** @import { TrialRow, ValueSpec } from './trial-values.js' */
/** @import { TrialSandbox } from './trials.js' */
/** @import { DocumentPath } from './vary-document.js' */

/** @typedef {Record<string, unknown> & {_id: string}} Document */
/** @typedef {TrialRow & {document: Document}} EmittedRow */

/**
 * @typedef {object} Observed
 * @property {EmittedRow[][]} families rows by what the fields hold that reach the values, the likeliest first; none is empty
 * @property {(rows: EmittedRow[], count: number) => Promise<EmittedRow[]>} repeat what is emitted for so many documents that hold
 *   the same as those of three of these rows, under other ids
 */

/** Documents of a family: those as they were made, those that were changed, and those of each further kind. */
const PLAIN = 40;
const CHANGED = 200;
const OF_KIND = 50;
const MAX_KINDS = 9;
const DOCUMENTS = PLAIN + CHANGED + MAX_KINDS * OF_KIND;
/** Of which so many show whether the map emits for them. */
const TRIED = 50;
/** Documents in which each place is changed alone, and places whose kind is changed. */
const PROBED = 6;
const MAX_OPEN = 12;
/** Documents that go to the sandbox together. */
const BATCH = 200;
/** Rows of one document that are kept. */
const MAX_ROWS = 6;

/**
 * @param {object} request
 * @param {string | undefined} request.map undefined where there is none in JavaScript
 * @param {readonly ValueSpec[]} request.kinds what fields may hold beside what their names suggest
 * @param {readonly unknown[]} request.literals constants of the reduce and values beside them
 * @param {Pick<TrialSandbox, 'map'>} request.sandbox
 * @param {number} request.seed
 * @returns {Promise<Observed | {reason: string}>} the same for the same question
 */
export async function observeRows({ map, kinds, literals, sandbox, seed }) {
  if (map === undefined) return { reason: 'the view has no JavaScript map' };
  const fitted = await fitDocuments({ map, seed, count: DOCUMENTS, tries: TRIED, sandbox });
  if ('reason' in fitted) return fitted;
  const documents = /** @type {Document[]} */ (fitted.documents);
  /** @param {Document[]} docs @returns {Promise<EmittedRow[][]>} rows of each document */
  const run = async (docs) => {
    /** @type {MapAnswer[]} */
    const answers = [];
    for (let from = 0; from < docs.length; from += BATCH) {
      const some = docs.slice(from, from + BATCH).map(withRevision);
      answers.push(...(await sandbox.map({ source: map, docs: some })));
    }
    return docs.map((document, at) => {
      const answer = answers[at];
      const emits = answer && 'emits' in answer ? answer.emits : [];
      // Values that one document emits under one key are kept, and reduced, together (couch_mrview_updater.erl, `dups`).
      const keys = new Set(emits.map(({ key }) => JSON.stringify(key)));
      const isPlain = keys.size === emits.length && emits.length <= MAX_ROWS;
      return isPlain ? emits.map(({ key, value }) => ({ id: document._id, key, value, document })) : [];
    });
  };
  const random = randomFrom(seed);
  const all = [...literals, ...literalsNear(map)];
  const probed = await probePlaces(documents.slice(0, PROBED), { run, random, literals: all });
  const plain = documents.slice(0, PLAIN);
  const changed = documents.slice(PLAIN, PLAIN + CHANGED).map((document) => vary(document, probed, random, all));
  const own = (await run([...plain, ...changed]))
    .flat()
    .filter(({ value }) => probed.signatures.has(signatureOf(value)));
  const families = [own];
  const open = await openPlaces(kinds, documents, probed, { run, random });
  for (const [at, places] of open.slice(0, MAX_KINDS).entries()) {
    const from = PLAIN + CHANGED + at * OF_KIND;
    const some = documents.slice(from, from + OF_KIND).map((document) => vary(document, probed, random, all, places));
    families.push((await run(some)).flat());
  }
  return {
    families: families.filter((rows) => rows.length > 1),
    repeat: async (rows, count) => {
      const few = [...new Map(rows.map((row) => [JSON.stringify(row.value), row])).values()].slice(0, 3);
      const many = await fitDocuments({ map, seed, count, tries: TRIED, sandbox });
      if ('reason' in many || few.length === 0) return [];
      return (await run(many.documents.map(({ _id }, at) => ({ ...few[at % few.length]?.document, _id })))).flat();
    },
  };
}

/** @param {string} map @returns {unknown[]} constants that it compares with, and numbers beside them */
function literalsNear(map) {
  /** @type {unknown[]} */
  const near = [];
  for (const value of literalsOf(map)) {
    near.push(value);
    if (typeof value === 'number') near.push(value + 1, value - 1);
  }
  return near;
}

/**
 * What is known of the places of documents, by their paths as JSON.
 * @typedef {object} Probed
 * @property {Map<string, {path: DocumentPath, document: Document}>} reaching those that change the values, and a document
 * @property {Set<string>} required those without which nothing is emitted
 * @property {Set<string>} signatures of values that are emitted
 */

/** @typedef {{run: (docs: Document[]) => Promise<EmittedRow[][]>, random: RandomSource}} Means */

/**
 * @param {Document[]} documents
 * @param {Means & {literals: readonly unknown[]}} means
 * @returns {Promise<Probed>}
 */
async function probePlaces(documents, { run, random, literals }) {
  const probes = documents.flatMap((document) =>
    scalarPlaces(document).map((path) => {
      const value = drawOther(memberAt(document, path), () => drawAlike(memberAt(document, path), random, literals));
      return { path, document, changed: /** @type {Document} */ (withValueAt(document, path, value)) };
    }),
  );
  const rows = await run([...documents, ...probes.map(({ changed }) => changed)]);
  const before = new Map(documents.map((document, at) => [document, valuesOf(rows[at])]));
  /** @type {Probed} */
  const probed = { reaching: new Map(), required: new Set(), signatures: new Set() };
  for (const [at, { path, document }] of probes.entries()) {
    const after = rows[documents.length + at] ?? [];
    const name = JSON.stringify(path);
    if (after.length === 0) probed.required.add(name);
    else if (valuesOf(after) !== before.get(document) && !probed.reaching.has(name)) {
      probed.reaching.set(name, { path, document });
    }
  }
  for (const { value } of rows.flat()) probed.signatures.add(signatureOf(value));
  return probed;
}

/** A place, and what it holds there. @typedef {{path: DocumentPath, of: ValueSpec}} OpenPlace */

/**
 * @param {readonly ValueSpec[]} kinds
 * @param {Document[]} documents
 * @param {Probed} probed
 * @param {Means} means
 * @returns {Promise<OpenPlace[][]>} for each kind the places that may hold it and still reach the values
 */
async function openPlaces(kinds, documents, { reaching }, { run, random }) {
  const [first] = documents;
  if (!first) return [];
  const known = [...reaching.values()].slice(0, MAX_OPEN);
  const probes = kinds.flatMap((kind) => {
    // A whole document is emitted now and then: then the reduce reads members that the map does not name. Those that CouchDB
    // reserves hold what CouchDB gives them.
    const members = kind.kind === 'object' ? kind.members.filter(([name]) => !name.startsWith('_')) : [];
    const further = members.map(([name, of]) => ({ path: [name], document: first, of }));
    return [...known.map((place) => ({ ...place, of: kind })), ...further].map(({ path, document, of }) => {
      const old = memberAt(document, path);
      const value = drawOther(old, () => drawOfKind(of, random));
      const changed = /** @type {Document} */ (withValueAt(document, path, value));
      return { kind, of, path, document, changed, isNew: signatureOf(value) !== signatureOf(old ?? null) };
    });
  });
  const rows = await run(probes.flatMap(({ document, changed }) => [document, changed]));
  const found = probes.filter(({ isNew }, at) => {
    const [before, after] = [rows[at * 2] ?? [], rows[at * 2 + 1] ?? []];
    return isNew && after.length > 0 && valuesOf(after) !== valuesOf(before);
  });
  return kinds.flatMap((kind) => {
    const own = found.filter((probe) => probe.kind === kind);
    return [own.filter(({ of }) => of === kind), own.filter(({ of }) => of !== kind)].filter(
      ({ length }) => length > 0,
    );
  });
}

/**
 * @param {Document} document
 * @param {Probed} probed
 * @param {RandomSource} random
 * @param {readonly unknown[]} literals
 * @param {OpenPlace[]} [open] places that hold values of another kind
 * @returns {Document}
 */
function vary(document, { required }, random, literals, open) {
  /** @type {unknown} */
  let changed = document;
  for (const path of arrayPlaces(document)) {
    if (random.below(2) === 0) changed = withValueAt(changed, path, resized(memberAt(changed, path), random));
  }
  for (const path of scalarPlaces(changed)) {
    const isRequired = required.has(JSON.stringify(path));
    if (random.below(10) >= (isRequired ? 1 : 6)) continue;
    const isGone = !open && !isRequired && random.below(10) === 0;
    const value = isGone ? undefined : drawAlike(memberAt(changed, path), random, literals);
    changed = withValueAt(changed, path, value);
  }
  for (const { path, of } of open ?? []) changed = withValueAt(changed, path, drawOfKind(of, random));
  return /** @type {Document} */ (changed);
}

/** @param {EmittedRow[] | undefined} rows @returns {string} */
function valuesOf(rows) {
  return JSON.stringify((rows ?? []).map(({ value }) => value));
}

/** @param {unknown} old @param {() => unknown} draw @returns {unknown} another one, where some draws find it */
function drawOther(old, draw) {
  for (let turn = 0; turn < 5; turn += 1) {
    const value = draw();
    if (JSON.stringify(value) !== JSON.stringify(old)) return value;
  }
  return old;
}
