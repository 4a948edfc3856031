// Facts about the updates of one index that the logs show, and about the requests that wait for them.

import { threeDigits } from '../shared/units.js';

/** @import { RequestRecord } from '../sources/record.js' */
/** @import { BuildSubject, Extracted, FactDeclaration } from './fact.js' */

/** Fewer requests of a shape have no median that says what is usual. */
const MIN_REQUESTS = 5;

/**
 * @param {string} id
 * @param {FactDeclaration['type']} type
 * @param {string} meaning
 * @param {(subject: BuildSubject) => Extracted} extract
 * @returns {FactDeclaration<BuildSubject>}
 */
function buildFact(id, type, meaning, extract) {
  return { id, type, subject: 'build', sources: ['logs'], basis: 'measured', meaning, extract };
}

/** @type {FactDeclaration<BuildSubject>[]} */
export const buildFacts = [
  buildFact(
    'build.count',
    'count',
    'How many updates of the index began and ended in the logs, by shard.',
    (subject) => ({
      value: subject.record.builds,
    }),
  ),
  buildFact('build.msMax', 'ms', 'The longest update of one shard of the index.', ({ record }) =>
    record.buildMs ? { value: record.buildMs.max } : { unknown: 'no update began and ended in the logs' },
  ),
  buildFact('build.longestFrom', 'text', 'When the longest update began.', ({ record }) =>
    record.longestFrom === null ? { unknown: 'no update began and ended in the logs' } : { value: record.longestFrom },
  ),
  buildFact(
    'build.slowestRequestMs',
    'ms',
    'The slowest request of the shape that is, at times, farthest from its median, among those that ask a view of the index.',
    (subject) => {
      const slowest = slowestOf(subject);
      return slowest?.latencyMs
        ? { value: slowest.latencyMs.max, place: exampleOf(slowest) }
        : { unknown: 'the logs tell of no request to a view of it how long it took' };
    },
  ),
  buildFact('build.slowestRequest', 'text', 'That shape.', (subject) => {
    const slowest = slowestOf(subject);
    return slowest ? { value: slowest.name } : { unknown: 'the logs have no request to a view of it' };
  }),
  buildFact(
    'build.slowdown',
    'count',
    'How many times the median of that shape its slowest request took.',
    (subject) => {
      const { latencyMs } = slowestOf(subject) ?? {};
      if (!latencyMs) return { unknown: 'the logs tell of no request to a view of it how long it took' };
      return { value: threeDigits(ratioOf(latencyMs)) };
    },
  ),
];

/**
 * @param {BuildSubject} subject
 * @returns {RequestRecord | undefined} the shape whose slowest request is farthest from its median
 */
function slowestOf({ record, parent }) {
  /** @type {RequestRecord | undefined} */
  let slowest;
  for (const subject of parent.subjects) {
    if (subject.kind !== 'request') continue;
    const { database, designDoc, view, latencyMs } = subject.record;
    if (database !== record.database || designDoc !== record.designDoc || view === '' || !latencyMs) continue;
    if (subject.record.count < MIN_REQUESTS) continue;
    if (!slowest?.latencyMs || ratioOf(latencyMs) > ratioOf(slowest.latencyMs)) slowest = subject.record;
  }
  return slowest;
}

/** @param {{max: number, p50: number}} latency */
function ratioOf({ max, p50 }) {
  return max / Math.max(1, p50);
}

/** @param {RequestRecord} record */
function exampleOf({ examples }) {
  const [first] = examples;
  return first && { file: first.file, line: first.line, column: 1 };
}
