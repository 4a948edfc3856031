// Pictures as a browser draws them: no text cut off or over another, at all widths, light and dark, and nothing that the page complains about.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chart, section } from '../../../lib/reports/document/blocks.js';
import { isWithoutBrowser, openBrowser, openPage, WITHOUT_BROWSER } from '../../helpers/browser.js';
import { drawChart, renderHtmlDocument } from '../../helpers/internals.js';
import { createProject } from '../../helpers/temporary-project.js';

/** @import { Browser } from 'playwright-core' */

const batches = [1, 10, 100, 1000, 10_000];
const pictures = [
  chart('bars', {
    title: 'Reading every row: the view that emits null and reads documents is slower',
    axis: { label: 'time of 100,000 rows', unit: 's' },
    series: ['measured', 'published (CouchDB 1.6.1)'],
    rows: [
      { label: 'emit the document', values: [{ value: 1.2, low: 1, high: 1.5 }, { value: 5.8 }] },
      { label: 'emit null, include_docs=true', values: [{ value: 8, low: 7, high: 9 }, { value: 48.5 }] },
      { label: 'W'.repeat(60), values: [{ value: undefined }, { value: 12, text: '注文 12 s' }] },
    ],
  }),
  chart('lines', {
    title: 'File size by batch size',
    x: { label: 'documents in a batch', scale: 'log' },
    y: { label: 'file size', unit: 'MB', scale: 'log' },
    series: ['random', 'sequential', 'UUID 7', 'server-assigned'].map((name, at) => ({
      name,
      points: batches.map((x) => ({ x, y: 5000 / (x * (at + 1)) + 80, low: 4000 / x + 70, high: 6000 / x + 90 })),
    })),
  }),
  chart('intervals', {
    title: 'What each change would win',
    axis: { label: 'time before ÷ time after' },
    rows: [
      { label: 'built-in _sum in place of a reduce in JavaScript', estimate: 12.3, low: 11, high: 14 },
      { label: 'smaller batches', estimate: 0.98, low: 0.9, high: 1.06 },
    ],
  }),
  chart('histogram', {
    title: 'Times',
    axis: { label: 'time', unit: 'ms', scale: 'log' },
    values: Array.from({ length: 300 }, (_, at) => Math.exp(((at * 7919) % 997) / 250)),
  }),
  chart('flame', {
    title: 'Where the time goes',
    format: (/** @type {number} */ value) => `${value} ms`,
    kinds: ['function', 'line'],
    root: {
      name: 'orders/by_customer',
      value: 0,
      children: Array.from({ length: 30 }, (_, at) => ({
        name: `line ${at}`,
        value: at,
        kind: 'line',
        children: [],
      })),
    },
  }),
];

/** Runs in the page. @returns {string[]} what is wrong */
function findFaults() {
  const { document, innerWidth } = /** @type {any} */ (globalThis);
  const faults = [];
  if (document.documentElement.scrollWidth > innerWidth) faults.push('the page scrolls sideways');
  for (const svg of document.querySelectorAll('svg')) {
    const frame = svg.getBoundingClientRect();
    if (frame.width === 0) continue;
    const texts = [...svg.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
    for (const [at, [told, box]] of texts.entries()) {
      if (box.left < frame.left - 0.5 || box.right > frame.right + 0.5 || box.bottom > frame.bottom + 0.5) {
        faults.push(`cut off: ${told}`);
      }
      for (const [other, next] of texts.slice(at + 1)) {
        const isOver = box.left < next.right - 1 && next.left < box.right - 1;
        if (isOver && box.top < next.bottom - 4 && next.top < box.bottom - 4) faults.push(`over: ${told} / ${other}`);
      }
    }
  }
  return faults;
}

describe.skipIf(isWithoutBrowser)(`in a browser${WITHOUT_BROWSER}`, () => {
  /** @type {Browser} */
  let browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test.each([
    [320, 'light'],
    [480, 'dark'],
    [760, 'dark'],
    [1200, 'light'],
  ])('pages are whole at %d pixels, %s', async (width, colorScheme) => {
    const { cwd } = createProject();
    const file = path.join(cwd, 'page.html');
    const blocks = pictures.map((picture) => ({ ...picture, caption: 'A caption' }));
    writeFileSync(file, renderHtmlDocument({ title: 'Orders', blocks: [section('Pictures', ...blocks)] }));
    const scheme = /** @type {'light' | 'dark'} */ (colorScheme);
    const { page, complaints } = await openPage(browser, file, {
      viewport: { width, height: 900 },
      colorScheme: scheme,
    });
    expect(await page.evaluate(findFaults)).toEqual([]);
    const shown = await page.evaluate(() => {
      const { document } = /** @type {any} */ (globalThis);
      return [...document.querySelectorAll('svg')].filter((svg) => svg.getBoundingClientRect().width > 0).length;
    });
    expect(shown).toBe(pictures.length);
    expect(complaints).toEqual([]);
  });

  test.each([320, 720, 1200])('single pictures are whole at %d pixels', async (width) => {
    const { cwd } = createProject();
    const file = path.join(cwd, 'page.html');
    const body = pictures.map((picture, at) => drawChart(picture, { id: `p${at}`, width })).join('');
    writeFileSync(file, `<!doctype html><meta charset="utf-8"><body style="margin:0">${body}`);
    const { page, complaints } = await openPage(browser, file, { viewport: { width, height: 900 } });
    expect(await page.evaluate(findFaults)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
