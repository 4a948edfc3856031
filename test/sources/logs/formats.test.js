// Every format is found out, and tells of the same traffic the same; each line says what it is.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { detectLog } from '../../../lib/sources/logs/detect.js';
import { DETECTED_FORMATS, formatNamed, LINE_FORMATS } from '../../../lib/sources/logs/formats.js';
import { readHar } from '../../../lib/sources/logs/har.js';
import { LINE, LogLine } from '../../../lib/sources/logs/log-line.js';
import { countsOf, digestText, NOW } from '../../helpers/digest-text.js';
import fc from '../../helpers/property.js';

const folder = path.resolve(import.meta.dirname, '../../../fixtures/logs');

/** What each fixture is, and what its format does not tell. @type {[string, string, {hasTimes: boolean, hasSizes: boolean}][]} */
const FIXTURES = [
  ['couchdb.log', 'couchdb', { hasTimes: true, hasSizes: false }],
  ['couchdb-syslog.log', 'couchdb-syslog', { hasTimes: true, hasSizes: false }],
  ['couchdb-journal.log', 'couchdb-journal', { hasTimes: true, hasSizes: false }],
  ['couchdb-journald.log', 'couchdb-journal', { hasTimes: true, hasSizes: false }],
  ['couchdb-1x.log', 'couchdb-1x', { hasTimes: false, hasSizes: false }],
  ['common.log', 'combined', { hasTimes: false, hasSizes: true }],
  ['combined.log', 'combined', { hasTimes: false, hasSizes: true }],
  ['nginx-request-time.log', 'combined', { hasTimes: true, hasSizes: true }],
  ['apache-micros.log', 'combined', { hasTimes: true, hasSizes: true }],
  ['haproxy.log', 'haproxy', { hasTimes: true, hasSizes: true }],
  ['traefik.log', 'traefik', { hasTimes: true, hasSizes: true }],
  ['session.har', 'har', { hasTimes: true, hasSizes: true }],
];

test('every log in fixtures is tested', () => {
  expect(readdirSync(folder).sort()).toEqual(FIXTURES.map(([name]) => name).sort());
});

describe.each(FIXTURES)('%s', (name, format, { hasTimes, hasSizes }) => {
  const bytes = readFileSync(path.join(folder, name));

  test(`is found to be ${format}`, () => {
    expect(detectLog(bytes)).toEqual({ format, wrapper: undefined });
  });

  test.each([undefined, format])('tells the traffic of the shop, its format given as %s', async (given) => {
    const digest = await digestText(bytes, { format: given });
    expect(countsOf(digest)).toEqual([
      'GET shop _view by_status 1',
      'GET shop document 1',
      'POST shop _find 1',
      'PUT user-* document 2',
    ]);
    expect(digest.lines).toMatchObject({ requests: 5, malformed: 0 });
    const groups = [...digest.groups.values()];
    const micros = groups.reduce((sum, { latencyMicros }) => sum + latencyMicros.sum, 0);
    expect(micros).toBe(hasTimes ? 582_000 : 0);
    expect(groups.reduce((sum, { responseBytes }) => sum + responseBytes, 0)).toBe(hasSizes ? 12_566 : 0);
    expect(groups.find(({ method }) => method === 'PUT')?.statuses.entries()).toEqual([
      [201, 1],
      [401, 1],
    ]);
    if (name !== 'couchdb-journald.log') {
      expect(new Date(digest.last).toISOString().slice(0, 19)).toBe('2026-11-21T02:46:20');
    }
  });
});

test.each(['couchdb.log', 'couchdb-syslog.log', 'couchdb-journal.log'])(
  '%s tells of builds, reports and query servers too',
  async (name) => {
    const digest = await digestText(readFileSync(path.join(folder, name)));
    const [builds] = digest.builds.values();
    expect(builds).toMatchObject({ database: 'shop', designDoc: '_design/orders', starts: 1 });
    expect(builds?.longest.map(({ ms }) => ms)).toEqual([name === 'couchdb-journal.log' ? 2000 : 2500]);
    const find = [...digest.groups.values()].find(({ fingerprint }) => fingerprint.endpoint === '_find');
    expect(find?.find).toMatchObject({ reports: 1, docsExamined: 178, results: 25, executionMicros: 217_638 });
    expect(find?.rowsMeasured?.max).toBe(25);
    expect([...digest.queryServers].map(([kind, { count }]) => [kind, count])).toEqual([['timeout', 1]]);
  },
);

/**
 * @param {string} format
 * @param {string} text
 */
function scan(format, text) {
  const line = new LogLine(NOW);
  const bytes = Buffer.from(text);
  const kind = formatNamed(format)?.scan(bytes, 0, bytes.length, line);
  const part = (/** @type {number} */ start, /** @type {number} */ end) => bytes.toString('utf8', start, end);
  return {
    kind: Object.keys(LINE)[kind ?? 0],
    method: part(line.methodStart, line.methodEnd),
    target: part(line.targetStart, line.targetEnd),
    user: part(line.userStart, line.userEnd),
    peer: part(line.peerStart, line.peerEnd),
    time: line.minute < 0 ? '' : new Date(line.time).toISOString(),
    status: line.status,
    micros: line.micros,
    size: line.size,
    isReplicator: line.isReplicator,
    evidence: line.evidence,
  };
}

const HEAD = '[notice] 2026-11-21T02:45:19.111722Z couchdb@127.0.0.1 <0.169.3> 28f101ecdf';

test.each([
  [
    'couchdb',
    `${HEAD} shop:5984 10.0.0.7 Ann Bee GET /shop 200 ok 12`,
    { kind: 'REQUEST', user: 'Ann Bee', target: '/shop', time: '2026-11-21T02:45:19.111Z' },
  ],
  [
    'couchdb',
    `${HEAD} shop:5984 10.0.0.7 ann GET /shop 500 aborted 12`,
    { kind: 'REQUEST', status: 500, micros: 12_000 },
  ],
  ['couchdb', `${HEAD} undefined 10.0.0.7 undefined HEAD / 200 ok 0`, { kind: 'REQUEST', method: 'HEAD', target: '/' }],
  ['couchdb', `${HEAD} shop:5984 10.0.0.7 ann GET /shop 200 ok`, { kind: 'MALFORMED' }],
  ['couchdb', `${HEAD.replace('3>', '3')} shop:5984 10.0.0.7 ann GET /shop 200 ok 12`, { kind: 'MALFORMED' }],
  [
    'couchdb',
    `${HEAD} Index update finished for db:  shop idx: _design/a`.replace('28f101ecdf', '--------'),
    { kind: 'OTHER', evidence: undefined },
  ],
  // The number behind the user agent counts requests: it is no time.
  [
    'combined',
    '10.0.0.7 - - [21/Nov/2026:02:45:19 +0000] "GET /shop HTTP/1.1" 200 5 "-" "node" 141 "couchdb@docker" "http://172.18.0.3:5984" 12ms',
    { kind: 'MALFORMED' },
  ],
  [
    'haproxy',
    '10.0.0.7:1 [21/Nov/2026:02:45:19.655] couch couch/db1 0/0/1/11/12 2000 268 - - ---- 1/1/1/1/0 0/0 "GET /shop HTTP/1.1"',
    { kind: 'MALFORMED' },
  ],
  ['couchdb', `${HEAD} shop:5984 10.0.0.7 ann GET /sh`, { kind: 'MALFORMED' }],
  [
    'couchdb',
    `${HEAD} shop:5984 10.0.0.7 ann GET /sh${HEAD} shop:5984 10.0.0.7 ann GET /shop 200 ok 12`,
    { kind: 'MALFORMED' },
  ],
  ['couchdb', `${HEAD} shop:5984 10.0.0.7 ann get /shop 200 ok 12`, { kind: 'OTHER' }],
  ['couchdb', '[notice] 2026-13-41T02:45:19.111722Z n <0.1.0> a b c d GET / 200 ok 1', { kind: 'MALFORMED' }],
  ['couchdb', '[notice] 2026-11-21T02:45', { kind: 'MALFORMED' }],
  [
    'couchdb',
    '[error] 2026-11-21T02:45:19.111722Z n <0.1.0> -------- OS Process died with status: 1',
    { kind: 'QUERY_SERVER', evidence: { failure: 'exit' } },
  ],
  [
    'couchdb',
    '[error] 2026-11-21T02:45:19.111722Z n <0.1.0> -------- OS Process Error <0.2.0> :: {os_process_error,{exit_status,139}}',
    { kind: 'QUERY_SERVER', evidence: { failure: 'exit' } },
  ],
  [
    'couchdb',
    '[info] 2026-11-21T02:45:19.111722Z n <0.1.0> -------- OS Process #Port<0.1> Fatal Error :: x y',
    { kind: 'QUERY_SERVER', evidence: { failure: 'error' } },
  ],
  [
    'couchdb',
    '[info] 2026-11-21T02:45:19.111722Z n <0.1.0> -------- Index update finished for db: shop idx: _design/a b',
    { kind: 'INDEX_FINISH', evidence: { index: { pid: '<0.1.0>', database: 'shop', designDoc: '_design/a b' } } },
  ],
  [
    'couchdb',
    '[report] 2026-11-21T02:45:19.111722Z n <0.1.0> abc [mango-stats dbname="shop" nonce="abc" results_returned=x]',
    { kind: 'MALFORMED' },
  ],
  ['couchdb', '[report] 2026-11-21T02:45:19.111722Z n <0.1.0> abc [something-else a=1]', { kind: 'OTHER' }],
  ['couchdb', '  last msg: redacted', { kind: 'OTHER' }],
  ['couchdb', 'Erlang/OTP 26', { kind: 'MALFORMED' }],
  ['couchdb-1x', '[info] [<0.169.3>] 10.0.0.7 - - GET /shop 200', { kind: 'REQUEST', time: '', peer: '10.0.0.7' }],
  ['couchdb-1x', '[Sat, 21 Nov 2026 02:45:19 GMT] [info] [<0.169.3>] 10.0.0.7 - - GET /shop', { kind: 'MALFORMED' }],
  ['couchdb-1x', '[Sat, 21 Nov 2026 02:45:19 GMT] [info] [<0.1', { kind: 'MALFORMED' }],
  [
    'couchdb-syslog',
    '<149>1 2026-11-21T02:45:19Z host couchdb <0.1.0> -------- - Apache CouchDB has started',
    { kind: 'OTHER' },
  ],
  [
    'couchdb-syslog',
    '<149>1 2026-11-21T02:45:19Z host couchdb <0.1.0> -------- - [mango-stats-DB@1234 dbname="shop" nonce="abc" results_returned=1 total_docs_examined=2]',
    { kind: 'FIND_REPORT' },
  ],
  ['couchdb-syslog', '<30>1 2026-11-21T02:45:19Z host cron 17 - - reload', { kind: 'OTHER' }],
  ['couchdb-syslog', '<149>1 2026-11-21T02:45', { kind: 'MALFORMED' }],
  [
    'couchdb-journal',
    'Nov 21 02:45:19 node1 couchdb[812]: couchdb@n <0.1.0> abc h 10.0.0.7 ann GET /shop 200 ok 3',
    { kind: 'REQUEST', time: '2026-11-21T02:45:19.000Z' },
  ],
  [
    'couchdb-journal',
    'Dec  5 02:45:19 node1 couchdb[812]: couchdb@n <0.1.0> abc h 10.0.0.7 ann GET /shop 200 ok 3',
    { kind: 'REQUEST', time: '2025-12-05T02:45:19.000Z' },
  ],
  [
    'couchdb-journal',
    '2026-11-21T03:45:19+0100 node1 couchdb[812]: couchdb@n <0.1.0> abc h 10.0.0.7 ann GET /shop 200 ok 3',
    { kind: 'REQUEST', time: '2026-11-21T02:45:19.000Z' },
  ],
  ['couchdb-journal', 'Nov 21 02:45:19 node1 systemd[1]: Started CouchDB.', { kind: 'OTHER' }],
  ['couchdb-journal', '-- Boot 0123456789abcdef --', { kind: 'OTHER' }],
  [
    'combined',
    '::1 - Ann Bee [x] [21/Nov/2026:02:45:19 -0130] "GET /shop HTTP/1.1" 200 - "-" "CouchDB-Replicator/3.5.0"',
    { kind: 'REQUEST', user: 'Ann Bee [x]', time: '2026-11-21T04:15:19.000Z', size: -1, isReplicator: true },
  ],
  [
    'combined',
    'h - - [21/Nov/2026:02:45:19 +0000] "GET /shop?key=\\"a\\" HTTP/1.1" 200 5 "-" "a \\"b\\" c" 17',
    { kind: 'REQUEST', target: '/shop?key=\\"a\\"', micros: 17 },
  ],
  [
    'combined',
    'h - - [21/Nov/2026:02:45:19 +0000] "GET /shop HTTP/1.1" 200 5 "-" "x" 0.5 more',
    { kind: 'REQUEST', micros: 500_000 },
  ],
  [
    'combined',
    'h - - [21/Nov/2026:02:45:19 +0000] "GET /shop HTTP/1.1" 200 5 "-" "x" more',
    { kind: 'REQUEST', micros: -1 },
  ],
  [
    'combined-seconds',
    'h - - [21/Nov/2026:02:45:19 +0000] "GET /shop HTTP/1.1" 200 5 "-" "x" 3',
    { kind: 'REQUEST', micros: 3_000_000 },
  ],
  [
    'combined-micros',
    'h - - [21/Nov/2026:02:45:19 +0000] "GET /shop HTTP/1.1" 200 5 3',
    { kind: 'REQUEST', micros: 3 },
  ],
  ['combined', 'h - - [21/Nov/2026:02:45:19 +0000] "\\x16\\x03\\x01" 400 150 "-" "-"', { kind: 'OTHER' }],
  ['combined', 'h - - [21/Nov/2026:02:45:19 +0000] "-" 408 0 "-" "-"', { kind: 'OTHER' }],
  ['combined', 'h - - [21/Nov/2026:02:45:19 +0000] "GET /shop HTTP/1.1" 200 5 "-" "x', { kind: 'MALFORMED' }],
  ['combined', 'h - - [21/Nov/2026:02:45:19 +0000] "GET /sho', { kind: 'MALFORMED' }],
  ['combined', 'h - - [31/Feb/2026:02:45:19 +0000] "GET /shop HTTP/1.1" 200 5', { kind: 'MALFORMED' }],
  [
    'combined',
    'h - - [21/Nov/2026:02:45:19 +0000] "GET http://shop.example/shop HTTP/1.1" 200 5',
    { kind: 'REQUEST', target: 'http://shop.example/shop' },
  ],
  [
    'haproxy',
    '10.0.0.7:1 [21/Nov/2026:02:45:19.655] couch couch/db1 0/0/1/11 200 268 - - ---- 1/1/1/1/0 0/0 "GET /shop HTTP/1.1"',
    { kind: 'MALFORMED' },
  ],
  [
    'haproxy',
    '10.0.0.7:1 [21/Nov/2026:02:45:19.655] couch couch/db1 0/0/1/11/-1 200 268 - - ---- 1/1/1/1/0 0/0 "GET /shop HTTP/1.1"',
    { kind: 'REQUEST', micros: -1, peer: '10.0.0.7:1', time: '2026-11-21T02:45:19.655Z' },
  ],
  [
    'haproxy',
    '10.0.0.7:1 [21/Nov/2026:02:45:19.655] couch couch/db1 0/0/1/11/12 200 268 - - ---- 1/1/1/1/0 0/0 "GET /shop',
    { kind: 'MALFORMED' },
  ],
])('%s: %s', (format, text, expected) => {
  expect(scan(format, text)).toMatchObject(expected);
});

test('no two formats read a line as a request', () => {
  for (const [name] of FIXTURES) {
    for (const text of readFileSync(path.join(folder, name), 'utf8').split('\n')) {
      const readers = DETECTED_FORMATS.filter((format) => scan(format.name, text).kind === 'REQUEST');
      expect(readers.length, text).toBeLessThanOrEqual(1);
    }
  }
});

describe.each(LINE_FORMATS)('$name', (format) => {
  const samples = FIXTURES.flatMap(([file]) => readFileSync(path.join(folder, file), 'utf8').split('\n')).filter(
    Boolean,
  );
  const broken = fc
    .tuple(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(fc.nat(), fc.string({ maxLength: 8, unit: 'binary' }), fc.nat(12)), { maxLength: 4 }),
    )
    .map(([text, edits]) =>
      edits.reduce(
        (made, [at, put, drop]) =>
          made.slice(0, at % (made.length + 1)) + put + made.slice((at % (made.length + 1)) + drop),
        text,
      ),
    );

  test('reads broken lines without a throw, and stays inside them', () => {
    fc.assert(
      fc.property(broken, (text) => {
        const clean = Buffer.from(text.replaceAll('\n', ' '));
        const bytes = Buffer.concat([Buffer.from('before\n'), clean, Buffer.from('\nGET /behind 200 ok 1\n')]);
        const line = new LogLine(NOW);
        const end = 7 + clean.length;
        const kind = format.scan(bytes, 7, end, line);
        if (kind !== LINE.REQUEST) return;
        for (const [from, to] of [
          [line.methodStart, line.methodEnd],
          [line.targetStart, line.targetEnd],
          [line.userStart, line.userEnd],
          [line.peerStart, line.peerEnd],
          [line.nonceStart, line.nonceEnd],
        ]) {
          expect(from).toBeLessThanOrEqual(Number(to));
          expect(to).toBeLessThanOrEqual(end);
        }
        expect(line.status).toBeLessThan(1000);
      }),
      { numRuns: 1500 },
    );
  });
});

describe('HAR', () => {
  test.each([
    ['not valid JSON', '{"log": {', 'not valid JSON'],
    ['no entries', '{"log": {}}', 'log.entries'],
    ['a list', '[]', 'log.entries'],
  ])('that is %s is told', (_, text, told) => {
    expect(() => readHar(text, 'a.har')).toThrow(told);
  });

  test('of any content is read without a throw', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), (entries, value) => {
        const made = [
          ...entries,
          { request: { method: 'GET', url: 'http://h/a', headers: value }, response: value, time: value },
        ];
        expect(readHar(JSON.stringify({ log: { entries: made } }), 'a.har').requests).toHaveLength(made.length);
      }),
    );
  });

  test('whose members are what they should not be is read without a throw', () => {
    const odd = { toString: false };
    const entry = {
      startedDateTime: [odd],
      request: { method: 'GET', url: 'http://h/shop', headers: [{ name: odd, value: odd }] },
    };
    expect(readHar(JSON.stringify({ log: { entries: [entry] } }), 'a.har').requests[0]).toMatchObject({
      time: -1,
      isReplicator: false,
    });
  });

  test('counts the keys of a body', () => {
    const request = { method: 'POST', url: 'http://h/shop/_all_docs', postData: { text: '{"keys":["a","b"]}' } };
    expect(readHar(JSON.stringify({ log: { entries: [{ request }] } }), 'a.har').requests[0]).toMatchObject({
      keyCount: 2,
      status: 0,
    });
  });
});
