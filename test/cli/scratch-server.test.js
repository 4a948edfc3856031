// The progress of long commands, where a terminal reads it and where a file does.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgress } from '../../lib/cli/scratch-server.js';

/** @import { Surroundings } from '../../lib/cli/main.js' */

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** @param {boolean} isTTY */
function stream(isTTY) {
  /** @type {string[]} */
  const written = [];
  const stderr = { isTTY, columns: 80, write: (/** @type {string} */ text) => written.push(text) };
  return { written, stderr: /** @type {Surroundings['stderr']} */ (/** @type {unknown} */ (stderr)) };
}

test('without a terminal it is a line every ten seconds', () => {
  const { written, stderr } = stream(false);
  const progress = createProgress(stderr);
  progress.onProgress('1 of 2: view/emit-whole-doc');
  expect(written).toEqual([]);
  vi.advanceTimersByTime(25_000);
  progress.onProgress('2 of 2: view/include-docs-hot');
  vi.advanceTimersByTime(5_000);
  expect(written).toEqual([
    '10 s: 1 of 2: view/emit-whole-doc\n',
    '20 s: 1 of 2: view/emit-whole-doc\n',
    '30 s: 2 of 2: view/include-docs-hot\n',
  ]);
  progress.end();
  vi.advanceTimersByTime(60_000);
  expect(written).toHaveLength(3);
});

test('in a terminal it is one line that is written over', () => {
  const { written, stderr } = stream(true);
  const progress = createProgress(stderr);
  progress.onProgress('1 of 2: view/emit-whole-doc');
  progress.end();
  expect(written).toEqual(['\r\u001b[K1 of 2: view/emit-whole-doc', '\r\u001b[K']);
});
