// `couch-advisor profile`, from the command line to its files.

import { describe, expect, test } from 'vitest';
import { isLong } from '../helpers/long.js';
import { createProject } from '../helpers/temporary-project.js';

const MAP = `function (doc) {
  if (doc.type !== 'order') return;
  doc.lines.forEach(function (line) {
    emit(doc.customer, line.price * line.count);
  });
}`;
const ddoc = {
  _id: '_design/orders',
  views: {
    by_customer: { map: MAP, reduce: 'function (keys, values) { return sum(values); }' },
    by_id: { map: 'function (doc) { emit(doc._id, null); }', reduce: '_count' },
  },
};
const docs = Array.from({ length: 40 }, (_, at) =>
  JSON.stringify({
    _id: `order-${at}`,
    type: at % 4 === 0 ? 'stock' : 'order',
    customer: `c${at % 3}`,
    lines: [{ price: 2, count: at }],
  }),
).join('\n');

const shop = () => createProject({ 'ddocs/orders.json': ddoc, 'orders.jsonl': docs });
const QUICK = ['--budget', '1'];

describe('profile', () => {
  test('prints where the time goes, the functions and the lines', async () => {
    const { run } = shop();
    const { stdout, stderr, exitCode } = await run(['profile', 'ddocs', '--docs', 'orders.jsonl', ...QUICK]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toContain('orders/by_customer (40 documents)\n');
    expect(stdout).toMatch(
      /orders\/by_customer map, ddocs\/orders\.json:\d+\n[\s\S]*?40 calls, [\d.]+ k?B of JSON in, 30 rows of /,
    );
    expect(stdout).toMatch(/read the document \(JSON\.parse\) +[\d.]+ [nµm]?s +(?:< )?[\d.]+ %/);
    expect(stdout).toMatch(/forEach callback, line 3 +30 +150 /);
    // Where the line is broken depends on how wide the figures before it are.
    const code = [...'emit(doc.customer, line.price * line.count);'].map((letter) => letter.replace(/[().*]/, '\\$&'));
    expect(stdout).toMatch(new RegExp(`\\n +4 +30 +150 +(?:< )?[\\d.]+ % +${code.join('(?:\\n +)?')}`));
    expect(stdout).toContain('CouchDB recompiles a reduce for each call');
    expect(stdout).toContain('reduce: _count is built in and runs in Erlang');
  });

  test.runIf(isLong)('takes as many documents as --size says, and says how many there are', async () => {
    const { run } = shop();
    const args = ['profile', 'ddocs', '--docs', 'orders.jsonl', '--view', 'orders/by_id', ...QUICK];
    const { stdout, stderr } = await run([...args, '--size', '12']);
    expect(stdout).toContain('orders/by_id (12 documents)\n');
    expect(stderr).toBe('functions are tested on 12 of 40 documents\n');
    expect((await run([...args, '--size', '40'])).stderr).toBe('');
  });

  test.runIf(isLong)('writes stacks, a flame graph and a page', async () => {
    const { run, read } = shop();
    const files = ['--folded', 'out.folded', '--svg', 'out.svg', '--output', 'out.html'];
    const view = ['--view', 'orders/by_customer'];
    const { exitCode } = await run(['profile', 'ddocs', '--docs', 'orders.jsonl', ...view, ...files, ...QUICK]);
    expect(exitCode).toBe(0);
    expect(read('out.folded')).toMatch(/^orders\/by_customer;map;forEach callback;line 4 \d+$/m);
    for (const line of read('out.folded').trimEnd().split('\n')) expect(line).toMatch(/^[^;]+(;[^;]+)* \d+$/);
    expect(read('out.svg')).toMatch(/^<svg xmlns=.*Where the functions of orders\/by_customer spend their time/s);
    const page = read('out.html');
    expect(page).toContain('default-src &#39;none&#39;');
    expect(page).toContain('<b>orders/by_customer map</b>');
    expect(page).toContain('<td class="code">    emit(doc.customer, line.price * line.count);</td>');
    expect(page).not.toContain('<script');
  });

  test.runIf(isLong)('draws the functions of each view in a picture of its own', async () => {
    const { run, read } = shop();
    await run(['profile', 'ddocs', '--docs', 'orders.jsonl', '--svg', 'out.svg', ...QUICK]);
    const [first, second] = [read('out.svg'), read('out-2.svg')];
    expect(first).toContain('Where the functions of orders/by_customer spend their time');
    expect(second).toContain('Where the functions of orders/by_id spend their time');
    expect(first).toMatch(/>orders\/by_customer 100 %<\/text>/);
    expect(first).toMatch(/Not shown is the query server around them: [\d.]+ % of a call of the map/);
    expect(first).not.toMatch(/<rect class="cx-frame2"/);
    expect(first).not.toContain('freeze the document');
  });

  test.runIf(isLong)('gives JSON with the same counts each time', async () => {
    const { run } = shop();
    const counts = async () => {
      const { stdout } = await run(['profile', 'ddocs', '--docs', 'orders.jsonl', '--format', 'json', ...QUICK]);
      const { version, views } = JSON.parse(stdout);
      const [first] = views;
      expect(first.map.engines[0].phases.run.middle).toBeGreaterThan(0);
      return [
        version,
        first.documents,
        first.name,
        first.map.operations,
        first.map.lines.map((/** @type {{times: number}} */ line) => line.times),
      ];
    };
    const once = await counts();
    expect(once).toEqual([1, 40, 'orders/by_customer', 40 * 2 + 30 * 4 + 30 * 5, [40, 30, 30]]);
    expect(await counts()).toEqual(once);
  });

  test.runIf(isLong)('tells of functions that fail, and goes on with the others', async () => {
    const { run } = createProject({
      'shop.json': {
        _id: '_design/shop',
        views: {
          broken: { map: 'function (doc) { emit( }' },
          strict: { map: 'function (doc) { emit(doc.lines[0].sku.\u202elength) }' },
          throwing: {
            map: 'function (doc) { if (doc.type === "stock") throw new Error("\\u001b[31mno\\nway"); emit(1) }',
          },
        },
      },
      'orders.jsonl': docs,
    });
    const { stdout, exitCode } = await run(['profile', 'shop.json', '--docs', 'orders.jsonl', ...QUICK]);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('cannot be profiled: map: Unexpected token');
    expect(stdout).toMatch(/10 calls failed:\n +- order-0: threw Error: ␛\[31mno␊way\n/);
    expect(stdout).toContain('- and 5 more\n');
    expect(stdout).not.toContain('\u202e');
  });
});

test.runIf(isLong)('documents are made up where none are given, the same each time', async () => {
  const { run } = shop();
  const args = ['profile', 'ddocs', '--size', '50', '--format', 'json', ...QUICK];
  const counts = async (/** @type {string} */ seed) => {
    const { stdout, exitCode } = await run([...args, '--seed', seed]);
    expect(exitCode).toBe(0);
    return JSON.parse(stdout).views.map((/** @type {any} */ { documents, map }) => [
      documents,
      map.rows,
      map.operations,
    ]);
  };
  const once = await counts('a');
  expect(once[1]).toEqual([50, 50, 100]);
  expect(once[0][1]).toBeGreaterThan(0);
  expect(await counts('a')).toEqual(once);
});

test('a map for which none can be made is told', async () => {
  const { run } = createProject({
    'shop.json': { _id: '_design/shop', views: { none: { map: 'function (doc) {}' } } },
  });
  const { stdout, exitCode } = await run(['profile', 'shop.json', ...QUICK]);
  expect(exitCode).toBe(3);
  expect(stdout).toMatch(/cannot be profiled: [\s\S]*;\s+add some with --docs/);
});

describe('profile refuses', () => {
  test.each([
    ['a size of nothing', ['ddocs', '--size', '0'], 'invalid --size 0: must be between 1 and 20000', 2],
    ['documents that are not there', ['ddocs', '--docs', 'gone.jsonl'], 'no usable documents', 3],
    ['only design documents', ['ddocs', '--docs', 'ddocs/orders.json'], 'no usable documents', 2],
    [
      'a view that is not there',
      ['ddocs', '--docs', 'orders.jsonl', '--view', 'orders/by_custommer'],
      'did you mean `orders/by_customer`?',
      2,
    ],
    [
      'a budget of nothing',
      ['ddocs', '--docs', 'orders.jsonl', '--budget', '0'],
      'invalid --budget 0: must be between 1 and 3600',
      2,
    ],
    ['a path without design documents', ['orders.jsonl', '--docs', 'orders.jsonl'], 'no ', 3],
    [
      'a page in a folder that is not there',
      ['ddocs', '--docs', 'orders.jsonl', '--view', 'orders/by_id', '--output', 'no/x.html', ...QUICK],
      'cannot write no/x.html (ENOENT)',
      3,
    ],
  ])('%s', async (_, args, told, code) => {
    const { run } = shop();
    const { stderr, exitCode } = await run(['profile', ...args]);
    expect(stderr).toContain(told);
    expect(exitCode).toBe(code);
  });
});

test.runIf(isLong)('the name of a view may be written as in an address', async () => {
  const { run } = shop();
  const args = ['profile', 'ddocs', '--docs', 'orders.jsonl', '--view', '_design/orders/_view/by_id', ...QUICK];
  const { stdout, exitCode } = await run(args);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('orders/by_id');
  expect(stdout).not.toContain('by_customer');
});

test('a view that is itself called like an address is found by its name', async () => {
  const name = '_design/orders/_view/x';
  const document = { _id: `_design/${name}`, views: { [name]: { map: 'function (doc) { emit(doc._id, 1); }' } } };
  const { run } = createProject({ 'x.json': document, 'orders.jsonl': '{"_id":"a"}\n{"_id":"b"}\n' });
  const { stdout, exitCode } = await run([
    'profile',
    'x.json',
    '--docs',
    'orders.jsonl',
    '--view',
    `${name}/${name}`,
    ...QUICK,
  ]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`${name}/${name}`);
});

test('help is short', async () => {
  const { run } = shop();
  const { stdout, exitCode } = await run(['profile', '--help']);
  expect(exitCode).toBe(0);
  expect(stdout.split('\n').length).toBeLessThanOrEqual(50);
  expect(stdout).toContain('only for functions that you trust');
});

test.each([
  [
    'a program that is none',
    `'${process.execPath}' -e 'console.log("Usage: couchjs [FILE]")'`,
    'it returned invalid JSON: Usage',
  ],
  ['one that ends', 'true', 'it exited with code 0'],
  ['one that cannot be started', './no-such-couchjs', './no-such-couchjs'],
])('--query-server with %s is an error at once', async (_, command, message) => {
  const run = await shop().run(['profile', 'ddocs', '--docs', 'orders.jsonl', '--query-server', command]);
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('does not work as a query server: ');
  expect(run.stderr).toContain(message);
  expect(run.stdout).toBe('');
});
