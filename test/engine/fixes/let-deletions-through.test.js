import { expect, test } from 'vitest';
import { allowDeletes } from '../../../lib/engine/fixes/allow-deletes.js';
import { keepTombstones } from '../../../lib/engine/fixes/keep-tombstones.js';
import { fixedFunction } from '../../helpers/function-fixes.js';
import { subjectOf } from '../../helpers/sample-fix-targets.js';

/** Functions, and what stands before the statement. @type {[string, string][]} */
const FUNCTIONS = [
  ['function (doc) { return doc.a; }', 'function (doc) { @ return doc.a; }'],
  ['function (doc) {\n  return doc.a;\n}', 'function (doc) {\n  @\n  return doc.a;\n}'],
  ['function (doc) {\r\n\treturn doc.a;\r\n}', 'function (doc) {\r\n\t@\r\n\treturn doc.a;\r\n}'],
  ['function (doc) {\n\n    return doc.a;\n}', 'function (doc) {\n    @\n\n    return doc.a;\n}'],
  ['function (doc) {}', 'function (doc) { @}'],
  ['function (doc)\n{\n  // of the shop\n  return 1;\n}', 'function (doc)\n{\n  @\n  // of the shop\n  return 1;\n}'],
  ['function (doc) { "use strict"; return doc.a; }', 'function (doc) { "use strict"; @ return doc.a; }'],
  ['function (doc) {\n  "use strict";\n  return 1;\n}', 'function (doc) {\n  "use strict";\n  @\n  return 1;\n}'],
  ['(doc) => { return doc.a; }', '(doc) => { @ return doc.a; }'],
  ['(function named(doc, req) { return doc.a; })', '(function named(doc, req) { @ return doc.a; })'],
  ['function (doc) { return "\\"{"; }', 'function (doc) { @ return "\\"{"; }'],
];

test.each(FUNCTIONS)('a filter lets deletions through first: %j', (source, expected) => {
  expect(fixedFunction(keepTombstones, 'filter', source)).toBe(expected.replace('@', 'if (doc._deleted) return true;'));
});

test.each(FUNCTIONS)('a validation function returns first where the document is deleted: %j', (source, expected) => {
  expect(fixedFunction(allowDeletes, 'validate', source)).toBe(expected.replace('@', 'if (doc._deleted) return;'));
});

test('the parameter keeps its name', () => {
  expect(fixedFunction(allowDeletes, 'validate', 'function (newDoc, oldDoc) { throw 1; }')).toBe(
    'function (newDoc, oldDoc) { if (newDoc._deleted) return; throw 1; }',
  );
});

test.each([
  ['an arrow without a block', '(doc) => doc.type === "order"'],
  ['a pattern', 'function ({ type }) { return type === "order"; }'],
  ['no parameter', 'function () { return true; }'],
  ['broken code', 'function (doc) { return'],
  ['no function', '42'],
])('%s is left as it is', (_, source) => {
  expect(fixedFunction(keepTombstones, 'filter', source)).toBeUndefined();
  expect(fixedFunction(allowDeletes, 'validate', source)).toBeUndefined();
});

test('subjects of another kind are left as they are', () => {
  const text = '{ "validate_doc_update": "function (d) {}", "filters": { "all": "function (d) {}" } }';
  expect(keepTombstones.apply({ subject: subjectOf(text, 'validate') })).toBeUndefined();
  expect(allowDeletes.apply({ subject: subjectOf(text, 'filter') })).toBeUndefined();
});
