// Functions that attack what their answers are read and written with: each ends in its own answer or in an error that says why there is none, and
// the next function never notices.

import { afterAll, describe, expect, test } from 'vitest';
import { proveViews } from '../../lib/proof/prove-views.js';
import { isOverrun } from '../../lib/sandbox/limits.js';
import { openSandbox } from '../helpers/internals.js';
import { FORGERIES, HOSTILE_REDUCES } from './hostile-reduces.js';

/** @import { ProvableView } from '../../lib/proof/prove-views.js' */

const sandbox = openSandbox({ callSteps: 300_000, functionCpuMs: 2000 });
afterAll(() => sandbox.close());

const rows = [3, 1, 2].map((value, at) => ({ id: `order-${at}`, key: at, value }));
const PLAIN = `function (keys, values, rereduce) {
  return [sum(values), toJSON([1, { a: 1 }]), isArray(values), [2].map(String), ({}).toJSON, Object.keys({}), values instanceof Array];
}`;
const EXPECTED = [6, '[1,{"a":1}]', true, ['2'], null, [], false];

test('there are enough of them', () => {
  expect(HOSTILE_REDUCES.length).toBeGreaterThanOrEqual(90);
  expect(new Set(HOSTILE_REDUCES.map(({ source }) => source)).size).toBe(HOSTILE_REDUCES.length);
});

test.each(HOSTILE_REDUCES)('$name', async ({ source, outcomes }) => {
  const view = sandbox.forView();
  const answers = await view.reduce({ source, trees: [{ rows }] });
  expect(answers).toHaveLength(1);
  const [answer] = answers;
  const failed = answer && 'error' in answer ? (isOverrun(answer.error) ? 'overrun' : answer.error.kind) : undefined;
  const outcome = failed ?? (!answer || !('value' in answer) ? 'none' : answer.value === 6 ? 'honest' : 'any');
  const allowed = /** @type {string[]} */ (outcomes);
  expect(allowed.includes('any') ? [...allowed, 'honest'] : allowed).toContain(outcome);
  expect(await sandbox.reduce({ source: PLAIN, trees: [{ rows }] })).toEqual([{ value: EXPECTED }]);
});

describe('over parts, in one global object or in many', () => {
  test.each(FORGERIES)('$name gives no other answer than its own', async ({ source }) => {
    const trees = [{ parts: [{ rows }, { rows: rows.slice(1) }] }, { rows }];
    for (const isFresh of [false, true]) {
      const answers = await sandbox.forView().reduce({ source, trees, isFresh, goesOn: true });
      for (const [at, honest] of [9, 6].entries()) {
        const answer = answers[at];
        if (answer && 'value' in answer) expect([honest, null, 3]).toContain(answer.value);
        else expect(answer?.error.message).not.toBe('');
      }
    }
  });
});

describe('a map', () => {
  const server = "var server = emit.constructor('return this')();";
  test.each([
    ['toJSON of all arrays', `${server} server.Array.prototype.toJSON = function () { return []; }; emit(doc._id, 1);`],
    [
      'a setter for index 0',
      `${server} Object.defineProperty(server.Array.prototype, '0', { set: function () { throw 1; } }); emit(doc._id, 1);`,
    ],
    [
      'toJSON for a moment',
      `${server} var all = server.Array.prototype; emit({ toJSON: function () { all.toJSON = function () { return null; }; return 1; } }, 1); emit(2, 2); emit({ toJSON: function () { delete all.toJSON; return 1; } }, 1);`,
    ],
    [
      'rows while rows are written',
      'emit({ toJSON: function () { for (var i = 0; i < 10; i++) emit(i, i); return doc._id; } }, 1);',
    ],
    ['rows without end while rows are written', 'emit({ toJSON: function () { while (true) emit(1, 1); } }, 1);'],
    ['rows of a document before', 'if (typeof late === "function") late("late", 1); late = emit; emit(doc._id, 1);'],
    ['an emit of its own', 'emit = function () { throw 1; }; emit(doc._id, 1);'],
    ['rows that are rows', 'emit([[1, 2], [3, 4]], [[5, 6]]); emit();'],
    ['a row without end', 'var all = []; all.length = 4294967295; emit(all, 1);'],
    [
      'errors as values',
      'var one = new Error("x"); one.name = one.message = { toJSON: function () { throw 1; } }; emit(1, one);',
    ],
    [
      'the document',
      'doc._id = "other"; delete doc._id; Object.defineProperty(doc, "toJSON", { value: 1 }); emit(doc._id, doc);',
    ],
  ])('%s', async (_, body) => {
    const docs = [{ _id: 'order-1' }, { _id: 'order-2' }];
    const answers = await sandbox.map({ source: `function (doc) { ${body} }`, docs });
    expect(answers).toHaveLength(2);
    for (const answer of answers) {
      if ('error' in answer) expect(answer.error.message).not.toBe('');
      else expect(answer.emits.every((row) => 'key' in row && 'value' in row)).toBe(true);
    }
    expect(await sandbox.map({ source: 'function (doc) { emit(doc._id, [1]); }', docs })).toEqual(
      docs.map(({ _id }) => ({ emits: [{ key: _id, value: [1] }] })),
    );
  });
});

test('nothing is believed of those that forge answers, and what steps cut off is known to be cut off there again', async () => {
  /** @type {Map<string, unknown>} */
  const kept = new Map();
  const memory = {
    get: () => undefined,
    set: (/** @type {string} */ key, /** @type {unknown} */ proof) => void kept.set(key, proof),
  };
  /** @type {(source: string) => ProvableView} */
  const viewOf = (source) => ({
    reduce: { text: { text: source } },
    map: { text: { text: 'function (doc) { emit(doc.customer, doc.total); }' } },
    proof: undefined,
    documentTrial: undefined,
  });
  const forged = FORGERIES.filter(({ outcomes }) => outcomes.length === 1 && outcomes[0] === 'tampered').slice(0, 6);
  const views = [
    ...forged.map(({ source }) => viewOf(source)),
    viewOf('function (keys, values) { while (values.length > 2) {} return sum(values); }'),
  ];
  const own = openSandbox({ workers: 2 });
  await proveViews(views, { target: '3.5.0', sandbox: own, memory });
  await own.close();
  for (const { proof } of views)
    expect(proof).toMatchObject({ verdict: 'unknown', basis: 'tried', reason: expect.any(String) });
  const endless = views.at(-1)?.proof;
  expect(endless?.cutOff).toContain('the call took more than 1 million steps');
  expect(endless?.mayDiffer).toBeUndefined();
  expect(kept.size).toBe(views.length);
});
