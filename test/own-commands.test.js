// Texts name this program by commands that run the installed one: until its package is on the registry, anybody could put another under its name there.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { root } from './helpers/run-cli.js';

/** What starts, or installs, a package by its name from a registry. */
const FETCHES =
  /(?:\b(?:npx|bunx|pnpx)\b(?!\s+--no-install)|\b(?:npm (?:exec|x|i|install|add)|(?:pnpm|yarn) (?:dlx|add)|bun (?:x|add))\b)(?:\s+-\S+)*\s+['"]?couch-advisor\b/;
const OF_EDITORS = /"npx"(?!(?:[\s,[\]a-z=]|"args":)*"--no-install")/;
/** A command of this program that a message, a report or a rule advises. */
const BARE =
  /(?<!--no-install )\bcouch-advisor (?:lint|ci|confirm|advise|digest|predict|bench|profile|explain|rules|facts|init|lsp|mcp)\b/;
/** Titles, marks and comments name a command; help prints how to start it once, and completions are those of the name in the PATH. */
const NAMES =
  /^\s*(?:\/\/|\/?\*)|title: |MARK = |mark: |## couch-advisor|is not a couch-advisor|SPEAKS = |\bby \\?`couch-advisor/;
const HELP = /lib\/cli\/commands\/(?:[a-z]+\/command|completion\/scripts)\.js$/;

const all = globSync('**/*', {
  cwd: root,
  dot: true,
  ignore: ['**/node_modules/**', '.git/**', 'dist/**', 'docs/decisions/**', 'test/**', '**/*.{png,gz,svg,html}'],
});
const linesOf = (/** @type {string} */ file) => readFileSync(path.join(root, file), 'utf8').split('\n');

test('no text starts or installs a package by the name of this program from a registry', () => {
  const found = all.flatMap((file) =>
    linesOf(file).flatMap((line) => (FETCHES.test(line) || OF_EDITORS.test(line) ? `${file}: ${line.trim()}` : [])),
  );
  expect(found.filter((line) => !line.includes('command = "npx"'))).toEqual([]);
  expect(readFileSync(path.join(root, 'docs/editors.md'), 'utf8')).toContain(
    'command = "npx"\nargs = ["--no-install", "couch-advisor", "lsp"]',
  );
});

test('commands in messages, reports and rules run the installed program', () => {
  const files = all.filter((file) => /^lib\/.*\.js$|^rules\/.*rule\.json$/.test(file) && !HELP.test(file));
  const found = files.flatMap((file) =>
    linesOf(file).flatMap((line) => (BARE.test(line) && !NAMES.test(line) ? `${file}: ${line.trim()}` : [])),
  );
  expect(found).toEqual([]);
});

test('what starts a package by its name is noticed', () => {
  for (const text of [
    'npx couch-advisor lint',
    'npx -y couch-advisor',
    'npm exec couch-advisor',
    'yarn dlx couch-advisor',
  ])
    expect(text).toMatch(FETCHES);
  for (const text of ['npx --no-install couch-advisor lint', 'npm run vendor -- ../my-project'])
    expect(text).not.toMatch(FETCHES);
  expect("hint: 'couch-advisor lint'").toMatch(BARE);
});
