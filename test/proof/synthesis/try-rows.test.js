import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effectsOf, namesOf, parsed } from '../../../lib/javascript/analyse.js';
import { tryRows } from '../../../lib/proof/synthesis/try-rows.js';
import { functionSubject } from '../../helpers/function-facts.js';
import { openSandbox } from '../../helpers/internals.js';

/** @import { MapRequest } from '../../../lib/sandbox/sandbox.js' */

const sandbox = openSandbox();
// The first call of a thread takes longer.
beforeAll(() => sandbox.map({ source: 'function (doc) {}', docs: [{}] }));
afterAll(() => sandbox.close());

/**
 * @param {string} source
 * @param {{reduce?: string, carries?: boolean, libraries?: Record<string, unknown>}} [options]
 */
async function tried(source, { reduce, carries = false, libraries = {} } = {}) {
  const subject = functionSubject(reduce ?? source);
  const tree = parsed(subject);
  if (!tree.ok) throw new Error(source);
  namesOf(tree);
  const calls = effectsOf(tree).moments.map(({ node: { start, end }, kind }) => ({ start, end, kind }));
  return tryRows({ map: source, reduce, libraries, calls, carries }, sandbox);
}

describe('dates that are set part by part', () => {
  const map = (/** @type {string} */ setters) =>
    `function (doc) { var p = String(doc.date).split('-'); var d = new Date(); ${setters} d.setUTCHours(0, 0, 0, 0); emit(d.getTime()); }`;

  test.each([
    ['the month first', 'd.setUTCFullYear(p[0]); d.setUTCMonth(p[1] - 1); d.setUTCDate(p[2]);', 'rolls over'],
    ['the day first', 'd.setUTCFullYear(p[0]); d.setUTCDate(p[2]); d.setUTCMonth(p[1] - 1);', 'rolls over'],
    ['all at once', 'd.setUTCFullYear(p[0], p[1] - 1, p[2]);', 'same'],
    ['fields of the document', 'd.setUTCFullYear(doc.y); d.setUTCMonth(doc.m - 1); d.setUTCDate(doc.d);', 'rolls over'],
  ])('are told by the days on which their rows differ: %s', async (_, setters, influence) => {
    const { calls, rollover } = await tried(map(setters));
    expect(calls).toEqual([influence]);
    expect(rollover !== undefined).toBe(influence === 'rolls over');
    if (rollover) expect(rollover.rows[0]).not.toBe(rollover.rows[1]);
  });
});

describe('calls of the clock and of random numbers', () => {
  test.each([
    ['in a key', 'function (doc) { emit(Date.now(), 1); }', ['changes']],
    ['in a value', 'function (doc) { emit(doc._id, { at: new Date() }); }', ['changes']],
    ['as text', 'function (doc) { emit(doc._id, Date()); }', ['changes']],
    ['in a test', 'function (doc) { if (doc.due < Date.now()) emit(doc.due, null); }', ['changes']],
    [
      'in a test of a far day',
      'function (doc) { if (Date.now() > 2e12) emit(doc.due, null); else emit(doc._id); }',
      ['changes'],
    ],
    [
      'in seconds, beside milliseconds',
      'function (doc) { if (Math.round(Date.now() / 1000) - doc.timestamp < 3600) emit(doc._id, doc.timestamp); }',
      ['changes'],
    ],
    [
      'for what is missing',
      'function (doc) { if (doc.type === "order") emit(doc.created || Date.now(), 1); }',
      ['changes'],
    ],
    [
      'in another branch',
      'function (doc) { if (doc.type === "order") emit(doc._id); else if (doc.type === "audit") emit(new Date().toISOString()); }',
      ['changes'],
    ],
    ['by chance', 'function (doc) { if (Math.random() < 0.1) emit(doc._id, null); }', ['changes']],
    ['by year', 'function (doc) { var d = new Date(); d.setUTCFullYear(doc.year); emit(d); }', ['changes']],
    ['one of two', 'function (doc) { var t = Date.now(); log(t); emit(doc._id, Math.random()); }', ['same', 'changes']],
    ['never come to', 'function (doc) { emit(doc._id); return; emit(Date.now()); }', ['unknown']],
    ['for the log', 'function (doc) { log(Date.now()); emit(doc._id, null); }', ['same']],
    ['replaced', 'function (doc) { var d = new Date(); d.setTime(doc.seen); emit(d.getTime()); }', ['same']],
    ['unused', 'function (doc) { var year = new Date().getFullYear(); emit(doc._id, null); }', ['same']],
    ['behind a line without semicolon', 'function (doc) {\n var id = doc._id\n Date.now()\n emit(id, 1)\n}', ['same']],
    ['in each other', 'function (doc) { emit(Date(Date.now()), 1); }', ['changes']],
  ])('%s: %s', async (_, source, expected) => {
    expect(await tried(source)).toEqual({ verdict: 'tried', calls: expected, state: 'unknown' });
  });

  test('no document fits', async () => {
    const source = 'function (doc) { if (doc.sum === doc.sum + 1) emit(doc._id, Date.now()); }';
    expect(await tried(source)).toEqual({ verdict: 'not tried', calls: ['unknown'], state: 'unknown' });
  });

  test('a map that requires a module finds it', async () => {
    const source = 'function (doc) { emit(require("views/lib/days").day(doc.date), Date.now()); }';
    const libraries = { days: 'exports.day = function (date) { return date.slice(0, 10); };' };
    expect((await tried(source, { libraries })).calls).toEqual(['changes']);
    expect((await tried(source)).verdict).toBe('not tried');
  });

  test('of many only the first are tried', async () => {
    const calls = Array.from({ length: 14 }, () => 'Date.now()').join(', ');
    const trial = await tried(`function (doc) { emit([${calls}], 1); }`);
    expect(trial.calls).toEqual([...Array.from({ length: 12 }, () => 'changes'), 'unknown', 'unknown']);
  });

  test('what hangs at another moment is no other row', async () => {
    const source = 'function (doc) { while (Math.random() < 0.3) {} emit(doc._id, null); }';
    expect((await tried(source)).calls).toEqual(['same']);
  });
});

describe('a reduce', () => {
  const map = 'function (doc) { if (doc.type === "order") emit(doc.customer, doc.total); }';

  test.each([
    ['function (keys, values) { return { sum: sum(values), at: new Date() }; }', ['changes']],
    ['function (keys, values) { return values[Math.floor(Math.random() * values.length)]; }', ['changes']],
    ['function (keys, values) { var at = new Date(); return sum(values); }', ['same']],
    ['function (keys, values) { log(Date.now()); return values.length; }', ['same']],
    ['function (keys, values) { throw Date.now(); }', ['unknown']],
  ])('%s', async (reduce, expected) => {
    expect((await tried(map, { reduce })).calls).toEqual(expected);
  });
});

describe('what a document leaves to the next', () => {
  test.each([
    ['counts', 'function (doc) { if (typeof n === "undefined") n = 0; n += 1; emit(doc._id, n); }'],
    [
      'is looked up',
      'function (doc) { if (doc.type === "head") last = doc.name; else if (doc.type === "line") emit(last, doc.n); }',
    ],
    [
      'is passed over the second time',
      'function (doc) { if (typeof seen === "undefined") seen = {}; if (!seen[doc.mail]) { seen[doc.mail] = 1; emit(doc.mail); } }',
    ],
    ['stands for what is missing', 'function (doc) { if (doc.price) price = doc.price; emit(doc._id, price); }'],
  ])('%s: %s', async (_, source) => {
    expect((await tried(source, { carries: true })).state).toBe('changes');
  });

  test.each([
    [
      'always the same',
      'function (doc) { if (typeof table === "undefined") table = { a: 1 }; emit(table[doc.kind], 1); }',
    ],
    ['written before it is read', 'function (doc) { for (i in doc) emit(i, doc[i]); }'],
    [
      'not part of the rows',
      'function (doc) { if (typeof n === "undefined") n = 0; n += 1; log(n); emit(doc._id, 1); }',
    ],
  ])('%s: %s', async (_, source) => {
    expect((await tried(source, { carries: true })).state).toBe('same');
  });

  test('is not tried where nothing is', async () => {
    expect((await tried('function (doc) { emit(Date.now()); }')).state).toBe('unknown');
  });
});

test('the same question has the same answer, with a bounded number of runs', async () => {
  let runs = 0;
  let documents = 0;
  const counting = {
    reduce: sandbox.reduce.bind(sandbox),
    map: (/** @type {MapRequest} */ request) => {
      runs += 1;
      documents += request.docs.length;
      return sandbox.map(request);
    },
  };
  const map = 'function (doc) { if (doc.a && doc.b && doc.c) emit([doc.a, doc.b, doc.c, Date.now()], doc.d); }';
  const start = map.indexOf('Date');
  /** @type {import('../../../lib/proof/synthesis/try-rows.js').RowQuestion} */
  const question = {
    map,
    reduce: undefined,
    libraries: {},
    calls: [{ start, end: start + 'Date.now()'.length, kind: 'milliseconds' }],
    carries: true,
  };
  const first = await tryRows(question, counting);
  expect(runs).toBeLessThan(60);
  expect(documents).toBeLessThan(5000);
  expect(await tryRows(question, counting)).toEqual(first);
});
