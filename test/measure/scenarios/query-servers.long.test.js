// Query servers without a database: one that works, and those that are late, silent, broken or gone. And the real couchpy.

import path from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { makeScore } from '../../../lib/measure/scenarios/documents.js';
import { makeId } from '../../../lib/measure/scenarios/ids.js';
import { summarizeQueryServers } from '../../../lib/measure/scenarios/query-servers.js';
import { driveQueryServer, findLanguage } from '../../../lib/measure/scenarios/run/drive-query-server.js';
import { driveQueryServers } from '../../../lib/measure/scenarios/run/query-servers.js';
import { installCouchpy } from '../../helpers/couchpy.js';
import { root } from '../../helpers/run-cli.js';

const fake = (/** @type {string} */ mode) => `"${process.execPath}" test/helpers/fake-query-server.js ${mode}`;
const cwd = root;
const documents = Array.from({ length: 200 }, (_, number) => ({
  _id: makeId('sequential', 'shop', number),
  ...makeScore('shop', number, 1000),
}));
const order = { language: /** @type {const} */ ('javascript'), documents, reduces: true, timeoutMs: 20_000, cwd };

describe('a query server', () => {
  test('that works is timed', async () => {
    const driven = await driveQueryServer(fake('good'), order);
    expect(driven).toMatchObject({ documents: 200, logged: 0, ms: expect.any(Number) });
  });

  test('may log between its answers', async () => {
    const driven = await driveQueryServer(fake('logs'), order);
    expect(driven).toMatchObject({ documents: 200, logged: 203 });
  });

  test.each([
    ['garbage', 'it returned invalid JSON: <html>proxy error</html>', ''],
    ['error', 'it returned an error: map_runtime_error: no such thing', ''],
    ['error-object', 'it returned an error: map_runtime_error: no such thing', ''],
    ['no-rows', 'it returned no rows: {"rows":[]}', ''],
    ['not-true', 'it returned {"ok":true}, expected `true`', ''],
    ['wrong-rows', 'it returns wrong rows from document 3 on', ''],
    ['wrong-sum', 'it returns a wrong reduced value: 1', ''],
    ['no-sum', 'it returned no reduced value: [false,[]]', ''],
    ['exits', 'it exited with code 3', 'fatal: out of memory'],
    ['endless', 'its response does not end', ''],
  ])('that is %s is told with its reason', async (mode, fault, stderr) => {
    expect(await driveQueryServer(fake(mode), order)).toEqual({ fault, stderr });
  });

  test('that is killed is told with the signal, or the code that its shell makes of it', async () => {
    const driven = await driveQueryServer(fake('killed'), order);
    expect(driven).toMatchObject({ fault: expect.stringMatching(/(killed by SIGKILL|exited with code 137)/) });
  });

  test('that does not answer is given up', async () => {
    const driven = await driveQueryServer(fake('silent'), { ...order, timeoutMs: 1500 });
    expect(driven).toEqual({ fault: 'it did not respond within 1.5 s', stderr: '' });
  });

  test('that will not end is ended', async () => {
    expect(await driveQueryServer(fake('stubborn'), { ...order, documents: documents.slice(0, 5) })).toHaveProperty(
      'ms',
    );
  });

  test('stops when the run is interrupted', async () => {
    const controller = new AbortController();
    const driving = driveQueryServer(fake('silent'), { ...order, signal: controller.signal });
    setTimeout(() => controller.abort(), 500);
    const driven = await driving;
    expect(driven).toMatchObject({ fault: expect.stringMatching(/^it (?:exited|was killed)/) });
  });
});

describe('the language', () => {
  test.each([
    ['good', 'javascript'],
    ['python', 'python'],
  ])('of a server that is %s is found', async (mode, language) => {
    expect(await findLanguage(fake(mode), { timeoutMs: 20_000, cwd })).toEqual({ language });
  });

  test('of a command that is none is not', async () => {
    const found = await findLanguage('echo nothing of it >&2; exit 4', { timeoutMs: 20_000, cwd });
    expect(found).toEqual({ fault: 'it exited with code 4', stderr: 'nothing of it' });
  });
});

const settings = { size: 50, 'large-size': 2, rounds: 2, 'document-bytes': [1000, 20_000], timeout: 20 };

test('of several commands the broken ones are told and the others measured', async () => {
  const good = fake('good');
  const driven = await driveQueryServers([good, fake('garbage'), 'exit 7'], {
    seed: '1',
    settings,
    cwd,
    onProgress: () => {},
  });
  expect(driven.servers.map(({ command }) => command)).toEqual([good, fake('garbage')]);
  expect(driven.missing).toEqual([
    'exit 7: it exited with code 7',
    expect.stringMatching(/garbage, .*: it returned invalid JSON/),
  ]);
  const arms = new Set(driven.samples.filter(({ set }) => set === 'documents of 1 kB').map(({ arm }) => arm));
  expect(arms).toContain(`${good}, map only`);
  expect(arms).toContain(`${good}, external reducer`);
  const { tables } = summarizeQueryServers(driven.samples, settings, driven.servers);
  expect(tables[0]?.rows.map(([command, reducer]) => [command, reducer])).toEqual(
    expect.arrayContaining([
      [good, 'none'],
      [good, 'external'],
    ]),
  );
});

const couchpy = installCouchpy();

describe.skipIf('missing' in couchpy)('the real couchpy', () => {
  const command = 'command' in couchpy ? couchpy.command : '';
  const commands = [`${command} --json-module=json`, `${command} --json-module=simplejson`];

  test.each(commands)('%s is Python', async (one) => {
    expect(await findLanguage(one, { timeoutMs: 20_000, cwd })).toEqual({ language: 'python' });
  });

  test('is measured with both modules, and the two are compared as they were published', async () => {
    const driven = await driveQueryServers(commands, { seed: '1', settings, cwd, onProgress: () => {} });
    expect(driven.missing).toEqual([]);
    // Two commands, two sizes, with and without a reducer, two rounds.
    expect(driven.samples).toHaveLength(16);
    const { tables, comparisons } = summarizeQueryServers(driven.samples, settings, driven.servers);
    expect(tables[0]?.rows).toHaveLength(4);
    expect(comparisons.map(({ published, measured }) => [Number(published.toFixed(2)), typeof measured])).toEqual([
      [0.97, 'number'],
      [1.48, 'number'],
    ]);
  });

  test('is given a module that it does not have', async () => {
    const found = await findLanguage(`${command} --json-module=yajl`, { timeoutMs: 20_000, cwd });
    expect(found).toMatchObject({
      fault: 'it exited with code 1',
      stderr: expect.stringContaining('Unsupported JSON module'),
    });
  });
});

test('the real couchpy is there, or it is known why not', () => {
  if ('missing' in couchpy) expect(couchpy.missing).toMatch(/python3|venv|pip/);
  else expect(path.isAbsolute(couchpy.command)).toBe(true);
});
