// Tests which retries send a revision again that CouchDB has refused.

import { expect, test } from 'vitest';
import { readTexts } from '../../helpers/application-code.js';

const START = "import nano from 'nano';\nconst db = nano(url).use('shop');\n";

/** @param {string} body @returns {Promise<string>} which errors the first write retries, and whether with the same revision */
async function retry(body) {
  const path = 'orders.mjs';
  const { records } = await readTexts({ [path]: START + body });
  const found = records.find(({ method }) => method === 'insert' || method === 'remove')?.retry;
  return found ? `${found.errors} ${found.sendsSameRevision ? 'same' : 'other'}` : 'none';
}

/** @param {string} handler @returns {string} a loop that writes what it is given */
function loop(handler) {
  return `async function save(order) { for (let n = 0; n < 3; n += 1) { try { return await db.insert(order); } catch (err) { ${handler} } } }`;
}

test.each([
  ['others are thrown', 'if (err.statusCode !== 409) throw err;', 'conflicts same'],
  ['with a limit', 'if (err.statusCode !== 409 || n > 3) throw err;', 'conflicts same'],
  ['by name', "if (err.error === 'conflict') { await wait(); continue; } throw err;", 'conflicts same'],
  ['by a function', 'if (!isConflict(err)) throw err; await wait();', 'conflicts same'],
  ['any error', 'await wait(n);', 'all same'],
  ['any error, with a limit', 'if (n === 2) throw err;', 'all same'],
  ['conflicts are thrown', 'if (err.statusCode === 409) throw err;', 'others same'],
  ['another status', 'if (err.statusCode === 503) continue; throw err;', 'others same'],
  ['only another status', 'if (err.statusCode !== 503) throw err;', 'others same'],
  ['unknown functions', 'if (!mayRetry(err)) throw err;', 'unknown same'],
  ['a switch', 'switch (err.statusCode) { case 409: break; default: throw err; }', 'unknown same'],
  [
    'the revision is set',
    'if (err.statusCode !== 409) throw err; order._rev = (await db.get(order._id))._rev;',
    'conflicts other',
  ],
  ['the document is read', 'if (err.statusCode !== 409) throw err; order = await db.get(order._id);', 'none'],
  ['another function gets it', 'if (err.statusCode !== 409) throw err; await refresh(order);', 'conflicts other'],
  ['a method may change it', 'if (err.statusCode !== 409) throw err; await order.refresh();', 'conflicts other'],
  [
    'a computed member',
    'if (err.statusCode !== 409) throw err; for (const key in next) order[key] = next[key];',
    'conflicts other',
  ],
  ['another member', 'if (err.statusCode !== 409) throw err; order.tries = n; log(order._id);', 'conflicts same'],
])('a loop: %s', async (_, handler, expected) => {
  expect(await retry(loop(handler))).toBe(expected);
});

test.each([
  [
    'a callback',
    'function save(order, n) { db.insert(order, (err) => { if (err && err.statusCode === 409 && n < 3) save(order, n + 1); }); }',
    'conflicts same',
  ],
  [
    'after a pause',
    'function save(order, n) { db.insert(order, (err) => { if (err) { if (err.statusCode === 409) setTimeout(() => save(order, n + 1), 9); } }); }',
    'conflicts same',
  ],
  [
    'catch',
    'const save = (order) => db.insert(order).catch((err) => err.statusCode === 409 ? save(order) : Promise.reject(err));',
    'conflicts same',
  ],
  [
    'try',
    'async function save(order) { try { await db.insert(order); } catch (err) { if (err.statusCode !== 409) throw err; return save(order); } }',
    'conflicts same',
  ],
  [
    'a method',
    'class Orders { save(order) { return db.insert(order).catch((err) => { if (err.statusCode === 409) return this.save(order); throw err; }); } }',
    'conflicts same',
  ],
  [
    'a member of this',
    'function Orders() { var self = this; this.save = function (order) { return db.insert(order).catch((err) => { if (err.statusCode === 409) return self.save(order); throw err; }); }; }',
    'conflicts same',
  ],
  [
    'conflicts end it',
    'const save = (order) => db.insert(order).catch((err) => { if (err.statusCode === 409) throw err; return save(order); });',
    'others same',
  ],
  [
    'another document',
    'const save = (order) => db.insert(order).catch(async (err) => { if (err.statusCode !== 409) throw err; return save(await db.get(order._id)); });',
    'conflicts other',
  ],
  [
    'spread arguments',
    'function save(...given) { return db.insert(given).catch((err) => { if (err.statusCode === 409) return save(...given); throw err; }); }',
    'conflicts other',
  ],
  [
    'read in the function',
    'async function save(id) { const order = await db.get(id); try { await db.insert(order); } catch (err) { if (err.statusCode === 409) return save(id); throw err; } }',
    'conflicts other',
  ],
  [
    'a removal',
    'const drop = (order) => db.destroy(order._id, order._rev).catch((err) => { if (err.statusCode === 409) return drop(order); throw err; });',
    'conflicts same',
  ],
])('a function that calls itself: %s', async (_, code, expected) => {
  expect(await retry(code)).toBe(expected);
});

const CAUGHT = 'break; } catch (err) { if (err.statusCode !== 409) throw err; } }';

test.each([
  [
    'a spread document',
    `async function save(id) { const order = await db.get(id); for (;;) { try { await db.insert({ ...order, sent: Date.now() }); ${CAUGHT} }`,
    'conflicts same',
  ],
  [
    'id and revision',
    `async function save(id, rev, n) { for (;;) { try { await db.insert({ _id: id, _rev: rev, n: n + 1 }); ${CAUGHT} }`,
    'conflicts same',
  ],
  [
    'an id beside it',
    `async function save(id) { for (;;) { try { await db.insert({ n: 1, _id: id }, id); ${CAUGHT} }`,
    'conflicts same',
  ],
  [
    'read in each turn',
    `async function save(id) { for (;;) { const order = await db.get(id); try { await db.insert({ ...order, n: 1 }); ${CAUGHT} }`,
    'conflicts other',
  ],
  [
    'an id that is made',
    `async function save() { for (;;) { try { await db.insert({ _id: uuid(), n: 1 }); ${CAUGHT} }`,
    'conflicts other',
  ],
  [
    'a revision that is set',
    `async function save(id) { let rev; for (;;) { try { await db.insert({ _id: id, _rev: rev }); break; } catch (err) { if (err.statusCode !== 409) throw err; rev = await last(id); } } }`,
    'none',
  ],
  [
    'a name that another function sets',
    `let order; async function load(id) { order = await db.get(id); } async function save(id) { for (;;) { try { await db.insert(order); ${CAUGHT} }`,
    'conflicts other',
  ],
  [
    'a document without an id',
    `async function save() { for (;;) { try { await db.insert({ n: 1 }); ${CAUGHT} }`,
    'conflicts other',
  ],
])('what is written: %s', async (_, code, expected) => {
  expect(await retry(code)).toBe(expected);
});

test('an id that is passed on stays the same', async () => {
  const code = `async function save(order, id) { for (;;) { try { await db.insert(order, id); log(id); ${CAUGHT} }`;
  expect(await retry(code)).toBe('conflicts same');
});

test('a client that reads the revision itself is left alone', async () => {
  const path = 'orders.mjs';
  const text = `import cradle from 'cradle';\nconst db = new cradle.Connection().database('shop');\nasync function save(order) { for (;;) { try { await db.save(order); ${CAUGHT} }`;
  const { records } = await readTexts({ [path]: text });
  expect(records.map(({ method, retry: found }) => [method, found])).toEqual([['insert', null]]);
});
