// Each analysis of a function ends, whatever the function, and says that it did not get through. None looks at a clock: `limits.long.test.js` bounds
// their memory.

import { afterAll, describe, expect, test } from 'vitest';
import { followFlow } from '../lib/javascript/flow.js';
import { findWitness } from '../lib/proof/evidence/find-witness.js';
import { tryWrites } from '../lib/proof/evidence/try-writes.js';
import { fitDocuments } from '../lib/proof/synthesis/fit-documents.js';
import { tryRows } from '../lib/proof/synthesis/try-rows.js';
import { openSandbox, parseFunction, proveReduce } from './helpers/internals.js';
import { LARGE_BODIES, LARGE_REDUCES } from './helpers/large-functions.js';
import { isLong, sample } from './helpers/long.js';

const sandbox = openSandbox();
afterAll(() => sandbox.close());

const TOO_DEEP = 'the function is nested too deeply to be analyzed';
const TOO_LARGE = 'the function is too large to be analyzed';
const TOO_MANY_MEMBERS = 'the map reads too many members to generate documents for it';

/** @param {string} name */
const mapOf = (name) => `function (doc) { ${LARGE_BODIES[name]} }`;

describe('a function that is too large is unknown, with the reason', () => {
  test.each(['choices in each other', 'a long condition', 'a long sum'])('where it is parsed: %s', (name) => {
    expect(parseFunction(mapOf(name))).toMatchObject({ ok: false, limit: TOO_DEEP });
  });

  test.each(sample(['functions that call each other twice', 'many long branches'], 1))(
    'where its control flow is followed: %s',
    (name) => {
      const tree = parseFunction(mapOf(name));
      if (!tree.ok) throw new Error(tree.message);
      expect(followFlow(tree, ['doc'])).toMatchObject({ unknown: TOO_LARGE, limit: TOO_LARGE });
    },
  );

  test.runIf(isLong)('where documents are made for it, and writes', async () => {
    const map = mapOf('many members');
    const throwing = `${map.slice(0, -1)} emit(doc.first.last); }`;
    expect(await findWitness({ map: throwing, libraries: {} }, sandbox)).toMatchObject({ bailout: TOO_MANY_MEMBERS });
    expect(await tryWrites({ source: map, designDoc: {} }, sandbox)).toMatchObject({ bailout: TOO_MANY_MEMBERS });
  });

  test.runIf(isLong)('where documents are made for an experiment, or at other moments', async () => {
    const map = mapOf('many members');
    expect(await fitDocuments({ map, seed: 1, count: 100, sandbox })).toEqual({ reason: TOO_MANY_MEMBERS });
    const question = { map, reduce: undefined, libraries: {}, calls: [], carries: true };
    expect(await tryRows(question, sandbox)).toMatchObject({ bailout: TOO_MANY_MEMBERS });
  });

  test.each(sample(Object.entries(LARGE_REDUCES), 2))('where a reduce is proved: %s', async (_, body) => {
    const question = { reduce: { source: `function (keys, values) { ${body} }` }, target: '3.5.2' };
    const { verdict } = await proveReduce(/** @type {any} */ (question), { sandbox, seed: 1 });
    expect(verdict).not.toBe('equal');
  });
});
