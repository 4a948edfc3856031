// Facts about what code connects to, and that no report shows a password that it has.

import { describe, expect, test } from 'vitest';
import { createProject } from '../../helpers/temporary-project.js';

const HEAD =
  "const nano = require('nano');\nconst PouchDB = require('pouchdb');\nconst Cloudant = require('@cloudant/cloudant');\nconst cradle = require('cradle');\nconst axios = require('axios');\n";

/**
 * @param {string} code
 * @returns {Promise<(unknown)[]>} credentials, host and whether it is plain, of what connects last; undefined where nothing does
 */
async function connectionIn(code) {
  const { stdout } = await createProject({ 'a.js': `${HEAD}${code}\n` }).run(['facts', '--format', 'json']);
  const subjects = stdout.startsWith('{') ? JSON.parse(stdout).subjects : [];
  const connects = subjects.filter((/** @type {{facts: Record<string, {value?: unknown}>}} */ { facts }) => {
    return ['connect', 'sync', 'replicate'].includes(String(facts['call.method']?.value));
  });
  const facts = connects.at(-1)?.facts;
  return ['credentials', 'host', 'isPlainHttp'].map((id) => facts?.[`call.${id}`]?.value);
}

describe('what is connected to', () => {
  test.each([
    ["nano('https://keeper:Xk2mneu7@db.shop.io');", ['literal', 'remote', false]],
    ["require('nano')('http://keeper:Xk2mneu7@db.shop.io/orders');", ['literal', 'remote', true]],
    ["const URL = 'https://keeper:Xk2mneu7@db.shop.io'; nano(URL);", ['literal', 'remote', false]],
    [
      "nano({ url: 'https://db.shop.io', requestDefaults: { auth: { username: 'keeper', password: 'Xk2mneu7' } } });",
      ['literal', 'remote', false],
    ],
    [
      "new PouchDB('https://db.shop.io/a', { auth: { username: 'keeper', password: 'Xk2mneu7' } });",
      ['literal', 'remote', false],
    ],
    [
      "new PouchDB('http://db.shop.io/a', { auth: { username: user, password: process.env.PW } });",
      ['other', 'remote', true],
    ],
    ["new PouchDB('a').sync('https://keeper:Xk2mneu7@db.shop.io/a');", ['literal', 'remote', false]],
    ["Cloudant({ account: 'shop', password: 'Xk2mneu7' });", ['literal', 'remote', undefined]],
    [
      "new (cradle.Connection)('https://db.shop.io', 6984, { auth: { username: 'keeper', password: 'Xk2mneu7' } });",
      ['literal', 'remote', false],
    ],
    ["nano('http://db.shop.io');", ['none', 'remote', true]],
    ["nano('http://admin:secret@db.shop.io');", ['placeholder', 'remote', true]],
    ["nano('http://user:pass@db.shop.io');", ['placeholder', 'remote', true]],
    ["nano('http://keeper:keeper@db.shop.io');", ['placeholder', 'remote', true]],
    ["nano('http://keeper:<PASSWORD>@db.shop.io');", ['placeholder', 'remote', true]],
    ["nano('http://keeper:Xk2mneu7@localhost:5984');", ['literal', 'local', true]],
    ["nano('http://keeper:Xk2mneu7@127.0.0.1:5984');", ['literal', 'local', true]],
    ["nano('http://keeper:Xk2mneu7@[::1]:5984');", ['literal', 'local', true]],
    ["nano('http://keeper:Xk2mneu7@couchdb:5984');", ['literal', 'service', true]],
    ["nano('http://keeper:Xk2mneu7@10.1.2.3:5984');", ['literal', 'private', true]],
    ["nano('http://keeper:Xk2mneu7@172.20.2.3:5984');", ['literal', 'private', true]],
    ["nano('http://keeper:Xk2mneu7@172.40.2.3:5984');", ['literal', 'remote', true]],
    ["nano('http://keeper:Xk2mneu7@couch.local');", ['literal', 'private', true]],
    ["nano('http://keeper:Xk2mneu7@db.example.com');", ['literal', 'example', true]],
    ["nano('http://keeper:Xk2mneu7@shop.test');", ['literal', 'example', true]],
    ["nano('https://keeper:Xk2mneu7@{host}/shop');", ['literal', 'example', false]],
    ["nano('https://keeper:Xk2mneu7@db.{region}.shop.io/shop');", ['literal', 'example', false]],
    ["nano('https://keeper:Xk2mneu7@db-1.eu.appdomain.cloud');", ['literal', 'remote', false]],
    ["nano('https://keeper:Xk2mneu7@hostname.shop.io');", ['literal', 'remote', false]],
    ["nano('https://keeper:Xk2mneu7@yourshop.io');", ['literal', 'remote', false]],
    ["nano('https://keeper:Xk2mneu7@example.shop.io');", ['literal', 'remote', false]],
    ["nano('https://keeper:Xk2mneu7@contest.io');", ['literal', 'remote', false]],
    ['nano(`http://keeper:${password}@db.shop.io`);', ['other', 'remote', true]],
    ['nano(`http://${host}`);', [undefined, undefined, undefined]],
    ['nano(process.env.COUCHDB_URL);', [undefined, undefined, undefined]],
    ["nano(process.env.COUCHDB_URL || 'http://keeper:Xk2mneu7@db.shop.io');", ['literal', 'remote', true]],
    ["const url = process.env.A ?? 'https://keeper:Xk2mneu7@db.shop.io'; nano({ url });", ['literal', 'remote', false]],
    ["const pw = 'Xk2mneu7'; nano(`https://keeper:${pw}@db.shop.io/${name}`);", ['literal', 'remote', false]],
    ['nano(`http://${process.env.U}:${process.env.P}@db.shop.io`);', ['other', 'remote', true]],
    ['nano(`http://db.${region}.shop.io`);', [undefined, undefined, undefined]],
    ['nano(`http://db.shop.io${port}`);', [undefined, undefined, undefined]],
    ["fetch('http://keeper:Xk2mneu7@db.shop.io/orders/_all_docs');", ['literal', 'remote', true]],
    ["const pw = 'Xk2mneu7'; fetch(`https://keeper:${pw}@db.shop.io/${db}/_all_docs`);", ['literal', 'remote', false]],
    ['fetch(`https://${user}:${pw}@db.shop.io/orders/_all_docs`);', [undefined, undefined, undefined]],
    ['fetch(`http://${user}:${pw}@db.shop.io/orders/_all_docs`);', ['other', 'remote', true]],
    ["fetch('http://keeper:Xk2mneu7@db.shop.io/orders/list');", [undefined, undefined, undefined]],
    ["fetch('http://localhost:5984/orders/_all_docs');", ['none', 'local', true]],
    ["fetch('https://db.shop.io/orders/_all_docs');", [undefined, undefined, undefined]],
    [
      "axios.get('https://db.shop.io/a/_all_docs', { auth: { username: 'keeper', password: 'Xk2mneu7' } });",
      ['literal', 'remote', false],
    ],
    [
      "axios({ url: 'http://db.shop.io/a/_all_docs', auth: { username: env.U, password: env.P } });",
      ['other', 'remote', true],
    ],
    [
      "const request = require('request'); request({ uri: 'https://db.shop.io/a/_find', auth: { user: 'keeper', pass: 'Xk2mneu7' } }, use);",
      ['literal', 'remote', false],
    ],
    [
      "fetch('https://db.shop.io/a/_all_docs', { headers: { Authorization: 'Basic ' + btoa('keeper:Xk2mneu7') } });",
      ['literal', 'remote', false],
    ],
    [
      "fetch('https://db.shop.io/a/_all_docs', { headers: { Authorization: `Basic ${Buffer.from('keeper:Xk2mneu7').toString('base64')}` } });",
      ['literal', 'remote', false],
    ],
    [
      "const HEADERS = { Accept: 'application/json', Authorization: 'Basic a2VlcGVyOlhrMm1uZXU3' }; fetch('https://db.shop.io/a/_all_docs', { headers: HEADERS });",
      ['literal', 'remote', false],
    ],
    [
      "fetch('https://db.shop.io/a/_all_docs', { headers: { Authorization: 'Basic a2VlcGVyOlhrMm1uZXU3' } });",
      ['literal', 'remote', false],
    ],
    [
      "fetch('http://db.shop.io/a/_all_docs', { headers: { Authorization: `Bearer ${token}` } });",
      ['none', 'remote', true],
    ],
    ["other('http://keeper:Xk2mneu7@db.shop.io');", [undefined, undefined, undefined]],
  ])('%s', async (code, expected) => {
    expect(await connectionIn(code)).toEqual(expected);
  });
});

test('the same password, and the same host without TLS, is reported once in a file', async () => {
  const code = `${HEAD}const URL = 'http://keeper:Xk2m$neu7@db.shop.io';
exports.orders = new PouchDB(URL + '/orders');
exports.stock = nano(\`\${URL}/stock\`);
exports.all = () => axios.get(URL + '/orders/_all_docs');
exports.found = (user, password) => fetch(\`http://\${user}:\${password}@db.shop.io/orders/_find\`, options);
`;
  const { stdout } = await createProject({ 'a.js': code }).run(['lint', '--format', 'json']);
  const { findings } = JSON.parse(stdout);
  expect(
    findings.map((/** @type {{rule: string, place: {line: number}}} */ { rule, place }) => [rule, place.line]),
  ).toEqual([
    ['call/credentials', 6],
    ['call/plain-http', 7],
  ]);
});

test('a password in another file is reported where it is used', async () => {
  const project = createProject({
    'a.js':
      "import PouchDB from 'pouchdb';\nimport { url } from './b.js';\nexport const orders = new PouchDB(url + '/orders');\nexport const load = (id) => orders.get(id);\n",
    'b.js': "export const url = 'https://keeper:Xk2mneu7@db.shop.io';\n",
  });
  const { stdout } = await project.run(['lint', 'a.js', '--format', 'json']);
  const [finding] = JSON.parse(stdout).findings;
  expect([finding.rule, finding.place.file, finding.place.line]).toEqual(['call/credentials', 'a.js', 3]);
  expect(stdout).not.toContain('Xk2mneu7');
});

describe('no output has the password', () => {
  const PASSWORDS = [
    'Xk2mneu1',
    'Xk2mneu2',
    'Xk2mneu3',
    'Xk2mneu4',
    'Xk2m/neu5',
    'Xk2m%2Fneu5',
    'Xk2mneu6',
    'Xk2mneu8',
    'Xk2mneu9',
    'a2VlcGVyOlhrMm1uZXU5',
  ];
  const CODE = `${HEAD}const OTHER = 'Xk2mneu3';
const shop = nano('http://keeper:Xk2mneu1@db.shop.io/shop');
const stock = new PouchDB('http://db.shop.io/stock', { auth: { username: 'keeper', password: 'Xk2mneu2' } });
new PouchDB('drafts', { auth: { username: 'keeper', password: OTHER } });
const run = new PouchDB('drafts').sync('http://keeper:Xk2m%2Fneu5@db.shop.io/drafts', { live: true });
nano({ url: 'http://db.shop.io', requestDefaults: { auth: { username: 'keeper', password: 'Xk2mneu6' } } }).use('a').changesReader.start({ filter: 'app/mine' });
module.exports = (ids) => ids.map((id) => nano({ url: 'http://db.shop.io', requestDefaults: { auth: { username: 'keeper', password: 'Xk2mneu4' } } }).use('a').get(id));
stock.query({ map: function (doc) { emit(doc.a); } }); new PouchDB('http://keeper:Xk2mneu1@db.shop.io/x').query((doc) => { emit(doc.b); });
const PW = 'Xk2mneu8'; axios.get("https://keeper:" + PW + "@db.shop.io/a/_all_docs");
fetch('https://db.shop.io/b/_all_docs', { headers: { Authorization: 'Basic a2VlcGVyOlhrMm1uZXU5' } });
`;
  const open = () => createProject({ 'a.js': CODE });

  test.each([['text'], ['compact'], ['json'], ['sarif'], ['github'], ['junit'], ['gitlab'], ['markdown'], ['html']])(
    '%s, judged and from the cache',
    async (format) => {
      const project = open();
      for (let run = 0; run < 2; run += 1) {
        const { stdout, stderr } = await project.run(['lint', '--verbose', '--format', format]);
        expect(stdout).toContain('call/credentials');
        for (const password of PASSWORDS) expect(stdout + stderr).not.toContain(password);
      }
    },
  );

  test.each([['text'], ['json']])('facts as %s', async (format) => {
    const { stdout, stderr } = await open().run(['facts', '--format', format]);
    expect(stdout).toContain('call.credentials');
    for (const password of PASSWORDS) expect(stdout + stderr).not.toContain(password);
  });

  test('a frame shows where it is', async () => {
    const { stdout } = await open().run(['lint']);
    expect(stdout).toContain("nano('http://***************@db.shop.io/shop')");
    expect(stdout).toContain("password: '********'");
  });
});
