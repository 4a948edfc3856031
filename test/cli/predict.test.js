// `couch-advisor predict` as people run it: what it prints, what it writes, and what it says to input that is odd or broken.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../helpers/long.js';
import { runCli } from '../helpers/run-cli.js';
import { runMain } from '../helpers/run-main.js';
import { scoreDocuments } from '../helpers/storage-model.js';

let folder = '';

/** @param {string} name @param {string | Buffer} content @returns {string} */
function put(name, content) {
  writeFileSync(path.join(folder, name), content);
  return name;
}

/** @param {string[]} args */
const predict = (...args) => runMain(['predict', ...args], { cwd: folder });

/** @param {string[]} args @returns {Promise<any>} */
async function predictJson(...args) {
  const { stdout } = await predict(...args, '--format', 'json');
  return JSON.parse(stdout);
}

/** @param {unknown[]} docs @returns {string} */
const lines = (docs) => docs.map((doc) => `${JSON.stringify(doc)}\n`).join('');

const small = lines(Array.from({ length: 50 }, (_, at) => ({ _id: `order-${at}`, total: at })));

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'couch-advisor-predict-'));
  put('random.jsonl', [...scoreDocuments('random', 20_000)].map(({ json }) => `${json}\n`).join(''));
  put('small.jsonl', small);
  put('package.json', '{"name": "shop"}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('what is printed', () => {
  test.runIf(isLong)('tells sizes, orders, requests and other batches', async () => {
    const { stdout, stderr, exitCode } = await predict(
      '--docs',
      'random.jsonl',
      '--batch',
      '1000',
      '--count',
      '1000000',
    );
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(/^15\.1 MB after the load, 6\.3 MB after compaction; with sequential ids 5\.\d MB\.\n/);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /files random\.jsonl load 20,000 documents, 2\.6 MB of JSON, in 20 requests of 1,000 database 2 shards, CouchDB \d/,
    );
    // 15,077,798 bytes on 3.4.3, and 5,050,790 with ids in order.
    expect(stdout).toMatch(/^ {2}these ids, in this order +15\.1 MB +6\.3 MB +2\.9\d times$/m);
    expect(stdout).toMatch(/^ {2}these ids, sorted +6\.\d MB +6\.\d MB +1\.2\d times$/m);
    expect(stdout).toMatch(/^ {2}sequential ids +5\.\d MB +5\.\d MB$/m);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    // Seen on 3.4.3: compacted during such a load, 7.3 MB some seconds after it.
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'twice the active size. This applies to these ids: after the load, the file size is between the two figures.',
    );
    expect(stdout).toMatch(/^a request writes +75\d\.\d kB: \d+ B-tree nodes, \d+ of which replace older ones$/m);
    expect(stdout).toMatch(/^ {2}1,000 \(this load\) +15\.1 MB +5\.\d MB$/m);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /With 1,000,000 such documents: about 1\.\d GB; with sequential ids 2\d\d\.\d MB/,
    );
  });

  test('as JSON has bytes', async () => {
    const json = await predictJson('small.jsonl', '--batch', '10,25', '--shards', '1');
    expect(json).toMatchObject({
      documents: 50,
      shards: 1,
      batch: 10,
      requests: 5,
      written: 50,
      updates: 0,
      growth: null,
    });
    expect(json.batches.map((/** @type {any} */ row) => row.batch)).toEqual([10, 25]);
    const { file, bodies, idTree, seqTree, headers } = json.file;
    expect(bodies + idTree + seqTree + headers).toBeLessThan(file);
    expect(json.perRequest.bytes).toBeCloseTo(file / 5, 6);
    expect(json.orders.given).toEqual({ file, compacted: json.compacted.file, compactsItself: false });
    expect((await predict('small.jsonl')).stdout).not.toContain('automatically');
  });

  test('goes into a page and a picture, too', async () => {
    const { exitCode } = await predict('small.jsonl', '--svg', 'curve.svg', '--output', 'report.html');
    expect(exitCode).toBe(0);
    const svg = readFileSync(path.join(folder, 'curve.svg'), 'utf8');
    const page = readFileSync(path.join(folder, 'report.html'), 'utf8');
    expect(svg).toMatch(/^<svg[\s\S]*documents per _bulk_docs request[\s\S]*MB[\s\S]*<\/svg>\s*$/);
    expect(page).toContain('couch-advisor predict');
    expect(page).not.toContain('<script');
  });

  test('names no markup and no control characters of file names', async () => {
    put('a<b>&.jsonl', small);
    const { stdout } = await predict('a<b>&.jsonl', '--output', 'report.html');
    expect(stdout).toContain('a<b>&.jsonl');
    expect(readFileSync(path.join(folder, 'report.html'), 'utf8')).toContain('a&lt;b&gt;&amp;.jsonl');
  });
});

describe('a load', () => {
  test('may be packed, and may be several files', async () => {
    put('packed.jsonl.gz', gzipSync(small));
    put('more.jsonl', lines([{ _id: 'kettle' }]));
    expect(await predictJson('packed.jsonl.gz', 'more.jsonl')).toMatchObject({ documents: 51 });
    expect(await predictJson('--docs', 'm*.jsonl')).toMatchObject({ documents: 1 });
  });

  test('of bodies of _bulk_docs has requests of its own, unless a batch is named', async () => {
    const bodies = [3, 2].map((count, body) => ({
      docs: Array.from({ length: count }, (_, at) => ({ _id: `order-${body}-${at}`, total: 1 })),
    }));
    put('bulk.jsonl', lines(bodies));
    expect(await predictJson('bulk.jsonl')).toMatchObject({ batch: null, requests: 2, documents: 5 });
    expect(await predictJson('bulk.jsonl', '--batch', '1')).toMatchObject({ batch: 1, requests: 5 });
    expect((await predict('bulk.jsonl')).stdout).toContain('in its own 2 requests');
  });

  test.runIf(isLong)('may be one body on one line of any length', async () => {
    const docs = Array.from({ length: 4000 }, (_, at) => ({ _id: `order-${at}`, text: 'kettle '.repeat(50) }));
    put('body.json', JSON.stringify({ docs }));
    put('list.json', JSON.stringify(docs, null, 2));
    const [body, list] = [await predictJson('body.json'), await predictJson('list.json', '--batch', '4000')];
    expect(body.documents).toBe(4000);
    expect(body.file).toEqual(list.file);
  });

  test('is predicted alike in any form', async () => {
    put(
      'rows.json',
      JSON.stringify({
        total_rows: 50,
        offset: 0,
        rows: small
          .trim()
          .split('\n')
          .map((line) => ({ id: 'x', doc: JSON.parse(line) })),
      }),
    );
    const [rows, plain] = [await predictJson('rows.json'), await predictJson('small.jsonl')];
    expect(rows.file).toEqual(plain.file);
  });

  test('without ids, with ids twice, with tombstones, attachments and local documents says so', async () => {
    put(
      'odd.jsonl',
      lines([
        { _id: 'kettle', stock: 1 },
        { stock: 3 },
        { _id: 'kettle', stock: 2 },
        { _id: 'pot', _deleted: true },
        { _id: '_local/checkpoint', at: 1 },
        { _id: 'photo', _attachments: { 'a.png': { data: 'aGVsbG8=' } } },
        { _id: 'kettle', stock: 4 },
      ]),
    );
    const { stdout, exitCode } = await predict('odd.jsonl', '--batch', '2');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('note: without `_id`: 1 document;');
    expect(stdout).toContain('note: repeated id: 2 documents, treated as updates');
    expect(stdout).toContain('note: with attachments: 1 document;');
    expect(stdout).toContain('note: skipped: 1 `_local` document');
    expect((await predict('odd.jsonl', '--batch', '10')).stdout).toContain(
      'note: repeated id within a request: 2 documents not written',
    );
  });

  test('of one document, and of a huge one, is told of', async () => {
    put('one.jsonl', lines([{ _id: 'kettle' }]));
    expect((await predict('one.jsonl')).stdout).toContain('note: a single document has no order');
    put('huge.jsonl', lines([{ _id: 'kettle', text: 'x'.repeat(9_000_000) }, { _id: 'pot' }]));
    const { stdout } = await predict('huge.jsonl');
    expect(stdout).toContain('the largest document has 9.0 MB');
  });

  test('with hostile names and ids is predicted', async () => {
    put(
      'hostile.jsonl',
      lines([
        { _id: '__proto__', constructor: { prototype: 1 } },
        { _id: 'x'.repeat(5000) },
        { _id: '\u0000\ud83d\ude00' },
      ]),
    );
    expect(await predictJson('hostile.jsonl')).toMatchObject({ documents: 3 });
  });
});

describe('what cannot be predicted', () => {
  test('is told with its place, and the rest is predicted', async () => {
    put('broken.jsonl', '{"_id":"kettle"}\nbroken\n{"_id":"pot"}\n');
    const { stdout, stderr, exitCode } = await predict('broken.jsonl');
    expect(exitCode).toBe(3);
    expect(stdout).toContain('2 documents');
    expect(stderr).toContain('broken.jsonl:2:1');
  });

  test.each([
    ['no file', [], 'no document files given'],
    ['a file of settings', ['package.json'], 'package.json holds a single object without `_id`, which is not a load'],
    ['no batch', ['small.jsonl', '--batch', '0'], 'invalid --batch `0`'],
    ['a batch that is no number', ['small.jsonl', '--batch', '10,ten'], '`ten`: must be numbers of documents'],
    ['no shard', ['small.jsonl', '--shards', '0'], 'invalid --shards 0: must be between 1 and 256'],
    ['an old version', ['small.jsonl', '--target', '2.3.1'], 'supports CouchDB 3.0 to 3.5, not CouchDB 2.3.1'],
    ['an unknown format', ['small.jsonl', '--format', 'xml'], 'unknown format `xml`'],
  ])('%s ends with 2', async (_, args, message) => {
    const { stdout, stderr, exitCode } = await predict(...args);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
  });

  test('a file that is not there ends with 3', async () => {
    const { stdout, stderr, exitCode } = await predict('nowhere.jsonl');
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 3 });
    expect(stderr).toContain('nowhere.jsonl does not exist');
  });

  test('an empty file ends with 3, rows without documents with 2, each with one error', async () => {
    put('empty.jsonl', '');
    const empty = await predict('empty.jsonl');
    expect(empty.exitCode).toBe(3);
    expect(empty.stderr.match(/error:/g)).toHaveLength(1);
    put('ids.json', JSON.stringify({ rows: [{ id: 'kettle', key: 'kettle', value: { rev: '1-a' } }] }));
    const ids = await predict('ids.json');
    expect(ids.exitCode).toBe(2);
    expect(ids.stderr).toContain('dump them with include_docs=true');
  });
});

test('the help fits on a screen, and the program runs as its users run it', () => {
  const { stdout, exitCode } = runCli(['predict', '--help']);
  expect(exitCode).toBe(0);
  expect(stdout.split('\n').length).toBeLessThanOrEqual(50);
  expect(runCli(['predict', 'small.jsonl'], { cwd: folder }).stdout).toContain('50 documents');
});
