// What was not seen: calls whose client is unknown, by receiver, and how a user says which client it is.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { declaredClient } from '../../lib/clients/index.js';
import { createProject } from '../helpers/temporary-project.js';

const CONTAINER = `const container = require('./container');
const db = container.resolve('db');
exports.load = (id) => db.get(id);
exports.all = () => db.list({});
`;
const FILES = { 'package.json': '{}', 'orders.js': CONTAINER, 'boot.js': "require('nano');\n", 'container.js': '' };
const LIST = 'exports.all = () => db.allDocs({ include_docs: true });\n';

describe('calls whose client is unknown', () => {
  test('are counted, and their project is one', async () => {
    const { stdout, exitCode } = await createProject(FILES).run(['lint']);
    expect(stdout).toBe(`no call of a known client in 1 file that names one
for CouchDB 3.5.2, the newest known: --target names another
2 calls not judged: the client is unknown (--verbose lists them)
`);
    expect(exitCode).toBe(0);
  });

  test('are listed by the expression at which the trace ended', async () => {
    const { stdout } = await createProject(FILES).run(['lint', '--verbose']);
    expect(stdout).toContain(`  \`container.resolve('db')\` orders.js:2:12
    what this call returns is unknown: db.get (orders.js:3), db.list (orders.js:4)
`);
    expect(stdout).toContain(`"clients": { "container.resolve('db')": "nano" }`);
    const json = JSON.parse((await createProject(FILES).run(['lint', '--format', 'json'])).stdout);
    expect(json.read).toMatchObject({ unseen: 2, clientFiles: 1 });
    expect(json.unseen).toMatchObject([{ receiver: "container.resolve('db')", calls: [{ name: 'db.get' }, {}] }]);
  });

  test.each([
    ['a parameter', 'exports.load = (db, id) => db.get(id);', 'db'],
    ['a member that nothing assigns', 'class Orders { load(id) { return this.db.get(id); } }', 'this.db'],
    ['a package that is not read', "import { db } from 'our-couch'; db.get('1');", 'db'],
    [
      'a function that returns it',
      "const open = () => registry.open('shop'); open().db; const db = open(); db.get('1');",
      "registry.open('shop')",
    ],
  ])('%s', async (_, text, receiver) => {
    const { stdout } = await createProject({ ...FILES, 'orders.js': text }).run(['lint', '--format', 'json']);
    expect(JSON.parse(stdout).unseen?.map((/** @type {any} */ one) => one.receiver)).toEqual([receiver]);
  });

  test.each([
    ['without a client in the project', { 'orders.js': CONTAINER, 'a.json': '{}' }],
    ['of another database', { ...FILES, 'orders.js': "import { db } from 'mongodb'; db.get('1'); mongoDb.find({});" }],
    ['of what the project makes itself', { ...FILES, 'orders.js': "const db = { get() {} }; db.get('1');" }],
    ['of a Map', { ...FILES, 'orders.js': "const dbs = new Map(); dbs.get('1');" }],
  ])('none %s', async (_, files) => {
    const { stdout } = await createProject(files).run(['lint', '--format', 'json']);
    expect(JSON.parse(stdout).unseen).toBeUndefined();
  });

  test('show no password', async () => {
    const text = "const db = open('http://admin:hunter2hunter2@couch.example.org/shop'); db.get('1');";
    for (const argv of [['--verbose'], ['--format', 'json']]) {
      const { stdout, stderr } = await createProject({ ...FILES, 'orders.js': text }).run(['lint', ...argv]);
      expect(stdout + stderr).not.toContain('hunter2');
    }
  });
});

describe('a client that the user declares', () => {
  test.each([
    ['by the configuration', { 'couch-advisor.config.json': `{"clients": {"container.resolve(\\"db\\")": "nano"}}` }],
    ['by a comment at its line', { 'orders.js': CONTAINER.replace("('db');", "('db'); // couch-advisor-client nano") }],
    ['by a comment above it', { 'orders.js': CONTAINER.replace('const db', '// couch-advisor-client nano\nconst db') }],
  ])('%s', async (_, files) => {
    const { stdout } = await createProject({ ...FILES, ...files }).run(['lint', '--format', 'json']);
    expect(JSON.parse(stdout).read).toMatchObject({ calls: 2, unknown: { place: 0, database: 2, loop: 0 } });
    expect(JSON.parse(stdout).unseen).toBeUndefined();
  });

  test.each([
    ['pouchdb', 1],
    ['pouchdb-http', 0],
    ['pouchdb-local', 0],
  ])('%s', async (name, place) => {
    const text = `class Orders { constructor(db) { this.db = db; // couch-advisor-client ${name}
    } load(id) { return this.db.get(id); } }`;
    const { stdout } = await createProject({ ...FILES, 'orders.js': text }).run(['lint', '--format', 'json']);
    expect(JSON.parse(stdout).read).toMatchObject({ calls: 1, unknown: { place } });
  });

  test('may be a server', async () => {
    const config = '{"clients": {"container.resolve(\'couch\')": "nano"}}';
    const text = "const couch = container.resolve('couch'); couch.use('a').get('1'); couch.db.use('b').get('1');";
    const { stdout } = await createProject({
      'couch-advisor.config.json': config,
      'orders.js': text,
      'b.js': "require('nano')",
    }).run(['lint', '--format', 'json']);
    expect(JSON.parse(stdout).read).toMatchObject({ calls: 2, unknown: { database: 0 } });
  });

  test('has a name that the configuration knows', async () => {
    const { stderr, exitCode } = await createProject({
      ...FILES,
      'couch-advisor.config.json': '{"clients": {"db": "mongo"}}',
    }).run(['lint']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('clients');
    const schema = JSON.parse(readFileSync('share/schemas/config.schema.json', 'utf8'));
    const names = schema.properties.clients.additionalProperties.enum;
    expect(names.filter((/** @type {string} */ name) => !declaredClient(name))).toEqual([]);
  });
});

describe('what is unknown of calls', () => {
  test('is said below the summary', async () => {
    const text = `import PouchDB from 'pouchdb';
const db = new PouchDB(name);
for (const id of ids) if (await check(id)) db.get(other(id));
${LIST}`;
    const { stdout } = await createProject({ 'orders.js': text }).run(['lint']);
    expect(stdout).toMatch(/\nof 2 calls, the place of 2.* the database of 2.* unknown\n/);
  });

  test('is not said where nothing is', async () => {
    const text =
      "const db = require('nano')('https://c.example.org').use('shop');\nexports.load = (id) => db.get(id);\n";
    const { stdout } = await createProject({ 'orders.js': text }).run(['lint']);
    expect(stdout).toMatch(/^no problems in 1 file and 1 call\nfor CouchDB .*\n$/);
  });
});

describe('programs in other languages', () => {
  test.each([
    ['orders.py', 'import couchdb\n', 'Python'],
    ['orders.py', 'from cloudant.client import Cloudant\n', 'Python'],
    ['orders.php', '<?php use PHPOnCouch\\CouchClient;\n', 'PHP'],
  ])('%s is counted as not read', async (name, text, language) => {
    const { stdout, stderr } = await createProject({ 'orders.js': "require('nano')", [name]: text }).run([
      'lint',
      '--format',
      'json',
    ]);
    expect(stderr).toContain(`skipped 1 path: names a CouchDB client of ${language}, whose calls are not read`);
    expect(JSON.parse(stdout).notes).toHaveLength(1);
  });

  test('without a client are not', async () => {
    const { stderr } = await createProject({ 'orders.js': "require('nano')", 'orders.py': 'import json\n' }).run([
      'lint',
    ]);
    expect(stderr).toBe('');
  });
});

test('a format for programs is printed where there is nothing to judge, too', async () => {
  const project = createProject({ 'order.json': { total: 1 } });
  const { stdout, stderr, exitCode } = await project.run(['lint', '--format', 'json']);
  expect(JSON.parse(stdout)).toMatchObject({ findings: [], errors: [{ code: 'nothing-found' }] });
  expect(stderr).toContain('error: no design documents');
  expect(exitCode).toBe(2);
});
