// Facts about temporary queries: the view that each could be, and names of the program that a stored map would lack.

import { expect, test } from 'vitest';
import { callFactsOf } from '../../helpers/call-facts.js';

const POUCH = "const PouchDB = require('pouchdb');\nconst shop = new PouchDB('shop');\nconst cities = [];\n";

test.each([
  [
    'shop.query(function (doc) { emit(doc.customer.city); }, { key })',
    {
      'call.method': 'temporary-query',
      'call.storedViewCode':
        "{ _id: '_design/by_customer_city', views: { by_customer_city: { map: 'function (doc) { emit(doc.customer.city); }' } } }",
      'call.queryByName': "shop.query('by_customer_city', …)",
      'call.mapOuterNames': [],
    },
  ],
  [
    'shop.query((doc, emit) => { if (cities.includes(doc.city)) emit([doc.city, doc._id]); })',
    {
      'call.queryByName': "shop.query('by_city_and_id', …)",
      'call.storedViewCode':
        "{ _id: '_design/by_city_and_id', views: { by_city_and_id: { map: '(doc) => { if (cities.includes(doc.city)) emit([doc.city, doc._id]); }' } } }",
      'call.mapOuterNames': ['cities'],
    },
  ],
  [
    "shop.query({ map: (doc) => { emit(doc.type, Math.round(doc.total)); }, reduce: '_sum' })",
    {
      'call.method': 'temporary-query',
      'call.storedViewCode':
        "{ _id: '_design/by_type', views: { by_type: { map: '(doc) => { emit(doc.type, Math.round(doc.total)); }', reduce: '_sum' } } }",
      'call.mapOuterNames': [],
    },
  ],
  [
    'shop.query((doc, send) => { send(doc.city); })',
    {
      'call.queryByName': "shop.query('by_city', …)",
      'call.storedViewCode': "{ _id: '_design/by_city', views: { by_city: { map: '…' } } }",
    },
  ],
  [
    'shop.query((doc) => { emit(doc.a); emit(doc.b); // both\n })',
    {
      'call.queryByName': "shop.query('by_key', …)",
      'call.storedViewCode': "{ _id: '_design/by_key', views: { by_key: { map: '…' } } }",
    },
  ],
  ['shop.query((doc) => { emit(doc.date.slice(0, 10)); })', { 'call.queryByName': "shop.query('by_key', …)" }],
  ['shop.query(byDate); function byDate(doc) { emit(doc.date); }', { 'call.queryByName': "shop.query('by_date', …)" }],
  ['shop.query({ map })', { 'call.method': 'temporary-query', 'call.mapOuterNames': 'unknown' }],
  ["shop.query('orders/by_date')", { 'call.method': 'view', 'call.mapOuterNames': 'unknown' }],
])('%s', async (code, expected) => {
  expect(await callFactsOf(POUCH, code)).toMatchObject(expected);
});

test('cradle names a view with its design document', async () => {
  const cradle = "const cradle = require('cradle');\nconst shop = new (cradle.Connection)().database('shop');\n";
  expect(
    await callFactsOf(cradle, 'shop.temporaryView({ map: function (doc) { emit(doc.city); } }, show)'),
  ).toMatchObject({
    'call.method': 'temporary-query',
    'call.queryByName': "shop.view('by_city/by_city', …)",
  });
});
