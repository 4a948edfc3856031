// Each scenario, given exactly what was published as its samples, comes to the published ratios; and says what was not measured.

import { describe, expect, test } from 'vitest';
import * as bulkLoad from '../../../lib/measure/scenarios/bulk-load.js';
import * as coupons from '../../../lib/measure/scenarios/coupons.js';
import * as includeDocs from '../../../lib/measure/scenarios/include-docs.js';
import * as indexBuild from '../../../lib/measure/scenarios/index-build.js';
import {
  BULK_LOAD,
  COUPONS,
  INCLUDE_DOCS,
  INDEX_BUILD,
  REQUEST_OVERHEAD,
} from '../../../lib/measure/scenarios/published.js';
import * as requestOverhead from '../../../lib/measure/scenarios/request-overhead.js';
import { roundsOf, sampleOf } from '../../helpers/bench-samples.js';

/** @import { Comparison, Findings } from '../../../lib/measure/scenarios/scenario.js' */

/** @param {Comparison[]} comparisons */
function expectPublished(comparisons) {
  const measured = comparisons.filter((one) => one.standing !== 'not measured');
  expect(measured.length).toBeGreaterThan(0);
  for (const { what, published, measured: ratio, standing } of measured) {
    expect([what, ratio, standing]).toEqual([what, expect.closeTo(published, 6), 'as published']);
  }
}

/** @param {Findings} findings @param {string} title */
function rowsOf({ tables }, title) {
  return tables.find((table) => table.title === title)?.rows;
}

describe('include-docs', () => {
  const settings = { pages: [1, 20] };
  const samples = includeDocs.ARMS.flatMap(({ id }) => {
    const seconds = INCLUDE_DOCS.seconds[/** @type {keyof typeof INCLUDE_DOCS.seconds} */ (id)];
    const share = INCLUDE_DOCS.cpuShare[/** @type {keyof typeof INCLUDE_DOCS.seconds} */ (id)];
    return roundsOf('all rows', id, { ms: seconds * 1000, cpuMs: seconds * share * 1000, bytes: 1000 });
  });

  test('comes to the published ratios', () => {
    const { comparisons } = includeDocs.summarize(samples, settings);
    expectPublished(comparisons);
    expect(comparisons.filter(({ standing }) => standing === 'as published')).toHaveLength(4);
    expect(comparisons.filter(({ standing }) => standing === 'not measured').map(({ what }) => what)).toEqual([
      'pages of 1 row: with include_docs / emits the document',
      'pages of 20 rows: with include_docs / emits the document',
    ]);
  });

  test('lists time, ratio, CPU time and bytes of each', () => {
    const rows = rowsOf(includeDocs.summarize(samples, settings), 'Time to read rows');
    expect(rows?.[0]).toEqual([
      'all rows',
      'emits the document',
      5821,
      expect.closeTo(5.821 / 4.502, 6),
      expect.closeTo(1.05, 6),
      1000,
    ]);
  });

  test('says so where processor time cannot be read', () => {
    const { comparisons } = includeDocs.summarize(
      samples.map(({ cpuMs: _, ...rest }) => rest),
      settings,
    );
    const cpu = comparisons.find(({ what }) => what.includes('CPU'));
    expect(cpu).toMatchObject({ standing: 'not measured', note: expect.stringContaining('cannot be read') });
  });
});

describe('bulk-load', () => {
  const { minutes, singleMinutes, fileRatio } = BULK_LOAD;
  const settings = { batch: 1000, batches: [1, 1000, 3000, 6000] };
  const samples = [
    ...roundsOf('ids', 'random', { ms: minutes.random, sizes: { file: 600 * fileRatio, compacted: 500 } }),
    ...roundsOf('ids', 'sequential', { ms: minutes.sequential, sizes: { file: 600, compacted: 500 } }),
    ...roundsOf('ids', 'ten-digits', { ms: minutes.sequential, sizes: { file: 600, compacted: 500 } }),
    ...[1000, 3000, 6000].flatMap((batch) =>
      roundsOf(bulkLoad.setOfBatch(batch), 'sequential', { ms: batch === 3000 ? 11 : 10 }),
    ),
    ...roundsOf(bulkLoad.setOfBatch(1), 'random', { ms: singleMinutes }),
    ...roundsOf(bulkLoad.setOfBatch(1000), 'random', { ms: minutes.random }),
  ];

  test('comes to the published ratios, the peak included', () => {
    const { comparisons } = bulkLoad.summarize(samples, settings, { hasTrees: true });
    expect(comparisons).toHaveLength(6);
    expectPublished(comparisons);
  });

  test('has bulk inserts beside single ones, where both were measured', () => {
    const titled = (/** @type {object} */ given) =>
      bulkLoad.summarize(samples, { ...settings, ...given }, { hasTrees: true }).tables[1];
    const [random] = titled({})?.rows ?? [];
    expect(random?.[3]).toBeCloseTo(480 / 42, 9);
    expect(titled({ batches: [1000] })?.rows).toEqual([]);
  });

  test('compares nothing where there are no such trees', () => {
    expect(bulkLoad.summarize(samples, settings, { hasTrees: false }).comparisons).toEqual([]);
  });

  test('says which batches are missing around the peak', () => {
    const { comparisons } = bulkLoad.summarize(samples, { batch: 1000, batches: [3000] }, { hasTrees: true });
    expect(comparisons.filter(({ standing }) => standing === 'not measured').map(({ note }) => note)).toEqual([
      expect.stringContaining('--batches'),
      expect.stringContaining('--batches'),
    ]);
  });

  test.each([
    [1, 100_000, 1000],
    [10, 100_000, 5000],
    [1000, 100_000, 100_000],
    [20_000, 100_000, 100_000],
    [1, 300, 300],
  ])('a point of the curve at batches of %i of %i documents loads %i', (batch, documents, loaded) => {
    expect(bulkLoad.documentsOfPoint(batch, documents)).toBe(loaded);
  });

  test('the curve has a point for each batch size, from its slowest round to its fastest', () => {
    const { pictures } = bulkLoad.summarize(samples, settings, { hasTrees: true });
    const line = pictures[0]?.series.find(({ name }) => name === 'sequential ids');
    expect(line?.points.map(({ x, y }) => [x, Math.round(y)])).toEqual([
      [1000, 100],
      [3000, 91],
      [6000, 100],
    ]);
  });
});

describe('index-build', () => {
  const settings = { 'document-bytes': [1000, 300_000] };
  const samples = INDEX_BUILD.builds.flatMap(({ language, reducer, small, large }) => [
    ...roundsOf('documents of 1 kB', indexBuild.armOf(language, reducer), { ms: 1000, things: small }),
    ...roundsOf('documents of 300 kB', indexBuild.armOf(language, reducer), { ms: 1000, things: large }),
  ]);

  test('comes to the published ratios at both sizes', () => {
    const { comparisons } = indexBuild.summarize(samples, settings, { hasQueryServers: true });
    expect(comparisons).toHaveLength(14);
    expectPublished(comparisons);
  });

  test('takes SpiderMonkey for the published couchjs where the server runs JavaScript on QuickJS', () => {
    const renamed = samples.map((sample) => ({
      ...sample,
      arm: sample.arm.replace(/^javascript,/, 'javascript_spidermonkey,'),
    }));
    const quick = samples.map((sample) => ({
      ...sample,
      ms: sample.ms / (sample.arm.startsWith('javascript') ? 3 : 1),
    }));
    const both = [...renamed, ...quick.filter(({ arm }) => arm.startsWith('javascript'))];
    const { comparisons } = indexBuild.summarize(both, settings, { hasQueryServers: true, engine: 'quickjs 2024' });
    expectPublished(comparisons);
    const without = indexBuild.summarize(quick, settings, { hasQueryServers: true, engine: 'quickjs 2024' });
    expect(without.comparisons[0]?.note).toBe('javascript_spidermonkey is not available here');
  });

  test('has JavaScript in the first row, and says what is missing', () => {
    const some = samples.filter(({ arm }) => !arm.startsWith('python') && !arm.startsWith('erlang'));
    const findings = indexBuild.summarize(some, settings, { hasQueryServers: true });
    expect(findings.tables[0]?.rows.map(([server, reducer]) => [server, reducer])).toEqual([
      ['JavaScript', 'external'],
      ['JavaScript', 'built-in'],
    ]);
    const missing = findings.comparisons.filter(({ standing }) => standing === 'not measured').map(({ note }) => note);
    expect(new Set(missing)).toEqual(
      new Set(
        ['python', 'python_simplejson', 'python_pypy', 'erlang'].map((language) => `${language} is not available here`),
      ),
    );
  });

  test('shows the curve of the longest build', () => {
    const curve = [
      { ms: 250, done: 1000 },
      { ms: 500, done: 1000 },
      { ms: 750, done: 3000 },
    ];
    const arm = indexBuild.armOf('javascript', 'built-in');
    const with1 = [
      ...samples,
      sampleOf('documents of 1 kB', arm, { round: 9, curve }),
      sampleOf('documents of 1 kB', arm, { round: 8, curve: curve.slice(0, 1) }),
    ];
    const findings = indexBuild.summarize(with1, settings, { hasQueryServers: true });
    const live = findings.tables.find(({ title }) => title.startsWith('Changes per second between'));
    // 1,000 in the first quarter of a second, then 2,000 in half a second: the look at which nothing moved is none.
    expect(live?.rows).toEqual([['JavaScript', 'built-in', 2, 4000, 4000, 4000, 4000]]);
    expect(findings.pictures.at(-1)?.series[0]?.points).toEqual([
      { x: 0.25, y: 4000 },
      { x: 0.75, y: 4000 },
    ]);
  });

  test.each([
    [1000, 'documents of 1 kB'],
    [300_000, 'documents of 300 kB'],
    [250, 'documents of 250 B'],
  ])('%i bytes are %s', (bytes, set) => {
    expect(indexBuild.setOfBytes(bytes)).toBe(set);
  });
});

describe('coupons', () => {
  const { ask, load } = COUPONS;
  /** @type {[string, number, number | undefined][]} */
  const asked = [
    ['view, cold', ask['CouchDB, view cold'], undefined],
    ['view, warm', ask['CouchDB, view warm'], undefined],
    ['scan documents', ask['Riak, raw map/reduce'], undefined],
    ['scan index documents', ask['Riak, index keys'], ask['Riak, index keys, 4 nodes']],
    ['range of index documents', ask['Riak, key filters'], ask['Riak, key filters, 4 nodes']],
  ];
  const samples = [
    ...asked.flatMap(([arm, one, four]) => [
      ...roundsOf('query, 1 shard', arm, { ms: one }),
      ...(four === undefined ? [] : roundsOf('query, 4 shards', arm, { ms: four })),
    ]),
    ...roundsOf('load, 1 shard', coupons.LOADS.none, { ms: load['Riak'] }),
    ...roundsOf('load, 1 shard', coupons.LOADS.names, { ms: load['Riak with index keys'], things: 2 }),
    ...roundsOf('load, 4 shards', coupons.LOADS.names, { ms: load['Riak with index keys, 4 nodes'], things: 2 }),
  ];

  test('comes to the published ratios', () => {
    const { comparisons } = coupons.summarize(samples, { shards: [1, 4] });
    expect(comparisons).toHaveLength(8);
    expectPublished(comparisons);
  });

  test('without a second shard count the spreading is not measured', () => {
    const { comparisons } = coupons.summarize(samples, { shards: [1] });
    expect(comparisons.filter(({ standing }) => standing === 'not measured').map(({ note }) => note)).toEqual(
      Array.from({ length: 3 }, () => 'only one shard count was measured'),
    );
  });

  test('an index that is built after the load costs both', () => {
    const rows = rowsOf(coupons.summarize(samples, { shards: [1] }), 'Load time and file size by index');
    expect(rows?.find(([name]) => name === 'view, built after the load')).toEqual([
      'view, built after the load',
      load['Riak'] + ask['CouchDB, view cold'],
      (load['Riak'] + ask['CouchDB, view cold']) / load['Riak'],
      null,
    ]);
  });

  test('every access path names the published row it stands for, and each row of the published table is stood for once', () => {
    const stood = coupons.WAYS.map(({ stands }) => stands).filter(Boolean);
    const rows = Object.keys(ask).filter((row) => !row.endsWith('4 nodes'));
    expect(stood.toSorted()).toEqual(rows.toSorted());
  });

  test.each([0, 7, 50, 99])('a count of %i is read back from the name of its index document', (count) => {
    const id = coupons.indexIdOf('names', coupons.codeOf(5), count);
    expect(coupons.countInId(id)).toBe(count);
  });

  test('index documents whose name begins with the value are in the order of the values', () => {
    const ids = [0, 7, 49, 50, 99].map((count) => coupons.indexIdOf('ranges', coupons.codeOf(count), count));
    expect(ids.toSorted()).toEqual(ids);
  });

  test('codes are different, however many there are', () => {
    expect(new Set(Array.from({ length: 100_000 }, (_, number) => coupons.codeOf(number))).size).toBe(100_000);
  });
});

describe('request-overhead', () => {
  const about = { server: 'CouchDB 3.5.0', isChanged: true };
  const { before, after } = REQUEST_OVERHEAD;
  const samples = [
    ...before.map((seconds, round) => sampleOf('one document', 'before', { round, ms: seconds * 1000 })),
    ...after.map((seconds, round) => sampleOf('one document', 'after', { round, ms: seconds * 1000 })),
  ];

  test('of the published rounds gives the published sums and a verdict', () => {
    const findings = requestOverhead.summarize(samples, about);
    const rows = rowsOf(findings, 'Rounds');
    expect(rows?.at(-1)).toEqual([
      'sum',
      expect.closeTo(440_810, 6),
      expect.closeTo(396_060, 6),
      expect.closeTo(440.81 / 396.06, 6),
    ]);
    expect(findings.comparisons[0]).toMatchObject({ published: expect.closeTo(1.113, 3), standing: 'as published' });
    expect(findings.verdict).toMatchObject({
      word: 'confirmed',
      reason: 'requests after the change are faster by more than 5 %',
      rounds: 10,
      server: 'CouchDB 3.5.0',
    });
  });

  test('a round in which requests failed has no time, and no sum is made of the rest', () => {
    const failed = samples.map((sample) =>
      sample.round === 2 && sample.arm === 'after' ? { ...sample, errors: 3 } : sample,
    );
    const findings = requestOverhead.summarize(failed, about);
    const rows = rowsOf(findings, 'Rounds');
    expect(rows?.[2]?.slice(2)).toEqual([null, null]);
    expect(rows?.at(-1)?.slice(2)).toEqual([null, null]);
    expect(findings.verdict?.rounds).toBe(9);
  });

  test('says so where nothing was changed', () => {
    const { comparisons } = requestOverhead.summarize(samples, { ...about, isChanged: false });
    expect(comparisons[0]?.note).toContain('nothing was changed');
  });

  test('of no round has no verdict', () => {
    expect(requestOverhead.summarize([], about)).not.toHaveProperty('verdict');
  });
});
