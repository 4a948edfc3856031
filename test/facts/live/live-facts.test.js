import { expect, test } from 'vitest';
import { readFiles, UNKNOWN } from '../../helpers/facts-of.js';

/** @import { Subject } from '../../../lib/facts/fact.js' */

const ALL = '/_all_docs?startkey=%22_design%2F%22&endkey=%22_design0%22&include_docs=true';

/**
 * @param {Record<string, unknown>} answers
 * @param {Subject['kind']} kind of the subject, the first of which is asked
 * @param {string} id
 * @param {Record<string, unknown>} [head]
 * @param {string} [version] the target
 * @returns {unknown} the value; of a list those of its items
 */
function factOf(answers, kind, id, head, version = '3.5.0') {
  const recording = {
    'couch-advisor-answers': 1,
    origin: 'http://db:5984',
    ...head,
    answers: { '/': { couchdb: 'Welcome', version: '3.5.0' }, ...answers },
  };
  return readFiles({ 'answers.json': recording }, version).shortFact(kind, id);
}

/** @param {Record<string, unknown>} [info] @returns {Record<string, unknown>} */
function shop(info) {
  return {
    '/shop': {
      doc_count: 900,
      doc_del_count: 100,
      sizes: { file: 9000, active: 2000, external: 18000 },
      cluster: { q: 4, n: 3 },
      ...info,
    },
  };
}

/** @param {Record<string, unknown>[]} documents @returns {Record<string, unknown>} */
function designDocs(...documents) {
  return { [`/shop${ALL}`]: { rows: documents.map((doc) => ({ doc })) } };
}

/** @type {[string, Record<string, unknown>, unknown][]} */
const OF_DATABASE = [
  ['docCount', shop(), 900],
  ['docCount', shop({ doc_count: undefined }), UNKNOWN],
  ['deletedShare', shop(), 0.1],
  ['deletedShare', shop({ doc_count: 0, doc_del_count: 0 }), UNKNOWN],
  ['fileTimesActive', shop(), 4.5],
  ['fileTimesActive', shop({ sizes: { file: 9000, active: 0 } }), UNKNOWN],
  ['shardFileBytes', shop(), 2250],
  ['isCompacting', shop(), UNKNOWN],
  ['isCompacting', shop({ compact_running: true }), true],
  ['copyCount', shop(), 3],
  ['wantedShardCount', shop(), 2],
  ['wantedShardCount', shop({ doc_count: 5_000_000 }), 8],
  ['wantedShardCount', shop({ sizes: { active: 70e9 } }), 8],
  ['wantedShardCount', shop({ sizes: {} }), UNKNOWN],
  ['shardsTimesWanted', shop(), 2],
  ['shardsTimesWanted', shop({ cluster: { q: 1 } }), 0.5],
  ['isPublic', shop(), UNKNOWN],
  ['isPublic', { ...shop(), '/shop/_security': {} }, true],
  ['isPublic', { ...shop(), '/shop/_security': { members: { names: ['anna'] } } }, false],
  ['isPublic', { ...shop(), '/shop/_security': { members: { roles: ['_admin'] } } }, false],
  ['isPublic', { ...shop(), '/shop/_security': { error: 'forbidden' } }, UNKNOWN],
  ['serverNeedsUser', shop(), UNKNOWN],
  ['serverNeedsUser', { ...shop(), '/_node/_local/_config': {} }, false],
  ['serverNeedsUser', { ...shop(), '/_node/_local/_config': { chttpd: { require_valid_user: 'true' } } }, true],
  [
    'serverNeedsUser',
    { ...shop(), '/_node/_local/_config': { couch_httpd_auth: { require_valid_user: 'true' } } },
    false,
  ],
  ['singleViewDesignDocs', shop(), UNKNOWN],
  [
    'singleViewDesignDocs',
    {
      ...shop(),
      ...designDocs(
        { _id: '_design/a', views: { x: { map: 'm' }, lib: {} } },
        { _id: '_design/b', views: { x: { map: 'm' }, y: { map: 'm' } } },
        { _id: '_design/c', language: 'query', views: { x: { map: {} } } },
      ),
    },
    ['_design/a'],
  ],
  [
    'validatingDesignDocs',
    { ...shop(), ...designDocs({ _id: '_design/a', validate_doc_update: 'f' }, { _id: '_design/b' }) },
    ['_design/a'],
  ],
  ['serverDatabaseCount', shop(), UNKNOWN],
  ['serverNodeCount', { ...shop(), '/_membership': { cluster_nodes: ['a', 'b', 'c'] } }, 3],
];

test.each(OF_DATABASE)('database.%s (%#)', (name, answers, expected) => {
  expect(factOf(answers, 'database', `database.${name}`)).toEqual(expected);
});

test('how many databases a server has is known only where they were counted', () => {
  expect(factOf(shop(), 'database', 'database.serverDatabaseCount', { databases: 120 })).toBe(120);
});

const ORDERS = { _id: '_design/orders', views: { by_date: { map: 'function (doc) { emit(doc.date, doc); }' } } };

/** @param {Record<string, unknown>} info @param {Record<string, unknown>} [document] @returns {Record<string, unknown>} */
function indexed(info, document = {}) {
  return { ...shop(), ...designDocs({ ...ORDERS, ...document }), '/shop/_design/orders/_info': { view_index: info } };
}

/** @type {[string, Record<string, unknown>, unknown][]} */
const OF_INDEX = [
  ['fileTimesActive', indexed({ sizes: { file: 300, active: 100 } }), 3],
  ['fileTimesActive', indexed({ disk_size: 300, data_size: 200 }), 1.5],
  ['shardFileBytes', indexed({ sizes: { file: 4000 } }), 1000],
  ['shareOfData', indexed({ sizes: { active: 1000 } }), 0.5],
  ['pendingCount', indexed({ updates_pending: { total: 12 } }), 12],
  ['pendingCount', indexed({}), UNKNOWN],
  ['isUpdating', indexed({ updater_running: true }), true],
  ['isUpdatedAlone', indexed({}), true],
  ['isUpdatedAlone', indexed({}, { autoupdate: false }), false],
  ['isUpdatedAlone', indexed({}, { autoupdate: { views: false } }), false],
  ['isUpdatedAlone', indexed({}, { autoupdate: 'false' }), true],
  ['wholeDocViews', indexed({}), ['by_date']],
  ['wholeDocViews', indexed({}, { views: { by_date: { map: 'function (doc) { emit(doc.date, null); }' } } }), []],
];

test.each(OF_INDEX)('viewindex.%s (%#)', (name, answers, expected) => {
  expect(factOf(answers, 'view-index', `viewindex.${name}`)).toEqual(expected);
});

const NONE = { name: '_all_docs', type: 'special', def: { fields: [{ _id: 'asc' }] } };
const BY_STATUS = { name: 'by_status', type: 'json', def: { fields: [{ status: 'asc' }, { date: 'asc' }] } };

/** @param {unknown} selector @param {Record<string, unknown>} [plan] @returns {Record<string, unknown>} */
function query(selector, plan) {
  return {
    ...shop(),
    [`/shop/_explain ${JSON.stringify({ selector })}`]: { index: NONE, mrargs: { start_key: null }, ...plan },
  };
}

const candidates = [{ index: BY_STATUS, analysis: { usable: false, reasons: [{ name: 'field_mismatch' }] } }];

/** @type {[string, Record<string, unknown>, unknown][]} */
const OF_QUERY = [
  ['readsAllDocs', query({}), true],
  ['readsAllDocs', query({}, { index: BY_STATUS }), false],
  ['indexName', query({}, { index: BY_STATUS }), 'by_status'],
  ['readsWholeIndex', query({}), true],
  ['readsWholeIndex', query({}, { mrargs: { start_key: [] } }), true],
  ['readsWholeIndex', query({}, { mrargs: { start_key: ['open'] } }), false],
  ['readsWholeIndex', query({}, { mrargs: undefined }), UNKNOWN],
  ['namesIds', query({ _id: { $in: ['a'] } }), true],
  ['namesIds', query({ $and: [{ _id: { $in: ['a'] } }] }), true],
  ['namesIds', query({ _id: 'a' }), false],
  ['boundsId', query({ _id: { $gt: 'a' } }), true],
  ['boundsId', query({ _id: { $gt: null } }), false],
  ['boundsId', query({ _id: 'order-1' }), true],
  ['rangelessOperators', query({ status: { $in: [1] } }, { index: BY_STATUS }), ['$in']],
  ['rangelessOperators', query({ status: { $gt: 1 }, date: { $ne: 2 } }, { index: BY_STATUS }), []],
  ['rangelessOperators', query({ $or: [{ status: 1 }, { status: 2 }] }, { index: BY_STATUS }), ['$or']],
  ['rangelessOperators', query({ status: { $not: { $eq: 1 } } }, { index: BY_STATUS }), ['$not']],
  ['narrowlyMissedIndexes', query({ status: 'open' }, { index_candidates: candidates }), ['by_status (status, date)']],
  ['narrowlyMissedIndexes', query({ customer: 'anna' }, { index_candidates: candidates }), []],
  [
    'fields',
    query({ status: 'open', address: { city: 'Bonn' }, $and: [{ total: { $gt: 3 } }] }),
    ['status', 'address.city', 'total'],
  ],
];

test.each(OF_QUERY)('find.%s (%#)', (name, answers, expected) => {
  expect(factOf(answers, 'find-query', `find.${name}`)).toEqual(expected);
});

/** @param {string} version @returns {Record<string, unknown>} */
function version(version) {
  return { '/': { couchdb: 'Welcome', version } };
}

/** @param {number} slow @param {number} fast */
function passwords(slow, fast) {
  const counter = (/** @type {number} */ value) => ({ type: 'counter', value });
  return {
    '/_node/_local/_stats': { couchdb: { password_hashing_slow: counter(slow), password_hashing_fast: counter(fast) } },
  };
}

/** @param {unknown} connected @param {unknown} configured @returns {Record<string, unknown>} */
function members(connected, configured) {
  return { '/_membership': { all_nodes: connected, cluster_nodes: configured } };
}

/** @type {[string, Record<string, unknown>, unknown][]} */
const OF_NODE = [
  ['version', version('3.5.0-dirty'), '3.5.0'],
  ['version', version('main'), UNKNOWN],
  ['severeFaults', version('3.5.0'), []],
  ['severeFaults', version('3.2.2'), []],
  ['severeFaults', version('3.2.1'), ['CVE-2022-24706']],
  [
    'severeFaults',
    version('2.1.0'),
    ['CVE-2017-12635', 'CVE-2017-12636', 'CVE-2018-8007', 'CVE-2018-11769', 'CVE-2018-17188', 'CVE-2022-24706'],
  ],
  ['severeFaults', version('1.7.1'), ['CVE-2018-8007', 'CVE-2018-11769', 'CVE-2018-17188', 'CVE-2022-24706']],
  ['otherFaults', version('3.0.0'), ['CVE-2020-1955', 'CVE-2021-38295', 'CVE-2023-26268', 'CVE-2023-45725']],
  ['otherFaults', version('3.3.1'), ['CVE-2023-26268', 'CVE-2023-45725']],
  ['otherFaults', version('3.3.3'), []],
  ['nodeCount', members(['a', 'b'], ['a', 'b', 'c']), 3],
  ['nodeCount', {}, UNKNOWN],
  ['downNodes', members(['a', 'b'], ['a', 'b', 'c']), ['c']],
  ['downNodes', members(['a', 'b', 'c'], ['a', 'b']), []],
  ['downNodes', members(undefined, ['a']), UNKNOWN],
  ['downNodes', members('a', ['a']), UNKNOWN],
  ['passwordCheckCount', passwords(1, 3), 4],
  ['slowPasswordShare', passwords(1, 3), 0.25],
  ['slowPasswordShare', passwords(0, 0), UNKNOWN],
  ['slowPasswordShare', {}, UNKNOWN],
];

test.each(OF_NODE)('node.%s (%#)', (name, answers, expected) => {
  expect(factOf(answers, 'node', `node.${name}`)).toEqual(expected);
});

/** @param {Record<string, Record<string, string>>} sections @returns {Record<string, unknown>} */
function config(sections) {
  return { '/_node/_local/_config': sections };
}

/** @type {[string, Record<string, unknown>, unknown][]} */
const OF_CONFIG = [
  ['reduceLimit', config({}), 'unset'],
  ['reduceLimit', config({ query_server_config: { reduce_limit: 'False' } }), 'false'],
  ['osProcessTimeoutMs', config({ couchdb: { os_process_timeout: '9000' } }), 9000],
  ['osProcessTimeoutMs', config({ couchdb: { os_process_timeout: 'infinity' } }), UNKNOWN],
  ['osProcessLimit', config({}), UNKNOWN],
  ['erlangIsEnabled', config({ native_query_servers: { enable_erlang_query_server: 'true' } }), true],
  ['erlangIsEnabled', config({ native_query_servers: { erlang: '{couch_native_process, start_link, []}' } }), true],
  ['erlangIsEnabled', config({}), false],
  ['erlangDesignDocs', config({}), UNKNOWN],
  [
    'erlangDesignDocs',
    { ...config({}), ...shop(), ...designDocs({ _id: '_design/a', language: 'erlang', views: {} }) },
    ['_design/a'],
  ],
  ['databasesWithAdmins', config({}), UNKNOWN],
  [
    'databasesWithAdmins',
    { ...config({}), ...shop(), '/shop/_security': { admins: { names: ['anna'], roles: ['_admin'] } } },
    ['shop'],
  ],
  ['databasesWithAdmins', { ...config({}), ...shop(), '/shop/_security': { admins: { roles: ['_admin'] } } }, []],
  ['databasesWithAdmins', { ...config({}), ...shop(), '/shop/_security': { error: 'forbidden' } }, UNKNOWN],
  ['publicDatabases', { ...config({}), ...shop(), '/shop/_security': {} }, ['shop']],
  ['hasAdmins', config({ admins: { anna: '*****' } }), true],
  ['hasAdmins', config({}), UNKNOWN],
  ['bindsEverywhere', config({ chttpd: { bind_address: '::' } }), true],
  ['bindsEverywhere', config({ chttpd: { bind_address: '127.0.0.1' } }), false],
  ['needsUser', config({ chttpd: { require_valid_user: 'true' } }), true],
  ['needsUser', config({ couch_httpd_auth: { require_valid_user: 'true' } }), false],
  ['needsUser', config({ chttpd_auth: { require_valid_user: 'true' } }), false],
  ['allowsJsonp', config({ httpd: { allow_jsonp: 'true' } }), true],
  ['passwordIterations', config({ couch_httpd_auth: { iterations: '10' } }), 10],
  ['passwordIterations', config({}), 600_000],
];

test.each(OF_CONFIG)('config.%s (%#)', (name, answers, expected) => {
  expect(factOf(answers, 'server', `config.${name}`)).toEqual(expected);
});

test.each([
  ['couch_httpd_auth', 'require_valid_user', '1.6.1', true],
  ['couch_httpd_auth', 'require_valid_user', '2.3.1', false],
  ['chttpd', 'require_valid_user', '2.3.1', true],
  ['chttpd', 'require_valid_user_except_for_up', '3.0.0', false],
  ['chttpd', 'require_valid_user_except_for_up', '3.0.1', true],
])('`[%s] %s` requires a user on %s: %s', (section, key, version, expected) => {
  const answers = { ...shop(), ...config({ [section]: { [key]: 'true' } }) };
  expect([
    factOf(answers, 'server', 'config.needsUser', undefined, version),
    factOf(answers, 'database', 'database.serverNeedsUser', undefined, version),
  ]).toEqual([expected, expected]);
});

/** @param {Record<string, unknown>[]} indexes @returns {Record<string, unknown>} */
function indexes(...indexes) {
  return { ...shop(), '/shop/_index': { indexes } };
}

/** @type {[string, Record<string, unknown>[], string[]][]} */
const TWINS = [
  [
    'the same fields under another name',
    [
      { ddoc: '_design/a', name: 'x', def: { fields: [{ a: 'asc' }] } },
      { ddoc: '_design/a', name: 'y', def: { fields: [{ a: 'asc' }] } },
    ],
    ['x'],
  ],
  [
    'the same name in another document',
    [
      { ddoc: '_design/a', name: 'x', def: { fields: ['a'] } },
      { ddoc: '_design/b', name: 'x', def: { fields: [{ a: 'asc' }] } },
    ],
    ['x'],
  ],
  [
    'another order',
    [
      { ddoc: '_design/a', name: 'x', def: { fields: ['a', 'b'] } },
      { ddoc: '_design/a', name: 'y', def: { fields: ['b', 'a'] } },
    ],
    [],
  ],
  [
    'another filter',
    [
      { ddoc: '_design/a', name: 'x', def: { fields: ['a'] } },
      { ddoc: '_design/a', name: 'y', def: { fields: ['a'], partial_filter_selector: { b: 1 } } },
    ],
    [],
  ],
  [
    'another kind',
    [
      { ddoc: '_design/a', name: 'x', def: { fields: ['a'] } },
      { ddoc: '_design/a', name: 'y', type: 'text', def: { fields: ['a'] } },
    ],
    [],
  ],
];

test.each(TWINS)('index.twins: %s', (_, list, expected) => {
  const recording = { 'couch-advisor-answers': 1, origin: 'http://db', answers: indexes(...list) };
  const { subjects, ask } = readFiles({ 'answers.json': recording });
  const second = subjects.filter(({ kind }) => kind === 'index')[1];
  const fact = second && ask(second, 'index.twins');
  expect(fact && 'value' in fact && Array.isArray(fact.value) ? fact.value.map(({ value }) => value) : fact).toEqual(
    expected,
  );
});

test('a design document of a partitioned database is partitioned unless it says otherwise', () => {
  const partitioned = shop({ props: { partitioned: true } });
  const of = (/** @type {Record<string, unknown>} */ document) =>
    factOf({ ...partitioned, ...designDocs({ _id: '_design/a', ...document }) }, 'design-doc', 'ddoc.isPartitioned');
  expect(of({})).toBe(true);
  expect(of({ options: { partitioned: false } })).toBe(false);
  expect(factOf({ ...shop(), ...designDocs({ _id: '_design/a' }) }, 'design-doc', 'ddoc.isPartitioned')).toBe(false);
});
