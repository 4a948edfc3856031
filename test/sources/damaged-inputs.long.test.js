// Damaged logs, manifests, replications and full-text indexes: nothing crashes, no line is lost, every place lies in its file.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import fc from '../helpers/property.js';
import { root } from '../helpers/run-cli.js';
import { createProject } from '../helpers/temporary-project.js';
import { WRAPPERS } from '../helpers/wrap-log.js';

const RUNS = 40;

const LOG = readFileSync(path.join(root, 'fixtures/projects/shop/logs/couch.log'), 'utf8').split('\n').slice(0, 40);
const HEAD = '[warning] 2026-03-02T08:00:00.000000Z couchdb@127.0.0.1 <0.1.0> --------';
const REPORTS = [
  `couch_quickjs_scanner_plugin s:1-a db:shop ddoc:_design/orders view validation failed {map_doc,<<"o">>,[[],[[null,<<"a">>]]],[[],[[<<"b">>,1]]]}`,
  'couch_scanner_plugin_conflict_finder s:1-a db:shop doc:o conflicts:["2-a","2-b"] deleted_conflicts:[] ',
  'couch_scanner_plugin_ddoc_features s:1-a db:shop ddoc:_design/orders lists:1 shows:2 ',
  'req_err(1) internal_server_error : No DB shards could be opened.',
].map((text) => `${HEAD} ${text}`);
const bare = `${[...LOG.filter((line) => line !== ''), ...REPORTS].join('\n')}\n`;

const REPLICATIONS = JSON.stringify(
  {
    docs: [
      {
        _id: 'a',
        source: 'https://reader:Hei7taeBah@db.shop.example/shop',
        target: { url: 'http://b/shop', headers: { Authorization: 'Basic cmVhZGVyOkhlaTd0YWVCYWg=' } },
        continuous: true,
        filter: 'orders/open',
      },
      {
        database: '_replicator',
        doc_id: 'b',
        source: 'http://a/x/',
        target: 'http://b/x/',
        state: 'crashing',
        info: { error: 'db_not_found: x' },
      },
    ],
  },
  undefined,
  1,
);
const SEARCH = JSON.stringify({
  _id: '_design/search',
  indexes: {
    by_name: { analyzer: 'standard', index: "function (doc) { index('name', doc.name.first, { store: true }); }" },
  },
  nouveau: { by_name: { lucene_version: 9, index: "function (doc) { index('text', 'name', doc.name); }" } },
});
const COMPOSE = `services:
  couchdb:
    image: couchdb:3.5.2
    environment: [COUCHDB_USER=admin, COUCHDB_PASSWORD=Hei7taeBah]
    ulimits: { nofile: 65536 }
    mem_limit: 512m
    configs: [{ source: a, target: /opt/couchdb/etc/local.d/a.ini }]
configs:
  a:
    content: |
      [query_server_config]
      os_process_limit = 2000
`;

/** A piece that is cut out, doubled or replaced; places are shares of the length. */
const damage = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.integer({ min: 0, max: 40 }),
    instead: fc.oneof(
      fc.constantFrom('', '"', '{', '}', '[', ']', '\n', '\\', '\u0000', '\ufffd', ' ', '<<"', "'", ':', '- '),
      fc.string({ maxLength: 6 }),
    ),
    isDoubled: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

/** @param {string} text @param {{at: number, length: number, instead: string, isDoubled: boolean}[]} cuts */
function damaged(text, cuts) {
  let result = text;
  for (const { at, length, instead, isDoubled } of cuts) {
    const start = Math.floor(at * result.length);
    const piece = result.slice(start, start + length);
    result = result.slice(0, start) + instead + (isDoubled ? piece + piece : '') + result.slice(start + length);
  }
  return result;
}

test.each(['bare', ...Object.keys(WRAPPERS)])('a damaged log, %s: every line is counted once', async (name) => {
  const whole = name === 'bare' ? bare : (WRAPPERS[name]?.(bare) ?? '');
  const project = createProject({});
  await fc.assert(
    fc.asyncProperty(damage, async (cuts) => {
      const text = damaged(whole, cuts);
      const { stdout, exitCode } = await project.run(['digest', '-', '--format', 'json'], text);
      expect([0, 3]).toContain(exitCode);
      const { read, requests, other, malformed } = JSON.parse(stdout).lines;
      expect(requests + other + malformed).toBe(read);
      // Pieces of a line are joined, so there may be fewer than in the text; lines in a JSON string are several.
      if (name === 'bare') expect(read).toBe(text.split('\n').length - (text.endsWith('\n') ? 1 : 0));
    }),
    { numRuns: RUNS },
  );
});

test.each([
  ['replications.json', REPLICATIONS],
  ['replications.jsonl', `${JSON.stringify(JSON.parse(REPLICATIONS).docs[0])}\n{"_id":"x"}\n`],
  ['search.json', SEARCH],
  ['compose.yml', COMPOSE],
])('a damaged %s is read or refused, with places in it', async (name, whole) => {
  await fc.assert(
    fc.asyncProperty(damage, async (cuts) => {
      const text = damaged(whole, cuts);
      const project = createProject({ [name]: text });
      const { stdout, exitCode } = await project.run(['lint', name, '--format', 'json']);
      expect([0, 1, 3]).toContain(exitCode);
      const { findings, errors } = JSON.parse(stdout);
      const lines = text.split('\n').length;
      for (const { place } of [...findings, ...errors]) {
        if (place?.file !== name) continue;
        expect(place.line).toBeGreaterThan(0);
        expect(place.line).toBeLessThanOrEqual(lines);
      }
    }),
    { numRuns: RUNS },
  );
});
