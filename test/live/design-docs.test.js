import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lintText } from '../../lib/index.js';
import { COUCHDB_URL, ScratchDatabase } from '../helpers/couchdb.js';

const MAP = 'function (doc) { emit(doc.date, 1); }';

/** @type {[string, Record<string, unknown>][]} */
const DESIGN_DOCS = [
  ['a sound view', { views: { by_date: { map: MAP, reduce: '_count' } } }],
  ['a view without a map', { views: { by_date: { reduce: '_count' } } }],
  ['a map that is a number', { views: { by_date: { map: 5 } } }],
  ['an empty map', { views: { by_date: { map: '' } } }],
  ['an empty reduce', { views: { by_date: { map: MAP, reduce: '' } } }],
  ['a reduce that is null', { views: { by_date: { map: MAP, reduce: null } } }],
  ['views that are a list', { views: [] }],
  ['a view that is a text', { views: { by_date: MAP } }],
  ['filters that are a text', { filters: 'open' }],
  ['a filter that is a number', { filters: { open: 1 } }],
  ['a language that is a number', { language: 1 }],
  ['options that are a text', { options: 'partitioned' }],
  ['an option that is no boolean', { options: { local_seq: 'yes' } }],
  ['rewrites that are a list', { rewrites: [] }],
  ['rewrites that are a number', { rewrites: 1 }],
  ['a validation function that is a number', { validate_doc_update: 1 }],
  ['views.lib with modules', { views: { lib: { dates: 'exports.day = 1' }, by_date: { map: MAP } } }],
  ['the reduce _max', { views: { by_date: { map: MAP, reduce: '_max' } } }],
  ['the reduce _sumx', { views: { by_date: { map: MAP, reduce: '_sumx' } } }],
  ['the reduce _SUM', { views: { by_date: { map: MAP, reduce: '_SUM' } } }],
  ['the reduce _sum behind a space', { views: { by_date: { map: MAP, reduce: ' _sum' } } }],
  ['the reduce _sum before a space', { views: { by_date: { map: MAP, reduce: '_sum ' } } }],
  ['the reduce _top_5', { views: { by_date: { map: MAP, reduce: '_top_5' } } }],
  ['the reduce _top_0', { views: { by_date: { map: MAP, reduce: '_top_0' } } }],
  ['the reduce _top_101', { views: { by_date: { map: MAP, reduce: '_top_101' } } }],
  ['the reduce _bottom_x', { views: { by_date: { map: MAP, reduce: '_bottom_x' } } }],
  ['the reduce _approx_count_distinct', { views: { by_date: { map: MAP, reduce: '_approx_count_distinct' } } }],
  ['the reduce _first', { views: { by_date: { map: MAP, reduce: '_first' } } }],
];

/** Rules whose errors say that CouchDB refuses the document when it is saved. */
const REFUSING = ['ddoc/invalid-structure', 'reduce/unknown-builtin'];

describe.skipIf(!COUCHDB_URL)(
  'what CouchDB refuses when it is saved, and nothing else, is reported as an error',
  () => {
    const database = new ScratchDatabase(COUCHDB_URL ?? 'http://localhost');
    let version = '';

    beforeAll(async () => {
      await database.create();
      const response = await fetch(database.origin, { headers: { authorization: database.authorization } });
      version = /** @type {{version: string}} */ (await response.json()).version.replace(/[^0-9.].*$/, '');
    });
    afterAll(() => database.drop());

    test.each(DESIGN_DOCS)('%s', async (_, designDoc) => {
      const text = JSON.stringify({ _id: '_design/orders', ...designDoc });
      const report = await lintText(text, { filename: 'orders.json', only: REFUSING, target: { version } });
      const isRefused = report.findings.some((finding) => finding.severity === 'error');
      const { status } = await database.save(designDoc);
      expect({ isRefused }).toEqual({ isRefused: status >= 400 });
    });
  },
);
