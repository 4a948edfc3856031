// What rules say of views, checked by counters, sizes and statuses of a real CouchDB. evidence.json of a rule names these tests.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { askServer, comesTrue, countersDuring } from '../helpers/live-server.js';

const READS = 'couchdb.database_reads';
const orders = Array.from({ length: 1000 }, (_, at) => ({
  _id: `order-${String(at).padStart(5, '0')}`,
  type: 'order',
  number: at,
  customer: `customer-${at % 10}`,
  link: `order-${String((at * 7) % 1000).padStart(5, '0')}`,
  total: at % 97,
  note: 'x'.repeat(200),
}));

describe.skipIf(!COUCHDB_URL)('views of a real CouchDB', { timeout: 120_000 }, () => {
  const database = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
  /** @param {string} path @param {string} [method] @param {unknown} [body] */
  const ask = (path, method = 'GET', body = undefined) => database.ask(method, path, body);
  /** @param {string} name @param {object} views @param {object} [more] */
  const save = (name, views, more = {}) => ask(`/_design/${name}`, 'PUT', { views, ...more });
  /** @param {string} name */
  const infoOf = async (name) => (await ask(`/_design/${name}/_info`)).answer.view_index;

  beforeAll(async () => {
    await ask('?q=2', 'PUT');
    await ask('/_bulk_docs', 'POST', { docs: orders });
    await save('plain', { all: { map: 'function (doc) { emit(doc.number, null); }' } });
    await save('copy', { all: { map: 'function (doc) { emit(doc.number, doc); }' } });
    await save('fields', { all: { map: 'function (doc) { emit(doc.number, { total: doc.total }); }' } });
    await save('linked', { all: { map: 'function (doc) { emit(doc.number, { _id: doc.link }); }' } });
    for (const name of ['plain', 'copy', 'fields', 'linked']) await ask(`/_design/${name}/_view/all?limit=1`);
  });
  afterAll(() => database.drop());

  test('a map that reads a name which is declared nowhere emits nothing, a reduce gives null, with status 200', async () => {
    await save('names', {
      misspelt: { map: 'function (doc) { emti(doc.number, 1); }' },
      traced: { map: 'function (doc) { console.log(doc._id); emit(doc.number, 1); }' },
      quiet: { map: 'function (doc) { if (typeof console !== "undefined") console.log(1); emit(doc.number, 1); }' },
      reduced: { map: 'function (doc) { emit(doc.number, 1); }', reduce: 'function (k, v) { return total(v); }' },
    });
    const answers = await Promise.all(
      ['misspelt', 'traced', 'quiet', 'reduced'].map((view) => ask(`/_design/names/_view/${view}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [misspelt, traced, quiet, reduced] = answers.map(({ answer }) => answer.rows);
    expect([misspelt, traced, quiet.length, reduced]).toEqual([[], [], 1000, [{ key: null, value: null }]]);
  });

  test('a map that returns or throws before `emit` gives an empty view, with status 200', async () => {
    await save('silent', {
      returns: { map: 'function (doc) { return [doc.number, 1]; }' },
      throws: { map: 'function (doc) { throw { forbidden: "no" }; emit(doc.number, 1); }' },
    });
    const answers = await Promise.all(['returns', 'throws'].map((view) => ask(`/_design/silent/_view/${view}`)));
    expect(answers.map(({ status, answer }) => [status, answer.rows])).toEqual([
      [200, []],
      [200, []],
    ]);
  });

  test.each([
    ['plain', '', 0],
    ['copy', '', 0],
    ['plain', '&include_docs=true', 1],
    ['copy', '&include_docs=true', 2],
    ['linked', '&include_docs=true', 2],
  ])(
    'rows read no document without `include_docs`, one with it, and two if the value is a document or a link: %s%s %i',
    async (name, more, each) => {
      const grown = await countersDuring(() => ask(`/_design/${name}/_view/all?limit=100${more}`));
      // Each shard reads for a few rows more than the answer needs.
      expect(grown(READS)).toBeGreaterThanOrEqual(each * 100);
      expect(grown(READS)).toBeLessThanOrEqual(each * 140 + 30);
    },
  );

  test('an index of whole documents is more than 3 times as large as one of null', async () => {
    const [copy, fields, plain] = await Promise.all(['copy', 'fields', 'plain'].map(infoOf));
    expect(copy.sizes.active / plain.sizes.active).toBeGreaterThan(3);
    expect(fields.sizes.active).toBeGreaterThan(plain.sizes.active);
    expect(fields.sizes.active).toBeLessThan(copy.sizes.active / 2);
  });

  test('rows that are skipped are read with their documents', async () => {
    const skipped = await countersDuring(() => ask('/_design/plain/_view/all?skip=300&limit=5&include_docs=true'));
    const keyed = await countersDuring(() => ask('/_design/plain/_view/all?startkey=300&limit=5&include_docs=true'));
    expect(skipped(READS)).toBeGreaterThanOrEqual(305);
    expect(keyed(READS)).toBeLessThanOrEqual(20);
  });

  test('views with the same map text share one B-tree; a space more makes a second one', async () => {
    const map = 'function (doc) { emit(doc.number, doc); }';
    await save('shared', { one: { map }, two: { map, reduce: '_count' } });
    await save('parted', { one: { map }, two: { map: `${map} `, reduce: '_count' } });
    await save('single', { one: { map } });
    for (const name of ['shared', 'parted', 'single']) await ask(`/_design/${name}/_view/one?limit=1`);
    const [shared, parted, single] = await Promise.all(['shared', 'parted', 'single'].map(infoOf));
    expect(shared.sizes.active / single.sizes.active).toBeLessThan(1.2);
    expect(parted.sizes.active / single.sizes.active).toBeGreaterThan(1.8);
  });

  test('a view sorts ids by ICU, `_all_docs` and a view with `raw` collation by bytes', async () => {
    const own = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
    await own.create();
    try {
      const ids = ['10', '9', 'a', 'A', 'ä', 'a-x:1', 'a:1', 'b', 'B', 'x_y', 'z'];
      await own.ask('POST', '/_bulk_docs', { docs: ids.map((_id) => ({ _id })) });
      const map = 'function (doc) { emit(doc._id, null); }';
      await own.ask('PUT', '/_design/v', { views: { icu: { map }, raw: { map, options: { collation: 'raw' } } } });
      const keys = async (/** @type {string} */ path) =>
        (await own.ask('GET', path)).answer.rows.map((/** @type {{id: string}} */ { id }) => id);
      const byBytes = ['10', '9', 'A', 'B', 'a', 'a-x:1', 'a:1', 'b', 'x_y', 'z', 'ä'];
      expect((await keys('/_all_docs')).filter((/** @type {string} */ id) => !id.startsWith('_'))).toEqual(byBytes);
      expect(await keys('/_design/v/_view/raw')).toEqual(byBytes);
      expect(await keys('/_design/v/_view/icu')).toEqual(ids);
    } finally {
      await own.drop();
    }
  });

  test('unknown query parameters are ignored', async () => {
    for (const query of [
      'startKey=990',
      'Limit=1',
      'includeDocs=true',
      'group-level=1',
      'DESCENDING=true',
      'limits=1',
    ]) {
      const { status, answer } = await ask(`/_design/plain/_view/all?${query}`);
      expect([query, status, answer.rows.length, answer.rows[0].key, answer.rows[0].doc]).toEqual([
        query,
        200,
        1000,
        0,
        undefined,
      ]);
      expect((await ask(`/_all_docs?${query}`)).answer.rows.length).toBeGreaterThanOrEqual(1000);
    }
    expect((await ask('/_design/plain/_view/all?start_key=990')).answer.rows).toHaveLength(10);
  });

  test('`include_docs` of a view with a reduce is refused with 400 unless `reduce=false`', async () => {
    await save('sums', { all: { map: 'function (doc) { emit(doc.number, doc.total); }', reduce: '_sum' } });
    const { status, answer } = await ask('/_design/sums/_view/all?include_docs=true');
    expect([status, answer.reason]).toEqual([400, '`include_docs` is invalid for reduce']);
    expect((await ask('/_design/sums/_view/all?include_docs=true&reduce=false&limit=1')).status).toBe(200);
    // In the address it holds against the body, and not against a list of queries.
    expect((await ask('/_design/sums/_view/all?reduce=false', 'POST', { reduce: true })).answer.rows).toHaveLength(
      1000,
    );
    const path = '/_design/sums/_view/all/queries?reduce=false';
    const several = await ask(path, 'POST', { queries: [{ reduce: true }, {}] });
    expect(several.answer.results.map((/** @type {any} */ one) => one.rows.length)).toEqual([1, 1000]);
  });

  test('a temporary view answers 410', async () => {
    const { status } = await ask('/_temp_view', 'POST', { map: 'function (doc) { emit(null, null); }' });
    expect(status).toBe(410);
  });

  test('`stale=ok` answers without a build, `stale=update_after` builds after the answer', async () => {
    for (const query of ['stale=ok', 'update=false']) {
      const name = `stale-${query.length}`;
      await save(name, { all: { map: `function (doc) { emit(doc.number, '${name}'); }` } }, { autoupdate: false });
      expect((await ask(`/_design/${name}/_view/all?${query}`)).answer.rows).toEqual([]);
    }
    // `stale=update_after` answers first, too, and builds afterwards.
    await save('lazy', { all: { map: "function (doc) { emit(doc.number, 'lazy'); }" } }, { autoupdate: false });
    expect((await ask('/_design/lazy/_view/all?stale=update_after')).answer.rows).toEqual([]);
    const isBuilt = () => infoOf('lazy').then((info) => info.updates_pending.total === 0);
    expect(await comesTrue(isBuilt)).toBe(true);
  });

  test('only `autoupdate: false`, or false for views, stops background builds', async () => {
    const map = (/** @type {string} */ name) => `function (doc) { emit(doc.number, '${name}'); }`;
    /** @type {[string, unknown][]} */
    const variants = [
      ['off', false],
      ['off-views', { views: false }],
      ['text', 'false'],
      ['unset', undefined],
    ];
    for (const [name, autoupdate] of variants) await save(name, { all: { map: map(name) } }, { autoupdate });
    await ask('/one-more', 'PUT', { number: 1 });
    const pendingOf = async (/** @type {string} */ name) => (await infoOf(name)).updates_pending.total;
    for (const name of ['text', 'unset']) {
      expect([name, await comesTrue(async () => (await pendingOf(name)) === 0, 100)]).toEqual([name, true]);
    }
    for (const name of ['off', 'off-views']) expect([name, await pendingOf(name)]).not.toEqual([name, 0]);
  });

  test('a map that throws loses the rows it had emitted for the document, with status 200', async () => {
    const map = "function (doc) { emit('first', null); emit(doc.missing.member, null); }";
    await save('throws', { all: { map } });
    expect((await ask('/_design/throws/_view/all')).answer.rows).toEqual([]);
  });

  test('a map loads modules below `views.lib` only, and a reduce none, with status 200', async () => {
    const lib = { dates: 'exports.day = function () { return 1; };' };
    const views = {
      lib,
      inside: { map: "function (doc) { emit(require('views/lib/dates').day(), null); }" },
      outside: { map: "function (doc) { emit(require('lib/dates').day(), null); }" },
      reduced: {
        map: 'function (doc) { emit(null, 1); }',
        reduce: "function (keys, values) { return require('views/lib/dates').day(); }",
      },
    };
    await save('modules', views, { lib });
    expect((await ask('/_design/modules/_view/inside?limit=1')).answer.rows[0].key).toBe(1);
    const outside = await ask('/_design/modules/_view/outside');
    expect([outside.status, outside.answer.rows]).toEqual([200, []]);
    expect((await ask('/_design/modules/_view/reduced')).answer.rows).toEqual([{ key: null, value: null }]);
  });

  test('documents are frozen for maps, not for filters: assignments do nothing, methods that change arrays throw', async () => {
    await ask('/tagged', 'PUT', { tags: ['b', 'a'] });
    const only = (/** @type {string} */ body) => `function (doc) { if (doc.tags) { ${body} } }`;
    await save('frozen', {
      assigned: { map: only("doc.tags = 'new'; doc.more = 1; emit(doc.tags, doc.more);") },
      sorted: { map: only("emit('before', null); doc.tags.sort(); emit('behind', null);") },
      copied: { map: only('emit(doc.tags.slice().sort(), null);') },
    });
    const rows = async (/** @type {string} */ view) => (await ask(`/_design/frozen/_view/${view}`)).answer.rows;
    expect(await rows('assigned')).toMatchObject([{ key: ['b', 'a'], value: null }]);
    expect(await rows('sorted')).toEqual([]);
    expect(await rows('copied')).toMatchObject([{ key: ['a', 'b'] }]);
    // Filters may change what they are given: the feed has the document.
    const filters = { changes: 'function (doc) { if (doc.tags) doc.tags.sort(); doc.x = 1; return doc.x === 1; }' };
    await ask('/_design/filters', 'PUT', { filters });
    expect((await ask('/_changes?filter=filters/changes&doc_ids=["tagged"]')).status).toBe(200);
    expect((await ask('/_changes?filter=filters/changes')).answer.results.length).toBeGreaterThan(1000);
  });

  test('a global variable of a map keeps its value from one document to the next', async () => {
    const map = 'function (doc) { seen = typeof seen === "undefined" ? 1 : seen + 1; emit(seen, null); }';
    await save('globals', { all: { map } });
    const { answer } = await ask('/_design/globals/_view/all?descending=true&limit=1');
    expect(answer.rows[0].key).toBeGreaterThan(100);
  });

  test('a query waits until the index has every change', async () => {
    await save('waits', { all: { map: "function (doc) { emit(doc.number, 'waits'); }" } }, { autoupdate: false });
    expect((await ask('/_design/waits/_view/all?limit=0')).answer.total_rows).toBeGreaterThanOrEqual(1000);
    expect((await infoOf('waits')).updates_pending.total).toBe(0);
  });

  test('a changed document whose rows stay the same writes no row; rows with another value are written again', async () => {
    const own = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
    await own.create();
    try {
      const words = Array.from({ length: 400 }, (_, at) => `word-${at}`);
      const docs = Array.from({ length: 50 }, (_, at) => ({ _id: `page-${at}`, words }));
      await own.ask('POST', '/_bulk_docs', { docs });
      const each = (/** @type {string} */ value) =>
        `function (doc) { doc.words.forEach(function (word) { emit(word, ${value}); }); }`;
      /** @param {string} name @param {string} value */
      const grownBy = async (name, value) => {
        await own.ask('PUT', `/_design/${name}`, { views: { words: { map: each(value) } } });
        await own.ask('GET', `/_design/${name}/_view/words?limit=1`);
        const fileOf = async () => (await own.ask('GET', `/_design/${name}/_info`)).answer.view_index.sizes.file;
        const before = await fileOf();
        const { answer } = await own.ask('GET', '/page-1');
        await own.ask('PUT', '/page-1', { ...answer, title: name });
        await own.ask('GET', `/_design/${name}/_view/words?limit=1`);
        return (await fileOf()) - before;
      };
      // A header takes the next block of 4,096 bytes.
      expect(await grownBy('same', 'null')).toBeLessThanOrEqual(2 * 4096);
      expect(await grownBy('changed', 'doc.title || null')).toBeGreaterThan(40_000);
    } finally {
      await own.drop();
    }
  });

  test('compaction of a database leaves its indexes alone; that of an index makes its file smaller', async () => {
    const own = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
    await own.create();
    try {
      await own.ask('POST', '/_bulk_docs', { docs: orders });
      await own.ask('PUT', '/_design/v', { views: { all: { map: 'function (doc) { emit(doc.number, doc); }' } } });
      const sizes = async () => (await own.ask('GET', '/_design/v/_info')).answer.view_index.sizes;
      for (let round = 0; round < 4; round += 1) {
        const { answer } = await own.ask('GET', '/_all_docs?include_docs=true&limit=1000');
        const docs = answer.rows.map((/** @type {any} */ { doc }) => ({ ...doc, round })).slice(0, 1000);
        await own.ask('POST', '/_bulk_docs', {
          docs: docs.filter((/** @type {any} */ { _id }) => !_id.startsWith('_')),
        });
        await own.ask('GET', '/_design/v/_view/all?limit=1');
      }
      const grown = await sizes();
      expect(grown.file / grown.active).toBeGreaterThan(2);
      await own.ask('POST', '/_compact', {});
      await comesTrue(async () => !(await own.ask('GET', '')).answer.compact_running);
      expect((await sizes()).file).toBeGreaterThanOrEqual(grown.file);
      expect((await own.ask('POST', '/_compact/v', {})).status).toBe(202);
      expect(await comesTrue(async () => (await sizes()).file < grown.file / 2)).toBe(true);
    } finally {
      await own.drop();
    }
  });

  test('`_all_docs` with `include_docs` reads each document', async () => {
    const plain = await countersDuring(() => ask('/_all_docs?limit=200'));
    const whole = await countersDuring(() => ask('/_all_docs?limit=200&include_docs=true'));
    expect(plain(READS)).toBeLessThan(50);
    expect(whole(READS)).toBeGreaterThanOrEqual(200);
  });

  test('a function that never ends is stopped after `os_process_timeout`, and the request answers 500', async () => {
    const own = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
    await own.create();
    try {
      await own.ask('PUT', '/one', {});
      await own.ask('PUT', '/_design/v', {
        views: { endless: { map: 'function (doc) { while (true) {} }' } },
        autoupdate: false,
      });
      const { status, answer } = await own.ask('GET', '/_design/v/_view/endless');
      expect([status >= 500, answer.error]).toEqual([true, expect.stringMatching(/os_process_error|timeout/)]);
    } finally {
      await own.drop();
    }
  });

  test('the counters of the server know reads, query servers and Mango', async () => {
    const { answer } = await askServer('GET', '/_node/_local/_stats');
    expect(answer.couchdb).toHaveProperty('database_reads');
  });
});
