// `advise` with a server: files and a server are one project, and many databases of one pattern are one plan.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adviseOn, linesOf } from '../helpers/advise.js';
import { startFakeCouchdb } from '../helpers/fake-couchdb.js';

const TOTALS = {
  _id: '_design/app',
  language: 'javascript',
  views: {
    totals: {
      map: "function (doc) { if (typeof doc.total === 'number') emit(doc.date, doc.total); }",
      reduce: 'function (keys, values, rereduce) { return sum(values); }',
    },
  },
};
const BUILT_IN = { ...TOTALS, views: { totals: { ...TOTALS.views.totals, reduce: '_sum' } } };

describe('files beside their server', () => {
  /** @type {Awaited<ReturnType<typeof startFakeCouchdb>>} */
  let server;
  let deployed = TOTALS;
  beforeAll(async () => {
    server = await startFakeCouchdb({ designDocs: () => [{ ...deployed, _rev: '3-abc' }] });
  });
  afterAll(() => server.close());
  const about = { log: linesOf('GET /shop/_design/app/_view/totals?group=true 200 900', { times: 200 }) };

  test('a design document that both have is one, at its place in the file', async () => {
    const { plan } = await adviseOn({
      ...about,
      files: { 'app.json': TOTALS },
      args: ['app.json', '--url', server.origin],
    });
    expect(plan.steps).toMatchObject([
      {
        change: { kind: 'change-view', view: { reduce: '_sum' }, file: 'app.json:5' },
        files: [{ path: 'shop/design/app.json' }],
      },
    ]);
    expect(plan.steps[0]?.savedMsPerDay).toBeGreaterThan(100_000);
    expect(plan.others).toEqual([]);
  });

  test.each([
    ['what is deployed counts, not the file that is better', TOTALS, BUILT_IN, 1],
    ['what is deployed counts, not the file that is worse', BUILT_IN, TOTALS, 0],
  ])('%s', async (_, onServer, inFile, steps) => {
    deployed = onServer;
    const files = { 'app.json': inFile };
    const { plan } = await adviseOn({ ...about, files, args: ['app.json', '--url', server.origin] });
    expect(plan.steps).toHaveLength(steps);
    if (steps > 0) expect(plan.steps[0]?.change.file).toBe('app.json:5');
  });
});
