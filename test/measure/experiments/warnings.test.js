// Each warning of the closed list comes when it must, and none comes of sound rounds.

import { describe, expect, test } from 'vitest';
import { findWarnings, WARNINGS } from '../../../lib/measure/experiments/warnings.js';

/** @import { Sample } from '../../../lib/measure/experiments/experiment.js' */

/** @param {number} pair @param {Partial<Sample>} [changes] @returns {Sample} */
const round = (pair, changes = {}) => ({
  arm: 'as-is',
  pair,
  position: pair,
  at: '2026-01-01T00:00:00.000Z',
  ms: 10 + (pair % 3) / 10,
  isUsable: true,
  elapsedMs: 200,
  requests: 20,
  errors: 0,
  timeouts: 0,
  refused: 0,
  bytes: 1000,
  latencies: Array.from({ length: 20 }, () => 10),
  counters: {},
  ...changes,
});

/** @param {(pair: number) => Partial<Sample>} [change] */
const rounds = (change = () => ({})) => Array.from({ length: 12 }, (_, pair) => round(pair, change(pair)));

const sound = {
  samples: rounds(),
  leastPairs: 6,
  loadAverage: 0.5,
  processors: 2,
  clocks: { wallMs: 5000, steadyMs: 5003 },
  requestArms: new Set(['as-is']),
};

/** @type {[keyof typeof WARNINGS, Partial<Parameters<typeof findWarnings>[0]>][]} */
const MADE = [
  ['busy-machine', { loadAverage: 4 }],
  ['busy-machine', { samples: rounds((pair) => ({ others: pair === 2 ? 0.8 : 0.02 })) }],
  ['clock-jumped', { clocks: { wallMs: 9000, steadyMs: 5000 } }],
  ['failed-requests', { samples: rounds((pair) => (pair === 3 ? { refused: 2 } : {})) }],
  ['time-outs', { samples: rounds((pair) => (pair === 3 ? { errors: 1, timeouts: 1 } : {})) }],
  ['too-few-rounds', { samples: rounds().slice(0, 5) }],
  ['few-requests', { samples: rounds(() => ({ latencies: [10, 10] })) }],
  ['drift', { samples: rounds((pair) => ({ ms: 10 + pair })) }],
  ['two-speeds', { samples: rounds((pair) => ({ ms: pair % 2 ? 20 + pair / 100 : 10 + pair / 100 })) }],
  ['compaction-ran', { compacted: true }],
  ['counters-shared', { shared: true }],
  ['counters-of-some-nodes', { counted: { read: 1, nodes: 3 } }],
];

describe('warnings', () => {
  test('are none of sound rounds', () => {
    expect(findWarnings(sound)).toEqual([]);
  });

  test.each(MADE)('%s', (code, change) => {
    expect(findWarnings({ ...sound, ...change }).map((warning) => warning.code)).toEqual([code]);
  });

  test('of the list are all tried here', () => {
    expect([...new Set(MADE.map(([code]) => code))].toSorted()).toEqual(Object.keys(WARNINGS).toSorted());
  });

  test('are none of a high load where others were watched and did nothing: the load is our own', () => {
    const samples = rounds(() => ({ others: 0.05 }));
    expect(findWarnings({ ...sound, samples, loadAverage: 9, counted: { read: 3, nodes: 3 } })).toEqual([]);
  });

  test('come in the order of the list', () => {
    const all = findWarnings({
      ...sound,
      loadAverage: 9,
      compacted: true,
      shared: true,
      clocks: { wallMs: 0, steadyMs: 9999 },
    });
    expect(all.map(({ code }) => code)).toEqual(['busy-machine', 'clock-jumped', 'compaction-ran', 'counters-shared']);
  });

  test('rounds of a build or a load have few requests by their nature', () => {
    const samples = rounds(() => ({ latencies: [10] }));
    expect(findWarnings({ ...sound, samples, requestArms: new Set() })).toEqual([]);
  });
});
