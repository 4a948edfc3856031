// The function that answers requests around a call.

import { expect, test } from 'vitest';
import { callsIn } from '../../helpers/application-code.js';

const DB = "const shop = require('nano')(process.env.COUCHDB_URL).use('shop');\n";
const LIST = 'shop.list({ include_docs: true })';

test.each([
  ['a route of Express', `app.get('/', async (req, res) => { res.json(await ${LIST}); });`, true],
  ['a function of its own', `exports.index = function (request, response, next) { ${LIST}.then(next); };`, true],
  ['a handler of Fastify', `fastify.get('/', async (request, reply) => ${LIST});`, true],
  [
    'a function given to then in it',
    `app.get('/', (req, res) => ready().then(() => ${LIST}).then((all) => res.json(all)));`,
    true,
  ],
  ['a handler of Koa', `router.get('/', async (ctx) => { ctx.body = await ${LIST}; });`, true],
  ['a function of a cloud', `exports.handler = async (event) => ({ body: await ${LIST} });`, true],
  ['the same as a module', `export const handler = async (event) => ({ body: await ${LIST} });`, true],
  ['a function that it may call', `async function all() { return ${LIST}; }`, false],
  ['a context of something else', `jobs.run(async (ctx) => { ctx.log(await ${LIST}); });`, false],
  ['an event of a page', `button.onclick = async (event) => show(await ${LIST});`, false],
  ['a request without a response', `queue.on('x', async (request) => { await ${LIST}; });`, false],
])('%s: %s', async (_, code, expected) => {
  const calls = await callsIn(DB + code);
  expect(calls.filter(({ method }) => method === 'all-docs').map(({ handler }) => handler !== null)).toEqual([
    expected,
  ]);
});
