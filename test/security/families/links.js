// Attacks by symbolic links: a project has links to files and folders outside of it, which a pull request can carry.

import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { runMain } from '../../helpers/run-main.js';
import { writeFiles } from '../hostile-project.js';
import { inspectRun } from '../inspect.js';
import { createRepository, GIT_ENV } from '../repository.js';

/** @import { Family } from '../attack.js' */

const SECRET = 'behind-the-link-4711';

/** What lies outside of the project. @type {Record<string, string | object>} */
const OUTSIDE = {
  'reduce.js': `function (keys, values) { return sum(values); } /* ${SECRET} */`,
  'map.js': `function (doc) { emit(doc.customer, doc); } /* ${SECRET} */`,
  passwd: `root:x:0:0:${SECRET}:/root:/bin/sh\n`,
  'lib/price.js': `exports.price = function () { ${SECRET} }`,
  'ddoc.json': { _id: '_design/outside', views: { a: { map: `function (doc) { emit(doc, doc); } // ${SECRET}` } } },
  'config.json': `{"rules": {"${SECRET}": "error"}}`,
  'local.ini': `[admins]\n${SECRET} = ${SECRET}\n[chttpd]\nbind_address = 0.0.0.0\n`,
  'queries.log': `${SECRET}\n`,
  'orders.jsonl': `${SECRET}\n`,
};

/** A project without links. @type {Record<string, string | object>} */
const PROJECT = {
  'ddocs/stock/_id': '_design/stock',
  'ddocs/stock/views/low/map.js': '// !code lib/price.js\nfunction (doc) { if (doc.stock < 5) emit(doc.sku, 1); }',
  'ddocs/stock/views/low/reduce.js': 'function (keys, values) { return sum(values); }',
  'ddocs/stock/lib/price.js': 'exports.price = function () { return 1; }',
};

/** What is a link: its place in the project, what it leads to, what the project has for it to be used. @type {[string, string, Record<string, string | object>?][]} */
const LINKS = [
  ['ddocs/stock/views/low/reduce.js', 'reduce.js'],
  ['ddocs/stock/views/low/map.js', 'passwd'],
  ['ddocs/stock/views/low', '.'],
  ['ddocs/stock/lib', 'lib'],
  ['ddocs/stock/lib/price.js', 'passwd'],
  ['ddocs/stock', '.'],
  ['ddocs/other.json', 'ddoc.json'],
  ['ddocs/app.js', 'passwd'],
  ['local.ini', 'local.ini'],
  ['couch-advisor.config.json', 'config.json'],
  ['base.json', 'config.json', { 'couch-advisor.config.json': { extends: './base.json' } }],
  ['known.json', 'config.json', { 'couch-advisor.config.json': { baseline: 'known.json' } }],
  ['queries.log', 'queries.log', { 'couch-advisor.config.json': { logs: ['queries.log'] } }],
  ['orders.jsonl', 'orders.jsonl', { 'couch-advisor.config.json': { loads: ['orders.jsonl'] } }],
];

const RUNS = [
  ['lint', '--verbose', '--fail-on', 'never'],
  ['lint', 'ddocs', '--verbose', '--format', 'json', '--fail-on', 'never'],
  ['lint', '--fix', '--fix-unsafe', '--fail-on', 'never'],
  ['lint', '--fix-dry-run', '--fix-unsafe', '--fail-on', 'never'],
  ['lint', '--staged', '--verbose', '--fail-on', 'never'],
  ['ci', '--base', 'HEAD', '--fail-on', 'never'],
  ['facts'],
];

/** @type {Family} */
export const links = {
  id: 'links',
  about: 'What a symbolic link leads to outside of the project is neither shown nor written',
  least: { short: 60, full: 60 },
  async *attack({ folder }) {
    for (const [at, [place, target, more = {}]] of LINKS.entries()) {
      const top = path.join(folder, `links-${at}`);
      const cwd = path.join(top, 'project');
      const outside = path.join(top, 'outside');
      mkdirSync(outside, { recursive: true });
      writeFiles(outside, OUTSIDE);
      const before = path.join(top, 'before');
      cpSync(outside, before, { recursive: true });
      const repository = createRepository(cwd);
      writeFiles(cwd, { ...PROJECT, 'README.md': 'shop' });
      repository.commit();
      writeFiles(cwd, more);
      const link = path.join(cwd, place);
      rmSync(link, { recursive: true, force: true });
      symlinkSync(path.relative(path.dirname(link), path.join(outside, target)), link);
      repository.git('add', '--all');
      for (const argv of RUNS) {
        const ended = await runMain(argv, { cwd, env: { ...GIT_ENV, HOME: cwd } });
        const isShown = `${ended.stdout}${ended.stderr}`.includes(SECRET);
        const changed = Object.keys(OUTSIDE).find(
          (name) => readFileSync(path.join(outside, name), 'utf8') !== readFileSync(path.join(before, name), 'utf8'),
        );
        yield {
          name: `${place} -> ${target}: ${argv.join(' ')}`,
          failure:
            inspectRun(ended) ??
            (isShown ? 'what the link leads to is shown' : changed && `${changed} outside of the project was written`),
        };
      }
    }
  },
};
