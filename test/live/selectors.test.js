// Whether the selector told of a filter lets the same documents through, on a real CouchDB.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';
import { factsOf, UNKNOWN } from '../helpers/facts-of.js';

const VALUES = [
  ...['order', 'offer', 'Order', '', '5', '7', 'true', ' 7 '],
  ...[0, 5, 5.5, 6, 7, 9, -5, 1e300, 2 ** 53, true, false, null],
  ...[
    [],
    ['order'],
    [7],
    {},
    { town: 'order' },
    { town: 7 },
    { town: null },
    { town: { town: 1 } },
    [{ town: 'order' }],
  ],
];

const TESTS = [
  'doc.type === "order"',
  'doc.type !== "order"',
  'doc.type !== 7',
  'doc.type === 0',
  'doc.type === ""',
  'doc.type === true',
  '!(doc.type === "order" || doc.type === "offer")',
  'doc.type === "order" ? doc.open === true : doc.open !== true',
  'typeof doc.type === "number" && doc.type > 5',
  'typeof doc.type === "number" && doc.type >= 5 && 9 > doc.type',
  'typeof doc.type === "number" && !(doc.type > 5)',
  'typeof doc.type !== "number" || doc.type <= 5',
  'typeof doc.type === "string"',
  'typeof doc.type !== "string"',
  'typeof doc.type === "boolean" || doc.type === "order"',
  'doc.type?.town === "order"',
  'doc.type?.town === 7',
  'typeof doc.type?.town === "number" && doc.type.town < 9',
  'doc._id === "stock-3"',
  'doc._id == "stock-3" || doc._id == "deleted-4"',
  'doc._id != "stock-3"',
  '!doc._deleted',
  'doc._deleted',
  'doc._deleted === true || doc.type === "order"',
  'doc._deleted !== true && doc.type === "order"',
  'doc._deleted || doc.type === "order"',
  '!doc._deleted && doc.type === "order"',
  '!doc._deleted && (doc.type !== "order" || doc.open === true)',
  'doc.type === "order" && doc.open !== true',
];

const BODIES = [
  ...TESTS.map((source) => `return ${source};`),
  'if (doc._deleted) return true; return doc.type === "order";',
  'if (doc._deleted) { return true; } else { return doc.type === "order"; }',
  'if (doc._deleted) return false; if (doc.type === "order") return true;',
  'if (doc.type === "order") return false; return true;',
  'if (typeof doc.type !== "number") { return !doc._deleted; } return doc.type > 5;',
  'if (doc.open === true) { if (doc.type === "order") return true; else return false; } return doc.type === "offer";',
];

/** `doc.type?.town` in words of engines that do not know it. */
const OPTIONAL_TOWN = '(doc.type === null || doc.type === undefined ? undefined : doc.type.town)';

describe.skipIf(!COUCHDB_URL)('on a real CouchDB', () => {
  const database = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
  beforeAll(async () => {
    await database.create();
    const docs = VALUES.flatMap((type, index) => [
      { _id: `stock-${index}`, type },
      { _id: `open-${index}`, type, open: true },
      { _id: `deleted-${index}`, type, _deleted: true },
    ]);
    await database.ask('POST', '/_bulk_docs', { docs: [...docs, { _id: 'bare' }, { _id: 'gone' }] });
    const { answer } = await database.ask('GET', '/gone');
    await database.ask('DELETE', `/gone?rev=${answer._rev}`);
  });
  afterAll(() => database.drop());

  test.each(BODIES)('a selector lets the same documents through as the filter: %s', async (body) => {
    const source = `function (doc, req) { ${body} }`;
    const { selector } = factsOf({ filters: { some: source } }, 'filter', ['selector']);
    expect(selector).not.toBe(UNKNOWN);
    // Both have seen the document that holds the filter: it is of no account.
    const { id } = await database.save({ filters: { some: source.replaceAll('doc.type?.town', OPTIONAL_TOWN) } });
    /** @param {{results: {id: string}[]}} answer */
    const idsOf = ({ results }) => results.flatMap((row) => (row.id.startsWith('_design/') ? [] : [row.id])).sort();
    const byFilter = await database.ask('GET', `/_changes?filter=${id.replace('_design/', '')}/some`);
    const bySelector = await database.ask('POST', '/_changes?filter=_selector', {
      selector: JSON.parse(String(selector)),
    });
    expect([byFilter.status, bySelector.status]).toEqual([200, 200]);
    expect(idsOf(bySelector.answer), String(selector)).toEqual(idsOf(byFilter.answer));
    expect(idsOf(byFilter.answer).length).toBeGreaterThan(0);
  });
});
