// What is read from /proc, and whose it is.

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { addTasks } from '../../../lib/measure/scenarios/run/active-tasks.js';
import {
  cpuOfTrees,
  findListener,
  isErlang,
  listeningInodes,
  parseMachine,
  parseStat,
} from '../../../lib/measure/servers/server-processes.js';
import { isLong } from '../../helpers/long.js';

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1700 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0000000000000000 100 0 0 10 0
   1: 0100007F:1700 0100007F:C001 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0000000000000000 20 4 30 10 -1
   2: 0100007F:1701 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0000000000000000 100 0 0 10 0
`;

describe('sockets', () => {
  test.each([
    [0x1700, ['4711']],
    [0x1701, ['4713']],
    [0x1702, []],
  ])('that listen at port %i', (port, inodes) => {
    expect(listeningInodes(TABLE, port)).toEqual(inodes);
  });

  test('of a broken table are none', () => {
    expect(listeningInodes('\n\nnonsense\n', 80)).toEqual([]);
  });

  test.each(['http://192.0.2.7:5984', 'http://shop.example:5984'])('of %s are not looked for', (origin) => {
    expect(findListener(origin)).toBeUndefined();
  });
});

describe('processor time', () => {
  test('is the sum of four fields, whatever the name is', () => {
    const fields = ['S', 7, ...Array.from({ length: 9 }, () => 1), 10, 20, 30, 40, 99].join(' ');
    expect(parseStat(`123 (beam) x (smp) ${fields}`)).toEqual({ parent: 7, ticks: 100 });
  });

  test.each(['', 'nonsense', '123 (beam'])('of %j is not known', (text) => {
    expect(parseStat(text)).toBeUndefined();
  });

  test('of the machine leaves out waiting and interrupts, and has what went to other machines', () => {
    expect(parseMachine('cpu  10 2 30 1000 50 7 8 5 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n')).toBe(470);
    expect(parseMachine('')).toBeUndefined();
  });

  test('of a process that is no Erlang VM is not that of a CouchDB', () => {
    expect(isErlang(process.pid)).toBe(false);
  });

  test.runIf(isLong && process.platform === 'linux')(
    'of a listening process is found, and grows as its children work',
    async () => {
      const server = createServer();
      await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      expect(findListener(`http://127.0.0.1:${port}`)).toBe(process.pid);
      const before = cpuOfTrees([process.pid]) ?? Number.NaN;
      const child = spawn(process.execPath, [
        '-e',
        'const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);',
      ]);
      await new Promise((resolve) => child.once('close', resolve));
      expect((cpuOfTrees([process.pid]) ?? Number.NaN) - before).toBeGreaterThan(200);
      server.close();
    },
  );
});

describe('tasks of one index', () => {
  const index = { database: 'couch-advisor-scratch-1-1', designDoc: 'javascript-none-0' };
  const task = (/** @type {string} */ range, /** @type {number} */ done, rest = {}) => ({
    type: 'indexer',
    database: `shards/${range}/couch-advisor-scratch-1-1.1700000000`,
    design_document: '_design/javascript-none-0',
    changes_done: done,
    ...rest,
  });

  test('are added up over its shards; one that is through keeps what it had done', () => {
    /** @type {Map<string, number>} */
    const shards = new Map();
    addTasks(shards, [task('00000000-7fffffff', 100), task('80000000-ffffffff', 50)], index);
    addTasks(shards, [task('80000000-ffffffff', 80)], index);
    expect([...shards.values()]).toEqual([100, 80]);
  });

  test.each([
    ['of another index', [task('0-1', 9, { design_document: '_design/other' })]],
    ['of another database', [task('0-1', 9, { database: 'shards/0-1/orders.1700000000' })]],
    ['of another kind', [task('0-1', 9, { type: 'database_compaction' })]],
    ['that are none', ['nonsense', null, {}]],
    ['that are no list', { error: 'unauthorized' }],
  ])('%s do not count', (_, tasks) => {
    /** @type {Map<string, number>} */
    const shards = new Map();
    addTasks(shards, tasks, index);
    expect(shards.size).toBe(0);
  });
});
