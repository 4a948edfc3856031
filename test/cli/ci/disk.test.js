// `couch-advisor ci` on the disk space of a deploy.

import { describe, expect, test } from 'vitest';
import { GitProject } from '../../helpers/git-project.js';
import { isLong } from '../../helpers/long.js';

const MAP = "function (doc) {\n  if (doc.type === 'order') emit(doc.date, null);\n}";
const orders = { _id: '_design/orders', views: { by_date: { map: MAP } } };
const changedOrders = { ...orders, views: { by_date: { map: MAP.replace('date', 'day') } } };
const stock = { _id: '_design/stock', views: { by_name: { map: MAP.replace('date', 'name') } } };
const info = (/** @type {string} */ name, /** @type {number} */ file, /** @type {number} */ active) =>
  JSON.stringify({ name, view_index: { signature: 'none', sizes: { file, active, external: 1 } } });
const prediction = {
  indexes: [{ designDoc: '_design/orders', name: '', fileBytes: 3e9, buildBytes: { low: 4e9, high: 6e9 } }],
};

/** @param {Record<string, string | object>} files beside the change */
function projectWith(files) {
  const project = GitProject.create({ 'orders.json': orders });
  project.git('switch', '--quiet', '--create', 'change');
  project.commit({ 'orders.json': changedOrders, ...files });
  return project;
}

describe('the disk space of a deploy', () => {
  test.each([
    ['as large as the old index', info('orders', 2e9, 1e9), '20GB', [2e9, 13e9], null],
    ['too large', info('orders', 2e9, 1e9), '1GB', [2e9, 13e9], false],
    ['perhaps too large', info('orders', 2e9, 1e9), '5GB', [2e9, 13e9], null],
    ['as predicted', `${info('orders', 2e9, 1e9)}\n${JSON.stringify(prediction)}`, '9GB', [7e9, 9e9], true],
  ])('is %s', async (_, sizes, free, [low, high], fits) => {
    const project = projectWith({ 'sizes.txt': sizes });
    const { change } = await project.ci(['--base', 'main', '--sizes', 'sizes.txt', '--free', free]);
    expect(change.disk).toMatchObject({ moreBytes: { low, high }, fits, unknownIndexes: 0 });
    expect(change.indexes[0].disk.peakBytes).toEqual({ low: 2e9 + (low ?? 0), high: 2e9 + (high ?? 0) });
  });

  test.runIf(isLong)('is not mentioned where nothing is known of it', async () => {
    const project = projectWith({});
    expect((await project.ci()).change).not.toHaveProperty('disk');
    expect((await project.run(['ci', '--base', 'main'])).stdout).not.toContain('Disk space');
  });

  test('is unknown without sizes, and partly unknown for a new index', async () => {
    const project = projectWith({ 'stock.json': stock, 'sizes.txt': info('orders', 2e9, 1e9) });
    expect((await project.ci(['--base', 'main', '--free', '1GB'])).change.disk).toEqual({
      freeBytes: 1e9,
      unknownIndexes: 2,
    });
    const { change } = await project.ci(['--base', 'main', '--sizes', 'sizes.txt']);
    expect(change.disk).toMatchObject({ unknownIndexes: 1, fits: null });
  });

  test('is in the output of each format that has indexes', async () => {
    const project = projectWith({ 'sizes.txt': info('orders', 2e9, 1e9) });
    for (const format of ['text', 'markdown', 'html']) {
      const argv = ['ci', '--base', 'main', '--sizes', 'sizes.txt', '--free', '1GB', '--format', format];
      const output = (await project.run(argv)).stdout.replace(/\s+/g, ' ');
      expect(output, format).toContain('it does not fit');
      expect(output, format).toContain('old index 2.0 GB; takes 2.0 GB to 13.0 GB more during the deploy');
    }
  });

  test('takes the number of documents from the answer of the database', async () => {
    const database = JSON.stringify({ db_name: 'shop', doc_count: 5000, sizes: {} });
    const project = projectWith({ 'sizes.txt': `${info('orders', 2e9, 1e9)}\n${database}` });
    const { change } = await project.ci(['--base', 'main', '--sizes', 'sizes.txt', '--docs-per-second', '100']);
    expect(change.indexes[0].estimate).toMatchObject({ seconds: 50 });
  });

  test.each([
    [['--free', 'much'], 'invalid --free "much"'],
    [['--sizes', 'nowhere.json'], 'nowhere.json (--sizes) cannot be read'],
    [['--sizes', 'orders.json'], 'orders.json holds no sizes of indexes'],
  ])('refuses %j', async (argv, message) => {
    const { stderr, exitCode } = await projectWith({}).run(['ci', '--base', 'main', ...argv]);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });
});
