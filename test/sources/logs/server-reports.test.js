// What CouchDB reports about itself is read from its log lines, and nothing of documents is kept.

import { describe, expect, test } from 'vitest';
import { serverReports } from '../../../lib/sources/logs/server-reports.js';
import { createProject } from '../../helpers/temporary-project.js';

const QUICKJS = 'couch_quickjs_scanner_plugin s:1795852449-544b8237f2ef db:shop ddoc:_design/orders';
const CONFLICTS = 'couch_scanner_plugin_conflict_finder s:1795852489-b3a2d532ed72 db:shop';

/** @type {[string, string, string[]][]} */
const LINES = [
  [
    'two of three maps differ',
    `${QUICKJS} view validation failed {map_doc,<<"order-7">>,[[],[[<<"03/08">>,10.5]],[[null,<<"a,\\"]b">>]]],[[],[[<<"3/8">>,10.5]],[[<<"b">>,<<"a,\\"]b">>]]]}`,
    ['engines-differ shop _design/orders map 2/3', 'engines-differ shop _design/orders map 3/3'],
  ],
  [
    'the results are cut off',
    `${QUICKJS} view validation failed {map_doc,<<"order-7">>,[[[<<"secret`,
    ['engines-differ shop _design/orders map'],
  ],
  [
    'one engine fails',
    `${QUICKJS} view validation failed {map_doc,<<"order-7">>,{error,{<<"x">>,<<"y">>}},[[]]}`,
    ['engines-differ shop _design/orders map'],
  ],
  [
    'a reduce',
    `${QUICKJS} view validation failed {reduce,<<"total">>,[true,[null]],[true,[<<"u">>]]}`,
    ['engines-differ shop _design/orders reduce total'],
  ],
  [
    'a filter, with the id of a document that looks like more',
    `${QUICKJS} doc:a index:b conflicts:[ doc validation failed {filter_doc,<<"f">>,[true,[false]],[true,[true]]}`,
    ['engines-differ shop _design/orders filter f'],
  ],
  [
    'a validation function',
    `${QUICKJS} doc:order-7 doc validation failed {vdu_doc,1,{[{<<"forbidden">>,<<"x">>}]}}`,
    ['engines-differ shop _design/orders validate_doc_update'],
  ],
  [
    'a full-text index',
    `${QUICKJS} index:by_name nouveau validation failed {nouveau_index,<<"order-7">>,[],[[1]]}`,
    ['engines-differ shop _design/orders index by_name'],
  ],
  [
    'features of a document',
    'couch_scanner_plugin_ddoc_features s:1-a db:shop ddoc:_design/old filters:1 lists:12 ',
    ['features shop _design/old filters', 'features shop _design/old lists'],
  ],
  ['features of a database', 'couch_scanner_plugin_ddoc_features s:1-a db:shop shows:2 ', ['features shop  shows']],
  [
    'a document with conflicts',
    `${CONFLICTS} doc:order-7 conflicts:["2-18","2-17","2-16"] deleted_conflicts:["2-1f"] `,
    ['conflicted-document shop   3'],
  ],
  ['many of them', `${CONFLICTS} doc:order-7 conflicts:120 deleted_conflicts:0 `, ['conflicted-document shop   120']],
  ['a database with conflicts', `${CONFLICTS} conflicts:13 deleted_conflicts:1 `, ['conflicts shop   13']],
  [
    'no room for a database',
    'rexi_server: from: a@b(<0.1.0>) mfa: fabric_rpc:all_docs/3 error:{badmatch,{error,all_dbs_active}} [{x}]',
    ['databases-open'],
  ],
  ['the same, of a request', 'req_err(3215783146) invalid_stream_start : {error,all_dbs_active}', ['databases-open']],
  [
    'no descriptor',
    'db shards/80/a.1 died with reason {{badmatch,{error,emfile}},[{couch_file,sync}]}',
    ['file-descriptors'],
  ],
  [
    'no descriptor for code, as the code server of Erlang reports it',
    'File operation error: emfile. Target: ./sys.beam. Function: get_file. Process: code_server.',
    ['file-descriptors'],
  ],
  [
    'no descriptor for a connection',
    'application: mochiweb, "Accept failed error", "{error,emfile}"',
    ['file-descriptors'],
  ],
  ['no shard', 'req_err(1963847755) internal_server_error : No DB shards could be opened.', ['no-shards']],
  [
    'no Clouseau',
    'req_err(1) ou_est_clouseau : Could not connect to the Clouseau Java service',
    ['search-unreachable'],
  ],
  [
    'a Clouseau that is too old',
    "** 'couchdb@a': Connection attempt to node 'clouseau@127.0.0.1' aborted since it cannot handle [\"BIG_CREATION\"].**",
    ['search-too-old'],
  ],
  [
    'no _users',
    'chttpd_auth_cache changes listener died because the _users database does not exist. Create the database to silence this notice.',
    ['users-missing'],
  ],
  ['what a function prints', 'OS Process #Port<0.1> Log :: {error,emfile} all_dbs_active', []],
  ['a start', 'couch_quickjs_scanner_plugin s:1-a starting.', []],
  ['what is looked at', `${QUICKJS} `, []],
  ['another line', 'couch_proc_manager <0.1106.0> died normal', []],
];

test.each(LINES)('%s', (_, text, expected) => {
  const found = serverReports(text).map(({ kind, database, designDoc, detail, most }) =>
    [kind, database, designDoc, detail, most || ''].join(' ').trimEnd(),
  );
  expect(found).toEqual(expected);
});

const HEAD = 'couchdb@127.0.0.1 <0.1.0> --------';
const LOG = LINES.map(([, text], at) => `[warning] 2026-03-02T08:${10 + at}:00.000000Z ${HEAD} ${text}\n`).join('');

describe('in the digest', () => {
  test('each is counted, and nothing of a document is kept', async () => {
    const project = createProject({ 'couch.log': LOG });
    const { stdout } = await project.run(['digest', 'couch.log']);
    expect(stdout).toContain('Reported by CouchDB');
    expect(stdout).toMatch(/other results in QuickJS than in SpiderMonkey, shop _design\/orders map 2\/3:\s+1, at/);
    const json = (await project.run(['digest', 'couch.log', '--format', 'json', '--keep-values'])).stdout;
    expect(JSON.parse(json).lines).toMatchObject({ other: LINES.length, malformed: 0 });
    for (const text of [stdout, json]) expect(text).not.toMatch(/order-7|03\/08|secret|2-18|forbidden/);
  });

  test('parts of a log merge to the digest of the whole', async () => {
    const lines = LOG.split(/(?<=\n)/);
    const project = createProject({
      'a.log': lines.slice(0, 7).join(''),
      'b.log': lines.slice(7).join(''),
    });
    const args = ['--format', 'json'];
    const whole = await project.run(['digest', 'a.log', 'b.log', ...args]);
    let partials = '';
    for (const name of ['b.log', 'a.log']) partials += (await project.run(['digest', '--partial', name])).stdout;
    const merged = await project.run(['digest', '--merge', '-', ...args], partials);
    expect(merged.stdout).toBe(whole.stdout);
  });

  test('many names make the digest coarser, in whatever order they come', async () => {
    const names = Array.from(
      { length: 3100 },
      (_, at) =>
        `[warning] 2026-03-02T08:00:00.000000Z ${HEAD} couch_scanner_plugin_ddoc_features s:1-a db:shop ddoc:_design/d${at} lists:1 \n`,
    );
    const project = createProject({ 'a.log': names.join(''), 'b/a.log': names.toReversed().join('') });
    const reports = async (/** @type {string} */ file) => {
      const { serverReports: found } = JSON.parse((await project.run(['digest', file, '--format', 'json'])).stdout);
      return found.map((/** @type {any} */ { count, designDoc, detail }) => ({ count, designDoc, detail }));
    };
    expect(await reports('a.log')).toEqual([{ count: 3100, designDoc: '*', detail: '*' }]);
    expect(await reports('b/a.log')).toEqual(await reports('a.log'));
  });
});
