import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hostileProject } from '../helpers/page-projects.js';
import { wordFaults } from '../helpers/plain-words.js';
import fc from '../helpers/property.js';
import {
  hostileReport,
  makeFinding,
  makeReport,
  placeOf,
  RAW_CONTROL,
  reportAs,
  shopReport,
  stockFile,
} from '../helpers/sample-report.js';
import { createProject } from '../helpers/temporary-project.js';

const renderHtml = reportAs('html');

/** All that the page is made of. What is not here can only have come from the input. */
const ELEMENTS =
  'a|article|b|body|br|button|code|details|div|fieldset|figure|footer|form|h1|h2|h3|head|header|html|input|label|legend|li|main|mark|meta|nav|ol|option|output|p|pre|script|section|select|span|style|summary|svg|table|tbody|td|th|thead|time|title|tr|ul|wbr|circle|desc|g|line|path|polyline|rect|text|tspan';
const TAG = new RegExp(`^</?(?:${ELEMENTS})(?: [a-zA-Z][\\w:-]*(?:="[^"<>]*")?)*/?>$`);

/**
 * @param {string} page
 * @returns {string} without script and style, which are ours
 */
function withoutAssets(page) {
  return page
    .replace('<!doctype html>', '')
    .replace(/<style>[^<]*<\/style>/, '')
    .replace(/<script type="module">[\s\S]*<\/script>\n<\/body>/, '</body>');
}

/**
 * @param {string} page
 * @returns {string[]} whatever stands between angle brackets
 */
function tagsIn(page) {
  return withoutAssets(page).match(/<[^>]*>?/g) ?? [];
}

/**
 * @param {string} page
 * @returns {string} as people read it
 */
function textOf(page) {
  return withoutAssets(page)
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

describe('the page of a shop', async () => {
  const page = await renderHtml(shopReport());

  test('says what was found, what was read and what was not known', () => {
    const text = textOf(page);
    expect(text).toContain('1 error, 1 warning, 1 info in 2 design documents (3 views, 2 files)');
    expect(text).toContain('the JSON ends before the { of line 1, column 1 is closed (write the file anew)');
    expect(text).toContain('ddocs/logo.png: a binary file');
    expect(text).toContain('view.emitsWholeDoc: the value is computed by a helper');
    expect(text).toContain('1 finding ignored, 2 findings in the baseline');
    expect(text).toContain('What could not be determined');
  });

  test('has a card for each finding, in the order of the report, with all that filters ask for', () => {
    const cards = [...page.matchAll(/<article [^>]*data-severity="(\w+)" data-rule="([^"]+)" data-file="([^"]+)"/g)];
    expect(cards.map(([, ...parts]) => parts)).toEqual([
      ['warning', 'view/emit-whole-doc', 'ddocs/orders.json'],
      ['info', 'reduce/unknown-builtin', 'ddocs/orders.json'],
      ['error', 'map/unguarded-access', 'ddocs/stock/views/low/map.js'],
    ]);
  });

  test('marks the place of each finding in the source, which leads to its card', () => {
    expect(page).toContain(`emit(doc.customer, <a class="mark warning" href="#f1">doc);</a>`);
    expect(page).toMatch(/<article class="finding warning" id="f1"/);
  });

  test('says in words how it was decided', () => {
    expect(textOf(page)).toContain('view.emitsWholeDoc is true? yes');
    expect(textOf(page)).toContain('because the value is stored in each row');
  });

  test('loads nothing, and lets only its own script and style be used', () => {
    const [script = '', style = ''] = [/<script type="module">([\s\S]*?)<\/script>/, /<style>([\s\S]*?)<\/style>/].map(
      (part) => part.exec(page)?.[1],
    );
    const hash = (/** @type {string} */ text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1]?.replaceAll('&#39;', "'");
    expect(policy?.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${hash(script)}`,
      `style-src ${hash(style)}`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(tagsIn(page).filter((tag) => / (?:src|srcset|style|on\w+|action)=/.test(tag))).toEqual([]);
    expect(`${style}${script}`).not.toMatch(/url\(|@import|https?:|<\//);
    expect([...page.matchAll(/<(?:script|style)\b/g)]).toHaveLength(2);
  });

  test('links lead to parts of the page or to documentation', () => {
    const targets = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `#${id}`));
    const links = [...page.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href);
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((href) => !targets.has(href) && !href.startsWith('https://docs.couchdb.org/'))).toEqual([]);
  });
});

test('a page without findings says so and has no cards', async () => {
  const page = await renderHtml(makeReport());
  expect(page).toContain('<title>couch-advisor: no problems</title>');
  expect(page).not.toContain('<article');
});

test('a verdict is described in words, with its interval drawn and what the server counted', async () => {
  /** @type {import('../../lib/engine/findings/finding.js').MeasuredVerdict} */
  const verdict = {
    word: 'confirmed',
    reason: 'faster by more than 5 %',
    ratio: 2.5,
    interval: [2.1, 2.9],
    rounds: 12,
    server: 'CouchDB 3.5.0',
    counters: { 'as-is': { 'couchdb.docs_read': 100 }, advised: { 'couchdb.docs_read': 0 } },
    warnings: [{ code: 'few-rounds', message: 'few rounds' }],
    at: '2026-11-21T10:00:00Z',
  };
  const text = textOf(await renderHtml(makeReport({ findings: [makeFinding({ verdict })] })));
  expect(text).toContain('Measured: confirmed 2.5 times faster as advised');
  expect(text).toContain('12 pairs of rounds on CouchDB 3.5.0, 2026-11-21');
  expect(text).toContain('2.5 (2.1 to 2.9)');
  expect(text).toContain('few rounds');
  expect(text).toMatch(/couchdb\.docs_read\s*100\s*0/);
});

test('a verdict without a ratio draws nothing', async () => {
  /** @type {import('../../lib/engine/findings/finding.js').MeasuredVerdict} */
  const verdict = {
    word: 'not measurable here',
    ratio: null,
    interval: null,
    rounds: 0,
    server: 'embedded',
    warnings: [],
    at: null,
  };
  const page = await renderHtml(makeReport({ findings: [makeFinding({ verdict })] }));
  expect(textOf(page)).toContain('Measured: not measurable here');
  expect(page).not.toContain('<svg');
});

test('a source that was not found again has no excerpt, and the rest is shown', async () => {
  const page = await renderHtml(
    makeReport({ findings: [makeFinding({ place: { file: 'gone.json', line: 3, column: 1 } })] }),
  );
  expect(textOf(page)).toContain('gone.json:3:1');
  expect(page).not.toContain('<pre');
});

test('what a place covers that spans lines is marked on each of them', async () => {
  const place = placeOf(stockFile, "{\n\tif (doc.count < 3) emit('在庫'");
  const page = await renderHtml(makeReport({ findings: [makeFinding({ place })] }));
  expect([...page.matchAll(/<a class="mark warning"/g)]).toHaveLength(2);
});

test('whatever the input holds, no markup, link or control character comes out of it', async () => {
  await fc.assert(
    fc.asyncProperty(hostileReport, async (report) => {
      const page = await renderHtml(report);
      expect(page.replace(/[\n\t]/g, '')).not.toMatch(RAW_CONTROL);
      expect(tagsIn(page).filter((tag) => !TAG.test(tag))).toEqual([]);
      expect(tagsIn(page).filter((tag) => / on\w+=| style=/.test(tag.replace(/="[^"]*"/g, '=')))).toEqual([]);
      const links = [...page.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href);
      expect(links.filter((href) => !/^#[fs]?\w+$|^https?:\/\//.test(href))).toEqual([]);
    }),
  );
});

test('a project of hostile names is shown with every name as text', async () => {
  const project = createProject({ ...hostileProject() });
  const { stdout } = await project.run(['lint', '--format', 'html']);
  expect(tagsIn(stdout).filter((tag) => !TAG.test(tag))).toEqual([]);
  const text = textOf(stdout);
  expect(text).toContain('</script><script>window.isOpen = 1</script>');
  expect(text).toContain('ddocs/<b>orders</b> & "stock".json');
  expect(text).toContain('stock<U+202E>txt.exe');
  expect(stdout.replace(/[\n\t]/g, '')).not.toMatch(RAW_CONTROL);
});

test('the page says what would answer more questions', async () => {
  const { cannotTell } = shopReport();
  const page = await renderHtml(makeReport({ cannotTell, wanted: [{ source: 'logs', questions: 1 }] }));
  expect(textOf(page)).toContain('For more of these checks, add files or a server: 1 needs a query log: --log FILE.');
});

test('a fact that is an empty list has a value on the page', async () => {
  const [step] = makeFinding().path;
  const path = step ? [{ ...step, fact: 'view.otherCopies', value: [] }] : [];
  expect(textOf(await renderHtml(makeReport({ findings: [makeFinding({ path })] })))).toContain(
    'view.otherCopies = none, inferred',
  );
});

test('the parts of the page have plain names', async () => {
  const text = textOf(await renderHtml(shopReport()));
  expect(text).toContain('Theme: System');
  expect(wordFaults(text.replaceAll(/\(write the file anew\)/g, ''))).toEqual([]);
});

test('the same report gives the same page', async () => {
  expect(await renderHtml(shopReport())).toBe(await renderHtml(shopReport()));
});
