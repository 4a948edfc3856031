// Limits count work: what is cut off is cut off after the same step, on a busy machine as on an idle one.

import { afterAll, describe, expect, test, vi } from 'vitest';
import { compiledEngine } from '../../lib/sandbox/compiled-engine.js';
import { loadEngine } from '../../lib/sandbox/engine.js';
import { DEFAULT_LIMITS, FOREIGN_NOW, HEAP_BYTES, mayDifferAfter } from '../../lib/sandbox/limits.js';
import { FreshRealms } from '../../lib/sandbox/realms.js';
import { runJob } from '../../lib/sandbox/run-job.js';
import { openSandbox } from '../helpers/internals.js';

/** @import { SandboxError, SandboxLimits } from '../../lib/sandbox/limits.js' */

const sandbox = openSandbox();
afterAll(() => sandbox.close());

const none = { rows: [] };
/** Makes as many turns as the first value says, of two steps each. */
const TURNS = 'function (keys, values) { for (var i = 0; i < values[0]; i++) {} return i; }';
/** @param {number} turns */
const turns = (turns) => ({ rows: [{ id: 'order-1', key: 1, value: turns }] });

/** @param {import('../../lib/sandbox/sandbox.js').ReduceAnswer} answer */
const outcome = (answer) => ('error' in answer ? answer.error.message : answer.value);

test('a call ends after its steps and not before', async () => {
  const answers = await sandbox.reduce({ source: TURNS, trees: [turns(490_000), turns(510_000), turns(5)] });
  expect(answers.map(outcome)).toEqual([490_000, 'the call took more than 1 million steps', 5]);
});

test('a job has a limit of its own', async () => {
  const trees = [...Array.from({ length: 12 }, () => turns(450_000)), turns(5)];
  const answers = await sandbox.reduce({ source: TURNS, trees, limits: { jobSteps: 5_000_000 } });
  expect(answers.slice(0, 5).map(outcome)).toEqual(Array(5).fill(450_000));
  expect(new Set(answers.slice(5).map(outcome))).toEqual(
    new Set(['all calls together took more than 5 million steps']),
  );
});

test('all answers of a job together have a limit', async () => {
  const source = 'function () { return new Array(1e6).join("x"); }';
  const answers = await sandbox.reduce({ source, trees: Array(6).fill(none) });
  expect(answers.map((answer) => ('error' in answer ? answer.error.kind : 'value'))).toEqual([
    ...Array(4).fill('value'),
    ...Array(2).fill('tooLarge'),
  ]);
});

describe('the functions of a view', () => {
  test('share their steps over all jobs, the map apart from the reduce, and say which used them up', async () => {
    const view = sandbox.forView({ functionSteps: 1_500_000 });
    const reduceOnce = async () => (await view.reduce({ source: TURNS, trees: [turns(450_000)] })).map(outcome);
    expect([await reduceOnce(), await reduceOnce(), await reduceOnce()].flat()).toEqual([
      450_000,
      450_000,
      'the reduce took more than 1.5 million steps',
    ]);
    expect(view.cutOff).toEqual({ role: 'reduce', error: { kind: 'steps', message: expect.any(String) } });
    expect(await view.map({ source: 'function (doc) { emit(doc, 1); }', docs: [1] })).toEqual([
      { emits: [{ key: 1, value: 1 }] },
    ]);
    const other = sandbox.forView();
    expect(await other.reduce({ source: TURNS, trees: [turns(5)] })).toEqual([{ value: 5 }]);
    expect(other.cutOff).toBeUndefined();
  });

  test('share the time of the processor where a call makes no steps', async () => {
    const view = sandbox.forView({ functionCpuMs: 300 });
    await view.reduce({ source: 'function () { while (true) {} }', trees: [none], limits: { callSteps: 10_000 } });
    expect(mayDifferAfter(/** @type {SandboxError} */ (view.cutOff?.error))).toEqual({});
    const stuck = 'function () { return [].indexOf.call({ length: 9e15 }, 1); }';
    const message = 'the reduce took more than 0.3 s of processor time; not determined on this run';
    expect(await view.reduce({ source: stuck, trees: [none] })).toEqual([{ error: { kind: 'timeout', message } }]);
    expect(await view.reduce({ source: TURNS, trees: [turns(5)] })).toEqual([{ error: { kind: 'timeout', message } }]);
    // Another run may get further.
    expect(mayDifferAfter(/** @type {SandboxError} */ (view.cutOff?.error))).toEqual({ mayDiffer: true });
  });

  test('that throw are cut off by no limit', async () => {
    const view = sandbox.forView();
    await view.reduce({ source: 'function () { throw new Error("sold out"); }', trees: [none] });
    await view.reduce({ source: 'function () { return {', trees: [none] });
    expect(view.cutOff).toBeUndefined();
  });
});

describe('with a clock that jumps ahead by an hour each time it is read', () => {
  const SOURCES = [
    TURNS,
    'function () { while (true) {} }',
    'function () { return /^(a+)+$/.test(new Array(40).join("a") + "!"); }',
    'function (keys, values) { return sum(values); }',
    'function () { var start = Date.now(); while (Date.now() < start + 5) {} }',
  ];
  /** @param {string} source @returns {Promise<unknown>} all that the thread would answer */
  const run = async (source) => {
    const quickjs = await loadEngine(HEAP_BYTES, compiledEngine());
    /** @type {SandboxLimits} */
    const limits = { ...DEFAULT_LIMITS, jobSteps: 3_000_000 };
    const setup = JSON.stringify({
      kind: 'reduce',
      source,
      libraries: null,
      answerCharacters: limits.answerCharacters,
    });
    const inputs = Array.from({ length: 6 }, (_, at) => JSON.stringify([[], [at * 200_000], false]));
    const now = vi.spyOn(Date, 'now').mockReturnValue(FOREIGN_NOW);
    try {
      return runJob(new FreshRealms(quickjs), {
        kind: 'reduce',
        setup,
        inputs,
        limits,
        cpuMs: 1,
        isFresh: false,
        goesOn: false,
      });
    } finally {
      now.mockRestore();
    }
  };

  test.each(SOURCES)('%s is cut off after the same step', async (source) => {
    const usual = await run(source);
    let hours = 0;
    const jump = () => {
      hours += 1;
      return hours * 3_600_000;
    };
    const spies = [vi.spyOn(performance, 'now').mockImplementation(jump), vi.spyOn(process, 'hrtime')];
    const usage = vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: jump() * 1000, system: 0 }));
    try {
      expect(await run(source)).toEqual(usual);
    } finally {
      for (const spy of spies) spy.mockRestore();
      usage.mockRestore();
    }
  });
});
