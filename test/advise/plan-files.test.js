// The files of a change: as CouchDB takes them and `lint` reads them, under names that every system has.

import { describe, expect, test } from 'vitest';
import { planFiles } from '../../lib/advise/plan-files.js';
import { createProject } from '../helpers/temporary-project.js';

/** @import { PlanChange } from '../../lib/advise/plan.js' */

const VIEW = { map: 'function (doc) {\n  emit(doc.date, null);\n}', reduce: '_count' };
const NOTHING = () => undefined;

/** @param {Partial<PlanChange>} change @returns {PlanChange} */
function indexChange(change = {}) {
  const index = { fields: ['status'] };
  return { kind: 'create-index', database: 'shop', designDoc: '_design/orders', name: 'by-status', index, ...change };
}

/** @param {Partial<PlanChange>} change @returns {PlanChange} */
function viewChange(change = {}) {
  return { kind: 'change-view', database: 'shop', designDoc: '_design/app', name: 'by_date', view: VIEW, ...change };
}

/** @param {PlanChange} change @returns {string | undefined} */
const pathOf = (change) => planFiles([change], NOTHING)[0]?.[0]?.path;

describe('names', () => {
  test.each([
    ['shop', 'by-status', 'shop/indexes/by-status.json'],
    [null, 'by-status', 'unknown-database/indexes/by-status.json'],
    ['user-*', 'x', 'user-%2A/indexes/x.json'],
    ['a/b$(c)+d', 'x', 'a%2Fb$(c)+d/indexes/x.json'],
    ['shop', '../../etc/passwd', 'shop/indexes/%2E.%2F..%2Fetc%2Fpasswd.json'],
    ['..', '.', '%2E%2E/indexes/%2E.json'],
    ['shop', 'con', 'shop/indexes/%63on.json'],
    ['shop', 'a:b?c"d<e>f|g\\h', 'shop/indexes/a%3Ab%3Fc%22d%3Ce%3Ef%7Cg%5Ch.json'],
    ['shop', 'name.', 'shop/indexes/name%2E.json'],
    ['shop', 'größe\0\n', 'shop/indexes/gr%C3%B6%C3%9Fe%00%0A.json'],
    ['shop', 'lone \ud800', 'shop/indexes/lone %EF%BF%BD.json'],
    ['shop', '', 'shop/indexes/%.json'],
  ])('of %j, %j are %s', (database, name, path) => {
    expect(pathOf(indexChange({ database, name }))).toBe(path);
  });

  test('are cut where they are too long, and stay different', () => {
    const [one, other] = ['a', 'b'].map((end) => pathOf(indexChange({ name: '数'.repeat(100) + end })) ?? '');
    expect(one).not.toBe(other);
    expect(one?.split('/').at(-1)?.length).toBeLessThan(255);
  });
});

test('an index is written as `POST /db/_index` takes it, and lint reads it as a Mango index', async () => {
  const change = indexChange({
    index: { fields: ['status', { date: 'desc' }], partial_filter_selector: { type: 'order' } },
  });
  const [file] = planFiles([change], NOTHING)[0] ?? [];
  expect(JSON.parse(file?.content ?? '')).toEqual({
    index: change.index,
    ddoc: 'orders',
    name: 'by-status',
    type: 'json',
  });
  const project = createProject({ [file?.path ?? '']: file?.content ?? '' });
  const { stdout } = await project.run(['facts', '.']);
  expect(stdout).toContain('by-status');
  expect((await project.lint()).errors).toEqual([]);
});

describe('a view', () => {
  const document = {
    _id: '_design/app',
    _rev: '3-1f',
    language: 'javascript',
    views: { by_date: { map: 'function (doc) {}' }, old: VIEW },
    filters: { mine: 'function () {}' },
  };
  const contentOf = (/** @type {PlanChange} */ change, /** @type {any} */ now) =>
    JSON.parse(planFiles([change], () => now)[0]?.[0]?.content ?? 'null');

  test('that is new has a design document of its own', () => {
    expect(contentOf(viewChange({ kind: 'create-view', designDoc: '_design/new' }), undefined)).toEqual({
      _id: '_design/new',
      language: 'javascript',
      views: { by_date: VIEW },
    });
    expect(pathOf(viewChange({ kind: 'create-view', designDoc: '_design/a/b' }))).toBe('shop/design/a%2Fb.json');
  });

  test('is replaced in the whole design document, which loses only its revision', () => {
    const { _rev, ...others } = document;
    expect(contentOf(viewChange(), document)).toEqual({ ...others, views: { ...document.views, by_date: VIEW } });
  });

  test('is dropped, and the document with the last of its views keeps the rest', () => {
    expect(Object.keys(contentOf(viewChange({ kind: 'drop-view' }), document).views)).toEqual(['old']);
    const last = { ...document, views: { by_date: VIEW } };
    expect(contentOf(viewChange({ kind: 'drop-view' }), last)).toEqual({
      _id: '_design/app',
      language: 'javascript',
      filters: document.filters,
    });
  });

  test.each([
    ['of a document that is not known', viewChange(), undefined],
    [
      'that is the only thing in its document',
      viewChange({ kind: 'drop-view' }),
      { _id: '_design/app', views: { by_date: VIEW } },
    ],
    ['or an index that is dropped', indexChange({ kind: 'drop-index' }), document],
  ])('%s has no file', (_, change, now) => {
    expect(planFiles([change], () => now)).toEqual([[]]);
  });

  test('that is changed after another of its document brings that change along', () => {
    const files = planFiles([viewChange(), viewChange({ name: 'old', kind: 'drop-view' })], () => document);
    expect(JSON.parse(files[1]?.[0]?.content ?? '').views).toEqual({ by_date: VIEW });
  });

  test('named `__proto__` is a view like others', () => {
    const [file] = planFiles([viewChange({ kind: 'create-view', name: '__proto__' })], NOTHING)[0] ?? [];
    expect(file?.content).toContain('"__proto__": {');
  });
});
