// Repositories whose configuration names programs, or that are broken: git starts none of them, and what is broken is one clear error.

import { appendFileSync, existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../helpers/git-project.js';
import { runMain } from '../../helpers/run-main.js';
import { createRepository, GIT_ENV, HOOKS, stateOf } from '../../security/repository.js';

const RUNS = [
  ['ci', '--base', 'HEAD'],
  ['lint', '--staged'],
];
/** @param {string} field @returns {string} a design document */
const ordersBy = (field) =>
  JSON.stringify({ _id: '_design/orders', views: { rows: { map: `function (doc) { emit(doc.${field}); }` } } });

/** A repository with a changed file, and a program that leaves a mark. */
function createProject() {
  const folder = temporaryFolder();
  const cwd = path.join(folder, 'shop');
  const marker = path.join(folder, 'started');
  const program = path.join(folder, 'program.sh');
  writeFileSync(program, `#!/bin/sh\ntouch '${marker}'\ncat 2> /dev/null\n`, { mode: 0o755 });
  const { git, commit } = createRepository(cwd);
  writeFileSync(path.join(cwd, 'orders.json'), ordersBy('date'));
  writeFileSync(path.join(cwd, 'stock.json'), ordersBy('stock'));
  commit();
  writeFileSync(path.join(cwd, 'orders.json'), ordersBy('total'));
  return {
    cwd,
    git,
    program,
    configure: (/** @type {string} */ text) => appendFileSync(path.join(cwd, '.git/config'), text),
    wasStarted: () => existsSync(marker),
    run: (/** @type {string[]} */ argv) => runMain(argv, { cwd, env: { ...GIT_ENV, HOME: cwd } }),
  };
}

test.each([
  ['clean', (/** @type {string} */ program) => `[filter "evil"]\n\tclean = ${program}\n`],
  ['process', (/** @type {string} */ program) => `[filter "evil"]\n\tprocess = ${program}\n\trequired = true\n`],
  [
    'clean of a filter with a dot in its name',
    (/** @type {string} */ program) => `[filter "evil.x"]\n\tclean = ${program}\n`,
  ],
])('the program of a filter is not started: %s', async (about, setting) => {
  const project = createProject();
  const name = about.includes('dot') ? 'evil.x' : 'evil';
  writeFileSync(path.join(project.cwd, '.gitattributes'), `*.json filter=${name}\n`);
  project.configure(setting(project.program));
  for (const argv of RUNS) {
    const { exitCode, stderr } = await project.run(argv);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.not.stringContaining('error') });
    expect(project.wasStarted()).toBe(false);
  }
});

test('a filter that cannot be turned off is refused', async () => {
  const project = createProject();
  project.configure(`[filter "a=b"]\n\tclean = ${project.program}\n`);
  for (const argv of RUNS) {
    const { exitCode, stderr } = await project.run(argv);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('error: the git configuration defines a filter `a=b`');
  }
});

test('no hook of the repository is started, and nothing in it is written, where files have other times than in its index', async () => {
  const project = createProject();
  for (const hook of HOOKS)
    writeFileSync(path.join(project.cwd, '.git/hooks', hook), `#!/bin/sh\n'${project.program}'\n`, { mode: 0o755 });
  const before = stateOf(project.cwd);
  for (const argv of [...RUNS, ['ci', '--base', 'HEAD', '--format', 'json'], ['lint'], ['init', '--dry-run']]) {
    utimesSync(path.join(project.cwd, 'stock.json'), 1e9, 1e9);
    await project.run(argv);
    expect({ argv, wasStarted: project.wasStarted() }).toEqual({ argv, wasStarted: false });
    expect(stateOf(project.cwd) === before).toBe(true);
  }
});

test('objects that a partial clone lacks are not fetched', async () => {
  const project = createProject();
  const { cwd, git, program } = project;
  const blob = git('rev-parse', 'HEAD:orders.json').trim();
  rmSync(path.join(cwd, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  git('config', 'core.repositoryFormatVersion', '1');
  project.configure(
    `[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ${cwd}\n\tpromisor = true\n\tuploadpack = ${program}\n`,
  );
  for (const argv of RUNS) {
    await project.run(argv);
    expect(project.wasStarted()).toBe(false);
  }
});

test.each([
  ['index', (/** @type {string} */ folder) => writeFileSync(path.join(folder, 'index'), 'DIRC')],
  [
    'packed refs',
    (/** @type {string} */ folder) => writeFileSync(path.join(folder, 'packed-refs'), 'x refs/heads/main\n'),
  ],
  [
    'objects',
    (/** @type {string} */ folder) => {
      for (const name of readdirSync(path.join(folder, 'objects')))
        rmSync(path.join(folder, 'objects', name), { recursive: true });
    },
  ],
])('broken %s are an error of the repository, and no fault of the program', async (_, damage) => {
  const project = createProject();
  damage(path.join(project.cwd, '.git'));
  const { exitCode, stderr } = await project.run(['lint', '--staged']);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^error: git cannot read the repository.*\n {2}hint: /);
});
