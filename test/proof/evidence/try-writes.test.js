import { afterAll, expect, test } from 'vitest';
import { tryWrites } from '../../../lib/proof/evidence/try-writes.js';
import { openSandbox } from '../../helpers/internals.js';
import { isLong, turns } from '../../helpers/long.js';
import { FunctionWriter, randomOf } from '../../helpers/random-functions.js';

const sandbox = openSandbox();
afterAll(() => sandbox.close());

/** @param {string} body */
const tried = (body) => tryWrites({ source: `function (newDoc, oldDoc, userCtx) { ${body} }`, designDoc: {} }, sandbox);

test.each([
  ['an owner that may be null', "if (newDoc.customer !== userCtx.name) throw({ forbidden: 'not yours' });", true],
  ['a check of users alone', "if (userCtx.name && !newDoc.paid) throw({ forbidden: 'unpaid' });", true],
  ['a check of what changes', "if (oldDoc && oldDoc.by !== userCtx.name) throw({ forbidden: 'not yours' });", true],
  [
    'a check of the user first',
    "if (!userCtx.name) throw({ unauthorized: 'log in' }); if (newDoc.customer !== userCtx.name) throw({ forbidden: 'not yours' });",
    false,
  ],
  ['no check of the user', "if (!newDoc.customer) throw({ forbidden: 'whose?' });", false],
  ['a check of roles', "if (userCtx.roles.indexOf('clerk') < 0) throw({ forbidden: 'clerks only' });", false],
  ['an error for users', 'if (userCtx.name) null.x;', false],
])('whether nobody may write what a user may not: %s', async (_, body, isAccepted) => {
  const { anonymous } = await tried(body);
  expect(anonymous !== undefined).toBe(isAccepted);
});

test.each([
  ['null.x;', ['failed']],
  ["throw 'no';", ['failed']],
  ['', ['accepted']],
  ["throw({ forbidden: 'no' });", ['rejected']],
  ['for (;;) {}', []],
  ["if (!newDoc.town) throw({ forbidden: 'no town' });", ['accepted', 'rejected']],
])('what becomes of writes: %s', async (body, outcomes) => {
  expect((await tried(body)).outcomes.sort()).toEqual(outcomes);
});

test.runIf(isLong)('a function that is too large for a search is not tried', async () => {
  const reads = Array.from({ length: 3000 }, (_, at) => `newDoc.m${at}`).join('; ');
  expect(await tried(reads)).toMatchObject({ outcomes: [], bailout: expect.stringContaining('too many members') });
});

test('a write that is said to be accepted without a user, and rejected for one, is', async () => {
  let count = 0;
  for (let seed = 1; seed <= turns({ short: 30, long: 1500 }); seed += 1) {
    const source = new FunctionWriter(randomOf(seed)).validation();
    const { anonymous } = await tryWrites({ source, designDoc: {} }, sandbox);
    if (!anonymous) continue;
    count += 1;
    const { doc, oldDoc } = anonymous;
    const validate = new Function(`return (${source.replaceAll('/*tick*/', '')});`)();
    const write = (/** @type {string | null} */ name) => () =>
      validate(structuredClone(doc), structuredClone(oldDoc), { db: 'shop', name, roles: [] }, {});
    expect(write(null), source).not.toThrow();
    expect(write('user'), source).toThrow();
  }
  expect(count).toBeGreaterThan(0);
});
