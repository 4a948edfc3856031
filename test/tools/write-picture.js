// `node test/tools/write-picture.js`: writes docs/finding.png, the finding of the HTML report that the README shows, with
// its counterexample. Needs Chromium.

import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openBrowser } from '../helpers/browser.js';
import { root } from '../helpers/run-cli.js';
import { runMain } from '../helpers/run-main.js';

/** Of the window: narrower than a screen, so that the letters are readable on the page of a repository. */
const WIDTH = 960;
/** The page is drawn with so many dots for a pixel. */
const SCALE = 1.5;

const folder = mkdtempSync(path.join(os.tmpdir(), 'couch-advisor-picture-'));
const browser = await openBrowser();
try {
  const file = path.join(folder, 'report.html');
  await runMain(['lint', 'fixtures/projects/shop/design-docs', '--format', 'html', '--output', file], { cwd: root });
  const page = await browser.newPage({ viewport: { width: WIDTH, height: 900 }, deviceScaleFactor: SCALE });
  await page.goto(`file://${file}`);
  // Parts that were never in sight have no place yet.
  await page.evaluate(
    "for (const part of document.querySelectorAll('.part, .finding')) part.style.contentVisibility = 'visible'",
  );
  const finding = page.locator('article[data-rule="reduce/ignores-rereduce"]');
  await finding.locator('.proof summary').click();
  const top = await finding.boundingBox();
  const end = await finding.locator('.proof .rows').boundingBox();
  if (!top || !end) throw new Error('the report has no such finding with a counterexample');
  const offset = /** @type {number} */ (await page.evaluate('scrollY'));
  const clip = { x: top.x, y: top.y + offset, width: top.width, height: end.y + end.height - top.y + 4 };
  await page.screenshot({ path: path.join(root, 'docs/finding.png'), clip, fullPage: true });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
