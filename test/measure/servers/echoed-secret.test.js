// A server that repeats the credentials it was sent: in the reason of an error, and in what it says of itself.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestJson } from '../../../lib/measure/servers/json-request.js';
import { sample } from '../../helpers/long.js';
import { createProject, ordersWith } from '../../helpers/temporary-project.js';

const PASSWORD = 'tr0ub4dor+3';
const AUTHORIZATION = `Basic ${btoa(`anna:${PASSWORD}`)}`;
const SPELLINGS = [PASSWORD, encodeURIComponent(PASSWORD), btoa(PASSWORD).replace(/=+$/, ''), AUTHORIZATION.slice(6)];

const server = createServer((request, response) => {
  const { authorization = '' } = request.headers;
  const [, password = ''] = /:(.*)/.exec(atob(authorization.slice(6))) ?? [];
  const words = [authorization, password, encodeURIComponent(password), btoa(password)].join(' ');
  if (request.url === '/moved') response.writeHead(302, { location: `/${password}` });
  else response.writeHead(request.url === '/' ? 200 : 500, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ couchdb: 'Welcome', version: `3.5.0 ${words}`, error: words, reason: words }));
});
/** @type {string} */
let origin;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test.each(['/', '/shop/_all_docs', '/moved'])('nothing of it is left in the answer to %s', async (path) => {
  const limits = { timeoutMs: 5000, maxBytes: 10_000, tooLargeHint: '' };
  const answer = await requestJson(
    { origin, headers: { authorization: AUTHORIZATION } },
    { method: 'GET', path },
    limits,
  ).catch((error) => error.message);
  for (const spelling of SPELLINGS) expect(JSON.stringify(answer)).not.toContain(spelling);
});

test.each(
  sample(
    [
      ['lint', '--url'],
      ['lint', '--format', 'html', '--url'],
      ['confirm', '--all', '--url'],
      ['bench', 'include-docs', '--url'],
    ],
    2,
  ),
)('%j shows none of it', async (...argv) => {
  const project = createProject({ 'orders.json': ordersWith('_sum') });
  const url = origin.replace('http://', `http://anna:${encodeURIComponent(PASSWORD)}@`);
  const { stdout, stderr } = await project.run([...argv, url]);
  for (const spelling of SPELLINGS) expect(`${stdout}${stderr}`).not.toContain(spelling);
});
