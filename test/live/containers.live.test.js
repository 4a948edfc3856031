// `confirm --docker` on a real CouchDB: a stand-in for docker passes on to the server of COUCHDB_URL, with a password of the run in front of it.

import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createContainerStandIn, endContainers, removeStandIn } from '../helpers/container-stand-in.js';
import { startCli } from '../helpers/run-cli.js';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

test('a reduce is measured on the CouchDB behind it, and nothing is left', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-containers-'));
  const standIn = createContainerStandIn(folder);
  onTestFinished(() => {
    endContainers(standIn);
    removeStandIn(folder);
  });
  const reduce = 'function (keys, values, rereduce) { return sum(values); }';
  const { cwd } = createProject({ 'orders.json': ordersWith(reduce) });
  const env = { PATH: standIn.env['PATH'] ?? '', HOME: folder };
  const args = [
    'confirm',
    '--docker=couchdb:3.5',
    '--yes',
    '--max-docs',
    '500',
    '--runs',
    '1',
    '--budget',
    '60s',
    '--format',
    'json',
    'orders.json',
  ];
  const { stdout, stderr } = await startCli(args, { cwd, env }).ended;
  expect(stderr).toBe('');
  const { findings } = JSON.parse(stdout);
  const { verdict } = findings.find((/** @type {{rule: string}} */ { rule }) => rule === 'reduce/custom-sum');
  expect(verdict.server).toMatch(/^CouchDB [\d.]+ \(couchdb:3\.5\)$/);
  expect(verdict.rounds).toBe(1);
  // Counters of the real server: a query of the groups calls the function, and `_sum` never does.
  const calls = 'couchdb.query_server.calls.reduce';
  expect(verdict.counters['as-is'][calls]).toBeGreaterThan(0.9);
  expect(verdict.counters['advised'][calls]).toBe(0);
  expect(standIn.containers()).toEqual([]);
  const left = await fetch(`${process.env['COUCHDB_URL']?.replace(/\/\/.*@/, '//')}/_all_dbs`, {
    headers: {
      authorization: `Basic ${btoa(decodeURIComponent(/\/\/(.*)@/.exec(process.env['COUCHDB_URL'] ?? '')?.[1] ?? ''))}`,
    },
  });
  expect(JSON.stringify(await left.json())).not.toContain('couch-advisor-scratch-');
});
