// Writes random reduce functions that loop, branch and add in ways that people do not write, to find readings of the
// code that trials contradict.

/** @import { RandomSource } from '../../lib/shared/seeded-random.js' */

const ATOMS = ['v', 'v', 't', 'n', '1', '0', '2', 'o.a', 'r', 'v || 0', 'values.length', 'null', 'x', 'i'];
const TESTS = [
  'r',
  '!r',
  'v',
  "typeof v === 'number'",
  'keys',
  'v != null',
  'n === 0',
  't === null',
  't === undefined',
];
const STARTS = ['0', '0', '0', 'null', 'undefined', 'values[0]', '1', "''", '-Infinity'];
const RETURNS = [
  't',
  'n',
  'o',
  '[t, n]',
  '{ t: t, n: n }',
  'o.a',
  't / n',
  'x',
  'n ? t : 0',
  '{ sum: t, count: n }',
  'r ? sum(values) : n',
  'r ? sum(values) : t',
];

/**
 * @param {RandomSource} random
 * @returns {string}
 */
export function randomReducer(random) {
  const { pick, below } = random;

  /** @param {number} depth @returns {string} */
  function expression(depth) {
    if (depth <= 0 || below(5) < 2) return pick(ATOMS);
    const [one, other] = [expression(depth - 1), expression(depth - 1)];
    return pick([
      `${one} + ${other}`,
      `${one} - ${other}`,
      `(${one}) * (${other})`,
      `(${test()} ? ${one} : ${other})`,
      `Math.max(${one}, ${other})`,
      'Number(v)',
      `-(${one})`,
      `(${one} || ${other})`,
      `(${one} && ${other})`,
    ]);
  }

  /** @returns {string} */
  function test() {
    return pick([...TESTS, `${pick(ATOMS)} > ${pick(ATOMS)}`, `${pick(ATOMS)} === ${pick(ATOMS)}`]);
  }

  /** @param {string} skip @param {number} depth @returns {string} */
  function statement(skip, depth) {
    const more = depth > 0 ? statement(skip, depth - 1) : '';
    return pick([
      `t += ${expression(1)};`,
      't += v;',
      'n++;',
      `n += ${expression(1)};`,
      `o.a += ${expression(1)};`,
      `t = ${expression(1)};`,
      `if (${test()}) { ${more} } else { n++; }`,
      `if (${test()}) t += v;`,
      `x = ${expression(1)};`,
      'if (v > t) t = v;',
      `var w = ${expression(1)}; t += w;`,
      `if (${test()}) ${skip};`,
      `o = { a: ${expression(1)} };`,
      `t = Math.max(t, ${pick(ATOMS)});`,
    ]);
  }

  /** @param {string} skip @returns {string} */
  function body(skip) {
    return Array.from({ length: 1 + below(3) }, () => statement(skip, 1)).join(' ');
  }

  /** @returns {string} */
  function loop() {
    return pick([
      `values.forEach(function (v, i) { ${body('return')} });`,
      `for (var i = 0; i < values.length; i++) { var v = values[i]; ${body('continue')} }`,
      `for (var i in values) { var v = values[i]; ${body('continue')} }`,
      `for (const v of values) { let i = 0; ${body('continue')} }`,
      `for (let i = values.length - 1; i >= 0; i--) { let v = values[i]; ${body('continue')} }`,
      `t = values.reduce(function (t, v, i) { ${body('return t')} return t; }, 0);`,
      `o = values.reduce(function (o, v, i) { ${body('return o')} return o; }, o);`,
      `t = values.map(function (v, i) { return ${expression(1)}; }).reduce(function (a, b) { return a + b; });`,
      `x = sum(values.filter(function (v, i) { return ${test()}; }));`,
    ]);
  }

  const start = `var t = ${pick(STARTS)}, n = 0, x = 0, o = { a: 0 }, i = 0, v;`;
  const end = `return ${pick(RETURNS)};`;
  const again = below(3) === 0 ? `if (r) { ${pick(['return sum(values);', `${loop()} ${end}`])} } ` : '';
  return `function (keys, values, r) { ${start} ${again}${loop()} ${below(3) === 0 ? loop() : ''} ${end} }`;
}
