// The action, the workflows and the templates: held to the published schemas and to actionlint, and the action's own script is run.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { GIT_ENV, GitProject, temporaryFolder } from '../helpers/git-project.js';
import { findTool } from '../helpers/tools.js';

const root = path.resolve(import.meta.dirname, '../..');
const checkSchema = findTool('check-jsonschema');
const actionlint = findTool('actionlint');
const workflows = [
  '.github/workflows/ci.yml',
  '.github/workflows/pages.yml',
  '.github/workflows/publish.yml',
  'share/templates/couch-advisor.github.yml',
  'share/templates/couch-advisor-comment.github.yml',
];

/** @param {string} command @param {string[]} args */
function run(command, args) {
  const { stdout, stderr, status } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  return { output: stdout + stderr, status };
}

describe.skipIf(!checkSchema)('the published schemas', () => {
  test.each([
    ['vendor.github-actions', ['action.yml']],
    ['vendor.github-workflows', workflows],
    [
      'vendor.gitlab-ci',
      ['share/templates/couch-advisor.gitlab-ci.yml', 'share/templates/couch-advisor-comment.gitlab-ci.yml'],
    ],
  ])('of %s take what is ours', (schema, files) => {
    const args = [
      '--builtin-schema',
      schema,
      ...(schema === 'vendor.gitlab-ci' ? ['--data-transform', 'gitlab-ci'] : []),
    ];
    expect(run(checkSchema ?? '', [...args, ...files])).toMatchObject({
      output: expect.stringContaining('ok'),
      status: 0,
    });
  });

  test('refuse what is wrong', () => {
    const file = path.join(temporaryFolder(), 'action.yml');
    writeFileSync(
      file,
      readFileSync(path.join(root, 'action.yml'), 'utf8').replace('using: composite', 'using: nothing'),
    );
    expect(run(checkSchema ?? '', ['--builtin-schema', 'vendor.github-actions', file]).status).toBe(1);
  });
});

describe.skipIf(!actionlint)('actionlint', () => {
  test('finds nothing in the workflows', () => {
    expect(run(actionlint ?? '', workflows)).toEqual({ output: '', status: 0 });
  });

  test('finds nothing in a workflow that uses the action', () => {
    const project = GitProject.create();
    mkdirSync(path.join(project.cwd, 'action'));
    for (const file of ['action.yml']) symlinkSync(path.join(root, file), path.join(project.cwd, 'action', file));
    const use = (/** @type {string} */ input) => `name: use
on: pull_request
jobs:
  use:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: ./action
        with:
          ${input}
`;
    project.write({ '.github/workflows/good.yml': use('documents: 2000000') });
    const lint = () => spawnSync(actionlint ?? '', [], { cwd: project.cwd, encoding: 'utf8' });
    expect(lint()).toMatchObject({ stdout: '', status: 0 });
    project.write({ '.github/workflows/bad.yml': use('document: 2000000') });
    expect(lint().stdout).toContain('input "document" is not defined in action');
  });
});

describe('the action', () => {
  const action = parse(readFileSync(path.join(root, 'action.yml'), 'utf8'));
  const step = action.runs.steps.find((/** @type {any} */ { run: script = '' }) => script.includes('couch-advisor.js'));

  test('puts nothing of the event or of its inputs into a script', () => {
    for (const { run: script = '' } of action.runs.steps) expect(script).not.toContain('${{');
    const used = JSON.stringify(step.env);
    for (const name of Object.keys(action.inputs)) {
      if (name !== 'working-directory') expect(used).toContain(`inputs.${name}`);
    }
  });

  test('runs its script as it stands, whatever the inputs hold', () => {
    const MAP = "function (doc) {\n  if (doc.type === 'order') emit(doc.date, null);\n}";
    const project = GitProject.create({ 'ddocs/orders.json': { _id: '_design/orders', views: { a: { map: MAP } } } });
    const base = project.git('rev-parse', 'HEAD').trim();
    project.commit({ 'ddocs/orders.json': { _id: '_design/orders', views: { a: { map: MAP, reduce: '_total' } } } });
    const inputs = {
      INPUT_PATHS: "ddocs\n\n'; touch stolen.txt; '\n$(touch stolen.txt)\n",
      INPUT_BASE: base,
      INPUT_FAIL_ON: 'error',
      INPUT_DOCUMENTS: '1000',
      INPUT_DOCS_PER_SECOND: '100',
      INPUT_SARIF_FILE: 'out.sarif',
      INPUT_COMMENT_FILE: 'comment `touch stolen.txt`.md',
    };
    const env = {
      ...GIT_ENV,
      PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
      ACTION_PATH: root,
      ...inputs,
    };
    const ended = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', step.run], {
      cwd: project.cwd,
      env,
      encoding: 'utf8',
    });
    expect(ended.stdout).toContain('::error file=ddocs/orders.json');
    // Two of the paths are not there.
    expect(ended.status).toBe(3);
    expect(JSON.parse(readFileSync(path.join(project.cwd, 'out.sarif'), 'utf8')).runs).toHaveLength(1);
    expect(readFileSync(path.join(project.cwd, inputs.INPUT_COMMENT_FILE), 'utf8')).toContain('1 index is rebuilt');
    const names = execFileSync('git', ['status', '--porcelain', '-z'], { cwd: project.cwd, env, encoding: 'utf8' });
    expect(names).not.toContain('stolen.txt\0?? stolen');
    expect(names.split('\0')).not.toContain('?? stolen.txt');
  });

  test('needs no input', () => {
    const project = GitProject.create({
      'orders.json': { _id: '_design/orders', views: {}, filters: { a: 'function (doc) { return true; }' } },
    });
    const empty = Object.fromEntries(Object.keys(step.env).map((name) => [name, '']));
    const env = {
      ...GIT_ENV,
      PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
      ...empty,
      ACTION_PATH: root,
      GITHUB_BASE_REF: 'main',
    };
    const { stdout, status } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', step.run], {
      cwd: project.cwd,
      env,
      encoding: 'utf8',
    });
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
  });
});

test('the workflow that publishes signs the package, then pushes the image, and each job may do no more', () => {
  const { jobs, permissions } = parse(readFileSync(path.join(root, '.github/workflows/publish.yml'), 'utf8'));
  expect(permissions).toEqual({ contents: 'read' });
  expect(jobs.publish.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  expect(jobs.image.permissions).toEqual({ contents: 'read', packages: 'write' });
  expect(jobs.image.needs).toBe('publish');
  const scriptsOf = (/** @type {any} */ job) => job.steps.map((/** @type {any} */ { run: script }) => script ?? '');
  const scripts = scriptsOf(jobs.publish);
  expect(scripts.findIndex((/** @type {string} */ script) => script.includes('npm publish --provenance'))).toBe(
    scripts.length - 1,
  );
  for (const script of [...scripts, ...scriptsOf(jobs.image)]) expect(script).not.toContain('${{');
});
