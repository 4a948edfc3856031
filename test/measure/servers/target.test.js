// A run touches the databases that it made, and no other; what it leaves is found by its mark.

import { describe, expect, test } from 'vitest';
import { guardRequest, isMadeName, isScratchName, scratchName } from '../../../lib/measure/servers/scratch-name.js';
import { dropLeftovers, Target } from '../../../lib/measure/servers/target.js';
import { createMemoryServer } from './memory-server.js';

const mark = { run: 'a1b2c3', host: 'shop', pid: 7, at: '2026-01-01T00:00:00.000Z' };
const shop = () => {
  const server = createMemoryServer();
  server.databases.set('orders', new Map([['order-1', {}]]));
  return server;
};

describe('the guard', () => {
  test.each([
    ['PUT', 'orders'],
    ['DELETE', 'orders'],
    ['POST', 'orders/_bulk_docs'],
    ['PUT', '_node/_local/_config/couchdb/delayed_commits'],
    ['POST', '_replicate'],
    ['DELETE', ''],
    ['DELETE', 'couch-advisor-scratch-'],
    ['DELETE', 'couch-advisor-scratch-1/../orders'],
    ['DELETE', 'couch-advisor-scratch-1/%2E%2e/orders'],
    ['PUT', 'my-couch-advisor-scratch-1'],
    ['PUT', 'couch-advisor-scratch-1%2F..%2Forders'],
  ])('refuses %s %s', (method, path) => {
    expect(() => guardRequest(method, path)).toThrow('refused');
  });

  test.each([
    ['GET', 'orders/_all_docs'],
    ['PUT', 'couch-advisor-scratch-a1-1'],
    ['POST', 'couch-advisor-scratch-a1-1/_bulk_docs?w=1'],
    ['DELETE', 'couch-advisor-scratch-a1-1'],
  ])('lets %s %s pass', (method, path) => {
    expect(() => guardRequest(method, path)).not.toThrow();
  });

  const address = (/** @type {string} */ name) => ({ url: `http://127.0.0.1:5984/${name}`, headers: {} });
  const [one, other] = ['couch-advisor-scratch-a1-1', 'couch-advisor-scratch-a1-2'].map(address);
  test('lets a replication between scratch databases of the same server pass, and no other', () => {
    const check = (/** @type {unknown} */ body) => () => guardRequest('POST', '_replicate', body);
    expect(check({ source: one, target: other, selector: {}, use_checkpoints: false })).not.toThrow();
    for (const body of [
      { source: one, target: address('orders') },
      { source: address('orders'), target: other },
      { source: one, target: address('couch-advisor-scratch-a1-2/../orders') },
      { source: one, target: { url: 'http://db.shop.example/couch-advisor-scratch-a1-2' } },
      { source: one, target: { url: 'http://127.0.0.1:5984@db.shop.example/couch-advisor-scratch-a1-2' } },
      { source: one, target: 'couch-advisor-scratch-a1-2' },
      { source: one, target: other, continuous: true },
      { source: one, target: other, create_target: true },
      { id: 'a1+continuous', cancel: true },
      { source: one },
    ])
      expect(check(body)).toThrow('refused');
    expect(() => guardRequest('PUT', '_replicate', { source: one, target: other })).toThrow('refused');
  });

  test.each(['orders', 'couch-advisor-scratch-', 'couch-advisor-scratch-a/b', 'couch-advisor-scratch-A', 'x'])(
    'knows that %s is no scratch database',
    (name) => expect(isScratchName(name)).toBe(false),
  );

  test('knows its own names', () => {
    expect(isScratchName(scratchName('a1b2c3', 12))).toBe(true);
  });

  test.each(['a1b2c3', 'a1b2c3-q4', '0'])('knows which names this program made: of the run %s', (run) => {
    const name = scratchName(run, 3);
    expect(isMadeName(name)).toBe(true);
    expect(isMadeName(name.replace('-3-', '-4-'))).toBe(false);
    expect(isMadeName(`${name}0`)).toBe(false);
  });

  test.each(['couch-advisor-scratch-mine-1', 'couch-advisor-scratch-a1b2c3-1-01234567', 'orders'])(
    'knows that somebody else made %s',
    (name) => expect(isMadeName(name)).toBe(false),
  );
});

describe('a target', () => {
  test('makes databases with its mark and drops them', async () => {
    const server = shop();
    const target = new Target(server, mark);
    const name = await target.create();
    expect(server.databases.get(name)?.get('_local/couch-advisor-scratch')).toEqual(mark);
    expect(await target.create()).not.toBe(name);
    await target.dropAll();
    expect([...server.databases.keys()]).toEqual(['orders']);
  });

  test('refuses what it did not create', async () => {
    const server = shop();
    const target = new Target(server, mark);
    const other = await new Target(server, { ...mark, run: 'd4e5f6' }).create();
    for (const name of ['orders', other, 'couch-advisor-scratch-new-1']) {
      await expect(target.write(name, 'POST', '_bulk_docs', { docs: [] })).rejects.toThrow('did not create');
      await expect(target.read(name, '_all_docs')).rejects.toThrow('did not create');
      await expect(target.drop(name)).rejects.toThrow('did not create');
    }
    expect(server.databases.has(other)).toBe(true);
  });

  test('takes over no database that was there before', async () => {
    const server = shop();
    server.databases.set(scratchName(mark.run, 1), new Map());
    const target = new Target(server, mark);
    await expect(target.create()).rejects.toMatchObject({ code: 'server-refused' });
    await target.dropAll();
    expect(server.databases.size).toBe(2);
  });

  test.each([
    ['null', null],
    ['a number', 7],
    ['a string', 'CouchDB'],
  ])('reports %s where an object was expected', async (text, body) => {
    const server = shop();
    const target = new Target(server, mark);
    const name = await target.create();
    server.ask = async () => ({ status: 200, body });
    const error = {
      name: 'UserError',
      code: 'wrong-answer',
      message: expect.stringContaining(`is ${text}, not an object`),
    };
    await expect(target.read(name, '')).rejects.toMatchObject(error);
    await expect(target.write(name, 'POST', '_bulk_docs', { docs: [] })).rejects.toMatchObject(error);
  });

  test('tells which databases could not be dropped', async () => {
    const server = shop();
    const target = new Target(server, mark);
    const name = await target.create();
    server.refuse.add('DELETE ');
    expect(await target.dropAll()).toEqual([name]);
  });
});

describe('what other runs have left', () => {
  /** @param {ReturnType<typeof shop>} server @param {string} run @param {Partial<typeof mark>} [changes] */
  const leave = async (server, run, changes) => new Target(server, { ...mark, run, ...changes }).create();

  test('is dropped where their process of this machine is dead', async () => {
    const server = shop();
    const dead = await leave(server, 'dead', { pid: 1 });
    const alive = await leave(server, 'alive', { pid: 2 });
    const elsewhere = await leave(server, 'elsewhere', { pid: 1, host: 'stock' });
    server.databases.set('couch-advisor-scratch-unmarked-1', new Map());
    const { dropped, kept } = await dropLeftovers(server, { host: 'shop', isAlive: (pid) => pid === 2 });
    expect(dropped).toEqual([dead]);
    expect(kept.toSorted()).toEqual([alive, 'couch-advisor-scratch-unmarked-1', elsewhere].toSorted());
  });

  test('is all dropped on demand, but for what has no mark', async () => {
    const server = shop();
    await leave(server, 'alive', { pid: 2 });
    server.databases.set('couch-advisor-scratch-unmarked-1', new Map());
    server.databases.set('couch-advisor-scratch-copied-1', new Map([['_local/couch-advisor-scratch', mark]]));
    const { kept } = await dropLeftovers(server, { host: 'shop', isAlive: () => true, all: true });
    expect(kept).toEqual(['couch-advisor-scratch-unmarked-1', 'couch-advisor-scratch-copied-1']);
    expect([...server.databases.keys()]).toEqual(['orders', ...kept]);
  });

  test('is dropped on demand where the run was killed before it could mark it, and it is still empty', async () => {
    const server = shop();
    const [empty, used] = [scratchName('dead', 1), scratchName('dead', 2)];
    server.databases.set(empty, new Map());
    server.databases.set(used, new Map([['order-1', {}]]));
    const options = { host: 'shop', isAlive: () => false };
    expect((await dropLeftovers(server, options)).dropped).toEqual([]);
    expect(await dropLeftovers(server, { ...options, all: true })).toEqual({
      dropped: [empty],
      kept: [used],
      failed: [],
    });
  });

  test('that the server does not drop has failed, and is no database of a user', async () => {
    const server = shop();
    const name = await leave(server, 'dead');
    server.refuse.add('DELETE ');
    const left = await dropLeftovers(server, { host: 'shop', isAlive: () => false, all: true });
    expect(left).toEqual({ dropped: [], kept: [], failed: [name] });
  });

  test('is an error where the server lists nothing', async () => {
    const server = shop();
    server.ask = async () => ({ status: 500, body: null });
    const options = { host: 'shop', isAlive: () => false, all: true };
    await expect(dropLeftovers(server, options)).rejects.toMatchObject({ code: 'server-refused' });
  });
});
