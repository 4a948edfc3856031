// Which Mango index of the project serves a query in the code, and what rules about indexes and logs know of those that code creates.

import { describe, expect, test } from 'vitest';
import { createProject } from '../../helpers/temporary-project.js';

const SHOP = "const nano = require('nano');\nconst shop = nano(process.env.COUCHDB_URL).use('shop');\n";
const INDEX = "shop.createIndex({ index: { fields: ['type', 'date'] }, ddoc: 'orders', name: 'by-date' });\n";

/**
 * @param {string} code
 * @param {Record<string, string | object>} [files]
 * @returns {Promise<Record<string, unknown>>} facts of its query
 */
async function factsOf(code, files = {}) {
  const { stdout } = await createProject({ 'f.js': SHOP + code, ...files }).run(['facts', '.', '--format', 'json']);
  const { subjects } = JSON.parse(stdout);
  const { facts } = subjects.find((/** @type {any} */ one) => one.facts['call.method']?.value === 'find');
  return Object.fromEntries(
    Object.entries(facts).map(([id, { value = 'unknown' }]) => [id.replace('call.', ''), value]),
  );
}

describe('the index of a query', () => {
  test.each([
    ["{ selector: { type: 'order', date: { $gt: day } } }", true, "'type', 'date'"],
    ['{ selector: { date: { $gt: day }, type } }', true, "'type', 'date'"],
    ["{ selector: { $and: [{ type: 'order' }, { date: { $exists: true } }] } }", true, "'type'"],
    ["{ selector: { type: 'order' } }", false, "'type'"],
    ["{ selector: { type: 'order', date: { $exists: false } } }", false, "'type'"],
    ["{ selector: { total: { $gt: 5 }, 'address.town': town } }", false, "'address.town', 'total'"],
    ["{ selector: { address: { town: 'Hamburg' } } }", false, "'address.town'"],
    ["{ selector: { note: { $regex: 'gift' } } }", false, 'none'],
    ["{ selector: { $or: [{ type: 'order' }, { date: day }] } }", 'unknown', 'unknown'],
    ['{ selector }', 'unknown', 'unknown'],
    ["{ selector: { ...more, type: 'order' } }", 'unknown', 'unknown'],
    ['{ selector: { [field]: value } }', 'unknown', 'unknown'],
    ["{ selector: { type: 'order' }, sort: ['type'] }", 'unknown', "'type'"],
    ["{ selector: { type: 'order' }, use_index: 'orders' }", 'unknown', "'type'"],
  ])('of %s', async (query, isServed, columns) => {
    const facts = await factsOf(`${INDEX}shop.find(${query});`);
    expect([facts['findIsServed'], facts['indexForFind']]).toEqual([isServed, columns]);
  });

  const QUERY = "shop.find({ selector: { status: 'open' } });";
  test.each([
    ['a file', '', { 'index.json': { index: { fields: ['status'] }, name: 'by-status', type: 'json' } }, true],
    ['no index at all', '', {}, 'unknown'],
    ['another index whose fields are computed', `${INDEX}shop.createIndex({ index: { fields } });\n`, {}, 'unknown'],
    ['another index that an unknown receiver creates', `${INDEX}db.createIndex(definition);\n`, {}, 'unknown'],
    ['a text index', "shop.createIndex({ index: { fields: ['a'] }, type: 'text' });\n", {}, 'unknown'],
    [
      'a partial index, which a query has to name',
      "shop.createIndex({ index: { fields: ['status'], partial_filter_selector: { type: 'order' } } });\n",
      {},
      false,
    ],
    [
      'stored indexes',
      INDEX,
      {
        'stored.json': {
          _id: '_design/stored',
          language: 'query',
          views: { a: { map: { fields: { status: 'asc' } } } },
        },
      },
      'unknown',
    ],
  ])('with %s', async (_, code, files, isServed) => {
    expect((await factsOf(code + QUERY, files))['findIsServed']).toBe(isServed);
  });
});

test.each([
  ['with two names', INDEX.replace('by-date', 'dates'), ['mango/redundant-index 4']],
  ['twice, which makes one of them', INDEX, []],
])('an index that the code creates %s', async (_, other, expected) => {
  const { stdout } = await createProject({ 'f.js': SHOP + INDEX + other }).run(['lint', '--format', 'json']);
  const { findings } = JSON.parse(stdout);
  expect(findings.map((/** @type {any} */ { rule, place }) => `${rule} ${place.line}`)).toEqual(expected);
});

test('an index in the code that CouchDB refuses is reported', async () => {
  const code = "shop.createIndex({ index: { fields: [{ type: 'asc' }, { date: 'desc' }] } });\n";
  const { stdout } = await createProject({ 'f.js': SHOP + code }).run(['lint']);
  expect(stdout).toContain('f.js:3:37 error mango/refused-index');
});

test.each([
  ['a computed index', 'shop.createIndex(definition);\n', false],
  ['a literal index', INDEX, true],
])('with %s, queries of the logs are judged: %s', async (_, code, isReported) => {
  const find = { selector: { status: { $eq: 'open' } }, limit: 10 };
  const entry = {
    startedDateTime: '2026-03-02T08:00:00.000Z',
    time: 9,
    request: {
      method: 'POST',
      url: 'http://db.shop.example:5984/shop/_find',
      postData: { mimeType: 'application/json', text: JSON.stringify(find) },
    },
    response: { status: 200, content: { size: 2 } },
  };
  const har = { log: { version: '1.2', entries: Array.from({ length: 9 }, () => entry) } };
  const project = createProject({ 'f.js': SHOP + code, 'shop.har': har });
  const { stdout } = await project.run(['lint', '--log', 'shop.har']);
  expect(stdout.includes('mango/no-index')).toBe(isReported);
});
