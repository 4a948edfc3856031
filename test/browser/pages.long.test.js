// The pages of `bench`, `predict`, `profile`, `digest` and `advise` in a real browser: nothing of them is wider than a phone but their
// tables, which scroll for themselves, by keyboard too.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeEnvironment } from '../../lib/measure/experiments/environment.js';
import { benchDocument } from '../../lib/reports/bench.js';
import { digestDocument } from '../../lib/reports/digest.js';
import { renderHtml } from '../../lib/reports/html/page.js';
import { isWithoutBrowser, openBrowser, openPage, WITHOUT_BROWSER } from '../helpers/browser.js';
import { burstyLines } from '../helpers/bursty-traffic.js';
import { renderHtmlDocument } from '../helpers/internals.js';
import { readKept } from '../helpers/measurements-page.js';
import { HOSTILE_NAMES } from '../helpers/page-projects.js';
import { root } from '../helpers/run-cli.js';
import { runMain } from '../helpers/run-main.js';
import { emptyPlan, planPage, planWithText, shopPlan, unknownPlan } from '../helpers/sample-plan.js';
import { shopReport } from '../helpers/sample-report.js';

/** @import { Browser } from 'playwright-core' */

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SHOP = path.join(root, 'fixtures/projects/shop');
/** Pages of plans, by name. @type {Record<string, string>} */
const PLANS = {
  plan: planPage(shopPlan()),
  'plan empty': planPage(emptyPlan()),
  'plan unknown': planPage(unknownPlan()),
  'plan hostile': planPage(planWithText('</script><img src=x onerror="window.isOpen = 1">'.repeat(4))),
  'plan section': renderHtml({ ...shopReport(), plan: shopPlan() }),
};
const PAGES = [...readKept().keys()].map((name) => `bench ${name}`).concat('predict', 'profile', 'digest', 'compare');

describe.skipIf(isWithoutBrowser)(`pages of measurements in a browser${WITHOUT_BROWSER}`, () => {
  /** @type {Browser} */
  let browser;
  /** @type {string} */
  let folder;

  beforeAll(async () => {
    browser = await openBrowser();
    folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-pages-'));
    for (const [name, kept] of readKept()) {
      const environment = describeEnvironment(kept.environment);
      writeFileSync(fileOf(`bench ${name}`), renderHtmlDocument(benchDocument({ ...kept, samples: [] }, environment)));
    }
    for (const [name, page] of Object.entries(PLANS)) writeFileSync(fileOf(name), page);
    const docs = ['--docs', 'loads/orders.jsonl'];
    const views = ['--view', 'app/totals', '--view', 'app/by_date'];
    const runs = [
      ['predict', ...docs, '--batch', '100,1', '--output', fileOf('predict')],
      ['profile', 'design-docs', ...docs, ...views, '--budget', '1', '--output', fileOf('profile')],
    ];
    const factors = { 1: { ms: 3 }, 0: { perMinute: 3 } };
    for (const [name, lines] of Object.entries({
      monday: burstyLines('monday'),
      tuesday: burstyLines('tuesday', { day: 1, factors }),
    })) {
      writeFileSync(path.join(folder, `${name}.log`), `${lines.join('\n')}\n`);
    }
    const logs = ['monday.log', 'tuesday.log'].map((name) => path.join(folder, name));
    for (const name of ['digest', 'compare']) {
      const argv = name === 'digest' ? logs.slice(0, 1) : ['--compare', ...logs];
      const { exitCode, stdout, stderr } = await runMain(['digest', ...argv, '--format', 'html'], { cwd: SHOP });
      expect(exitCode, stderr).toBe(0);
      writeFileSync(fileOf(name), stdout);
    }
    for (const argv of runs) {
      const { exitCode, stderr } = await runMain(argv, { cwd: SHOP });
      expect(exitCode, stderr).toBe(0);
    }
  });

  afterAll(async () => {
    await browser?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** @param {string} name @returns {string} */
  const fileOf = (name) => path.join(folder, `${name.replace(' ', '-')}.html`);

  test.each(PAGES)('%s is as wide as a phone, and its tables scroll for themselves', async (name) => {
    const { page, complaints } = await openPage(browser, fileOf(name), { viewport: { width: 390, height: 844 } });
    expect(complaints).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const boxes = /** @type {{isWider: boolean, scrolls: boolean, captionEnds: number}[]} */ (
      await page.evaluate(`[...document.querySelectorAll('table')].map((table) => {
        const box = table.parentElement;
        box.scrollLeft = 1;
        return {
          isWider: box.scrollWidth > box.clientWidth,
          scrolls: box.scrollLeft > 0,
          captionEnds: table.querySelector('caption span')?.getBoundingClientRect().right ?? 0,
        };
      })`)
    );
    expect(boxes.length).toBeGreaterThan(0);
    expect(boxes.some(({ isWider }) => isWider)).toBe(true);
    for (const { isWider, scrolls, captionEnds } of boxes) {
      expect(scrolls).toBe(isWider);
      expect(captionEnds).toBeLessThanOrEqual(390);
    }
  });

  test.each(Object.keys(PLANS))('%s is as wide as its window and complains of nothing', async (name) => {
    for (const width of [1280, 390]) {
      const { page, complaints } = await openPage(browser, fileOf(name), { viewport: { width, height: 844 } });
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
      expect(complaints).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await page.evaluate('window.isOpen')).toBeUndefined();
      expect(await page.locator('#plan h2').textContent()).toBe('Plan of changes');
    }
  });

  test('a link of the table of a plan leads to the step', async () => {
    const { page } = await openPage(browser, fileOf('plan'), { viewport: { width: 390, height: 844 } });
    await page.locator('#plan .scroll a').last().click();
    await expect.poll(async () => (await page.locator('#plan-3').boundingBox())?.y).toBeLessThan(844);
  });

  test('a table scrolls by keyboard', async () => {
    const file = fileOf('bench include-docs');
    const { page } = await openPage(browser, file, { viewport: { width: 390, height: 844 } });
    const table = page.getByRole('region', { name: /^table \d+: Time to read rows/ });
    await table.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.evaluate('document.activeElement.scrollLeft')).toBeGreaterThan(0);
  });

  test.each([
    ['light', 1280],
    ['dark', 390],
  ])('breaks no rule of axe in %s colors at %i pixels', async (scheme, width) => {
    const colorScheme = scheme === 'dark' ? 'dark' : 'light';
    for (const name of ['bench index-build', 'predict', 'profile', 'digest', 'compare', ...Object.keys(PLANS)]) {
      const { page } = await openPage(browser, fileOf(name), { colorScheme, viewport: { width, height: 900 } });
      await page.evaluate(AXE);
      const violations =
        await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 5).map(({ html }) => html.slice(0, 150)).join(' | ')))`);
      expect(violations, name).toEqual([]);
    }
  });

  describe('ten thousand query patterns', () => {
    const COUNT = 10_000;

    /** @returns {Promise<import('playwright-core').Page>} */
    const openLarge = async (options = {}) => {
      const file = fileOf('large');
      writeFileSync(file, renderHtmlDocument(digestDocument(largeDigest(COUNT))));
      const { page, complaints } = await openPage(browser, file, options);
      expect(complaints).toEqual([]);
      return page;
    };
    const names = (/** @type {import('playwright-core').Page} */ page) =>
      page.locator('#rows tbody th').allTextContents();

    test('are a page of few elements, which grow by steps', async () => {
      const page = await openLarge();
      expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(4000);
      expect(await page.locator('#shown').textContent()).toBe('100 of 10000 query patterns');
      await page.getByRole('button', { name: 'Show 100 more' }).click();
      expect(await page.locator('#rows tbody tr').count()).toBe(200);
    });

    test('can be searched, and sorted by each column in both directions, by keyboard too', async () => {
      const page = await openLarge();
      await page.getByRole('searchbox').fill('VIEW_12 9');
      await expect.poll(() => page.locator('#shown').textContent()).toMatch(/ matching, of 10000 query patterns$/);
      for (const name of await names(page)) expect(name).toMatch(/view_12.*9|9.*view_12/);
      await page.getByRole('searchbox').fill('no such view');
      await expect.poll(() => names(page)).toEqual([]);
      await page.getByRole('searchbox').fill('');

      const calls = page.getByRole('button', { name: 'calls' });
      await calls.focus();
      await page.keyboard.press('Enter');
      expect((await names(page))[0]).toContain(`view_${COUNT - 1}`);
      expect(await page.locator('th[aria-sort="descending"]').textContent()).toBe('calls');
      await page.keyboard.press('Enter');
      expect((await names(page))[0]).toMatch(/view_0$/);
    });

    test('show the first of them without the script', async () => {
      const page = await openLarge({ javaScriptEnabled: false });
      expect((await names(page)).length).toBe(25);
      expect(await page.locator('#filter').isVisible()).toBe(false);
    });

    test('stay text, whatever they are called', async () => {
      const digest = largeDigest(HOSTILE_NAMES.length);
      for (const [at, shape] of digest.shapes.entries()) shape.view = HOSTILE_NAMES[at] ?? '';
      writeFileSync(fileOf('hostile'), renderHtmlDocument(digestDocument(digest)));
      const { page, complaints } = await openPage(browser, fileOf('hostile'));
      expect(complaints).toEqual([]);
      expect(await page.evaluate('window.isOpen')).toBeUndefined();
      expect((await names(page)).length).toBe(HOSTILE_NAMES.length);
      expect(await page.locator('#rows img, #rows tbody script').count()).toBe(0);
    });
  });
});

/**
 * @param {number} count
 * @returns {import('../../lib/reports/digest.js').ReportedDigest} of so many query patterns
 */
function largeDigest(count) {
  const shapes = Array.from({ length: count }, (_, at) => ({
    method: 'GET',
    database: 'shop',
    endpoint: '_view',
    designDoc: `_design/app${at % 40}`,
    view: `view_${at}`,
    parameters: [],
    count: at + 1,
    statuses: { 200: at + 1 },
    latencyMs: { p50: 1 + (at % 97), p95: 9 + (at % 89), p99: 12, max: 30, mean: 7, total: 5 * at },
    ratePerMinute: { mean: at / 60, peak: at, peakMinutes: 1 },
    share: 1 / count,
    examples: [],
  }));
  const lines = { read: count, requests: count, other: 0, malformed: 0 };
  const empty = { databases: [], indexBuilds: [], queryServers: [], problems: [] };
  return { from: null, to: null, lines, shareOf: 'time', folded: true, coarseness: 0, shapes, ...empty };
}
