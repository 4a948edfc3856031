// Attacks by servers that repeat the credentials they were sent, wherever an answer can hold them and however they are written: no output shows them.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startCli } from '../../helpers/run-cli.js';
import { FEW_ROUNDS, together } from '../attack.js';
import { SHOP, startShop } from '../couchdb-stand-in.js';
import { inFiles, REPORT_FORMATS } from '../formats.js';
import { writeFiles } from '../hostile-project.js';
import { inspectRun } from '../inspect.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Attempt, Family } from '../attack.js' */

const MAX_MS = 600_000;
const PASSWORD = 'Tr0ub4dor+3/x"y';
const AUTHORIZATION = btoa(`admin:${PASSWORD}`);
const MAP = "function (doc) {\n  if (typeof doc.total === 'number') emit(doc.customer, doc);\n}";
const DESIGN_DOC = { _id: '_design/orders', views: { rows: { map: MAP } } };

/** How a server may write what it was sent. @type {[name: string, write: (secret: string) => string][]} */
const SPELLINGS = [
  ['as it is', (secret) => secret],
  ['in base64', (secret) => btoa(secret)],
  ['with its user in base64', (secret) => btoa(`admin:${secret}`)],
  ['percent-encoded', encodeURIComponent],
  [
    'percent-encoded in small letters',
    (secret) => encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  ],
  ['escaped', (secret) => JSON.stringify(secret).slice(1, -1)],
  ['in an address', (secret) => `http://admin:${encodeURIComponent(secret)}@db.example:5984/`],
];
/** None of these may be shown. */
const FORBIDDEN = [...new Set(SPELLINGS.slice(0, 6).map(([, write]) => write(PASSWORD)))].flatMap((text) => [
  text.replace(/=+$/, ''),
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
]);

/** @param {string} text @returns {string} as JSON, each letter of it escaped */
const escapeAll = (text) =>
  text.replace(/[\s\S]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** @typedef {(said: string) => {status?: number, headers?: Record<string, string>, text: string}} Answer `said` as it stands between quotes */

/** @param {string} text @returns {Answer} with the secret for each `SAID` */
const ok = (text) => (said) => ({ text: text.replaceAll('SAID', () => said) });
/** @param {number} status @returns {Answer} */
const refusal = (status) => (said) => ({ status, text: `{"error":"${said}","reason":"${said}"}` });

/** Answers by the paths that they are for. @type {[name: string, path: RegExp, answer: Answer][]} */
const ANSWERS = [
  ['the reason of a 500', /./, refusal(500)],
  ['the reason of a 403', /^\/.+/, refusal(403)],
  ['the reason of a 500 for data', /_view\/|_bulk_docs|_all_docs|_security|_info/, refusal(500)],
  ['text of a 502', /./, (said) => ({ status: 502, text: said })],
  ['text of a 502 for rows', /_view\//, (said) => ({ status: 502, text: said })],
  ['the version', /^\/$/, ok('{"couchdb":"Welcome","version":"3.5.0 SAID","vendor":{"name":"SAID"},"uuid":"SAID"}')],
  [
    'headers',
    /./,
    (said) => ({
      headers: {
        'x-said': encodeURIComponent(said),
        server: encodeURIComponent(said),
        'content-type': `text/${encodeURIComponent(said)}`,
      },
      text: 'x',
    }),
  ],
  [
    'the target of a redirect',
    /./,
    (said) => ({ status: 302, headers: { location: `/${encodeURIComponent(said)}` }, text: '' }),
  ],
  ['the engine', /_versions$/, ok('{"javascript_engine":{"name":"SAID","version":"SAID"}}')],
  ['an option', /_config\/\w+\/\w+$/, ok('"SAID"')],
  [
    'the configuration',
    /_config$/,
    ok(
      '{"SAID":{"SAID":"SAID"},"chttpd":{"require_valid_user":"SAID","enable_cors":"true"},"cors":{"origins":"SAID"},"log":{"level":"debug","file":"SAID"}}',
    ),
  ],
  ['names of nodes', /_membership$/, ok('{"all_nodes":["SAID"],"cluster_nodes":["SAID","x"]}')],
  ['tasks', /_active_tasks$/, ok('[{"type":"indexer","database":"SAID","design_document":"SAID","node":"SAID"}]')],
  [
    'failing replications',
    /_scheduler\/docs/,
    ok(
      '{"docs":[{"database":"SAID","doc_id":"SAID","source":"SAID","target":"http://admin:SAID@db.example/","state":"failed","info":{"error":"SAID no_reason"},"error_count":9}]}',
    ),
  ],
  [
    'running replications',
    /_scheduler\/jobs/,
    ok(
      '{"total_rows":1,"jobs":[{"id":"SAID","database":"SAID","doc_id":null,"user":"SAID","source":"SAID","target":"http://admin:SAID@db.example/","info":{"changes_pending":"SAID"},"history":[{"type":"crashed","reason":"SAID"}]}]}',
    ),
  ],
  [
    'waiting compactions',
    /_smoosh/,
    ok('{"channels":{"SAID":{"waiting":{"size":"SAID","SAID":1},"starting":0,"active":0},"__proto__":7}}'),
  ],
  [
    'changes',
    /_changes|conflicts=true/,
    ok(
      `{"_id":"SAID","_rev":"SAID","SAID":"SAID","_conflicts":[${'"SAID",'.repeat(60)}"SAID"],"results":[{"seq":"SAID","id":"SAID","changes":[{"rev":"SAID"},{"rev":"SAID"}]}]}`,
    ),
  ],
  ['names of databases', /_all_dbs/, ok(`["SAID","couch-advisor-scratch-SAID","${SHOP}"]`)],
  [
    'members',
    /_security$/,
    ok('{"members":{"names":["SAID"],"roles":[]},"admins":{"names":["SAID"],"roles":["SAID"]}}'),
  ],
  [
    'an index',
    /_info$/,
    ok(
      '{"name":"SAID","view_index":{"signature":"SAID","sizes":{"file":1,"active":1,"external":1},"language":"SAID"}}',
    ),
  ],
  [
    'a database',
    /^\/[a-z][^/]*\/?$/,
    ok(
      '{"db_name":"SAID","doc_count":1000,"doc_del_count":900000,"sizes":{"file":1,"active":1,"external":1},"instance_start_time":"SAID"}',
    ),
  ],
  ['a mark', /_local\/couch-advisor-scratch/, ok('{"run":"SAID","host":"SAID","pid":1}')],
  [
    'a design document',
    /_all_docs/,
    ok(
      '{"total_rows":1,"rows":[{"id":"_design/SAID","key":"_design/SAID","doc":{"_id":"_design/SAID","_rev":"1-SAID","views":{"SAID":{"map":"function (doc) { emit(doc.customer, doc); }","reduce":"function (k, v) { return v.length; }"}},"filters":{"SAID":"function (doc, req) { return doc.SAID === 1; }"},"validate_doc_update":"function (d) { throw new Error(\'SAID\'); }"}}]}',
    ),
  ],
  [
    'rows',
    /_view\/|_find/,
    ok(
      '{"total_rows":1,"offset":0,"SAID":1,"rows":[{"id":"SAID","key":"SAID","value":"SAID","doc":{"_id":"SAID","SAID":"SAID"}}],"docs":[{"_id":"SAID"}],"warning":"SAID"}',
    ),
  ],
  [
    'documents',
    /_all_docs\?include_docs/,
    ok(
      '{"total_rows":1,"rows":[{"id":"SAID","key":"SAID","doc":{"_id":"SAID","SAID":"SAID","customer":"SAID","total":1}}]}',
    ),
  ],
  ['writes', /_bulk_docs/, ok('[{"id":"SAID","error":"SAID","reason":"SAID"}]')],
];

const LOG = `[notice] 2026-11-02T10:00:00.000000Z couchdb@127.0.0.1 <0.1.0> 0123456789 localhost:5984 10.0.0.1 anna GET /${SHOP}/_design/orders/_view/rows 200 ok 12\n`;

const MEASURED = ['--url', 'URL', '--yes'];
/** @type {[name: string, argv: string[]][]} */
const COMMANDS = [
  [
    'lint',
    [
      'lint',
      '--url',
      'URL',
      '--rate',
      '1000',
      '--record',
      'answers.jsonl',
      '--verbose',
      ...inFiles('lint', REPORT_FORMATS).argv,
    ],
  ],
  ['lint of a database', ['lint', '--url', `URL/${SHOP}`, '--rate', '1000', '--verbose']],
  ['lint as JSON', ['lint', '--url', 'URL', '--rate', '1000', '--format', 'json']],
  ['confirm --clean', ['confirm', '--clean', '--url', 'URL']],
  ['confirm', ['confirm', 'orders.json', ...MEASURED, ...FEW_ROUNDS, '--journal', 'rounds.jsonl']],
  [
    'confirm of a sample',
    ['confirm', 'orders.json', ...MEASURED, '--sample-from', SHOP, ...FEW_ROUNDS, '--format', 'json'],
  ],
  [
    'bench',
    [
      'bench',
      'include-docs',
      ...MEASURED,
      '--size',
      '1000',
      '--rounds',
      '1',
      '--output',
      'bench.html',
      '--svg',
      'bench.svg',
    ],
  ],
  [
    'advise',
    ['advise', 'orders.json', '--log', 'couch.log', '--url', 'URL', '--sample-from', SHOP, '--output', 'plan'],
  ],
];

/** @type {Family} */
export const echoes = {
  id: 'echoes',
  about: 'Credentials that a server repeats, wherever and however, are shown in no output of any command',
  least: { short: 15, full: 800 },
  async *attack({ folder, isFull }) {
    const planned = COMMANDS.flatMap(([command, argv]) =>
      ANSWERS.flatMap(([about, place, answer]) =>
        [...SPELLINGS, /** @type {const} */ (['letter by letter', undefined])].map(([spelling, write]) => {
          const said = write ? JSON.stringify(write(PASSWORD)).slice(1, -1) : escapeAll(PASSWORD);
          return { name: `${spelling} in ${about}: ${command}`, argv, place, answer: answer(said), spelling, command };
        }),
      ),
    ).filter(({ spelling, command }) => isFull || (spelling === 'as it is' && command === 'lint'));
    const attempts = planned.map((one, number) => () => attempt(one, path.join(folder, `shop-${number}`)));
    yield* together({ attempts, limit: os.availableParallelism() });
  },
};

/**
 * @param {{name: string, argv: string[], place: RegExp, answer: ReturnType<Answer>}} planned
 * @param {string} cwd
 * @returns {Promise<Attempt | undefined>} undefined where nothing requested it
 */
async function attempt({ name, argv, place, answer }, cwd) {
  let wasReached = false;
  const server = await startShop(DESIGN_DOC, (request, response) => {
    if (!place.test(request.url ?? '')) return false;
    wasReached = true;
    send(request, response, answer);
    return true;
  });
  try {
    writeFiles(cwd, { 'orders.json': DESIGN_DOC, 'couch.log': LOG, '.git/HEAD': 'ref: refs/heads/main\n' });
    const url = server.origin.replace('//', `//admin:${encodeURIComponent(PASSWORD)}@`);
    const { child, ended } = startCli(
      argv.map((word) => word.replace('URL', url)),
      { cwd, env: { XDG_CACHE_HOME: path.join(cwd, '.cache') } },
    );
    const timer = setTimeout(() => child.kill('SIGKILL'), MAX_MS);
    const result = await ended;
    clearTimeout(timer);
    if (!wasReached) return undefined;
    return {
      name,
      failure: leakIn(`${result.stdout}${result.stderr}`, 'the output') ?? leakInFiles(cwd) ?? inspectRun(result),
    };
  } finally {
    await server.close();
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** @param {IncomingMessage} request @param {ServerResponse} response @param {ReturnType<Answer>} answer */
function send(request, response, { status = 200, headers, text }) {
  if (!request.headers.authorization?.endsWith(AUTHORIZATION)) throw new Error('the credentials were not sent');
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text);
}

/** @param {string} folder @returns {string | undefined} of what the run has written, caches included */
function leakInFiles(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const failure = leakIn(readFileSync(file, 'utf8'), file.slice(folder.length)) ?? leakIn(entry.name, 'a name');
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** @param {string} text @param {string} where @returns {string | undefined} */
function leakIn(text, where) {
  for (const secret of FORBIDDEN) {
    const at = text.indexOf(secret);
    if (at !== -1) return `${where} shows it: ${JSON.stringify(text.slice(Math.max(0, at - 80), at + 80))}`;
  }
  return undefined;
}
