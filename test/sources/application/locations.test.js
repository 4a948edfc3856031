// Where a database is, as far as the code shows it: behind HTTP or in the process.

import { describe, expect, test } from 'vitest';
import { callsIn, readTexts } from '../../helpers/application-code.js';
import { createProject } from '../../helpers/temporary-project.js';

describe('a PouchDB is', () => {
  const NAMES = "import PouchDB from 'pouchdb'; const env = process.env;";

  test.each([
    ['http', 'a URL in a template', 'new PouchDB(`https://${env.HOST}/shop`)'],
    ['http', 'a URL whose protocol is chosen', "new PouchDB(`http${isSecure ? 's' : ''}://${host}/shop`)"],
    ['http', 'a URL in a sum', "new PouchDB('http://' + host + '/shop')"],
    ['http', 'a URL that a name begins', "const base = 'http://localhost:5984'; new PouchDB(`${base}/shop`)"],
    [
      'http',
      'a URL that stands in for a variable that is not set',
      "new PouchDB(env.COUCHDB_URL || 'http://localhost:5984/shop')",
    ],
    ['http', 'a URL object', "new PouchDB(new URL('/shop', 'http://localhost:5984').href)"],
    [
      'http',
      'a URL that is cut',
      "const base = 'http://localhost:5984/'; new PouchDB(base.replace(/.$/, '') + '/shop')",
    ],
    [
      'http',
      'a member of an object',
      "const config = { remote: { url: 'http://localhost/shop' } }; new PouchDB(config.remote.url)",
    ],
    ['http', 'an object of options with a URL', "new PouchDB({ name: 'http://localhost/shop' })"],
    ['http', 'an adapter', "new PouchDB(name, { adapter: 'http' })"],
    [
      'http',
      'options that a function makes',
      'const remote = () => ({ skip_setup: true }); new PouchDB(url, remote())',
    ],
    [
      'http',
      'options that are written later',
      'const options = {}; if (auth) options.auth = auth; new PouchDB(url, options)',
    ],
    [
      'http',
      'options of a server with a path',
      'const base = env.COUCHDB; const name = base + "/" + env.SHOP; new PouchDB(name, { auth })',
    ],
    [
      'http',
      'options of a server with a path in a template',
      'new PouchDB({ name: `${env.COUCHDB}/shop`, skip_setup: true })',
    ],
    ['unknown', 'options of a server with a name', 'new PouchDB(env.SHOP, { skip_setup: true, auth })'],
    ['http', 'a prefix', "const Remote = PouchDB.defaults({ prefix: `https://${host}/` }); new Remote('shop')"],
    [
      'http',
      'a class above it',
      "class Remote extends PouchDB { constructor() { super('http://localhost/shop'); } }; new Remote()",
    ],
    ['local', 'a name in a template', 'new PouchDB(`shop-${env.USER}`)'],
    ['local', 'a name that a function gives', "const nameOf = () => 'shop'; new PouchDB(nameOf())"],
    ['local', 'an object of options', "new PouchDB({ name: 'shop', adapter: 'idb' })"],
    ['local', 'a name, whatever options stand with it', "new PouchDB('shop', { skip_setup: true })"],
    ['local', 'an adapter', "new PouchDB(url, { adapter: 'memory' })"],
    [
      'local',
      'defaults that say nothing of the place',
      "const Local = PouchDB.defaults({ auto_compaction: true }); new Local('shop')",
    ],
    ['local', 'names on both sides', "new PouchDB(isTest ? 'test' : 'shop')"],
    ['local', 'a path', "new PouchDB(path.join(app.getPath('userData'), file))"],
    ['local', 'a path beside the program', 'new PouchDB(`${__dirname}/shop`)'],
    ['local', 'a variable that is called a name', 'new PouchDB(config.dbName)'],
    ['local', 'what any name in a list stands for', "const all = {}; all[name] = new PouchDB('a-' + name); all[other]"],
    [
      'unknown',
      'a name that is given a URL',
      'let dbName = `https://${host}/shop`; if (old) dbName += "-old"; new PouchDB(dbName)',
    ],
    ['unknown', 'what may be anything', 'new PouchDB(name)'],
    ['unknown', 'the name of a host', 'new PouchDB(config.hostName)'],
    ['http', 'a variable that is called a URL', 'new PouchDB(env.COUCHDB_URL)'],
    ['http', 'a template that begins with it', 'new PouchDB(`${env.COUCHDB_URL}-shop`)'],
    ['http', 'a function that is called after a URL', "new PouchDB(getDbUrl('shop'))"],
    ['http', 'what a URL is resolved from', "new PouchDB(resolve(env.COUCH_URL, 'shop'))"],
    ['http', 'a host with a path', "new PouchDB(env.COUCH_HOST + '/shop')"],
    [
      'http',
      'a prefix that is called a URL',
      "const Remote = PouchDB.defaults({ prefix: env.DB_URL }); new Remote('shop')",
    ],
    ['http', 'an object with a URL for its name', 'new PouchDB({ name: env.DB_URL })'],
    ['unknown', 'a variable that may be a name', 'new PouchDB(env.SHOP)'],
    ['unknown', 'a host without a path', 'new PouchDB(env.COUCH_HOST)'],
    ['unknown', 'a folder with a path', 'new PouchDB(`${env.DATA}/shop`)'],
    ['unknown', 'the name of something remote', 'new PouchDB(env.remoteName)'],
    ['unknown', 'a word that ends like one', 'new PouchDB(env.during)'],
    ['unknown', 'a name or a URL', "new PouchDB(isRemote ? 'http://localhost/shop' : 'shop')"],
    [
      'unknown',
      'one of two',
      "let db = new PouchDB('shop'); if (isRemote) db = new PouchDB('http://localhost/shop'); db",
    ],
    ['unknown', 'a name that stands in for a variable', "new PouchDB(env.COUCHDB_URL || 'shop')"],
    [
      'unknown',
      'a string that changes',
      "let url = 'shop'; if (isRemote) url = 'http://localhost/shop'; new PouchDB(url)",
    ],
    ['unknown', 'a prefix that is unknown', "const Remote = PouchDB.defaults({ prefix }); new Remote('shop')"],
    [
      'unknown',
      'a parameter of what others call',
      "export function open(name) { return new PouchDB(name); }; open('shop')",
    ],
    [
      'local',
      'a parameter of what nobody else calls',
      "function open(name) { return new PouchDB(name); }; open('shop')",
    ],
    [
      'unknown',
      'a parameter of two calls',
      "function open(name) { return new PouchDB(name); } open('http://host/'); open('shop')",
    ],
  ])('%s: %s', async (location, _, text) => {
    const at = text.lastIndexOf(';') + 1;
    const calls = await callsIn(`${NAMES} ${text.slice(0, at)} (${text.slice(at)}).get('a');`);
    const sent = calls.filter(({ method }) => method !== 'connect');
    expect(sent.map(({ method, location }) => [method, location])).toEqual([['get', location]]);
  });

  test.each([
    ['http', "import http from 'pouchdb-adapter-http'; const Remote = Core.plugin(http).plugin(mapreduce);"],
    ['http', "const Remote = Core.plugin(require('pouchdb-adapter-http'));"],
    ['local', "const Remote = Core.plugin(require('pouchdb-adapter-idb'));"],
    ['unknown', "const Remote = Core.plugin(require('pouchdb-adapter-idb')).plugin(require('pouchdb-adapter-http'));"],
    ['http', "import http from 'pouchdb-adapter-http'; const Remote = Core; Remote.plugin(http);"],
    [
      'unknown',
      "import http from 'pouchdb-adapter-http'; import idb from 'pouchdb-adapter-idb'; const Remote = Core; Remote.plugin(http); Remote.plugin(idb);",
    ],
  ])('%s, by the adapters that it has: %s', async (location, text) => {
    const [call] = await callsIn(`import Core from 'pouchdb-core'; ${text} new Remote(name).get('a');`);
    expect(call?.location).toBe(location);
  });

  test('where its name stands, in another file', async () => {
    const { records } = await readTexts({
      'config.ts': 'export const config = { couchdb: { url: `http://${process.env.HOST}:5984` } };',
      'db.ts':
        "import PouchDB from 'pouchdb'; import { config } from './config'; export const shop: PouchDB.Database<Order> = new PouchDB(`${config.couchdb.url}/shop`);",
      'a.ts': "import { shop } from './db'; shop.get('a');",
    });
    expect(records.map(({ location, receiver }) => [location, receiver])).toEqual([['http', 'traced']]);
  });

  test('where a file says that has nothing else', async () => {
    const { run } = createProject({
      'config.js': "module.exports = { database: 'https://db.example/shop' };",
      'db.js':
        "const config = require('./config'); const db = new (require('pouchdb'))(config.database); exports.load = (id) => db.get(id);",
    });
    const { stdout } = await run(['facts', '--format', 'json']);
    const locations = JSON.parse(stdout).subjects.flatMap(
      (/** @type {{facts: Record<string, {value?: unknown}>}} */ { facts }) => facts['call.location']?.value ?? [],
    );
    expect(locations).toEqual(['http']);
  });

  test('in a class that another extends, unless that assigns it', async () => {
    const base =
      "import PouchDB from 'pouchdb'; export class Base { constructor() { this.db = new PouchDB('shop'); } load() { return this.db.get('a'); } }";
    const place = async (/** @type {string} */ body) => {
      const { records } = await readTexts({
        'base.js': base,
        'orders.js': `import { Base } from './base'; export class Orders extends Base { ${body} }`,
      });
      return records.find(({ method }) => method === 'get')?.location;
    };
    expect(await place('open() { return this.load(); }')).toBe('local');
    expect(await place('open(url) { this.db = new Remote(url); }')).toBe('unknown');
  });

  test('where it is assigned, in a member with a type', async () => {
    const [call] = await callsIn(
      "import PouchDB from 'pouchdb'; class Orders { private db: PouchDB.Database<Order>; constructor() { this.db = new PouchDB('shop'); } load() { return this.db.get('a'); } }",
      'orders.ts',
    );
    expect([call?.location, call?.database]).toEqual(['local', 'shop']);
  });
});
