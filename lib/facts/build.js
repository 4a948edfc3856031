// Facts about the updates of one index that the logs show, and about the requests that wait for them.

import { threeDigits } from '../shared/units.js';
import { factsOf } from './fact.js';

/** @import { RequestRecord } from '../sources/record.js' */
/** @import { BuildSubject, DeclareFact, FactDeclaration } from './fact.js' */

/** Fewer requests of a shape have no median that says what is usual. */
const MIN_REQUESTS = 5;

/** @type {DeclareFact<BuildSubject>} */
const buildFact = factsOf({ subject: 'build', sources: ['logs'], basis: 'measured' });

/** @type {FactDeclaration<BuildSubject>[]} */
export const buildFacts = [
  buildFact('build.msMax', 'ms', {
    meaning: 'How long the longest update of one shard of the index took.',
    phrases: 'the longest build of one shard took {value}',
    extract: ({ record }) =>
      record.buildMs ? { value: record.buildMs.max } : { unknown: 'no index update starts and ends within the logs' },
  }),
  buildFact('build.longestFrom', 'text', {
    meaning: 'When the longest update started.',
    extract: ({ record }) =>
      record.longestFrom === null
        ? { unknown: 'no index update starts and ends within the logs' }
        : { value: record.longestFrom },
  }),
  buildFact('build.slowestRequestMs', 'ms', {
    meaning:
      'The slowest request to a view of the index, of the query whose slowest request is farthest above its median.',
    phrases: 'the slowest request took {value}',
    extract: (subject) => {
      const slowest = slowestOf(subject);
      return slowest?.latencyMs
        ? { value: slowest.latencyMs.max, place: exampleOf(slowest) }
        : { unknown: 'the logs have no response times for its views' };
    },
  }),
  buildFact('build.slowestRequest', 'text', {
    meaning: 'That shape.',
    extract: (subject) => {
      const slowest = slowestOf(subject);
      return slowest ? { value: slowest.name } : { unknown: 'the logs have no requests to its views' };
    },
  }),
  buildFact('build.slowdown', 'count', {
    meaning: 'How many times the median of that query its slowest request took.',
    phrases: 'the slowest request took {value} times the median',
    extract: (subject) => {
      const { latencyMs } = slowestOf(subject) ?? {};
      if (!latencyMs) return { unknown: 'the logs have no response times for its views' };
      return { value: threeDigits(ratioOf(latencyMs)) };
    },
  }),
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
