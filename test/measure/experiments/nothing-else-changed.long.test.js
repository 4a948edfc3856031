// A run on the embedded server leaves all databases that it did not make as they were, and none of its own.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLoadGenerator } from '../../../lib/measure/experiments/run/load-generator.js';
import { runAll } from '../../../lib/measure/experiments/run/run-all.js';
import { openEmbedded } from '../../../lib/measure/servers/embedded.js';
import { Target } from '../../../lib/measure/servers/target.js';
import { shopExperiment } from './shop-experiment.js';

/** @import { Server } from '../../../lib/measure/servers/server.js' */

/** @type {Server} */
let server;
beforeAll(async () => {
  server = await openEmbedded();
});
afterAll(() => server?.close());

/** @returns {Promise<[string, unknown][]>} all databases with their update sequences */
async function state() {
  const { body: names } = await server.ask('GET', '_all_dbs');
  return Promise.all(
    /** @type {string[]} */ (names).map(async (name) => {
      const { body } = await server.ask('GET', name);
      return /** @type {[string, unknown]} */ ([name, body.update_seq]);
    }),
  );
}

test('nothing else is changed, whether it ends well, is interrupted or fails', async () => {
  const other = new Target(server, { run: 'other', host: 'shop', pid: 1, at: '' });
  const stock = await other.create();
  await other.write(stock, 'POST', '_bulk_docs', { docs: [{ _id: 'stock-1', count: 5 }] });
  const before = await state();
  expect(before).toHaveLength(1);

  const target = new Target(server, { run: 'own', host: 'shop', pid: 2, at: '' });
  const controller = new AbortController();
  const generator = createLoadGenerator();
  let rounds = 0;
  /** @param {boolean} stops */
  const run = (stops) =>
    runAll([shopExperiment()], {
      server,
      target,
      generator: {
        run(order) {
          rounds += 1;
          if (stops && rounds === 8) controller.abort();
          return generator.run(order);
        },
      },
      environment: {
        tool: '0.0.0',
        node: '',
        system: '',
        processor: '',
        processors: 2,
        memoryBytes: 1,
        loadAverage: 0,
        server: server.about,
      },
      seed: '1',
      documents: 50,
      connections: 1,
      pairs: 1,
      budgetMs: 1000,
      known: new Map(),
      clocks: { steady: () => performance.now(), wall: () => Date.now() },
      pause: async () => {},
      keep: () => {},
      onProgress: () => {},
      ...(stops ? { signal: controller.signal } : {}),
    });
  const { settled } = await run(false);
  expect(settled[0]?.result?.state).toBe('done');
  expect(await state()).toEqual(before);
  rounds = 0;
  expect((await run(true)).isStopped).toBe(true);
  expect(await state()).toEqual(before);
  generator.run = () => Promise.reject(new Error('a fault of this program'));
  await expect(run(false)).rejects.toThrow('a fault of this program');
  expect(await state()).toEqual(before);
});
