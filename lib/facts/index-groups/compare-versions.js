// Compares two versions of a design document: which indexes are kept, rebuilt or removed, and which parts differ. Pure.

import { member, nodePlace } from '../../sources/record.js';
import { entries } from '../subjects.js';
import { indexGroupsOf, sameIndex, spellingOf } from './index-groups.js';

/** @import { Place } from '../../shared/source-file.js' */
/** @import { DesignDocRecord, ValueNode } from '../../sources/record.js' */
/** @import { IndexGroup } from './index-groups.js' */

/** `new`: there was none of its name; `dropped`: there is none any more. @typedef {'kept' | 'rebuilt' | 'new' | 'dropped'} IndexFate */
/** @typedef {{fate: IndexFate, before: IndexGroup | undefined, after: IndexGroup | undefined}} IndexChange */
/** @typedef {{path: string, change: 'added' | 'changed' | 'removed', place: Place}} ChangedPart `path`: `views.by_date`, `filters.open`, `language` */

/** Members whose own members are reported one by one. */
const GROUPS = ['views', 'filters', 'updates', 'shows', 'lists', 'indexes', 'nouveau', 'options'];

/** What no index and no behaviour depends on. */
const IGNORED = new Set(['_id', '_rev', '_revisions']);

/**
 * @param {DesignDocRecord | undefined} before
 * @param {DesignDocRecord | undefined} after
 * @returns {IndexChange[]} that of the views first
 */
export function compareIndexes(before, after) {
  const old = before ? indexGroupsOf(before) : [];
  const current = after ? indexGroupsOf(after) : [];
  /** @param {IndexGroup[]} groups @param {IndexGroup} wanted */
  const find = (groups, wanted) => groups.find(({ kind, name }) => kind === wanted.kind && name === wanted.name);
  return [
    ...current.map((group) => {
      const earlier = find(old, group);
      const fate = earlier ? (sameIndex(earlier, group) ? 'kept' : 'rebuilt') : 'new';
      return { fate: /** @type {IndexFate} */ (fate), before: earlier, after: group };
    }),
    ...old
      .filter((group) => !find(current, group))
      .map((group) => ({ fate: /** @type {const} */ ('dropped'), before: group, after: undefined })),
  ];
}

/**
 * @param {DesignDocRecord} before
 * @param {DesignDocRecord} after
 * @returns {ChangedPart[]} what the versions say differently, in the order of the new one; what is gone at the end, placed in
 *   the old one
 */
export function changedParts(before, after) {
  return changedMembers(before.node, after.node, '').flatMap((part) => {
    if (!GROUPS.includes(part.path)) return [part];
    const [old, current] = [member(before.node, part.path), member(after.node, part.path)];
    const inner = changedMembers(old, current, `${part.path}.`);
    return inner.length > 0 ? inner : [part];
  });
}

/**
 * @param {ValueNode | undefined} before
 * @param {ValueNode | undefined} after
 * @param {string} prefix of the paths
 * @returns {ChangedPart[]}
 */
function changedMembers(before, after, prefix) {
  const [old, current] = [entries(before), entries(after)].map(
    (list) => new Map(list.filter(({ key }) => prefix !== '' || !IGNORED.has(key)).map((item) => [item.key, item])),
  );
  /** @type {ChangedPart[]} */
  const parts = [];
  for (const [key, item] of current ?? []) {
    const earlier = old?.get(key);
    if (earlier && spellingOf(earlier.node) === spellingOf(item.node)) continue;
    parts.push({ path: prefix + key, change: earlier ? 'changed' : 'added', place: entryPlace(item) });
  }
  for (const [key, item] of old ?? []) {
    if (!current?.has(key)) parts.push({ path: prefix + key, change: 'removed', place: entryPlace(item) });
  }
  return parts;
}

/** @param {import('../../sources/record.js').Entry} item @returns {Place} of its key; of its value where the key is a file's name */
function entryPlace({ keyStart, keyEnd, node }) {
  return keyEnd > keyStart ? node.file.place(keyStart, keyEnd) : nodePlace(firstText(node));
}

/** @param {ValueNode} node @returns {ValueNode} of a folder the first file in it */
function firstText(node) {
  let found = node;
  while (found.type === 'object' && found.end === 0) {
    const [first] = found.entries;
    if (!first) break;
    found = first.node;
  }
  return found;
}
