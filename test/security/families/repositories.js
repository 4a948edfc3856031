// Attacks by malicious git repositories: their configuration, attributes, hooks, refs and names of files start no
// program, and nothing in them is changed.

import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runMain } from '../../helpers/run-main.js';
import { fileNameOf, HOSTILE_NAMES, writeFiles } from '../hostile-project.js';
import { inspectRun, inspectTerminal } from '../inspect.js';
import { createRepository, GIT_ENV, HOOKS, stateOf } from '../repository.js';

/** @import { Family } from '../attack.js' */

/** @typedef {ReturnType<typeof createRepository>} Repository */

const DOCUMENT = { _id: '_design/orders', views: { rows: { map: 'function (doc) { emit(doc.customer, doc); }' } } };
const CHANGED = { _id: '_design/orders', views: { rows: { map: 'function (doc) { emit(doc.date, doc); }' } } };

/** @type {Family} */
export const repositories = {
  id: 'repositories',
  about:
    'Configuration, attributes, hooks, refs and file names of a git repository start no program and change nothing',
  least: { short: 60, full: 400 },
  async *attack({ folder, isFull }) {
    const cwd = path.join(folder, 'shop');
    const marker = path.join(folder, 'stolen');
    // Whatever it is started as: with files as arguments, with standard input, or both.
    const program = path.join(folder, 'evil.sh');
    writeFileSync(program, `#!/bin/sh\ntouch '${marker}'\ncat 2> /dev/null\nexit 0\n`, { mode: 0o755 });
    const all = [...settingsOf(program), ...refs(isFull), ...fileNames(isFull)];
    for (const [about, harm, more = []] of all) {
      rmSync(cwd, { recursive: true, force: true });
      const repository = createRepository(cwd);
      writeFiles(cwd, { 'ddocs/orders.json': DOCUMENT, '.gitattributes': ATTRIBUTES });
      repository.commit();
      writeFiles(cwd, { 'ddocs/orders.json': CHANGED });
      const isPossible = harm(cwd, repository) !== false;
      if (!isPossible) continue;
      // Git refreshes its index where files have other times.
      utimesSync(path.join(cwd, '.gitattributes'), 1e9, 1e9);
      // What preparing it started does not count.
      rmSync(marker, { force: true });
      for (const argv of [...RUNS, ...more]) {
        const before = stateOf(cwd);
        const ended = await runMain(argv, { cwd, env: { ...GIT_ENV, HOME: cwd } });
        const isStolen = existsSync(marker) || existsSync(path.join(cwd, 'stolen'));
        const failure =
          (isStolen ? 'a program was started' : undefined) ??
          inspectRun(ended) ??
          inspectTerminal(ended.stdout) ??
          (stateOf(cwd) === before ? undefined : 'the repository was changed');
        yield { name: `${about}: ${argv.join(' ').slice(0, 80)}`, failure };
        rmSync(marker, { force: true });
      }
    }
  },
};

const RUNS = [
  ['ci', '--base', 'HEAD'],
  ['ci', '--format', 'json'],
  ['lint', '--staged', '--ignore-unknown'],
];

/** Git would run every file through the programs that these attributes name. */
const ATTRIBUTES = '* filter=evil diff=evil merge=evil text eol=crlf ident working-tree-encoding=UTF-8 export-subst\n';

/** @typedef {[about: string, harm: (cwd: string, repository: Repository) => false | void, more?: string[][]]} Harm */

/** @param {string} program @returns {Harm[]} */
function settingsOf(program) {
  /** @type {[section: string, key: string, value: string][]} */
  const settings = [
    ['core', 'fsmonitor', program],
    ['core', 'hooksPath', '.evil-hooks'],
    ['core', 'splitIndex', 'true'],
    ['diff', 'autoRefreshIndex', 'true'],
    ['core', 'pager', program],
    ['core', 'editor', program],
    ['core', 'sshCommand', program],
    ['core', 'gitProxy', program],
    ['core', 'askPass', program],
    ['core', 'alternateRefsCommand', program],
    ['core', 'attributesFile', '.evil-attributes'],
    ['core', 'excludesFile', '.evil-excludes'],
    ['core', 'worktree', '..'],
    ['core', 'worktree', '/etc'],
    ['core', 'autocrlf', 'true'],
    ['core', 'autocrlf', 'what'],
    ['core', 'quotePath', 'true'],
    ['core', 'bare', 'true'],
    ['core', 'repositoryFormatVersion', '99'],
    ['core', 'untrackedCache', 'true'],
    ['diff', 'external', program],
    ['diff', 'noprefix', 'true'],
    ['diff', 'renames', 'copies'],
    ['diff', 'submodule', 'log'],
    ['diff', 'ignoreSubmodules', 'none'],
    ['diff "evil"', 'textconv', program],
    ['diff "evil"', 'command', program],
    ['filter "evil"', 'clean', program],
    ['filter "evil"', 'smudge', program],
    ['filter "evil"', 'process', program],
    ['filter "evil"', 'required', `true\n\tclean = ${program}`],
    ['filter "a=b\\nc"', 'clean', program],
    ['merge "evil"', 'driver', program],
    ['alias', 'rev-parse', `!${program}`],
    ['alias', 'diff', `!${program}`],
    ['alias', 'cat-file', `!${program}`],
    ['interactive', 'diffFilter', program],
    ['pager', 'diff', program],
    ['pager', 'config', program],
    ['log', 'showSignature', 'true'],
    ['gpg', 'program', program],
    ['credential', 'helper', `!${program}`],
    [
      'extensions',
      'partialClone',
      `origin\n[remote "origin"]\n\turl = ext::${program}\n\tpromisor = true\n\tuploadpack = ${program}`,
    ],
    ['remote "origin"', 'url', `ext::sh -c ${program}`],
    ['submodule "evil"', 'update', `!${program}`],
    ['trace2', 'eventTarget', '/tmp/couch-advisor-trace'],
    ['include', 'path', '../.evil-config'],
    ['includeIf "gitdir:**"', 'path', '../.evil-config'],
    ['uploadpack', 'packObjectsHook', program],
    ['status', 'submoduleSummary', 'true'],
    ['feature', 'manyFiles', 'true'],
    ['help', 'autoCorrect', 'immediate'],
    ['index', 'sparse', 'true'],
    ['\u001b[2J', 'x', '\u001b[2J'],
  ];
  /** @type {Harm[]} */
  const harms = settings.map(([section, key, value]) => [
    `${section}.${key} = ${path.basename(value).slice(0, 30)}`,
    (cwd) => {
      if (section.startsWith('filter')) writeFileSync(path.join(cwd, '.gitattributes'), ATTRIBUTES);
      writeFiles(cwd, {
        '.evil-config': `[filter "evil"]\n\tclean = ${program}\n[core]\n\tfsmonitor = ${program}\n`,
        '.evil-attributes': ATTRIBUTES,
        '.evil-excludes': '*\n',
        '.evil-hooks/post-index-change': `#!/bin/sh\n${program}\n`,
      });
      chmodSync(path.join(cwd, '.evil-hooks/post-index-change'), 0o755);
      appendFileSync(path.join(cwd, '.git/config'), `[${section}]\n\t${key} = ${value}\n`);
    },
  ]);
  return [
    ...harms,
    [
      'hooks of every kind',
      (cwd) => {
        for (const hook of HOOKS)
          writeFileSync(path.join(cwd, '.git/hooks', hook), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
      },
      [['init', '--dry-run'], ['lint'], ['ci', '--base', 'HEAD', '--format', 'markdown']],
    ],
    [
      'hooks of the configuration',
      (cwd) => {
        const text = HOOKS.map((hook) => `[hook "${hook}"]\n\tevent = ${hook}\n\tcommand = ${program}\n`).join('');
        appendFileSync(path.join(cwd, '.git/config'), text);
      },
    ],
    ['a broken configuration', (cwd) => writeFileSync(path.join(cwd, '.git/config'), '[core\n\u001b[2J')],
    ['a broken index', (cwd) => writeFileSync(path.join(cwd, '.git/index'), 'DIRC\u001b[2J')],
    ['a HEAD that leads out', (cwd) => writeFileSync(path.join(cwd, '.git/HEAD'), 'ref: ../../../etc/passwd\n')],
    ['a HEAD with escapes', (cwd) => writeFileSync(path.join(cwd, '.git/HEAD'), 'ref: refs/heads/\u001b[2J\n')],
    [
      'packed refs that are none',
      (cwd) => writeFileSync(path.join(cwd, '.git/packed-refs'), '\u001b[2J refs/heads/main\n'),
    ],
    [
      'no objects',
      (cwd) => {
        rmSync(path.join(cwd, '.git/objects'), { recursive: true });
        mkdirSync(path.join(cwd, '.git/objects'));
      },
    ],
    ['objects from elsewhere', (cwd) => writeFiles(cwd, { '.git/objects/info/alternates': '/etc\n../../../..\n' })],
    ['a shallow clone', (cwd) => writeFileSync(path.join(cwd, '.git/shallow'), `${'0'.repeat(40)}\n`)],
    ['grafts', (cwd) => writeFiles(cwd, { '.git/info/grafts': `${'0'.repeat(40)} ${'1'.repeat(40)}\n` })],
    [
      'a repository in a file',
      (cwd) => {
        rmSync(path.join(cwd, '.git'), { recursive: true });
        writeFileSync(path.join(cwd, '.git'), `gitdir: ${path.join(cwd, '..', '\u001b[2J')}\n`);
        return false;
      },
    ],
    [
      'attributes of the repository',
      (cwd) => {
        writeFiles(cwd, { '.git/info/attributes': ATTRIBUTES });
        appendFileSync(
          path.join(cwd, '.git/config'),
          `[filter "evil"]\n\tclean = ${program}\n\tprocess = ${program}\n\trequired = true\n`,
        );
      },
    ],
    [
      'a submodule that is another repository',
      (cwd) => {
        createRepository(path.join(cwd, 'module')).commit();
        appendFileSync(path.join(cwd, 'module/.git/config'), `[core]\n\tfsmonitor = ${program}\n`);
        writeFiles(cwd, {
          '.gitmodules': `[submodule "module"]\n\tpath = module\n\turl = ext::${program}\n\tupdate = !${program}\n`,
        });
        execFileSync('git', ['add', '--all'], { cwd, env: { ...GIT_ENV, HOME: cwd }, stdio: 'ignore' });
      },
    ],
    [
      'a bare repository inside',
      (cwd) => {
        execFileSync('git', ['init', '--quiet', '--bare', path.join(cwd, 'bare')], { env: { ...GIT_ENV, HOME: cwd } });
        appendFileSync(path.join(cwd, 'bare/config'), `[core]\n\tfsmonitor = ${program}\n\tworktree = ..\n`);
      },
    ],
  ];
}

/** Names of branches that git itself takes, when they are written where it keeps them. @type {readonly string[]} */
const BRANCHES = [
  '$(touch stolen)',
  '`touch stolen`',
  "';touch stolen;'",
  '"; touch stolen; "',
  '--upload-pack=touch stolen',
  '-x',
  '--output=stolen',
  '@{-1}',
  'HEAD',
  'refs/heads/main',
  'x@{upstream}',
  '\u202emain',
  '\u009b2J',
  '<script>owned()<',
  '::error::owned',
  'a&b',
  'a|b',
  'a;b',
  '%0A::error::owned',
  '__proto__',
  'x'.repeat(200),
];

/** @param {boolean} isFull @returns {Harm[]} */
function refs(isFull) {
  return BRANCHES.filter((_, at) => isFull || at < 5).map((branch) => [
    `a branch called ${branch.slice(0, 30)}`,
    (cwd, { git }) => {
      const file = path.join(cwd, '.git/refs/heads', branch.replaceAll('/', '_').replaceAll(' ', '_'));
      writeFileSync(file, git('rev-parse', 'HEAD'));
      writeFiles(cwd, { '.git/refs/remotes/origin/HEAD': `ref: refs/remotes/origin/${branch.replaceAll(' ', '_')}\n` });
    },
    [
      ['ci', `--base=${branch}`],
      ['ci', '--base', branch.replaceAll(' ', '_')],
    ],
  ]);
}

/** @param {boolean} isFull @returns {Harm[]} */
function fileNames(isFull) {
  const some = isFull ? HOSTILE_NAMES : HOSTILE_NAMES.filter((_, at) => at % 15 === 0);
  return some.map(({ about, name }) => [
    `a file called like ${about}`,
    (cwd, { git }) => {
      const file = fileNameOf(name);
      writeFiles(cwd, { [file]: DOCUMENT, [`${file}.json`]: DOCUMENT });
      git('add', '--all');
    },
  ]);
}
