// Whatever is wrong with a log is counted and told with its line, and the rest is read.

import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { digestLogs } from '../../../lib/digest/run/digest-logs.js';
import { LineBuffer, MAX_LINE_BYTES } from '../../../lib/sources/logs/line-buffer.js';
import { readPart } from '../../../lib/sources/logs/read-log.js';
import { countsOf, digestText, NOW, withoutPlaces } from '../../helpers/digest-text.js';
import fc from '../../helpers/property.js';

/** @param {string} target @param {string} [time] */
const ask = (target, time = '02:45:19') =>
  `[notice] 2026-11-21T${time}.111722Z couchdb@127.0.0.1 <0.169.3> 28f101ecdf shop:5984 10.0.0.7 ann GET ${target} 200 ok 12`;

/** @param {import('../../../lib/digest/digest.js').Digest} digest */
const problems = (digest) =>
  Object.fromEntries(
    [...digest.problems].map(([kind, { count, examples }]) => [kind, [count, ...examples.map(({ line }) => line)]]),
  );

test.each([
  ['a truncated line', [ask('/shop/a').slice(0, 110)], { malformed: [1, 2] }],
  ['a line cut in its head', [ask('/shop/a').slice(0, 30)], { malformed: [1, 2] }],
  ['a damaged level', [ask('/shop/a').replace('[notice]', '[n//ice]')], { malformed: [1, 2] }],
  ['two lines in one another', [`${ask('/shop/a').slice(0, 118)}${ask('/shop/b')}`], { malformed: [1, 2] }],
  ['NUL bytes before a line', [`\0\0\0${ask('/shop/a')}`], { 'nul-bytes': [1, 2] }],
  ['a line of NUL bytes', ['\0'.repeat(500)], { malformed: [1, 2], 'nul-bytes': [1, 2] }],
  ['a line of 10 MB', [ask(`/shop/${'x'.repeat(10_000_000)}`)], { malformed: [1, 2], 'too-long': [1, 2] }],
  ['bad percent escapes', [ask('/shop/%zz?key=%4')], { 'bad-percent-escape': [1, 2] }],
  ['a clock set back', [ask('/shop/a', '02:20:00')], { 'clock-jumped-back': [1, 2] }],
  [
    'a line of another format',
    ['h - - [21/Nov/2026:02:45:19 +0000] "GET /shop/a HTTP/1.1" 200 5'],
    { 'other-format': [1, 2] },
  ],
  ['no format at all', ['hello'], { malformed: [1, 2] }],
])('%s is told, and its neighbours are counted', async (_, lines, expected) => {
  const digest = await digestText([ask('/shop/1'), ...lines, ask('/shop/2'), ''].join('\n'));
  expect(problems(digest)).toEqual(expected);
  const bad = 'malformed' in expected ? 1 : 0;
  expect(digest.lines).toEqual({ read: 3, requests: 2 + lines.length - bad, other: 0, malformed: bad });
});

test('invalid UTF-8 is told, and counted', async () => {
  const bytes = Buffer.concat([
    Buffer.from(ask('/shop/a').replace(' 200 ok 12', '')),
    Buffer.from([0xff, 0xfe]),
    Buffer.from(' 200 ok 12\n'),
  ]);
  const digest = await digestText(bytes);
  expect([problems(digest), digest.lines.requests]).toEqual([{ 'invalid-utf8': [1, 1] }, 1]);
});

test('with a forced format, lines of others are malformed', async () => {
  const digest = await digestText(
    `${ask('/shop/1')}\nh - - [21/Nov/2026:02:45:19 +0000] "GET /shop/a HTTP/1.1" 200 5\n`,
    { format: 'couchdb' },
  );
  expect(digest.lines).toMatchObject({ requests: 1, malformed: 1 });
});

test('lines end with CR LF too, and the last one may lack its end', async () => {
  const digest = await digestText(`${ask('/shop/1')}\r\n\r\n${ask('/shop/2')}`);
  expect(digest.lines).toEqual({ read: 3, requests: 2, other: 1, malformed: 0 });
});

test('the size of the pieces that arrive does not matter', async () => {
  const text = [ask('/shop/1'), 'broken', ask('/user-1/x'), '\0\0', ask('/user-2/%zz')].join('\n');
  const whole = withoutPlaces(await digestText(text));
  for (const chunkBytes of [1, 7, 100]) expect(withoutPlaces(await digestText(text, { chunkBytes }))).toEqual(whole);
});

test('no bytes make it throw, and each line is counted once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.constant(Buffer.from(`${ask('/shop/1')}\n`)))),
      async (parts) => {
        const bytes = Buffer.concat(parts);
        const { lines } = await digestText(bytes);
        const feeds = bytes.filter((byte) => byte === 10).length;
        expect(lines.read).toBe(bytes.length === 0 || bytes.at(-1) === 10 ? feeds : feeds + 1);
        expect(lines.requests + lines.other + lines.malformed).toBe(lines.read);
      },
    ),
    { numRuns: 200 },
  );
});

describe('paths and shapes', () => {
  test.each([
    ['a prefix of a proxy', '/couch/shop/a', '/couch', 'GET shop document 1'],
    ['the prefix alone', '/couch', '/couch/', 'GET / 1'],
    ['what only begins like the prefix', '/couchshop/a', '/couch', 'GET couchshop document 1'],
    ['a whole address', 'http://shop:5984/shop/a', '', 'GET shop document 1'],
    ['an address without a path', 'http://shop:5984', '', 'GET / 1'],
  ])('%s', async (_, target, pathPrefix, count) => {
    expect(countsOf(await digestText(ask(target), { options: { pathPrefix } }))).toEqual([count]);
  });

  test('a database that is alone of its pattern keeps its name', async () => {
    expect(countsOf(await digestText(`${ask('/shop2/a')}\n${ask('/user-1/a')}\n${ask('/user-2/a')}`))).toEqual([
      'GET shop2 document 1',
      'GET user-* document 2',
    ]);
  });

  test('an unheard-of method is one of OTHER', async () => {
    expect(
      countsOf(await digestText(`${ask('/shop/a').replace('GET', 'BREW')}\n${ask('/shop/a').replace('GET', 'STEEP')}`)),
    ).toEqual(['OTHER shop document 2']);
  });

  test('the keys of a list are counted as rows', async () => {
    const digest = await digestText(ask('/shop/_all_docs?keys=%5B%22a%22%2C%5B1%2C2%5D%5D'));
    expect([...digest.groups.values()][0]?.rowsAtMost?.max).toBe(2);
  });
});

describe('files', () => {
  /** @type {string} */
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'couch-advisor-logs-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** @param {string[]} paths @param {number} [threads] */
  const read = (paths, threads) => digestLogs({ paths, cwd: folder, now: NOW, threads });
  const lines = Array.from({ length: 2000 }, (_, at) =>
    ask(`/user-${at}/doc`, `02:${String(Math.floor(at / 40)).padStart(2, '0')}:00`),
  );

  test('rotated logs are read in the order of time, once each, compressed or not', async () => {
    writeFileSync(path.join(folder, 'couch.log'), lines.slice(1500).join('\n'));
    writeFileSync(path.join(folder, 'couch.log.1'), `${lines.slice(700, 1500).join('\n')}\n`);
    writeFileSync(path.join(folder, 'couch.log.2.gz'), gzipSync(lines.slice(0, 700).join('\n')));
    const { digest, errors, files } = await read(['couch.log', 'couch.log*']);
    expect(errors).toEqual([]);
    expect(files.map((file) => [file.path, file.lines])).toEqual([
      ['couch.log.2.gz', 700],
      ['couch.log.1', 800],
      ['couch.log', 500],
    ]);
    expect(withoutPlaces(digest)).toEqual(withoutPlaces(await digestText(lines.join('\n'))));
  });

  test('a compressed log that is cut short gives what it has, and an error', async () => {
    const whole = gzipSync(lines.join('\n'));
    writeFileSync(path.join(folder, 'a.log.gz'), whole.subarray(0, whole.length - 200));
    const { digest, errors } = await read(['a.log.gz']);
    expect(errors.map(({ code }) => code)).toEqual(['cut-short']);
    expect(digest.lines.requests).toBeGreaterThan(500);
    expect(digest.lines.malformed).toBeLessThanOrEqual(1);
  });

  test('a compressed log that is damaged gives what it has, and an error', async () => {
    const whole = gzipSync(lines.join('\n'));
    whole.fill(7, whole.length - 300, whole.length - 100);
    writeFileSync(path.join(folder, 'a.log.gz'), whole);
    const { errors } = await read(['a.log.gz']);
    expect(errors.map(({ code }) => code)).toEqual(['cut-short']);
  });

  test('compressed logs that were put behind one another are read to the end', async () => {
    const pieces = [lines.slice(0, 5), lines.slice(5, 9)].map((part) => gzipSync(`${part.join('\n')}\n`));
    writeFileSync(path.join(folder, 'a.log.gz'), Buffer.concat(pieces));
    const { digest, errors } = await read(['a.log.gz']);
    expect([errors, digest.lines.requests]).toEqual([[], 9]);
  });

  test('a log that is cut while it is read gives what it had, and an error', () => {
    const text = `${lines.slice(0, 3).join('\n')}\n${lines[3]}`;
    writeFileSync(path.join(folder, 'a.log'), text);
    const absolute = path.join(folder, 'a.log');
    const file = {
      path: 'a.log',
      absolute,
      size: 9000,
      modified: NOW,
      compression: undefined,
      wrapper: undefined,
      isPipe: false,
      format: 'couchdb',
    };
    /** @type {string[]} */
    const given = [];
    const buffer = new LineBuffer(
      (bytes, from, to) => given.push(bytes.toString('utf8', from, to)),
      () => given.push('long'),
    );
    let told = 0;
    const readAll = () =>
      readPart(file, 0, 9000, buffer, (bytes) => {
        told += bytes;
      });
    expect(readAll).toThrow(`a.log was truncated while it was read: ${9000 - text.length} bytes are missing`);
    expect(given.join('')).toBe(`${text}\n`);
    expect(told).toBe(text.length);
  });

  test('a log that grows while it is read is read as far as it was', async () => {
    const absolute = path.join(folder, 'a.log');
    writeFileSync(absolute, `${lines[0]}\n`);
    const { size } = statSync(absolute);
    writeFileSync(absolute, `${lines[0]}\n${lines[1]}\n`);
    const file = {
      path: 'a.log',
      absolute,
      size,
      modified: NOW,
      compression: undefined,
      wrapper: undefined,
      isPipe: false,
      format: 'couchdb',
    };
    /** @type {string[]} */
    const given = [];
    const buffer = new LineBuffer(
      (bytes, from, to) => given.push(bytes.toString('utf8', from, to)),
      () => given.push('long'),
    );
    readPart(file, 0, size, buffer, () => {});
    expect(given).toEqual([`${lines[0]}\n`]);
  });

  test('a HAR file that is cut short, compressed or not, is told, and other logs are read', async () => {
    const har = JSON.stringify({ log: { entries: [] } }).padEnd(5000);
    writeFileSync(path.join(folder, 'a.har'), har.slice(0, 15));
    writeFileSync(path.join(folder, 'b.har.gz'), gzipSync(har).subarray(0, 30));
    writeFileSync(path.join(folder, 'c.log'), ask('/shop/1'));
    const { digest, errors } = await read(['a.har', 'b.har.gz', 'c.log']);
    expect(errors.map(({ code }) => code)).toEqual(['bad-har', 'cut-short']);
    expect(digest.lines.requests).toBe(1);
  });

  test('logs of several formats are put together', async () => {
    writeFileSync(path.join(folder, 'couch.log'), ask('/shop/1'));
    writeFileSync(path.join(folder, 'nginx.log'), 'h - - [21/Nov/2026:02:45:19 +0000] "GET /shop/a HTTP/1.1" 200 5\n');
    const { digest, files } = await read(['*.log']);
    expect(files.map(({ format }) => format).sort()).toEqual(['combined', 'couchdb']);
    expect(countsOf(digest)).toEqual(['GET shop document 2']);
    expect(digest.problems.size).toBe(0);
  });

  test('what is not there, or no log, is told; the rest is read', async () => {
    mkdirSync(path.join(folder, 'logs'));
    writeFileSync(path.join(folder, 'a.log'), ask('/shop/1'));
    writeFileSync(path.join(folder, 'empty.log'), '');
    const { digest, errors } = await read(['gone.log', 'logs', '*.none', 'a.log', 'empty.log']);
    expect(errors.map(({ code }) => code)).toEqual(['not-found', 'is-folder', 'not-found']);
    expect(digest.lines.requests).toBe(1);
  });

  test('examples are the first by name of file and line, also where another file has the earlier lines', async () => {
    const lines = (/** @type {number} */ hour) =>
      [1, 2, 3, 4].map((minute) => ask('/shop/1', `0${hour}:0${minute}:00`)).join('\n');
    writeFileSync(path.join(folder, 'late.log'), lines(8));
    writeFileSync(path.join(folder, 'zero.log'), lines(1));
    const { digest, files } = await read(['late.log', 'zero.log']);
    expect(files.map((file) => file.path)).toEqual(['zero.log', 'late.log']);
    expect([...digest.groups.values()].map(({ examples }) => examples)).toEqual([
      [1, 2, 3].map((line) => ({ file: 'late.log', line })),
    ]);
  });

  test('several threads give the same as one, line numbers too', async () => {
    const wide = 'x'.repeat(2000);
    const many = Array.from({ length: 16_000 }, (_, at) =>
      at % 997 === 5
        ? `broken ${at}`
        : ask(`/user-${at % 50}/_design/${'abc'[at % 3]}${at > 9000 ? 'z' : ''}/_view/${wide}?key=${at}`),
    );
    writeFileSync(path.join(folder, 'a.log'), many.join('\n'));
    writeFileSync(path.join(folder, 'b.log'), many.slice(0, 4000).join('\n'));
    const [one, two] = [await read(['a.log', 'b.log'], 1), await read(['a.log', 'b.log'], 2)];
    const { digestToJson } = await import('../../../lib/digest/digest-json.js');
    expect(digestToJson(two.digest)).toEqual(digestToJson(one.digest));
    expect(two.files).toEqual(one.files);
    const late = [...one.digest.groups.values()].filter(({ fingerprint }) => fingerprint.designDoc.endsWith('z'));
    expect(late.map(({ examples }) => examples[0]?.line).sort()).toEqual([9002, 9003, 9004]);
  });
});

test('a buffer of lines gives each line that starts in a part to that part alone', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 6 }), { maxLength: 20 }),
      fc.array(fc.nat(80)),
      fc.integer({ min: 1, max: 9 }),
      (texts, cuts, step) => {
        const bytes = Buffer.from(texts.map((text) => `${text.replaceAll('\n', '')}\n`).join(''));
        const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
          (a, b) => a - b,
        );
        let given = '';
        for (let at = 0; at + 1 < places.length; at += 1) {
          const [start, end] = [Number(places[at]), Number(places[at + 1])];
          const buffer = new LineBuffer(
            (piece, from, to) => {
              given += piece.toString('utf8', from, to);
            },
            () => {},
          );
          buffer.begin(end - start, start > 0);
          for (let from = start > 0 ? start - 1 : 0; from < bytes.length && !buffer.isDone; from += step) {
            const count = bytes.copy(buffer.room(), 0, from, Math.min(from + step, bytes.length));
            buffer.took(count);
          }
          buffer.finish();
        }
        expect(given).toBe(bytes.toString());
      },
    ),
  );
});

test('a line longer than fits is dropped and told, the next one is given', () => {
  /** @type {string[]} */
  const given = [];
  const buffer = new LineBuffer(
    (bytes, from, to) => given.push(bytes.toString('latin1', from, to)),
    () => given.push('long'),
  );
  buffer.begin(Number.POSITIVE_INFINITY, false);
  buffer.push(Buffer.from(`a\n${'x'.repeat(3 * MAX_LINE_BYTES)}\nb`));
  buffer.finish();
  expect(given).toEqual(['a\n', 'long', 'b\n']);
});
