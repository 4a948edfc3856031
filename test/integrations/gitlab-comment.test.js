// The job that posts the report as a note: its script, run against a stand-in for GitLab's API.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { GIT_ENV, GitProject } from '../helpers/git-project.js';
import { isLong } from '../helpers/long.js';
import { root } from '../helpers/run-cli.js';

const read = (/** @type {string} */ name) => parse(readFileSync(path.join(root, 'share/templates', name), 'utf8'));
const { after_script: after, ...job } = read('couch-advisor-comment.gitlab-ci.yml')['couch-advisor'];

const REQUEST = '/api/v4/projects/7/merge_requests/3';
const MARK = '<!-- couch-advisor -->';
const suggestion = (/** @type {string} */ key) => ({
  body: `<!-- couch-advisor ${key} -->\ntext`,
  position: { position_type: 'text', old_path: 'a.json', new_path: 'a.json', new_line: 1 },
});

/**
 * @param {Record<string, unknown>} answers by what is requested, lists in pages of one
 * @param {{token?: string, change?: object, head?: string}} [options]
 */
async function post(answers, { token = 'secret', change = {}, head } = {}) {
  const suggestions = [suggestion('one'), suggestion('two')];
  const project = GitProject.create({ 'a.json': { a: 1 } });
  project.write({ 'couch-advisor.md': '# Report\n', 'couch-advisor-review.json': suggestions, ...change });
  /** @type {{method: string | undefined, target: string, body: any}[]} */
  const sent = [];
  const commits = { base_sha: 'b', start_sha: 's', head_sha: head ?? project.git('rev-parse', 'HEAD').trim() };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    expect(request.headers['private-token']).toBe(token);
    const body = await text(request);
    if (request.method !== 'GET') sent.push({ method: request.method, target: pathname, body: JSON.parse(body) });
    const found = { [`${REQUEST}`]: { diff_refs: commits }, '/api/v4/user': { id: 5 }, ...answers }[pathname];
    const page = Number(searchParams.get('page'));
    const isList = Array.isArray(found);
    response.setHeader('x-next-page', isList && page < found.length ? String(page + 1) : '');
    response.statusCode = found === undefined ? (request.method === 'GET' ? 404 : 201) : 200;
    response.end(JSON.stringify(isList ? found.slice(page - 1, page) : (found ?? {})));
  });
  onTestFinished(() => {
    server.close();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const env = {
    ...GIT_ENV,
    PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
    CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
    CI_PROJECT_ID: '7',
    CI_MERGE_REQUEST_IID: '3',
    COUCH_ADVISOR_TOKEN: token,
  };
  const child = spawn('bash', ['-e', '-c', after.join('\n')], { cwd: project.cwd, env });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(stderr).toBe('');
  return { sent, stdout, commits };
}

const NONE = { [`${REQUEST}/notes`]: [], [`${REQUEST}/discussions`]: [] };

test('makes one note and a discussion for each suggestion', async () => {
  const { sent, stdout, commits } = await post(NONE);
  const discussion = (/** @type {string} */ key) => {
    const { body, position } = suggestion(key);
    return { method: 'POST', target: `${REQUEST}/discussions`, body: { body, position: { ...position, ...commits } } };
  };
  expect(sent).toEqual([
    { method: 'POST', target: `${REQUEST}/notes`, body: { body: `${MARK}\n# Report\n` } },
    discussion('one'),
    discussion('two'),
  ]);
  expect(stdout).toBe('');
});

test('replaces its own note later, and suggests nothing twice', async () => {
  const note = (/** @type {number} */ id, /** @type {number} */ author, /** @type {string} */ body) => ({
    id,
    author: { id: author },
    body,
  });
  const { sent } = await post({
    [`${REQUEST}/notes`]: [note(1, 9, `${MARK}\nof somebody else`), note(2, 5, 'other'), note(3, 5, `${MARK}\nold`)],
    [`${REQUEST}/discussions`]: [{ notes: [] }, { notes: [{ body: suggestion('one').body }] }],
  });
  expect(sent.map(({ method, target, body }) => [method, target, body.body.split('\n')[0]])).toEqual([
    ['PUT', `${REQUEST}/notes/3`, MARK],
    ['POST', `${REQUEST}/discussions`, '<!-- couch-advisor two -->'],
  ]);
});

test.runIf(isLong)(
  'suggests nothing where the lines are not those of the branch, and posts nothing without a token',
  async () => {
    const moved = await post(NONE, { change: { 'a.json': { a: 2 } } });
    expect(moved.sent.map(({ target }) => target)).toEqual([`${REQUEST}/notes`]);
    expect(moved.stdout).toContain('not posted: ');
    const refused = await post({});
    expect(refused.sent).toEqual([]);
    expect(refused.stdout).toContain(`not posted: GET projects/7/merge_requests/3/notes?per_page=100&page=1: 404`);
    const without = await post(NONE, { token: '' });
    expect(without).toMatchObject({ sent: [], stdout: 'no COUCH_ADVISOR_TOKEN: nothing is posted\n' });
  },
);

test('is the other job with one step more', () => {
  const other = read('couch-advisor.gitlab-ci.yml')['couch-advisor'];
  const script = `${other.script.at(-1)} --output gitlab-review:couch-advisor-review.json`;
  expect(job).toEqual({ ...other, script: [...other.script.slice(0, -1), script] });
});
