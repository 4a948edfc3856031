import { expect, test } from 'vitest';
import { FingerprintGroup } from '../../lib/digest/fingerprint-group.js';
import { Histogram } from '../../lib/digest/histogram.js';
import { spreadOf } from '../../lib/digest/log-records.js';
import { MinuteCounts } from '../../lib/digest/minute-counts.js';

const SHAPE = { endpoint: '_view', designDoc: '', view: '', functionName: '', parameters: [], byReplicator: false };

/**
 * @param {number[]} milliseconds of its requests
 * @param {number[]} minutes
 */
function groupOf(milliseconds, minutes = []) {
  const group = new FingerprintGroup('GET', 'shop', SHAPE, false);
  group.latencyMicros = new Histogram();
  for (const ms of milliseconds) group.latencyMicros.add(ms * 1000);
  group.minutes = new MinuteCounts();
  for (const minute of minutes) group.minutes.add(minute);
  return group;
}

test.each([
  [0, 0, 1],
  [0.9, 0, 1],
  [1, 1, 2],
  [4.9, 2, 5],
  [5, 5, 10],
  [150, 100, 200],
  [59_000, 50_000, 100_000],
  [86_400_000, 20_000_000, 50_000_000],
  [1e9, 20_000_000, 50_000_000],
])('a request of %f ms is in the class from %i to %i ms', (ms, fromMs, belowMs) => {
  const { latency } = spreadOf(groupOf([ms]));
  expect(latency.filter(({ count }) => count > 0)).toEqual([{ fromMs, belowMs, count: 1 }]);
});

test('requests are counted by minute', () => {
  expect(spreadOf(groupOf([], [10, 10, 12]))).toMatchObject({
    stepMinutes: 1,
    steps: [
      [10, 2],
      [12, 1],
    ],
  });
});

test('where no line tells a time, there are no classes', () => {
  expect(spreadOf(groupOf([])).latency).toEqual([]);
});
