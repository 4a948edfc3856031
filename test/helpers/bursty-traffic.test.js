// Tests that the logs that are compared in the documentation are what their generator makes; UPDATE_GOLDEN=1 rewrites them.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { burstyLines } from './bursty-traffic.js';
import { root } from './run-cli.js';

/** What a release changed: one view is slower, one queried more often, one no longer, and more requests for documents fail. */
const CHANGED = { 1: { ms: 2.5 }, 0: { perMinute: 2 }, 5: { failing: 6 }, 2: { perMinute: 1e-9 } };

test.each([
  ['monday', {}],
  ['tuesday', { day: 1, factors: CHANGED }],
])('fixtures/compare/%s.log.gz is made from its seed', (name, options) => {
  const file = path.join(root, 'fixtures/compare', `${name}.log.gz`);
  const text = `${burstyLines(name, { minutes: 120, ...options }).join('\n')}\n`;
  if (process.env['UPDATE_GOLDEN']) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, gzipSync(text, { level: 9 }));
  }
  expect(gunzipSync(readFileSync(file)).toString('utf8')).toBe(text);
});
