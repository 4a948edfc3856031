// The workflow that posts the report as a comment: its script, run with a stand-in for GitHub's program.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../helpers/run-cli.js';

const read = (/** @type {string} */ name) => readFileSync(path.join(root, 'share/templates', name), 'utf8');
const { jobs, permissions } = parse(read('couch-advisor-comment.github.yml'));
const { steps } = jobs['couch-advisor'];

/** @type {string} */
let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-comment-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** @param {string} ids of the comments that are there already @returns {string[]} the requests */
function post(ids) {
  const log = path.join(folder, 'log');
  writeFileSync(
    path.join(folder, 'gh'),
    `#!/bin/sh\necho "$*" >> '${log}'\ncase "$*" in *--jq*) printf '%s' '${ids}';; esac\n`,
  );
  chmodSync(path.join(folder, 'gh'), 0o755);
  const env = { PATH: `${folder}:${process.env['PATH']}`, REPOSITORY: 'shop/web', PULL_REQUEST: '7' };
  execFileSync('bash', ['-e', '-c', steps.at(-2).run], { cwd: folder, env });
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
}

test('makes one comment, and replaces it later', () => {
  writeFileSync(path.join(folder, 'couch-advisor.md'), '# Report\n');
  const comments = 'repos/shop/web/issues/7/comments';
  const [list, ...made] = post('');
  expect(list).toContain(`api --paginate ${comments} --jq`);
  expect(made).toEqual([`api --silent --method POST ${comments} --field body=@couch-advisor-comment.md`]);
  expect(readFileSync(path.join(folder, 'couch-advisor-comment.md'), 'utf8')).toBe(
    '<!-- couch-advisor -->\n# Report\n',
  );
  expect(post('11\n12').at(-1)).toBe(
    'api --silent --method PATCH repos/shop/web/issues/comments/11 --field body=@couch-advisor-comment.md',
  );
});

test('does nothing where there is no report', () => {
  expect(post('')).toEqual([]);
});

test('is the other workflow with two steps and one right more', () => {
  const other = parse(read('couch-advisor.github.yml'));
  const before = other.jobs['couch-advisor'].steps;
  expect(steps.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  const outputs = '--output couch-advisor.md --output github-review:couch-advisor-review.json';
  expect(steps.at(-3).run).toBe(`${before.at(-1).run} ${outputs}`);
  expect(permissions).toEqual({ ...other.permissions, 'pull-requests': 'write' });
});

test('every action is pinned to a commit, with its version behind it', () => {
  const folders = ['.github/workflows', 'share/templates', '.'];
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder)).map((name) => path.join(folder, name)),
  );
  const uses = files
    .filter((file) => file.endsWith('.yml'))
    .flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(/\buses: (.+)/g)].map(([, used]) => used),
    );
  expect(uses.length).toBeGreaterThan(10);
  expect(uses.filter((used) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used ?? ''))).toEqual([]);
});
