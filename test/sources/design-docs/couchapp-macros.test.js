import { expect, test } from 'vitest';
import { readCouchappFolder } from '../../../lib/sources/design-docs/couchapp-folder.js';
import { DiskTree } from '../../../lib/sources/disk-tree.js';
import { member } from '../../helpers/internals.js';
import { createTree, placeOf, plain } from '../../helpers/memory-tree.js';

/** @import { ValueNode } from '../../../lib/sources/record.js' */
/** @import { FileTree } from '../../../lib/sources/design-docs/couchapp-tree.js' */

/**
 * @param {FileTree} tree
 * @param {string} [folder]
 */
async function read(tree, folder = 'app') {
  const { records, errors } = await readCouchappFolder(tree, folder);
  return { node: records[0]?.kind === 'design-doc' ? records[0].node : undefined, errors };
}

/**
 * @param {ValueNode | undefined} node
 * @param {string[]} path
 */
function at(node, ...path) {
  return path.reduce((/** @type {ValueNode | undefined} */ inner, key) => member(inner, key), node);
}

/**
 * @param {string} map text of a map
 * @param {Record<string, string>} [others]
 */
async function readMap(map, others = {}) {
  const { node, errors } = await read(createTree({ 'app/views/all/map.js': map, ...others }));
  return { map: at(node, 'views', 'all', 'map'), errors };
}

test('named files and members are pasted in, and each character leads to its own file', async () => {
  const folder = 'fixtures/design-docs/couchapp/stock';
  const { node } = await read(new DiskTree(process.cwd()), folder);
  const map = at(node, 'views', 'low', 'map');
  expect(plain(map)).toBe(
    [
      'function (doc) {',
      '  function level(doc) {',
      '  return doc.amount;',
      '}',
      '',
      '  var texts = {"units": {"kg": "kilogram", "pc": "piece!"}};',
      '  emit(level(doc), units[doc.unit]);',
      '}',
    ].join('\n'),
  );
  expect(placeOf(map, 'return doc.amount')).toBe(`${folder}/lib/helpers.js:2:3`);
  expect(placeOf(map, '"piece!"')).toBe(`${folder}/texts/units.json:1:26`);
  expect(placeOf(map, 'var texts')).toBe(`${folder}/views/low/map.js:3:3`);
  expect(placeOf(map, 'emit')).toBe(`${folder}/views/low/map.js:4:3`);
});

test('a macro without a target is one error at its place, and the function is not judged', async () => {
  const folder = 'fixtures/design-docs/couchapp/stock';
  const { node, errors } = await read(new DiskTree(process.cwd()), folder);
  expect(errors).toEqual([
    {
      code: 'macro-target-missing',
      message: '`!code lib/missing.js`: no such file',
      hint: 'use a path below the folder of the design document',
      place: { file: `${folder}/shows/page.js`, line: 2, column: 3, endLine: 2, endColumn: 26 },
    },
  ]);
  expect(plain(at(node, 'shows', 'page'))).toEqual({
    unknown: 'cannot expand a macro: `!code lib/missing.js`: no such file',
  });
});

test.each([
  ['a path', '// !code lib/a.js', 'var a;'],
  ['no space', '//!code lib/a.js', 'var a;'],
  ['a hash', '# !code lib/a.js', 'var a;'],
  ['a Windows line end', '// !code lib/a.js\r', 'var a;'],
  ['a pattern', '// !code lib/*.js', 'var a;var b;'],
  ['a pattern for one character', '// !code lib/?.js', 'var a;var b;'],
  ['a pattern for folders', '// !code l*/b.js', 'var b;'],
  ['a path out of the folder', '// !code ../shared/tax.js', 'var tax;'],
  ['two macros', '// !code lib/a.js\n// !code lib/b.js', 'var a;\nvar b;'],
])('!code takes %s', async (_name, macro, expected) => {
  const { map, errors } = await readMap(`x;\n${macro}\ny;`, {
    'app/lib/a.js': 'var a;',
    'app/lib/b.js': '\ufeffvar b;',
    'app/lib/c.txt': 'text',
    'app/lib/d.js/e.txt': 'a folder',
    'shared/tax.js': 'var tax;',
  });
  expect(errors).toEqual([]);
  expect(plain(map)).toBe(`x;\n${expected}\ny;`);
});

test('!code is expanded in pasted files, too', async () => {
  const { map } = await readMap('// !code lib/a.js\n', {
    'app/lib/a.js': 'a; // !code lib/b.js\n;',
    'app/lib/b.js': 'b',
  });
  expect(plain(map)).toBe('a; b\n;');
  expect(placeOf(map, 'b')).toBe('app/lib/b.js:1:1');
});

test.each([
  ['itself', { 'app/lib/a.js': '// !code lib/a.js' }, 'macro-loop'],
  [
    'itself by way of another',
    { 'app/lib/a.js': '// !code lib/b.js', 'app/lib/b.js': '// !code lib/a.js' },
    'macro-loop',
  ],
  [
    'more than can be kept',
    { 'app/lib/a.js': '// !code lib/b*\n'.repeat(9), ...many('// !code lib/c*\n', 'b'), ...many('x', 'c') },
    'macro-too-large',
  ],
])('a file that pastes in %s is an error', async (_name, files, code) => {
  const { map, errors } = await readMap('// !code lib/a.js', files);
  expect(errors).toMatchObject([{ code }]);
  expect(map?.type).toBe('unknown');
});

test.each([
  ['a text', '// !json texts.hello', 'var texts = {"hello": "Good \\"day\\""};'],
  ['a whole folder', '// !json texts', 'var texts = {"hello": "Good \\"day\\"", "prices": {"list": [1, null, true]}};'],
  ['a value in a JSON file', '//!json texts.prices.list', 'var texts = {"prices": {"list": [1, null, true]}};'],
  ['a file of the attachments', '// !json _attachments/*.json', 'var _attachments = {"menu.json": {"a": 1}};'],
])('!json takes %s', async (_name, macro, expected) => {
  const { map, errors } = await readMap(`${macro}`.concat('\nfunction (doc) {}'), {
    'app/texts/hello.txt': 'Good "day"\n',
    'app/texts/prices.json': '{"list": [1, null, true]}',
    'app/_attachments/menu.json': '{"a": 1}',
  });
  expect(errors).toEqual([]);
  expect(plain(map)).toBe(`${expected}\nfunction (doc) {}`);
});

test('several !json macros make one set of variables, written at each', async () => {
  const { map } = await readMap('// !json texts.a\n// !json texts.b\n', { 'app/texts/a': '1', 'app/texts/b': '2' });
  expect(plain(map)).toBe('var texts = {"a": "1", "b": "2"};\nvar texts = {"a": "1", "b": "2"};');
});

test.each([
  ['above', '// !json texts.a\n// !json texts'],
  ['below', '// !json texts\n// !json texts.a'],
])('a member and the one %s it give one variable', async (_name, macros) => {
  const { map } = await readMap(macros, { 'app/texts/a': '1', 'app/texts/b': '2' });
  expect(plain(map)).toBe('var texts = {"a": "1", "b": "2"};\nvar texts = {"a": "1", "b": "2"};');
});

test.each([
  ['a member that is missing', '// !json texts.b', 'no such member in the document'],
  ['an attachment that is missing', '// !json _attachments/b.json', 'no such file'],
])('!json with %s is an error', async (_name, macro, message) => {
  const { map, errors } = await readMap(macro, { 'app/texts/a': '1' });
  expect(errors).toMatchObject([{ code: 'macro-target-missing', place: { file: 'app/views/all/map.js', line: 1 } }]);
  expect(errors[0]?.message).toContain(message);
  expect(map?.type).toBe('unknown');
});

test.each([
  ['filters/all.js', ['filters', 'all'], true],
  ['lists/all.js', ['lists', 'all'], true],
  ['validate_doc_update.js', ['validate_doc_update'], true],
  ['fulltext/all/index.js', ['fulltext', 'all', 'index'], true],
  ['lib/b.js', ['lib', 'b'], false],
  ['rewrites.js', ['rewrites'], false],
])('a macro in %s is expanded as the tools do', async (path, steps, isExpanded) => {
  const { node } = await read(createTree({ [`app/${path}`]: '// !code lib/a.js', 'app/lib/a.js': 'var a;' }));
  expect(plain(at(node, ...steps))).toBe(isExpanded ? 'var a;' : '// !code lib/a.js');
});

/**
 * @param {string} text
 * @param {string} letter
 * @returns {Record<string, string>} a hundred files
 */
function many(text, letter) {
  return Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`app/lib/${letter}${index}`, text]));
}
