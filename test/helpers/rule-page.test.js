// Tests that the reader of rule pages detects what it should.

import { expect, test } from 'vitest';
import { copyRule } from './hand-made-rule.js';
import { examplesOf, HEADINGS, headingFaults, refreshParts, sectionOf } from './rule-page.js';
import { readRuleExamples } from './run-example.js';

const sound = `# view/copies\n\nA view copies.\n\n${HEADINGS.map((heading) => `## ${heading}\n\nText.\n`).join('\n')}`;

test('a sound page has no faults', () => {
  expect(headingFaults(sound, copyRule())).toEqual([]);
});

test('versions are named where the rule is not for all', () => {
  const page = sound.replace('## Versions\n\nText.\n\n', '');
  expect(headingFaults(page, copyRule())).toEqual([]);
  expect(headingFaults(page, { ...copyRule(), appliesTo: { from: '3.5' } })).toEqual([
    expect.stringContaining('Versions, How it is confirmed'),
  ]);
});

test.each([
  ['another title', sound.replace('# view/copies', '# Copies'), 'the title is `# view/copies`'],
  ['no sentence', sound.replace('A view copies.', ''), 'one sentence in one line'],
  ['a sentence of two lines', sound.replace('A view copies.', 'A view\ncopies.'), 'one sentence in one line'],
  ['a heading too few', sound.replace('## How to fix', ''), 'the headings are'],
  [
    'headings in another order',
    sound.replace('How to fix', 'X').replace('Options', 'How to fix').replace('X', 'Options'),
    'the headings are',
  ],
  ['an empty part', sound.replace('## How to fix\n\nText.\n', '## How to fix\n\n'), 'nothing stands under How to fix'],
])('notices %s', (_, page, fault) => {
  expect(headingFaults(page, copyRule()).join('\n')).toContain(fault);
});

const block = (/** @type {string} */ info, /** @type {string} */ text) => `\`\`\`${info}\n${text}\n\`\`\`\n`;

test('several files before one output are one example', () => {
  const section = [
    'Two documents:\n',
    block('json file=orders.json', '{"a": 1}'),
    'and\n',
    block('json file=stock.json', '{"b": 2}'),
    block('text output target=3.2', 'one finding'),
    block('ini file=local.ini', '[cors]'),
    block('text output', ''),
  ].join('\n');
  const examples = readRuleExamples(section);
  expect(examples).toMatchObject([
    {
      files: [
        { name: 'orders.json', text: '{"a": 1}\n' },
        { name: 'stock.json', text: '{"b": 2}\n' },
      ],
      target: '3.2',
      output: { text: 'one finding\n' },
    },
    { files: [{ name: 'local.ini' }], target: undefined, output: {} },
  ]);
  const { start, end } = examples[0]?.output ?? { start: 0, end: 0 };
  expect(section.slice(start, end)).toBe('one finding\n');
});

test('without outputs, prose parts examples and blocks in a row are one', () => {
  const section = [
    block('json file=orders.json', '1'),
    block('json file=stock.json', '2'),
    'This neither:\n',
    block('json file=orders.json target=2.3', '3'),
  ].join('\n');
  expect(readRuleExamples(section)).toMatchObject([
    { files: [{ text: '1\n' }, { text: '2\n' }], target: undefined },
    { files: [{ text: '3\n' }], target: '2.3' },
  ]);
});

test('examples are those of their sections', () => {
  const page = sound
    .replace(
      '## Incorrect\n\nText.',
      `## Incorrect\n\n${block('json file=orders.json', '1')}\n${block('text output', 'x')}`,
    )
    .replace('## Correct\n\nText.', `## Correct\n\n${block('json file=stock.json', '2')}`);
  expect(examplesOf(page)).toMatchObject({
    flagged: [{ files: [{ name: 'orders.json' }] }],
    notFlagged: [{ files: [{ name: 'stock.json' }] }],
  });
  expect(sectionOf(page, 'Nowhere').text).toBe('');
});

test('the tree is written between its marks, and writing it again changes nothing', () => {
  const page = sound.replace('## Decision tree\n\nText.', '## Decision tree\n\n<!-- tree -->\nold\n<!-- /tree -->');
  const fresh = refreshParts(page, copyRule());
  expect(fresh).toContain('<!-- tree -->\n```text\ncopies: view.emitsWholeDoc?\n');
  expect(fresh).not.toContain('old');
  expect(refreshParts(fresh, copyRule())).toBe(fresh);
  expect(refreshParts(sound, copyRule())).toBe(sound);
});
