// Views with functions of all kinds, profiled in the sandbox: what fails is told, and counts are the same each time.

import { describe, expect, test } from 'vitest';
import { profileViews } from '../../../lib/measure/profile/run/profile-views.js';
import { measureInV8 } from '../../../lib/measure/profile/run/v8.js';
import { isLong } from '../../helpers/long.js';

/** @import { GivenView } from '../../../lib/measure/profile/run/profile-view.js' */

const documents = Array.from({ length: 60 }, (_, at) => ({
  id: `order-${at}`,
  text: JSON.stringify({
    _id: `order-${at}`,
    customer: `c${at % 5}`,
    lines: Array(at % 4).fill({ price: 2, count: 3 }),
  }),
}));

/**
 * @param {string} map
 * @param {Partial<GivenView>} [more]
 * @param {{usesV8?: boolean, queryServer?: string, signal?: AbortSignal}} [options]
 */
async function profile(map, more = {}, options = {}) {
  const view = { name: 'orders/by_customer', map: { text: map, place: undefined }, libraries: [], ...more };
  const [made] = await profileViews([view], documents, {
    seconds: 1,
    callSteps: 1_000_000,
    usesV8: false,
    cwd: process.cwd(),
    signal: new AbortController().signal,
    onView: () => {},
    ...options,
  });
  if (!made) throw new Error('no profile');
  return made;
}

const GOOD = `function (doc) {
  var price = require('views/lib/price');
  doc.lines.forEach(function (line) {
    emit(doc.customer, price.of(line));
  });
}`;
const libraries = [
  { path: ['price'], text: 'exports.of = function (line) {\n  return line.price * line.count;\n};', place: undefined },
];
const reduce = { text: 'function (keys, values) { return sum(values); }', place: undefined };

test.runIf(isLong)('a map with a library and a reduce has times for all its parts', async () => {
  const { map, reduce: reduced } = await profile(GOOD, { libraries, reduce });
  expect(map).toMatchObject({ failed: 0, notRun: 0, inputs: 60, rows: 90, unmeasured: [] });
  expect(map.functions.map(({ name, calls }) => [name, calls]).sort()).toEqual([
    ['forEach callback', 90],
    ['map', 60],
    ['of', 90],
  ]);
  expect(map.lines.find(({ source, line }) => source === 1 && line === 2)?.times).toBe(90);
  const [quickjs] = map.engines;
  for (const phase of /** @type {const} */ (['parse', 'freeze', 'run', 'write', 'total'])) {
    expect(quickjs?.phases[phase].middle).toBeGreaterThan(0);
  }
  expect(map.pipe?.ns.middle).toBeGreaterThan(0);
  const timed = map.lines.reduce((sum, { ns }) => sum + (ns ?? 0), 0);
  expect(timed).toBeCloseTo((quickjs?.phases.run.middle ?? 0) * 60, -2);
  expect(reduced).toMatchObject({ role: 'reduce', failed: 0 });
  expect(reduced?.inputs).toBeGreaterThan(1);
  expect(reduced?.engines).toHaveLength(1);
});

test.runIf(isLong)('counts are the same again', async () => {
  const text = 'function (doc) { if (Math.random() < 0.5) emit(Date.now(), new Date()); else emit(1); }';
  const counts = async () => {
    const { map } = await profile(text);
    return {
      operations: map.operations,
      lines: map.lines.map(({ line, times, operations }) => [line, times, operations]),
    };
  };
  expect(await counts()).toEqual(await counts());
});

describe('a function that', () => {
  test.runIf(isLong)('throws for some documents is measured, and the failures are told', async () => {
    const { map } = await profile('function (doc) { emit(doc.lines[0].price) }');
    expect(map).toMatchObject({ failed: 15, notRun: 0, rows: 45 });
    expect(map.failures[0]).toMatchObject({ input: 'order-0', kind: 'threw' });
    expect(map.engines).toHaveLength(1);
  });

  test('never ends is stopped, and the line where it hangs is the busiest', async () => {
    const { map } = await profile('function (doc) {\n  emit(1);\n  while (true) {\n    doc.lines;\n  }\n}');
    expect(map.failures[0]).toMatchObject({ input: 'order-0', kind: 'steps' });
    expect(map.failed + map.notRun).toBe(60);
    expect(map.engines).toEqual([]);
    const busiest = map.lines.reduce((most, line) => (line.times > most.times ? line : most));
    expect([3, 4]).toContain(busiest.line);
    expect(busiest.times).toBeGreaterThan(1000);
  });

  test.runIf(isLong)('hangs in a loop with nothing in it shows where', async () => {
    const { map } = await profile('function (doc) {\n  emit(1);\n  while (true) {}\n}');
    expect(map.lines.find(({ line }) => line === 3)?.times).toBeGreaterThan(1000);
  });

  test.runIf(isLong)('never ends for one document is measured on the others', async () => {
    const { map } = await profile('function (doc) { while (doc._id === "order-7") {} emit(1) }');
    expect(map).toMatchObject({ failed: 1, notRun: 0, rows: 59 });
    expect(map.engines).toHaveLength(1);
  });

  test.runIf(isLong)('emits megabytes is measured', async () => {
    const { map } = await profile('function (doc) { if (doc._id === "order-3") emit(1, new Array(4e6).join("x")) }');
    expect(map).toMatchObject({ failed: 0, rows: 1 });
    expect(map.longestAnswer).toBeGreaterThan(3e6);
  });

  test.runIf(isLong)(
    'emits more rows than can be kept has them counted, and the reduce says what it was not given',
    async () => {
      const large = 'function (doc) { emit(1, new Array(1e6).join("x")) }';
      const { map, reduce: reduced } = await profile(large, {
        reduce: { text: 'function () { return 1 }', place: undefined },
      });
      expect(map.rows).toBe(60 - map.notRun);
      expect(reduced?.unmeasured).toEqual([expect.stringContaining('too large to keep')]);
    },
  );

  test.runIf(isLong)('emits more than may be is told', async () => {
    const { map } = await profile('function (doc) { for (var x = "x"; ; x += x) emit(1, x) }');
    expect(map.failed).toBeGreaterThan(0);
    expect(['memory', 'tooLarge', 'steps', 'threw']).toContain(map.failures[0]?.kind);
  });

  test.runIf(isLong)('goes down without end is told', async () => {
    const { map } = await profile('function (doc) { (function down() { down() })() }');
    expect(map).toMatchObject({ failed: 60 });
  });

  test.each([
    ['does not parse', 'function (doc) { emit( }', 'map: Unexpected token'],
    ['is none', '"orders"', 'the source is not a function'],
    ['needs what is not there', 'missing.thing; (function (doc) {})', 'it threw before the first call'],
  ])('%s cannot be profiled', async (_, text, told) => {
    const { map } = await profile(text);
    expect(map.fault).toContain(told);
    expect(map.engines).toEqual([]);
  });

  test.runIf(isLong)('meddles with its surroundings spoils nothing but its own figures', async () => {
    const text = `function (doc) {
      var server = sum.constructor('return this')();
      server.JSON.stringify = function () { return '{"nodes":[[-1,-1,0],[0,0,1e999]]}'; };
      server.Array.prototype.sort = function () { throw new Error('no'); };
      Array.prototype.toJSON = function () { while (true) {} };
      emit(1);
    }`;
    const { map } = await profile(text);
    expect(map.inputs).toBe(60);
  });
});

test('a library that does not parse is named', async () => {
  const broken = [{ path: ['tax', 'rates'], text: 'exports.of = (', place: undefined }];
  const { map } = await profile(GOOD, { libraries: broken });
  expect(map.fault).toContain('tax/rates: ');
});

test.runIf(isLong)('a reduce that throws, and a run that is interrupted, are told', async () => {
  const failing = {
    text: 'function (keys, values, rereduce) { if (rereduce) throw "no"; return 1 }',
    place: undefined,
  };
  const { reduce: reduced } = await profile(GOOD, { libraries, reduce: failing });
  expect(reduced?.failed).toBeGreaterThan(0);
  const controller = new AbortController();
  controller.abort();
  await expect(profile(GOOD, {}, { signal: controller.signal })).rejects.toThrow('no profile');
});

describe('V8', () => {
  test.runIf(isLong)('is measured beside QuickJS where it is asked for', async () => {
    const { map } = await profile(GOOD, { libraries }, { usesV8: true });
    expect(map.unmeasured).toEqual([]);
    expect(map.engines.map(({ engine }) => engine)).toEqual(['quickjs', 'v8']);
    expect(map.engines[1]?.phases.run.middle).toBeGreaterThan(0);
  });

  const order = { isTimed: true, rounds: 2, spendMs: 100, mostMs: 200, warmUp: 1, keepCharacters: 0 };
  const run = (/** @type {string} */ source, timeoutMs = 20_000) =>
    measureInV8(
      { kind: 'map', source, libraries: {}, floor: 'function (doc) {}', inputs: ['{"_id":"a"}'] },
      { order, timeoutMs, signal: new AbortController().signal },
    );

  test('hands out nothing of its process', async () => {
    // What is found is told by never ending: the time is then up.
    const probes = [
      'typeof process',
      'typeof require("fs")',
      'sum.constructor("return typeof process")()',
      'sum.constructor.constructor("return typeof process")()',
      'this.constructor.constructor("return typeof process")()',
      'Date.now.constructor("return typeof process")()',
    ].map((code) => `(function () { try { return ${code} } catch (e) { return "undefined" } })()`);
    const source = `function (doc) { if ([${probes.join(',')}].some(function (found) { return found !== 'undefined' })) while (true) {} }`;
    await expect(run(source)).resolves.toMatchObject({ clean: { calls: 1 } });
  });

  test.runIf(isLong)('is ended when the time is up', async () => {
    await expect(run('function (doc) { while (true) {} }', 1500)).rejects.toThrow('it was stopped after 1.5 s');
  });

  test('tells what does not parse', async () => {
    await expect(run('function (doc) { (')).rejects.toThrow('syntax');
  });
});

test.runIf(isLong)('a query server that cannot be had is told, and the rest is there', async () => {
  const { map } = await profile(GOOD, { libraries }, { queryServer: 'exit 3' });
  expect(map.unmeasured).toEqual([expect.stringContaining('`exit 3`: it exited with code 3')]);
  expect(map.engines).toHaveLength(1);
});
