// Selectors told of random filters, held against the filters: both judge the same random documents.

import { compileFunction } from 'node:vm';
import { expect, test } from 'vitest';
import { matchSelector, normalizeSelector } from '../../lib/facts/mango/selector.js';
import { factsOf, UNKNOWN } from '../helpers/facts-of.js';
import { turns } from '../helpers/long.js';
import { randomDocument, randomOf } from '../helpers/random-functions.js';

/** @import { Random } from '../helpers/random-functions.js' */

/** More filters than this find nothing more in the time a test may take; raise it to search on. */
const FILTER_COUNT = Number(process.env['COUCH_ADVISOR_ORACLE_RUNS'] ?? turns({ short: 300, long: 1500 }));

/** @template T @param {Random} random @param {readonly T[]} list @returns {T} */
const pick = (random, list) => /** @type {T} */ (list[Math.floor(random() * list.length)]);

/**
 * @param {Random} random
 * @returns {string}
 */
function comparison(random) {
  const field = pick(random, ['doc.a', 'doc.total', 'doc.type', 'doc["b"]', 'doc.a?.b', 'doc.lines?.type', 'doc._id']);
  const type = pick(random, ['number', 'string', 'boolean', 'object']);
  const constant = pick(random, ["'order'", "'7'", "''", '0', '1', '-3', '4.5', 'true', 'false', 'null']);
  const equality = pick(random, ['===', '!==', '===', '!==', '==', '!=']);
  return pick(random, [
    () => `${field} ${equality} ${constant}`,
    () => `${constant} ${equality} ${field}`,
    () => `typeof ${field} ${equality} '${type}'`,
    () => `typeof ${field} === 'number' && ${field} ${pick(random, ['<', '<=', '>', '>='])} ${constant}`,
    () => `typeof ${field} !== 'number' || ${constant} ${pick(random, ['<', '<=', '>', '>='])} ${field}`,
    () => `${field} ${pick(random, ['<', '>'])} ${constant}`,
    () => pick(random, ['doc._deleted', '!doc._deleted', 'doc._deleted === true', 'doc._deleted != true']),
  ])();
}

/**
 * @param {Random} random
 * @param {number} depth
 * @returns {string}
 */
function condition(random, depth) {
  if (depth === 0 || random() < 0.5) return comparison(random);
  const inner = () => condition(random, depth - 1);
  return pick(random, [
    () => `(${inner()}) && (${inner()})`,
    () => `(${inner()}) || (${inner()})`,
    () => `!(${inner()})`,
    () => `((${inner()}) ? (${inner()}) : (${inner()}))`,
  ])();
}

/**
 * @param {Random} random
 * @returns {string}
 */
function filter(random) {
  const early = Array.from({ length: Math.floor(random() * 3) }, () => {
    const result = pick(random, ['true', 'false', condition(random, 1), '']);
    return `if (${condition(random, 1)}) ${pick(random, ['return', '{ return'])} ${result};`;
  }).map((line) => (line.includes('{ return') ? `${line} }` : line));
  const last = pick(random, [
    `return ${condition(random, 2)};`,
    `if (${condition(random, 1)}) { return true; } else { return ${condition(random, 1)}; }`,
    `if (${condition(random, 1)}) return true;`,
    'return true;',
  ]);
  return `function (doc, req) { ${[...early, last].join(' ')} }`;
}

test('selectors let the same documents through', () => {
  const counts = { through: 0, not: 0 };
  for (let seed = 1; seed <= FILTER_COUNT; seed += 1) {
    const random = randomOf(seed);
    const source = filter(random);
    const { selector } = factsOf({ filters: { some: source } }, 'filter', ['selector']);
    if (selector === UNKNOWN) continue;
    const normal = /** @type {any} */ (normalizeSelector(JSON.parse(String(selector)))).selector;
    const run = compileFunction(`return (${source});`)();
    for (let index = 0; index < 20; index += 1) {
      const document = { ...randomDocument(random), ...(random() < 0.3 ? { _deleted: true } : {}) };
      const isThrough = Boolean(run(document, { query: {} }));
      const shown = `seed ${seed}: ${source} of ${JSON.stringify(document)}: ${selector}`;
      expect(matchSelector(normal, document), shown).toBe(isThrough);
      counts[isThrough ? 'through' : 'not'] += 1;
    }
  }
  expect(Math.min(counts.through, counts.not)).toBeGreaterThan(FILTER_COUNT / 2);
});
