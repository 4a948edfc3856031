// What rules say of reduces, checked on a real CouchDB: limits, failures of built-ins, rereduce, calls of query servers.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareVersions } from '../../lib/shared/version.js';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { countersDuring, MAY_CONFIGURE, serverVersion, withOptions } from '../helpers/live-server.js';

const NUMBER = 'function (doc) { if (typeof doc.n === "number") emit(doc.group, doc.n); }';
const SUM = 'function (keys, values, rereduce) { return sum(values); }';

describe.skipIf(!COUCHDB_URL)('reduces on a real CouchDB', { timeout: 120_000 }, () => {
  const database = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
  let version = '';
  /** @param {Record<string, object>} views @param {object} [more] */
  const save = (views, more = {}) => database.save({ views, ...more });
  /** @param {string} id @param {string} view @param {string} [query] */
  const rowsOf = async (id, view, query = '') => {
    const { status, answer } = await database.ask('GET', `/${id}/_view/${view}${query}`);
    return { status, rows: answer.rows, error: answer.error, reason: answer.reason };
  };
  /** @param {string} map @param {string} reduce @param {object[]} docs */
  const reduced = async (map, reduce, docs) => {
    const own = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
    await own.ask('PUT', '?q=1');
    try {
      await own.ask('POST', '/_bulk_docs', { docs });
      await own.ask('PUT', '/_design/v', { views: { all: { map, reduce }, other: { map: NUMBER } } });
      const answers = await Promise.all(
        ['/all', '/all?reduce=false', '/other'].map((path) => own.ask('GET', `/_design/v/_view${path}`)),
      );
      return answers.map(({ status, answer }) => {
        const [row] = answer.rows ?? [];
        return { status, value: row?.value, error: row?.error };
      });
    } finally {
      await own.drop();
    }
  };

  beforeAll(async () => {
    version = await serverVersion();
    await database.ask('PUT', '?q=2');
    const docs = Array.from({ length: 1000 }, (_, at) => ({ _id: `stock-${at}`, n: at, group: at % 100 }));
    await database.ask('POST', '/_bulk_docs', { docs });
  });
  afterAll(() => database.drop());

  test('a reduce that changes its values spoils the JavaScript reduces of the views before it with the same map, and no others', async () => {
    const changer = 'function (keys, values, rereduce) { if (!rereduce) values[0] = 1e9; return values.length; }';
    const first = { map: NUMBER, reduce: SUM };
    const builtin = { map: NUMBER, reduce: '_sum' };
    const other = { map: `${NUMBER} `, reduce: SUM };
    const { id } = await save({ zero: first, changer: { map: NUMBER, reduce: changer }, after: first, builtin, other });
    const values = await Promise.all(
      ['zero', 'after', 'builtin', 'other'].map(async (view) => (await rowsOf(id, view)).rows[0].value),
    );
    expect(values[0]).toBeGreaterThanOrEqual(1e9);
    expect(values.slice(1)).toEqual([499_500, 499_500, 499_500]);
  });

  test('`_last` and `_first` answer what a reduce picks by the last element of the key, where no two rows of a group have the same', async ({
    skip,
  }) => {
    if (compareVersions(version, '3.5') < 0) skip();
    const map = 'function (doc) { emit([doc.group % 7, doc.n], { n: doc.n, group: doc.group }); }';
    const picking = (/** @type {string} */ sign) =>
      `function (keys, values) { var best = values[0]; values.forEach(function (v) { if (v.n ${sign} best.n) best = v; }); return best; }`;
    const views = {
      latest: { map, reduce: picking('>') },
      last: { map, reduce: '_last' },
      earliest: { map, reduce: picking('<') },
      first: { map, reduce: '_first' },
    };
    const { id } = await save(views);
    const query = '?group_level=1';
    for (const range of ['', '&descending=true', '&startkey=[2,300]&endkey=[5,700]']) {
      const rows = [];
      for (const view of Object.keys(views)) rows.push((await rowsOf(id, view, query + range)).rows);
      const [latest, last, earliest, first] = rows;
      expect(latest.length).toBeGreaterThan(3);
      expect(last).toEqual(latest);
      expect(first).toEqual(earliest);
    }
  });

  test('what a reduce emits is in no answer', async () => {
    const reduce =
      'function (keys, values, rereduce) { emit("lost", 1); return rereduce ? sum(values) : values.length; }';
    const { id } = await save({ counted: { map: NUMBER, reduce }, other: { map: `${NUMBER} ` } });
    const all = await rowsOf(id, 'counted');
    expect(all.rows).toEqual([{ key: null, value: 1000 }]);
    const groups = await rowsOf(id, 'counted', '?group=true');
    expect(groups.rows).toEqual(Array.from({ length: 100 }, (_, key) => ({ key, value: 10 })));
    for (const view of ['counted', 'other']) {
      const rows = await rowsOf(id, view, view === 'counted' ? '?reduce=false' : '');
      expect(rows.rows).toHaveLength(1000);
      expect(rows.rows.filter((/** @type {{key: unknown}} */ { key }) => key === 'lost')).toEqual([]);
    }
  });

  test.each([
    ['doc.price * doc.count', null],
    ['parseInt(doc.count)', null],
    ['Number(doc.count)', null],
    ['Math.round(doc.count)', null],
  ])(
    'a value that is NaN is null in its row: `_sum` returns an error object, `_stats` 500 for every view of the design document: %s',
    async (value, row) => {
      const map = `function (doc) { emit(doc._id, ${value}); }`;
      const [total, rows, other] = await reduced(map, '_sum', [{ price: 2 }]);
      expect([total?.status, total?.value.error]).toEqual([200, 'builtin_reduce_error']);
      expect([rows?.value, other?.status]).toEqual([row, 200]);
      const answers = await reduced(map, '_stats', [{ price: 2 }]);
      expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
    },
  );

  test('a query of 100 groups on 2 shards calls a JavaScript reduce 200 times, a built-in never', async () => {
    const { id } = await save({ custom: { map: NUMBER, reduce: SUM }, builtin: { map: NUMBER, reduce: '_sum' } });
    await rowsOf(id, 'custom');
    await rowsOf(id, 'builtin');
    const custom = await countersDuring(() => rowsOf(id, 'custom', '?group=true'));
    const builtin = await countersDuring(() => rowsOf(id, 'builtin', '?group=true'));
    expect(custom('couchdb.query_server.calls.reduce')).toBeGreaterThanOrEqual(200);
    expect(custom('couchdb.query_server.calls.reset')).toBeGreaterThanOrEqual(200);
    expect(builtin('couchdb.query_server.calls.reduce')).toBe(0);
  });

  test('`_sum` adds objects name by name, at each depth, and fails for a name `error`', async () => {
    const map = 'function (doc) { emit(doc.group, doc.value); }';
    const sums = async (/** @type {unknown[]} */ ...values) => {
      const docs = values.map((value, at) => ({ _id: `o-${at}`, group: 1, value }));
      return (await reduced(map, '_sum', docs))[0];
    };
    const deep = [{ open: { orders: 1, total: 2.5 } }, { open: { orders: 1, total: 1 }, sent: { orders: 1 } }];
    expect(await sums(...deep)).toMatchObject({
      status: 200,
      value: { open: { orders: 2, total: 3.5 }, sent: { orders: 1 } },
    });
    expect((await sums({ open: 1, error: 0 }, { open: 0, error: 1 }))?.status).toBe(500);
    expect((await sums({ all: { error: 0 } }, { all: { error: 1 } }))?.status).toBe(500);
  });

  test('the coordinator rereduces even one row of one shard', async () => {
    const rereduced = 'function (keys, values, rereduce) { return rereduce ? "second pass" : 1; }';
    const [whole] = await reduced(NUMBER, rereduced, [{ _id: 'stock-1', n: 1, group: 1 }]);
    expect(whole).toEqual({ status: 200, value: 'second pass' });
  });

  test('`return values.length` over 50 rows of one shard answers 1', async () => {
    const docs = Array.from({ length: 50 }, (_, at) => ({ n: at, group: 1 }));
    const [whole] = await reduced(NUMBER, 'function (keys, values) { return values.length; }', docs);
    expect(whole?.value).toBe(1);
  });

  test('a result that does not shrink answers `reduce_overflow_error` above 4,096 characters up to 3.5.0', async () => {
    const text = (/** @type {number} */ length) =>
      `function (keys, values) { return new Array(${length} - 1).join('x'); }`;
    const docs = [{ n: 1, group: 1 }];
    const [below] = await reduced(NUMBER, text(4080), docs);
    expect([below?.status, typeof below?.value]).toEqual([200, 'string']);
    const [above] = await reduced(NUMBER, text(5100), docs);
    expect(above).toMatchObject({ status: 200, error: 'reduce_overflow_error' });
    const [between] = await reduced(NUMBER, text(4200), docs);
    const isOldLimit = compareVersions(version, '3.5.1') < 0;
    expect(between?.error).toBe(isOldLimit ? 'reduce_overflow_error' : undefined);
  });

  test('`reduce_limit` counts the characters of a result and not its bytes', async () => {
    // Three bytes each in UTF-8: 9,000 bytes.
    const euros = "function (keys, values) { return new Array(3001).join('\u20ac'); }";
    const [whole] = await reduced(NUMBER, euros, [{ n: 1, group: 1 }]);
    expect([whole?.status, whole?.value?.length]).toEqual([200, 3000]);
  });

  test.each([
    ['null', 'null'],
    ['a string', "'one'"],
    ['a boolean', 'true'],
    ['NaN', 'Number.NaN'],
  ])('`_sum` over a value that is no number answers 200 with an error in the row: %s', async (_, value) => {
    const [whole, rows, other] = await reduced(`function (doc) { emit(doc.group, ${value}); }`, '_sum', [
      { n: 1, group: 1 },
      { n: 2, group: 2 },
    ]);
    expect(whole).toMatchObject({ status: 200, value: { error: 'builtin_reduce_error' } });
    expect([rows?.status, other?.status]).toEqual([200, 200]);
  });

  test.each([
    ['an object behind a number, in one order or the other', ['1', '{ a: 1 }'], ['{ a: 1 }', '1']],
    [
      'an object with a member `error`',
      ['{ error: 1, a: 1 }', '{ error: 1, a: 1 }'],
      ['{ error: 1, a: 1 }', '{ error: 1, a: 1 }'],
    ],
  ])(
    '`_sum` over a number beside an object, or an object with a member `error`, answers 500 for every view of the design document: %s',
    async (_, ...orders) => {
      const answers = [];
      for (const [first, second] of orders) {
        const map = `function (doc) { emit(doc.group, doc.n === 1 ? ${first} : ${second}); }`;
        answers.push(
          await reduced(map, '_sum', [
            { n: 1, group: 1 },
            { n: 2, group: 2 },
          ]),
        );
      }
      expect(answers.some((three) => three.every(({ status }) => status === 500))).toBe(true);
    },
  );

  test.each([
    ['null', 'null'],
    ['a string', "'one'"],
    ['a boolean', 'true'],
    ['a short object', '{ min: 1, max: 2 }'],
    ['arrays of unequal length', 'doc.n === 1 ? [1] : [1, 2]'],
  ])(
    '`_stats` over other values answers 500 for every view of the design document, also with `reduce=false`: %s',
    async (_, value) => {
      const map = `function (doc) { emit(doc.group, ${value}); }`;
      const three = await reduced(map, '_stats', [
        { n: 1, group: 1 },
        { n: 2, group: 2 },
      ]);
      expect(three.map(({ status }) => status)).toEqual([500, 500, 500]);
    },
  );

  test('a JavaScript reduce in a partitioned design document is saved, and every query of its views answers 500 `invalid_ejson`', async () => {
    const own = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
    await own.ask('PUT', '?partitioned=true');
    try {
      await own.ask('POST', '/_bulk_docs', {
        docs: [
          { _id: 'berlin:1', n: 1, group: 1 },
          { _id: 'bonn:1', n: 2, group: 2 },
        ],
      });
      const views = { custom: { map: NUMBER, reduce: SUM }, builtin: { map: NUMBER, reduce: '_sum' } };
      expect((await own.ask('PUT', '/_design/v', { views })).status).toBe(201);
      for (const path of ['custom', 'custom?reduce=false', 'builtin']) {
        const { status, answer } = await own.ask('GET', `/_partition/berlin/_design/v/_view/${path}`);
        expect([path, status, /invalid_ejson/.test(answer.error)]).toEqual([path, 500, true]);
      }
      await own.ask('PUT', '/_design/whole', { views, options: { partitioned: false } });
      expect((await own.ask('GET', '/_design/whole/_view/custom')).answer.rows[0].value).toBe(3);
    } finally {
      await own.drop();
    }
  });

  test('a reduce that collects distinct values works with 5 of them, and answers `reduce_overflow_error` with 2,000', async () => {
    const distinct = `function (keys, values, rereduce) {
      var seen = {};
      values.forEach(function (value) {
        if (rereduce) Object.keys(value).forEach(function (key) { seen[key] = 1; });
        else seen['page-number-' + value] = 1;
      });
      return seen;
    }`;
    const docs = (/** @type {number} */ kinds) =>
      Array.from({ length: 2000 }, (_, at) => ({ n: at % kinds, group: at }));
    const [few] = await reduced(NUMBER, distinct, docs(5));
    expect(few?.status).toBe(200);
    expect(Object.keys(/** @type {object} */ (few?.value))).toHaveLength(5);
    const [many] = await reduced(NUMBER, distinct, docs(2000));
    expect(many).toMatchObject({ status: 200, error: 'reduce_overflow_error' });
  });

  test.skipIf(!MAY_CONFIGURE)(
    '`reduce_limit = false` lets results grow; `log` does so from 3.5.1 on, and is an error from 3.2 to 3.5.0',
    async () => {
      const long = "function (keys, values) { return new Array(9000).join('x'); }";
      const valueWith = (/** @type {string} */ limit) =>
        withOptions([['query_server_config', 'reduce_limit', limit]], async () => {
          const [whole] = await reduced(NUMBER, long, [{ n: 1, group: 1 }]);
          return whole?.status === 200 && typeof whole.value === 'string';
        });
      expect(await valueWith('true')).toBe(false);
      expect(await valueWith('false')).toBe(true);
      const passes = await valueWith('log');
      expect(passes).toBe(compareVersions(version, '3.5.1') >= 0 || compareVersions(version, '3.2') < 0);
    },
  );
});
