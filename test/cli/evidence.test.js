// `lint --docs` and `facts --docs`: what functions do with documents, broken lines, functions without an end, and hooks.

import { expect, test } from 'vitest';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

const BY_ARTICLE =
  'function (doc) {\n  if (doc.type === "order") doc.items.forEach(function (item) { emit(item.article, 1); });\n}';

/** @param {number} count @param {(doc: Record<string, unknown>, at: number) => void} [change] */
function orders(count, change) {
  return Array.from({ length: count }, (_, at) => {
    const doc = { _id: `order-${at}`, type: 'order', items: [{ article: 'cup' }] };
    change?.(doc, at);
    return JSON.stringify(doc);
  });
}

/** @param {Record<string, string>} maps */
function designDoc(maps) {
  const views = Object.fromEntries(Object.entries(maps).map(([name, map]) => [name, { map }]));
  return { _id: '_design/orders', views };
}

test('a line that is broken is one error with its place, and the others count', async () => {
  const lines = orders(1000, (doc, at) => at % 100 === 3 && delete doc['items']);
  lines[699] = '{"_id": "order-699", broken';
  const project = createProject({
    'ddocs/orders.json': designDoc({ by_article: BY_ARTICLE }),
    'o.jsonl': lines.join('\n'),
  });
  const { errors, findings } = await project.lint(['ddocs', '--docs', 'o.jsonl']);
  expect(errors.map(({ place }) => place)).toEqual([{ file: 'o.jsonl', line: 700, column: 1 }]);
  const found = findings.find(({ rule }) => rule === 'ddoc/throws-on-documents');
  expect(found?.message).toBe('`views.by_article.map` throws on 10 of your documents: `doc.items` is missing');
  expect(found?.why).toContain('999 documents');
  // What was kept says the same.
  const { findings: again } = await project.lint(['ddocs', '--docs', 'o.jsonl']);
  expect(again).toEqual(findings);
});

test('a map without an end is stopped and named', async () => {
  const maps = { endless: 'function (doc) { while (true) {} }', by_article: BY_ARTICLE };
  const project = createProject({ 'orders.json': designDoc(maps), 'o.jsonl': orders(120).join('\n') });
  const { codes, notes } = await project.lint(['orders.json', '--docs', 'o.jsonl']);
  expect(codes.filter((code) => code.startsWith('ddoc/throws'))).toEqual([]);
  expect(notes.map(({ reason }) => reason).join()).toMatch(
    /views\.endless\.map at line 5 was stopped after 0 documents \(.*steps\)/,
  );
});

test('functions are not run on documents in a hook, unless a rule or documents are named', async () => {
  const project = createProject({ 'orders.json': designDoc({ by_article: BY_ARTICLE }) });
  const rule = 'map/throws-if-missing';
  expect((await project.lint(['orders.json'])).codes).toContain(`${rule}#throws`);
  expect((await project.lint(['--ignore-unknown', 'orders.json'])).codes).toEqual([]);
  expect((await project.lint(['--ignore-unknown', 'orders.json', '--rule', rule])).codes).toEqual([`${rule}#throws`]);
});

test('documents that do not make a map throw speak for it', async () => {
  const project = createProject({
    'orders.json': designDoc({ by_article: BY_ARTICLE }),
    'o.jsonl': orders(100).join('\n'),
  });
  expect((await project.lint(['orders.json', '--docs', 'o.jsonl'])).codes).not.toContain(
    'map/throws-if-missing#throws',
  );
});

test('facts print the members of the documents', async () => {
  const project = createProject({ 'o.jsonl': orders(4, (doc, at) => at === 3 && delete doc['items']).join('\n') });
  const { stdout } = await project.run(['facts', '--docs', 'o.jsonl', '--format', 'json']);
  expect(stdout).toContain('"items[].article (75 %): string"');
});

test('functions of search indexes are run as Clouseau and Nouveau run them', async () => {
  const index = {
    index:
      "function (doc) { index('string', 'id', doc._id); index('double', 'total', doc.total); index('text', 'town', doc.address.town); }",
  };
  const one = { index: "function (doc) { index('name', doc.name); }" };
  const project = createProject({
    'search.json': { _id: '_design/search', nouveau: { orders: index }, indexes: { names: one } },
    'o.jsonl': [
      { _id: 'a', total: 1, address: { town: 'x' }, name: 'n' },
      { _id: 'b', total: '1', address: { town: 'x' } },
      { _id: 'c', total: 1, name: { first: 'n' } },
      { _id: '_design/x' },
      { _id: 'd', _deleted: true },
    ]
      .map((doc) => JSON.stringify(doc))
      .join('\n'),
  });
  const { findings } = await project.lint(['search.json', '--docs', 'o.jsonl']);
  const found = findings.filter(({ rule }) => rule === 'ddoc/throws-on-documents');
  expect(found.map(({ message }) => message).sort()).toEqual([
    // That a name is missing costs nothing: it is the only field.
    '`indexes.names.index` throws on 1 of your documents: index refuses `name`: object',
    '`nouveau.orders.index` throws on 2 of your documents: index refuses `total`: string (1), `doc.address` is missing…',
  ]);
  expect(found.every(({ outcome }) => outcome === 'loses-fields')).toBe(true);
});

test('a recording that a glob of loads matches is no load, and skipped by name once', async () => {
  const project = createProject({
    'answers.jsonl': '{"couch-advisor-answers":1,"origin":"http://localhost:5984"}\n{"/":{"version":"3.3.3"}}\n',
    'orders.jsonl': '{"_id":"order-1"}\n',
    'couch-advisor.config.json': '{"loads": ["*.jsonl"]}',
    'ddocs/orders.json': ordersWith('_sum'),
  });
  const { stderr } = await project.run(['lint', '--verbose']);
  expect(stderr.match(/answers\.jsonl: saved by --record; pass its path to read it/g)).toHaveLength(1);
  /** @type {{kind: string, name: string}[]} */
  const subjects = JSON.parse((await project.run(['facts', '--format', 'json'])).stdout).subjects;
  expect(subjects.filter(({ kind }) => kind === 'load').map(({ name }) => name)).toEqual(['orders.jsonl']);
});
