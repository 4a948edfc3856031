import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sampleDocuments } from '../../../lib/sources/loads/sample-documents.js';
import { createProject } from '../../helpers/temporary-project.js';

const ORDERS = [{ _id: 'o-1', total: 20 }, { _id: 'o-2', total: '12.50' }, { _id: 'o-3' }];
const DESIGN = { _id: '_design/orders', views: {} };
const lines = ORDERS.map((order) => JSON.stringify(order)).join('\n');

test.each(
  /** @type {[string, string | Buffer][]} */ ([
    ['orders.jsonl', `${lines}\n`],
    ['orders-windows.jsonl', `\ufeff${lines.replaceAll('\n', '\r\n')}\r\n\r\n`],
    ['with-design.jsonl', `${JSON.stringify(DESIGN)}\n${lines}`],
    ['packed.jsonl.gz', gzipSync(lines)],
    ['backup.txt', `{"name":"couchbackup"}\n${JSON.stringify(ORDERS)}\n`.split('\n').slice(1).join('\n')],
    ['bulk.json', JSON.stringify({ docs: ORDERS }, null, 2)],
    ['bulk.jsonl', `${JSON.stringify({ docs: ORDERS.slice(0, 1) })}\n${JSON.stringify({ docs: ORDERS.slice(1) })}\n`],
    ['array.json', JSON.stringify(ORDERS, null, '\t')],
    [
      'dump.json',
      JSON.stringify({ total_rows: 3, rows: ORDERS.map((doc) => ({ id: doc._id, key: doc._id, doc })) }, null, 1),
    ],
    [
      'dump.json.gz',
      gzipSync(JSON.stringify({ rows: [DESIGN, ...ORDERS].map((doc) => ({ id: doc._id, doc })) }, null, 1)),
    ],
  ]),
)('documents are found in %s', async (name, content) => {
  const { cwd } = createProject({ [name]: content });
  expect(await sampleDocuments([path.join(cwd, name)], 100)).toEqual(ORDERS);
});

test('no more are kept than asked for, and each file has its share', async () => {
  const many = Array.from({ length: 50 }, (_, at) => JSON.stringify({ _id: `a-${at}` })).join('\n');
  const { cwd } = createProject({
    'a.jsonl': many,
    'b.jsonl': many.replaceAll('a-', 'b-'),
    'c.jsonl': '{"_id":"c-0"}',
  });
  const sample = await sampleDocuments(
    ['a', 'b', 'c'].map((name) => path.join(cwd, `${name}.jsonl`)),
    9,
  );
  expect(sample.map(({ _id: id }) => String(id).slice(0, 1)).join('')).toBe('aaabbbc');
});

test('documents are drawn from all of a file, which may be in the order of time, and a period does not matter', async () => {
  const all = Array.from({ length: 5000 }, (_, at) =>
    JSON.stringify({ _id: `order-${at}`, type: at % 10 === 0 ? 'a' : 'b' }),
  );
  const { cwd } = createProject({ 'orders.jsonl': all.join('\n'), 'bulk.json': `{"docs":[${all.join(',\n')}]}` });
  for (const name of ['orders.jsonl', 'bulk.json']) {
    const drawn = await sampleDocuments([path.join(cwd, name)], 500);
    const numbers = drawn.map(({ _id: id }) => Number(String(id).slice('order-'.length)));
    expect(drawn).toHaveLength(500);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    expect(numbers.filter((number) => number >= 2500).length).toBeGreaterThan(200);
    const kinds = drawn.filter(({ type }) => type === 'a').length;
    expect(kinds).toBeGreaterThan(20);
    expect(kinds).toBeLessThan(100);
    // The same ones each time.
    expect(await sampleDocuments([path.join(cwd, name)], 500)).toEqual(drawn);
  }
});

test.each([
  ['a file that is not there', 'none.jsonl', undefined],
  ['rubbish', 'rubbish.json', '\u0000\u0001 no JSON'],
  ['a cut gzip file', 'cut.jsonl.gz', gzipSync(lines).subarray(0, 20)],
  ['scalars', 'scalars.jsonl', '1\n"two"\nnull\n'],
])('%s gives none, and no error', async (_, name, content) => {
  const { cwd } = createProject(content === undefined ? {} : { [name]: content });
  expect(await sampleDocuments([path.join(cwd, name)], 10)).toEqual([]);
});
