import { expect, test } from 'vitest';
import { Stopwatch } from '../../lib/sandbox/stopwatch.js';

/** @param {number} ms of the processor, at most 2 s by the clock */
function work(ms) {
  const from = process.cpuUsage();
  const end = performance.now() + 2000;
  for (let used = 0; used < ms && performance.now() < end; ) {
    const { user, system } = process.cpuUsage(from);
    used = (user + system) / 1000;
  }
}

test('a limit is not over at once', () => {
  const stopwatch = new Stopwatch(10_000);
  expect(stopwatch.isOver()).toBe(false);
  expect(stopwatch.restMs()).toBeGreaterThan(0);
});

test('work uses up the limit', () => {
  const stopwatch = new Stopwatch(20);
  work(60);
  expect(stopwatch.isOver()).toBe(true);
});

test('waiting does not, until patience is at its end', async () => {
  const stopwatch = new Stopwatch(40);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
  expect(stopwatch.isOver()).toBe(false);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  expect(stopwatch.isOver()).toBe(true);
});
