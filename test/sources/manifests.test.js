// Compose files and Kubernetes manifests: which containers run CouchDB, with which limits and settings.

import { expect, test } from 'vitest';
import { readText } from '../helpers/read-source.js';
import { createProject } from '../helpers/temporary-project.js';

/** @param {string} text @param {string} [path] */
const read = (text, path = 'deploy/compose.yml') => readText(text, path);

/** @param {string} service lines of a service */
const compose = async (service) =>
  (await read(`services:\n  db:\n${service.replace(/^/gm, '    ')}\n`)).records.flatMap((record) =>
    record.kind === 'container' ? [record] : [],
  );

test.each([
  ['couchdb:3.4.3', '3.4.3'],
  ['couchdb:3.4', '3.4'],
  ['couchdb:3', undefined],
  ['couchdb', undefined],
  ['couchdb:latest', undefined],
  ['apache/couchdb:3.5.2-nouveau', '3.5.2'],
  ['docker.io/library/couchdb:3.3.3@sha256:abc', '3.3.3'],
  ['"couchdb:${TAG:-3.4.2}"', '3.4.2'],
  ['couchdb:${TAG}', undefined],
  ['registry.example:5000/shop/couchdb:7.1.0', undefined],
  ['hyperledger/fabric-couchdb:0.4.22', undefined],
])('image %s', async (image, version) => {
  const [container] = await compose(`image: ${image}`);
  expect(container?.version).toBe(version);
  expect(container?.place).toMatchObject({ file: 'deploy/compose.yml', line: 3, column: 12 });
});

test.each([['nginx'], ['couchdb-exporter:1'], ['gesellix/couchdb-prometheus-exporter']])(
  'another program is none: %s',
  async (image) => {
    expect(await compose(`image: ${image} # beside couchdb`)).toEqual([]);
  },
);

test.each([
  ['mem_limit: 512m', 512 * 1024 ** 2],
  ['mem_limit: 1.5gb', 1.5 * 1024 ** 3],
  ['mem_limit: 1000000', 1_000_000],
  ['deploy: { resources: { limits: { memory: 2G } } }', 2 * 1024 ** 3],
  ['mem_limit: ${MEMORY}', undefined],
  ['mem_reservation: 1g', undefined],
])('memory %s', async (line, bytes) => {
  expect((await compose(`image: couchdb\n${line}`))[0]?.memoryBytes).toBe(bytes);
});

test.each([
  ['ulimits: { nofile: 65536 }', true],
  ['ulimits:\n  nofile:\n    soft: 1024\n    hard: 4096', true],
  ['ulimits: { nofiles: 65535 }', false],
  ['ulimits: { nproc: 65535 }', false],
  ['environment: { ERL_FLAGS: "+Q 65536" }', true],
  ['environment:\n  - ERL_FLAGS=+Q 65536', true],
  ['extends: { file: base.yml, service: db }', undefined],
  ['volumes: ["./vm.args:/opt/couchdb/etc/vm.args"]', undefined],
  ['restart: always', false],
])('open files %s', async (line, has) => {
  expect((await compose(`image: couchdb\n${line}`))[0]?.hasFileLimit).toBe(has);
});

test('settings that are mounted are those of the container, in both forms', async () => {
  const volumes = [
    'volumes:',
    '  - ./couchdb/local.ini:/opt/couchdb/etc/local.d/local.ini:ro',
    '  - ../etc:/opt/couchdb/etc/local.d',
    '  - { type: bind, source: ./more.ini, target: /opt/couchdb/etc/local.d/more.ini }',
    '  - data:/opt/couchdb/data',
  ].join('\n');
  expect((await compose(`image: couchdb\n${volumes}`))[0]?.configPaths).toEqual([
    'deploy/couchdb/local.ini',
    'etc',
    'deploy/more.ini',
  ]);
});

test('settings that are written in a manifest stand at their place in it', async () => {
  const text = [
    'apiVersion: v1',
    'kind: ConfigMap',
    'data:',
    '  readme.txt: |',
    '    [couchdb] has sections',
    '  local.ini: |-',
    '    [chttpd]',
    '    bind_address = any',
    '  other: x',
    '---',
    'apiVersion: apps/v1',
    'kind: StatefulSet',
    'spec: { template: { spec: { containers: [ { name: db, image: "couchdb:3.4.3", resources: { limits: { memory: 512Mi } } } ] } } }',
  ].join('\n');
  const { records, errors } = await read(text, 'couch.yaml');
  expect(errors).toEqual([]);
  const [config, container] = records;
  expect(config?.kind === 'server-config' && config.options).toMatchObject([
    { section: 'chttpd', key: 'bind_address', value: 'any', place: { line: 8, column: 5 } },
  ]);
  expect(records).toHaveLength(2);
  expect(container).toMatchObject({ kind: 'container', name: 'db', memoryBytes: 512 * 1024 ** 2, version: '3.4.3' });
});

test.each([
  ['no YAML', 'services:\n  db:\n    image: couchdb\n   x: [\n', ['yaml-syntax']],
  ['another kind of document', 'openapi: 3\ninfo: { title: couchdb }\nimage: x\n', []],
  [
    'aliases that grow',
    `image: couchdb\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'.replace(/./g, (name) => `${name}: &${name} [${`*${String.fromCharCode(name.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}`,
    [],
  ],
  ['values of other types', 'services: [couchdb]\nimage: 1\ndata: couchdb\nconfigs: 7\n', []],
  ['services of other types', 'services:\n  couchdb: 7\n  db: { image: [couchdb], volumes: {}, deploy: 1 }\n', []],
])('%s is never more than an error', async (_, text, codes) => {
  const { records, errors } = await read(text);
  expect(errors.map(({ code }) => code)).toEqual(codes);
  expect(records).toEqual([]);
});

const HELM_VALUES = [
  'clusterSize: 3',
  'image: { repository: couchdb, tag: 3.3.3, pullPolicy: IfNotPresent }',
  'resources:',
  '  limits:',
  '    memory: 512Mi',
  'couchdbConfig:',
  '  couchdb:',
  '    delayed_commits: true',
  '    max_dbs_open: 500',
  '  chttpd:',
  '    bind_address: any',
  '    port:',
].join('\n');

test.each([
  ['values of the chart', HELM_VALUES, 1],
  ['values of a chart that depends on it', `couchdb:\n${HELM_VALUES.replace(/^/gm, '  ')}`, 2],
])('%s give settings, version and memory', async (_, text, line) => {
  const { records, errors } = await read(text, 'chart/values.yaml');
  expect(errors).toEqual([]);
  expect(records).toMatchObject([
    {
      kind: 'container',
      image: 'couchdb:3.3.3',
      version: '3.3.3',
      memoryBytes: 512 * 1024 ** 2,
      place: { line: line + 1 },
    },
    {
      kind: 'server-config',
      options: [
        { section: 'couchdb', key: 'delayed_commits', value: 'true', place: { line: line + 7 } },
        { section: 'couchdb', key: 'max_dbs_open', value: '500' },
        { section: 'chttpd', key: 'bind_address', value: 'any' },
      ],
    },
  ]);
});

test('values that name no image, or another one, say nothing of the version', async () => {
  const without = HELM_VALUES.replace(/image: .*\n/, '');
  expect((await read(without)).records.map(({ kind }) => kind)).toEqual(['server-config']);
  expect((await read(HELM_VALUES.replace('couchdb, tag', 'nginx, tag'))).records).toHaveLength(1);
  expect((await read(HELM_VALUES.replace('3.3.3', '""'))).records).toHaveLength(1);
  expect((await read('couchdbConfig: []\nimage: { tag: 3.3.3 }\ncouchdb: 7\n')).records).toHaveLength(1);
});

test('templates of manifests are skipped by name, and no edit for an `.ini` file is offered for values', async () => {
  const project = createProject({
    'templates/statefulset.yaml':
      'kind: StatefulSet\nspec:\n  containers:\n    - name: couchdb\n      image: "{{ .Values.image.repository }}"\n{{- if .Values.x }}\n      x: 1\n{{- end }}\n',
    'values.yaml': HELM_VALUES,
  });
  const report = await project.lint(['.']);
  expect(report.errors).toEqual([]);
  expect(report.notes).toEqual([
    { path: 'templates/statefulset.yaml', reason: 'a template of a manifest; the values of the chart are read' },
  ]);
  const dead = report.findings.find(({ rule }) => rule === 'config/dead-options');
  expect(dead?.place).toMatchObject({ file: 'values.yaml', line: 8 });
  expect(dead?.fix).toBeUndefined();
});

test('a folder is linted for the version of its container, and no password is shown', async () => {
  const project = createProject({
    'compose.yml':
      'services:\n  db:\n    environment:\n      COUCHDB_PASSWORD: Tr0ub4dor-and-3\n    image: couchdb:3.1.2\n    mem_limit: 1g\n',
  });
  const report = await project.lint(['.']);
  expect(report.findings.map(({ rule, outcome }) => `${rule}#${outcome}`)).toEqual(['config/container-limits#tight']);
  expect(/** @type {any} */ (report).target).toMatchObject({ version: '3.1.2' });
  const { stdout } = await project.run(['lint', '.']);
  expect(stdout).toContain('image: couchdb:3.1.2');
  expect(stdout).not.toContain('Tr0ub4dor');
});
