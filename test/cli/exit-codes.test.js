// The exit codes of docs/output.md mean the same in every command: 2 for what has to be typed or configured otherwise, 3 for what failed.

import { describe, expect, test } from 'vitest';
import { createProject } from '../helpers/temporary-project.js';

const ddoc = {
  _id: '_design/orders',
  views: { by_date: { map: "function (doc) { if (doc.type === 'order') emit(doc.date, null); }" } },
};
/** Nobody listens there. */
const NO_SERVER = 'http://127.0.0.1:9';
const shop = () => createProject({ 'orders.json': ddoc, 'empty/readme.txt': 'no design documents' });

describe('2, nothing was done', () => {
  test.each([
    ['an unknown option', 'lint --no-such-option'],
    ['an unknown command', 'lnt'],
    ['a configuration that does not exist', 'lint --config no-such.json orders.json'],
    ['a baseline that does not exist', 'lint --baseline no-such.json orders.json'],
    ['an unknown rule', 'explain no-such-rule'],
    ['a bad number', 'lint --max-warnings x orders.json'],
    ['no repository', 'ci orders.json'],
    ['no documents named', 'predict'],
    ['an unknown view', 'profile orders.json --view orders/no-such'],
    ['a command that is no query server', 'profile orders.json --query-server true'],
    ['a bad address', 'lint --url nowhere://x'],
  ])('%s', async (_, line) => {
    expect(await exitCodeOf(line)).toBe(2);
  });
});

describe('3, incomplete', () => {
  test.each([
    ['a path that does not exist', 'lint no-such.json'],
    ['the same beside one that does', 'lint orders.json no-such.json'],
    ['a path without anything to lint', 'lint empty'],
    ['a path that does not exist', 'facts no-such.json'],
    ['a path that does not exist', 'advise no-such.json'],
    ['a path that does not exist', 'confirm no-such.json'],
    ['a path that does not exist', 'profile no-such.json'],
    ['a plan that does not exist', 'confirm --plan no-such.json'],
    ['documents that do not exist', 'predict --docs no-such.jsonl'],
    ['a log that does not exist', 'digest no-such.log'],
    ['a log that does not exist', 'lint orders.json --log no-such.log'],
    ['a server that does not respond', `lint --url ${NO_SERVER}`],
    ['a server that does not respond', `confirm orders.json --all --rule view/emit-whole-doc --url ${NO_SERVER}`],
  ])('%s: %s', async (_, line) => {
    expect(await exitCodeOf(line)).toBe(3);
  });
});

/** @param {string} line of arguments */
async function exitCodeOf(line) {
  const { exitCode, stderr } = await shop().run(line.split(' '));
  expect(stderr).not.toContain('bug');
  return exitCode;
}
