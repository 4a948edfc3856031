// Reduces for the largest or the smallest value: a built-in has it in another place of its rows, which the plan says.

import { expect, test } from 'vitest';
import { adviseOn } from '../helpers/advise.js';
import { sample } from '../helpers/long.js';

const TRAFFIC = [{ method: 'GET', target: '/shop/_design/app/_view/latest?group=true', times: 200, ms: 300 }];

test.each(
  sample(
    [
      ['Math.max', '3.4.3', '_stats', 'read `row.value.max` instead of `row.value`'],
      ['Math.min', '3.4.3', '_stats', 'read `row.value.min` instead of `row.value`'],
      ['Math.max', '3.5.0', '_top_1', 'read `row.value[0]` instead of `row.value`'],
    ],
    1,
  ),
)('%s on %s becomes %s', async (name, target, builtin, change) => {
  const latest = {
    map: "function (doc) { if (typeof doc.total === 'number') emit(doc.customer, doc.total); }",
    reduce: `function (keys, values) { return ${name}.apply(null, values); }`,
  };
  const { plan } = await adviseOn({
    traffic: TRAFFIC,
    documents: [{ _id: 'a', customer: 'lena', total: 4 }],
    files: { 'app.json': { _id: '_design/app', views: { latest } } },
    args: ['--target', target],
  });
  expect(plan.steps[0]?.change).toMatchObject({ kind: 'change-view', view: { reduce: builtin } });
  expect(plan.steps[0]?.queries[0]?.mustChange).toEqual([change]);
});
