import { afterAll, describe, expect, test } from 'vitest';
import { isProof } from '../../lib/proof/proof.js';
import { openSandbox, proveReduce } from '../helpers/internals.js';
import { isLong, sample } from '../helpers/long.js';

const sandbox = openSandbox();
afterAll(() => sandbox.close());

const NUMBER = "function (doc) { if (typeof doc.total === 'number') emit(doc.customer, doc.total); }";
const ANY = 'function (doc) { emit(doc.customer, doc.total); }';
const STATUS = 'function (doc) { if (doc.status) emit(doc.customer, doc.status); }';

/**
 * @param {string} reduce
 * @param {string} [map]
 * @param {string} [target]
 */
function prove(reduce, map, target = '3.4.3') {
  return proveReduce(
    { reduce: { source: reduce }, map: map === undefined ? undefined : { source: map }, target },
    { sandbox, seed: 5 },
  );
}

describe('a proof', () => {
  test('is plain data, the same after it was written down', async () => {
    for (const reduce of ['(k, v) => sum(v)', '(k, v) => v.length', '(k, v) => v', '(k, v) => v.sort()[0]', 'no']) {
      const proof = await prove(reduce, NUMBER);
      expect(JSON.parse(JSON.stringify(proof))).toEqual(proof);
    }
  });

  test('of a sum names the condition and the field, and shows what comes where it does not hold', async () => {
    const proof = await prove('(k, v) => sum(v)', ANY);
    expect(proof).toMatchObject({
      verdict: 'equal',
      basis: 'proved',
      builtin: '_sum',
      condition: { text: 'every value is a number' },
      conditionHolds: 'if',
      field: 'doc.total',
    });
    expect(proof.trials).toBeGreaterThan(60);
    expect(proof.steps.join('\n')).toMatch(
      /reduce\(\[null\]\) returns 0\n_sum of the same rows returns .*builtin_reduce_error/,
    );
  });

  test('of a reduce that reads the ids of whole documents tries none with an id that CouchDB refuses', async () => {
    const reduce = `(keys, values) => { let cover = null; const codes = [];
      for (const doc of values) {
        if (doc.kind === 'book') cover = doc;
        else if (doc.kind === 'edition' && keys[0][0][1] == doc.book) codes.push(doc.code);
        else if (doc.kind === 'cover') codes.push(doc._id);
      }
      cover.codes = codes; return cover; }`;
    const map = `(doc) => {
      if (doc.kind === 'book' && doc.code) emit([doc.code, doc._id], doc);
      if (doc.kind === 'edition') { emit([doc.code, doc.book], doc); emit([doc.second, doc.next], doc); }
      if (doc.kind === 'cover') { emit([doc.code, doc.book], doc); emit([doc.second, doc.next], doc); }
    }`;
    expect(await prove(reduce, map)).toMatchObject({ verdict: 'unknown' });
  });

  test.each([[undefined], ['this is no map'], ['function (doc) { require("views/lib/all")(doc, emit); }']])(
    'of a sum stays with a condition where nothing is known of the map: %s',
    async (map) => {
      expect(await prove('(k, v) => sum(v)', map)).toMatchObject({ verdict: 'equal', conditionHolds: 'if' });
    },
  );

  test('of a sum over null says that the condition is not met, with rows that show it', async () => {
    const proof = await prove('(k, v) => sum(v)', 'function (doc) { emit(doc._id, null); }');
    expect(proof).toMatchObject({ verdict: 'equal', conditionHolds: 'not' });
    expect(proof.counterexample?.cause).toBe('builtin');
  });

  test('of a count that forgets the second pass names the built-in that was meant, and rows', async () => {
    const proof = await prove('function (keys, values) { return values.length; }', NUMBER);
    expect(proof).toMatchObject({ verdict: 'wrong', basis: 'proved', builtin: '_count' });
    expect(proof.counterexample?.answers.map(({ answer }) => answer)).toEqual([{ value: 2 }, { value: 1 }]);
    expect(proof.steps).toContain('rereduce([2]) returns 1');
  });

  test('of an average of averages tells how _stats gives it', async () => {
    const proof = await prove('(k, v) => sum(v) / v.length', NUMBER);
    expect(proof).toMatchObject({ verdict: 'wrong', builtin: '_stats' });
    expect(proof.rewrite?.answer).toBe('value.sum / value.count');
    expect(proof.steps.at(-1)).toBe(
      '`_stats`, where clients read `value.sum / value.count` instead of `value`, returns that for all rows, however they are grouped.',
    );
  });

  test.runIf(isLong)('of a list that grows tells how much', async () => {
    const proof = await prove('(k, v, r) => r ? [].concat.apply([], v) : v', STATUS);
    expect(proof).toMatchObject({ verdict: 'grows', basis: 'proved' });
    expect(proof.growth?.sizes.map(({ rows }) => rows)).toEqual([10, 100, 500, 1000]);
    expect(proof.steps).toContainEqual(expect.stringMatching(/^For 1,000 rows it returns \d+,\d{3} characters\.$/));
  });

  test('of a list of distinct values says that it grows with these alone', async () => {
    const source =
      'function (k, v, r) { var seen = {}; v.forEach(function (x) { (r ? x : [x]).forEach(function (y) { seen[y] = 1; }); }); return Object.keys(seen).sort(); }';
    const proof = await prove(source, STATUS);
    expect(proof).toMatchObject({ verdict: 'custom', growth: { grows: true } });
    expect(proof.steps.at(-1)).toContain('different');
  });

  test('of a custom one compares with the nearest built-in', async () => {
    const proof = await prove('(k, v) => sum(v.filter((x) => x > 0))', NUMBER);
    expect(proof).toMatchObject({ verdict: 'custom', builtin: '_sum' });
    expect(proof.counterexample?.answers.map(({ by }) => by)).toEqual(['reduce', '_sum']);
  });

  test.each([
    ['1', 'the text has other code beside the reduce', 'var n = 1;\nfunction (k, v) { return sum(v) + n; }'],
    ['2', 'does not parse', 'function (k, v) {'],
    ['3', 'runs strings as code', "(k, v) => eval('sum(v)')"],
    ['4', 'cannot be run', '(k, v) => { while (true) {} }'],
  ])('is unknown, with the reason, for what is not to be trusted (%s)', async (_, reason, reduce) => {
    const proof = await prove(reduce, NUMBER);
    expect(proof.verdict).toBe('unknown');
    expect(proof.reason).toContain(reason);
  });
});

describe('trials alone', () => {
  test('say so where they find no difference', async () => {
    const proof = await prove('(k, v) => { var t = 0; while (v.length > 0) t += v.pop(); return t; }', NUMBER);
    expect(proof).toMatchObject({ verdict: 'equal', basis: 'tried', builtin: '_sum', conditionHolds: 'always' });
    expect(proof.steps.at(-1)).toMatch(/^Equal to `_sum` in \d+ trials, not proved\.$/);
  });

  test.each([
    ['chance', '(k, v) => { if (Math.random() < 1e-6) return 0; return sum(v); }'],
    ['the clock', '(k, v) => { if (new Date() < 0) return 0; return sum(v); }'],
    ['a name that is declared nowhere', '(k, v) => { seen = new Object(); return sum(v); }'],
    ['a changed prototype', '(k, v) => { try { Array.prototype.at = null; } catch (e) {} return sum(v); }'],
    ['itself as this', '(k, v) => { this; try { return sum(v); } catch (e) {} }'],
  ])('are not enough where a reduce hangs on %s', async (_, reduce) => {
    const proof = await prove(reduce, NUMBER);
    expect(proof.verdict).not.toBe('equal');
  });

  test.each([
    ['a number', '(k, v) => { try { return sum(v.map((x) => (x === 4711 ? 0 : x))); } catch (e) {} }'],
    ['a number of rows', '(k, v) => { try { return v.length === 77 ? 0 : sum(v); } catch (e) {} }'],
    ['a key', "(k, v) => { try { return k && k[0][0] === 'moon' ? 0 : sum(v); } catch (e) {} }"],
  ])('find a branch that turns on %s', async (_, reduce) => {
    expect((await prove(reduce, NUMBER)).verdict).not.toBe('equal');
  });
});

test('a reading that trials contradict is not reported', async () => {
  /** @type {import('../../lib/proof/trials.js').TrialSandbox} */
  const lying = {
    map: (asked) => sandbox.map(asked),
    reduce: async (asked) => (await sandbox.reduce(asked)).map((answer) => ('value' in answer ? { value: 1 } : answer)),
  };
  const proof = await proveReduce(
    { reduce: { source: '(k, v) => sum(v)' }, map: { source: NUMBER }, target: '3.4.3' },
    { sandbox: lying, seed: 5 },
  );
  expect(proof.verdict).toBe('unknown');
  expect(proof.reason).toContain('a trial contradicts that');
});

describe('what depends on the order of the rows', () => {
  const PICK = '(keys, values) => values[0]';

  test('is shown with rows of one key that the map emits', async () => {
    const map = 'function (doc) { if (doc.town) emit(doc.town, doc.name); }';
    const proof = await prove(PICK, map);
    expect(proof).toMatchObject({ verdict: 'wrong', counterexample: { cause: 'order' } });
    const keys = new Set(proof.counterexample?.rows.map(({ key }) => JSON.stringify(key)));
    expect(keys.size).toBe(1);
  });

  test.runIf(isLong)('does not count where what is picked is part of the key', async () => {
    const map = 'function (doc) { if (doc.town) emit([doc.town, doc.name], doc.name); }';
    expect(await prove(PICK, map)).toMatchObject({ verdict: 'custom' });
  });

  test.runIf(isLong)('does not count where only the order of a list differs', async () => {
    const map = 'function (doc) { if (doc.town) emit(doc.town, [doc.name]); }';
    const unique =
      '(keys, values) => { var all = [].concat.apply([], values); return all.filter((one, at) => all.indexOf(one) === at).slice(0, 12); }';
    const proof = await prove(unique, map);
    expect(proof.counterexample?.cause).not.toBe('order');
    expect(proof.verdict).not.toBe('wrong');
  });
});

test.runIf(isLong)('an answer grows with values that the map can emit, not with others', async () => {
  const counts =
    '(keys, values, rereduce) => { var all = { open: 0, paid: 0 }; values.forEach((one) => { if (rereduce) { all.open += one.open; all.paid += one.paid; } else { all[one.state] = (all[one.state] || 0) + 1; } }); return all; }';
  const map = (/** @type {string} */ state) =>
    `function (doc) { if (doc.lines) { emit(doc.town, { number: doc.number, state: ${state} }); } }`;
  expect((await prove(counts, map("doc.lines > 3 ? 'open' : 'paid'"))).growth?.grows).not.toBe(true);
  const collects =
    '(keys, values, rereduce) => { var all = {}; values.forEach((one) => { if (rereduce) { for (var name in one) all[name] = true; } else { all[one.state] = true; } }); return all; }';
  expect((await prove(collects, map('doc.state'))).growth?.grows).toBe(true);
});

test.each([
  ['what a map emits without a test', 'function (doc) { emit(1, doc.total); }', undefined],
  [
    'a map that is not followed',
    'function (doc) { for each (var line in doc.lines) emit(line, 1); }',
    expect.any(String),
  ],
])('a condition says whether the map could be read: %s', async (_, map, conditionOpen) => {
  const proof = await prove('(k, v) => sum(v)', map);
  expect(proof).toMatchObject({ conditionHolds: 'if' });
  expect(proof.conditionOpen).toEqual(conditionOpen);
});

test('a proof with a rewrite can be kept', async () => {
  const proof = await prove('(k, v) => true', ANY);
  expect(proof.rewrite).toBeDefined();
  expect(isProof(JSON.parse(JSON.stringify(proof)))).toBe(true);
});

describe('what certainty hangs on', () => {
  const STATS = (/** @type {string} */ start) =>
    `function (k, values, r) { var s = { sum: 0, count: 0, min: ${start}, max: -${start}, sumsqr: 0 }; for (var i in values) { var v = values[i]; s.sum += r ? v.sum : v; s.count += r ? v.count : 1; s.sumsqr += r ? v.sumsqr : v * v; s.min = Math.min(s.min, r ? v.min : v); s.max = Math.max(s.max, r ? v.max : v); } return s; }`;
  test.each(sample(['1e9', '250', '77777'], 1))(
    'a constant that an extreme starts with is exceeded in trials: %s',
    async (start) => {
      expect((await prove(STATS(start), NUMBER)).verdict).not.toBe('equal');
    },
  );

  test.each([
    ['Number.MAX_VALUE', 'if'],
    ['-1e60', 'if'],
    ['9007199254740994', 'if'],
    ['9007199254740991', 'always'],
    ['0.1', 'always'],
  ])('a sum of %s is that of the built-in: %s', async (value, conditionHolds) => {
    expect(await prove('(k, v) => sum(v)', `function (doc) { emit(1, ${value}); }`)).toMatchObject({ conditionHolds });
  });

  const GREATEST =
    'function (keys, values) { var m = 0; for (var i = 0; ; i++) { if (i === values.length) break; if (!(values[i] <= m)) m = +values[i]; } return m; }';
  test.each([
    ['ids that may all be digits', 'function (doc) { emit(doc.customer, doc._id); }', 'unknown'],
    ['words of the map', "function (doc) { emit(doc.customer, doc.paid ? 'paid' : 'open'); }", 'wrong'],
  ])('two results for %s: %s', async (_, map, verdict) => {
    expect((await prove(GREATEST, map)).verdict).toBe(verdict);
  });

  test('a proof says whether both passes were followed', async () => {
    expect((await prove('(k, v) => v.length', NUMBER)).isFollowed).toBe(true);
    expect((await prove('(k, v) => { v[0] = 1; return sum(v); }', NUMBER)).isFollowed).toBeUndefined();
  });
});
