import { expect, test } from 'vitest';
import {
  changesPath,
  conflictsPath,
  databasePath,
  designDocsPath,
  indexInfoPath,
  isAllowed,
} from '../../../lib/sources/live/allowed-requests.js';
import { createClient } from '../../../lib/sources/live/client.js';
import { startFakeCouchdb } from '../../helpers/fake-couchdb.js';

test.each([
  ['GET', '/'],
  ['GET', '/_all_dbs?limit=1000'],
  ['GET', '/_all_dbs?limit=1000&startkey=%22shop%22'],
  ['GET', '/_active_tasks'],
  ['GET', '/_membership'],
  ['GET', '/_scheduler/docs?limit=1000&states=crashing,failed,error'],
  ['GET', '/_scheduler/jobs?limit=500'],
  ['GET', '/_node/_local/_smoosh/status'],
  ['GET', '/_node/_local/_config'],
  ['GET', '/_node/_local/_stats'],
  ['GET', '/_node/_local/_versions'],
  ['POST', '/_dbs_info'],
  ['GET', databasePath('shop')],
  ['GET', databasePath('user/a+b$c')],
  ['GET', databasePath('_users')],
  ['GET', '/shop/_security'],
  ['GET', '/shop/_index'],
  ['GET', designDocsPath('shop')],
  ['GET', indexInfoPath('shop', '_design/by date')],
  ['GET', '/shop/_revs_limit'],
  ['GET', changesPath('shop')],
  ['GET', conflictsPath('shop', 'order/1?x')],
  ['POST', '/shop/_explain'],
  ['GET', '/shop/_all_docs?include_docs=true&limit=28&startkey=%22z%22'],
  ['GET', '/shop/_all_docs?include_docs=true&limit=28&startkey=%22a%22&endkey=%22b%22&inclusive_end=false'],
])('%s %s is asked', (method, path) => {
  expect(isAllowed(method, path)).toBe(true);
});

test.each([
  ['PUT', '/shop'],
  ['DELETE', '/shop'],
  ['POST', '/shop'],
  ['HEAD', '/shop'],
  ['COPY', '/shop/order-1'],
  ['GET', '/shop/order-1'],
  ['GET', '/shop/_all_docs?include_docs=true'],
  ['GET', '/shop/_all_docs?include_docs=true&limit=28&startkey=%22a%22&update_seq=true'],
  ['GET', '/shop/_changes'],
  ['GET', '/shop/_changes?style=all_docs&descending=true&limit=2000'],
  ['GET', `${changesPath('shop')}&include_docs=true`],
  ['PUT', '/shop/_revs_limit'],
  ['GET', conflictsPath('shop', '_local/checkpoint')],
  ['GET', conflictsPath('_users', 'org.couchdb.user:anna')],
  ['GET', '/shop/%5fdesign%2Forders?conflicts=true'],
  ['GET', '/shop/order-1?conflicts=true&attachments=true'],
  ['GET', '/shop/order-1/photo?conflicts=true'],
  ['PUT', '/_node/_local/_smoosh/status'],
  ['GET', '/shop/_design/orders'],
  ['GET', '/shop/_design/orders/_view/by_date'],
  ['GET', '/shop/_design/orders/_info?x=1'],
  ['GET', '/shop/_security/more'],
  ['PUT', '/shop/_security'],
  ['POST', '/shop/_find'],
  ['POST', '/shop/_index'],
  ['POST', '/shop/_compact'],
  ['POST', '/shop/_view_cleanup'],
  ['POST', '/shop/_bulk_docs'],
  ['POST', '/shop/_explain/more'],
  ['POST', '/_replicate'],
  ['GET', '/_session'],
  ['POST', '/_session'],
  ['PUT', '/_node/_local/_config/admins/anna'],
  ['GET', '/_node/other/_config'],
  ['GET', '/_node/_local/_config/admins'],
  ['GET', '/_utils'],
  ['GET', '/shop/../_session'],
  ['GET', '/shop/%2e%2e/_session'],
  ['GET', '/shop/_design/../_info'],
  ['GET', '/shop/_design/%2E%2E/_info'],
  ['GET', '/shop#/_security'],
  ['get', '/shop'],
  ['GET', ''],
])('%s %s is refused', (method, path) => {
  expect(isAllowed(method, path)).toBe(false);
});

test('what is refused is never sent', async () => {
  const server = await startFakeCouchdb();
  const ask = createClient({ origin: server.origin, headers: {}, rate: 1000 });
  try {
    await expect(ask('POST', '/shop/_compact', {})).rejects.toThrow('refused: POST /shop/_compact');
    await expect(ask(/** @type {any} */ ('DELETE'), '/shop')).rejects.toThrow('refused');
    await expect(ask('GET', '/shop/order-1')).rejects.toThrow('refused');
    expect(server.served).toEqual([]);
  } finally {
    await server.close();
  }
});
