// The build of an index, watched by its tasks: rates, shards that end, and what is no build of it.

import { describe, expect, test } from 'vitest';
import { watchBuild } from '../../../lib/measure/profile/run/watch-build.js';
import { renderBuildPoint, renderWatchedBuild } from '../../../lib/reports/watch-build-text.js';
import { startFakeCouchdb } from '../../helpers/fake-couchdb.js';
import { runMain } from '../../helpers/run-main.js';

const INDEX = { database: 'shop', designDoc: 'orders' };

/** @param {string} range @param {number} done @param {object} [rest] */
const task = (range, done, rest = {}) => ({
  type: 'indexer',
  database: `shards/${range}/shop.1700000000`,
  design_document: '_design/orders',
  changes_done: done,
  total_changes: 1000,
  ...rest,
});
const [LOW, HIGH] = ['00000000-7fffffff', '80000000-ffffffff'];

/**
 * @param {unknown[][]} answers tasks at each poll; none afterwards
 * @param {{patienceMs?: number, stopAfter?: number, status?: number}} [options]
 */
async function watch(answers, { patienceMs = 5000, stopAfter = Number.POSITIVE_INFINITY, status = 200 } = {}) {
  let [now, polls] = [0, 0];
  /** @type {string[]} */
  const paths = [];
  const controller = new AbortController();
  const watched = await watchBuild(
    async (path) => {
      paths.push(path);
      const body = answers[polls] ?? [];
      polls += 1;
      if (polls >= stopAfter) controller.abort();
      return { status, body };
    },
    INDEX,
    {
      pause: async (milliseconds) => {
        now += milliseconds;
      },
      clock: () => now,
      patienceMs,
      onPoint: () => {},
      signal: controller.signal,
    },
  );
  expect(new Set(paths)).toEqual(new Set(['_active_tasks']));
  return { watched, polls };
}

describe('watchBuild', () => {
  test('rates are those since the last progress, and none is made up for what was done before the first poll', async () => {
    const { watched } = await watch([[], [task(LOW, 400)], [task(LOW, 500)], [task(LOW, 500)], [task(LOW, 800)]]);
    expect(watched).toEqual({
      points: [
        { ms: 0, done: 400, total: 1000, rate: null },
        { ms: 500, done: 500, total: 1000, rate: 200 },
        { ms: 1000, done: 500, total: 1000, rate: null },
        { ms: 1500, done: 800, total: 1000, rate: 300 },
      ],
      shards: 1,
      isOver: true,
    });
  });

  test('a shard that is finished keeps its changes, and of copies the furthest counts', async () => {
    const { watched } = await watch([
      [task(LOW, 100), task(LOW, 300), task(HIGH, 50)],
      [task(LOW, 200), task(HIGH, 250)],
    ]);
    expect(watched).toMatchObject({
      points: [
        { done: 350, total: 2000 },
        { done: 550, total: 2000, rate: 400 },
      ],
      shards: 2,
    });
  });

  test('a pause between two shards is no end', async () => {
    const { watched } = await watch([[task(LOW, 100)], [], [], [], [task(HIGH, 100)]]);
    expect(watched).toMatchObject({ points: [{ done: 100 }, { done: 200 }], isOver: true });
  });

  test('indexes of others are not watched, and patience ends', async () => {
    const others = [task(LOW, 9, { design_document: '_design/stock' }), { type: 'replication' }];
    const { watched, polls } = await watch([others, others, others], { patienceMs: 1000 });
    expect(watched).toEqual({ points: [], shards: 0, isOver: false });
    expect(polls).toBe(4);
  });

  test('an interrupt ends it before the build does', async () => {
    const { watched } = await watch([[task(LOW, 1)], [task(LOW, 2)], [task(LOW, 3)]], { stopAfter: 2 });
    expect(watched).toMatchObject({ points: [{ done: 1 }, { done: 2 }], isOver: false });
  });

  test('tasks that may not be read', async () => {
    expect((await watch([[]], { status: 401 })).watched).toEqual({ refused: 401 });
  });
});

test('what it prints', async () => {
  const { watched } = await watch([[task(LOW, 0)], [task(LOW, 450)], [task(LOW, 1000)]]);
  if ('refused' in watched) throw new Error('refused');
  expect(watched.points.map(renderBuildPoint).join('')).toBe(
    [
      '   0.0 s            0 of 1,000    0 %',
      '   0.5 s          450 of 1,000   45 %       900 changes/s',
      '   1.0 s        1,000 of 1,000  100 %     1,100 changes/s',
      '',
    ].join('\n'),
  );
  expect(renderWatchedBuild({ index: 'shop/_design/orders', ...watched })).toBe(
    'shop/_design/orders: 1,000 changes after 1.0 s, 1,000 changes/s on average, 1 shard\n' +
      '  first 900/s, slowest 900/s, fastest 1,100/s, last 1,100/s\n',
  );
});

describe('profile --watch-build', () => {
  test('needs a server', async () => {
    const { stderr, exitCode } = await runMain(['profile', '--watch-build', 'shop/orders'], { cwd: '/' });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--watch-build requires a server')]);
  });

  test('needs a database and a design document', async () => {
    const args = ['profile', '--watch-build', 'shop', '--url', 'http://127.0.0.1:1'];
    const { stderr, exitCode } = await runMain(args, { cwd: '/' });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('must be DATABASE/DESIGN-DOCUMENT')]);
  });

  test('is no use where tasks are hidden', async () => {
    const server = await startFakeCouchdb({
      special: ({ path }) => (path.startsWith('/_active_tasks') ? { status: 401, body: {} } : undefined),
    });
    try {
      const args = ['profile', '--watch-build', 'shop/orders', '--url', server.origin];
      const { stderr, exitCode } = await runMain(args, { cwd: '/' });
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('refused _active_tasks')]);
    } finally {
      await server.close();
    }
  });
});
