// `couch-advisor ci`, run in real repositories.

import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { formats } from '../../../lib/index.js';
import { GitProject, temporaryFolder } from '../../helpers/git-project.js';
import { sample } from '../../helpers/long.js';

const MAP = "function (doc) {\n  if (doc.type === 'order') emit(doc.date, null);\n}";
const sound = {
  _id: '_design/orders',
  views: { by_date: { map: MAP }, by_customer: { map: MAP.replace('date', 'customer') } },
};
/** `_total` is no built-in reduce, which is an error. */
const broken = { ...sound, views: { ...sound.views, total: { map: MAP, reduce: '_total' } } };
const stock = { _id: '_design/stock', views: { by_name: { map: MAP.replace('date', 'name'), reduce: '_total' } } };

/** @param {import('../../helpers/git-project.js').Files} before @param {import('../../helpers/git-project.js').Files} after */
function changed(before, after) {
  const project = GitProject.create(before);
  project.git('switch', '--quiet', '--create', 'change');
  project.commit(after);
  return project;
}

const BASE = ['--base', 'main'];

describe('findings', () => {
  test('that the change brings fail it', async () => {
    const { codes, exitCode, change } = await changed({ 'orders.json': sound }, { 'orders.json': broken }).ci();
    expect(codes).toContain('reduce/unknown-builtin#refused');
    expect(exitCode).toBe(1);
    expect(change.touched).toEqual(['orders.json']);
    expect(change.counts).toMatchObject({ old: 0, elsewhere: 0, gone: 0 });
  });

  test('name the versions that they hold for, where several are supported', async () => {
    const legacy = MAP.replace('if (', 'for each (var item in doc.items) if (');
    const after = {
      ...sound,
      views: { ...sound.views, items: { map: legacy }, total: { map: MAP, reduce: '_total' } },
    };
    const project = changed({ 'orders.json': sound }, { 'orders.json': after });
    const { findings } = await project.ci([...BASE, '--target', '2.3', '--from', '3.5', '--from', '2.3']);
    const of = (/** @type {string} */ rule) =>
      findings.filter((/** @type {{rule: string}} */ one) => one.rule === rule);
    expect(of('reduce/unknown-builtin')).toMatchObject([{ versions: ['2.3', '3.5'] }]);
    expect(of('map/engine-incompatible')).toMatchObject([
      { versions: ['3.5'], message: expect.stringMatching(/ \(on CouchDB 3\.5\)$/) },
    ]);
  });

  test('that were there before do not, however far they moved', async () => {
    const project = changed(
      { 'orders.json': broken, 'stock.json': stock },
      { 'orders.json': `\n\n\n${JSON.stringify(broken, null, 8)}`, 'README.md': 'Our shop.' },
    );
    const { codes, exitCode, change } = await project.ci();
    expect(codes).toEqual([]);
    expect(exitCode).toBe(0);
    expect(change.counts).toEqual({ new: 0, old: 1, elsewhere: 1, gone: 0 });
    expect(change.old[0]).toMatchObject({ rule: 'reduce/unknown-builtin', place: { file: 'orders.json' } });
    expect(change.indexes).toEqual([]);
  });

  test('that it removes are counted', async () => {
    const { change } = await changed({ 'orders.json': broken }, { 'orders.json': sound }).ci();
    expect(change.counts.gone).toBe(1);
  });

  test('of other commits of the base are no part of it', async () => {
    const project = changed({ 'orders.json': sound }, { 'README.md': 'Our shop.' });
    project.git('switch', '--quiet', 'main');
    project.commit({ 'stock.json': stock });
    project.git('switch', '--quiet', 'change');
    const { codes, change } = await project.ci();
    expect(codes).toEqual([]);
    expect(change.counts.gone).toBe(0);
  });

  test('are judged as they lie on the disk, committed or not', async () => {
    const project = GitProject.create({ 'orders.json': sound });
    project.write({ 'stock.json': stock });
    expect((await project.ci(['--base', 'HEAD'])).codes).toEqual(['reduce/unknown-builtin#refused']);
  });

  test('in the baseline are not new, and those that are gone fail it if asked to', async () => {
    const project = changed({ 'orders.json': sound }, { 'stock.json': stock });
    await project.run(['lint', '--write-baseline', 'known.json']);
    expect((await project.ci([...BASE, '--baseline', 'known.json', '--fail-on-stale'])).codes).toEqual([]);
    project.write({ 'couch-advisor.config.json': { baseline: 'known.json' } });
    expect(await project.ci([...BASE, '--fail-on-stale'])).toMatchObject({ codes: [], exitCode: 0 });
    project.write({ 'stock.json': { ...stock, views: {} } });
    const { stderr, exitCode } = await project.run(['ci', ...BASE]);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(
      /^1 finding in the baseline no longer found; .*\n {2}reduce\/unknown-builtin#refused:\w+\n$/m,
    );
    expect(await project.run(['ci', ...BASE, '--fail-on-stale'])).toMatchObject({ exitCode: 1 });
    // Of a part of the project it is not known what is gone.
    expect(await project.run(['ci', ...BASE, '--fail-on-stale', 'orders.json'])).toMatchObject({ exitCode: 0 });
  });

  test('without a baseline cannot be stale', async () => {
    const project = changed({ 'orders.json': sound }, { 'orders.json': broken });
    expect(await project.run(['ci', ...BASE, '--fail-on-stale'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--fail-on-stale requires a baseline'),
    });
  });

  test('with a safe fix on changed lines are suggested, on GitHub and on GitLab', async () => {
    const view = (/** @type {string} */ reduce) =>
      `{\n  "_id": "_design/orders",\n  "views": {\n    "total": {\n      "map": ${JSON.stringify(MAP)},\n      "reduce": "${reduce}"\n    }\n  }\n}\n`;
    const project = changed(
      { 'a/orders.json': view('_count'), 'a/stock.json': view(' _count').replace('orders', 'stock') },
      { 'a/orders.json': view(' _count') },
    );
    const read = async (/** @type {string} */ format, folder = '.') =>
      JSON.parse((await project.run(['ci', ...BASE, '--format', format], { folder })).stdout);
    const { event, comments } = await read('github-review', 'a');
    expect(event).toBe('COMMENT');
    expect(comments).toEqual([{ path: 'a/orders.json', line: 6, side: 'RIGHT', body: expect.any(String) }]);
    expect(comments[0].body).toMatch(/^<!-- couch-advisor reduce\/[\w-]+#[\w-]+:\w+ -->\n/);
    expect(comments[0].body).toMatch(/\n```suggestion\n {6}"reduce": "_count"\n```$/);
    const [{ body, position }] = await read('gitlab-review');
    expect(body).toContain('\n```suggestion:-0+0\n      "reduce": "_count"\n```');
    expect(position).toEqual({
      position_type: 'text',
      old_path: 'a/orders.json',
      new_path: 'a/orders.json',
      new_line: 6,
    });
  });

  test('at or above --fail-on count', async () => {
    const project = changed({ 'orders.json': sound }, { 'orders.json': broken });
    expect((await project.ci(['--base', 'main', '--fail-on', 'never'])).exitCode).toBe(0);
  });

  test('are found in a folder of the repository, and with paths', async () => {
    const project = changed(
      { 'ddocs/orders.json': sound, 'stock.json': sound },
      { 'ddocs/orders.json': broken, 'stock.json': stock },
    );
    expect((await project.ci(['--base', 'main'], { folder: 'ddocs' })).change.touched).toEqual(['orders.json']);
    expect((await project.ci(['--base', 'main', 'ddocs'])).change.touched).toEqual(['ddocs/orders.json']);
    expect((await project.ci(['--base', 'main', '../stock.json'], { folder: 'ddocs' })).change.touched).toEqual([
      '../stock.json',
    ]);
  });

  test('of a checkout that was copied, so that all files have other times, are old', async () => {
    const names = ['orders.json', ...['"a\\\n.json', 'ä.json'].filter(() => process.platform !== 'win32')];
    const project = changed(Object.fromEntries(names.map((name) => [name, broken])), { 'README.md': 'Our shop.' });
    for (const name of names) utimesSync(path.join(project.cwd, name), 1e9, 1e9);
    expect((await project.ci()).change).toMatchObject({ touched: [], counts: { new: 0, elsewhere: names.length } });
  });

  test('of a design document that was moved to another file are old', async () => {
    const { codes, change } = await changed(
      { 'orders.json': broken },
      { 'orders.json': null, 'ddocs/orders.json': broken },
    ).ci();
    expect(codes).toEqual([]);
    expect(change.indexes).toEqual([]);
  });

  test('in files that could not be read before and after do not fail the change', async () => {
    const torn = '{"_id":"_design/x","views":{';
    const project = changed({ 'torn.json': torn, 'orders.json': sound }, { 'README.md': 'Our shop.' });
    expect(await project.ci()).toMatchObject({ exitCode: 0, errors: [] });
    project.commit({ 'other.json': torn });
    expect(await project.ci()).toMatchObject({ exitCode: 3 });
  });
});

describe('indexes', () => {
  const renamed = { ...sound, views: { by_day: sound.views.by_date, by_customer: sound.views.by_customer } };
  const filtered = { ...sound, filters: { open: "function (doc) {\n  return doc.status === 'open';\n}" } };
  /** @type {[string, object, string[], string[]][]} */
  const cases = [
    [
      'one view of two',
      { ...sound, views: { ...sound.views, by_date: { map: MAP.replace('null', '1') } } },
      ['rebuilt'],
      ['views.by_date'],
    ],
    [
      'white space',
      { ...sound, views: { ...sound.views, by_date: { map: `${MAP} ` } } },
      ['rebuilt'],
      ['views.by_date'],
    ],
    ['the name of a view', renamed, ['rebuilt'], ['views.by_day', 'views.by_date']],
    ['a filter', filtered, ['kept'], ['filters.open']],
    ['the usual language, named', { ...sound, language: 'javascript' }, ['kept'], ['language']],
    [
      'no views any more',
      { _id: '_design/orders', filters: filtered.filters },
      ['dropped'],
      ['filters.open', 'views.by_date', 'views.by_customer'],
    ],
    [
      'a search index more',
      { ...sound, indexes: { by_name: { index: 'function (doc) { index("name", doc.name || ""); }' } } },
      ['kept', 'new'],
      ['indexes.by_name'],
    ],
  ];
  test.each(cases)('are told for a change of %s', async (_, after, fates, parts) => {
    const { change } = await changed({ 'orders.json': sound }, { 'orders.json': after }).ci();
    expect(change.indexes.map((/** @type {any} */ index) => index.fate)).toEqual(fates);
    expect(change.indexes[0].parts.sort()).toEqual(parts.toSorted());
    expect(change.steps).toHaveLength(fates.includes('rebuilt') ? 1 : 0);
  });

  test('of couchapp folders are told as a whole, when a file is changed or gone', async () => {
    const files = {
      'orders/_id': '_design/orders',
      'orders/views/by_date/map.js': MAP,
      'orders/views/total/map.js': MAP,
      'orders/views/total/reduce.js': '_count',
    };
    const project = changed(files, { 'orders/views/by_date/map.js': `${MAP}// now\n` });
    const [index] = (await project.ci()).change.indexes;
    expect(index).toMatchObject({ fate: 'rebuilt', views: ['by_date', 'total'], parts: ['views.by_date'] });
    project.commit({ 'orders/views/by_date': null });
    expect((await project.ci()).change.indexes[0]).toMatchObject({
      fate: 'rebuilt',
      views: ['total'],
      parts: ['views.by_date'],
    });
  });

  test('of a new document are shared with one of the same folder that has the same functions', async () => {
    const { change } = await changed({ 'orders.json': sound }, { 'copy.json': { ...sound, _id: '_design/copy' } }).ci();
    expect(change.indexes).toMatchObject([{ designDoc: '_design/copy', fate: 'shared' }]);
  });

  test('of Mango are told', async () => {
    const index = { index: { fields: ['date'] }, name: 'by-date', ddoc: 'orders', type: 'json' };
    const project = changed(
      { 'index.json': index, 'other.json': { ...index, name: 'other' } },
      { 'index.json': { ...index, index: { fields: ['date', 'customer'] } }, 'other.json': null },
    );
    expect((await project.ci()).change.indexes).toMatchObject([
      { kind: 'mango', designDoc: '_design/orders', name: 'by-date', fate: 'rebuilt' },
      { kind: 'mango', name: 'other', fate: 'dropped' },
    ]);
  });

  const spaced = { ...sound, views: { ...sound.views, by_date: { map: `${MAP} ` } } };
  test('are estimated from what is known, and what is missing is said', async () => {
    const project = changed({ 'orders.json': sound }, { 'orders.json': spaced });
    const estimateOf = async (/** @type {string[]} */ argv) =>
      (await project.ci(['--base', 'main', ...argv])).change.indexes[0].estimate;
    expect(await estimateOf(['--documents', '1000000', '--docs-per-second', '500'])).toMatchObject({ seconds: 2000 });
    expect((await estimateOf(['--documents', '1000000'])).missing).toHaveLength(1);
    expect((await estimateOf([])).missing).toHaveLength(2);
    project.write({ 'couch-advisor.config.json': { documents: 600, documentsPerSecond: 60 } });
    expect(await estimateOf([])).toEqual({ seconds: 10, basis: '600 documents at 60 per second (the configuration)' });
    const cache = temporaryFolder();
    const rounds = [
      { type: 'run', environment: { server: { kind: 'couchdb', name: 'CouchDB 3.5.0' } } },
      { type: 'result', documents: 500, arms: [{ buildMs: 250 }, { buildMs: 1000 }, { buildMs: null }] },
    ];
    const file = path.join(cache, 'couch-advisor', 'confirm.jsonl');
    new GitProject(cache).write({
      [path.relative(cache, file)]: `${rounds.map((line) => JSON.stringify(line)).join('\n')}\n{"torn`,
    });
    project.write({ 'couch-advisor.config.json': { documents: 600 } });
    const { change } = await project.ci(['--base', 'main'], { env: { XDG_CACHE_HOME: cache } });
    expect(change.indexes[0].estimate).toMatchObject({
      seconds: 1.2,
      basis: expect.stringContaining('measured on CouchDB 3.5.0'),
    });
  });

  test('are estimated from logs that saw one built', async () => {
    const request =
      '[notice] 2026-03-02T08:00:00.000000Z couchdb@127.0.0.1 <0.218.0> 1a2b3e7a2c db.shop.example:5984 10.0.0.9 web GET /shop/_design/orders/_view/by_date?limit=20 200 ok 14\n';
    const line = (/** @type {string} */ second, /** @type {string} */ what) =>
      `[info] 2026-03-02T08:00:${second}.000000Z couchdb@127.0.0.1 <0.310.0> -------- ${what} for db: shards/00000000-7fffffff/shop.1772438400 idx: _design/orders\n`;
    const project = changed(
      {
        'orders.json': sound,
        'couch.log': `${request}${line('02', 'Starting index update')}${line('46', 'Index update finished')}`,
      },
      { 'orders.json': spaced },
    );
    const { change } = await project.ci(['--base', 'main', '--log', 'couch.log']);
    expect(change.indexes[0].estimate).toMatchObject({ seconds: 44 });
  });
});

describe('the base', () => {
  const project = () => changed({ 'orders.json': sound }, { 'orders.json': broken });

  test.each(
    sample(
      [
        ['GITHUB_BASE_REF', 'main'],
        ['CI_MERGE_REQUEST_TARGET_BRANCH_NAME', 'main'],
      ],
      1,
    ),
  )('is the branch of %s', async (name, value) => {
    expect((await project().ci([], { env: { [name]: value } })).codes).toContain('reduce/unknown-builtin#refused');
  });

  test('is the commit of CI_MERGE_REQUEST_DIFF_BASE_SHA', async () => {
    const made = project();
    const sha = made.git('rev-parse', 'main').trim();
    const { change } = await made.ci([], { env: { CI_MERGE_REQUEST_DIFF_BASE_SHA: sha } });
    expect(change.base).toEqual({ name: sha, commit: sha });
  });

  test('is a branch of the remote in a clone, and its main branch where nothing is said', async () => {
    const origin = GitProject.create({ 'orders.json': sound });
    const folder = temporaryFolder();
    origin.git('clone', '--quiet', `file://${origin.cwd}`, folder);
    const clone = new GitProject(folder);
    clone.git('switch', '--quiet', '--create', 'change');
    clone.git('branch', '--quiet', '--delete', '--force', 'main');
    clone.commit({ 'orders.json': broken });
    expect((await clone.ci([])).change.base.name).toBe('origin/HEAD');
    expect((await clone.ci([], { env: { GITHUB_BASE_REF: 'main' } })).codes).toContain(
      'reduce/unknown-builtin#refused',
    );
  });

  test('is looked for elsewhere where a push says that there was no commit', async () => {
    const { stderr, exitCode } = await project().run(['ci', '--base', '0000000000000000000000000000000000000000']);
    expect(stderr).toContain('there is no `origin/HEAD`');
    expect(exitCode).toBe(2);
  });
});

describe('what is wrong is said in one error', () => {
  /** @param {GitProject} project @param {string[]} [argv] @param {Record<string, string>} [env] */
  const fault = async (project, argv = ['--base', 'main'], env = {}) => {
    const { stdout, stderr, exitCode } = await project.run(['ci', ...argv], { env });
    expect(stdout).toBe('');
    expect(stderr.match(/^error:/gm)).toHaveLength(1);
    expect(exitCode).toBe(2);
    return stderr;
  };
  const repository = () => GitProject.create({ 'orders.json': sound });

  test('no git', async () => {
    expect(await fault(repository(), undefined, { PATH: temporaryFolder() })).toContain('git is not installed');
  });

  test('no repository', async () => {
    expect(await fault(new GitProject())).toContain('is not inside a git repository');
  });

  test('no commit', async () => {
    expect(await fault(GitProject.create())).toContain('the repository has no commits yet');
  });

  test('a bare repository', async () => {
    const project = new GitProject();
    project.git('init', '--quiet', '--bare');
    expect(await fault(project)).toContain('bare repository');
    const { cwd } = repository();
    expect(await fault(new GitProject(path.join(cwd, '.git')))).toContain('no checked-out files');
  });

  test('a broken repository', async () => {
    const project = repository();
    writeFileSync(path.join(project.cwd, '.git/config'), '[core\n');
    expect(await fault(project)).toContain('git cannot read the repository');
  });

  test.each(
    sample(
      [
        ['a name that does not exist', 'nowhere'],
        ['what git would take for an option', '--output=stolen.txt'],
        ['what begins with a hyphen', '-x'],
        ['a file', 'orders.json'],
        ['a range', 'main..main'],
        ['another command', 'main; touch stolen.txt'],
      ],
      3,
    ),
  )('%s', async (_, base) => {
    const project = repository();
    expect(await fault(project, [`--base=${base}`])).toContain('(--base) is not a branch, tag or commit');
    expect(project.git('status', '--porcelain')).toBe('');
  });

  test('no history in common', async () => {
    const project = repository();
    project.git('switch', '--quiet', '--orphan', 'other');
    project.commit({ 'orders.json': broken });
    expect(await fault(project)).toContain('no common history');
  });

  test('a shallow clone', async () => {
    const origin = changed({ 'orders.json': sound }, { 'orders.json': broken });
    const folder = temporaryFolder();
    origin.git('clone', '--quiet', '--depth=1', '--branch=change', `file://${origin.cwd}`, folder);
    const clone = new GitProject(folder);
    expect(await fault(clone)).toContain('fetch-depth: 0');
    clone.git('fetch', '--quiet', '--depth=1', 'origin', 'main:refs/remotes/origin/main');
    const stderr = await fault(clone, ['--base', 'origin/main']);
    expect(stderr).toContain('fetch-depth: 0');
    expect(stderr).toContain('shallow');
  });

  test('a branch that was not fetched', async () => {
    expect(await fault(repository(), [], { GITHUB_BASE_REF: 'release' })).toContain('git fetch origin release');
  });

  test('standard input, and a speed of nothing', async () => {
    expect(await fault(repository(), ['--base', 'main', '-'])).toContain('no earlier version');
    expect(await fault(repository(), ['--base', 'main', '--docs-per-second', '0'])).toContain(
      '--docs-per-second must be at least 1',
    );
  });
});

describe('the output', () => {
  test('is a summary for the page of the run, added to what is there', async () => {
    const project = changed({ 'orders.json': sound }, { 'orders.json': broken });
    const file = path.join(temporaryFolder(), 'summary.md');
    writeFileSync(file, '# Before\n');
    const { stdout } = await project.run(['ci', '--base', 'main', '--format', 'github'], {
      env: { GITHUB_STEP_SUMMARY: file },
    });
    expect(stdout).toMatch(/^::error file=orders\.json,/m);
    const summary = readFileSync(file, 'utf8');
    expect(summary).toMatch(/^# Before\n<!-- couch-advisor ci -->\n## couch-advisor: what the change brings\n/);
    expect(summary).toContain('1 index is rebuilt');
    expect(summary).toContain('curl -fsS -X COPY');
  });

  test('says on standard error where the summary cannot be written, and goes on', async () => {
    const project = changed({ 'orders.json': sound }, { 'orders.json': broken });
    const env = { GITHUB_STEP_SUMMARY: path.join(project.cwd, 'nowhere/summary.md') };
    expect(await project.run(['ci', '--base', 'main'], { env })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('ENOENT'),
    });
  });

  test('is as readable as this', async () => {
    const project = changed(
      { 'orders.json': sound },
      { 'orders.json': { ...sound, views: { ...sound.views, by_date: { map: `${MAP} ` } } } },
    );
    const { stdout } = await project.run([
      'ci',
      '--base',
      'main',
      '--documents',
      '2000000',
      '--docs-per-second',
      '1000',
      '--database',
      "our shop's",
    ]);
    expect(stdout.replaceAll(/at [0-9a-f]{10}/g, 'at 0123456789')).toMatchSnapshot();
    const { stdout: markdown } = await project.run(['ci', '--base', 'main', '--format', 'markdown']);
    expect(markdown.replaceAll(/<code>[0-9a-f]{10}<\/code>/g, '<code>0123456789</code>')).toMatchSnapshot();
  });

  test('in formats without a part for old findings has the new ones alone', async () => {
    const project = changed({ 'orders.json': sound, 'stock.json': stock }, { 'orders.json': broken });
    for (const format of ['sarif', 'gitlab', 'junit']) {
      const { stdout } = await project.run(['ci', '--base', 'main', '--format', format]);
      expect(stdout, format).toContain('reduce/unknown-builtin');
      expect(stdout, format).not.toContain('stock.json');
    }
  });

  const prefixed = { ...sound, views: { ...sound.views, total: { map: MAP, reduce: '_sumx' } } };

  test('are those of lint', async () => {
    const project = changed({ 'orders.json': sound }, { 'orders.json': broken });
    const names = [...formats.keys()];
    const argv = names.flatMap((name) => ['--format', `${name}=out.${name}`]);
    const { stderr } = await project.run(['ci', '--base', 'main', ...argv]);
    expect(stderr).toBe('');
    for (const name of names) {
      expect(readFileSync(path.join(project.cwd, `out.${name}`), 'utf8')).toContain('reduce/unknown-builtin');
    }
  });

  test('with html the page has new findings with their details, indexes, steps and old findings', async () => {
    const project = changed(
      { 'orders.json': sound, 'stock.json': stock, 'names.json': { ...stock, _id: '_design/names' } },
      { 'orders.json': prefixed, 'stock.json': { ...stock, language: 'javascript' } },
    );
    const { stdout } = await project.run(['ci', '--base', 'main', '--format', 'html', '--database', 'shop']);
    const cards = [...stdout.matchAll(/<article [^>]*data-rule="([^"]+)" data-file="([^"]+)"/g)];
    expect(cards.map(([, rule]) => rule)).toContain('reduce/unknown-builtin');
    expect(new Set(cards.map(([, , file]) => file))).toEqual(new Set(['orders.json']));
    expect(stdout).toContain('<h2 id="change-title">The change</h2>');
    expect(stdout).toContain('3 new findings; 2 old findings unchanged, 1 of them in the changed parts. 1 index is');
    expect(stdout).toMatch(/<dt>compared with<\/dt><dd><code>main<\/code> at/);
    expect(stdout).toMatch(
      /the views of _design\/orders \(by_date, by_customer, total\)<\/b><\/th><td><span>rebuilt because total changed/,
    );
    expect(stdout).toContain('curl -fsS -X COPY &quot;$DB/_design/orders-next&quot;');
    expect(stdout).toMatch(/1 old finding in the changed parts<\/summary>\n<ul><li>error <code>stock\.json:/);
    expect(stdout).toContain('Fix: Write the exact name of the built-in <span class="count">safe: --fix</span>');
    // No claim that nothing was found where only nothing new was.
    expect(stdout).not.toContain('Without findings');
    expect(stdout).not.toContain('names.json');
  });

  test('name the fix of a finding', async () => {
    const project = changed({ 'orders.json': sound }, { 'orders.json': prefixed });
    const { stdout } = await project.run(['ci', '--base', 'main']);
    expect(stdout).toContain('fix:  Write the exact name of the built-in (safe, run with --fix)');
    expect(stdout).toContain('1 can be fixed with --fix');
  });
});

test('nothing of the repository is written to', async () => {
  const project = changed({ 'orders.json': sound }, { 'orders.json': broken });
  const state = () => [
    project.git('status', '--porcelain=v2', '--branch'),
    project.git('stash', 'list'),
    project.git('worktree', 'list'),
  ];
  const before = state();
  const index = readFileSync(path.join(project.cwd, '.git/index'));
  await project.ci();
  expect(readFileSync(path.join(project.cwd, '.git/index')).equals(index)).toBe(true);
  expect(state()).toEqual(before);
});

test('settings of git that start programs or change its output are passed by', async () => {
  const project = changed({ 'orders.json': sound }, { 'orders.json': broken, '.gitattributes': '*.json diff=evil\n' });
  for (const [name, value] of [
    ['core.fsmonitor', 'touch stolen.txt'],
    ['diff.external', 'touch stolen.txt'],
    ['diff.evil.command', 'touch stolen.txt'],
    ['diff.evil.textconv', 'touch stolen.txt'],
    ['core.pager', 'touch stolen.txt'],
    ['diff.noprefix', 'true'],
    ['color.ui', 'always'],
    ['core.quotePath', 'true'],
    ['diff.renames', 'copies'],
  ])
    project.git('config', name ?? '', value ?? '');
  expect((await project.ci()).codes).toContain('reduce/unknown-builtin#refused');
  expect(readdirSync(project.cwd).sort()).toEqual(['.git', '.gitattributes', 'orders.json']);
});

test('a checkout with the line ends of Windows is compared as it is checked out', async () => {
  const project = GitProject.create({
    'orders/_id': '_design/orders\n',
    'orders/views/by_date/map.js': `${MAP}\n// end\n`,
  });
  project.git('config', 'core.autocrlf', 'true');
  project.write({
    'orders/views/by_date/map.js': `${MAP}\n// end\n`.replaceAll('\n', '\r\n'),
    'orders/filters/open.js': 'function (doc) { return true; }\r\n',
  });
  project.git('switch', '--quiet', '--create', 'change');
  project.git('add', '--all');
  project.git('commit', '--quiet', '--message=filter');
  project.write({ 'orders/views/by_date/map.js': `${MAP}\n// End\n`.replaceAll('\n', '\r\n') });
  const [index] = (await project.ci()).change.indexes;
  expect(index.fate).toBe('rebuilt');
  project.write({ 'orders/views/by_date/map.js': `${MAP}\n// end\n`.replaceAll('\n', '\r\n') });
  expect((await project.ci()).change.indexes[0].fate).toBe('kept');
});
