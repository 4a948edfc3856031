// The page of a report: whole, without scripts, with a policy that allows its own style only.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { barChart, figure, list, paragraph, renderPage, table } from '../../../lib/reports/charts/index.js';

const HOSTILE = '</h1><script>alert(1)</script><style>*{}</style>\u202e';
const page = renderPage({
  title: HOSTILE,
  lead: `The view \`${HOSTILE}\``,
  facts: [{ name: HOSTILE, value: HOSTILE }],
  sections: [
    {
      title: HOSTILE,
      blocks: [
        paragraph(HOSTILE),
        list([HOSTILE]),
        table({
          caption: HOSTILE,
          columns: [{ label: HOSTILE }, { label: 'time', isNumber: true }],
          rows: [
            [HOSTILE, 3],
            [HOSTILE, undefined],
          ],
        }),
        figure('f', (size) => barChart({ ...size, title: HOSTILE, axis: { label: 'time' }, rows: [] }), HOSTILE),
        false,
        undefined,
      ],
    },
  ],
});

test('no text becomes markup', () => {
  expect(page).not.toContain('<script');
  expect(page).not.toContain('\u202e');
  expect(page.match(/<style>/g)).toHaveLength(1);
  expect(page.match(/<h1>/g)).toHaveLength(1);
});

test('the policy allows the one style by its hash, and nothing else', () => {
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(page).toContain(
    `content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
  );
  expect(page).not.toMatch(/ style="| src=|<link|@import|url\((?!#)/);
});

test('a picture comes in three widths with names of their own', () => {
  expect([...page.matchAll(/<title id="(f-\w+)-title">/g)].map(([, name]) => name)).toEqual([
    'f-narrow',
    'f-middle',
    'f-wide',
  ]);
});

test('numbers stand to the right, and the first cell names its row', () => {
  expect(page).toContain('<td class="number">3</td>');
  expect(page).toContain('<th scope="row">');
});

test('names between backticks become code', () => {
  expect(paragraph('the view `orders`').text).toBe('<p>the view <code>orders</code></p>');
});

test('the page is the same again', () => {
  const again = () => renderPage({ title: 'Orders', sections: [{ title: 'One', blocks: [paragraph('x')] }] });
  expect(again()).toBe(again());
});
