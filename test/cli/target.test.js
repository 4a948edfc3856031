// The version that advice is for: every command learns it in the same way, and reports say from where.

import { describe, expect, test } from 'vitest';
import { createProject, ordersWith } from '../helpers/temporary-project.js';

const COMPOSE = 'services:\n  db:\n    image: couchdb:3.3.3\n';
const LOAD = '{"_id":"a","total":1}\n{"_id":"b","total":2}\n';
const FILES = { 'ddocs/orders.json': ordersWith('_sum'), 'load.jsonl': LOAD };
const CONFIG = { 'couch-advisor.config.json': '{"target": {"version": "3.2"}}' };

/** @type {[string, import('../helpers/temporary-project.js').Files, string[], string][]} */
const SOURCES = [
  ['the option', { 'docker-compose.yml': COMPOSE, ...CONFIG }, ['--target', '3.1'], '3.1, as --target says'],
  ['the configuration', { 'docker-compose.yml': COMPOSE, ...CONFIG }, [], '3.2, as couch-advisor.config.json says'],
  ['a Compose file', { 'docker-compose.yml': COMPOSE }, [], '3.3.3, as docker-compose.yml says'],
  ['a Dockerfile', { Dockerfile: 'FROM couchdb:3.4.2\n' }, [], '3.4.2, as Dockerfile says'],
  [
    'an argument of a Dockerfile',
    { 'couch.Dockerfile': 'ARG V="3.4.2"\nFROM --platform=linux/amd64 couchdb:${V} AS db\nFROM node:20\n' },
    [],
    '3.4.2, as couch.Dockerfile says',
  ],
  ['nothing', {}, [], '3.5.2, the newest known: --target names another'],
  [
    'two that differ',
    { 'docker-compose.yml': COMPOSE, Dockerfile: 'FROM couchdb:3.4.2\n' },
    [],
    '3.5.2, the newest known: --target names another',
  ],
  ['another image', { Dockerfile: 'FROM node:20\n' }, [], '3.5.2, the newest known: --target names another'],
];

describe.each(SOURCES)('%s names the version', (_, files, options, expected) => {
  const project = () => createProject({ ...FILES, ...files });

  test.each([[[]], [['ddocs']], [['ddocs/orders.json']]])('lint %j', async (paths) => {
    const { stdout } = await project().run(['lint', ...paths, ...options]);
    expect(stdout).toContain(`\nfor CouchDB ${expected}\n`);
  });

  test('predict', async () => {
    const { stdout } = await project().run(['predict', 'load.jsonl', ...options]);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`2 shards, CouchDB ${expected} `);
  });

  test('a page, Markdown and JSON', async () => {
    const one = project();
    const argv = ['lint', 'ddocs', ...options];
    expect((await one.run([...argv, '--format', 'markdown'])).stdout).toContain('Judged for CouchDB 3.');
    expect((await one.run([...argv, '--format', 'html'])).stdout).toContain(`for CouchDB ${expected}`);
    const { target } = JSON.parse((await one.run([...argv, '--format', 'json'])).stdout);
    expect(target.version).toBe(expected.split(',')[0]);
  });
});

test('init writes the version that lint finds', async () => {
  const project = createProject({ ...FILES, Containerfile: 'FROM docker.io/library/couchdb:3.3.2\n' });
  expect((await project.run(['init', '--dry-run'])).stdout).toContain('"version": "3.3.2"');
});

test('print-config shows it', async () => {
  const project = createProject({ ...FILES, 'docker-compose.yml': COMPOSE });
  const { stdout } = await project.run(['lint', '--print-config', 'ddocs/orders.json']);
  expect(JSON.parse(stdout).target).toEqual({ version: '3.3.3', source: 'container', file: 'docker-compose.yml' });
});

describe('predict takes the shards', () => {
  /** @type {[string, import('../helpers/temporary-project.js').Files, string[], string][]} */
  const SHARDS = [
    ['of an .ini file', { 'couch/local.ini': '[cluster]\nq = 8\n' }, [], '8 shards as couch/local.ini says'],
    [
      'of a mounted .ini file',
      {
        'docker-compose.yml': `${COMPOSE}    volumes:\n      - ./deep/er/local.ini:/opt/couchdb/etc/local.d/local.ini\n`,
        'deep/er/local.ini': '[cluster]\nq = 4\n',
      },
      [],
      '4 shards as deep/er/local.ini says',
    ],
    ['of the option', { 'local.ini': '[cluster]\nq = 8\n' }, ['--shards', '3'], '3 shards, CouchDB'],
    [
      'of CouchDB where files differ',
      { 'a.ini': '[cluster]\nq = 8\n', 'b.ini': '[cluster]\nq = 4\n' },
      [],
      '2 shards, CouchDB',
    ],
    ['of CouchDB where the value is out of range', { 'a.ini': '[cluster]\nq = 999\n' }, [], '2 shards, CouchDB'],
  ];

  test.each(SHARDS)('%s', async (_, files, options, expected) => {
    const project = createProject({ ...FILES, ...files });
    const { stdout } = await project.run(['predict', 'load.jsonl', ...options]);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(expected);
  });
});

test('predict names the file of a version that it does not support', async () => {
  const project = createProject({ ...FILES, 'docker-compose.yml': COMPOSE.replace('3.3.3', '2.3.1') });
  const { stderr, exitCode } = await project.run(['predict', 'load.jsonl']);
  expect(stderr).toContain('predict supports CouchDB 3.0 to 3.5, not CouchDB 2.3.1, as docker-compose.yml says');
  expect(exitCode).toBe(2);
});
