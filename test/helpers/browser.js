// Drives Debian's Chromium by playwright-core. Tests that need it skip where there is none, but fail where .ci/run
// could install it.

import { existsSync } from 'node:fs';
import process from 'node:process';
import { chromium } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** @import { Browser, BrowserContextOptions, Page } from 'playwright-core' */

const PATHS = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'];

/** Where it is; undefined where there is none. */
export const browserPath = PATHS.find((path) => path !== undefined && existsSync(path));

/** Whether tests in a browser are to be left out. */
export const isWithoutBrowser = browserPath === undefined && process.env['TEST_TOOLS_NEEDED'] !== 'true';

/** What a skipped test is called. */
export const WITHOUT_BROWSER = isWithoutBrowser ? ' (skipped: no Chromium here; apt-get install chromium)' : '';

/** @returns {Promise<Browser>} */
export function openBrowser() {
  if (browserPath === undefined) throw new Error('CI has no Chromium: apt-get install chromium');
  // Chromium has no sandbox for root, and containers often run as root.
  return chromium.launch({ executablePath: browserPath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

/**
 * @param {Browser} browser
 * @param {string} file absolute
 * @param {BrowserContextOptions} [options]
 * @param {string} [fragment] of the address, with its `#`
 * @returns {Promise<{page: Page, complaints: string[]}>} `complaints`: all that the browser complains about while the page is open, and all
 *   that the page requests besides itself
 */
export async function openPage(browser, file, options = {}, fragment = '') {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== `file://${file}`) complaints.push(`request: ${request.url().slice(0, 100)}`);
  });
  await page.goto(`file://${file}${fragment}`);
  return { page, complaints };
}
