// A setting is changed only where that was allowed, never in a file, and is put back whatever happens.

import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withSetting } from '../../../lib/measure/scenarios/run/change-config.js';

/** @typedef {{method: string | undefined, url: string | undefined, persists: unknown, body: string}} Seen */

/** @type {Seen[]} */
let seen = [];
/** @type {Map<string, string>} */
let config = new Map();
let refuses = false;
/** @type {import('node:http').Server} */
let server;
let origin = '';

beforeEach(async () => {
  seen = [];
  config = new Map();
  refuses = false;
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method, url } = request;
    seen.push({ method, url, persists: request.headers['x-couch-persist'], body });
    const key = url?.split('/_config/')[1] ?? '';
    response.statusCode = refuses ? 403 : 200;
    if (!refuses && method === 'PUT') config.set(key, JSON.parse(body));
    if (!refuses && method === 'DELETE') config.delete(key);
    response.end('""');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});
afterEach(() => server.close());

/** @param {boolean} mayChangeConfig @returns {any} as much of a workbench as is used */
const bench = (mayChangeConfig = true) => ({
  options: { mayChangeConfig, pause: async () => {} },
  server: {
    origin,
    headers: { authorization: 'Basic eDp5' },
    ask: async () => {
      const value = config.get('uuids/algorithm');
      return value === undefined ? { status: 404, body: {} } : { status: 200, body: value };
    },
  },
});

test('a setting that had a value gets it back', async () => {
  config.set('uuids/algorithm', 'utc_id');
  const during = await withSetting(bench(), 'uuids', 'algorithm', 'random', async () => config.get('uuids/algorithm'));
  expect([during, config.get('uuids/algorithm')]).toEqual(['random', 'utc_id']);
});

test('a setting that had none is taken away again', async () => {
  await withSetting(bench(), 'uuids', 'algorithm', 'random', async () => {});
  expect(config.has('uuids/algorithm')).toBe(false);
});

test('no change is written to a file of the server', async () => {
  await withSetting(bench(), 'uuids', 'algorithm', 'random', async () => {});
  expect(seen.map(({ method, persists }) => [method, persists])).toEqual([
    ['PUT', 'false'],
    ['DELETE', 'false'],
  ]);
});

test('what is thrown meanwhile is thrown on, and the setting is put back', async () => {
  config.set('uuids/algorithm', 'utc_id');
  const failing = withSetting(bench(), 'uuids', 'algorithm', 'random', async () => {
    throw new Error('the load failed');
  });
  await expect(failing).rejects.toThrow('the load failed');
  expect(config.get('uuids/algorithm')).toBe('utc_id');
});

test('a server that refuses is told', async () => {
  refuses = true;
  const changing = withSetting(bench(), 'uuids', 'algorithm', 'random', async () => {});
  await expect(changing).rejects.toThrow(
    expect.objectContaining({ code: 'config-refused', hint: 'omit --change-config' }),
  );
});

test.each([
  ['without being allowed to', false, 'uuids', 'algorithm'],
  ['of another name', true, 'couchdb', 'max_document_size'],
  ['of admins', true, 'admins', 'admin'],
])('a change %s is never sent', async (_, isAllowed, section, key) => {
  await expect(withSetting(bench(isAllowed), section, key, 'x', async () => {})).rejects.toThrow('refused');
  expect(seen).toEqual([]);
});
