import { afterAll, expect, test } from 'vitest';
import { isProof } from '../../lib/proof/proof.js';
import { openSandbox, proveReduce } from '../helpers/internals.js';

const sandbox = openSandbox();
afterAll(() => sandbox.close());

/** What a function may add to the memory of the process: docs/limits.md. In KiB, as `maxRSS` is. */
const MAX_KIB = 300 * 1024;
const MAP = 'function (doc) { emit(doc._id, doc.n); }';
const SUM = 'function (keys, values) { return sum(values); }';

/** @param {number} count @param {(at: number) => string} write */
const many = (count, write) => Array.from({ length: count }, (_, at) => write(at)).join('');
/** @param {number} count @param {string} open @param {string} middle @param {string} close */
const nested = (count, open, middle, close) => open.repeat(count) + middle + close.repeat(count);

test.each([
  ['200 branches of an expression', `return ${many(200, (at) => `values[${at}] > 3 ? ${at} : `)} sum(values);`],
  ['400 ifs', `var t = 0; ${many(400, (at) => `if (values[${at}] > ${at}) t += ${at};`)} return t;`],
  ['a sum doubled 500 times', `var a = 0; ${'a = a + a + sum(values);'.repeat(500)} return a;`],
  ['a square of a square, 500 times', `var a = sum(values); ${'a = a * a;'.repeat(500)} return a;`],
  ['a string doubled 100 times', `var s = 'ab'; ${'s = s + s;'.repeat(100)} return s.length;`],
  ['60 nested loops', `var t = 0; ${nested(60, 'for (var i of values) {', 't += i;', '}')} return t;`],
  ['60 nested finally', nested(60, 'try {', 'return sum(values);', '} finally { if (values[0] > 1) return 1; }')],
  [
    '300 functions that call another twice',
    `${many(300, (at) => `function f${at}(x) { return ${at > 0 ? `f${at - 1}(x) + f${at - 1}(x)` : 'x'}; }`)} return f299(sum(values));`,
  ],
])('a reduce with %s ends within its memory', async (_, body) => {
  const before = process.resourceUsage().maxRSS;
  const proof = await proveReduce(
    { reduce: { source: `function (keys, values) { ${body} }` }, map: { source: MAP }, target: '3.5.0' },
    { sandbox, seed: 5 },
  );
  expect(isProof(proof)).toBe(true);
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(MAX_KIB);
});

test.each([
  ['2,000 nested branches', `emit(doc._id, ${many(2000, (at) => `doc.f${at} ? ${at} : `)} 0);`, 'if'],
  ['3,000 paths', `emit(doc._id, [${many(3000, (at) => `doc.a${at}.b.c.d,`)}]);`, undefined],
  ['40 nested loops', nested(40, 'for (var i in doc.a) {', 'emit(1, doc.n);', '}'), 'if'],
])('a map with %s ends within its memory, and claims nothing of its values', async (_, body, holds) => {
  const before = process.resourceUsage().maxRSS;
  const proof = await proveReduce(
    { reduce: { source: SUM }, map: { source: `function (doc) { ${body} }` }, target: '3.5.0' },
    { sandbox, seed: 5 },
  );
  expect(isProof(proof)).toBe(true);
  expect(proof.conditionHolds).not.toBe('always');
  if (holds) expect(proof.conditionHolds).toBe(holds);
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(MAX_KIB);
});
