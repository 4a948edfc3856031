// Facts about what code does around its queries and feeds.

import { describe, expect, test } from 'vitest';
import { createProject } from '../../helpers/temporary-project.js';

const NANO =
  "const nano = require('nano');\nconst server = nano(process.env.COUCHDB_URL);\nconst shop = server.use('shop');\n";
const INDEX = "{ index: { fields: ['email'] } }";

/**
 * @param {string} text
 * @param {string} method
 * @returns {Promise<Record<string, {value?: unknown}>>} facts of the last call that does this
 */
async function factsOf(text, method) {
  const { stdout } = await createProject({ 'a.js': text }).run(['facts', '--format', 'json']);
  const { subjects } = JSON.parse(stdout);
  return subjects.findLast(
    (/** @type {{facts: Record<string, {value?: unknown}>}} */ { facts }) => facts['call.method']?.value === method,
  )?.facts;
}

describe('an index is created before each query', () => {
  test.each([
    [
      'in a function that queries for its parameter',
      `async function byEmail(email) { await shop.createIndex(${INDEX}); return shop.find({ selector: { email } }); }`,
      true,
    ],
    [
      'with the query in a variable',
      `async function byEmail(email) { const q = { selector: { email } }; await shop.createIndex(${INDEX}); return shop.find(q); }`,
      true,
    ],
    [
      'in a chain of promises',
      `const byEmail = (email) => shop.createIndex(${INDEX}).then(() => shop.find({ selector: { email } }));`,
      true,
    ],
    [
      'in a callback',
      `function byEmail(email, done) { shop.createIndex(${INDEX}, () => { shop.find({ selector: { email } }, done); }); }`,
      true,
    ],
    [
      'in a handler',
      `app.get('/open', async (req, res) => { await shop.createIndex(${INDEX}); res.json(await shop.find({ selector: { open: true } })); });`,
      true,
    ],
    [
      'in a method',
      `class A { async find(email) { await shop.createIndex(${INDEX}); return shop.find({ selector: { email } }); } }`,
      true,
    ],
    [
      'not in a function that sets up',
      `async function initShop(email) { await shop.createIndex(${INDEX}); return shop.find({ selector: { email } }); }`,
      false,
    ],
    [
      'not where nothing shows that it runs again',
      `async function report() { await shop.createIndex(${INDEX}); return shop.find({ selector: { email: 'a' } }); }`,
      false,
    ],
    [
      'not in a callback that waits for a start',
      `server.on('ready', async () => { await shop.createIndex(${INDEX}); await shop.find({ selector: {} }); });`,
      false,
    ],
    [
      'not where it is remembered',
      `let made; async function byEmail(email) { made ??= await shop.createIndex(${INDEX}); return shop.find({ selector: { email } }); }`,
      false,
    ],
    [
      'not behind a condition',
      `async function byEmail(email) { if (!made) await shop.createIndex(${INDEX}); return shop.find({ selector: { email } }); }`,
      false,
    ],
    [
      'not where the query waits for a request',
      `async function routes(app) { await shop.createIndex(${INDEX}); app.get('/', ({ email }) => shop.find({ selector: { email, app } })); }`,
      false,
    ],
    [
      'not of another database',
      `async function byEmail(email) { await other.createIndex(${INDEX}); return shop.find({ selector: { email } }); } const other = server.use('b');`,
      false,
    ],
    [
      'not of a database that callers choose',
      `async function byEmail(tenant, email) { const db = server.use(tenant); await db.createIndex(${INDEX}); return db.find({ selector: { email } }); }`,
      false,
    ],
    [
      'not behind the query',
      `async function byEmail(email) { const found = await shop.find({ selector: { email } }); await shop.createIndex(${INDEX}); return found; }`,
      false,
    ],
    [
      'not in the module itself',
      `await shop.createIndex(${INDEX}); export const found = await shop.find({ selector: {} });`,
      false,
    ],
  ])('%s', async (_, code, expected) => {
    expect((await factsOf(`${NANO}${code}\n`, 'find'))['call.createsIndexBefore']?.value).toBe(expected);
  });
});
