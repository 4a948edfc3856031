// `confirm` and `bench` on a CouchDB in a container: how the programs are called, what is left behind, and what is said where it cannot be. A stand-in
// takes the place of docker, podman and nerdctl (test/helpers/container-stand-in.js).

import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createContainerStandIn, endContainers, removeStandIn } from '../helpers/container-stand-in.js';
import { isLong, sample } from '../helpers/long.js';
import { runMain } from '../helpers/run-main.js';
import { createProject } from '../helpers/temporary-project.js';

/** As little as can be measured. */
const FEW = ['--max-docs', '100', '--runs', '1', '--budget', '1'];
const map = "function (doc) {\n  if (doc.type === 'order') emit(doc.date, doc);\n}";
const copying = { 'orders.json': { _id: '_design/orders', language: 'javascript', views: { by_date: { map } } } };

/** @param {string[]} [programs] */
function prepare(programs) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-containers-'));
  const standIn = createContainerStandIn(folder, programs);
  onTestFinished(() => {
    endContainers(standIn);
    removeStandIn(folder);
  });
  const { cwd, read } = createProject(copying);
  // Other tests would take what is measured here for the rate of a server.
  const env = { ...standIn.env, XDG_CACHE_HOME: path.join(cwd, '.git/cache') };
  return { standIn, read, run: (/** @type {string[]} */ ...argv) => runMain(argv, { cwd, env }) };
}

/** A number that no process has. */
const DEAD = '4194305';
const ID = 'ab'.repeat(32);

describe('a container', () => {
  test.each(isLong ? ['docker', 'podman', 'nerdctl'] : [])(
    'of %s is started, measured on and removed',
    async (program) => {
      const { standIn, run } = prepare();
      const { stdout, stderr, exitCode } = await run('confirm', `--${program}`, ...FEW, 'orders.json');
      expect([stderr, exitCode]).toEqual(['', 0]);
      expect(stdout).toContain('server   CouchDB 3.5.0 (couchdb:3.5)');
      expect(stdout).not.toContain('measured on the embedded server');
      expect(standIn.containers()).toEqual([]);
      const calls = standIn.calls();
      expect(new Set(calls.map((call) => call.program))).toEqual(new Set([program]));
      // Everybody on the machine can see arguments.
      expect(calls.filter(({ hasPassword }) => hasPassword)).toEqual([]);
      const { args = [] } = calls.find((call) => call.args[0] === 'run') ?? {};
      const image = program === 'podman' ? 'docker.io/library/couchdb:3.5' : 'couchdb:3.5';
      expect(args.map((word) => word.replace(/[0-9a-f]{12}|(?<!:\d*:)\d{4,}/g, '#'))).toEqual([
        'run',
        '--rm',
        '--name',
        'couch-advisor-#-#',
        '--label',
        'couch-advisor.run=#',
        '--label',
        `couch-advisor.host=${os.hostname().replace(/[0-9a-f]{12}|\d{4,}/g, '#')}`,
        '--label',
        expect.stringMatching(/^couch-advisor\.pid=/),
        '--label',
        expect.stringMatching(/^couch-advisor\.at=/),
        '--publish',
        '127.0.0.1:#:5984',
        '--env',
        'COUCHDB_USER',
        '--env',
        'COUCHDB_PASSWORD',
        image,
      ]);
    },
  );

  test.runIf(isLong)('has its data in memory where that is asked for, and the report says so', async () => {
    const { standIn, run } = prepare();
    const { stdout } = await run('confirm', '--docker=couchdb:3.4', '--in-memory', ...FEW, 'orders.json');
    expect(stdout).toContain('CouchDB 3.4.0 (couchdb:3.4, data in memory)');
    const { args = [] } = standIn.calls().find((call) => call.args[0] === 'run') ?? {};
    expect(args.slice(-3)).toEqual(['--tmpfs', '/opt/couchdb/data', 'couchdb:3.4']);
  });

  test.runIf(isLong)('serves bench, on one image', async () => {
    const { standIn, run } = prepare();
    const sizes = ['--size', '200', '--rounds', '1', '--requests', '2', '--pages', '5'];
    const { stdout, stderr } = await run('bench', 'include-docs', '--docker', ...sizes);
    expect(stderr).toBe('');
    expect(stdout).toContain('CouchDB 3.5.0 (couchdb:3.5)');
    expect(standIn.containers()).toEqual([]);
    expect((await run('bench', 'include-docs', '--docker=couchdb:3.4,couchdb:3.5')).stderr).toContain(
      'bench measures on one image',
    );
  });

  test.runIf(isLong)('is pulled where it is not here', async () => {
    const { standIn, run } = prepare();
    standIn.set({ images: [] });
    expect((await run('confirm', '--docker', ...FEW, 'orders.json')).exitCode).toBe(0);
    expect(standIn.calls().map(({ args }) => args[0])).toContain('pull');
  });

  test.runIf(isLong)('gets another port where its own is taken', async () => {
    const { standIn, run } = prepare();
    standIn.set({
      run: {
        code: 125,
        stderr: 'docker: Error response from daemon: Bind for 127.0.0.1:40000 failed: port is already allocated.',
        times: 2,
      },
    });
    const { exitCode, stderr } = await run('confirm', '--docker', ...FEW, 'orders.json');
    expect([stderr, exitCode]).toEqual(['', 0]);
    const ports = standIn
      .calls()
      .flatMap(({ args }) => (args[0] === 'run' ? [args[args.indexOf('--publish') + 1]] : []));
    expect(ports).toHaveLength(3);
    expect(standIn.containers()).toEqual([]);
  });
});

describe('several images', () => {
  test.runIf(isLong)('are measured one after another, and one that fails loses nothing of the others', async () => {
    const { standIn, run, read } = prepare();
    standIn.set({
      images: ['couchdb:3.3', 'couchdb:3.5'],
      pull: { code: 1, stderr: 'manifest for couchdb:9 not found: manifest unknown' },
    });
    const argv = [
      'confirm',
      '--docker=couchdb:3.3,couchdb:9,couchdb:3.5',
      ...FEW,
      '--journal',
      'rounds.jsonl',
      'orders.json',
    ];
    const { stdout, stderr, exitCode } = await run(...argv);
    expect(stderr).toContain(
      'error: there is no image couchdb:9: manifest for couchdb:9 not found: manifest unknown\n',
    );
    expect(exitCode).toBe(3);
    const [, table = ''] = stdout.split('Side by side\n');
    expect(table.split('\n')).toEqual([
      '  experiment',
      '      image        verdict',
      '  view/emit-whole-doc at _design/orders/_view/by_date',
      expect.stringMatching(/^ {6}couchdb:3\.3 {2}inconclusive: advised was [\d.]+ times (faster|slower) \(1 pair\)$/),
      '      couchdb:9    not measured',
      expect.stringMatching(/^ {6}couchdb:3\.5 {2}inconclusive: advised was [\d.]+ times (faster|slower) \(1 pair\)$/),
      '',
    ]);
    expect(stdout).toContain('couchdb:9\n  not measured: there is no image couchdb:9');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const heads = read('rounds.jsonl')
      .split('\n')
      .filter((line) => line.includes('"type":"run"'));
    expect(heads.map((line) => JSON.parse(line).environment.server.name)).toEqual([
      'CouchDB 3.3.0 (couchdb:3.3)',
      'CouchDB 3.5.0 (couchdb:3.5)',
    ]);
    expect(standIn.containers()).toEqual([]);
  });

  test.runIf(isLong)('have their verdicts side by side in the JSON', async () => {
    const { standIn, run } = prepare();
    standIn.set({ images: ['couchdb:3.3'], pull: { code: 1, stderr: 'no such host' } });
    const { stdout } = await run(
      'confirm',
      '--podman=docker.io/x/y:1,couchdb:3.3',
      ...FEW,
      '--format',
      'json',
      'orders.json',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      images: [
        { image: 'docker.io/x/y:1', failure: { code: 'pull-failed' }, report: null },
        { image: 'couchdb:3.3', failure: { code: 'pull-failed' }, report: null },
      ],
      comparison: [],
    });
    standIn.set({});
    const both = JSON.parse(
      (await run('confirm', '--docker=couchdb:3.3,couchdb:3.5', ...FEW, '--format', 'json', 'orders.json')).stdout,
    );
    expect(both.images[1].report.findings[0].verdict.server).toBe('CouchDB 3.5.0 (couchdb:3.5)');
    expect(both.comparison).toMatchObject([
      {
        rule: 'view/emit-whole-doc',
        verdicts: [
          { image: 'couchdb:3.3', rounds: 1 },
          { image: 'couchdb:3.5', rounds: 1 },
        ],
      },
    ]);
  });
});

describe('what cannot be is said, and nothing is left behind', () => {
  const DAEMON = 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?';
  const SOCKET = 'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock';
  /** @type {[string, import('../helpers/container-stand-in.js').StandInMode, string[], string[]][]} */
  const FAULTS = [
    [
      'no daemon',
      { ps: { code: 1, stderr: DAEMON } },
      [],
      ['docker cannot reach its engine: Cannot connect', 'hint: start it'],
    ],
    [
      'no permission',
      { ps: { code: 1, stderr: SOCKET } },
      [],
      ['you may not use the engine of docker: permission denied', 'group `docker`'],
    ],
    ['another fault of ps', { ps: { code: 1, stderr: 'panic' } }, [], ['`docker ps` failed: panic']],
    [
      'no image',
      { images: [], pull: { code: 1, stderr: 'pull access denied for couchdb, repository does not exist' } },
      [],
      ['there is no image couchdb:3.5: pull access denied', 'hub.docker.com'],
    ],
    [
      'no registry',
      { images: [], pull: { code: 1, stderr: 'dial tcp: lookup registry-1.docker.io: no such host' } },
      [],
      ['the image couchdb:3.5 could not be pulled: dial tcp'],
    ],
    [
      'an end at once',
      { run: { code: 1, stderr: 'one\ntwo\nERROR: admin PASSWORD is bad', times: 9 } },
      [],
      [
        'couchdb:3.5 ended at once (exit code 1)',
        'the last lines of couchdb:3.5:\n  one\n  two\n  ERROR: admin *** is bad\n',
      ],
    ],
    [
      'a port that is always taken',
      { run: { code: 125, stderr: 'listen tcp 127.0.0.1:1: bind: address already in use', times: 9 } },
      [],
      ['couchdb:3.5 ended at once (exit code 125)', 'address already in use'],
    ],
    [
      'no answer',
      { serves: 'silent' },
      ['--start-timeout', '2'],
      [
        'couchdb:3.5 did not respond within 2 s',
        'hint: give it more time: --start-timeout 6s',
        'cannot open the database, admin ***',
      ],
    ],
    ['a page', { serves: 'html' }, [], ['couchdb:3.5 does not respond like CouchDB']],
    ['another database', { serves: 'json' }, [], ['couchdb:3.5 does not respond like CouchDB']],
    ['an admin that is none', { serves: 'refuses' }, [], ['couchdb:3.5 refused to create _users (status 403)']],
  ];

  test.each(sample(FAULTS, 2))('%s', async (_, mode, options, told) => {
    const { standIn, run } = prepare();
    standIn.set(mode);
    const { stdout, stderr, exitCode } = await run('confirm', '--docker', ...options, ...FEW, 'orders.json');
    // What has to be set up or named otherwise is 2, what failed is 3.
    const isUsage = told.some((text) =>
      /reach its engine|may not use|there is no image|respond like|refused to create/.test(text),
    );
    expect([stdout, exitCode]).toEqual(['', isUsage ? 2 : 3]);
    for (const text of told) expect(stderr).toContain(text);
    expect(stderr).toContain('hint: ');
    standIn.set({});
    expect(standIn.containers()).toEqual([]);
  });

  test.each(sample(['docker', 'podman', 'nerdctl'], 1))('%s is not installed', async (program) => {
    const { run } = prepare([]);
    const { stderr, exitCode } = await run('confirm', `--${program}`, 'orders.json');
    expect(stderr).toContain(`error: ${program} was not found on the PATH\n  hint: use another one`);
    expect(exitCode).toBe(2);
  });

  test.runIf(isLong)('a container that cannot be removed is named', async () => {
    const { standIn, run } = prepare();
    standIn.set({ refusesRemoval: true, serves: 'html' });
    const { stderr } = await run('confirm', '--docker', ...FEW, 'orders.json');
    expect(stderr).toMatch(
      /the container [0-9a-f]{12} could not be removed; `npx --no-install couch-advisor confirm --clean --docker` tries again/,
    );
  });

  test.each([
    ['two programs', ['--docker', '--podman'], '--docker and --podman cannot be combined'],
    [
      'a program and an address',
      ['--url', 'http://localhost:5984', '--docker'],
      '--url and --docker cannot be combined',
    ],
    ['an option as an image', ['--docker=--privileged'], 'invalid --docker "--privileged": not the name of an image'],
    ['an image with a space', ['--docker=couchdb:3.5 --privileged'], 'not the name of an image'],
    ['a list with a gap', ['--docker=couchdb:3.5,'], 'invalid --docker "": not the name of an image'],
    ['a tag that is none', ['--podman=couchdb:-x'], 'invalid --podman "couchdb:-x"'],
    ['memory without a container', ['--in-memory'], '--in-memory requires a container'],
    [
      'a time without a container',
      ['--url', 'http://127.0.0.1:9', '--start-timeout', '9'],
      '--start-timeout requires a container',
    ],
    [
      'a time that is none',
      ['--docker', '--start-timeout', 'soon'],
      'invalid --start-timeout "soon": must be between 1s and 1d',
    ],
  ])('%s is refused', async (_, args, told) => {
    const { standIn, run } = prepare();
    const { stdout, stderr, exitCode } = await run('confirm', ...args, 'orders.json');
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toContain(told);
    expect(standIn.calls()).toEqual([]);
  });

  const images = [
    'couchdb',
    'couchdb:3.5',
    'ghcr.io/shop/couchdb:main',
    'localhost:5000/couchdb',
    `couchdb@sha256:${'a'.repeat(64)}`,
  ];
  test.each(sample(images, 1))('%s is an image', async (image) => {
    const { standIn, run } = prepare();
    standIn.set({ images: [], pull: { code: 1, stderr: 'manifest unknown' } });
    expect((await run('confirm', `--docker=${image}`, 'orders.json')).stderr).toContain(`there is no image ${image}`);
  });
});

describe('what a killed run left', () => {
  const labels = { 'couch-advisor.run': 'dead', 'couch-advisor.host': os.hostname(), 'couch-advisor.pid': DEAD };

  test('is removed by --clean, and nothing else, whatever the engine lists', async () => {
    const { standIn, run } = prepare();
    standIn.set({ ignoresFilter: true });
    standIn.add(ID, labels);
    standIn.add('cd'.repeat(32), { 'com.example': 'shop' });
    const { stdout, exitCode } = await run('confirm', '--clean', '--docker');
    expect([stdout, exitCode]).toEqual(['removed 1 container\n', 0]);
    expect(standIn.containers().map(({ id }) => id)).toEqual(['cd'.repeat(32)]);
  });

  test.each([
    ['of a run that is going on', { ...labels, 'couch-advisor.pid': String(process.pid) }],
    ['of another machine', { ...labels, 'couch-advisor.host': 'elsewhere' }],
    ['without a process', { 'couch-advisor.run': 'dead', 'couch-advisor.host': os.hostname() }],
  ])('is kept where it is %s', async (_, given) => {
    const { standIn, run } = prepare();
    standIn.add(ID, given);
    const { stdout, exitCode } = await run('confirm', '--clean', '--nerdctl');
    expect([stdout, exitCode]).toEqual(['removed 0 containers\nkept abababababab: its run may still be going on\n', 3]);
    expect(standIn.containers()).toHaveLength(1);
  });

  test('is removed by the next run', async () => {
    const { standIn, run } = prepare();
    standIn.add(ID, labels);
    standIn.set({ serves: 'html' });
    const { stderr } = await run('confirm', '--docker', ...FEW, 'orders.json');
    expect(stderr).toContain('removed containers that a killed run left: abababababab\n');
    expect(standIn.containers()).toEqual([]);
  });
});
