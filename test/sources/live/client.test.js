import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { createClient } from '../../../lib/sources/live/client.js';
import { startFakeCouchdb } from '../../helpers/fake-couchdb.js';

/** @import { FakeAnswer } from '../../helpers/fake-couchdb.js' */

/** @type {FakeAnswer} */
let answer = {};
const server = await startFakeCouchdb({ special: () => answer });
afterAll(() => server.close());

/** @param {Partial<Parameters<typeof createClient>[0]>} [options] */
function client(options) {
  return createClient({ origin: server.origin, headers: {}, rate: 1000, timeoutMs: 5000, ...options });
}

/** @type {[string, FakeAnswer, string, RegExp][]} */
const FAULTS = [
  [
    'a redirect',
    { status: 302, headers: { location: 'https://login.example/?token=s3cret' } },
    'server-redirects',
    /redirects to https:\/\/login\.example\/$/,
  ],
  ['a redirect to nowhere', { status: 301 }, 'server-redirects', /redirects to/],
  [
    'a web page',
    { text: '<!doctype html><p>Log in', headers: { 'content-type': 'text/html' } },
    'no-couchdb',
    /web page/,
  ],
  ['text', { text: 'hello', headers: { 'content-type': 'text/plain' } }, 'answer-broken', /invalid JSON$/],
  ['nothing at all', { text: '' }, 'answer-broken', /invalid JSON$/],
  ['JSON that ends too soon', { text: '{"doc_count": 1' }, 'answer-broken', /truncated/],
  ['JSON that is nested too deep', { text: `${'['.repeat(1001)}${']'.repeat(1001)}` }, 'json-too-large', /1000 levels/],
  [
    'JSON of very many values',
    { text: `[${'[],'.repeat(130_000)}0]` },
    'json-too-large',
    /has more than 90,000 values$/,
  ],
  ['a connection that is cut', { text: '{"doc_count": 1', cut: true }, 'server-lost', /closed/],
  ['an answer that never comes', { hang: true }, 'server-lost', /within 0.3 s/],
  ['an answer that is too long', { body: 'x'.repeat(2_000_000) }, 'answer-too-large', /more than 1.0 MB/],
  [
    'an answer that is not packed as it says',
    { headers: { 'content-encoding': 'gzip' }, body: {} },
    'server-lost',
    /request to .* failed/,
  ],
];

test.each(FAULTS)('%s is one clear error', async (_, given, code, message) => {
  answer = given;
  const asking = client({ timeoutMs: given.hang ? 300 : 30_000, maxBytes: 1_000_000 })('GET', '/shop');
  await expect(asking).rejects.toMatchObject({ name: 'UserError', code, message: expect.stringMatching(message) });
  await expect(asking).rejects.not.toThrow('s3cret');
});

test('an answer that is small when packed and huge when unpacked is refused', async () => {
  const packed = gzipSync(JSON.stringify('x'.repeat(1_000_000)));
  const zipped = createServer((socket) => {
    socket.once('data', () => {
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`,
      );
      socket.end(packed);
    });
    socket.on('error', () => {});
  });
  await new Promise((resolve) => zipped.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = /** @type {import('node:net').AddressInfo} */ (zipped.address());
  const origin = `http://127.0.0.1:${address.port}`;
  await expect(client({ origin, maxBytes: 100_000 })('GET', '/shop')).rejects.toMatchObject({
    code: 'answer-too-large',
  });
  zipped.close();
});

test('a server that nothing listens at is told as such', async () => {
  const gone = await startFakeCouchdb();
  await gone.close();
  await expect(client({ origin: gone.origin })('GET', '/')).rejects.toMatchObject({
    code: 'server-lost',
    message: `request to ${gone.origin} failed: connection refused`,
  });
});

test('a server that speaks no TLS is told as such', async () => {
  answer = {};
  await expect(client({ origin: server.origin.replace('http:', 'https:') })('GET', '/')).rejects.toMatchObject({
    code: 'tls-failed',
  });
});

test('a refusal of a proxy, which is no JSON, keeps its status', async () => {
  answer = { status: 502, text: '<h1>Bad gateway</h1>', headers: { 'content-type': 'text/html' } };
  expect(await client()('GET', '/shop')).toEqual({ status: 502, body: null });
});

test('requests keep their distance', async () => {
  answer = {};
  const ask = client({ rate: 50 });
  const started = performance.now();
  await Promise.all(Array.from({ length: 6 }, () => ask('GET', '/shop')));
  // Five gaps of 20 ms; how much longer it takes is up to the machine.
  expect(performance.now() - started).toBeGreaterThanOrEqual(95);
});

test('what authorises is sent, and stands in no error', async () => {
  answer = { text: 'no' };
  const headers = { authorization: 'Basic c2VjcmV0' };
  const error = await client({ headers })('GET', '/shop').catch((fault) => fault);
  expect(server.served.at(-1)?.authorization).toBe('Basic c2VjcmV0');
  expect(JSON.stringify([error.message, error.hint, error.stack])).not.toContain('c2VjcmV0');
});
