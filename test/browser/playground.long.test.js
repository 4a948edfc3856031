// The playground in a real browser: it finds what the command line finds, sends nothing, and can be used by keyboard and screen reader.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutBrowser, openBrowser, openPage, WITHOUT_BROWSER } from '../helpers/browser.js';
import { hostileProject } from '../helpers/page-projects.js';
import { root } from '../helpers/run-cli.js';
import { createProject } from '../helpers/temporary-project.js';

/** @import { Browser, BrowserContextOptions, Page } from 'playwright-core' */

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Proofs run in a thread of the page, on a machine that may be busy. */
const PATIENT = { timeout: 50_000 };

const ORDERS = `{
  "_id": "_design/orders",
  "views": {
    "by_day": {
      "map": "function (doc) { if (doc.day && typeof doc.total === 'number') emit(doc.day, doc.total); }",
      "reduce": "function (keys, values, rereduce) { return sum(values); }"
    }
  }
}
`;

describe.skipIf(isWithoutBrowser)(`the playground${WITHOUT_BROWSER}`, () => {
  /** @type {Browser} */
  let browser;
  /** @type {string} */
  let folder;
  /** @type {string} */
  let file;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-playground-'));
    file = path.join(folder, 'index.html');
    execFileSync(process.execPath, [path.join(root, 'test/tools/write-playground.js'), file], { cwd: root });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /**
   * @param {BrowserContextOptions} [options]
   * @param {string} [fragment] with its `#`
   * @returns {Promise<{page: Page, requests: string[], complaints: string[]}>} `requests`: all but the page and the threads that it makes
   */
  async function openPlayground(options, fragment = '') {
    const { page, complaints } = await openPage(browser, file, options, fragment);
    const isRequest = (/** @type {string} */ line) => line.startsWith('request:');
    return {
      page,
      get requests() {
        return complaints.filter((line) => isRequest(line) && !line.startsWith('request: blob:'));
      },
      get complaints() {
        return complaints.filter((line) => !isRequest(line));
      },
    };
  }

  /** @param {Page} page @returns {Promise<string>} what it says when it is done */
  async function statusOf(page) {
    const status = page.getByRole('status');
    await expect.poll(() => status.textContent(), PATIENT).not.toMatch(/^(?:Linting …)?$/);
    return (await status.textContent()) ?? '';
  }

  /** @param {Page} page @returns {Promise<string>} what it says in the end */
  async function lint(page) {
    await page.getByRole('button', { name: 'Lint', exact: true }).click();
    return statusOf(page);
  }

  /** @param {Page} page @returns {Promise<string[]>} rule, place and key of each finding, sorted */
  async function findingsOf(page) {
    const found = await page.evaluate(`[...document.querySelectorAll('article.finding')].map((card) =>
      [card.dataset.rule, card.querySelector('.facts .place').textContent, card.querySelector('.key').textContent].join(' '))`);
    return /** @type {string[]} */ (found).sort();
  }

  /** @param {string} document @param {string} log what the command line says of the same */
  async function lintByCommand(document, log) {
    const project = createProject({ ...(document && { document }), ...(log && { log }) });
    const report = await project.lint([...(document && ['document']), ...(log && ['--log', 'log']), '--no-config']);
    const findings = report.findings.map(
      ({ rule, place, key }) => `${rule} ${place.file}:${place.line}:${place.column} ${key}`,
    );
    return { findings: findings.sort(), errors: report.errors };
  }

  test('every example gives what the command line gives, and nothing is requested', async () => {
    const playground = await openPlayground();
    const { page } = playground;
    const examples = await page.locator('#examples button').allTextContents();
    expect(examples.length).toBeGreaterThan(2);
    /** @type {string[]} */
    const all = [];
    for (const example of examples) {
      await page.getByRole('button', { name: example, exact: true }).click();
      const said = await statusOf(page);
      const document = await page.locator('#document').inputValue();
      const { findings, errors } = await lintByCommand(document, await page.locator('#log').inputValue());
      expect(await findingsOf(page), `${example}: ${said}`).toEqual(findings);
      expect(errors).toEqual([]);
      expect(await page.locator('.unread').count()).toBe(0);
      expect(findings.length).toBeGreaterThan(0);
      all.push(...findings);
    }
    // Proofs, logs and configuration are among them.
    for (const rule of ['reduce/custom-sum', 'view/include-docs-hot', 'config/uuid-algorithm']) {
      expect(
        all.some((finding) => finding.startsWith(rule)),
        rule,
      ).toBe(true);
    }
    expect(playground.requests).toEqual([]);
    expect(playground.complaints).toEqual([]);
  });

  test.each([
    ['a log alone', '', 'log'],
    [
      'a document without a problem',
      '{"_id": "_design/a", "views": {"by_day": {"map": "function (doc) { if (doc.day) emit(doc.day, null); }"}}}',
      '',
    ],
    ['JSON that is cut short', '{\n  "_id": "_design/orders",\n  "views": {', ''],
    [
      'a function that does not parse',
      '{"_id": "_design/a", "views": {"b": {"map": "function (doc) { emit(doc.day, }"}}}',
      '',
    ],
    [
      'a module',
      "module.exports = {\n  _id: '_design/a',\n  views: { b: { map: function (doc) { emit(doc.day, doc); } } },\n};\n",
      '',
    ],
    [
      'a Mango index',
      '{"index": {"fields": ["day"], "partial_filter_selector": {"type": "order"}}, "type": "json", "name": "by_day"}',
      '',
    ],
    ['something else', 'orders of the day\n', ''],
    ['a log that is none', '', 'orders of the day\n'],
  ])('%s gives what the command line gives', async (_, document, given) => {
    const log =
      given === 'log' ? readFileSync(path.join(root, 'fixtures/projects/shop/logs/couch.log'), 'utf8') : given;
    const { page } = await openPlayground();
    await page.getByLabel('Design document').fill(document);
    await page.getByLabel('Query log').fill(log);
    const said = await lint(page);
    const { findings, errors } = await lintByCommand(document, log);
    expect(await findingsOf(page), said).toEqual(findings);
    const unread = await page.locator('.unread li').allTextContents();
    expect(unread.length).toBe(errors.length);
    for (const [at, { message, place }] of errors.entries()) {
      expect(unread[at]).toContain(message.replaceAll('`', ''));
      if (place) expect(unread[at]).toContain(`${place.file}:${place.line}:${place.column}`);
    }
  });

  test('a function that never ends is stopped', async () => {
    const { page } = await openPlayground();
    await page.getByLabel('Design document').fill(ORDERS.replace('return sum(values)', 'for (;;) {}'));
    expect(await lint(page)).toMatch(/in 1 design document/);
  });

  test('a fix is shown as a patch, and applied', async () => {
    const { page } = await openPlayground();
    await page.getByLabel('Design document').fill(ORDERS);
    await lint(page);
    const card = page.locator('article[data-rule="reduce/custom-sum"]');
    await card.locator('summary', { hasText: 'Fix:' }).click();
    expect(await card.locator('.patch .added').textContent()).toContain('"reduce": "_sum"');
    await card.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => card.count(), PATIENT).toBe(0);
    const text = await page.getByLabel('Design document').inputValue();
    expect(JSON.parse(text).views.by_day.reduce).toBe('_sum');
    expect(text.split('\n').length).toBe(ORDERS.split('\n').length);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('result');
  });

  test('a changed text has no fixes to apply until it is linted again', async () => {
    const { page } = await openPlayground();
    await page.getByLabel('Design document').fill(ORDERS);
    await lint(page);
    expect(await page.locator('#result button:enabled').count()).toBeGreaterThan(0);
    await page.getByLabel('Design document').press('End');
    await page.keyboard.type(' ');
    expect(await page.locator('#result button:enabled').count()).toBe(0);
    expect(await page.getByRole('status').textContent()).toMatch(/changed/);
    await lint(page);
    expect(await page.locator('#result button:enabled').count()).toBeGreaterThan(0);
  });

  test('a link brings the texts and the version, and is part of the address only', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page } = await openPlayground({ permissions });
    await page.getByLabel('Design document').fill(`${ORDERS}\n// \u{1f4e6} bestellt für Müller\n`);
    await page.getByLabel('Query log').fill('no request');
    await page.getByLabel('for CouchDB').selectOption('3.3.3');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Link copied.');
    const address = /** @type {string} */ (await page.evaluate('navigator.clipboard.readText()'));
    expect(address).toBe(page.url());
    const [before, fragment] = address.split('#');
    expect(before).toBe(`file://${file}`);
    expect(fragment).toMatch(/^text=[\w-]+$/);

    const other = await openPlayground({}, `#${fragment}`);
    await statusOf(other.page);
    for (const label of ['Design document', 'Query log', 'for CouchDB']) {
      expect(await other.page.getByLabel(label).inputValue()).toBe(await page.getByLabel(label).inputValue());
    }
    expect(other.requests).toEqual([]);
  });

  test.each([
    ['is damaged', '#text=AAAA', /it is damaged/],
    ['holds something else', `#text=${deflateRawSync('null').toString('base64url')}`, /it is damaged/],
    [
      'unpacks to too much',
      `#text=${deflateRawSync(Buffer.alloc(9_000_000, 32)).toString('base64url')}`,
      /longer than 8 MB/,
    ],
  ])('a link that %s is an error', async (_, fragment, said) => {
    const { page } = await openPlayground({}, fragment);
    expect(await statusOf(page)).toMatch(said);
    expect(await page.getByLabel('Design document').inputValue()).toBe('');
  });

  test('its policy lets it load and send nothing, also from a thread', async () => {
    const { page } = await openPlayground();
    const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
    const hash = "'sha256-[A-Za-z0-9+/]{43}='";
    expect(policy).toMatch(
      new RegExp(
        `^default-src 'none'; script-src ${hash} 'wasm-unsafe-eval'; style-src ${hash}; worker-src blob:; base-uri 'none'; form-action 'none'$`,
      ),
    );
    const attempt = `
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => done(effectiveDirective));
      fetch('http://127.0.0.1:9/').then(() => done('sent'), () => setTimeout(() => done('failed'), 1000));`;
    expect(await page.evaluate(`new Promise((done) => { ${attempt} })`)).toBe('connect-src');
    const thread = `const done = (what) => postMessage(what); ${attempt}`;
    const inThread = `new Promise((done) => {
      const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(thread)}])));
      worker.onmessage = ({ data }) => done(data);
    })`;
    expect(await page.evaluate(inThread)).toBe('connect-src');
  });

  test('hostile texts stay texts', async () => {
    const playground = await openPlayground();
    const [document = ''] = Object.values(hostileProject()).map(String);
    await playground.page.getByLabel('Design document').fill(document);
    await lint(playground.page);
    expect((await findingsOf(playground.page)).length).toBeGreaterThan(5);
    expect(await playground.page.evaluate('window.isOpen')).toBeUndefined();
    expect(await playground.page.locator('img, iframe, object, embed, base, link').count()).toBe(0);
    expect(playground.complaints).toEqual([]);
  });

  test('can be used by keyboard alone', async () => {
    const { page } = await openPlayground();
    const focused = (/** @type {string} */ property) => page.evaluate(`document.activeElement.${property}`);
    await page.keyboard.press('Tab');
    expect(await focused('textContent')).toBe('Skip to findings');
    await page.keyboard.press('Enter');
    expect(await focused('id')).toBe('result');
    expect(new URL(page.url()).hash).toBe('');

    await page.getByLabel('Design document').focus();
    await page.keyboard.insertText(ORDERS);
    await page.keyboard.press('Control+Enter');
    expect(await statusOf(page)).toMatch(/^\d+ (?:error|warning|info)/);
    await page.keyboard.press('Tab');
    expect(await focused('id')).toBe('log');

    const shows = page
      .locator('article[data-rule="reduce/custom-sum"]')
      .getByRole('button', { name: 'Show in the text' });
    await shows.focus();
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await page.keyboard.press('Enter');
    expect(await focused('id')).toBe('document');
    expect(await page.evaluate('getSelection().toString()')).toContain('return sum(values);');
  });

  test('nothing pasted is no report', async () => {
    const { page } = await openPlayground();
    expect(await lint(page)).toBe('Paste a design document or a log first.');
  });

  test('takes the colors of the system, or those that are chosen', async () => {
    const { page } = await openPlayground({ colorScheme: 'dark' });
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const dark = await ground();
    await page.getByLabel('Theme').selectOption('light');
    expect(await ground()).not.toBe(dark);
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ])('breaks no rule of axe in %s colors at %i pixels', async (scheme, width) => {
    const colorScheme = scheme === 'dark' ? 'dark' : 'light';
    const { page } = await openPlayground({ colorScheme, viewport: { width, height: 900 } });
    await page.getByRole('button', { name: 'Views and reduces with a log' }).click();
    await statusOf(page);
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
    // axe looks for what covers what, and parts that were never in sight have no place yet.
    await page.evaluate(
      "for (const part of document.querySelectorAll('.part, .finding')) part.style.contentVisibility = 'visible'",
    );
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.evaluate(AXE);
    const violations = await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 5).map(({ html }) => html.slice(0, 150)).join(' | ')))`);
    expect(violations).toEqual([]);
  });

  test('names the licenses of what is in it', async () => {
    const { page } = await openPlayground();
    const text = (await page.locator('footer pre').textContent()) ?? '';
    for (const name of ['acorn', 'quickjs-emscripten-core', 'jsonc-parser']) expect(text).toContain(`${name} `);
    expect(text).not.toContain('undefined');
  });
});
