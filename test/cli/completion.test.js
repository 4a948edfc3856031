// The completions, asked for as the shells themselves ask for them.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import { renderCompletion } from '../../lib/cli/commands/completion/scripts.js';
import { COMMANDS } from '../../lib/cli/commands.js';
import { formats } from '../../lib/index.js';
import { SCENARIOS } from '../../lib/measure/scenarios/list.js';
import { sample } from '../helpers/long.js';
import { root, runCli } from '../helpers/run-cli.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-shells-'));
afterAll(() => rmSync(folder, { recursive: true }));
const bin = path.join(folder, 'couch-advisor');
writeFileSync(bin, `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, 'bin/couch-advisor.js')}' "$@"\n`);
chmodSync(bin, 0o755);
writeFileSync(path.join(folder, 'orders.json'), '{}');

/** @param {string} shell @param {string[]} args @returns {string} */
function run(shell, args) {
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}`, HOME: folder, XDG_CONFIG_HOME: folder };
  return execFileSync(shell, args, { cwd: folder, env, encoding: 'utf8' });
}

/** @param {string} shell @returns {boolean} */
function isThere(shell) {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** @type {[string, string[], string[]][]} what is typed, what is among the answers, what is not */
const TYPED = [
  ['', COMMANDS.map(({ name }) => name), ['--format']],
  ['li', ['lint'], ['rules']],
  ['lint --fo', ['--format'], ['--fix']],
  ['lint --fail-on ', ['error', 'warning', 'info', 'never'], ['lint']],
  ['lint --engine q', ['quickjs'], ['spidermonkey-60']],
  ['ci --ba', ['--base'], []],
  ['completion ', ['bash', 'zsh', 'fish'], ['lint']],
  ['lint --format s', ['sarif'], ['json']],
  ['ci --format ', [...formats.keys()], ['lint']],
  ['digest --format j', ['json'], ['junit']],
  ['bench in', ['include-docs', 'index-build'], ['bulk-load']],
  ['explain view/emit', ['view/emit-whole-doc'], ['reduce/custom-sum']],
  ['lint --rule reduce/custom-s', ['reduce/custom-sum'], ['view/emit-whole-doc']],
  ['lint ord', ['orders.json'], ['rules']],
];

/** With the program of a project alone, as `npx` starts it. @type {[string, string[]][]} */
const IN_PROJECT = [
  ['npx --no-install couch-advisor li', ['lint']],
  ['npx --no-install couch-advisor lint --fo', ['--format']],
  ['npx --no-install couch-advisor explain view/emit', ['view/emit-whole-doc']],
];
const project = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-shells-project-'));
afterAll(() => rmSync(project, { recursive: true }));
// Stands in for npx, which takes a second to start.
writeFileSync(path.join(project, 'npx'), `#!/bin/sh\nshift 2\nexec '${bin}' "$@"\n`);
chmodSync(path.join(project, 'npx'), 0o755);

/** @param {string} shell @param {string[]} args @returns {string} */
function runInProject(shell, args) {
  const env = { ...process.env, PATH: `${project}:/usr/bin:/bin`, HOME: folder, XDG_CONFIG_HOME: folder };
  return execFileSync(shell, args, { cwd: folder, env, encoding: 'utf8' });
}

test('the command line knows the scenarios', () => {
  const bench = COMMANDS.find(({ name }) => name === 'bench');
  expect(bench?.parameters[0]?.words).toEqual(SCENARIOS.map(({ name }) => name));
});

describe.skipIf(!isThere('bash'))('bash', () => {
  const file = path.join(folder, 'completion.bash');
  writeFileSync(file, renderCompletion('bash', COMMANDS));

  test('knows the function', () => {
    const printed = run('bash', ['--norc', '-c', `source '${file}'; complete -p couch-advisor`]);
    expect(printed).toContain('-F _couch_advisor couch-advisor');
  });

  test.each(sample(TYPED, 5))('completes `%s`', (typed, wanted, others) => {
    const script = `source '${file}'
COMP_WORDS=(couch-advisor "$@"); COMP_CWORD=$#
_couch_advisor
if ((\${#COMPREPLY[@]} == 0)); then COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")); fi
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const answers = run('bash', ['--norc', '-c', script, 'bash', ...typed.split(' ')]).split('\n');
    expect(answers).toEqual(expect.arrayContaining(wanted));
    for (const other of others) expect(answers).not.toContain(other);
  });

  test.each(sample(IN_PROJECT, 1))('completes `%s`, as it is typed in a project', (typed, wanted) => {
    const script = `source '${file}'
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_couch_advisor_npx
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const answers = runInProject('bash', ['--norc', '-c', script, 'bash', ...typed.split(' ')]).split('\n');
    expect(answers).toEqual(expect.arrayContaining(wanted));
  });

  test('leaves the completion of npx that is there', () => {
    const script = `complete -F other npx; source '${file}'; complete -p npx`;
    expect(run('bash', ['--norc', '-c', script])).toBe('complete -F other npx\n');
  });
});

describe.skipIf(!isThere('fish'))('fish', () => {
  const file = path.join(folder, 'completion.fish');
  writeFileSync(file, renderCompletion('fish', COMMANDS));

  test.each(sample(TYPED, 5))('completes `%s`', (typed, wanted, others) => {
    const printed = run('fish', ['--no-config', '-c', `source '${file}'; complete -C 'couch-advisor ${typed}'`]);
    const answers = printed.split('\n').map((line) => line.split('\t')[0]);
    expect(answers).toEqual(expect.arrayContaining(wanted));
    for (const other of others) expect(answers).not.toContain(other);
  });

  test.each(sample(IN_PROJECT, 1))('completes `%s`, as it is typed in a project', (typed, wanted) => {
    const printed = runInProject('fish', ['--no-config', '-c', `source '${file}'; complete -C '${typed}'`]);
    const answers = printed.split('\n').map((line) => line.split('\t')[0]);
    expect(answers).toEqual(expect.arrayContaining(wanted));
  });
});

describe.skipIf(!isThere('zsh'))('zsh', () => {
  const file = path.join(folder, 'completion.zsh');
  writeFileSync(file, renderCompletion('zsh', COMMANDS));

  // A terminal of its own, in which the key is pressed. It says when the answers have been shown, so that nothing waits for a time.
  const script = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; unsetopt zle_bracketed_paste 2>/dev/null; autoload -U compinit; compinit -u -d '${folder}/zcompdump'"
zpty -w shell "source '${file}'; zstyle ':completion:*' list-max 1000; LISTMAX=1000; COLUMNS=300"
zpty -w shell "show() { zle list-choices; zle -R; print sho''wn }; zle -N show; bindkey '^I' show; print rea''dy"
zpty -r shell line '*ready*'
zpty -w -n shell "$1"$'\\t'
zpty -r shell line '*shown*'
print -r -- "$line"`;

  test.each(
    sample(
      TYPED.filter(([typed]) => typed !== 'lint ord'),
      3,
    ),
  )('completes `%s`', (typed, wanted) => {
    const printed = run('zsh', ['-f', '-c', script, 'zsh', `couch-advisor ${typed}`]);
    for (const word of wanted) expect(printed).toContain(word);
  });

  test.each(sample(IN_PROJECT, 1))('completes `%s`, as it is typed in a project', (typed, wanted) => {
    const printed = runInProject('zsh', ['-f', '-c', script, 'zsh', typed]);
    for (const word of wanted) expect(printed).toContain(word);
  });
});

test('another shell is told to be unknown', () => {
  expect(runCli(['completion', 'fisch'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('did you mean `fish`?'),
  });
  expect(runCli(['completion', 'bash']).stdout).toBe(renderCompletion('bash', COMMANDS));
});
