// A plan as text, Markdown and HTML: what is known is shown, what is not is called unknown, and names stay text.

import { expect, test } from 'vitest';
import { renderHtml } from '../../lib/reports/html/page.js';
import { planDocument } from '../../lib/reports/plan.js';
import { renderInside, renderMarkdownDocument, renderTextDocument } from '../helpers/internals.js';
import { HOSTILE_NAMES } from '../helpers/page-projects.js';
import { emptyPlan, planWithText, shopPlan, unknownPlan } from '../helpers/sample-plan.js';
import { shopReport } from '../helpers/sample-report.js';

/** @import { Plan } from '../../lib/advise/plan.js' */

/** @param {Plan} plan */
const renderSection = (plan) => renderInside(planDocument(plan), 'plan').text;
/** @param {Plan} plan @param {Parameters<typeof renderTextDocument>[1]} [options] */
const renderPlanText = (plan, options) => renderTextDocument(planDocument(plan), options);
/** @param {Plan} plan */
const renderPlanMarkdown = (plan) => renderMarkdownDocument(planDocument(plan));
const ESCAPE = String.fromCharCode(27);

test.each([
  ['text', renderPlanText],
  ['Markdown', renderPlanMarkdown],
  ['HTML', renderSection],
])('%s has each step with its figures, the totals and what was rejected', (format, render) => {
  const text = render(shopPlan());
  for (const part of [
    '3 changes (of 10 considered) save 59 min a day, 27 % of all request time',
    'create index orders-by-status on status, date',
    '52 min a day, 24 % of all request time',
    '9,823 requests a day',
    '41.2 MB, grows by 212.0 kB per 1,000 writes',
    '12.3 s of processor time a day',
    '41 s, needs 61.0 MB of free disk',
    'frees 18.4 MB',
    'no reading time',
    'saves 5.1 s of processor time a day',
    'nothing to build',
    'costs more to keep up to date than it saves',
    'shop/indexes/orders-by-status.json',
  ])
    expect(format === 'text' ? text.replace(/\s+/g, ' ') : text).toContain(part);
});

test.each([
  ['usual', 80, shopPlan()],
  ['narrow', 60, shopPlan()],
  ['wide', 100, shopPlan()],
  ['without steps', 80, emptyPlan()],
])('no line of the text is longer than the terminal: %s', (_, width, plan) => {
  const lines = renderPlanText(plan, { width }).split('\n');
  expect(lines.filter((line) => line.length > width)).toEqual([]);
});

test('the text lists five rejected candidates and counts the others', () => {
  const text = renderPlanText(shopPlan());
  expect(text.match(/^ {2}- create index orders-by-\d/gm)).toHaveLength(5);
  expect(text).toContain('and 2 more');
});

test.each([
  ['text', renderPlanText],
  ['Markdown', renderPlanMarkdown],
  ['HTML', renderSection],
])('%s calls unknown figures unknown, and never 0', (_, render) => {
  const text = render(unknownPlan());
  expect(text).toContain('unknown, for 9,823 requests a day');
  expect(text).toContain('how much time they save is unknown');
  expect(text).not.toMatch(/\b0 (?:B|ms|s)\b|NaN|null|undefined|Infinity/);
});

test.each([
  ['text', renderPlanText],
  ['Markdown', renderPlanMarkdown],
  ['HTML', renderSection],
])('%s of a plan without steps says so, why, and what the cheapest needs', (_, render) => {
  const text = render(emptyPlan()).replace(/\s+/g, ' ');
  expect(text).toContain('No index or view change helps within the budget');
  expect(text).toContain('41.2 MB of disk');
  expect(text).toContain('over the disk budget');
  expect(text).toContain('the logs have no times');
  const none = { ...emptyPlan(), considered: 0, cheapest: null, rejected: [], notes: [] };
  expect(render(none).replace(/\s+/g, ' ')).toContain('without documents, no index can be judged');
  const documents = { files: ['orders.jsonl'], sampled: 5, total: 5 };
  expect(render({ ...none, documents })).toContain('there is no candidate');
});

/** @type {[string, import('../../lib/advise/plan.js').Reads | null, import('../../lib/advise/plan.js').Reads | null, string][]} */
const READS = [
  [
    'of as many rows and documents',
    reads(27_777.8, 27_777.8),
    reads(50, 50),
    'reads 27,778 documents → 50 (estimated)',
  ],
  [
    'that need no document any more',
    reads(200, 200),
    reads(200, 0),
    'reads 200 documents → 200 rows and no documents (estimated)',
  ],
  [
    'with few documents',
    reads(61.84, 61.84),
    reads(3.09, 1),
    'reads 62 documents → 3.1 rows and 1 document (estimated)',
  ],
  ['that stay the same', reads(40, 0), reads(40, 0), 'reads 40 rows and no documents, as before (estimated)'],
  ['of which one is unknown', reads(40, 40), null, 'reads 40 documents → unknown (estimated)'],
];

/** @param {number} rows @param {number} documents @returns {import('../../lib/advise/plan.js').Reads} */
function reads(rows, documents) {
  return { rows, documents, results: 1, basis: 'estimated' };
}

test.each(READS)('reads %s are shown in few words', (_, before, after, shown) => {
  const plan = shopPlan();
  const steps = plan.steps.map((step) => ({
    ...step,
    queries: step.queries.map((query) => ({ ...query, before, after })),
  }));
  expect(renderPlanText({ ...plan, steps }).replace(/\s+/g, ' ')).toContain(shown);
});

test('documents that no file holds are from the server', () => {
  const plan = shopPlan();
  const text = renderPlanText({ ...plan, documents: { ...plan.documents, files: [] } });
  expect(text).toMatch(/documents +2,000 of 120,000, from the server$/m);
});

test('a form of query is shown in words', () => {
  const plan = shopPlan();
  const name = 'POST shop/_find?find.selector=status:eq,type:eq&find.sort=-date&limit';
  const text = renderPlanText({ ...plan, queries: plan.queries.map((query) => ({ ...query, name })) });
  expect(text.replace(/\s+/g, ' ')).toContain(
    'POST shop/_find with status = … and type = …, sort by date desc, limit: 122 ms → 3.2 ms',
  );
});

test('colors are used only where they are asked for', () => {
  expect(renderPlanText(shopPlan())).not.toContain(ESCAPE);
  expect(renderPlanText(shopPlan(), { color: true })).toContain(ESCAPE);
});

test.each([...HOSTILE_NAMES, '\u001b[2J', '::error ::x', '| `x` <b>@all</b> [a](b)\n# head', '```\n<script>'])(
  'names stay text: %j',
  (name) => {
    const plan = planWithText(name);
    const text = renderPlanText(plan);
    expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
    expect(text).not.toMatch(/^\s*::error/m);
    const page = renderSection(plan);
    expect(page).not.toMatch(/<script|<img|<style>\*|\son\w+="/);
    expect(page).not.toMatch(/[\0\u202a-\u202e\u2066-\u2069]/);
    // In a fence the source is shown as it is.
    const markdown = renderPlanMarkdown(plan).replace(/^(`{3,})(?:text|json)\n[\s\S]*?\n\1$/gm, '');
    expect(markdown).not.toMatch(/<(?!\/?(?:details|summary|code|sub)>|!-- -->)|[\0\u202a-\u202e]|@all|\]\(/);
  },
);

test('a long plan stays short enough for a comment on a pull request', () => {
  const plan = shopPlan();
  const [step] = plan.steps;
  if (!step) throw new Error('no step');
  const steps = Array.from({ length: 200 }, (_, at) => ({
    ...step,
    number: at + 1,
    because: Array(20).fill('x'.repeat(40)),
  }));
  const markdown = renderPlanMarkdown({ ...plan, steps });
  expect(markdown.length).toBeLessThan(65_536);
  expect(markdown).toMatch(/\d+ more parts not shown: the report would be too long/);
});

test('the page of lint has the plan as a section where there is one', () => {
  expect(renderHtml(shopReport())).not.toContain('id="plan"');
  const page = renderHtml({ ...shopReport(), plan: shopPlan() });
  expect(page).toContain('<section id="plan"');
  expect(page).toContain('<a href="#plan">Plan</a>');
  expect(page.match(/<style>/g)).toHaveLength(1);
});

test('the page of a plan starts with it, and has the findings below', () => {
  const page = renderHtml({ ...shopReport(), plan: shopPlan() });
  expect(page).toContain('<title>couch-advisor: 3 changes (of 10 considered) save 59 min a day');
  expect(page).toMatch(/<p class="summary">3 changes \(of 10 considered\) save [^<]*Findings: /);
  const places = ['id="plan"', 'id="overview"', 'id="findings"'].map((part) => page.indexOf(part));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

test.each([
  ['hours and gigabytes', 36_000_000, 3_000_000_000, 'request time a day (h)', 'once built and compacted (GB)'],
  ['seconds and kilobytes', 9000, 8200, 'request time a day (s)', 'once built and compacted (kB)'],
  ['nothing', 0, 0, 'request time a day (ms)', 'once built and compacted (kB)'],
])('the axes of the charts fit their bars: %s', (_, savedMsPerDay, bytes, ...axes) => {
  const plan = shopPlan();
  const steps = plan.steps.map((step) => ({ ...step, savedMsPerDay, cost: { ...step.cost, bytes } }));
  const page = renderHtml({ ...shopReport(), plan: { ...plan, steps } });
  for (const axis of axes) expect(page).toContain(axis);
});
