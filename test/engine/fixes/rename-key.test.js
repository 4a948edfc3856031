import { expect, test } from 'vitest';
import { fixedFiles, fixedText } from '../../helpers/fixed.js';
import { createProject } from '../../helpers/temporary-project.js';

test.each([
  [
    '{"_id": "_design/a", "veiws": {}, "language": "javascript"}',
    '{"_id": "_design/a", "views": {}, "language": "javascript"}',
  ],
  ['{\r\n\t"_id": "_design/a",\r\n\t"filter" : {}\r\n}\r\n', '{\r\n\t"_id": "_design/a",\r\n\t"filters" : {}\r\n}\r\n'],
  ['{"_id": "_design/a", "v\\u0065iws": {}}', '{"_id": "_design/a", "views": {}}'],
])('%j becomes %j', async (before, after) => {
  expect(await fixedText('rename-key', before)).toBe(after);
  expect(await fixedText('rename-key', after)).toBeUndefined();
});

/** @param {string} rest @returns {string} a module whose document is made in parts */
const inParts = (rest) => `const ddoc = { _id: '_design/a', filters: {} }; ${rest} module.exports = ddoc;`;

test.each([
  [
    "module.exports = { _id: '_design/a', filters: {}, veiws: {} };",
    "module.exports = { _id: '_design/a', filters: {}, views: {} };",
  ],
  [
    "module.exports = { _id: '_design/a', filters: {}, 'veiws': {} };",
    "module.exports = { _id: '_design/a', filters: {}, 'views': {} };",
  ],
  [inParts('ddoc.veiws = {};'), inParts('ddoc.views = {};')],
  [inParts("ddoc['veiws'] = {};"), inParts("ddoc['views'] = {};")],
  ["const veiws = {}; module.exports = { _id: '_design/a', filters: {}, veiws };", undefined],
  [inParts('ddoc.veiws = {}; ddoc.veiws.by_date = {};'), undefined],
])('in a module %j becomes %j', async (before, after) => {
  expect(await fixedText('rename-key', before, 'orders.js')).toBe(after);
});

test('a key that is the name of a folder is left as it is', async () => {
  const app = {
    'app/_id': '_design/a',
    'app/x.json': '{}',
    'app/veiws/all/map.js': 'function (doc) { emit(doc._id, null); }',
  };
  expect((await createProject(app).lint()).codes).toContain('ddoc/invalid-structure#misspelt');
  expect(await fixedFiles('rename-key', app)).toEqual({});
});
