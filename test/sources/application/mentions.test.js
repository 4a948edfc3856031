// Names of views in the text of an application: evidence that a view is used, whatever the receiver.

import { describe, expect, test } from 'vitest';
import { findMentions } from '../../../lib/sources/application/mentions.js';
import { SourceFile } from '../../helpers/read-source.js';

/**
 * @param {string} text
 * @returns {string[]} `orders/by_status`, each once
 */
function namesIn(text) {
  return findMentions([new SourceFile('shop.js', text)]).map(({ designDoc, view }) => `${designDoc}/${view}`);
}

describe('a name of a view', () => {
  test.each([
    ['in a path', "const BY_STATUS = 'orders/by_status';", ['orders/by_status']],
    ['in a path with its prefix', 'read("_design/orders/by_status")', ['orders/by_status']],
    ['in two strings', "queryShop('orders', 'by_status', { key })", ['orders/by_status']],
    ['in two of three strings', "run('shop', 'orders', 'by_status')", ['shop/orders', 'orders/by_status']],
    ['in two strings in lines of their own', 'queryShop(\n  "orders",\n  `by_status`,\n)', ['orders/by_status']],
    ['in a URL', 'fetch(`${base}/shop/_design/orders/_view/by_status?limit=10`)', ['orders/by_status']],
    ['in a comment', '// see /shop/_design/orders/_view/by_status', ['orders/by_status']],
    ['behind a list function', "'/_design/orders/_list/table/by_status'", ['orders/by_status']],
    ['behind a list function of another document', "'/_design/app/_list/table/orders/by_status'", ['orders/by_status']],
    ['of its design document', "couch.query('orders', cb)", ['orders/orders']],
  ])('%s', (_, text, names) => {
    expect(namesIn(text)).toEqual(names);
  });
});

describe('a name that only running would show', () => {
  test.each([
    ['both', 'couch.view(ddoc, name, cb)', ['*/*']],
    ['the view', "couch.view('orders', name)", ['orders/*']],
    ['the design document', "couch.view(DDOC, 'by_status')", ['*/by_status']],
    ['a part of the view', "couch.view('orders', 'by_' + field)", ['orders/by_', 'orders/by_*']],
    ['a part of a template', 'couch.view(`orders`, `by_${field}_and_${other}`)', ['orders/by_*_and_*']],
    ['a part of a path', "couch.query('orders/' + name, options)", ['orders/*']],
    ['the front of a path', "couch.query(DDOC + '/by_status', options)", ['*/by_status']],
    ['a path in front of options', 'couch.view(path, { limit: 10 })', ['*/*']],
    ['behind a partition', "couch.partitionedView(shop, 'orders', name)", ['orders/*']],
    ['in a URL', "'/shop/_design/' + ddoc + '/_view/' + name", ['*/*']],
    ['the view in a URL', '`_design/orders/_view/${name}`', ['orders/*']],
    ['what is appended to a URL', "'_design/orders/_view/by_status' + query", ['orders/by_status*']],
    ['the design document in a URL', '`_design/${ddoc}/_view/by_status`', ['*/by_status']],
    ['with the name of a type', 'couch.view<Order>(ddoc, name)', ['*/*']],
  ])('%s', (_, text, names) => {
    expect(namesIn(text)).toEqual(names);
  });
});

test.each([
  ['a query of another database', 'couchOrSql.query(statement, [id])'],
  ['a function as argument', 'couch.query(function (doc) { emit(doc.status); })'],
  ['a view of a page', 'couchPage.view({ model })'],
  ['a view of a page by name', 'couchPage.view(name)'],
  ['computed names where nothing is of CouchDB', 'map.view(position, zoom)'],
  ['an unfinished call', "couch.view('orders"],
])('%s mentions no view', (_, text) => {
  expect(namesIn(text)).toEqual([]);
});

test('each name is there once, at its first place', () => {
  const files = ["a('orders/by_status');", "\n  b('orders', 'by_status');"].map(
    (text, at) => new SourceFile(`${at}.js`, text),
  );
  const [mention, ...others] = findMentions(files);
  expect(others).toEqual([]);
  expect(mention?.file.path).toBe('0.js');
  expect(mention?.file.text.slice(mention.start, mention.end)).toBe("'orders/by_status'");
});
