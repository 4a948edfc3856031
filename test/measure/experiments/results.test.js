// The result file is read again as it was written, and what is broken off is passed over.

import { expect, test } from 'vitest';
import { fingerprintOf, readFinished, readUnfinished, writeLine } from '../../../lib/measure/experiments/results.js';
import { shopExperiment } from './shop-experiment.js';

/** @type {import('../../../lib/measure/experiments/results.js').ResultLine} */
const result = {
  type: 'result',
  experiment: 'shop/orders',
  fingerprint: 'f1',
  state: 'done',
  failure: null,
  at: '2026-01-01T00:00:00.000Z',
  documents: 100,
  margin: 1.1,
  logRatios: [0.5, 1 / 3],
  arms: [],
  warnings: [],
};

test('a finished experiment is found again', () => {
  const { type: _, ...rest } = result;
  expect(readFinished(writeLine(result)).get('f1')).toEqual({ ...rest, logRatios: [0.5, 0.333333333] });
});

test('of two with one fingerprint the last counts', () => {
  const text = writeLine(result) + writeLine({ ...result, documents: 200 });
  expect(readFinished(text).get('f1')?.documents).toBe(200);
});

test.each([
  ['a line that is broken off', writeLine(result).slice(0, 40)],
  ['an experiment that was stopped', writeLine({ ...result, state: 'stopped' })],
  ['an experiment that failed', writeLine({ ...result, state: 'failed' })],
  ['another value', '7\nnull\n"x"\n[]\n{}\n'],
  ['a list that holds no numbers', writeLine(result).replace('0.5', '"x"')],
  ['nothing', ''],
])('%s is passed over', (_, text) => {
  expect(readFinished(text).size).toBe(0);
  expect(readFinished(text + writeLine(result)).size).toBe(text.endsWith('\n') || text === '' ? 1 : 0);
});

/** @param {string} arm @param {number} pair @param {object} [more] */
function sample(arm, pair, more) {
  const zero = { position: 0, elapsedMs: 1, requests: 1, errors: 0, timeouts: 0, refused: 0, bytes: 0 };
  const one = { ...zero, arm, pair, at: '', ms: 1, isUsable: true, latencies: [1], counters: {} };
  return writeLine({ type: 'sample', experiment: 'shop/orders', ...one, ...more });
}
const start = writeLine({ type: 'start', experiment: 'shop/orders', fingerprint: 'f1' });
const pair = (/** @type {number} */ at) => sample('as-is', at) + sample('advised', at);

test.each([
  ['whole pairs', start + pair(0) + pair(1), 4],
  ['half a pair', start + pair(0) + sample('advised', 1), 2],
  ['a line that is broken off', start + pair(0) + pair(1).slice(0, -30), 2],
  ['pairs of two runs', start + pair(0) + start + pair(1), 4],
  ['a pair behind one that is missing', start + pair(0) + pair(2), 2],
  ['rounds with many connections', start + pair(0) + sample('as-is', 1, { connections: 10 }), 2],
  ['rounds of equal arms', start + sample('as-is', 0, { experiment: 'equal arms of shop/orders' }), undefined],
  ['rounds that belong to nothing', pair(0), undefined],
  ['other lines', `${start}7\nnull\n[]\n{"type":"sample"}\n`, undefined],
])('of an experiment that was cut short, %s give what is kept', (_, text, count) => {
  expect(readUnfinished(text).get('f1')?.length).toBe(count);
});

test('a fingerprint changes with all that a result depends on', () => {
  const settings = { server: 'CouchDB 3.5.0', seed: '1', documents: 100, connections: 1, tool: '0.1.0' };
  const changed = [
    { server: 'CouchDB 3.4.3' },
    { seed: '2' },
    { documents: 200 },
    { connections: 2 },
    { tool: '0.2.0' },
  ];
  const all = [
    fingerprintOf(shopExperiment(), settings),
    fingerprintOf(shopExperiment({ effect: 1.2 }), settings),
    ...changed.map((change) => fingerprintOf(shopExperiment(), { ...settings, ...change })),
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(fingerprintOf(shopExperiment(), { ...settings })).toBe(all[0]);
});
