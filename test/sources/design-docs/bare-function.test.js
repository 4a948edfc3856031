import { expect, test } from 'vitest';
import { lintText } from '../../../lib/index.js';
import { runMain } from '../../helpers/run-main.js';
import { createProject } from '../../helpers/temporary-project.js';

/** @type {[string, string, string][]} what is pasted, the member it is taken for, a rule that reports it */
const PASTED = [
  ['function (doc) { emit(doc._id, doc); }', 'views.x.map', 'view/emit-whole-doc'],
  ['(doc) => emit(doc._id, doc)', 'views.x.map', 'view/emit-whole-doc'],
  ['// by id\nfunction (doc) {\n  emit(doc._id, doc);\n}\n', 'views.x.map', 'view/emit-whole-doc'],
  ['function (keys, values, rereduce) { return sum(values); }', 'views.x.reduce', 'reduce/custom-sum'],
  ['function (k, v) { return v.reduce(function (a, b) { return a + b; }); }', 'views.x.reduce', 'reduce/custom-sum'],
  ["function (doc, req) { return doc.type === 'order'; }", 'filters.x', 'changes/js-filter'],
  ['function (doc, req) { return !doc._deleted && !!doc.customer; }', 'filters.x', ''],
  ['function (newDoc, oldDoc, userCtx, secObj) { }', 'validate_doc_update', 'security/vdu-never-rejects'],
  [
    "function (doc, old) { if (!doc.total) throw { forbidden: 'a total is needed', code: 1 }; }",
    'validate_doc_update',
    '',
  ],
  ['function (doc, req) { return [doc, "saved"]; }', 'updates.x', 'ddoc/deprecated-features'],
  ['function (doc, req) { return { body: doc.name }; }', 'shows.x', 'ddoc/deprecated-features'],
  ['function (head, req) { var row; while ((row = getRow())) send(row.key); }', 'lists.x', 'ddoc/deprecated-features'],
];

test.each(PASTED)('%s', async (text, member, rule) => {
  const project = createProject({ 'x.js': text });
  const { stdout } = await project.run(['facts', 'x.js', '--format', 'json']);
  const names = JSON.parse(stdout).subjects.map((/** @type {{name: string}} */ { name }) => name);
  expect(names.some((/** @type {string} */ name) => name === member || `views.${name}` === member)).toBe(true);
  const report = await lintText(text);
  expect(report.errors).toEqual([]);
  if (rule !== '') expect(report.findings.map((finding) => finding.rule)).toContain(rule);
});

test('what a function is for can be given, if its parameters do not show it', async () => {
  const text = 'function (doc, req) { return isWanted(doc); }';
  expect((await lintText(text)).errors).toEqual([
    expect.objectContaining({ code: 'unknown-role', hint: expect.stringContaining('--as map') }),
  ]);
  const { errors, findings } = await lintText(text, { as: 'filter' });
  expect(errors).toEqual([]);
  expect(findings.map(({ rule }) => rule)).toContain('ddoc/uncompiled-function');
  const { cwd } = createProject({});
  const { stdout, exitCode } = await runMain(['lint', '-', '--as', 'filter', '--format', 'compact'], {
    cwd,
    input: text,
  });
  expect([stdout, exitCode]).toEqual([expect.stringContaining('<stdin>:1:'), 0]);
});

test('a reduce alone is not accused of what depends on its map', async () => {
  const { findings, errors } = await lintText('function (keys, values) { return values.length; }');
  expect(errors).toEqual([]);
  expect(findings.map(({ rule }) => rule)).not.toContain('ddoc/invalid-structure');
});

test('a fix of a bare function writes its file', async () => {
  const project = createProject({ 'by-id.js': 'function byId(doc) { emit(doc._id, null); }\n' });
  await project.run(['lint', 'by-id.js', '--fix']);
  expect(project.read('by-id.js')).toBe('function (doc) { emit(doc._id, null); }\n');
});

test('what does not parse is an error where the function is wrong', async () => {
  const { errors } = await lintText('function (doc) { emit(doc._id, }');
  expect(errors).toEqual([
    expect.objectContaining({ code: 'invalid-javascript', place: expect.objectContaining({ column: 32 }) }),
  ]);
});

test.each(['function main(args) { console.log(args); }', 'main();', 'const total = 1;'])(
  'a program is no function of a design document: %s',
  async (text) => {
    expect((await lintText(text, { filename: 'main.js' })).errors).toEqual([
      expect.objectContaining({ code: 'no-design-documents' }),
    ]);
  },
);
