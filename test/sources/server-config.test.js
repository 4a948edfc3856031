import { expect, test } from 'vitest';
import { looksLikeCouchdbIni } from '../../lib/sources/server-config.js';
import fc from '../helpers/property.js';
import { readFixture } from '../helpers/read-fixture.js';
import { readText, SourceFile } from '../helpers/read-source.js';
import { checkReadResult } from '../helpers/value-places.js';

/** @param {SourceFile} file */
async function read(file) {
  const result = await readText(file);
  checkReadResult(file, result);
  const [record] = result.records;
  if (record?.kind !== 'server-config') throw new Error('no record');
  return { record, errors: result.errors };
}

/** @param {string} text @returns {Promise<[string, string, string][]>} */
const options = async (text) =>
  (await read(new SourceFile('local.ini', text))).record.options.map(({ section, key, value }) => [
    section,
    key,
    value,
  ]);

test('sections and options are read in the order of the file', async () => {
  const file = readFixture('server-config/local.ini');
  const { record, errors } = await read(file);
  expect(errors).toEqual([]);
  expect(record.file).toBe(file);
  expect(record.sections.map(({ name }) => name)).toEqual([
    'couchdb',
    'chttpd',
    'cors',
    'cors:https://shop.example',
    'smoosh.ratio_dbs',
    'couch_httpd_auth',
  ]);
  expect(record.options.map(({ section, key, value }) => [section, key, value])).toEqual([
    ['couchdb', 'max_document_size', '4294967296'],
    ['couchdb', 'database_dir', '/srv/couchdb/data'],
    ['couchdb', 'uuid', 'a=b = c'],
    ['couchdb', 'os_process_timeout', '10000'],
    ['couchdb', 'default_security', 'admin_only'],
    ['chttpd', 'bind_address', '0.0.0.0'],
    ['cors', 'origins', '*'],
    ['cors:https://shop.example', 'credentials', 'true'],
    ['smoosh.ratio_dbs', 'min_priority', '2.0'],
    ['couch_httpd_auth', 'timeout', '600'],
    ['couch_httpd_auth', 'timeout', '1200'],
  ]);
});

test('places are those of the header, of the line without its comment, and of the value', async () => {
  const { record } = await read(readFixture('server-config/local.ini'));
  expect(record.sections[0]?.place).toMatchObject({ line: 2, column: 1, endLine: 2, endColumn: 10 });
  expect(record.options[0]?.place).toMatchObject({ line: 3, column: 1, endLine: 3, endColumn: 31 });
  expect(record.options[0]?.valuePlace).toMatchObject({ line: 3, column: 21, endLine: 3, endColumn: 31 });
  expect(record.options[3]?.place).toMatchObject({ line: 6, column: 3 });
});

// As config.erl of CouchDB 3.5.2 has it in its own tests and code.
test.each([
  ['k = v without a section', 'k = v', []],
  ['spaces around the equals sign', '[s]\nk=v\nk = v\nk= v\nk  =v\nk=  v  ', Array(5).fill(['s', 'k', 'v'])],
  ['a comment behind a space', '[s]\nk = v ; c', [['s', 'k', 'v']]],
  ['a comment behind a tab', '[s]\nk = v\t; c', [['s', 'k', 'v']]],
  ['a semicolon without a space before it', '[s]\nk = v; c', [['s', 'k', 'v; c']]],
  ['a comment before the equals sign', '[s]\nk ;=v', []],
  [
    'more equals signs',
    '[s]\nk==v\nk=v=\nk=v=v',
    [
      ['s', 'k', '=v'],
      ['s', 'k', 'v='],
      ['s', 'k', 'v=v'],
    ],
  ],
  ['an equals sign in the key', '[s]\nk=1 = v', [['s', 'k=1', 'v']]],
  ['an empty value', '[s]\nk =\nk =  ', []],
  ['a header with a comment', '[s] ; c\nk = v', [['s', 'k', 'v']]],
  ['a header with a space in it', '[s ]\nk = v', [['s ', 'k', 'v']]],
  ['a header that is not closed', '[s]\n[t\nk = v', [['s', 'k', 'v']]],
  ['an empty header', '[s]\n[]\nk = v', [['s', 'k', 'v']]],
  ['text behind a header', '[s]\n[t] x\nk = v', [['s', 'k', 'v']]],
  [
    'lines that end as on an old Mac',
    '[s]\rk = v\rl = w',
    [
      ['s', 'k', 'v'],
      ['s', 'l', 'w'],
    ],
  ],
  ['lines that end as in old editors', '[s]\x1ak = v', [['s', 'k', 'v']]],
  ['names of built-in members', '[__proto__]\nconstructor = v', [['__proto__', 'constructor', 'v']]],
])('%s', async (_, text, wanted) => {
  expect(await options(text)).toEqual(wanted);
});

test('line ends of Windows are no part of a value', async () => {
  const { record } = await read(readFixture('server-config/windows.ini'));
  expect(record.options.map(({ value }) => value)).toEqual(['C:\\couchdb\\data', '5984']);
});

test('each line that CouchDB passes over is an error with its place', async () => {
  const { record, errors } = await read(readFixture('server-config/odd-lines.ini'));
  expect(errors.map(({ code, place }) => [code, place?.line, place?.column])).toEqual([
    ['ini-outside-section', 1, 1],
    ['ini-line', 4, 1],
    ['ini-line', 5, 1],
    ['ini-section', 6, 1],
    ['ini-section', 8, 1],
    ['ini-continuation', 11, 11],
  ]);
  expect(record.options.map(({ section, key, value }) => [section, key, value])).toEqual([
    ['httpd', 'level', 'info'],
    ['cors', 'origins', 'https://shop.example,'],
    ['cors', 'methods', 'GET'],
  ]);
});

test('a byte order mark hides the first header from CouchDB', async () => {
  const file = readFixture('server-config/with-bom.ini');
  const { record, errors } = await read(file);
  expect(errors).toMatchObject([{ code: 'ini-byte-order-mark', place: { line: 1, column: 1 } }]);
  expect(record.options.map(({ key }) => key)).toEqual(['port']);
  expect(looksLikeCouchdbIni(file.text, file.path)).toBe(true);
});

test('a thousand odd lines are twenty errors and one with the number of the others', async () => {
  const { errors } = await read(new SourceFile('local.ini', `[log]\n${'odd\n'.repeat(1000)}`));
  expect(errors).toHaveLength(21);
  expect(errors.at(-1)).toMatchObject({ code: 'more-errors', message: expect.stringMatching(/^980 more/) });
});

test.each([
  ['local.ini', true],
  ['windows.ini', true],
  ['odd-lines.ini', true],
  ['not-couchdb/php.ini', false],
  ['not-couchdb/tox.ini', false],
  ['not-couchdb/pip.ini', false],
  ['not-couchdb/shop-app.ini', false],
  ['not-couchdb/apache.ini', false],
])('%s: a file of CouchDB or not', (name, wanted) => {
  const file = readFixture(`server-config/${name}`);
  expect(looksLikeCouchdbIni(file.text, file.path)).toBe(wanted);
});

test.each([
  ['[uuids]\nalgorithm = random', 'local.d/10-uuids.INI', true],
  ['[smoosh.ratio_dbs]\nmin_priority = 2', 'a.ini', true],
  ['[cors]\norigins = *', 'a.ini', false],
  ['[uuids]\nalgorithm = random', 'setup.cfg', false],
  [';[uuids]', 'a.ini', false],
  ['', 'a.ini', false],
])('%j in %s', (text, path, wanted) => {
  expect(looksLikeCouchdbIni(text, path)).toBe(wanted);
});

test('any text is read without throwing, and places stay in the file', async () => {
  const part = fc.constantFrom(
    '[',
    ']',
    '=',
    ' = ',
    ';',
    ' ;',
    '\n',
    '\r\n',
    '\r',
    '\x1a',
    '\ufeff',
    ' ',
    '\t',
    'log',
    'é',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 5, arbitrary: part }, fc.string()), { maxLength: 40 }),
      async (parts) => {
        const file = new SourceFile('a.ini', parts.join(''));
        checkReadResult(file, await readText(file));
        looksLikeCouchdbIni(file.text, file.path);
      },
    ),
    { numRuns: 500 },
  );
});

test('what is larger than any configuration is not read', async () => {
  const text = `[couchdb]\n${'a = 1\n'.repeat(200_000)}`;
  const { records, errors } = await readText(text, 'local.ini');
  expect(records).toEqual([]);
  expect(errors).toMatchObject([{ code: 'too-large', message: 'the configuration is larger than 1 MiB' }]);
});
