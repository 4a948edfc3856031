// `lint --watch`, in a process of its own: what changes is linted again, and errors do not end it.

import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isLong } from '../helpers/long.js';
import { startCli } from '../helpers/run-cli.js';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

const RULE = 'reduce/unknown-builtin';
const CONFIG = 'couch-advisor.config.json';
const WAITING = 'watching for changes; press Ctrl+C to stop\n';

/** @typedef {import('../helpers/temporary-project.js').Files} Files */

/** @param {Files} files @param {string[]} [argv] */
function start(files, argv = []) {
  const project = createProject(files);
  const { child, ended } = startCli(['lint', '--watch', ...argv], { cwd: project.cwd });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let printed = '';
  /** @type {(() => void)[]} */
  const waiting = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data) => {
      printed += data;
      for (const wake of waiting.splice(0)) wake();
    });
  }
  return {
    ...project,
    child,
    ended,
    /** @param {string[]} texts @returns {Promise<string>} all that was printed since it was last waited for, when each of them is in it */
    until: async (...texts) => {
      while (!texts.every((text) => printed.includes(text))) {
        await new Promise((resolve) => waiting.push(() => resolve(undefined)));
      }
      const all = printed;
      printed = '';
      return all;
    },
  };
}

describe('--watch', () => {
  test('lints again when a file changes, comes or goes', async () => {
    const shop = start({ 'ddocs/orders.json': ordersWith('_sum;') });
    await shop.until(RULE, WAITING);
    shop.write({ 'ddocs/orders.json': ordersWith() });
    await shop.until(`changed: ${path.join('ddocs', 'orders.json')}\n`, 'no problems in 1 design document', WAITING);
    shop.write({ 'till/ddocs/till.json': ordersWith('_sum;', 'till') });
    await shop.until('1 warning in 2 design documents', WAITING);
    rmSync(path.join(shop.cwd, 'till'), { recursive: true });
    await shop.until('no problems in 1 design document', WAITING);
  });

  test('says nothing of a change that changes nothing', async () => {
    const shop = start({ 'orders.json': ordersWith('_sum;') });
    await shop.until(RULE, WAITING);
    shop.write({ 'notes.txt': 'closed on Sundays', 'orders.json': ordersWith('_sum;') });
    // Mostly long enough to be a change of its own; if it is not, both are one, and the same is printed.
    await new Promise((resolve) => setTimeout(resolve, 500));
    shop.write({ 'stock.json': ordersWith('_sum', 'stock') });
    const printed = await shop.until('1 warning in 2 design documents', WAITING);
    expect(printed).toMatch(/^changed: .*stock\.json$/m);
    expect(printed.match(/changed: /g)).toHaveLength(1);
  });

  test.runIf(isLong)(
    'takes a changed configuration, also one that is extended, and waits where it is broken',
    async () => {
      const shop = start({ 'orders.json': ordersWith('_sum;'), [CONFIG]: {} });
      await shop.until(RULE, WAITING);
      shop.write({ [CONFIG]: '{' });
      await shop.until('not valid JSON', `at ${CONFIG}:1:`);
      shop.write({ 'team/base.json': { rules: { [RULE]: 'off' } }, [CONFIG]: { extends: './team/base.json' } });
      await shop.until('no problems in 1 design document', WAITING);
      shop.write({ 'team/base.json': { rules: { [RULE]: 'error' } } });
      await shop.until('1 error in 1 design document', WAITING);
    },
  );

  test('ends by a signal', async () => {
    const shop = start({ 'orders.json': ordersWith('_sum;') });
    await shop.until(RULE, WAITING);
    shop.child.kill('SIGINT');
    expect(await shop.ended).toMatchObject({ exitCode: null });
  });

  test.each([
    ['--fix', ['--fix']],
    ['--fix-unsafe', ['--fix-unsafe']],
    ['--write-baseline', ['--write-baseline', 'known.json']],
    ['--staged', ['--staged']],
    ['--timing', ['--timing']],
    ['a report file', ['--format', 'json=out.json']],
    ['a report file', ['--output', 'out.txt']],
    ['standard input', ['-']],
  ])('does not go with %s: %j', async (what, argv) => {
    const project = createProject({ 'orders.json': ordersWith() });
    const { stdout, stderr, exitCode } = await project.run(['lint', '--watch', ...argv]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toBe(`error: --watch cannot be combined with ${what}\n  hint: remove one of them\n`);
  });
});
