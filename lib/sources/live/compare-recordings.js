// Joins recordings of one server: the newest is judged, and knows what the one before it said of the same things.

import { groupBy } from '../../shared/group-by.js';

/** @import { ReplicationRecord } from '../design-docs/replication.js' */
/** @import { SourceRecord } from '../record.js' */
/** @import { DatabaseRecord, NodeRecord } from './record.js' */

const MS_PER_MINUTE = 60_000;

/**
 * @param {SourceRecord[]} records
 * @returns {SourceRecord[]} without those of older recordings; where the time of a recording is unknown it stays as it is
 */
export function compareRecordings(records) {
  const nodes = records.flatMap((record) =>
    record.kind === 'node' && record.recording.at !== undefined ? record : [],
  );
  /** @type {Set<SourceRecord>} */
  const left = new Set();
  /** @type {SourceRecord[]} */
  const gone = [];
  for (const group of groupBy(nodes, ({ origin }) => origin).values()) {
    const [newest, ...older] = group.toSorted((one, other) => timeOf(other) - timeOf(one));
    const [earlier] = older;
    if (!newest || !earlier || timeOf(newest) === timeOf(earlier)) continue;
    gone.push(...compare(newest, earlier));
    for (const { recording } of older) for (const record of recording.records) left.add(record);
  }
  return left.size === 0 ? records : [...records.filter((record) => !left.has(record)), ...gone];
}

/**
 * @param {NodeRecord} newest
 * @param {NodeRecord} earlier
 * @returns {ReplicationRecord[]} replications that it no longer has
 */
function compare(newest, earlier) {
  const minutes = (timeOf(newest) - timeOf(earlier)) / MS_PER_MINUTE;
  newest.earlier = { node: earlier, minutes };
  const databases = new Map(databasesOf(earlier).map((record) => [record.name, record]));
  for (const record of databasesOf(newest)) {
    const conflicts = databases.get(record.name)?.conflicts;
    if (conflicts) record.earlierConflicts = conflicts;
  }
  const [now, then] = [jobsOf(newest), jobsOf(earlier)];
  for (const [id, record] of now) {
    const before = then.get(id);
    if (before) record.earlier = { pending: before.pending, minutes };
  }
  if (!newest.hasAllJobs) return [];
  // Other transient jobs end when they have copied everything.
  const lost = [...then].filter(([id, { isTransient }]) => isTransient && id.includes('+continuous') && !now.has(id));
  return lost.map(([, record]) => ({ ...record, file: newest.file, place: newest.placeOf('version'), isGone: true }));
}

/** @param {NodeRecord} node @returns {number} */
function timeOf({ recording }) {
  return Date.parse(recording.at ?? '');
}

/** @param {NodeRecord} node @returns {DatabaseRecord[]} */
function databasesOf({ recording }) {
  return recording.records.flatMap((record) => (record.kind === 'database' ? record : []));
}

/** @param {NodeRecord} node @returns {Map<string, ReplicationRecord>} its running replications, by their ids */
function jobsOf({ recording }) {
  return new Map(
    recording.records.flatMap((record) =>
      record.kind === 'replication' && record.jobId !== null ? [[record.jobId, record]] : [],
    ),
  );
}
