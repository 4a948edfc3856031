// Members that a document of a program may have from elsewhere: what the text lacks is unknown and not absent.

import { expect, test } from 'vitest';
import { createProject } from '../../helpers/temporary-project.js';

const MAP = "function (doc) { if (doc.type === 'order') emit(doc.status, null); }";

/**
 * @param {string} document
 * @returns {Promise<any[]>} subjects with their facts
 */
async function subjectsOf(document) {
  const project = createProject({ 'orders.js': `const base = require('base');\nmodule.exports = ${document};\n` });
  const { stdout } = await project.run(['facts', 'orders.js', '--format', 'json']);
  return JSON.parse(stdout).subjects;
}

/**
 * @param {any[]} subjects
 * @param {string} id of a fact
 * @returns {unknown} `unknown` where it is
 */
function factOf(subjects, id) {
  const found = subjects.find(({ facts }) => id in facts).facts[id];
  return 'unknown' in found ? 'unknown' : found.value;
}

const OF_DOCUMENT = ['ddoc.hasLists', 'ddoc.isPartitioned', 'ddoc.indexUpkeep', 'ddoc.languageState'];

test.each([
  ['nothing else', `{_id: '_design/orders', views: {by_status: {map: ${MAP}}}}`, [false, false, 'server', 'offered']],
  [
    'a spread object',
    `{...base, _id: '_design/orders', views: {by_status: {map: ${MAP}}}}`,
    ['unknown', 'unknown', 'unknown', 'unknown'],
  ],
  [
    'a computed key',
    `{[base.key]: base.value, _id: '_design/orders', views: {by_status: {map: ${MAP}}}}`,
    ['unknown', 'unknown', 'unknown', 'unknown'],
  ],
  [
    'a spread object and these members',
    `{...base, _id: '_design/orders', language: 'javascript', autoupdate: false, lists: {}, options: {partitioned: true}, views: {by_status: {map: ${MAP}}}}`,
    [false, true, 'readers', 'offered'],
  ],
  [
    'options that are spread',
    `{_id: '_design/orders', options: {...base}, views: {by_status: {map: ${MAP}}}}`,
    [false, 'unknown', 'server', 'offered'],
  ],
])('a document with %s', async (_, document, expected) => {
  const subjects = await subjectsOf(document);
  expect(OF_DOCUMENT.map((id) => factOf(subjects, id))).toEqual(expected);
});

test.each([
  ['a view', `{map: ${MAP}}`, 'none', false],
  ['a view into which more is spread', `{...base, map: ${MAP}}`, 'other', 'unknown'],
  [
    'a view with its own reduce',
    `{...base, map: ${MAP}, reduce: '_count', options: {collation: 'raw'}}`,
    'builtin',
    true,
  ],
])('%s', async (_, view, kind, isRaw) => {
  const subjects = await subjectsOf(`{_id: '_design/orders', views: {by_status: ${view}}}`);
  expect([factOf(subjects, 'reduce.kind'), factOf(subjects, 'view.isSortedByBytes')]).toEqual([kind, isRaw]);
});

test('a view whose map may come from elsewhere is not said to have none', async () => {
  const text = (/** @type {string} */ view) =>
    `const base = require('base');\nmodule.exports = {_id: '_design/orders', views: {a: {map: ${MAP}}, b: ${view}}};\n`;
  const lint = async (/** @type {string} */ view) =>
    (await createProject({ 'orders.js': text(view) }).run(['lint'])).stdout;
  expect(await lint("{reduce: '_count'}")).toContain('has no `map` function');
  expect(await lint("{...base, reduce: '_count'}")).not.toContain('has no `map` function');
});
