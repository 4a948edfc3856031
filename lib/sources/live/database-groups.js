// Keeps count of how much was read of the databases of each name pattern, and which have the same design documents, and
// says so in notes: of a hundred thousand databases not one by one.

import { foldDatabase } from '../../shared/fold-database.js';
import { groupBy } from '../../shared/group-by.js';
import { formatCount } from '../../shared/units.js';

/** @typedef {{path: string, reason: string}} Note */
/** `documents`: the text of all its design documents; undefined where they were not read, or there are none. @typedef {{name: string, isInFull: boolean, documents: string | undefined, hasDocuments: boolean}} Member */

/** So many databases with the same design documents are named each. */
const MAX_SAME = 20;
/** So many databases whose design documents were not read are named. */
const MAX_UNREAD = 1000;

export class DatabaseGroups {
  /** @type {Member[]} */
  #members = [];
  /** Numbers of texts: one text stands for those of thousands of databases. @type {Map<string, string>} */
  #texts = new Map();
  /** Databases of which nothing at all was read. @type {string[]} */
  #missed = [];

  /** @returns {number} databases that were read in full */
  get inFull() {
    return this.#members.filter(({ isInFull }) => isInFull).length;
  }

  /**
   * @param {Member} member
   * @returns {boolean} whether its design documents are those of a database before
   */
  add(member) {
    const { documents } = member;
    const isKnown = documents !== undefined && this.#texts.has(documents);
    if (documents !== undefined && !isKnown) this.#texts.set(documents, documents);
    this.#members.push({ ...member, documents: documents === undefined ? undefined : this.#texts.get(documents) });
    return isKnown;
  }

  /** @param {string[]} names of databases that were to be read as far as requests allow it */
  addMissed(names) {
    const read = new Set(this.#members.map(({ name }) => name));
    this.#missed.push(...names.filter((name) => !read.has(name)));
  }

  /**
   * @param {(name: string) => string} addressOf of a database
   * @returns {Note[]}
   */
  notes(addressOf) {
    const missed = groupBy(this.#missed, foldDatabase);
    const groups = groupBy(this.#members, ({ name }) => foldDatabase(name));
    const notes = [...groups].flatMap(([pattern, members]) => {
      const unread = missed.get(pattern) ?? [];
      const isSampled = unread.length > 0 || members.some(({ isInFull }) => !isInFull);
      return [...(isSampled ? sampleNotes(pattern, members, unread) : []), ...otherNotes(pattern, members)];
    });
    notes.push(...sameNotes(this.#members));
    return notes.map(({ path, reason }) => ({ path: addressOf(path), reason }));
  }
}

/**
 * @param {string} pattern
 * @param {Member[]} members
 * @param {string[]} missed
 * @returns {Note[]} of what was read of databases of one pattern
 */
function sampleNotes(pattern, members, missed) {
  const inFull = members.filter(({ isInFull }) => isInFull).length;
  // A recording of another program may hold less.
  if (inFull === 0) {
    const bare = members.filter(({ hasDocuments }) => !hasDocuments);
    return bare.map(({ name }) => ({ path: name, reason: 'its design documents were not recorded' }));
  }
  const unread = [...members.filter(({ hasDocuments }) => !hasDocuments).map(({ name }) => name), ...missed].sort();
  const looked = members.length + missed.length - unread.length;
  const all = formatCount(members.length + missed.length);
  const reason =
    `${formatCount(inFull)} of ${all} databases were read in full, of ${formatCount(looked - inFull)} more the design documents, ` +
    `of ${formatCount(unread.length)} at most the figures`;
  const named = unread
    .slice(0, MAX_UNREAD)
    .map((name) => ({ path: name, reason: 'its design documents were not read' }));
  const others = unread.length - named.length;
  if (others > 0) named.push({ path: pattern, reason: `nor were those of ${formatCount(others)} more databases` });
  return [{ path: pattern, reason: `${reason}; read more with --per-pattern` }, ...named];
}

/**
 * @param {string} pattern
 * @param {Member[]} members
 * @returns {Note[]} of databases whose design documents are not those of most of their pattern
 */
function otherNotes(pattern, members) {
  const sets = [...setsOf(members).values()];
  const largest = sets.reduce((most, set) => (set.length > most.length ? set : most), []);
  const [usual, ...others] = largest;
  if (!usual || others.length < MAX_SAME) return [];
  const few = sets.filter((set) => set !== largest && set.length <= MAX_SAME).flat();
  const reason = `other design documents than ${usual.name} and ${formatCount(others.length)} more databases \`${pattern}\``;
  return few.map(({ name }) => ({ path: name, reason }));
}

/**
 * @param {Member[]} members
 * @returns {Note[]} of databases with the design documents of another
 */
function sameNotes(members) {
  return [...setsOf(members).values()].flatMap(([first, ...others]) =>
    [...groupBy(others, ({ name }) => foldDatabase(name))].flatMap(([pattern, group]) => {
      const same = `the same design documents as ${first?.name}`;
      if (group.length <= MAX_SAME) return group.map(({ name }) => ({ path: name, reason: same }));
      return [{ path: pattern, reason: `${formatCount(group.length)} databases have ${same}` }];
    }),
  );
}

/** @param {Member[]} members @returns {Map<string | undefined, Member[]>} those with design documents, by these */
function setsOf(members) {
  return groupBy(
    members.filter(({ documents }) => documents !== undefined),
    ({ documents }) => documents,
  );
}
