// Why requests are refused, as far as logs and design documents tell together; none where they do not.

import { describe, expect, test } from 'vitest';
import { APP, line, shapeOf, subjectsOf } from '../helpers/logged-facts.js';

describe('why requests are refused', () => {
  const of = (/** @type {string} */ view, /** @type {string} */ rest) => `GET /shop/_design/app/_view/${view}${rest} 5`;
  const partitioned = { ...APP, options: { partitioned: true } };
  const whole = { ...APP, options: { partitioned: false } };
  const docs = '?include_docs=true';
  test.each([
    ['documents of a reduce', [of('counts', `${docs} 400`)], APP, 'docs-of-reduce'],
    ['documents of a reduce, by HEAD', [of('counts', `${docs} 400`).replace('GET', 'HEAD')], APP, 'docs-of-reduce'],
    [
      'documents of a reduce, by a list',
      ['GET /shop/_design/app/_list/csv/totals?include_docs=true 400 5'],
      APP,
      'docs-of-reduce',
    ],
    ['documents of rows', [of('by_date', `${docs} 400`)], APP, 'none'],
    ['documents where the reduce is off', [of('counts', `${docs}&reduce=false 400`)], APP, 'none'],
    ['no documents', [of('counts', ' 400')], APP, 'none'],
    ['a list of queries', [of('counts', `/queries${docs} 400`)], APP, 'none'],
    ['what is posted', [of('counts', `${docs} 400`).replace('GET', 'POST')], APP, 'none'],
    ['another status', [of('counts', `${docs} 500`)], APP, 'none'],
    ['some that are answered', [of('counts', `${docs} 400`), of('counts', `${docs} 200`)], APP, 'none'],
    ['some that fail', [of('counts', `${docs} 400`), of('counts', `${docs} 500`)], APP, 'docs-of-reduce'],
    ['a view that was not read', [of('nope', `${docs} 400`)], APP, 'none'],
    ['a partitioned view', [of('by_date', ' 400')], partitioned, 'no-partition'],
    ['a partitioned view with a reduce', [of('counts', `${docs} 400`)], partitioned, 'no-partition'],
    ['a partitioned view that answers', [of('by_date', ' 200')], partitioned, 'none'],
    ['one partition', ['GET /shop/_partition/p1/_design/app/_view/by_date?key=1 400 5'], partitioned, 'none'],
    ['a view of the whole', [of('by_date', ' 400')], whole, 'none'],
  ])('%s', async (_, requests, ddoc, expected) => {
    const fact = await shapeOf(
      requests.map((request, at) => line(request, at)),
      ddoc,
    );
    expect(fact('refusalCause')).toBe(expected);
  });

  test.each([
    ['is asked by partition', 'GET /shop/_partition/p1/_all_docs 200 5', APP, 'no-partition'],
    ['refuses partitions', 'GET /shop/_partition/p1/_all_docs 400 5', APP, 'none'],
    ['is another', 'GET /stock/_partition/p1/_all_docs 200 5', APP, 'none'],
    ['has a document for the whole', 'GET /shop/_partition/p1/_all_docs 200 5', whole, 'none'],
  ])('where a document says nothing and its database %s', async (_, other, ddoc, expected) => {
    const subjects = await subjectsOf([line(of('by_date', ' 400'), 0), line(other, 1)], ddoc);
    const shape = subjects.find(({ name }) => name === 'GET shop/_design/app/_view/by_date');
    expect(shape?.facts.get('request.refusalCause')).toBe(expected);
  });

  test('not by what is asked of several databases', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => [
      line(`GET /shop-${at}/_design/app/_view/by_date 400 5`, at),
      line(`GET /shop-${at}/_partition/p1/_all_docs 200 5`, at),
    ]).flat();
    const subjects = await subjectsOf(lines);
    const shape = subjects.find(({ name }) => name.endsWith('/_view/by_date'));
    expect(shape?.name).toContain('*');
    expect(shape?.facts.get('request.refusalCause')).toBe('none');
  });
});
