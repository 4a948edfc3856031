// Attacks on the secrets of a project: one that is recognised in one place stands again in another, in any spelling, where a
// report quotes the file.

import path from 'node:path';
import { runMain } from '../../helpers/run-main.js';
import { inFiles, inspectOutput, REPORT_FORMATS } from '../formats.js';
import { writeFiles } from '../hostile-project.js';
import { inspectRun } from '../inspect.js';
import { createRepository, GIT_ENV } from '../repository.js';

/** @import { Family } from '../attack.js' */

const PASSWORDS = ['tr0ub4dor+3', 'correcthorsebattery', 'p@ss/w0rd"x', 'S3cr!t7', '9f8a7c6b5d4e'.repeat(5)];

/** @param {string} password @returns {Record<string, string>} code by what makes its password known */
const placesOf = (password) => ({
  'an address': `const nano = require('nano')(${JSON.stringify(`http://anna:${encodeURIComponent(password)}@db:5984`)});`,
  options: `const nano = require('nano')({ url: 'http://db:5984', requestDefaults: { auth: { username: 'anna', password: ${JSON.stringify(password)} } } });`,
  'a constant': `const PASSWORD = ${JSON.stringify(password)};\nconst nano = require('nano')('http://db:5984');`,
  'a header': `const headers = { Authorization: 'Basic ${btoa(`anna:${password}`)}' };\nconst nano = require('nano')('http://db:5984');`,
});

/** @param {string} password @returns {string[]} every way it is written in the project */
const spellingsOf = (password) => [
  password,
  JSON.stringify(password).slice(1, -1),
  encodeURIComponent(password),
  btoa(password).replace(/=+$/, ''),
  btoa(`anna:${password}`),
];

/** @type {Family} */
export const secrets = {
  id: 'secrets',
  about: 'A secret that is recognised in a project is shown in no output, wherever and however it is written again',
  least: { short: 40, full: 250 },
  async *attack({ folder, isFull }) {
    for (const [at, password] of PASSWORDS.entries()) {
      if (!isFull && at > 0) break;
      for (const [place, code] of Object.entries(placesOf(password))) {
        const cwd = path.join(folder, `shop-${at}-${place.replaceAll(' ', '-')}`);
        const repository = createRepository(cwd);
        writeFiles(cwd, { 'README.md': 'shop' });
        repository.commit();
        writeFiles(cwd, projectWith(password, code));
        yield* attemptsIn(cwd, password, `${password.slice(0, 20)} in ${place}`);
      }
    }
  },
};

/** @param {string} password @param {string} code @returns {Record<string, string | object>} */
function projectWith(password, code) {
  const written = JSON.stringify(password);
  const others = spellingsOf(password).map((spelling) => `/* ${spelling.replaceAll('*/', '')} */`);
  const map = `function (doc) { ${others.join(' ')} emit(doc.customer, doc); }`;
  return {
    'app.js': `${code}\nconst db = nano.use('shop');\nasync function run(ids) { for (const id of ids) { await db.get(id, ${written}); ${others.join(' ')} } }\n`,
    'ddocs/orders.json': {
      _id: '_design/orders',
      views: { rows: { map }, [password]: { map, reduce: 'function (k, v) { return v.length; }' } },
      filters: { [password]: `function (doc, req) { return doc.type === ${written}; }` },
      validate_doc_update: `function (newDoc) { if (newDoc.password === ${written}) throw new Error(${written}); }`,
    },
    'ddocs/broken.json': `{"_id": "_design/broken", "views": {"a": {"map": ${written} "${password}"}}}`,
    'couchdb/local.ini': `[admins]\nanna = ${password}\n[cors]\norigins = *\ncredentials = true\n; ${password}\n[chttpd]\nenable_cors = true\nold = ${password}\n`,
  };
}

/** @param {string} cwd @param {string} password @param {string} about @returns {AsyncIterable<import('../attack.js').Attempt>} */
async function* attemptsIn(cwd, password, about) {
  const env = { ...GIT_ENV, HOME: cwd };
  const { stdout } = await runMain(['lint', '--format', 'json', '--fail-on', 'never'], { cwd, env });
  const keys = JSON.parse(stdout).findings.map((/** @type {{key: string}} */ { key }) => key);
  if (keys.length < 4) throw new Error(`only ${keys.length} findings`);
  const lint = inFiles('lint', REPORT_FORMATS);
  const ci = inFiles('ci', REPORT_FORMATS);
  const runs = [
    { name: 'lint', argv: ['lint', '--verbose', ...lint.argv], files: lint.files },
    { name: 'ci', argv: ['ci', '--base', 'HEAD', ...ci.argv], files: ci.files },
    ...[['facts'], ['facts', '--format', 'json'], ['lint', '--fix-dry-run', '--fix-unsafe']].map((argv) => ({
      name: argv.join(' '),
      argv,
      files: {},
    })),
    ...keys.map((/** @type {string} */ key) => ({ name: `explain ${key}`, argv: ['explain', key], files: {} })),
  ];
  for (const run of runs) {
    const ended = await runMain(run.argv, { cwd, env });
    yield {
      name: `${about}: ${run.name}`,
      failure: inspectRun(ended) ?? leakIn(`${ended.stdout}${ended.stderr}`, password),
    };
    for (const { file, text, failure } of inspectOutput({ ...run, inspect: () => undefined }, cwd))
      yield { name: `${about}: ${run.name}, ${file}`, failure: failure ?? leakIn(text, password) };
  }
}

/** @param {string} text @param {string} password @returns {string | undefined} */
function leakIn(text, password) {
  const html = (/** @type {string} */ spelling) => spelling.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  for (const spelling of spellingsOf(password).flatMap((one) => [one, html(one)])) {
    const at = text.indexOf(spelling);
    if (at !== -1) return `the secret is shown: ${JSON.stringify(text.slice(Math.max(0, at - 80), at + 80))}`;
  }
  return undefined;
}
