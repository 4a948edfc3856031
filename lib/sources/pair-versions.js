// Pairs the design documents of two states of a project. Guesses nothing: where two may be meant, there is no pair.

/** @import { DesignDocRecord, SourceRecord } from './record.js' */

/** @typedef {{before: DesignDocRecord | undefined, after: DesignDocRecord | undefined}} VersionPair */

/**
 * @param {readonly SourceRecord[]} before
 * @param {readonly SourceRecord[]} after
 * @returns {VersionPair[]} those of `after` first, in its order
 */
export function pairVersions(before, after) {
  const old = before.filter((record) => record.kind === 'design-doc');
  const current = after.filter((record) => record.kind === 'design-doc');
  /** @type {Map<DesignDocRecord, DesignDocRecord>} */
  const earlier = new Map();
  /** @type {Set<DesignDocRecord>} */
  const taken = new Set();
  // First by id and folder; then, for what was moved, by an id that only one of each side still has.
  for (const nameOf of [nameInGroup, (/** @type {DesignDocRecord} */ { id }) => id]) {
    const [olds, currents] = [
      groupBy(
        old.filter((record) => !taken.has(record)),
        nameOf,
      ),
      groupBy(
        current.filter((record) => !earlier.has(record)),
        nameOf,
      ),
    ];
    for (const [name, [record, ...others]] of currents) {
      const [version, ...otherVersions] = olds.get(name) ?? [];
      if (!record || !version || others.length + otherVersions.length > 0) continue;
      earlier.set(record, version);
      taken.add(version);
    }
  }
  return [
    ...current.map((record) => ({ before: earlier.get(record), after: record })),
    ...old.filter((record) => !taken.has(record)).map((record) => ({ before: record, after: undefined })),
  ];
}

/** @param {DesignDocRecord} record @returns {string} what names it among the documents of one state */
function nameInGroup({ id, group, file }) {
  return JSON.stringify(id === null ? [file.path] : [id, group]);
}

/**
 * @param {DesignDocRecord[]} records
 * @param {(record: DesignDocRecord) => string | null} nameOf null for what has no name of its own
 * @returns {Map<string, DesignDocRecord[]>}
 */
function groupBy(records, nameOf) {
  /** @type {Map<string, DesignDocRecord[]>} */
  const groups = new Map();
  for (const record of records) {
    const name = nameOf(record);
    if (name !== null) groups.set(name, [...(groups.get(name) ?? []), record]);
  }
  return groups;
}
