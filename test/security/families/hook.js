// Attacks by files that begin with a dash, or are called like options, globs or standard input: as pre-commit,
// lint-staged and git's own hook pass them on, they are files and nothing else.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import YAML from 'yaml';
import { runCli } from '../../helpers/run-cli.js';
import { writeFiles } from '../hostile-project.js';
import { inspectRun } from '../inspect.js';
import { createRepository, GIT_ENV } from '../repository.js';

/** @import { Family } from '../attack.js' */

const ROOT = new URL('../../../', import.meta.url);
const DOCUMENT = {
  _id: '_design/orders',
  views: { rows: { map: 'function (doc) { emit(doc.customer, doc); }', reduce: '_sum;' } },
};

/** @type {readonly string[]} */
const FILES = [
  ...[
    '--fix',
    '--fix-unsafe',
    '--fix-dry-run',
    '--help',
    '--version',
    '-V',
    '-h',
    '-x',
    '--',
    '---',
    '-',
    '--no-config',
    '--quiet',
    '--staged',
  ],
  ...[
    '--output=stolen',
    '--format=json',
    '--format=json=stolen',
    '--write-baseline=stolen',
    '--record=stolen',
    '--url=http:',
    '--config=stolen',
  ],
  ...[
    '--fix.json',
    '-orders.json',
    '--output=stolen.json',
    '- .json',
    '*.json',
    '[a].json',
    '{a,b}.json',
    '!orders.json',
    '#orders.json',
    '?.json',
  ],
  ...[
    '@orders.json',
    '~.json',
    '$(touch stolen).json',
    '`touch stolen`.json',
    ';touch stolen;.json',
    '%s.json',
    '\\.json',
    "'.json",
    '".json',
    '\n.json',
    ' .json',
  ],
];

/** @type {Family} */
export const hook = {
  id: 'hook',
  about: 'Files that begin with a dash or look like options, globs or commands are files to every hook',
  least: { short: 20, full: 4 * FILES.length },
  async *attack({ folder, isFull }) {
    const [check, fix] = readHooks();
    const some = isFull ? FILES : FILES.filter((_, at) => at % 6 === 0);
    for (const [number, file] of some.entries()) {
      const cwd = path.join(folder, `shop-${number}`);
      const repository = createRepository(cwd);
      repository.commit();
      writeFiles(cwd, {
        [file]: DOCUMENT,
        'sound.json': { _id: '_design/sound', views: { rows: { map: DOCUMENT.views.rows.map } } },
      });
      repository.git('add', '--all');
      /** @param {string[]} argv @param {{mayFix?: boolean, isJudged?: boolean}} [expected] */
      const failureOf = (argv, { mayFix = false, isJudged = false } = {}) => {
        const before = readFileSync(path.join(cwd, file), 'utf8');
        const ended = runCli(argv, { cwd, env: { ...GIT_ENV, HOME: cwd } });
        const failure = inspectRun(ended);
        if (failure !== undefined) return failure;
        if (existsSync(path.join(cwd, 'stolen'))) return 'a file was written';
        if (!mayFix && readFileSync(path.join(cwd, file), 'utf8') !== before) return 'the file was changed';
        if (/usage/i.test(ended.stdout)) return 'it was taken for an option';
        return isJudged && !ended.stdout.includes(file) ? `it was not judged: ${ended.stderr}` : undefined;
      };
      const isJudged = /^[ -~]+[.]json$/.test(file);
      const shown = JSON.stringify(file);
      yield { name: `pre-commit hands on ${shown}`, failure: failureOf([...check, file, 'sound.json'], { isJudged }) };
      yield { name: `git's hook finds ${shown}`, failure: failureOf(['lint', '--staged'], { isJudged }) };
      yield {
        name: `pre-commit has ${shown} fixed`,
        failure: failureOf([...fix, file, 'sound.json'], { mayFix: true }),
      };
      yield { name: `a hook without -- hands on ${shown}`, failure: failureOf(['lint', '--ignore-unknown', file]) };
    }
  },
};

/** @returns {[check: string[], fix: string[]]} what `.pre-commit-hooks.yaml` puts before the files */
function readHooks() {
  /** @type {{id: string, entry: string, args: string[]}[]} */
  const hooks = YAML.parse(readFileSync(new URL('.pre-commit-hooks.yaml', ROOT), 'utf8'));
  const [check, fix] = ['couch-advisor', 'couch-advisor-fix'].map((id) => {
    const found = hooks.find((one) => one.id === id);
    const [program, ...words] = found?.entry.split(' ') ?? [];
    if (program !== 'couch-advisor') throw new Error(`the hook ${id} does not start couch-advisor`);
    return [...words, ...(found?.args ?? [])];
  });
  return [check ?? [], fix ?? []];
}
