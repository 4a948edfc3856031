// Finds documents for which a map of the user emits: their own where these do, otherwise some that are made from what
// the map reads, and tried in the sandbox. Runs no foreign code itself.

import { withinLimits } from '../../shared/bailout.js';
import { drawEvenly } from '../../shared/draw.js';
import { findChoices, hopeless, withRevision } from './find-choices.js';
import { readNeeds } from './read-needs.js';
import { searchBudget } from './search-budget.js';
import { DocumentWriter } from './write-document.js';

/** @import { Sandbox } from '../../sandbox/sandbox.js' */
/** @import { Candidate } from './candidates.js' */
/** @import { Choice, MadeDocument } from './write-document.js' */

/**
 * @typedef {object} Fitted
 * @property {MadeDocument[]} documents all of the user's, or as many as were wanted, without revisions
 * @property {boolean} areOwn whether they are the user's own
 * @property {number} emitShare from 0 to 1: how many of those that were tried emit
 * @property {unknown[]} keys emitted by these, at most 200, in the order of the documents
 * @property {string[]} notes what was assumed, a sentence each
 */

/** @typedef {{map: string, seed: string, count: number, tries: number, sandbox: Pick<Sandbox, 'map'>}} Order */

/** Documents that are tried at most, and keys that are reported. */
const MAX_TRIED = 200;
const MAX_KEYS = 200;
/** Of those that are tried, at least so many must emit; of the user's own, so many rows will do. */
const MIN_SHARE = 0.5;
const MIN_ROWS = 10;
const UNSURE = 0.25;
/** Choices that differ in a word that the map looks for: documents of all of them are mixed. */
const MAX_MIXED = 12;

/**
 * Documents for which a map emits, the same for the same seed. Samples are used as they are, and never multiplied: copies would have
 * other groups of rows, or groups of another size. Where the map emits for too few of them, documents are made from the members that the
 * map reads and what it compares them with.
 * @param {object} options
 * @param {string} options.map the text of the function
 * @param {object[]} [options.samples] documents of the user
 * @param {string | number} options.seed
 * @param {number} options.count documents that are wanted where they have to be made
 * @param {number} [options.tries] how many of them are tried at most, and give keys
 * @param {number} [options.paddingBytes] length of a text that the map does not read, in documents that are made
 * @param {Pick<Sandbox, 'map'>} options.sandbox
 * @returns {Promise<Fitted | {reason: string}>} a reason where no documents could be made of which half emit
 */
export async function fitDocuments({ map, samples = [], seed, count, paddingBytes = 0, tries = MAX_TRIED, sandbox }) {
  if (!(count >= 1)) return { reason: 'no documents were requested' };
  const order = { map, seed: String(seed), count: Math.floor(count), tries, sandbox };
  const usable = samples.filter(isUsable);
  /** @type {string[]} */
  const notes = [];
  if (usable.length > 0) {
    const documents = ownDocuments(usable);
    const tried = await tryDocuments(order, documents);
    if ('reason' in tried) return tried;
    if (tried.emitShare >= MIN_SHARE || tried.emitCount >= MIN_ROWS) {
      const { emitShare, keys } = tried;
      return { documents, areOwn: true, emitShare, keys, notes };
    }
    notes.push(
      `The map emits for only ${tried.emitCount} of ${tried.triedCount} given documents, so others were generated.`,
    );
  }
  const fitted = await withinLimits(() => synthesise(order, paddingBytes));
  if ('unknown' in fitted) return { reason: fitted.unknown };
  return 'reason' in fitted ? fitted : { ...fitted, notes: [...notes, ...fitted.notes] };
}

/**
 * @param {Record<string, unknown>[]} samples
 * @returns {MadeDocument[]} under their own ids, where these are ids and come once; else under numbers
 */
function ownDocuments(samples) {
  const ids = new Set();
  return samples.map((sample, number) => {
    const { _id: id } = sample;
    const isOwn = typeof id === 'string' && id !== '' && !id.startsWith('_') && !ids.has(id);
    const used = isOwn ? id : `doc-${String(number).padStart(10, '0')}`;
    ids.add(used);
    return { ...withoutReserved(sample), _id: used };
  });
}

/**
 * @param {Order} order
 * @param {number} paddingBytes
 * @returns {Promise<Fitted | {reason: string}>}
 */
async function synthesise(order, paddingBytes) {
  const { map, seed, count, sandbox } = order;
  const budget = searchBudget(count);
  const needs = readNeeds(map, budget);
  if ('reason' in needs) return needs;
  const writer = new DocumentWriter(needs, { seed, count, paddingBytes, budget });
  const found = await findChoices(map, writer, { seed, sandbox });
  if ('reason' in found) return found;
  let best = 0;
  for (const choice of found.choices) {
    const alike = await alternatives(order, writer, choice);
    const documents = Array.from({ length: count }, (_, number) =>
      writer.write(alike[number % alike.length] ?? choice, number),
    );
    if (new Set(documents.map(({ _id }) => _id)).size < documents.length) continue;
    const tried = await tryDocuments(order, documents);
    if ('reason' in tried) return tried;
    const { emitShare, keys } = tried;
    if (emitShare >= MIN_SHARE)
      return { documents, areOwn: false, emitShare, keys, notes: notesOf(documents, writer, alike) };
    best = Math.max(best, emitShare);
  }
  return { reason: `its map emits for only ${Math.round(best * 100)} % of the generated documents` };
}

/**
 * Other words that the map looks for in the same places, so that documents are of each kind.
 * @param {Order} order
 * @param {DocumentWriter} writer
 * @param {Choice} choice
 * @returns {Promise<Choice[]>} the choice, and those beside it for which the map emits too
 */
async function alternatives({ map, sandbox }, writer, choice) {
  /** @type {Choice[]} */
  const beside = [];
  for (const [path, candidates] of writer.open()) {
    const chosen = choice.get(path) ?? 0;
    const isNamed = (/** @type {Candidate | undefined} */ candidate) =>
      candidate?.kind === 'literal' && typeof candidate.value === 'string';
    if (!isNamed(candidates[chosen])) continue;
    // Words that the map names stand in front of all guesses.
    for (let at = 0; at < candidates.length && candidates[at]?.kind !== 'text'; at += 1) {
      if (at !== chosen && isNamed(candidates[at])) beside.push(new Map(choice).set(path, at));
    }
  }
  const some = beside.slice(0, MAX_MIXED);
  if (some.length === 0) return [choice];
  const docs = some.map((other, at) => withRevision(writer.write(other, at)));
  const answers = await sandbox.map({ source: map, docs });
  return [choice, ...some.filter((_, at) => emits(answers[at]))];
}

/**
 * @param {Pick<Order, 'map' | 'tries' | 'sandbox'>} order
 * @param {MadeDocument[]} documents
 * @returns {Promise<{emitShare: number, emitCount: number, triedCount: number, keys: unknown[]} | {reason: string}>}
 */
async function tryDocuments({ map, tries, sandbox }, documents) {
  const docs = drawEvenly(documents, tries).map((document) => withRevision(document));
  const answers = await sandbox.map({ source: map, docs });
  const reason = hopeless(answers);
  if (reason !== undefined) return { reason };
  const emitting = answers.filter(emits).length;
  const emitShare = emitting / answers.length;
  // So few say nothing of a share that is near to what is wanted.
  if (tries < MAX_TRIED && Math.abs(emitShare - MIN_SHARE) < UNSURE)
    return tryDocuments({ map, tries: MAX_TRIED, sandbox }, documents);
  const rows = answers.flatMap((answer) => ('emits' in answer ? answer.emits : []));
  const keys = rows.slice(0, MAX_KEYS).map(({ key }) => key);
  return { emitShare, emitCount: emitting, triedCount: answers.length, keys };
}

/** @param {import('../../sandbox/sandbox.js').MapAnswer | undefined} answer */
function emits(answer) {
  return answer !== undefined && 'emits' in answer && answer.emits.length > 0;
}

/**
 * @param {MadeDocument[]} documents
 * @param {DocumentWriter} writer
 * @param {Choice[]} alike
 * @returns {string[]}
 */
function notesOf(documents, writer, alike) {
  const notes = ['Documents were generated from what the map reads, with made-up values.'];
  if (alike.length > 1) notes.push(`They are of ${alike.length} kinds, by the strings that the map tests for.`);
  const [first] = documents;
  if (first && !first._id.startsWith('doc-'))
    notes.push(`Ids look like ${JSON.stringify(first._id)}, because the map tests for it.`);
  const left = [...writer.root.members.keys()].filter(
    (name) => name.startsWith('_') && name !== '_id' && name !== '_rev',
  );
  if (left.length > 0) notes.push(`They have no ${left.slice(0, 5).join(', ')}: CouchDB sets such members itself.`);
  return notes;
}

/**
 * @param {unknown} sample
 * @returns {sample is Record<string, unknown>} a document that is no design document and not deleted
 */
function isUsable(sample) {
  if (typeof sample !== 'object' || sample === null || Array.isArray(sample)) return false;
  const { _id, _deleted } = /** @type {Record<string, unknown>} */ (sample);
  return !String(_id).startsWith('_design/') && _deleted !== true;
}

/** @param {Record<string, unknown>} sample @returns {Record<string, unknown>} */
function withoutReserved(sample) {
  return Object.fromEntries(Object.entries(sample).filter(([name]) => !name.startsWith('_') || name === '__proto__'));
}
