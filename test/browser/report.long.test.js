// The HTML report in a real browser: it opens, filters, copies, prints, and can be used by keyboard and screen reader.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutBrowser, openBrowser, openPage, WITHOUT_BROWSER } from '../helpers/browser.js';
import { hostileProject, largeProject } from '../helpers/page-projects.js';
import { root } from '../helpers/run-cli.js';
import { runMain } from '../helpers/run-main.js';
import { createProject } from '../helpers/temporary-project.js';

/** @import { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core' */

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SHOP = path.join(root, 'fixtures/projects/shop');

/** A filter of 5,000 findings took 20 to 130 ms on a busy machine of two cores. */
const MAX_MS = 1000;

describe.skipIf(isWithoutBrowser)(`the HTML report in a browser${WITHOUT_BROWSER}`, () => {
  /** @type {Browser} */
  let browser;
  /** @type {string} */
  let folder;
  /** @type {string} */
  let shop;

  beforeAll(async () => {
    browser = await openBrowser();
    folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-page-'));
    shop = path.join(folder, 'shop.html');
    const { exitCode, stderr } = await runMain(['lint', '--format', 'html', '--output', shop], { cwd: SHOP });
    expect(exitCode, stderr).toBe(1);
  });

  afterAll(async () => {
    await browser?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /**
   * @param {BrowserContextOptions} [options]
   * @returns {Promise<Page>} the report of the shop; nothing was complained about while it opened
   */
  async function openShop(options) {
    const { page, complaints } = await openPage(browser, shop, options);
    expect(complaints).toEqual([]);
    return page;
  }

  /** @param {Page} page @returns {Promise<number>} */
  const countShown = (page) => page.locator('article.finding:visible').count();

  test('opens without a complaint of the browser and asks for nothing else', async () => {
    const page = await openShop();
    expect(await page.title()).toMatch(/^couch-advisor: \d+ errors/);
    const count = await page.locator('article.finding').count();
    expect(count).toBeGreaterThan(10);
    expect(await page.locator('#shown').textContent()).toBe(`${count} of ${count} findings`);
  });

  test('tells all without its script too, and shows no filters that could do nothing', async () => {
    const page = await openShop({ javaScriptEnabled: false });
    expect(await countShown(page)).toBeGreaterThan(10);
    expect(await page.locator('#filters').isVisible()).toBe(false);
  });

  test('filters by severity, rule, file and text, and says how many are left', async () => {
    const page = await openShop();
    const all = await countShown(page);
    const shown = page.locator('#shown');

    await page.getByRole('checkbox', { name: /^errors/ }).uncheck();
    await expect.poll(() => page.locator('article.error:visible').count()).toBe(0);
    const withoutErrors = await countShown(page);
    expect(withoutErrors).toBeLessThan(all);
    expect(await shown.textContent()).toBe(`${withoutErrors} of ${all} findings`);

    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => countShown(page)).toBe(all);

    await page.getByLabel('Rule').selectOption('security/vdu-breaks-writes');
    await expect.poll(() => countShown(page)).toBe(2);
    expect(await page.locator('section.part:visible h2').allTextContents()).toEqual(['_design/guard']);
    await page.getByRole('button', { name: 'Clear' }).click();

    await page.getByLabel('File').selectOption('couchdb/local.ini');
    await expect.poll(() => countShown(page)).toBe(2);
    await page.getByRole('button', { name: 'Clear' }).click();

    await page.getByRole('searchbox').fill('CORS origin');
    await expect.poll(() => countShown(page)).toBe(1);
    await page.getByRole('searchbox').fill('zebra');
    await expect.poll(() => countShown(page)).toBe(0);
    expect(await page.locator('#none').isVisible()).toBe(true);
    await page.getByRole('searchbox').press('Escape');
    await expect.poll(() => countShown(page)).toBe(all);
  });

  test('a link leads to its finding, also where that is filtered away', async () => {
    const page = await openShop();
    await page.getByRole('searchbox').fill('zebra');
    await expect.poll(() => countShown(page)).toBe(0);
    const link = page.locator('.ranking a').first();
    const target = (await link.getAttribute('href')) ?? '';
    await link.click();
    await expect.poll(() => page.locator(target).isVisible()).toBe(true);
    const box = await page.locator(target).boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(400);
  });

  test('copies a patch as git takes it, and says so', async () => {
    const page = await openShop({ permissions: ['clipboard-read', 'clipboard-write'] });
    const card = page.locator('article[data-rule="reduce/custom-sum"]');
    await card.locator('summary', { hasText: 'Fix:' }).click();
    await card.getByRole('button', { name: 'Copy patch' }).click();
    await expect.poll(() => card.locator('.patch button').textContent()).toBe('Copied');
    const patch = /** @type {string} */ (await page.evaluate('navigator.clipboard.readText()'));
    expect(patch.split('\n').slice(0, 2)).toEqual(['--- a/design-docs/app.json', '+++ b/design-docs/app.json']);
    const project = createProject({ 'design-docs/app.json': readFileSync(path.join(SHOP, 'design-docs/app.json')) });
    const { spawnSync } = await import('node:child_process');
    const applied = spawnSync('git', ['apply', '-'], { cwd: project.cwd, input: patch, encoding: 'utf8' });
    expect(applied.stderr).toBe('');
    expect(project.read('design-docs/app.json')).toContain('"reduce": "_sum"');
    expect(await page.getByRole('status').filter({ hasText: 'Copied' }).count()).toBe(1);
  });

  test('copies exactly what a page cannot hold: other line ends and what cannot be seen', async () => {
    const project = createProject();
    const map = 'function (doc) { emit(doc.date, null); }';
    const text = `{\r\n  "_id": "_design/orders",\r\n  "views": {\r\n    "a\u202e": { "map": "${map}", "reduce": "_sum;" }\r\n  }\r\n}\r\n`;
    project.write({ 'orders.json': text });
    const { stdout } = await project.run(['lint', '--fix-dry-run']);
    await project.run(['lint', '--format', 'html=page.html']);
    const file = path.join(project.cwd, 'page.html');
    const { page } = await openPage(browser, file, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.locator('summary', { hasText: 'Fix:' }).click();
    await page.getByRole('button', { name: 'Copy patch' }).click();
    await expect.poll(() => page.locator('.patch button').textContent()).toBe('Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(stdout);
  });

  test('can be used by keyboard alone', async () => {
    const page = await openShop();
    const focused = () => page.evaluate('document.activeElement.textContent.trim()');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to findings');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('findings');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
    const isOpen = () => page.evaluate('document.activeElement.parentElement.open');
    const before = await isOpen();
    await page.keyboard.press('Enter');
    expect(await isOpen()).toBe(!before);

    await page.getByRole('checkbox', { name: /^infos/ }).focus();
    await page.keyboard.press('Space');
    await expect.poll(() => page.locator('article.info:visible').count()).toBe(0);
    // Whatever has the focus can be seen to have it.
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
  });

  test('prints all that is folded up, without filters, in light colors', async () => {
    const page = await openShop({ colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#filters').isVisible()).toBe(false);
    expect(await page.locator('nav').isVisible()).toBe(false);
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(28, 35, 48)');
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator('details:not([open])').count()).toBe(0);
    expect((await page.pdf()).length).toBeGreaterThan(50_000);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await page.locator('details:not([open])').count()).toBeGreaterThan(0);
  });

  /** @returns {Promise<{page: Page, button: Locator, search: Locator}>} the report of the shop as wide as a phone */
  async function openOnPhone() {
    const page = await openShop({ viewport: { width: 390, height: 800 } });
    return { page, button: page.getByRole('button', { name: /^Filters/ }), search: page.getByRole('searchbox') };
  }

  test('on a phone the filters are folded up behind one button, which says whether they are and counts those in use', async () => {
    const { page, button, search } = await openOnPhone();
    expect(await search.isVisible()).toBe(false);
    expect(await button.getAttribute('aria-expanded')).toBe('false');
    expect(await page.locator(`#${await button.getAttribute('aria-controls')}`).count()).toBe(1);
    expect(await button.textContent()).toBe('Filters');
    const bar = await page.locator('#filters').boundingBox();
    expect(bar?.height).toBeLessThan(60);

    await button.click();
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await search.fill('doc');
    await page.getByRole('checkbox', { name: /^infos/ }).uncheck();
    await page.getByRole('checkbox', { name: /^warnings/ }).uncheck();
    await expect.poll(() => button.textContent()).toBe('Filters2 active');
    await page.getByLabel('Rule').selectOption('reduce/ignores-rereduce');
    await page.getByLabel('File').selectOption('design-docs/stock.json');
    await expect.poll(() => button.textContent()).toBe('Filters4 active');

    await button.click();
    expect(await search.isVisible()).toBe(false);
    expect(await button.textContent()).toBe('Filters4 active');
    expect(await page.locator('#shown').textContent()).toMatch(/^1 of /);
    await button.click();
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => button.textContent()).toBe('Filters');
  });

  test('on a phone the filters open and close by keyboard, and are no stop while they are folded up', async () => {
    const { page, button, search } = await openOnPhone();
    const focused = () => page.evaluate('document.activeElement.id');
    await button.focus();
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.activeElement.closest('#filters')")).toBeNull();
    await button.focus();
    await page.keyboard.press('Enter');
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    expect(await focused()).toBe('fold');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('text');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Space');
    expect(await button.getAttribute('aria-expanded')).toBe('false');
    expect(await search.isVisible()).toBe(false);
  });

  test('on a phone open filters do not cover what a link leads to', async () => {
    const { page, button } = await openOnPhone();
    const link = page.locator('.ranking a').first();
    const target = page.locator((await link.getAttribute('href')) ?? '');
    await button.click();
    await link.click();
    await expect.poll(() => button.getAttribute('aria-expanded')).toBe('false');
    const bar = await page.locator('#filters').boundingBox();
    await expect.poll(async () => (await target.boundingBox())?.y).toBeLessThan(400);
    expect((await target.boundingBox())?.y).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
  });

  test('on a wide page there is nothing to fold', async () => {
    const page = await openShop();
    expect(await page.getByRole('button', { name: /^Filters/ }).count()).toBe(0);
    expect(await page.getByRole('searchbox').isVisible()).toBe(true);
  });

  test('where no finding matches, the filters can be cleared right there', async () => {
    const { page, button, search } = await openOnPhone();
    const all = await countShown(page);
    await button.click();
    await search.fill('zebra');
    await expect.poll(() => countShown(page)).toBe(0);
    await button.click();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => countShown(page)).toBe(all);
    expect(await button.textContent()).toBe('Filters');
  });

  test('the underline of a link runs through the code in it', async () => {
    const page = await openShop();
    const look = await page.evaluate(`(() => {
      const { paddingLeft, paddingRight, backgroundColor } = getComputedStyle(document.querySelector('.ranking a code'));
      return [paddingLeft, paddingRight, backgroundColor];
    })()`);
    expect(look).toEqual(['0px', '0px', 'rgba(0, 0, 0, 0)']);
  });

  test('is as wide as a phone', async () => {
    const page = await openShop({ viewport: { width: 390, height: 800 } });
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('uses the theme of the system, or the one that is chosen', async () => {
    const page = await openShop({ colorScheme: 'dark' });
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const dark = await ground();
    await page.getByLabel('Theme').selectOption('light');
    const light = await ground();
    expect(light).not.toBe(dark);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByLabel('Theme').selectOption('');
    expect(await ground()).toBe(light);
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ])('breaks no rule of axe in %s colors at %i pixels', async (scheme, width) => {
    const colorScheme = scheme === 'dark' ? 'dark' : 'light';
    const page = await openShop({ colorScheme, viewport: { width, height: 900 } });
    if (width === 390) await page.getByRole('button', { name: /^Filters/ }).click();
    // It is in every finding: none is hidden, and a filter is active.
    await page.getByRole('searchbox').fill('how this was decided');
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
    // axe looks for what covers what, and parts that were never in sight have no place yet.
    await page.evaluate(
      "for (const part of document.querySelectorAll('.part, .finding')) part.style.contentVisibility = 'visible'",
    );
    await page.evaluate(AXE);
    const violations = await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 5).map(({ html }) => html.slice(0, 150)).join(' | ')))`);
    expect(violations).toEqual([]);
  });

  test('hostile names are text: nothing of them runs, loads or becomes part of the page', async () => {
    const project = createProject({ ...hostileProject() });
    await project.run(['lint', '--format', 'html=page.html']);
    const { page, complaints } = await openPage(browser, path.join(project.cwd, 'page.html'));
    expect(complaints).toEqual([]);
    expect(await page.evaluate('window.isOpen')).toBeUndefined();
    expect(await page.locator('img, iframe, object, embed, base, link').count()).toBe(0);
    expect(await page.locator('h2').allTextContents()).toContain('_design/</script><script>window.isOpen = 1</script>');
    expect(await countShown(page)).toBeGreaterThan(10);
    const file = 'ddocs/<b>orders</b> & "stock".json';
    await page.getByLabel('File').selectOption(file);
    await expect.poll(() => page.locator('#shown').textContent()).not.toMatch(/^0 /);
  });

  test('5,000 findings stay smooth: a filter does not lay out what is out of sight', async () => {
    const project = createProject(largeProject(250));
    const rules = ['--rule', 'view/emit-whole-doc', '--rule', 'reduce/unknown-builtin'];
    await project.run(['lint', '--format', 'html=page.html', ...rules]);
    const { page, complaints } = await openPage(browser, path.join(project.cwd, 'page.html'));
    expect(complaints).toEqual([]);
    expect(await page.locator('#shown').textContent()).toBe('5000 of 5000 findings');
    const frame = 'await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));';
    /** @param {string} code @returns {Promise<number>} milliseconds until the page is painted, the median of five */
    const time = async (code) => {
      const times = await page.evaluate(`(async () => {
        const times = [];
        for (let run = 0; run < 5; run += 1) {
          ${frame}
          const start = performance.now();
          ${code}
          document.body.offsetHeight;
          times.push(performance.now() - start);
        }
        return times;
      })()`);
      return /** @type {number[]} */ (times).sort((one, other) => one - other)[2] ?? 0;
    };
    const filter = `
      const box = document.querySelectorAll('[name=severity]')[run % 3];
      box.checked = !box.checked;
      document.getElementById('filters').dispatchEvent(new Event('input'));
      ${frame}`;
    const filtering = await time(filter);
    await page.evaluate(
      "for (const part of document.querySelectorAll('.part, .finding')) part.style.contentVisibility = 'visible'",
    );
    const layingOutAll = await time(filter);
    expect(filtering, `${filtering} ms, and ${layingOutAll} ms where all is laid out`).toBeLessThan(layingOutAll);
    expect(filtering).toBeLessThan(MAX_MS);
  });
});
