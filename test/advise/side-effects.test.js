// A new index that CouchDB would use for a query that another index serves better.

import { expect, test } from 'vitest';
import { adviseOn, SCAN_MS } from '../helpers/advise.js';

const orders = Array.from({ length: 2000 }, (_, at) => ({
  _id: `order-${String(at).padStart(6, '0')}`,
  status: `state-${at % 10}`,
  date: new Date(Date.UTC(2026, 1, 28) - ((at * 13) % 300) * 86_400_000).toISOString().slice(0, 10),
}));

/** @param {string} name @param {string[]} fields */
const index = (name, fields) => ({ [`indexes/${name}.json`]: { index: { fields }, ddoc: name, name, type: 'json' } });

const slow = { body: { selector: { status: 'state-7' }, limit: 90 }, times: 1000, ms: SCAN_MS };
const recent = { body: { selector: { status: 'state-7', date: { $gt: '2026-02-26' } } }, times: 3, ms: 8 };
const writes = { method: 'PUT', target: '/shop/order-1', body: {}, times: 2000, ms: 5 };

test.each([
  // CouchDB takes the first by name of those that fit equally well (mango_cursor_view:choose_best_index/1).
  ['a name behind that of the new one', 'z-date', true],
  ['a name in front of it', 'a-date', false],
])('an index with %s', async (_, name, isReplaced) => {
  const { plan } = await adviseOn({ documents: orders, files: index(name, ['date']), traffic: [slow, recent, writes] });
  expect(plan.steps.map(({ change }) => change.index)).toEqual([{ fields: ['status'] }]);
  const warnings = plan.notes.filter((note) => note.startsWith('before the deploy'));
  expect(warnings).toHaveLength(isReplaced ? 1 : 0);
  if (isReplaced) expect(warnings[0]).toContain(`add \`"use_index": ["${name}","${name}"]\``);
});
