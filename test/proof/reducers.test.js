import { afterAll, describe, expect, test } from 'vitest';
import { runTrials } from '../../lib/proof/trials.js';
import { openSandbox, proveReduce } from '../helpers/internals.js';
import { sample } from '../helpers/long.js';
import { REDUCERS, TARGET } from './reducers/all.js';
import { allowed, isOnly } from './reducers/allowed.js';
import { emittedRows, shopDocuments } from './reducers/documents.js';

/** @import { ReducerRow } from './reducers/maps.js' */

const sandbox = openSandbox();
afterAll(() => sandbox.close());

const DOCUMENTS = shopDocuments(200);
const NAMED = REDUCERS.map((row) => /** @type {[string, ReducerRow]} */ ([row.name, row]));
const PROVED = sample(NAMED, 12);

/** Several tests look at one proof. @type {Map<ReducerRow, ReturnType<typeof proveReduce>>} */
const proofs = new Map();

/** @param {ReducerRow} row */
function prove({ map, reduce, target = TARGET }) {
  return proveReduce({ reduce: { source: reduce }, map: { source: map }, target }, { sandbox, seed: 20 });
}

/** @param {ReducerRow} row */
function proofOf(row) {
  const proof = proofs.get(row) ?? prove(row);
  proofs.set(row, proof);
  return proof;
}

test('the table has many reducers, each with a name of its own', () => {
  expect(REDUCERS.length).toBeGreaterThanOrEqual(140);
  expect(new Set(REDUCERS.map(({ name }) => name)).size).toBe(REDUCERS.length);
  for (const verdict of ['equal', 'equalAfterRewrite', 'wrong', 'custom', 'unknown']) {
    expect(REDUCERS.filter((row) => isOnly(row, verdict)).length).toBeGreaterThan(2);
  }
});

describe('the prover', () => {
  test.each(PROVED)('never says a wrong equal of %s', async (_, row) => {
    const proof = await proofOf(row);
    if (proof.verdict !== 'equal') return;
    expect(allowed(row, 'verdict')).toContain('equal');
    expect(allowed(row, 'builtin')).toContain(proof.builtin);
    const holds = allowed(row, 'conditionHolds');
    if (holds && proof.conditionHolds === 'always') expect(holds).toContain('always');
  });

  test.each(PROVED)('says what CouchDB would say of %s', async (_, row) => {
    const proof = await proofOf(row);
    expect(allowed(row, 'verdict')).toContain(proof.verdict);
    if (proof.verdict === 'equal' || proof.verdict === 'equalAfterRewrite') {
      const builtins = allowed(row, 'builtin');
      if (builtins) expect(builtins).toContain(proof.builtin);
    }
    if (proof.verdict === 'equal') {
      for (const part of /** @type {const} */ (['conditionHolds', 'basis'])) {
        const parts = allowed(row, part);
        if (parts) expect(parts).toContain(proof[part]);
      }
    }
    if (proof.verdict === 'wrong') expect(proof.counterexample).toBeDefined();
  });

  test.each([['function (keys, values) { return values.length; }'], ['(keys, values) => sum(values)']])(
    'says the same twice of %s',
    async (reduce) => {
      const row = { name: '', map: 'function (doc) { emit(doc._id, 1); }', reduce, expect: { verdict: 'equal' } };
      expect(await prove(/** @type {ReducerRow} */ (row))).toEqual(await prove(/** @type {ReducerRow} */ (row)));
    },
  );
});

describe('trials alone, over what the maps emit for documents of the shop', () => {
  /** @param {ReducerRow} row @param {string} [builtin] */
  const tryOut = ({ map, reduce, target = TARGET }, builtin) => {
    const values = emittedRows(map, DOCUMENTS).map(({ value }) => value);
    const distinct = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
    /** @type {import('../../lib/proof/trial-values.js').ValueSpec} */
    const spec = { kind: 'oneOf', of: distinct.map((value) => ({ kind: 'literal', value })) };
    return runTrials({
      source: reduce,
      values: spec,
      ...(builtin ? { builtin } : {}),
      target,
      sandbox,
      seed: 3,
      count: 30,
    });
  };
  const equal = NAMED.filter(([, row]) => isOnly(row, 'equal') && !isOnlyNot(row));
  const wrong = NAMED.filter(([, row]) => isOnly(row, 'wrong'));

  /** @param {ReducerRow} row @returns {boolean} whether no document meets the condition */
  function isOnlyNot(row) {
    return (allowed(row, 'conditionHolds') ?? []).includes('not');
  }

  test.each(sample(equal, 6))('find no difference to the built-in of %s', async (_, row) => {
    const builtin = /** @type {string} */ (allowed(row, 'builtin')?.[0]);
    const { disagreement, splitDisagreement } = await tryOut(row, builtin);
    expect([disagreement?.text, splitDisagreement?.text]).toEqual([undefined, undefined]);
  });

  test.each(sample(wrong, 6))('find two answers to the same rows of %s', async (_, row) => {
    const { splitDisagreement } = await tryOut(row);
    expect(splitDisagreement?.text.length).toBeGreaterThan(1);
    expect(splitDisagreement?.rows.length).toBeLessThan(5);
  });
});
