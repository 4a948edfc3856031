import { expect, test } from 'vitest';
import { phraseOf } from '../../lib/facts/phrases.js';
import { factCatalog } from '../helpers/internals.js';
import { readRuleFolders } from '../helpers/rule-folders.js';

const sayOf = (/** @type {string} */ id, /** @type {boolean | number | string} */ value, /** @type {string} */ shown) =>
  phraseOf(factCatalog.get(id)?.phrases ?? '', value, shown);

test.each([
  ['config.corsIsEnabled', true, 'true', 'CORS is enabled here'],
  ['config.corsIsEnabled', false, 'false', 'CORS is not enabled'],
  ['request.count', 1, '1', '1 request in the logs'],
  ['request.count', 1200, '1,200', '1,200 requests in the logs'],
  ['viewindex.pendingCount', 1, '1', '1 change is not indexed yet'],
  ['reduce.runsBuiltin', '_sum', '_sum', 'the reduce is `_sum`'],
  ['reduce.runsBuiltin', 'none', 'none', 'the reduce runs no built-in'],
  ['reduce.kind', 'toString', 'toString', ''],
  ['index.twins', 'by-sku', '`by-sku`', '`by-sku` has the same fields'],
])('%s of %s is said in words', (id, value, shown, expected) => {
  expect(sayOf(id, value, shown)).toBe(expected);
});

test('each fact that a rule compares has words, but for lists, whose items say it', () => {
  const questions = readRuleFolders().flatMap(({ rule }) => Object.values(rule.questions));
  const silent = questions.filter(({ fact, value }) => {
    if (factCatalog.get(fact)?.type === 'list') return false;
    const values = [true, 1, ...[value].flat()];
    return values.every((one) => sayOf(fact, one, 'x') === '');
  });
  expect(silent.map(({ fact }) => fact)).toEqual([]);
});
