import { describe, expect, test } from 'vitest';
import { logEvidence } from '../../../lib/facts/log/evidence.js';
import { SourceFile } from '../../helpers/read-source.js';

/** @import { RequestSubject, RunSubject } from '../../../lib/facts/fact.js' */
/** @import { LogRecord, RequestRecord } from '../../../lib/sources/record.js' */

const FILE = new SourceFile('couch.log', '');
const PLACE = { file: 'couch.log', line: 1, column: 1 };

/** @type {RunSubject} */
const RUN = { kind: 'run', name: '', place: PLACE, target: { version: '3.5.0' }, subjects: [] };

/**
 * @param {Partial<RequestRecord>} parts
 * @param {Partial<LogRecord>} [log]
 * @returns {RequestSubject}
 */
function request(parts, log) {
  /** @type {LogRecord} */
  const whole = {
    kind: 'log',
    file: FILE,
    from: '2026-03-02T08:00:30.000Z',
    to: '2026-03-02T08:09:30.000Z',
    minutes: 9,
    requests: 3,
    hasTimes: true,
    hasNames: true,
    databases: new Map(),
    queryServerFailures: [],
    serverReports: [],
    ...log,
  };
  /** @type {RequestRecord} */
  const record = {
    kind: 'request',
    file: FILE,
    name: 'GET shop/_all_docs',
    method: 'GET',
    database: 'shop',
    endpoint: '_all_docs',
    designDoc: '',
    view: '',
    parameters: [],
    isReplication: false,
    count: 3,
    statuses: new Map(),
    latencyMs: undefined,
    ratePerMinute: { mean: 1, peak: 2, busy: 1 },
    share: 0.5,
    rows: undefined,
    limit: undefined,
    limitCount: 0,
    skip: undefined,
    bytesMean: undefined,
    distinctKeys: undefined,
    find: undefined,
    examples: [],
    spread: () => ({ stepMinutes: 1, steps: [], latency: [] }),
    log: whole,
    ...parts,
  };
  return { kind: 'request', name: record.name, record, place: PLACE, parent: RUN };
}

const EIGHT = Date.parse('2026-03-02T08:00:00Z') / 60_000;

describe('requests over time', () => {
  /** @param {Parameters<typeof request>} parts */
  const rateOf = (...parts) => logEvidence(RUN)(request(...parts))?.rate;

  test('are counted for every minute of the logs, also where there are none', () => {
    /** @type {[number, number][]} */
    const steps = [
      [EIGHT + 1, 2],
      [EIGHT + 9, 1],
    ];
    expect(rateOf({ spread: () => ({ stepMinutes: 1, steps, latency: [] }) })).toEqual({
      from: EIGHT * 60_000,
      stepMinutes: 1,
      counts: [0, 2, 0, 0, 0, 0, 0, 0, 0, 1],
    });
  });

  test('of long logs are counted in wider steps, at most 120', () => {
    const day = EIGHT + 1440;
    /** @type {[number, number][]} */
    const steps = [
      [EIGHT, 5],
      [day, 7],
    ];
    const to = new Date(day * 60_000).toISOString();
    const rate = rateOf({ spread: () => ({ stepMinutes: 1, steps, latency: [] }) }, { to });
    expect(rate?.stepMinutes).toBe(16);
    expect(rate?.counts.length).toBeLessThanOrEqual(120);
    expect([rate?.counts.at(0), rate?.counts.at(-1)]).toEqual([5, 7]);
  });

  test('that stand out of order are counted at the ends', () => {
    /** @type {[number, number][]} */
    const steps = [
      [EIGHT - 50, 1],
      [EIGHT + 50, 2],
    ];
    const counts = rateOf({ spread: () => ({ stepMinutes: 1, steps, latency: [] }) })?.counts;
    expect([counts?.at(0), counts?.at(-1)]).toEqual([1, 2]);
  });

  test('are not known where the lines tell no time', () => {
    expect(rateOf({}, { from: null, to: null })).toBeUndefined();
  });
});

test('classes of time begin and end with one that has requests, without gaps', () => {
  const latency = [0, 2, 0, 3, 0].map((count, at) => ({ fromMs: at, belowMs: at + 1, count }));
  const spread = () => ({ stepMinutes: 1, steps: [], latency });
  expect(logEvidence(RUN)(request({ spread }))?.latency.map(({ count }) => count)).toEqual([2, 0, 3]);
});

test('what no request asks has no evidence', () => {
  expect(logEvidence(RUN)(RUN)).toBeUndefined();
});
