import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openSandbox } from '../helpers/internals.js';

const rows = [3, 1, 2].map((value, at) => ({ id: `order-${at}`, key: at, value }));
const source = 'function (keys, values) { return sum(values); }';
const slow = 'function () { while (true) {} }';

test('jobs are done in turn, each with its own answers', async () => {
  const sandbox = openSandbox();
  const jobs = Array.from({ length: 20 }, (_, at) =>
    sandbox.reduce({ source: `function () { return ${at}; }`, trees: [{ rows }] }),
  );
  expect(await Promise.all(jobs)).toEqual(jobs.map((_, at) => [{ value: at }]));
  await sandbox.close();
});

test('two threads work at once', async () => {
  const sandbox = openSandbox({ workers: 2, callSteps: 40_000_000, jobSteps: 40_000_000 });
  const done = /** @type {string[]} */ ([]);
  await Promise.all([
    sandbox.reduce({ source: slow, trees: [{ rows }] }).then(() => done.push('slow')),
    sandbox.reduce({ source, trees: [{ rows }] }).then(() => done.push('quick')),
  ]);
  expect(done).toEqual(['quick', 'slow']);
  await sandbox.close();
});

test('a closed sandbox refuses what waits and what comes', async () => {
  const sandbox = openSandbox();
  const refused = [slow, source].map((text) => sandbox.reduce({ source: text, trees: [{ rows }] }));
  const outcomes = Promise.allSettled(refused);
  await sandbox.close();
  expect((await outcomes).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
  await expect(sandbox.reduce({ source, trees: [{ rows }] })).rejects.toThrow('the sandbox is closed');
  await sandbox.close();
});

test('a sandbox that was never used can be closed', async () => {
  await expect(openSandbox().close()).resolves.toBe(undefined);
});

const script = (/** @type {string} */ body) => `
  import { openSandbox } from ${JSON.stringify(new URL('../../lib/sandbox/sandbox.js', import.meta.url).href)};
  const sandbox = openSandbox();
  const rows = ${JSON.stringify(rows)};
  ${body}`;

/** @param {string} body @param {Record<string, string>} [env] */
const runScript = (body, env) =>
  promisify(execFile)(process.execPath, ['--input-type=module', '-e', script(body)], {
    env: { ...process.env, ...env },
  });

test('an idle thread does not keep the process alive, a job does, and nothing else is printed', async () => {
  const { stdout, stderr } = await runScript(`
    const [answer] = await sandbox.reduce({ source: ${JSON.stringify(source)}, trees: [{ rows }] });
    console.log(JSON.stringify(answer));
    sandbox.reduce({ source: 'function () { return "late"; }', trees: [{ rows }] }).then(([late]) => console.log(late.value));
  `);
  expect({ stdout, stderr }).toEqual({ stdout: '{"value":6}\nlate\n', stderr: '' });
});

test('the time zone of the machine is not seen', async () => {
  const { stdout } = await runScript(
    `const [answer] = await sandbox.reduce({
      source: 'function () { return [new Date(0).getHours(), String(new Date(2025, 6, 1).toISOString())]; }', trees: [{ rows }],
    });
    console.log(JSON.stringify(answer.value));`,
    { TZ: 'America/New_York' },
  );
  expect(stdout).toBe('[0,"2025-07-01T00:00:00.000Z"]\n');
});
