import { afterAll, expect, test } from 'vitest';
import { followFlow } from '../../lib/javascript/flow.js';
import { emittedValues, openSandbox, parseFunction } from '../helpers/internals.js';
import { judgeMap, randomMapCase, runMaps } from '../helpers/map-oracle.js';

const ANALYSIS = { parseFunction, followFlow, emittedValues };

/** Few of them: `values.oracle.long.test.js` runs 20,000, and as many as ORACLE_MAPS says. */
const MAP_COUNT = 120;

/** Documents of the maps below: what is not tested is no number in one of them. */
const DOCUMENTS = [
  { v: [2, 'x', null], items: [{ n: 1 }, { n: 'x' }, {}], m: { a: 1, b: 'x' }, n: 3, t: '1e999' },
  { v: ['x'], items: [{ n: 'x' }, { n: 1 }], m: { a: 'x', b: 1 }, n: 'x', t: '' },
];

const sandbox = openSandbox();
afterAll(() => sandbox.close());

test('nothing is emitted that reading says cannot be', async () => {
  const ran = await runMaps(
    sandbox,
    Array.from({ length: MAP_COUNT }, (_, index) => randomMapCase(index + 1)),
  );
  const counts = { always: 0, unknown: 0, some: 0 };
  for (const map of ran) {
    const { claim, contradiction } = judgeMap(ANALYSIS, map);
    counts[claim] += 1;
    expect(contradiction, map.source).toBeUndefined();
  }
  expect(counts.always).toBeGreaterThan(2);
});

// Each was called a number for certain, and is not one.
test.each([
  ["if (typeof doc.v[0] === 'number') emit('#1', doc.v[0] * doc.v[1]);"],
  ["const [x, y] = doc.v; if (typeof x === 'number') emit('#1', y);"],
  ["for (i in doc.items) if (typeof doc.items[i].n === 'number') emit('#1', doc.items[0].n);"],
  ["for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) if (typeof doc.v[i] === 'number') emit('#1', doc.v[j]);"],
  ["var i = 0; if (typeof doc.v[i] === 'number') { i = 1; emit('#1', doc.v[i]); }"],
  ["var i = 0; if (typeof doc.v[i++] === 'number') emit('#1', doc.v[i]);"],
  ["for (const a of doc.v) for (const b of doc.v) if (typeof a === 'number') emit('#1', b);"],
  ["doc.v.forEach(function (a) { doc.v.forEach(function (b) { if (typeof a === 'number') emit('#1', b); }); });"],
  ["for (const a of doc.v) { if (typeof a !== 'number') continue; for (const b of doc.v) emit('#1', b); }"],
  ["for (var a in doc.m) for (var b in doc.m) if (typeof doc.m[a] === 'number') emit('#1', doc.m[b]);"],
  ["if (typeof doc.v[0] === 'number') emit('#1', doc.v[0] + doc.v[1] + doc.v[2]);"],
  ["var n = doc.t2 || doc.n; if (typeof n === 'number') emit('#1', doc.t2);"],
  ["var last; doc.v.forEach(function (a) { if (typeof a === 'number') last = a; }); emit('#1', last);"],
  ["var c = JSON.parse(JSON.stringify(doc)); if (typeof c.n === 'number') { c.n = 'x'; emit('#1', c.n); }"],
  ["var c = Object.assign({}, doc, { n: 'x' }); if (typeof doc.n === 'number') emit('#1', c.n);"],
  ["if (typeof doc.n === 'number') emit('#1', { ...doc, n: 'x' }.n);"],
  ["var o = { n: 1 }; Object.assign(o, { n: 'x' }); emit('#1', o.n);"],
  ["var o = { n: 1 }; var p = Object.assign(o, {}); o.n = 2; p.n = 'x'; emit('#1', o.n);"],
  ["var list = [1]; Array.prototype.push.apply(list, doc.v); for (const a of list) emit('#1', a);"],
  ["var list = [1]; list.sort().push('x'); for (const a of list) emit('#1', a);"],
  ["var list = [1]; list.fill('x'); emit('#1', list[0]);"],
  ["var list = [1]; list[5] = 2; for (const a of list) emit('#1', a);"],
  ["var list = [1]; emit('#1', list[doc.n]);"],
  ["function f(a) { arguments[0] = 'x'; return a; } emit('#1', f(1));"],
  [
    "var list = Array.from(doc.items, function (a) { return a.n; }); if (typeof doc.items[0] !== 'number') emit('#1', list[1]);",
  ],
  ['var row = [1]; var o = { n: 1 }; emit(\'#1\', o.n + 0); emit("#2", row); row[0] = "x"; row.length = 1;'],
  ["emit('#1', 10 ** 400);"],
  ["var s = 1; while (s < 1e308) s += s; emit('#1', s * 4);"],
  ["var n = 1, o = { toString: function () { n = 'x'; return ''; } }; emit('#1', '' + o + n); emit('#2', n);"],
  ["var n = 1, o = { get a() { n = 'x'; return 1; } }; emit('#1', o.a); emit('#2', n);"],
  ["Array.prototype.map = function () { return ['x']; }; emit('#1', doc.v.map(Number)[0]);"],
  ["if (typeof doc.n === 'number') emit('#1', (doc.n - 4) ** 0.5);"],
  ["if (typeof doc.n === 'number') emit('#1', doc.n * 1e300 * 1e300);"],
  ["emit('#1', Number(doc.t) || 0);"],
  ["var n = Number(doc.t); if (!isNaN(n)) emit('#1', n);"],
  ["emit('#1', Math.max(...[]));"],
  ["if (isFinite(doc.t)) emit('#1', doc.t); else emit('#1', 'x');"],
  ["var n = doc.n; if (isFinite(n)) n = doc.t; emit('#1', Number(n) || 'x');"],
  ["if (isFinite(doc.m.a)) emit('#1', Number(doc.m.b));"],
  ["var n = doc.n === 3 ? null : doc.t; if (isFinite(n)) emit('#1', +doc.t);"],
  ["if (doc.n === doc.v[1]) emit('#1', doc.v[1]); else if (doc.n === +doc.n) emit('#1', doc.v[1]);"],
  ["if (doc.v[0] == +doc.v[0] || true) emit('#1', doc.v[0]);"],
  ["for (const a of doc.v.filter(function (e) { return typeof doc.n === 'number'; })) emit('#1', a);"],
  ["for (const a of doc.v.filter(function (e) { return typeof e === 'number' || e; })) emit('#1', a);"],
  [
    "var last = 1; doc.v.filter(function (e) { var was = typeof last === 'number'; last = e; return was; }).forEach(function (e) { emit('#1', e); });",
  ],
  ["emit('#1', new Date(doc.t).getTime());"],
  ["emit('#1', parseInt(new Date()));"],
  ["var d = [new Date()]; d[0].setTime(NaN); emit('#1', +d[0]);"],
  ["emit('#1', (doc.n > 1) + doc.t);"],
  ["emit('#1', Number(doc.t) * 0);"],
  ["emit('#1', sum(doc.v));"],
  ["emit('#1', Number.MAX_VALUE * 2);"],
  ["function isFinite() { return true; } var n = Number(doc.t); if (isFinite(n)) emit('#1', n);"],
])('what this map emits is not certain to be a number: %s', async (body) => {
  const [ran] = await runMaps(sandbox, [{ source: `function (doc) { ${body} }`, documents: DOCUMENTS }]);
  if (!ran) throw new Error('the map did not run');
  const { claim, contradiction } = judgeMap(ANALYSIS, ran);
  expect(ran.rows.some(({ value }) => typeof value !== 'number')).toBe(true);
  expect(claim).not.toBe('always');
  expect(contradiction).toBeUndefined();
});

test.each([
  ["if (typeof doc.v[0] === 'number') emit('#1', doc.v[0] * 2);"],
  ["for (var i in doc.items) if (typeof doc.items[i].n === 'number') emit('#1', doc.items[i].n);"],
  ["for (var i = 0; i < doc.v.length; i++) { if (typeof doc.v[i] !== 'number') continue; emit('#1', doc.v[i]); }"],
  ["doc.items.forEach(function (item) { if (item && typeof item.n === 'number') emit('#1', item.n); });"],
  ["for (const item of doc.items) { const n = item.n; if (typeof n === 'number') emit('#1', n); }"],
  ["const [x, y] = doc.v; if (typeof x === 'number' && typeof doc.n === 'number') emit('#1', x * doc.n);"],
  ["for (var k in doc.m) if (Number.isFinite(doc.m[k])) emit('#1', doc.m[k]);"],
  ["function isNumber(a) { return typeof a === 'number'; } if (isNumber(doc.v[0])) emit('#1', doc.v[0]);"],
  ["if (typeof doc.m[doc.key2] === 'number') emit('#1', doc.m[doc.key2]); else emit('#1', 0);"],
  ["var total = 0; doc.v.forEach(function (a) { if (typeof a === 'number') total += a; }); emit('#1', total);"],
  ["if (Array.isArray(doc.v)) emit('#1', doc.v.length);"],
  [
    "var net = 0, items = doc.items || []; for (var i = 0; i < items.length; i++) if (items[i] && typeof items[i].n === 'number') net += items[i].n; emit('#1', net);",
  ],
  ["var n = Number(doc.t); if (isFinite(n)) emit('#1', n); else emit('#1', 0);"],
  ["if (typeof doc.n === 'number') emit('#1', Math.round(doc.n * 100) / 100);"],
  ["if (isFinite(doc.n)) emit('#1', Number(doc.n));"],
  ["if (isFinite(doc.t)) emit('#1', +doc.t); else emit('#1', 0);"],
  ["if (doc.n === +doc.n) emit('#1', doc.n);"],
  ["for (const a of doc.v) if (a === parseInt(a, 10)) emit('#1', a);"],
  ["doc.v.filter(x => typeof x === 'number').forEach(function (x) { emit('#1', x); });"],
  ["emit('#1', doc.v.filter(Number.isFinite).reduce(function (a, b) { return a + b; }, 0));"],
  ["emit('#1', +!!doc.t + !doc.n);"],
  ["emit('#1', new Date(doc.t).getTime() || 0);"],
  ["emit('#1', Math.round((new Date(doc.t) - Date.parse(doc.n)) / 864e5) || 0);"],
  ["emit('#1', new Date().getFullYear() - 1);"],
])('what this map emits is certain to be a number: %s', async (body) => {
  const [ran] = await runMaps(sandbox, [{ source: `function (doc) { ${body} }`, documents: DOCUMENTS }]);
  if (!ran) throw new Error('the map did not run');
  expect(judgeMap(ANALYSIS, ran)).toEqual({ claim: 'always', contradiction: undefined });
  expect(ran.rows.length).toBeGreaterThan(0);
});
