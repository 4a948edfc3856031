import { expect, test } from 'vitest';
import { dropFunctionName } from '../../../lib/engine/fixes/drop-function-name.js';
import { createSubjects } from '../../../lib/facts/subjects.js';
import { readJsModule } from '../../../lib/sources/design-docs/js-module.js';
import { functionSubject } from '../../helpers/function-facts.js';
import { SourceFile } from '../../helpers/read-source.js';
import { editedText } from '../../helpers/sample-fix-targets.js';

/** @param {string} source */
function fixed(source) {
  const text = editedText(dropFunctionName.apply({ subject: functionSubject(source) }));
  return text && JSON.parse(text).views.all.map;
}

test.each([
  ['function map(doc) { emit("a\\n", doc._id); }', 'function (doc) { emit("a\\n", doc._id); }'],
  ['// orders\nfunction map (doc) { emit(1); };', '// orders\nfunction  (doc) { emit(1); };'],
  ['function map(doc) { if (doc.next) map(doc.next); }', '(function map(doc) { if (doc.next) map(doc.next); })'],
  ['function\nmap(doc) { emit(1); }', '(function\nmap(doc) { emit(1); })'],
  ['function map(doc) { emit(tax()); }\nfunction tax() {}', undefined],
  ['function (doc) { emit(tax()); } function tax() {}', undefined],
  ['function map(doc) {} function all() { map(); }', undefined],
  ['function (doc) { emit(1); } if (x) a', undefined],
  ['(function map(doc) { emit(1); })', undefined],
  ['function (doc) { emit(1); }', undefined],
  ['doc => emit(1)', undefined],
  ['function map(doc { }', undefined],
])('%j becomes %j', (source, expected) => {
  expect(fixed(source)).toBe(expected);
});

test('a module keeps its names', () => {
  const subject = functionSubject('function tax() {}', 'library');
  expect(dropFunctionName.apply({ subject })).toBeUndefined();
});

test('only the name is touched, whatever the file escapes', () => {
  const edits = dropFunctionName.apply({ subject: functionSubject('/* "a" */ function map(doc) { emit("b"); }') });
  expect(edits?.map(({ text, file, start, end }) => [text, file.text.slice(start, end)])).toEqual([['', 'map']]);
});

/**
 * @param {string} text of a module with one view
 * @returns {string | undefined} the module afterwards
 */
function mendedModule(text) {
  const { records } = readJsModule(new SourceFile('ddocs/orders.js', text), { isNamed: true });
  const subject = createSubjects(records, { version: '3.5.2' }).subjects.find(({ kind }) => kind === 'function');
  return subject && editedText(dropFunctionName.apply({ subject }));
}

test.each([
  [
    "module.exports = { _id: '_design/orders', views: { all: { map: function map(doc) { emit(1); } } } };",
    "module.exports = { _id: '_design/orders', views: { all: { map: function (doc) { emit(1); } } } };",
  ],
  [
    "module.exports = { _id: '_design/orders', views: { all: { map: 'function map(doc) { map(doc); }' } } };",
    "module.exports = { _id: '_design/orders', views: { all: { map: '(function map(doc) { map(doc); })' } } };",
  ],
  ["module.exports = { _id: '_design/orders', views: { all: { map: function map(doc) { map(doc); } } } };", undefined],
  [
    "function map(doc) { emit(1); } module.exports = { _id: '_design/orders', views: { all: { map: map } } };",
    undefined,
  ],
])('in a module %s becomes %s', (before, after) => {
  expect(mendedModule(before)).toBe(after);
});
