// An experiment runs its steps in order, hands on each round, ends early only where it may, and always cleans up.

import { describe, expect, test } from 'vitest';
import { runAll } from '../../../lib/measure/experiments/run/run-all.js';
import { runExperiment } from '../../../lib/measure/experiments/run/run-experiment.js';
import { looksOf } from '../../../lib/measure/experiments/verdict.js';
import { Target } from '../../../lib/measure/servers/target.js';
import { UserError } from '../../../lib/shared/user-error.js';
import { createRandom } from '../../helpers/internals.js';
import { isLong } from '../../helpers/long.js';
import { createScriptedLoadGenerator } from '../../helpers/scripted-load-generator.js';
import { createMemoryServer } from '../servers/memory-server.js';
import { shopExperiment } from './shop-experiment.js';

/** @import { Experiment, Result, Sample } from '../../../lib/measure/experiments/experiment.js' */
/** @import { LoadOrder } from '../../../lib/measure/experiments/load-order.js' */
/** @import { Line } from '../../../lib/measure/experiments/results.js' */

const REQUESTS = 'couchdb.httpd.requests';
const mark = { run: 'test', host: 'shop', pid: 1, at: '' };
const environment = {
  tool: '0.0.0',
  node: '20.0.0',
  system: 'linux',
  processor: 'abacus',
  processors: 2,
  memoryBytes: 1,
  loadAverage: 0,
};

/** @param {LoadOrder} order @returns {boolean} */
const isAsIs = ({ requests }) => requests[0]?.path.includes('as-is') === true;

/**
 * @param {(order: LoadOrder, turn: number) => number} latency of each request, in milliseconds
 * @param {ReturnType<typeof createMemoryServer>} [server]
 */
function make(latency, server = createMemoryServer()) {
  let now = 0;
  const generator = createScriptedLoadGenerator((order, turn) => {
    const ms = latency(order, turn);
    now += ms * order.requests.length;
    return { latencies: order.requests.map(() => ms) };
  });
  const clocks = { steady: () => now, wall: () => now };
  return {
    server,
    generator,
    options: {
      target: new Target(server, mark),
      generator,
      seed: '1',
      documents: 100,
      connections: 1,
      pairs: 32,
      budgetMs: 1e9,
      margin: 1.1,
      experiments: 1,
      clocks,
      pause: async () => {},
    },
  };
}

/** @returns {Experiment['arms']} loads with random ids and with ids in order */
function loads() {
  return /** @type {const} */ (['random', 'sequential']).map((ids, at) => ({
    id: at === 0 ? 'as-is' : 'advised',
    about: ids,
    measure: /** @type {const} */ ('load'),
    load: { ids, batch: 50 },
  }));
}

describe('runExperiment', () => {
  test('creates, loads, builds, warms up, measures and drops, in this order', async () => {
    const { server, options } = make((order) => (isAsIs(order) ? 250 : 125));
    /** @type {string[]} */
    const steps = [];
    await runExperiment(shopExperiment(), { ...options, onStep: ({ step }) => steps.push(step) });
    expect(steps.filter((step, at) => step !== steps[at - 1])).toEqual([
      'create',
      'load',
      'build',
      'warm-up',
      'round',
      'drop',
    ]);
    expect(server.databases.size).toBe(0);
    expect(server.sent[0]).toBe('PUT database');
    expect(server.sent.at(-1)).toBe('DELETE database');
  });

  test('gives the samples as soon as they are there', async () => {
    const { options } = make(() => 250);
    /** @type {Sample[]} */
    const kept = [];
    const { samples } = await runExperiment(shopExperiment(), {
      ...options,
      pairs: 3,
      onSample: (one) => kept.push(one),
    });
    expect(kept).toEqual(samples);
    expect(samples.map(({ pair }) => pair)).toEqual([0, 0, 1, 1, 2, 2]);
    expect(samples[0]).toMatchObject({ ms: 250, isUsable: true, latencies: [250], counters: {} });
  });

  test('fills rounds with as many requests as fit', async () => {
    const { generator, options } = make((order) => (isAsIs(order) ? 250 : 2.5));
    await runExperiment(shopExperiment(), { ...options, pairs: 1 });
    const counts = generator.orders.slice(-2).map(({ requests }) => requests.length);
    expect(counts.toSorted((a, b) => a - b)).toEqual([1, 100]);
  });

  test('ends at the first look that settles it', async () => {
    const clear = await runExperiment(shopExperiment(), make((order) => (isAsIs(order) ? 250 : 125)).options);
    expect(clear.samples).toHaveLength(2 * (looksOf(1)[0] ?? 0));
    const open = await runExperiment(shopExperiment(), make((order) => (isAsIs(order) ? 110 : 100)).options);
    expect(open.samples).toHaveLength(2 * 32);
    expect([clear.ended, open.ended]).toEqual(['settled', 'pairs']);
  });

  test('ends with the budget, not before the first look unless it takes far too long', async () => {
    const { options } = make((order) => (isAsIs(order) ? 275 : 250));
    const inTime = await runExperiment(shopExperiment(), { ...options, budgetMs: 3000 });
    expect(inTime.samples).toHaveLength(2 * (looksOf(1)[0] ?? 0));
    const late = await runExperiment(shopExperiment(), { ...make(() => 250).options, budgetMs: 700 });
    expect(late.samples.length).toBeLessThan(2 * (looksOf(1)[0] ?? 0));
    expect([inTime.ended, late.ended]).toEqual(['budget', 'budget']);
  });

  test('leaves rounds with failures out of the times', async () => {
    const { options } = make(() => 250);
    const generator = createScriptedLoadGenerator((order, turn) => ({
      latencies: turn % 2 ? order.requests.map(() => 250) : [],
      refused: turn % 2 ? 0 : order.requests.length,
      firstRefusal: '404 {"error":"not_found"}',
    }));
    const run = await runExperiment(shopExperiment(), { ...options, generator, pairs: 4 });
    expect(run.samples.some(({ isUsable }) => isUsable)).toBe(true);
    expect(run.samples.filter(({ isUsable }) => !isUsable).map(({ refused }) => refused)).toEqual([1, 1, 1, 1]);
    expect(run.firstRefusal).toContain('404');
  });

  test('weighs forms of query by their share, and counts of the server with them', async () => {
    const server = createMemoryServer();
    const { options } = make((order) => {
      const isRare = order.requests[0]?.path.includes('group');
      server.counters['calls'] = (server.counters['calls'] ?? 0) + order.requests.length * (isRare ? 10 : 0);
      return isRare ? 100 : 10;
    }, server);
    const { arms } = shopExperiment();
    const request = { method: /** @type {const} */ ('GET'), path: '{designDoc}/_view/rows' };
    const queries = [
      { share: 0.9, shape: '?limit', request: { ...request, query: { limit: 1 } } },
      { share: 0.1, shape: '?group=true', request: { ...request, query: { group: true } } },
    ];
    const mixed = shopExperiment({ counters: ['calls'], arms: arms.map((arm) => ({ ...arm, queries })) });
    const { samples } = await runExperiment(mixed, { ...options, pairs: 1 });
    expect(samples[0]?.ms).toBeCloseTo(0.9 * 10 + 0.1 * 100);
    expect(samples[0]?.counters['calls']).toBeCloseTo(0.1 * 10);
    expect(samples[0]?.requests).toBe(samples[0]?.latencies.length);
  });

  test('measures a round again that met other work, and marks what stays disturbed', async () => {
    const { options } = make(() => 250);
    const machine = (/** @type {number[]} */ others) => ({
      read: () => ({ at: 0, machineMs: 0, ownMs: 0 }),
      othersSince: () => others.shift() ?? 0.05,
    });
    const once = await runExperiment(shopExperiment(), { ...options, pairs: 1, machine: machine([0.9, 0.1]) });
    expect(once.samples.map(({ others }) => others)).toEqual([0.1, 0.05]);
    const always = await runExperiment(shopExperiment(), {
      ...make(() => 250).options,
      pairs: 1,
      machine: machine(Array.from({ length: 100 }, () => 0.9)),
    });
    expect(always.samples.map(({ others }) => others)).toEqual([0.9, 0.9]);
    const unknown = await runExperiment(shopExperiment(), {
      ...make(() => 250).options,
      pairs: 1,
      machine: { read: () => undefined, othersSince: () => null },
    });
    expect(unknown.samples[0]).not.toHaveProperty('others');
  });

  test('drops its databases when the server is lost, and says why it ended', async () => {
    const { server, options } = make(() => 250);
    const generator = { run: () => Promise.reject(new UserError('server-lost', 'gone')) };
    await expect(runExperiment(shopExperiment(), { ...options, generator })).rejects.toMatchObject({
      code: 'server-lost',
    });
    expect(server.databases.size).toBe(0);
  });

  test('goes on behind the pairs of a run that was cut short', async () => {
    const first = await runExperiment(shopExperiment(), { ...make(() => 100).options, pairs: 3 });
    const { generator, options } = make(() => 100);
    const second = await runExperiment(shopExperiment(), { ...options, pairs: 5, earlier: first.samples });
    expect(second.samples.map((one) => one.pair)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
    expect(second.samples.slice(0, 6)).toEqual(first.samples);
    // Each arm warms up in three requests, and has two rounds left.
    expect(generator.orders).toHaveLength(2 * 3 + 2 * 2);
    const settled = make(() => 100);
    const clear = await runExperiment(shopExperiment(), make((order) => (isAsIs(order) ? 250 : 125)).options);
    const third = await runExperiment(shopExperiment(), { ...settled.options, earlier: clear.samples });
    expect(third.samples).toEqual(clear.samples);
  });

  test('stops when it is interrupted, and drops', async () => {
    const controller = new AbortController();
    const { server, options } = make((_, turn) => {
      if (turn === 10) controller.abort();
      return 250;
    });
    const run = await runExperiment(shopExperiment(), { ...options, signal: controller.signal });
    expect([run.isStopped, run.ended]).toEqual([true, 'interrupted']);
    expect(run.samples.length).toBeLessThan(16);
    expect(server.databases.size).toBe(0);
  });

  test('gives the counters of the server a thing answered', async () => {
    const { server, options } = make((order) => {
      server.counters['reads'] = (server.counters['reads'] ?? 0) + (isAsIs(order) ? 10 : 0) * order.requests.length;
      return 100;
    });
    server.counters['reads'] = 5;
    const { samples } = await runExperiment(shopExperiment({ counters: ['reads', 'unknown'] }), {
      ...options,
      pairs: 2,
    });
    expect(new Set(samples.map(({ arm, counters }) => `${arm} ${JSON.stringify(counters)}`))).toEqual(
      new Set(['as-is {"reads":10}', 'advised {"reads":0}']),
    );
  });

  test('notices that the server answered others meanwhile', async () => {
    for (const others of [0, 30]) {
      const { server, options } = make((order) => {
        const { [REQUESTS]: before = 0 } = server.counters;
        server.counters[REQUESTS] = before + order.requests.length + others;
        return 100;
      });
      const run = await runExperiment(shopExperiment({ counters: ['reads'] }), { ...options, pairs: 2 });
      expect(run.isShared).toBe(others > 0);
    }
  });

  test('loads into a database of its own each time', async () => {
    const { server, generator, options } = make(() => 1);
    const { samples } = await runExperiment(shopExperiment({ arms: loads() }), { ...options, pairs: 2 });
    const databases = generator.orders.map(({ database }) => database);
    expect(new Set(databases).size).toBe(databases.length);
    expect(samples[0]).toMatchObject({ requests: 2, ms: 0.02, sizes: { file: 100, active: 50 } });
    expect(server.databases.size).toBe(0);
  });

  test('shows a few pairs with many connections beside the others, and judges them not', async () => {
    const { generator, options } = make((order) => (isAsIs(order) ? 25 : 12.5));
    /** @type {Sample[]} */
    const kept = [];
    const run = await runExperiment(shopExperiment(), {
      ...options,
      pairs: 2,
      crowd: 10,
      onSample: (one) => kept.push(one),
    });
    expect(run.crowd).toMatchObject({ connections: 10, logRatios: [Math.LN2, Math.LN2, Math.LN2] });
    expect(run.crowd?.ratio).toBeCloseTo(2);
    expect(run.samples).toHaveLength(4);
    expect(kept.filter(({ connections }) => connections === 10)).toHaveLength(6);
    expect(generator.orders.slice(-6).map(({ connections }) => connections)).toEqual(Array(6).fill(10));
  });

  test.each([
    ['of slow requests', 700, shopExperiment(), {}],
    ['where so many were asked for', 10, shopExperiment(), { connections: 10 }],
    ['of loads', 1, shopExperiment({ arms: loads() }), {}],
  ])('measures no crowd %s', async (_, ms, experiment, changes) => {
    const { options } = make(() => ms);
    const run = await runExperiment(experiment, { ...options, ...changes, pairs: 1, crowd: 10 });
    expect(run.crowd).toBeNull();
  });

  describe('of a replication', () => {
    const arms = [{ filter: '{designDoc}/mine', customer: '{customer}' }, { filter: '_selector' }].map((query, at) => ({
      id: at === 0 ? 'as-is' : 'advised',
      about: '',
      measure: /** @type {const} */ ('replicate'),
      ...(at === 0 ? { designDoc: { filters: { mine: 'function (doc, req) {}' } } } : {}),
      request: {
        method: at === 0 ? /** @type {const} */ ('GET') : /** @type {const} */ ('POST'),
        path: '_changes',
        query,
        ...(at === 0 ? {} : { body: { selector: { customer: 'customer-00001' } } }),
      },
    }));
    const replicated = shopExperiment({ arms });

    /** @param {(job: any) => string[]} arrives ids in the target */
    const replicating = (arrives) => {
      let now = 0;
      /** @type {any[]} */
      const jobs = [];
      const made = make(() => 100);
      /** @type {string[]} */
      let arrived = [];
      let isOver = () => {};
      /** @type {import('../../../lib/measure/servers/server.js').Ask} */
      const ask = async (method, path, body) => {
        const answer = await made.server.ask(method, path, body);
        if (path === '_node/_local/_config/chttpd/port') return { status: 200, body: '5984' };
        if (path.endsWith('/_all_docs')) {
          return { status: 200, body: { rows: arrived.map((id) => ({ id, value: { rev: '1-a' } })) } };
        }
        const job = jobs.at(-1);
        if (path === '_active_tasks' && job) {
          // The job runs from the second look on, and ends after a while.
          job.looks += 1;
          if (job.looks === 1) return { status: 200, body: [] };
          setImmediate(isOver);
          return { status: 200, body: [{ target: `${job.target.url}/` }] };
        }
        if (path !== '_replicate') return answer;
        jobs.push({ .../** @type {object} */ (body), looks: 0 });
        arrived = arrives(body);
        now += 5000;
        await new Promise((resolve) => {
          isOver = () => resolve(undefined);
        });
        now += 'filter' in /** @type {object} */ (body) ? 250 : 125;
        return { status: 200, body: { ok: true } };
      };
      const server = { ...made.server, headers: { authorization: 'Basic x' }, ask };
      const clocks = { steady: () => now, wall: () => now };
      return { jobs, server: made.server, options: { ...made.options, target: new Target(server, mark), clocks } };
    };

    test('replicates into an empty database each round, and takes the time of the job alone', async () => {
      const { jobs, server, options } = replicating(() => ['order-1']);
      const run = await runExperiment(replicated, { ...options, pairs: 2 });
      expect(run.answers).toEqual({ same: 1, differences: [], uncompared: [] });
      const times = run.samples.toSorted((one, other) => one.pair - other.pair || other.ms - one.ms);
      expect(times.map(({ arm, ms, isUsable }) => [arm, ms, isUsable])).toEqual(
        [0, 1].flatMap(() => [
          ['as-is', 250, true],
          ['advised', 125, true],
        ]),
      );
      expect(jobs[0]).toMatchObject({
        filter: 'as-is/mine',
        query_params: { customer: expect.stringMatching(/^customer-\d+$/) },
        use_checkpoints: false,
        source: { headers: { authorization: 'Basic x' } },
      });
      expect(jobs[1]).toMatchObject({ selector: { customer: 'customer-00001' } });
      expect(new Set(jobs.map(({ target }) => target.url)).size).toBe(jobs.length);
      expect(server.databases.size).toBe(0);
    });

    test('is refuted where other documents arrive, and not measured', async () => {
      const { jobs, server, options } = replicating(({ filter }) => (filter ? ['order-1', 'order-2'] : ['order-1']));
      const run = await runExperiment(replicated, options);
      expect(run.answers?.differences).toEqual([
        '2 documents arrived through the function, 1 through the selector, 1 of them missing',
      ]);
      expect([jobs.length, run.samples.length, server.databases.size]).toEqual([2, 0, 0]);
    });
  });

  describe('of a plan', () => {
    const request = { method: /** @type {const} */ ('POST'), path: '_find', body: { selector: {} } };
    const index = { designDoc: 'by_status', name: 'by_status', fields: ['status'] };
    const setups = [
      { designDocs: [], indexes: [] },
      { designDocs: [{ id: 'orders', views: { rows: { map: 'function (doc) {}' } } }], indexes: [index] },
    ];
    const arms = setups.map((setup, at) => ({
      id: at === 0 ? 'as-is' : 'advised',
      about: '',
      measure: /** @type {const} */ ('requests'),
      setup,
      queries: [{ share: 1, shape: '', request, examples: [request, { ...request, body: { selector: { a: 1 } } }] }],
    }));
    const answers = [{ query: 'q1', before: request, after: request, isChanged: false }];
    const planned = shopExperiment({ arms, answers, isSeparate: true });

    test('gives each arm a database with all that it needs, builds it, and compares before it measures', async () => {
      const { server, generator, options } = make(() => 100);
      /** @type {string[]} */
      const steps = [];
      const run = await runExperiment(planned, {
        ...options,
        pairs: 1,
        onStep: ({ step }) => steps.push(step),
      });
      expect(steps.filter((step, at) => step !== steps[at - 1])).toEqual([
        'create',
        'load',
        'build',
        'compare',
        'warm-up',
        'round',
        'drop',
      ]);
      expect(server.sent.filter((line) => line === 'POST _bulk_docs')).toHaveLength(2);
      expect(server.sent.filter((line) => /_index|_design/.test(line))).toEqual([
        'POST _index',
        'PUT _design/orders',
        'GET _design/orders/_view/rows',
        'GET _design/by_status/_view/by_status',
        'GET _design/orders/_info',
        'GET _design/by_status/_info',
      ]);
      const databases = new Map(generator.orders.map(({ database, requests }) => [database, requests.length]));
      // Each round has each example equally often.
      expect([...databases.values()]).toEqual([4, 4]);
      expect(run.answers).toEqual({ same: 1, differences: [], uncompared: [] });
      expect(run.built.get('advised')?.sizes).toEqual({ index: 20 });
      expect(run.built.has('as-is')).toBe(false);
      expect(server.databases.size).toBe(0);
    });

    /** @param {(database: string) => object} answer of `_find`, by whether the database is the second one */
    const answering = (answer) => {
      const server = createMemoryServer();
      /** @type {import('../../../lib/measure/servers/server.js').Ask} */
      const ask = async (method, path, body) =>
        path.endsWith('/_find') ? { status: 200, body: answer(path) } : server.ask(method, path, body);
      return { ...server, ask };
    };

    test('is refuted where the answers differ, and not measured', async () => {
      const server = answering((path) => ({ docs: path.includes('-2-') ? [] : [{ _id: 'order-1' }] }));
      const { generator, options } = make(() => 100, server);
      /** @type {Line[]} */
      const kept = [];
      const { settled } = await runAll([planned], {
        ...options,
        server,
        environment: { ...environment, server: server.about },
        pairs: 1,
        known: new Map(),
        keep: (line) => kept.push(line),
        onProgress: () => {},
      });
      expect(settled[0]?.verdict).toMatchObject({
        word: 'refuted',
        reason: 'the answers differ: q1: 1 result before, 0 after',
        ratio: null,
        neededRounds: null,
      });
      expect(settled[0]?.result).toMatchObject({ state: 'done', answers: { same: 0 } });
      expect(kept.map(({ type }) => type)).toEqual(['start', 'result', 'verdict']);
      expect(generator.orders).toEqual([]);
    });

    test('fails where the server refuses a query, and the next is measured with its noise', async () => {
      const server = createMemoryServer();
      server.refuse.add('POST _find');
      const { options } = make(() => 100, server);
      const { settled, noise } = await runAll([planned, shopExperiment({ id: 'shop/next' })], {
        ...options,
        server,
        environment: { ...environment, server: server.about },
        pairs: 6,
        known: new Map(),
        keep: () => {},
        onProgress: () => {},
      });
      expect(settled.map(({ result }) => result?.state)).toEqual(['failed', 'done']);
      expect(settled[0]?.verdict.reason).toBe('the server refused q1 without the step (500: out of stock)');
      expect(noise?.pairs).toBe(6);
    });

    test('writes with an index take until the index has them', async () => {
      const { server, options } = make(() => 1);
      const load = { ids: /** @type {const} */ ('sequential'), batch: 50 };
      const writing = arms.map(({ queries: _, ...arm }) => ({ ...arm, measure: /** @type {const} */ ('load'), load }));
      await runExperiment(shopExperiment({ arms: writing }), { ...options, pairs: 1 });
      expect(server.sent.filter((line) => line === 'GET _design/by_status/_view/by_status')).toHaveLength(2);
      expect(server.databases.size).toBe(0);
    });
  });

  test('builds a new index each time', async () => {
    const { server, options } = make(() => 1);
    const [asIs, advised] = shopExperiment().arms;
    if (!asIs || !advised) throw new Error('no arms');
    const arms = [{ ...asIs, measure: /** @type {const} */ ('build') }, advised];
    await runExperiment(shopExperiment({ arms }), { ...options, pairs: 3 });
    const saved = server.sent.filter((line) => line.startsWith('PUT _design/as-is'));
    expect(saved).toHaveLength(4);
    expect(new Set(saved).size).toBe(4);
  });
});

describe('runAll', () => {
  /** @param {ReturnType<typeof make>} made @param {Partial<Parameters<typeof runAll>[1]>} [changes] */
  const optionsOf = ({ server, options }, changes = {}) => ({
    ...options,
    server,
    environment: { ...environment, server: server.about },
    documents: 100,
    pairs: undefined,
    known: new Map(),
    keep: () => {},
    onProgress: () => {},
    ...changes,
  });

  test('settles each experiment and names the server', async () => {
    const made = make((order) => (isAsIs(order) ? 250 : 125));
    const other = shopExperiment({ id: 'shop/filter', mechanisms: ['query-server'] });
    // Equal arms have one function, so the script cannot tell them apart by the request: it is told by their place.
    const { settled, failure } = await runAll([shopExperiment(), other], optionsOf(made, { pairs: 12 }));
    expect(failure).toBeUndefined();
    expect(settled.map(({ verdict }) => verdict.word)).toContain('not measurable here');
    expect(settled[1]?.verdict.reason).toBe('CouchDB in memory lacks a query server process: run it on a real CouchDB');
    expect(settled[0]?.verdict.server).toBe('CouchDB in memory');
  });

  test('says while it measures which of how many experiments that is', async () => {
    const made = make((order) => (isAsIs(order) ? 250 : 125));
    /** @type {string[]} */
    const told = [];
    const experiments = [shopExperiment(), shopExperiment({ id: 'shop/second' })];
    await runAll(experiments, { ...optionsOf(made, { pairs: 6 }), onProgress: (text) => told.push(text) });
    expect(told).toContain('1 of 2: shop/orders: pair 6 of at most 6');
    expect(told).toContain('2 of 2: shop/second: pair 1 of at most 6');
    expect(told.filter((text) => text.includes('shop/') && !/^[12] of 2: shop\/\w+/.test(text))).toEqual([]);
  });

  test('takes what equal arms differ by as the margin', async () => {
    let isEqualArms = true;
    const made = make((order) => {
      if (isEqualArms) return isAsIs(order) ? 150 : 100;
      return isAsIs(order) ? 140 : 100;
    });
    const { settled, noise } = await runAll([shopExperiment()], {
      ...optionsOf(made, { pairs: 12 }),
      onProgress: (text) => {
        isEqualArms = text.startsWith('equal');
      },
    });
    expect(noise).toMatchObject({ ratio: expect.any(Number), pairs: 12, of: 'shop/orders' });
    expect(noise?.ratio).toBeGreaterThan(1.49);
    expect(settled[0]?.verdict).toMatchObject({ word: 'inconclusive', margin: noise?.ratio });
  });

  test('does not claim a noise that too few equal pairs were measured for', async () => {
    const { noise, settled } = await runAll(
      [shopExperiment()],
      optionsOf(
        make(() => 250),
        { budgetMs: 1000 },
      ),
    );
    expect(noise).toMatchObject({ ratio: null, of: 'shop/orders' });
    expect(noise?.pairs).toBeLessThan(6);
    expect(settled[0]?.verdict).toMatchObject({ word: 'inconclusive', margin: 1.1 });
    expect(settled[0]?.verdict.neededOptions).toEqual([expect.stringMatching(/^--budget \d+s$/)]);
    const few = await runAll(
      [shopExperiment()],
      optionsOf(
        make(() => 250),
        { pairs: 2 },
      ),
    );
    expect(few.noise).toBeNull();
    expect(few.settled[0]?.verdict.neededOptions).toEqual(['--runs 8']);
  });

  test('measures nothing of a subject that has nothing to measure', async () => {
    const made = make(() => 250);
    const obstacle = 'the logs have no request of this view';
    const { settled } = await runAll([shopExperiment({ obstacle })], optionsOf(made));
    expect(settled[0]?.verdict).toMatchObject({ word: 'not measurable here', reason: obstacle, rounds: 0 });
    expect(made.generator.orders).toEqual([]);
  });

  test('measures nothing again that it knows', async () => {
    const first = make(() => 100);
    /** @type {Line[]} */
    const lines = [];
    await runAll([shopExperiment()], optionsOf(first, { pairs: 8, keep: (line) => lines.push(line) }));
    const results = lines.flatMap((line) => (line.type === 'result' ? [line] : []));
    const known = new Map(results.map((result) => [result.fingerprint, /** @type {Result} */ (result)]));
    const second = make(() => 100);
    const { settled } = await runAll([shopExperiment()], optionsOf(second, { pairs: 8, known }));
    expect(second.generator.orders).toEqual([]);
    expect(settled[0]?.verdict.rounds).toBe(8);
    const changed = make(() => 100);
    await runAll([shopExperiment({ effect: 1.2 })], optionsOf(changed, { pairs: 8, known }));
    expect(changed.generator.orders.length).toBeGreaterThan(0);
  });

  test('tells what it has when the server is lost', async () => {
    let isLost = false;
    const made = make((order) => (isAsIs(order) ? 250 : 125));
    const { server, generator } = made;
    const ask = server.ask;
    server.ask = async (method, path, body) => {
      if (isLost) throw new UserError('server-lost', 'gone');
      return ask(method, path, body);
    };
    const experiments = [shopExperiment(), shopExperiment({ id: 'shop/second' })];
    const { settled, failure } = await runAll(experiments, {
      ...optionsOf(made, { pairs: 10 }),
      generator,
      onProgress: (text) => {
        isLost ||= text.includes('shop/second');
      },
    });
    expect(failure).toMatchObject({ code: 'server-lost' });
    expect(settled.map(({ verdict }) => verdict.rounds)).toEqual([10, 0]);
    expect(settled[1]?.verdict).toMatchObject({ word: 'inconclusive', reason: 'the run ended before this experiment' });
  });

  test('goes on with the next experiment where the server refuses one', async () => {
    const made = make(() => 100);
    made.server.refuse.add('PUT _design/as-is');
    const [, advised] = shopExperiment().arms;
    const arms = ['as-is', 'advised'].map((id) => ({ ...advised, id, designDoc: undefined }));
    const other = shopExperiment({ id: 'shop/second', arms: /** @type {Experiment['arms']} */ (arms) });
    const { settled } = await runAll([other, shopExperiment()], optionsOf(made, { pairs: 8 }));
    expect(settled.map(({ result }) => result?.state)).toEqual(['done', 'failed']);
    expect(settled[1]?.verdict.reason).toContain('out of stock');
  });

  test.runIf(isLong)('of equal arms gives a false verdict in at most 5 % of 1,000 runs', async () => {
    let wrong = 0;
    const experiment = shopExperiment({ dataset: { documents: 100 } });
    for (let trial = 0; trial < 1000; trial += 1) {
      const random = createRandom(`equal arms ${trial}`);
      const made = make(() => 250 * Math.exp(0.3 * (random() + random() + random() - 1.5)));
      const { settled } = await runAll([experiment], optionsOf(made, { documents: 1, pairs: 20 }));
      if (['confirmed', 'refuted'].includes(settled[0]?.verdict.word ?? '')) wrong += 1;
    }
    expect(wrong / 1000).toBeLessThanOrEqual(0.05);
  });

  test.runIf(isLong)('of arms that differ by 1.3 confirms at least 95 % of 1,000 runs', async () => {
    let confirmed = 0;
    const experiment = shopExperiment({ dataset: { documents: 100 } });
    for (let trial = 0; trial < 1000; trial += 1) {
      const random = createRandom(`true effect ${trial}`);
      let isEqualArms = true;
      const made = make((order) => {
        const noise = Math.exp(0.1 * (random() + random() + random() - 1.5));
        return 250 * noise * (!isEqualArms && isAsIs(order) ? 1.3 : 1);
      });
      const { settled } = await runAll([experiment], {
        ...optionsOf(made, { documents: 1 }),
        onProgress: (text) => {
          isEqualArms = text.startsWith('equal');
        },
      });
      if (settled[0]?.verdict.word === 'confirmed') confirmed += 1;
    }
    expect(confirmed / 1000).toBeGreaterThanOrEqual(0.95);
  });

  test('measures with as many connections as were logged, unless others are asked for', async () => {
    for (const [connections, used] of /** @type {const} */ ([
      [undefined, 4],
      [2, 2],
    ])) {
      const made = make(() => 100);
      await runAll([shopExperiment({ connections: 4 })], optionsOf(made, { pairs: 6, connections }));
      expect(new Set(made.generator.orders.map((order) => order.connections))).toEqual(new Set([used]));
    }
  });
});
