// What is typed is read, and whatever is wrong gives one error and a hint.

import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../lib/cli/commands.js';
import { readArguments } from '../../lib/cli/program.js';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** @param {string[]} argv */
async function readInFull(argv) {
  const read = await readArguments(argv, { stdout: nowhere(), stderr: nowhere() });
  return typeof read === 'number' ? read : { ...read, command: read.command.name };
}

test.each([
  [['lint'], { command: 'lint', given: [], options: {} }],
  [
    ['lint', 'ddocs', '-', '--format', 'json', '--format=sarif=out.sarif', '--no-color', '--max-warnings', '3'],
    {
      command: 'lint',
      given: ['ddocs', '-'],
      options: { format: ['json', 'sarif=out.sarif'], color: false, maxWarnings: 3 },
    },
  ],
  [['explain', 'view/emit-whole-doc'], { command: 'explain', given: ['view/emit-whole-doc'], options: {} }],
  [['rules', '--no-config'], { command: 'rules', given: [], options: { config: false } }],
  [['lint', '--', '--fix'], { command: 'lint', given: ['--fix'], options: {} }],
])('%j is read', async (words, read) => {
  expect(await readInFull(words)).toEqual(read);
});

describe('help', () => {
  const commands = COMMANDS.map(({ name }) => [name, '--help']);

  test.each([['--help'], ...commands])('%j fits into 80 columns and 50 lines', async (...words) => {
    const { stdout, stderr, exitCode } = await createProject().run(words);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const lines = stdout.split('\n');
    expect(lines.length).toBeLessThanOrEqual(50);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test.each(commands)('%s %s has examples that can be typed', async (command, flag) => {
    const { stdout } = await createProject().run([command, flag]);
    const lines = stdout.slice(stdout.indexOf('Examples (in a project after npx --no-install):')).split('\n').slice(1);
    const typed = lines.filter((line) => line.startsWith('  couch-advisor '));
    expect(typed.length).toBeGreaterThan(0);
    for (const line of typed) {
      const words =
        line
          .trim()
          .split(/ {2,}|[|>]/)[0]
          ?.replaceAll("'", '')
          .trim()
          .split(' ')
          .slice(1) ?? [];
      expect(await readInFull(words), line).toMatchObject({ command });
    }
  });

  test('the whole names every command, and the exit codes', async () => {
    const { stdout } = await createProject().run(['--help']);
    for (const { name, about } of COMMANDS) expect(stdout).toContain(`  ${name.padEnd(15)}${about.slice(0, 20)}`);
    expect(stdout).toContain('Exit codes:');
  });

  test('help of a command can be asked for both ways', async () => {
    const project = createProject();
    expect(await project.run(['help', 'lint'])).toEqual(await project.run(['lint', '-h']));
  });

  test('no arguments at all print the help as an error', async () => {
    const { stdout, stderr, exitCode } = await createProject().run([]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(/^Usage: couch-advisor/);
  });

  test('--version prints the version and nothing else', async () => {
    expect(await createProject().run(['--version'])).toEqual({ stdout: '0.1.0\n', stderr: '', exitCode: 0 });
  });
});

describe('what is wrong with the arguments', () => {
  test.each([
    [['lnit'], "unknown command 'lnit'", 'lint'],
    [['orders.json'], 'unknown command `orders.json`', 'npx --no-install couch-advisor lint orders.json'],
    [['lint', '--formt', 'json'], "unknown option '--formt'", '--format'],
    [['lint', '--format'], "option '--format <name>' argument missing", '--help'],
    [['lint', '--format', 'jsn'], 'unknown format `jsn`', 'did you mean `json`?'],
    [['lint', '--format', 'pdf'], 'unknown format `pdf`', 'formats: text, compact, json'],
    [['lint', '--format', '__proto__'], 'unknown format `__proto__`', 'formats: text, compact, json'],
    [['lint', '--format', 'json='], 'an empty file name', '--output report.json'],
    [
      ['lint', '--format', 'json', '--format', 'text'],
      'more than one report is written to standard output',
      'a file of its own',
    ],
    [['lint', '--format', 'json=a', '--format', 'text=a'], 'more than one report is written to a', 'a file of its own'],
    [['lint', '--format', 'json=a', '--output', 'b'], 'the ending of b (--output) names no format', '--output text:b'],
    [['lint', '--output', 'json:'], 'an empty file name', '--output report.json'],
    [['lint', '--output', 'a.md', '--output', 'text:a.md'], 'more than one report is written to a.md', 'of its own'],
    [['profile', '--watch-build', 'a/b', '--output', 'a.html'], 'prints text or JSON only', 'redirect'],
    [['confirm', '--output', 'rounds.jsonl'], '--output writes a report', '--journal rounds.jsonl'],
    [['lint', '--fail-on', 'eror'], 'invalid value `eror` for --fail-on', 'did you mean `error`?'],
    [['lint', '--fail-on', 'hint'], 'invalid value `hint` for --fail-on', 'must be one of error, warning, info, never'],
    [['lint', '--max-warnings', 'few'], 'for --max-warnings: must be a whole number', '--max-warnings 10'],
    [['lint', '--max-warnings', '-1'], 'for --max-warnings: must be a whole number', '--max-warnings 10'],
    [['lint', '--engine', 'quickj'], 'invalid value `quickj` for --engine', 'did you mean `quickjs`?'],
    [['lint', '--target', '9.9'], 'unknown CouchDB version 9.9', 'the newest version this release knows is 3.5'],
    [['lint', '--target', 'latest'], 'invalid --target `latest`: not a CouchDB version', '--target 3.3'],
    [['lint', '--rule', 'reduce/unknown-bultin'], 'unknown rule', 'did you mean `reduce/unknown-builtin`?'],
    [['lint', '--rule', 'unknown-builtin'], 'unknown rule', 'did you mean `reduce/unknown-builtin`?'],
    [['lint', '--rule', 'shop/tidy'], 'unknown rule `shop/tidy`', 'npx --no-install couch-advisor rules'],
    [['lint', '--config', 'none.json'], 'cannot read the configuration file none.json (ENOENT)', '--config'],
    [['lint', '--stdin-filename', 'a.json'], '--stdin-filename requires standard input', 'add `-`'],
    [['lint', '-', '--fix'], 'cannot fix standard input', '--fix-dry-run'],
    [['explain'], "missing required argument 'rule-or-key'", '--help'],
    [['explain', 'view/emit-whole-dox'], 'unknown rule', 'did you mean `view/emit-whole-doc`?'],
    [['init', 'view'], 'too many arguments', '--help'],
    [['facts', '--format', 'xml'], 'invalid value `xml` for --format', 'must be one of text, json'],
  ])('%j is told in one error with a hint', async (words, message, hint) => {
    const project = createProject({ 'orders.json': ordersWith() });
    const { stdout, stderr, exitCode } = await project.run(words);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(stderr.match(/^error: /gm)).toHaveLength(1);
    expect(project.list().filter((file) => !file.startsWith('.git'))).toEqual(['orders.json']);
  });

  test('control characters of an argument do not reach the terminal', async () => {
    for (const words of [
      ['\u001b[31mlint'],
      ['lint', '--\u001b[31m'],
      ['lint', '--format', '\u001b[31m'],
      ['lint', '\u001b[31m'],
    ]) {
      const { stdout, stderr } = await createProject().run(words);
      expect(stdout + stderr).toContain('[31m');
      expect(stdout + stderr).not.toContain('\u001b');
    }
  });

  const LONG = 'o'.repeat(5000);
  test.each([
    [['lint', LONG]],
    [['lint', '--docs', LONG]],
    [['lint', '--log', LONG]],
    [['lint', '--write-baseline', LONG]],
    [['facts', LONG]],
    [['digest', LONG]],
    [['predict', LONG]],
    [['profile', LONG]],
    [['bench', 'coupons', '--output', `${LONG}/a.json`]],
  ])('a name that is longer than names may be is no fault of the program: %#', async (words) => {
    const { stderr, exitCode } = await createProject({ 'orders.json': ordersWith() }).run(words);
    expect(stderr).not.toContain('bug in couch-advisor');
    expect([2, 3]).toContain(exitCode);
  });
});
