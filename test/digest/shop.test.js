// A real run: counts of each shape equal what the client itself counted, from the log of either program.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestToJson } from '../../lib/digest/digest-json.js';
import { digestLogs } from '../../lib/digest/run/digest-logs.js';
import { NOW } from '../helpers/digest-text.js';

const folder = path.resolve(import.meta.dirname, '../../../shared/data/logs');
const isThere = existsSync(path.join(folder, 'shop.truth.json'));

/** How each shape of the truth file looks in a digest. @type {Record<string, Record<string, unknown>>} */
const SHAPES = {
  'PUT /{db}': { method: 'PUT', endpoint: 'database' },
  'POST _bulk_docs': { method: 'POST', database: 'shop', endpoint: '_bulk_docs' },
  'PUT _design': { method: 'PUT', database: 'shop', endpoint: '_design' },
  'by_status warmup': { view: 'by_status', parameters: ['limit'] },
  'GET _up': { endpoint: '_up' },
  'GET missing view': { view: 'nope' },
  'GET view bad key': { view: 'by_status', parameters: ['key'] },
  'GET /{db}': { method: 'GET', database: 'shop', endpoint: 'database' },
  'GET missing doc': { method: 'GET', endpoint: 'document', status: '404' },
  'GET doc': { method: 'GET', endpoint: 'document', status: '200' },
  'POST _all_docs keys': { method: 'POST', endpoint: '_all_docs' },
  'by_customer include_docs limit 1': { view: 'by_customer', parameters: ['include_docs=true', 'key', 'limit'] },
  'by_date skip': { view: 'by_date', parameters: ['limit', 'skip'] },
  'POST doc': { method: 'POST', endpoint: 'database' },
  'GET _changes longpoll': { endpoint: '_changes', parameters: ['feed=longpoll', 'since'] },
  'PUT doc random id': { method: 'PUT', endpoint: 'document' },
  'totals group_level range': { view: 'totals', parameters: ['endkey', 'group_level=2', 'startkey'] },
  'POST _find': { method: 'POST', endpoint: '_find' },
  'GET _all_docs include_docs': { method: 'GET', endpoint: '_all_docs', parameters: ['include_docs=true', 'limit'] },
  'by_status include_docs limit 200': { view: 'by_status', parameters: ['include_docs=true', 'key', 'limit'] },
  'totals group': { view: 'totals', parameters: ['group=true'] },
  'GET _changes js filter': { endpoint: '_changes', parameters: ['filter=app/mine', 'limit', 'since'] },
  'by_date include_docs all': { view: 'by_date', parameters: ['include_docs=true', 'reduce=false'] },
  'POST _replicate': { endpoint: '_replicate' },
};

/**
 * The replicator's own requests that only the log of the proxy tells apart, by the name of their program: CouchDB's log has
 * them under shapes that no client of the shop used.
 */
const REPLICATOR_ONLY = ['_session', '_ensure_full_commit', '_revs_diff', '_bulk_get', '_local'];

describe.skipIf(!isThere)('the shop', async () => {
  const truth = isThere ? JSON.parse(readFileSync(path.join(folder, 'shop.truth.json'), 'utf8')) : { shapes: {} };
  const read = async (/** @type {string} */ name) => {
    const { digest } = await digestLogs({ paths: [name], cwd: folder, now: NOW });
    return /** @type {any} */ (JSON.parse(JSON.stringify(digestToJson(digest))));
  };
  const logs = isThere
    ? { couchdb: await read('shop.couchdb-3.4.3.log'), nginx: await read('shop.nginx-combined.log') }
    : { couchdb: undefined, nginx: undefined };

  describe.each(/** @type {['couchdb', 'nginx']} */ (['couchdb', 'nginx']))('in the log of %s', (log) => {
    test('names each shape of the truth', () => {
      expect(Object.keys(SHAPES).sort()).toEqual(Object.keys(truth.shapes).sort());
    });

    test.each(Object.entries(SHAPES))('has %s as often as the client sent it', (name, { status, ...wanted }) => {
      const { shapes } = logs[log];
      const found = shapes.filter(
        (/** @type {any} */ shape) =>
          !shape.replication &&
          shape.method !== 'DELETE' &&
          Object.entries(wanted).every(([key, value]) => JSON.stringify(shape[key]) === JSON.stringify(value)),
      );
      /** @type {Record<string, number>} */
      const statuses = {};
      for (const shape of found) {
        for (const [code, count] of Object.entries(shape.statuses)) {
          if (status === undefined || code === status) statuses[code] = (statuses[code] ?? 0) + Number(count);
        }
      }
      const { count, status: expected } = truth.shapes[name];
      // The client counted answers; eleven filtered feeds were cut when it ended, which only the proxy logged.
      const isCut = log === 'nginx' && name === 'GET _changes js filter';
      expect(statuses).toEqual(isCut ? { 200: count + 11 } : expected);
    });

    test('holds nothing else but what replication did', () => {
      const named = Object.values(truth.shapes).reduce((sum, /** @type {any} */ { count }) => sum + count, 0);
      const { shapes, lines } = logs[log];
      const own = shapes.filter(
        (/** @type {any} */ shape) =>
          shape.replication ||
          REPLICATOR_ONLY.includes(shape.endpoint) ||
          shape.method === 'DELETE' ||
          (shape.database === 'shop-archive' && shape.endpoint !== 'database') ||
          shape.parameters.includes('feed=normal') ||
          shape.parameters.includes('open_revs'),
      );
      const ours = own.reduce((/** @type {number} */ sum, /** @type {any} */ { count }) => sum + count, 0);
      expect(named + ours + (log === 'nginx' ? 11 : 0)).toBe(lines.requests);
      expect(lines.malformed).toBe(0);
    });
  });

  test('both logs agree about bytes, rows and builds as far as they tell them', () => {
    const bySize = logs.nginx.shapes.find(
      (/** @type {any} */ { view, parameters }) => view === 'by_status' && parameters.length === 3,
    );
    expect(bySize.bytes).toBeGreaterThan(truth.shapes['by_status include_docs limit 200'].bytes);
    const find = logs.couchdb.shapes.find((/** @type {any} */ { endpoint }) => endpoint === '_find');
    expect(find.find).toMatchObject({ reports: 182, results: 4550 });
    expect(find.rows).toMatchObject({ basis: 'measured', p95: 25 });
    expect(logs.couchdb.indexBuilds[0]).toMatchObject({ database: 'shop', designDoc: '_design/app', builds: 700 });
    expect(logs.couchdb.indexBuilds[0].longest[0].ms).toBe(7102);
  });

  test('times are those the client saw, less the way through the proxy', () => {
    for (const { view, parameters, latencyMs } of logs.couchdb.shapes) {
      if (view !== 'totals' || parameters.length !== 1) continue;
      expect(latencyMs.mean).toBeLessThanOrEqual(truth.shapes['totals group'].meanMs);
      expect(latencyMs.mean).toBeGreaterThan(truth.shapes['totals group'].meanMs * 0.9);
    }
  });
});
