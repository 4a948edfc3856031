import { expect, test } from 'vitest';
import fc from '../helpers/property.js';
import { hostileReport, makeFinding, makeReport, RAW_CONTROL, reportAs, shopReport } from '../helpers/sample-report.js';

const renderMarkdown = reportAs('markdown');

/**
 * @param {string} markdown
 * @returns {string} what stands outside of fenced blocks
 */
function outsideOfFences(markdown) {
  /** @type {string[]} */
  const lines = [];
  let fence = '';
  for (const line of markdown.split('\n')) {
    const ticks = /^`{3,}/.exec(line)?.[0];
    if (fence === '' && ticks) fence = ticks;
    else if (fence !== '' && line === fence) fence = '';
    else if (fence === '') lines.push(line);
  }
  expect(fence).toBe('');
  return lines.join('\n');
}

test('a summary for a pull request', async () => {
  expect(`\n${await renderMarkdown(shopReport())}`).toMatchInlineSnapshot(`
    "
    ## couch-advisor

    1 error, 1 warning, 1 info in 2 design documents (3 views, 2 files); 1 read error; 1 can be fixed with --fix, 1 more with --fix-unsafe; 1 ignored, 2 in the baseline

    | File | Errors | Warnings | Infos |
    | --- | ---: | ---: | ---: |
    | <code>ddocs/orders.json</code> | 0 | 1 | 1 |
    | <code>ddocs/stock/views/low/map.js</code> | 1 | 0 | 0 |

    ### Could not be read

    - <code>ddocs/customers.json:7:1</code>: the JSON ends before the <code>&#123;</code> of line 1, column 1 is closed (write the file anew)

    ### <code>ddocs/orders.json</code>

    #### ⚠️ <code>by&#95;customer</code> emits the whole document as its value

    <code>ddocs/orders.json:5:87</code> <code>view/emit-whole-doc&#35;copies-document</code>

    \`\`\`text
      4 │     "by_customer": {
    > 5 │ …emit(doc.customer, doc);\\n  }\\n}"
        │                     ^^^^^
      6 │     },
    \`\`\`

    Every row of the index then holds a copy of the document, and each update writes the copy again.

    - **Help:** Emit <code>null</code> and query with <code>include&#95;docs=true</code>.
    - [Documentation](<https://docs.couchdb.org/en/stable/ddocs/views/intro.html>)

    #### ℹ️ <code>&#95;sumx</code> runs as <code>&#95;sum</code> only because names match by their beginning

    <code>ddocs/orders.json:9:17</code> <code>reduce/unknown-builtin&#35;works-by-prefix</code>

    \`\`\`text
       8 │       "map": "function (doc) {\\n  if (doc.type === 'order') {\\n    emit(doc.custom…
    >  9 │       "reduce": "_sumx"
         │                 ^^^^^^^
      10 │     }
    \`\`\`

    CouchDB compares the beginning of the name.

    - **Help:** Write the exact name.
    - **Fix:** Write the exact name of the built-in (<code>npx --no-install couch-advisor lint --fix</code>)
    - [Documentation](<https://docs.couchdb.org/en/stable/ddocs/ddocs.html#reduce-functions>)

    ### <code>ddocs/stock/views/low/map.js</code>

    #### ❌ <code>doc.shelf.row</code> throws where <code>doc.shelf</code> is missing

    <code>ddocs/stock/views/low/map.js:2:32</code> <code>map/unguarded-access&#35;nested</code>

    \`\`\`text
      1 │ function (doc) {
    > 2 │     if (doc.count < 3) emit('在庫', doc.shelf.row);
        │                                     ^^^^^^^^^^^^^
      3 │ }
    \`\`\`

    The document drops out of the index, and each throw is written to the log.

    - **Help:** Test <code>doc.shelf</code> first.
    - **Because:** only <code>doc.count</code> is tested (<code>ddocs/stock/views/low/map.js:2:6</code>)
    - **Fix:** Test the parent first (<code>npx --no-install couch-advisor lint --fix-unsafe</code>)
    - [Documentation](<https://docs.couchdb.org/en/stable/ddocs/views/intro.html>)
    "
  `);
});

test('a clean run has no table', async () => {
  expect(await renderMarkdown(makeReport())).toBe(
    '## couch-advisor\n\nno problems in 2 design documents (3 views, 2 files)\n',
  );
});

test('a report longer than a comment may be tells what it leaves out', async () => {
  const findings = Array.from({ length: 500 }, () => makeFinding());
  const markdown = await renderMarkdown(makeReport({ findings }));
  expect(markdown.length).toBeLessThan(65_536);
  const shown = markdown.split('#### ').length - 1;
  expect(shown).toBeGreaterThan(10);
  expect(markdown).toContain(`${500 - shown} more findings not shown: the report would be too long.`);
  expect(markdown).toContain('| <code>ddocs/orders.json</code> | 0 | 500 | 0 |');
});

test('a name that tries to be markup is shown as it is', async () => {
  const message = '`a`|<b>@team</b>` emits [x](y)';
  const markdown = await renderMarkdown(makeReport({ findings: [makeFinding({ message })] }));
  expect(markdown).toContain('#### ⚠️ &#96;a&#96;&#124;&#60;b&#62;@<!-- -->team&#60;/b&#62;&#96; emits &#91;x&#93;(y)');
});

test('whatever the input holds, no markup, link, mention or HTML comes out of it', async () => {
  await fc.assert(
    fc.asyncProperty(hostileReport, async (report) => {
      const markdown = await renderMarkdown(report);
      expect(markdown).not.toMatch(RAW_CONTROL);
      const ours = outsideOfFences(markdown)
        .replace(/\[Documentation\]\(<https?:\/\/[\w\-./#?=&%~+:]+>\)/g, '')
        .replace(/<\/?code>|<!-- -->/g, '')
        .replace(/^#{2,4} |^\| .* \|$|^- \*\*(Help|Because|Fix):\*\* |^- /gm, '');
      expect(ours).not.toMatch(/[<>[\]*_`|~]|&(?!#\d+;)|(?<!&)#(?!\d+;)/);
      expect(outsideOfFences(markdown)).not.toMatch(/@(?!<!-- -->)/);
    }),
  );
});
