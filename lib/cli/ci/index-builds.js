// Determines what a change does to the indexes of design documents and how long their builds take. Pure.

import { createHash } from 'node:crypto';
import { changedParts, compareIndexes } from '../../facts/index-groups/compare-versions.js';
import { indexGroupsOf, sameIndex, spellingOf } from '../../facts/index-groups/index-groups.js';
import { formatCount } from '../../shared/units.js';
import { pairVersions } from '../../sources/record.js';

/** @import { IndexGroup, IndexKind } from '../../facts/index-groups/index-groups.js' */
/** @import { BuildRecord, DesignDocRecord, MangoIndexRecord, SourceRecord } from '../../sources/record.js' */

/** `shared`: new under this name, and there already under another; the others as of a comparison. @typedef {'rebuilt' | 'new' | 'shared' | 'kept' | 'dropped'} Fate */

/**
 * @typedef {object} IndexBuild What becomes of one index.
 * @property {string | null} designDoc id; null where the file names none
 * @property {string} file
 * @property {IndexKind | 'mango'} kind
 * @property {string} name of a search index or a Mango index; empty for that of the views
 * @property {string[]} views what it serves
 * @property {Fate} fate
 * @property {string[]} parts what was changed of the document: `views.by_date`, `filters.open`
 * @property {string | undefined} signatureBefore
 * @property {string | undefined} signature as `_info` will report it; undefined where it is unknown
 * @property {string | undefined} unknown why it cannot
 * @property {Estimate | undefined} estimate of what is built; undefined where nothing is
 * @property {DesignDocRecord | undefined} record of the new version
 */

/** @typedef {{seconds: number, basis: string} | {missing: string[]}} Estimate */

/**
 * @typedef {object} Speed What is known of how fast indexes are built.
 * @property {number | undefined} documents of the database
 * @property {{perSecond: number, from: string} | undefined} rate documents a second, and who measured it
 */

/**
 * @param {readonly SourceRecord[]} before
 * @param {readonly SourceRecord[]} after
 * @param {Speed} speed
 * @returns {IndexBuild[]} of every document that differs, in the order of the new state
 */
export function findIndexBuilds(before, after, speed) {
  const measured = after.filter((record) => record.kind === 'build');
  const old = before.filter((record) => record.kind === 'design-doc');
  const builds = pairVersions(before, after).flatMap((pair) => {
    const record = pair.after ?? pair.before;
    if (!record) return [];
    const parts = pair.before && pair.after ? changedParts(pair.before, pair.after).map(({ path }) => path) : [];
    if (pair.before && pair.after && parts.length === 0) return [];
    return compareIndexes(pair.before, pair.after).map(({ fate, before: earlier, after: current }) => {
      const group = /** @type {IndexGroup} */ (current ?? earlier);
      const isShared = fate === 'new' && old.some((other) => hasIndex(other, record, group));
      const found = isShared ? /** @type {const} */ ('shared') : fate;
      return {
        designDoc: record.id,
        file: record.file.path,
        kind: group.kind,
        name: group.name,
        views: group.views,
        fate: found,
        parts,
        signatureBefore: earlier && signatureOf(earlier),
        signature: current && signatureOf(current),
        unknown: current?.unknown ?? earlier?.unknown,
        estimate: isBuilt(found) ? estimate(speed, measured, record.id) : undefined,
        record: pair.after,
      };
    });
  });
  return [...builds, ...mangoBuilds(before, after, speed, measured)];
}

/** @param {Fate} fate @returns {boolean} whether CouchDB reads all documents for it */
export function isBuilt(fate) {
  return fate === 'rebuilt' || fate === 'new';
}

/**
 * Indexes are files named by their signature: two documents of one database may share one.
 * @param {DesignDocRecord} other
 * @param {DesignDocRecord} record
 * @param {IndexGroup} group
 * @returns {boolean}
 */
function hasIndex(other, record, group) {
  if (other.group !== record.group || !group.term) return false;
  return indexGroupsOf(other).some((candidate) => candidate.kind === group.kind && sameIndex(candidate, group));
}

/**
 * Bodies for `POST /db/_index`: a design document is made of them by the server, of its own name where they name none.
 * @param {readonly SourceRecord[]} before
 * @param {readonly SourceRecord[]} after
 * @param {Speed} speed
 * @param {BuildRecord[]} measured
 * @returns {IndexBuild[]}
 */
function mangoBuilds(before, after, speed, measured) {
  const [old, current] = [before, after].map((records) =>
    records.filter((record) => record.kind === 'mango-index').filter(({ node }) => !node.isOpen),
  );
  /** @type {Map<string, MangoIndexRecord>} */
  const left = new Map((old ?? []).map((record) => [mangoName(record), record]));
  /** @type {IndexBuild[]} */
  const builds = [];
  /** @param {MangoIndexRecord} record @param {Fate} fate */
  const add = ({ ddoc, name, file }, fate) => {
    const designDoc = ddoc === null || ddoc.startsWith('_design/') ? ddoc : `_design/${ddoc}`;
    builds.push({
      designDoc,
      file: file.path,
      kind: 'mango',
      name: name ?? '',
      views: [],
      fate,
      parts: [],
      signatureBefore: undefined,
      signature: undefined,
      unknown: undefined,
      estimate: isBuilt(fate) ? estimate(speed, measured, designDoc) : undefined,
      record: undefined,
    });
  };
  for (const record of current ?? []) {
    const earlier = left.get(mangoName(record));
    left.delete(mangoName(record));
    if (earlier && spellingOf(earlier.node) === spellingOf(record.node)) continue;
    // Without a name for its document, a changed index is another one: the server names it by what it holds.
    add(record, earlier && record.ddoc !== null ? 'rebuilt' : 'new');
  }
  for (const record of left.values()) add(record, 'dropped');
  return builds;
}

/** @param {MangoIndexRecord} record @returns {string} */
function mangoName({ ddoc, name, file, group, node, isInCode }) {
  // A file of code may create several without a name.
  if (isInCode && (ddoc === null || name === null)) return JSON.stringify([file.path, spellingOf(node)]);
  return JSON.stringify(ddoc === null || name === null ? [file.path, ddoc, name] : [group, ddoc, name]);
}

/**
 * @param {Speed} speed
 * @param {BuildRecord[]} measured
 * @param {string | null} designDoc
 * @returns {Estimate}
 */
function estimate({ documents, rate }, measured, designDoc) {
  if (documents !== undefined && rate) {
    return {
      seconds: documents / rate.perSecond,
      basis: `${formatCount(Math.round(documents))} documents at ${formatCount(Math.round(rate.perSecond))} per second (${rate.from})`,
    };
  }
  const longest = Math.max(
    ...measured.filter((build) => build.designDoc === designDoc).map(({ buildMs }) => buildMs?.max ?? 0),
  );
  if (longest > 0 && Number.isFinite(longest)) {
    return { seconds: longest / 1000, basis: 'the longest update of one of its shards in the logs' };
  }
  /** @type {string[]} */
  const missing = [];
  if (documents === undefined) missing.push('the number of documents in the database (`--documents`)');
  if (!rate)
    missing.push(
      'the number of documents indexed per second (`--docs-per-second`, or run `npx --no-install couch-advisor confirm --url`)',
    );
  return { missing };
}

/**
 * @param {IndexGroup} group
 * @returns {string | undefined} as `GET /db/_design/name/_info` reports it; undefined where it is unknown
 */
export function signatureOf({ kind, term }) {
  if (!term) return undefined;
  // Views and Clouseau: couch_mrview_util.erl and dreyfus_index.erl; Nouveau: nouveau_util.erl (3.5.2).
  return createHash(kind === 'nouveau' ? 'sha256' : 'md5')
    .update(term)
    .digest('hex');
}
