// Ignores: comments beside the code, entries of the configuration, and what is said of those that are of no use.

import { describe, expect, test } from 'vitest';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

const COPIES = 'view/emit-whole-doc';
const MARK = 'couch-advisor-ignore-next-line';
const CONFIG = 'couch-advisor.config.json';

/** @param {string} comment @returns {string} a map whose third line copies the document */
const mapWith = (comment) => `function (doc) {\n  ${comment}\n  emit(doc.date, doc);\n}`;

/** @param {string} map @returns {object} */
const copying = (map) => ({ _id: '_design/orders', views: { by_date: { map } } });

/** A couchapp. @param {string} map */
const couchapp = (map) => ({ 'app/_id': '_design/orders', 'app/views/by_date/map.js': map });

describe('a comment silences its rule at the line below', () => {
  test.each([
    ['a function in JSON', { 'orders.json': copying(mapWith(`// ${MARK} ${COPIES} -- small documents`)) }],
    [
      'a function as a list of lines',
      {
        'orders.json': {
          _id: '_design/orders',
          views: { by_date: { map: mapWith(`// ${MARK} ${COPIES}`).split('\n') } },
        },
      },
    ],
    ['a file of a couchapp', couchapp(mapWith(`// ${MARK} ${COPIES}`))],
    ['a block comment', { 'orders.json': copying(mapWith(`/* ${MARK} ${COPIES} -- for the\n   nightly export */`)) }],
    ['lines that end as on Windows', couchapp(mapWith(`// ${MARK} ${COPIES} -- small`).replaceAll('\n', '\r\n'))],
    [
      'a function of a module',
      {
        'orders.js': `module.exports = {\n  _id: '_design/orders',\n  views: { by_date: { map: ${mapWith(`// ${MARK} ${COPIES}`)} } },\n};\n`,
      },
    ],
    [
      'a function of an ES module',
      {
        'orders.mjs': `export default {\n  _id: '_design/orders',\n  views: { by_date: { map: ${mapWith(`// ${MARK} ${COPIES}`)} } },\n};\n`,
      },
    ],
  ])('%s', async (_, files) => {
    const { codes, silenced } = await createProject(files).lint();
    expect(codes).toEqual([]);
    expect(silenced.ignored).toBe(1);
  });

  test('outside of functions, in a module', async () => {
    /** @param {string} comment */
    const module = (comment) =>
      `export default {\n  _id: '_design/orders',\n  views: {\n    revenue: {\n      map: function (doc) {\n        if (typeof doc.total === 'number') emit(doc.date, doc.total);\n      },\n      // ${comment}\n      reduce: '_sum;',\n    },\n  },\n};\n`;
    const rule = 'reduce/unknown-builtin';
    expect((await createProject({ 'orders.mjs': module('revenue a day') }).lint()).codes).toEqual([
      `${rule}#works-by-prefix`,
    ]);
    const { codes, silenced } = await createProject({ 'orders.mjs': module(`${MARK} ${rule}`) }).lint();
    expect({ codes, silenced }).toEqual({ codes: [], silenced: { ignored: 1, baseline: 0 } });
  });

  test('an .ini file', async () => {
    /** @param {string} comment */
    const ini = (comment) => `[chttpd]\nenable_cors = true\n\n[cors]\n${comment}\norigins = *\ncredentials = true\n`;
    const rule = 'security/cors-any-origin';
    expect((await createProject({ 'local.ini': ini('; open') }).lint(['--rule', rule])).codes).toEqual([
      `${rule}#any-origin`,
    ]);
    const { codes, silenced } = await createProject({
      'local.ini': ini(`; ${MARK} ${rule} -- a public catalogue`),
    }).lint();
    expect({ codes, silenced }).toEqual({ codes: [], silenced: { ignored: 1, baseline: 0 } });
  });

  test('several rules at once', async () => {
    const map = mapWith(`// ${MARK} ${COPIES}, map/unguarded-access -- only used by hand`).replace(
      'doc.date',
      'doc.at.day',
    );
    const { codes, silenced } = await createProject({ 'orders.json': copying(map) }).lint();
    expect({ codes, silenced }).toEqual({ codes: [], silenced: { ignored: 2, baseline: 0 } });
  });

  test('and silences nothing else', async () => {
    const lineAbove = mapWith(`// ${MARK} ${COPIES}\n`);
    const otherRule = mapWith(`// ${MARK} map/unguarded-access`);
    for (const map of [lineAbove, otherRule]) {
      const { codes } = await createProject({ 'orders.json': copying(map) }).lint();
      expect(codes.toSorted()).toEqual(['ignore/unused#unused', `${COPIES}#copies-document`]);
    }
  });
});

describe('other forms', () => {
  /** @param {string} before @param {string} line @param {string} after */
  const mapOf = (before, line, after) => `function (doc) {\n  ${before}\n  ${line}\n  ${after}\n}`;
  const copy = 'emit(doc.date, doc);';

  test.each([
    ['at the end of the line', mapOf('', `${copy} // couch-advisor-ignore-line ${COPIES} -- small documents`, '')],
    ['for a stretch', mapOf(`// couch-advisor-ignore-start ${COPIES}`, copy, '// couch-advisor-ignore-end')],
    ['for the rest of the function', mapOf(`/* couch-advisor-ignore-start ${COPIES} */`, `\n\n${copy}`, '')],
    ['for the file, from below', mapOf('', copy, `// couch-advisor-ignore-file ${COPIES}`)],
  ])('%s', async (_, map) => {
    for (const files of [{ 'orders.json': copying(map) }, couchapp(map)]) {
      const { codes, silenced } = await createProject(files).lint();
      expect({ codes, silenced }).toEqual({ codes: [], silenced: { ignored: 1, baseline: 0 } });
    }
  });

  test.each([
    ['the line below', mapOf(`// couch-advisor-ignore-line ${COPIES}`, copy, '')],
    ['what comes before a stretch', mapOf('', copy, `// couch-advisor-ignore-start ${COPIES}`)],
    ['what comes behind it', mapOf(`// couch-advisor-ignore-start ${COPIES}`, '// couch-advisor-ignore-end', copy)],
  ])('cover nothing else: %s', async (_, map) => {
    const { codes } = await createProject(couchapp(map)).lint();
    expect(codes.toSorted()).toEqual(['ignore/unused#unused', `${COPIES}#copies-document`]);
  });

  test('a file is ignored for the rules that are named, and no other file is', async () => {
    const map = mapOf(`// couch-advisor-ignore-file ${COPIES}`, copy, '');
    const stock = { _id: '_design/stock', views: { by_date: { map: mapOf('', copy, '') } } };
    const { findings } = await createProject({ 'orders.json': copying(map), 'stock.json': stock }).lint();
    expect(findings.map(({ rule, place }) => [rule, place.file])).toEqual([[COPIES, 'stock.json']]);
  });

  test('the line of an option in an .ini file', async () => {
    const rule = 'security/cors-any-origin';
    const ini = `[chttpd]\nenable_cors = true\n\n[cors]\norigins = * ; couch-advisor-ignore-line ${rule}\ncredentials = true\n`;
    expect((await createProject({ 'local.ini': ini }).lint(['--rule', rule])).codes).toEqual([]);
  });
});

describe('a comment of no use is a finding', () => {
  test.each([
    ['it silences nothing', `// ${MARK} map/unguarded-access`, 'ignore/unused#unused'],
    ['it names no rule that exists', `// ${MARK} view/tidy -- because`, 'ignore/unknown-rule#unknown'],
    ['it misspells a rule', `// ${MARK} view/emit-whole-dox`, 'ignore/unknown-rule#misspelt'],
    ['it names no rule', `// ${MARK}`, 'ignore/unknown-rule#names-none'],
    ['it names a reason only', `// ${MARK} -- because`, 'ignore/unknown-rule#names-none'],
    ['it names a rule like a member of objects', `// ${MARK} __proto__`, 'ignore/unknown-rule#unknown'],
  ])('where %s', async (_, comment, expected) => {
    const map = mapWith(comment).replace('doc);', 'null);');
    const { codes, findings } = await createProject({ 'orders.json': copying(map) }).lint();
    expect(codes).toEqual([expected]);
    expect(findings[0]?.place).toMatchObject({ file: 'orders.json', line: 5 });
  });

  test('where no line follows', async () => {
    const map = `function (doc) { emit(doc.date, doc); } // ${MARK} ${COPIES}`;
    const { codes } = await createProject({ 'orders.json': copying(map) }).lint();
    expect(codes.toSorted()).toEqual(['ignore/unused#unused', `${COPIES}#copies-document`]);
  });

  test.each([
    ['disable-next-line', 'ignore-next-line'],
    ['ignore-next-lines', 'ignore-next-line'],
    ['ignore', 'ignore-start'],
    ['disable-line', 'ignore-line'],
    ['disable-file', 'ignore-file'],
    ['enable', 'ignore-end'],
    ['ignore-end', 'ignore-start'],
  ])('of the form %s, with the form that was meant: %s', async (form, meant) => {
    const map = mapWith(`// couch-advisor-${form} ${COPIES}`).replace('doc);', 'null);');
    const { findings } = await createProject({ 'orders.json': copying(map) }).lint();
    expect(findings.map(({ message }) => message)).toEqual([
      `\`couch-advisor-${form}\` ignores nothing: the nearest form is \`couch-advisor-${meant}\``,
    ]);
  });

  test('but not where it speaks of the program', async () => {
    const map = mapWith('// couch-advisor-config.md describes it').replace('doc);', 'null);');
    expect((await createProject({ 'orders.json': copying(map) }).lint()).codes).toEqual([]);
  });

  test('and not where its rule is not asked', async () => {
    const files = { 'orders.json': copying(mapWith(`// ${MARK} ${COPIES}`)) };
    for (const argv of [
      ['--rule', 'ignore/unused'],
      ['--rule', 'ignore/unused', '--rule', 'map/unguarded-access'],
    ]) {
      expect((await createProject(files).lint(argv)).codes).toEqual([]);
    }
    expect((await createProject({ ...files, [CONFIG]: { rules: { [COPIES]: 'off' } } }).lint()).codes).toEqual([]);
  });

  test('it can be switched off, or be ignored itself', async () => {
    const files = { 'orders.json': copying(mapWith(`// ${MARK} map/unguarded-access`).replace('doc);', 'null);')) };
    const off = createProject({ ...files, [CONFIG]: { rules: { 'ignore/unused': 'off' } } });
    expect((await off.lint()).codes).toEqual([]);
    const ignored = createProject({
      ...files,
      [CONFIG]: { ignore: [{ rule: 'ignore/unused', file: '*.json', reason: 'next month' }] },
    });
    expect(await ignored.lint()).toMatchObject({ codes: [], silenced: { ignored: 1 } });
  });
});

describe('an entry of the configuration', () => {
  const rule = 'reduce/unknown-builtin';
  /** @param {object} entry */
  const projectWith = (entry) =>
    createProject({
      [CONFIG]: { ignore: [{ rule, reason: 'an old server', ...entry }] },
      'ddocs/orders.json': ordersWith('_total'),
      'ddocs/stock.json': ordersWith('_total', 'stock'),
    });

  test.each([
    ['a design document', { designDoc: '_design/orders' }, ['ddocs/stock.json']],
    ['a design document without the beginning of its id', { designDoc: 'orders' }, ['ddocs/stock.json']],
    ['a view', { view: 'revenue' }, []],
    ['a file', { file: 'ddocs/orders.json' }, ['ddocs/stock.json']],
    ['a glob', { file: '**/s*.json' }, ['ddocs/orders.json']],
    ['a view of a design document', { view: 'revenue', designDoc: '_design/stock' }, ['ddocs/orders.json']],
    ['all', {}, []],
  ])('silences by %s', async (_, entry, left) => {
    const { findings } = await projectWith(entry).lint();
    expect(findings.map(({ place }) => place.file)).toEqual(left);
  });

  test('silences by the key of a finding', async () => {
    const [first] = (await projectWith({ view: 'none' }).lint(['--rule', rule])).findings;
    const { findings } = await projectWith({ key: first?.key }).lint();
    expect(findings.map(({ place }) => place.file)).toEqual(['ddocs/stock.json']);
  });

  test('that silences nothing is a finding in the configuration, with its source', async () => {
    const project = projectWith({ view: 'turnover' });
    const { findings } = await project.lint(['--rule', 'ignore/unused', '--rule', rule]);
    expect(findings[0]).toMatchObject({ rule: 'ignore/unused', place: { file: CONFIG, line: 3 } });
    expect((await project.run(['lint'])).stdout).toContain('"view": "turnover"');
  });

  test('that names an unknown rule is a finding', async () => {
    const { codes } = await projectWith({ rule: 'reduce/unknown-bultin' }).lint(['--rule', 'ignore/unknown-rule']);
    expect(codes).toEqual(['ignore/unknown-rule#misspelt']);
  });

  test.each([
    ['by its file', { file: 'ddocs/stock.json', view: 'none' }, true],
    ['by its design document', { designDoc: 'stock' }, false],
    ['by its view alone', { view: 'none' }, false],
    ['by a key', { key: 'reduce/unknown-builtin#refused:0123456789' }, false],
  ])('is not called unused where only another file is read: %s', async (_, entry, isInStock) => {
    const project = projectWith(entry);
    const argv = ['--rule', 'ignore/unused', '--rule', rule];
    expect((await project.lint([...argv, 'ddocs/orders.json'])).codes).toEqual([`${rule}#refused`]);
    if (isInStock) expect((await project.lint([...argv, 'ddocs/stock.json'])).codes).toContain('ignore/unused#unused');
  });
});
