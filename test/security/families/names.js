// Attacks by names that somebody else chose, through every command and every format: nothing in them takes effect on a
// terminal, in a page, in Markdown, in a log of CI or in a shell.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { shellWord } from '../../../lib/shared/shell-word.js';
import { runMain } from '../../helpers/run-main.js';
import { inFiles, inspectOutput, REPORT_FORMATS } from '../formats.js';
import { fileNameOf, HOSTILE_NAMES, hostileDesignDoc, hostileProject, writeFiles } from '../hostile-project.js';
import { inspectJson, inspectMarkdown, inspectPage, inspectRun, inspectRunner, inspectTerminal } from '../inspect.js';
import { openInEditor } from '../language-server.js';
import { createRepository, GIT_ENV } from '../repository.js';

/** @import { Attempt, Family } from '../attack.js' */
/** @import { HostileName } from '../hostile-project.js' */
/** @import { Run } from '../formats.js' */
/** @import { Inspection } from '../inspect.js' */

/** @type {Family} */
export const names = {
  id: 'names',
  about: 'Names of documents, views, fields, files, databases and users stay text in every output of every command',
  least: { short: 300, full: 5000 },
  async *attack({ folder, isFull }) {
    const some = isFull ? HOSTILE_NAMES : HOSTILE_NAMES.filter((_, at) => at % 12 === 0);
    for (const hostile of some) yield* attackWith(hostile, path.join(folder, 'shop'));
  },
};

/** @param {HostileName} hostile @param {string} cwd @returns {AsyncIterable<Attempt>} */
async function* attackWith({ about, name }, cwd) {
  try {
    const repository = createRepository(cwd);
    writeFiles(cwd, hostileProject(name));
    repository.commit();
    writeFiles(cwd, { [`ddocs/${fileNameOf(name)}.json`]: hostileDesignDoc(name, '[doc, 1]') });
    const env = { ...GIT_ENV, HOME: cwd };
    const key = await firstKey(cwd);
    for (const run of [...runsOf(name, key), ...wrongRunsOf(name)]) {
      for await (const one of attempt(run, cwd)) yield { ...one, name: `${about}: ${one.name}` };
    }
    const file = `ddocs/${fileNameOf(name)}.json`;
    const text = readFileSync(path.join(cwd, file), 'utf8');
    yield { name: `${about}: lsp`, failure: (await openInEditor(cwd, file, text, env)).failure };
    yield { name: `${about}: deploy commands in a shell`, failure: await failureOfShell(cwd, name) };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** @param {string} cwd @returns {Promise<string>} the key of a finding of the project */
async function firstKey(cwd) {
  const { stdout, stderr } = await runMain(['lint', '--no-config', '--format', 'json'], { cwd, env: GIT_ENV });
  const key = JSON.parse(stdout).findings[0]?.key;
  if (key === undefined) throw new Error(`nothing was found: ${stderr}`);
  return key;
}

const SOURCES = [
  '--log',
  'logs/couch.log',
  '--log',
  'logs/proxy.log',
  '--log',
  'logs/session.har',
  '--docs',
  'orders.jsonl',
];

/** @param {string} name @param {string} key @returns {Run[]} runs that do what they are for */
function runsOf(name, key) {
  const lint = inFiles('lint', REPORT_FORMATS);
  const ci = inFiles('ci', REPORT_FORMATS);
  const file = fileNameOf(name);
  const profile = [
    'profile',
    'ddocs',
    `--view=${name}/${name}`,
    '--docs',
    'orders.jsonl',
    '--budget',
    '1',
    '--size',
    '50',
  ];
  /** @type {[string, string[], Record<string, Inspection>?][]} */
  const runs = [
    ['lint', ['lint', ...SOURCES, ...lint.argv], lint.files],
    ['lint --verbose', ['lint', ...SOURCES, '--verbose']],
    ['lint --deployed', ['lint', 'ddocs', '--deployed', 'app']],
    ['lint --write-baseline', ['lint', '--write-baseline', file]],
    ['lint of the file', ['lint', '--', `ddocs/${file}.json`]],
    ['explain', ['explain', key]],
    ['facts', ['facts', ...SOURCES]],
    [
      'digest',
      ['digest', 'logs/*', '--keep-values', '--output', 'd.json', '--output', 'd.md', '--output', 'd.html'],
      { 'd.json': inspectJson, 'd.md': inspectMarkdown, 'd.html': inspectPage },
    ],
    [
      'predict',
      ['predict', 'orders.jsonl', '--output', 'p.html', '--output', 'p.md', '--svg', 'p.svg'],
      { 'p.html': inspectPage, 'p.md': inspectMarkdown, 'p.svg': inspectPage },
    ],
    [
      'profile',
      [...profile, '--output', 'q.html', '--output', 'q.md', '--svg', 'q.svg', '--folded', 'q.txt'],
      { 'q.html': inspectPage, 'q.md': inspectMarkdown, 'q.svg': inspectPage, 'q.txt': inspectTerminal },
    ],
    ['ci', ['ci', '--base', 'HEAD', '--database', name || 'shop', ...ci.argv], ci.files],
    ['lint --staged', ['lint', '--staged', '--ignore-unknown']],
    ['init --dry-run', ['init', '--dry-run']],
    ['lint --fix-unsafe', ['lint', '--fix-unsafe']],
    ['init --yes', ['init', '--yes'], { 'couch-advisor.config.json': inspectJson }],
  ];
  /** @type {[string, string[]][]} */
  const json = [
    ['facts as JSON', ['facts', ...SOURCES, '--format', 'json']],
    ['digest as JSON', ['digest', 'logs/*', '--format', 'json', '--no-fold']],
    ['digest --partial', ['digest', 'logs/couch.log', '--partial']],
    ['predict as JSON', ['predict', 'orders.jsonl', '--format', 'json']],
    ['profile as JSON', [...profile, '--format', 'json']],
  ];
  return [
    ...runs.map(([about, argv, files = {}]) => ({ name: about, argv, inspect: inspectRunner, files })),
    ...json.map(([about, argv]) => ({ name: about, argv, inspect: inspectJson, files: {} })),
    { name: 'lint in color', argv: ['lint', '--color'], inspect: inspectColors, files: {} },
    { name: 'facts in color', argv: ['facts', '--color'], inspect: inspectColors, files: {} },
  ];
}

/** @param {string} name @returns {Run[]} runs that end with an error about the name */
function wrongRunsOf(name) {
  const argvs = [
    ['lint', name],
    ['lint', '--', name],
    ['lint', '--rule', name],
    ['lint', `--rule=${name}`],
    ['lint', '--format', name],
    ['lint', `--format=json=none/${name}`],
    ['lint', '--target', name],
    ['lint', '--engine', name],
    ['lint', '--config', name],
    ['lint', '--docs', name],
    ['lint', '--log', name],
    ['lint', '--log-format', name],
    ['lint', '--baseline', name],
    ['lint', '--url', name],
    ['lint', `--url=http://127.0.0.1:9/${name}`],
    ['lint', `--${name}`],
    ['lint', '--deployed', name],
    ['explain', name],
    ['explain', `view/emit-whole-doc#copies-document:${name}`],
    ['facts', name],
    ['digest', name],
    ['digest', '--merge', name],
    ['predict', name],
    ['predict', '--batch', name],
    ['profile', '--view', name],
    // The command is the user's own, for a shell; only the name of the file in it is not.
    ['profile', '--query-server', `cat ${shellWord(fileNameOf(name))}`],
    ['confirm', '--rule', name],
    ['confirm', '--budget', name],
    ['confirm', '--url', name],
    ['bench', name],
    ['bench', 'include-docs', '--pages', name],
    ['ci', '--base', name],
    ['ci', `--base=${name}`],
    ['rules', name],
    ['completion', name],
    ['help', name],
    [name],
    [name, name],
  ];
  // Where it is no value and no path, `--output=stolen` is the user's own wish for that file.
  const isWish = (/** @type {string[]} */ argv) =>
    argv.some((word, at) => word.startsWith('--output=') && !argv[at - 1]?.startsWith('--'));
  // Arguments of a process end at NUL.
  const possible = argvs.filter((argv) => !argv.some((word) => word.includes('\0')) && !isWish(argv));
  return possible.map((argv) => ({
    name: `wrong: ${argv.join(' ').slice(0, 40)}`,
    argv,
    inspect: inspectRunner,
    files: {},
  }));
}

/** Colors are the program's own; everything else that works is not. @type {Inspection} */
function inspectColors(text) {
  return inspectTerminal(text.replace(/\x1b\[\d{1,2}m/g, ''));
}

/** @param {Run} run @param {string} cwd @returns {AsyncIterable<Attempt>} one for what it printed and one for each file that it wrote */
async function* attempt(run, cwd) {
  const ended = await runMain(run.argv, { cwd, env: { ...GIT_ENV, HOME: cwd } });
  const wasRun = existsSync(path.join(cwd, 'stolen')) ? 'a command was run' : undefined;
  yield { name: run.name, failure: inspectRun(ended) ?? run.inspect(ended.stdout) ?? wasRun };
  for (const { file, failure } of inspectOutput(run, cwd))
    yield { name: `${run.name}, ${file}`, failure: failure && `${failure} ${ended.stderr.slice(0, 300)}` };
}

/** @param {string} cwd @param {string} name @returns {Promise<string | undefined>} what the printed commands of a deploy do when they are pasted */
async function failureOfShell(cwd, name) {
  const argv = ['ci', '--base', 'HEAD', '--database', name || 'shop'];
  const { stdout } = await runMain(argv, { cwd, env: { ...GIT_ENV, HOME: cwd } });
  const lines = stdout.split('\n').filter((line) => /^ {2}(?:DB=|jq |curl |REV=)/.test(line));
  if (lines.length === 0) return 'no command is printed';
  const bin = path.join(cwd, '.bin');
  mkdirSync(bin, { recursive: true });
  for (const tool of ['curl', 'jq']) writeFileSync(path.join(bin, tool), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const printed = execFileSync('/bin/bash', ['--norc', '-c', `set -eu\n${lines.join('\n')}\n`], {
    cwd,
    env: { PATH: bin, COUCHDB_URL: 'http://127.0.0.1:1' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (existsSync(path.join(cwd, 'stolen'))) return 'a command was run';
  return printed === '' ? undefined : `it printed ${printed.slice(0, 100)}`;
}
