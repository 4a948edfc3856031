import { expect, test } from 'vitest';
import { readFiles } from '../../helpers/facts-of.js';

/**
 * @param {string} text of an `.ini` file
 * @param {string} name of the fact
 * @param {string} version
 * @returns {string[]} what stands before the comma in each item: the option
 */
function optionsOf(text, name, version) {
  const { subjects, ask } = readFiles({ 'local.ini': text }, version);
  return subjects.flatMap((subject) => {
    if (subject.kind !== 'option') return [];
    const fact = ask(subject, `config.${name}`);
    if ('unknown' in fact || !Array.isArray(fact.value)) throw new Error('no list');
    return fact.value.map(({ value }) => value);
  });
}

test.each([
  ['[query_servers]\npython = couchpy', '2.2.0', '2.3', 'use `COUCHDB_QUERY_SERVER_PYTHON`'],
  ['[query_servers]\n__proto__ = couchpy', '2.2.0', '2.3', 'use `COUCHDB_QUERY_SERVER___PROTO__`'],
  ['[compactions]\nshop = [{db_fragmentation, "60%"}]', '2.3.1', '3.0.0', 'use `[smoosh.ratio_dbs] min_priority`'],
  ['[compaction_daemon]\ncheck_interval = 60', '2.3.1', '3.0', 'use `[smoosh]`'],
  ['[external]\nstock = /usr/bin/stock', '2.2.0', '2.3.0', 'use a proxy before the server'],
  ['[os_daemons]\nmail = /usr/bin/mail', '2.2.0', '2.3.0', 'use services of the system'],
  ['[update_notification]\nmail = /usr/bin/mail', '2.1.2', '2.2.0', 'use `_db_updates`'],
  ['[couch_httpd_auth]\nrequire_valid_user = true', '3.2.3', '3.3.0', 'use `[chttpd] require_valid_user`'],
  ['[chttpd]\ndocroot = share/www', '2.3.1', '3.0.0', 'use `COUCHDB_FAUXTON_DOCROOT`'],
  ['[csp]\nenable = false', '3.1.2', '3.2.0', 'unless `[csp] utils_enable` is false too'],
  ['[csp]\nheader_value = none', '3.1.2', '3.2.0', 'use `[csp] utils_header_value`'],
])('%s is read by %s and no more by %s', (text, before, from, instead) => {
  expect(optionsOf(text, 'unreadOptions', before)).toEqual([]);
  const [item, ...others] = optionsOf(text, 'unreadOptions', from);
  expect(others).toEqual([]);
  expect(item).toMatch(/^`\[\w+\] \w+` is ignored since CouchDB \d+\.\d+(?:;| unless)/);
  expect(item?.endsWith(` ${instead}`)).toBe(true);
});

test.each([
  ['[couchdb]\njs_engine = quickjs', '3.3.3', '3.4.0', 'before CouchDB 3.4'],
  ['[quickjs]\nmemory_limit_bytes = 1', '3.3.3', '3.4.0', 'before CouchDB 3.4'],
  ['[ken]\nlimit = 20', '2.3.1', '3.0.0', 'before CouchDB 3.0'],
  ['[query_server_config]\nreduce_limit_ratio = 3', '3.5.0', '3.5.1', 'before CouchDB 3.5.1'],
  ['[chttpd_auth]\nsecret = abc', '3.1.2', '3.2.0', 'is ignored before CouchDB 3.2; use `[couch_httpd_auth] secret`'],
  ['[chttpd]\nenable_cors = true', '3.1.2', '3.2.0', 'is ignored before CouchDB 3.2; use `[httpd] enable_cors`'],
])('%s is not yet read by %s and read by %s', (text, before, from, instead) => {
  expect(optionsOf(text, 'unreadOptions', from)).toEqual([]);
  const [item, ...others] = optionsOf(text, 'unreadOptions', before);
  expect(others).toEqual([]);
  expect(item?.endsWith(` ${instead}`)).toBe(true);
});

test.each([
  ['[couchdb]\nMax_Dbs_Open = 1', ['`[couchdb] Max_Dbs_Open` is ignored; did you mean `[couchdb] max_dbs_open`?']],
  ['[CouchDB]\nmax-dbs-open = 1', ['`[CouchDB] max-dbs-open` is ignored; did you mean `[couchdb] max_dbs_open`?']],
  ['[CouchDB]\nmax_dbs_open = 1', ['`[CouchDB] max_dbs_open` is ignored; did you mean `[couchdb] max_dbs_open`?']],
  ['[couchdb]\nmax_dbs_open = 1', []],
  ['[couchdb]\nmax_db_open = 1', []],
  ['[CouchDB]\nshop = 1', []],
  ['[Shop]\nPort = 1', []],
  ['[admins]\nPort = secret', []],
  ['[constructor]\ntoString = 1', []],
])('spelling of %j', (text, expected) => {
  expect(optionsOf(text, 'unreadOptions', '3.5.2')).toEqual(expected);
});

test('the old names of [csp] are read where the new one is off', () => {
  expect(optionsOf('[csp]\nutils_enable = false\nenable = false', 'unreadOptions', '3.5.2')).toEqual([]);
  expect(optionsOf('[csp]\nutils_enable = true\nenable = false', 'unreadOptions', '3.5.2')).toHaveLength(1);
});

test.each([
  ['[httpd]\nenable_cors = true\n[chttpd]\nenable_cors = false', '3.2', 1],
  ['[httpd]\nenable_cors = true\n[chttpd]\nenable_cors = false', '3.1', 0],
  ['[httpd]\nenable_cors = true\n[chttpd]\nenable_cors = true', '3.5.2', 0],
  ['[httpd]\nenable_cors = true', '3.5.2', 0],
  ['[httpd]\nport = 5986\n[chttpd]\nport = 5984', '3.5.2', 0],
  ['[couch_httpd_auth]\ntimeout = 60\n[chttpd_auth]\ntimeout = 600', '3.5.2', 1],
  ['[couch_httpd_auth]\nauthentication_db = staff\n[chttpd_auth]\nauthentication_db = _users', '3.5.2', 0],
])('%j on %s: %s options are overruled', (text, version, count) => {
  expect(optionsOf(text, 'overruledOptions', version)).toHaveLength(count);
});

test.each([
  ['[couchdb]\ndelayed_commits = true', '2.3.1', '3.0.0'],
  ['[chttpd]\nbacklog = 512', '3.4.3', '3.5.0'],
  ['[purge]\nmax_document_id_number = 1', '3.5.0', '3.5.1'],
  ['[daemons]\nhttpd = {couch_httpd, start_link, []}', '2.2.0', '2.3.0'],
  ['[httpd_global_handlers]\n_stock = {couch_httpd, handle}', '2.2.0', '2.3.0'],
  ['[rexi]\nserver_per_node = true', '3.3.3', '3.4.0'],
])('%j is there in %s and gone in %s', (text, before, from) => {
  expect(optionsOf(text, 'removedOptions', before)).toEqual([]);
  const [item] = optionsOf(text, 'removedOptions', from);
  expect(item).toMatch(/ was removed in CouchDB \d+\.\d+/);
});

test.each([
  ['[ken.ignore]\nshop = true', 1],
  ['[ken.ignore]\nshop = false', 0],
  ['[ken.ignore]\nshards/00000000-7fffffff/shop.1700000000 = true', 0],
  ['[ken.ignore]\nshards/00000000-7fffffff/shop.1700000000.couch = true', 1],
  ['[ken.ignore]\nshards/00000000-7fffffff/shop/2024.1700000000 = true', 0],
  ['[smoosh.ignore]\nshop = true', 1],
  ['[smoosh.ignore]\n_dbs = true', 0],
  ['[stock.ignore]\nshop = true', 0],
])('%j: %s keys name no shard', (text, count) => {
  expect(optionsOf(text, 'unreadOptions', '3.5.2')).toHaveLength(count);
});

test.each([
  ['[couch_httpd_auth]\nrequire_valid_user = false', '3.5.2'],
  ['[csp]\nenable = true', '3.5.2'],
  ['[nouveau]\nenable = false', '3.2.2'],
])('%j on %s is as it would be if it were read', (text, version) => {
  expect(optionsOf(text, 'unreadOptions', version)).toEqual([]);
});

test('HTTPS may still be switched on in [daemons]', () => {
  expect(optionsOf('[daemons]\nhttpsd = {chttpd, start_link, [https]}', 'removedOptions', '3.5.2')).toEqual([]);
});

test.each([
  ['[disk_monitor]\nenable = false\nbackground_view_indexing_threshold = 70', 1],
  ['[disk_monitor]\nbackground_view_indexing_threshold = 70', 0],
  ['[disk_monitor]\nenable = true\nbackground_view_indexing_threshold = 70', 0],
  ['[disk_monitor]\nenable = false', 0],
])('thresholds of the disk monitor are ignored while it is off: %s', (text, count) => {
  expect(optionsOf(text, 'unreadOptions', '3.5.2')).toHaveLength(count);
});
