// The pages and the Markdown of `digest`: self-contained, names stay text, parts that have no figures are left out.

import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../helpers/run-cli.js';
import { runMain } from '../helpers/run-main.js';

/** @param {string[]} argv */
async function print(...argv) {
  const { stdout, stderr, exitCode } = await runMain(['digest', ...argv], { cwd: root });
  expect([stderr, exitCode]).toEqual(['', 0]);
  return stdout;
}

/** @param {string} page @returns {string[]} titles of its sections */
const titlesOf = (page) => [...page.matchAll(/<h2 id="[^"]+">([^<]+)<\/h2>/g)].map(([, title = '']) => title);

test('the page of a log of CouchDB has all sections, and loads nothing', async () => {
  const page = await print('fixtures/projects/shop/logs/couch.log', '--format', 'html');
  expect(titlesOf(page)).toEqual([
    'Over time',
    'Costliest queries',
    'Slowest queries',
    'All queries',
    'Example requests',
    'Largest responses',
    'Errors',
  ]);
  expect(page).toMatch(/content="default-src &#39;none&#39;; script-src &#39;sha256-/);
  expect(page).not.toMatch(/ (?:src|href|onclick)="/);
  expect(page).toContain('GET shop/_design/app/_view/totals?group=true');
});

test('index updates and failures of query servers have their places', async () => {
  const page = await print('fixtures/logs/couchdb.log', '--format', 'html');
  expect(titlesOf(page)).toContain('Index updates, by shard');
  expect(page).toContain('Query server failures');
});

test('without times and without requests there is a page too', async () => {
  expect(titlesOf(await print('fixtures/logs/common.log', '--format', 'html'))).not.toContain('Costliest queries');
  const { stdout, exitCode } = await runMain(['digest', '-', '--format', 'html'], { cwd: path.join(root, 'fixtures') });
  expect(exitCode).toBe(0);
  expect(titlesOf(stdout)).toEqual(['All queries', 'Errors']);
});

test('Markdown is one table of queries, and one of index updates', async () => {
  const markdown = await print('fixtures/logs/couchdb.log', '--format', 'markdown');
  expect(markdown).toMatch(/^## couch-advisor digest\n\n\*\*5 requests of 4 query patterns in 10 lines\.\*\*/);
  expect(markdown).toContain('| # | query | time | calls | /min | peak | total | p50 | p95 | p99 | rows | errors |');
  expect(markdown).toContain('### Index updates, by shard');
});

test('the comparison of a log with one that says nothing is a page that says so', async () => {
  const page = await print(
    '--compare',
    'fixtures/logs/couchdb.log',
    'fixtures/projects/shop/logs/couch.log',
    '--format',
    'html',
  );
  expect(titlesOf(page)).toEqual(['What could not be compared', 'Method']);
});
