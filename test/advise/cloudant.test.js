// On Cloudant requests are counted by class: what a plan saves of that, and which requests came back as 429.

import { expect, test } from 'vitest';
import { planDocument } from '../../lib/reports/plan.js';
import { adviseOn, linesOf } from '../helpers/advise.js';
import { renderMarkdownDocument } from '../helpers/internals.js';
import { isLong } from '../helpers/long.js';

const MAP = 'function (doc) { emit(doc.customer, doc.total); }';
const FILES = {
  'app.json': {
    _id: '_design/app',
    views: { totals: { map: MAP, reduce: 'function (keys, values) { return sum(values); }' } },
  },
  'client.js':
    "const { CloudantV1 } = require('@ibm-cloud/cloudant');\nconst client = CloudantV1.newInstance({});\nexports.one = (docId) => client.getDocument({ db: 'shop', docId });\n",
};
const LOG = [
  ...linesOf('GET /shop/_design/app/_view/totals?group=true 200 300', { times: 60 }),
  ...linesOf('GET /shop/_design/app/_view/totals?group=true 429 1', { times: 30 }),
  ...linesOf('GET /shop/order-1 200 2', { times: 90 }),
];

test('a global query is one unit whatever it reads, and 429 are counted by class', async () => {
  const { plan } = await adviseOn({ log: LOG, files: FILES });
  const [step] = plan.steps;
  expect(plan.queries[0]?.requestClass).toBe('global query');
  expect(step?.because.at(-1)).toMatch(
    /one global query a request, before and after: the step saves time and no units/,
  );
  expect(plan.notes.join('\n')).toMatch(
    /on Cloudant \(client\.js:\d+ uses its client\) .* \d+ global queries and \d+ reads a day/,
  );
  expect(plan.notes).toContainEqual('answered 429, as the capacity of their class was used up: 30 global queries');
  expect(renderMarkdownDocument(planDocument(plan))).toContain('; global query of Cloudant');
});

test.runIf(isLong)('without anything that names Cloudant nothing is said of it', async () => {
  const { plan } = await adviseOn({ log: LOG, files: { 'app.json': FILES['app.json'] } });
  expect(plan.steps).toHaveLength(1);
  expect(JSON.stringify(plan)).not.toContain('Cloudant');
});
