// Tests that the log and the load of the shop are what their generator makes; UPDATE_GOLDEN=1 rewrites them.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { root } from './run-cli.js';
import { shopLoad, shopLog } from './shop-traffic.js';

test.each([
  ['logs/couch.log', shopLog],
  ['loads/orders.jsonl', shopLoad],
])('fixtures/projects/shop/%s is made from its seed', (name, make) => {
  const file = path.join(root, 'fixtures/projects/shop', name);
  if (process.env['UPDATE_GOLDEN']) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, make());
  }
  expect(readFileSync(file, 'utf8')).toBe(make());
});
