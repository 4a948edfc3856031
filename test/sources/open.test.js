import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSources } from '../../lib/sources/open.js';

const MAP = 'function (doc) {\n  emit(doc.customer, null);\n}\n';

/** @param {string} name @returns {string} the JSON of a design document */
function designDoc(name) {
  return JSON.stringify({ _id: `_design/${name}`, views: { all: { map: MAP }, lib: { a: 'exports.a = 1' } } });
}

/** @type {string} */
let cwd;
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'couch-advisor-open-'));
});
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true });
});

/** @param {Record<string, string | Buffer>} files */
function write(files) {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    writeFileSync(path.join(cwd, name), content);
  }
}

/**
 * @param {string[]} paths
 * @param {Partial<import('../../lib/sources/open.js').OpenOptions>} [options]
 */
async function open(paths = [], options = {}) {
  const opened = await openSources({ cwd, paths, ...options });
  const found = opened.records.map((record) => {
    if (record.kind === 'design-doc') return record.id;
    return record.kind === 'mango-index' ? `index ${record.name}` : `config ${record.file.path}`;
  });
  return { ...opened, found, codes: opened.errors.map(({ code }) => code) };
}

test('discovery finds every kind of source, in the order of the paths', async () => {
  write({
    'z.json': designDoc('z'),
    'couch/orders.js': `module.exports = ${designDoc('orders')};`,
    'couch/customers.mjs': `export default ${designDoc('customers')};`,
    'couch/local.ini': '[couchdb]\nmax_document_size = 1\n\n[chttpd]\nport = 5984\n',
    'backup/shop.jsonl': `${designDoc('a')}\n{"_id":"order-1"}\n`,
    'ddocs/stock/_id': '_design/stock',
    'ddocs/stock/views/low/map.js': MAP,
    'META-INF/statedb/couchdb/indexes/by-owner.json':
      '{"index":{"fields":["owner"]},"ddoc":"d","name":"by-owner","type":"json"}',
    'package.json': '{"name":"shop"}',
    'src/app.js': "app.set('views', 'views');",
    'readme.txt': designDoc('no'),
  });
  const { found, errors, counts, files, notes } = await open();
  expect(errors).toEqual([]);
  expect(notes).toEqual([]);
  expect(found).toEqual([
    'index by-owner',
    '_design/a',
    '_design/customers',
    'config couch/local.ini',
    '_design/orders',
    '_design/stock',
    '_design/z',
  ]);
  expect(counts).toEqual({ designDocs: 5, views: 5, files: 8 });
  expect([...files.keys()]).toEqual([
    'META-INF/statedb/couchdb/indexes/by-owner.json',
    'backup/shop.jsonl',
    'couch/customers.mjs',
    'couch/local.ini',
    'couch/orders.js',
    'ddocs/stock/_id',
    'ddocs/stock/views/low/map.js',
    'z.json',
  ]);
});

test('discovery passes over packages, links, ignored and excluded paths, and says so', async () => {
  write({
    'node_modules/shop/ddoc.json': designDoc('a'),
    '.git/ddoc.json': designDoc('b'),
    '.gitignore': 'build/\n/*.json\n!kept.json\n',
    'build/ddoc.json': designDoc('c'),
    'ddoc.json': designDoc('d'),
    'kept.json': designDoc('kept'),
    'couch/.gitignore': '*.js\n!orders.js\n',
    'couch/orders.js': `module.exports = ${designDoc('orders')};`,
    'couch/old.js': `module.exports = ${designDoc('e')};`,
    'couch/ddoc.json': designDoc('kept-below'),
    'legacy/ddoc.json': designDoc('f'),
  });
  symlinkSync('couch', path.join(cwd, 'linked'));
  const { found, notes, errors } = await open([], { exclude: ['legacy'] });
  expect(errors).toEqual([]);
  expect(found).toEqual(['_design/kept-below', '_design/orders', '_design/kept']);
  expect(notes).toEqual([
    { path: 'build', reason: 'ignored by .gitignore' },
    { path: 'couch/old.js', reason: 'ignored by .gitignore' },
    { path: 'ddoc.json', reason: 'ignored by .gitignore' },
    { path: 'legacy', reason: 'excluded by the configuration' },
    { path: 'linked', reason: 'a symbolic link' },
    { path: 'node_modules', reason: 'installed packages' },
  ]);
});

test('the rules of a checkout hold below its root, too', async () => {
  write({ '.gitignore': 'generated.json\n/apps/shop/old\n', 'apps/shop/new.json': designDoc('new') });
  write({ 'apps/shop/generated.json': designDoc('a'), 'apps/shop/old/a.json': designDoc('b') });
  write({ '.git/info/exclude': 'private*\n', 'apps/shop/private.json': designDoc('c') });
  const { found } = await open([], { cwd: path.join(cwd, 'apps/shop') });
  expect(found).toEqual(['_design/new']);
  expect((await open(['apps'])).found).toEqual(['_design/new']);
});

test('a worktree or submodule, where .git is a file, needs no remark', async () => {
  write({ '.git': 'gitdir: ../shop/.git/worktrees/orders\n', 'orders.json': designDoc('orders') });
  const { found, notes } = await open([]);
  expect({ found, notes }).toEqual({ found: ['_design/orders'], notes: [] });
});

test('discovery passes over what git passes over', async () => {
  write({
    '.gitignore': '# all\n*.json\n!/a.json\n\\!b.json\nsub/*\n!sub/c.json\ndeep/**/d.js\n/e.js \n',
    ...Object.fromEntries(
      [
        'a.json',
        'b.json',
        '!b.json',
        'sub/c.json',
        'sub/a.json',
        'deep/d.js',
        'deep/x/y/d.js',
        'e.js',
        'sub2/e.js',
      ].map((name) => [name, name.endsWith('.js') ? `exports.a = ${designDoc(name)}` : designDoc(name)]),
    ),
    'sub3/.gitignore': '!*.json\n',
    'sub3/f.json': designDoc('sub3/f.json'),
  });
  execFileSync('git', ['init', '--quiet'], { cwd });
  const listed = execFileSync('git', ['ls-files', '--others', '--exclude-standard'], { cwd, encoding: 'utf8' });
  const expected = listed.split('\n').filter((name) => /\.(?:js|json)$/.test(name));
  expect(expected).toContain('sub3/f.json');
  expect([...(await open()).files.keys()]).toEqual(expected.sort());
});

test('an ignored folder is read where it is named', async () => {
  write({ '.gitignore': 'build\n', 'build/ddoc.json': designDoc('built') });
  expect((await open(['build'])).found).toEqual(['_design/built']);
  expect((await open(['build/ddoc.json'])).found).toEqual(['_design/built']);
});

test.each([
  ['a file', ['couch/a.json'], ['_design/a']],
  ['a folder', ['couch'], ['_design/a', '_design/b']],
  ['a folder with a slash', ['./couch/'], ['_design/a', '_design/b']],
  ['a glob', ['couch/*.json'], ['_design/a', '_design/b']],
  ['a glob over folders', ['**/b.json'], ['_design/b']],
  ['the same file twice', ['couch/a.json', './couch/a.json'], ['_design/a']],
  ['a file and its folder', ['couch/b.json', 'couch'], ['_design/a', '_design/b']],
  ['a couchapp', ['apps/stock'], ['_design/stock']],
  ['a file of a couchapp', ['apps/stock/views/low/map.js'], ['_design/stock']],
  ['files of a couchapp', ['apps/stock/views/low/map.js', 'apps/stock/language'], ['_design/stock']],
  ['a folder of a couchapp', ['apps/stock/views'], ['_design/stock']],
  ['a glob into a couchapp', ['apps/**/*.js'], ['_design/stock']],
  ['a file with a name that is also a glob', ['couch/[a].json'], ['_design/bracket']],
])('%s is read where it is named', async (name, paths, expected) => {
  write({ 'couch/a.json': designDoc('a'), 'couch/b.json': designDoc('b') });
  write({ 'apps/stock/language': 'javascript\n', 'apps/stock/views/low/map.js': MAP });
  if (name.includes('also a glob')) write({ 'couch/[a].json': designDoc('bracket') });
  const { found, errors } = await open(paths);
  expect(errors).toEqual([]);
  expect(found).toEqual(expected);
});

test.each([
  ['settings', 'shop.conf', '; shop\n[admins]\nroot = x\n', 'config shop.conf'],
  ['JSON', 'shop.ddoc', designDoc('a'), '_design/a'],
  ['JSON lines', 'shop.txt', `${designDoc('a')}\n${designDoc('b')}\n`, '_design/a,_design/b'],
  ['couchbackup lines', 'shop.backup', `[${designDoc('a')}]\n[${designDoc('b')}]\n`, '_design/a,_design/b'],
  ['a module', 'shop', `module.exports = ${designDoc('a')};`, '_design/a'],
])('%s are told by their text where the name says nothing', async (_name, file, text, expected) => {
  write({ [file]: text });
  expect((await open([file])).found.join()).toBe(expected);
});

test.each([
  ['a file without anything', 'shop.json', '{"name": "shop"}', 'no-design-documents'],
  ['a module without anything', 'shop.js', 'export default 1;', 'no-design-documents'],
  ['a folder without anything', 'src', '', 'no-design-documents'],
  ['a glob without anything', '*.json', '', 'no-design-documents'],
  ['a path that is not there', 'nowhere.json', '', 'not-found'],
  ['a path through a file', 'shop.json/a.json', '', 'not-found'],
  ['a glob that matches nothing', 'couch/*.json', '', 'not-found'],
  ['a module that does not parse', 'broken.js', '{', 'invalid-javascript'],
  ['a module without a name for its kind that does not parse', 'broken', '}', 'invalid-javascript'],
  [
    'a file of another kind',
    'docker-compose.yml',
    'services:\n  proxy:\n    image: nginx:1.27 # before couchdb\n',
    'no-design-documents',
  ],
  ['broken JSON', 'broken.json', '{"views":', 'truncated-json'],
  ['a binary file', 'shop.bin', 'a\0b', 'binary-file'],
])('%s is an error where it is named', async (_name, named, text, code) => {
  write({ 'src/empty.js': '', 'shop.json': '{}', ...(text === '' ? {} : { [named]: text }) });
  const { codes, errors, records } = await open([named]);
  expect(codes).toEqual([code]);
  expect(errors[0]?.message).toMatch(/^\S.*\S$/);
  expect(records).toEqual([]);
});

test.each([
  ['UTF-16', Buffer.from(`\ufeff${designDoc('a')}`, 'utf16le'), 'not-utf8', 1],
  ['another encoding', Buffer.from(`{\n"views": "K\xe4se"}`, 'latin1'), 'not-utf8', 2],
])('%s is an error with its place', async (_name, content, code, line) => {
  write({ 'shop.json': content });
  expect((await open(['shop.json'])).errors).toMatchObject([
    { code, place: { file: 'shop.json', line }, hint: 'save the file as UTF-8' },
  ]);
});

test('a byte order mark does no harm', async () => {
  write({ 'a.json': `\ufeff${designDoc('a')}`, 'b.js': `\ufeffexports.a = ${designDoc('b')}` });
  expect(await open()).toMatchObject({ found: ['_design/a', '_design/b'], errors: [] });
});

test('in discovery only files that have to do with CouchDB give errors', async () => {
  write({
    'a.json': `{"_id": "_design/a", "views": {"x": {"map": "`,
    'b.js': '{ "_design/"',
    'tsconfig.json': '{ // comment\n "a": }',
    'latin.js': Buffer.from('// K\xe4se', 'latin1'),
    'latin.json': Buffer.from('{"_id": "_design/K\xe4se", "views": {}}', 'latin1'),
    'image.json': Buffer.from('\0_design/'),
    'bundle.js': `exports.a = ${designDoc('min')};${'x();'.repeat(20_000)}`,
    'shop.min.js': `exports.a = ${designDoc('min')};`,
  });
  const { errors, notes, found } = await open();
  expect(found).toEqual([]);
  expect(errors.map(({ code, place }) => [code, place?.file])).toEqual([
    ['truncated-json', 'a.json'],
    ['not-utf8', 'latin.json'],
  ]);
  expect(notes).toEqual([
    { path: 'bundle.js', reason: 'minified code' },
    { path: 'image.json', reason: 'a binary file' },
    { path: 'shop.min.js', reason: 'minified code' },
  ]);
});

test('modules of tests are only read where they are named', async () => {
  const module = `module.exports = ${designDoc('orders')};`;
  write({
    'test/orders.js': module,
    'src/orders.spec.js': module,
    'src/contest.js': `module.exports = ${designDoc('x')};`,
  });
  const { found, notes } = await open();
  expect(found).toEqual(['_design/x']);
  expect(notes.map(({ path }) => path)).toEqual(['src/orders.spec.js', 'test/orders.js']);
  expect((await open(['test/orders.js'])).found).toEqual(['_design/orders']);
});

test('a file of more than 64 MB is only read where it is named', async () => {
  write({ 'big.json': '{"_design' });
  truncateSync(path.join(cwd, 'big.json'), 65 * 1024 * 1024);
  expect(await open()).toMatchObject({
    errors: [],
    notes: [{ path: 'big.json', reason: 'larger than 64 MB; pass its path to read it' }],
  });
});

test('responses that --record saved are no input of the next run, unless they are named', async () => {
  write({
    'answers.jsonl': '{"couch-advisor-answers":1,"origin":"http://db:5984"}\n',
    'orders.json': designDoc('orders'),
  });
  expect((await open()).notes).toEqual([
    { path: 'answers.jsonl', reason: 'saved by --record; pass its path to read it' },
  ]);
});

test.skipIf(process.getuid?.() === 0)('a file that may not be read is an error, and the rest is read', async () => {
  write({ 'a.json': designDoc('a'), 'b.json': designDoc('b'), 'c/d.json': designDoc('d') });
  chmodSync(path.join(cwd, 'a.json'), 0);
  chmodSync(path.join(cwd, 'c'), 0);
  const { found, errors } = await open();
  chmodSync(path.join(cwd, 'c'), 0o700);
  expect(found).toEqual(['_design/b']);
  expect(errors).toMatchObject([
    { code: 'unreadable', message: 'cannot read a.json: permission denied' },
    { code: 'unreadable', message: 'cannot read c: permission denied' },
  ]);
});

test('a named pipe in a folder does not stop the reading', async () => {
  write({ 'a.json': designDoc('a') });
  execFileSync('mkfifo', [path.join(cwd, 'b.json')]);
  expect((await open()).found).toEqual(['_design/a']);
});

test('links that lead in a circle end, and a link to a shared folder is followed in a couchapp', async () => {
  write({ 'ddocs/stock/views/low/map.js': '// !code lib/price.js\nfunction (doc) { emit(1); }' });
  write({ 'ddocs/stock/_id': '_design/stock', 'shared/price.js': 'var price;' });
  mkdirSync(path.join(cwd, '.git'));
  symlinkSync('../../shared', path.join(cwd, 'ddocs/stock/lib'));
  symlinkSync('..', path.join(cwd, 'ddocs/stock/views/up'));
  symlinkSync('.', path.join(cwd, 'ddocs/stock/here'));
  symlinkSync('nowhere', path.join(cwd, 'ddocs/stock/gone'));
  symlinkSync('..', path.join(cwd, 'ddocs/round'));
  for (const paths of [[], ['ddocs/stock'], ['ddocs/stock/views/low/map.js']]) {
    const { found, errors, counts } = await open(paths);
    expect(errors).toEqual([]);
    expect(found).toEqual(['_design/stock']);
    expect(counts).toEqual({ designDocs: 1, views: 1, files: 3 });
  }
});

test('a link that leads out of the project is an error, and nothing behind it is read', async () => {
  write({ 'project/ddocs/stock/_id': '_design/stock', 'project/ddocs/stock/views/low/map.js': MAP });
  write({ 'outside/reduce.js': 'secret', 'outside/lib/a.js': 'secret' });
  const at = (/** @type {string} */ name) => path.join(cwd, 'project/ddocs/stock', name);
  symlinkSync('../../../../../outside/reduce.js', at('views/low/reduce.js'));
  symlinkSync('../../../outside/lib', at('lib'));
  for (const paths of [['project'], ['project/ddocs/stock'], ['project/ddocs']]) {
    const { errors, files } = await open(paths);
    expect(errors.map(({ code, place }) => [code, place?.file])).toEqual([
      ['link-outside', 'project/ddocs/stock/lib'],
      ['link-outside', 'project/ddocs/stock/views/low/reduce.js'],
    ]);
    expect([...files.values()].filter(({ text }) => text.includes('secret'))).toEqual([]);
  }
});

test('the files of a couchapp are not read as modules, and others beside it are', async () => {
  write({
    'views/all/map.js': MAP,
    'lib/ddoc.js': `exports.a = ${designDoc('in-couchapp')}`,
    'couch/ddoc.js': `exports.a = ${designDoc('beside')}`,
  });
  const { found, records } = await open();
  expect(found).toEqual(['_design/beside', `_design/${path.basename(cwd)}`]);
  expect(records[1]).toMatchObject({ origin: 'couchapp', file: { path: 'views/all/map.js' } });
});

test.each([
  ['text', designDoc('a')],
  ['bytes', Buffer.from(designDoc('a'))],
])('standard input is read as %s', async (_name, text) => {
  const { found, files, counts } = await open(['-'], { stdin: { text } });
  expect(found).toEqual(['_design/a']);
  expect([...files.keys()]).toEqual(['<stdin>']);
  expect(counts).toEqual({ designDocs: 1, views: 1, files: 1 });
});

test('the file name of standard input says what it is', async () => {
  const text = '[admins]\nroot = x\n';
  expect((await open(['-'], { stdin: { text, filename: 'etc/local.ini' } })).found).toEqual(['config etc/local.ini']);
  const absolute = path.join(cwd, 'etc/local.ini');
  expect((await open(['-'], { stdin: { text, filename: absolute } })).found).toEqual(['config etc/local.ini']);
});

test('standard input may be a file of a couchapp that is being edited', async () => {
  write({ 'stock/_id': '_design/stock', 'stock/views/low/map.js': MAP });
  const stdin = { text: 'function (doc) { emit(2); }', filename: 'stock/views/low/map.js' };
  const { found, files } = await open(['-'], { stdin });
  expect(found).toEqual(['_design/stock']);
  expect(files.get('stock/views/low/map.js')?.text).toBe(stdin.text);
});

test.each([
  ['nothing', '', 'empty-json'],
  ['no design document', '{"name": "shop"}', 'no-design-documents'],
  ['a binary', Buffer.from('\0'), 'binary-file'],
])('%s on standard input is an error', async (_name, text, code) => {
  expect((await open(['-'], { stdin: { text } })).errors).toMatchObject([{ code, place: { file: '<stdin>' } }]);
});

test('a path outside of the working directory is shown relative to it', async () => {
  write({ 'couch/a.json': designDoc('a'), 'app/b.json': designDoc('b') });
  const { files } = await open(['../couch', '../app/b.json'], { cwd: path.join(cwd, 'app') });
  expect([...files.keys()]).toEqual(['../couch/a.json', 'b.json']);
});

test('nothing at all is no error in discovery', async () => {
  expect(await open()).toMatchObject({
    records: [],
    errors: [],
    notes: [],
    counts: { designDocs: 0, views: 0, files: 0 },
  });
});
