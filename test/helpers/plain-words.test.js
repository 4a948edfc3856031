// Tests that the check of wording detects what it should, and nothing else.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'acorn';
import { full } from 'acorn-walk';
import { globSync } from 'tinyglobby';
import { beforeAll, expect, test } from 'vitest';
import { longSentences, MAX_WORDS, messageFaults, wordFaults } from './plain-words.js';
import { root } from './run-cli.js';

/** Scripts, styles, elements, and lists of names. */
const CODE = /[{;]\s*\n|\{[\w-]+:\S|<\/\w+>|^(?=[\s\S]*[a-z][A-Z])[\w$\s]+$/;

test.each([
  'the view was asked twice',
  'Mend it.',
  'the index is built anew',
  'as the logs tell',
  'write it in place of the other',
  'take the view out',
  'it takes 3 ms in the mean',
])('%s', (text) => {
  expect(wordFaults(text)).not.toEqual([]);
});

test.each([
  'the task is masked, and basketball is retold',
  '`ask` and `tell()` are code',
  '```js\nask(anew);\n```',
  'it takes 3 ms; take the outer one',
])('%j is plain', (text) => {
  expect(wordFaults(text)).toEqual([]);
});

/** What people read, by its file. @type {Map<string, string[]>} */
const texts = new Map();
beforeAll(() => {
  const ignore = ['**/node_modules/**', 'dist/**'];
  const find = (/** @type {string} */ glob) => globSync(glob, { cwd: root, ignore, dot: true });
  const read = (/** @type {string} */ file) => readFileSync(path.join(root, file), 'utf8');
  for (const file of find('**/*.md')) texts.set(file, [read(file)]);
  for (const file of find('rules/**/rule.json')) texts.set(file, stringsOf(JSON.parse(read(file))));
  for (const file of find('share/schemas/*.json')) texts.set(file, descriptionsOf(JSON.parse(read(file))));
  for (const file of ['action.yml', ...find('share/templates/*')]) texts.set(file, read(file).split('\n'));
  // The page has class names among its texts; its tests look at what it shows.
  for (const file of find('lib/**/*.js').filter((name) => !name.startsWith('lib/reports/html/'))) {
    texts.set(file, textsOf(read(file)));
  }
});

test.each([
  ['words that have a plainer one', wordFaults],
  [`sentences of more than ${MAX_WORDS} words`, longSentences],
])('what people read has no %s', (_, faultsOf) => {
  expect(texts.size).toBeGreaterThan(700);
  const faults = [...texts].flatMap(([file, list]) =>
    list.flatMap((text) => faultsOf(text).map((fault) => `${file}: ${fault} in ${JSON.stringify(text.slice(0, 200))}`)),
  );
  expect(faults).toEqual([]);
});

test('a sentence ends before a capital, code, a number or the name of this program; a list of code is a word', () => {
  const long = `${'word '.repeat(MAX_WORDS)}end`;
  expect(longSentences(`Short. ${long}. \`Code\` follows.`)).toHaveLength(1);
  expect(longSentences(`- ${'word '.repeat(20)}\n- ${'word '.repeat(20)}`)).toEqual([]);
  expect(longSentences(`${'word '.repeat(20)}end. couch-advisor ${'word '.repeat(20)}`)).toEqual([]);
  expect(longSentences(`${'word '.repeat(20)}${'`a`, '.repeat(20)}and \`b\``)).toEqual([]);
  expect(longSentences(`\`\`\`\n${long}\n\`\`\`\n<!-- tree -->\n${long}\n<!-- /tree -->`)).toEqual([]);
});

/** @param {unknown} value @returns {string[]} its strings that have more than one word */
function stringsOf(value) {
  if (typeof value === 'string') return value.includes(' ') ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

/** @param {any} value of a JSON schema @returns {string[]} what describes its members */
function descriptionsOf(value) {
  if (typeof value !== 'object' || value === null) return [];
  const own = typeof value.description === 'string' ? [value.description] : [];
  return [...own, ...Object.values(value).flatMap(descriptionsOf)];
}

/** @param {string} source @returns {string[]} its strings and templates that have more than one word */
function textsOf(source) {
  /** @type {string[]} */
  const found = [];
  full(parse(source, { ecmaVersion: 'latest', sourceType: 'module' }), (node) => {
    const text = textOf(node);
    if (text !== undefined && /\S\s+\S|\s$|^\s/.test(text) && !CODE.test(text)) found.push(text);
  });
  return found;
}

/** @param {any} node @returns {string | undefined} of a string, a template or a sum of these; what is put into one is `x` */
function textOf(node) {
  if (node.type === 'TemplateLiteral') {
    return node.quasis.map((/** @type {any} */ piece) => piece.value.cooked).join('x');
  }
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [textOf(node.left), textOf(node.right)];
    return left === undefined && right === undefined ? undefined : `${left ?? 'x'}${right ?? 'x'}`;
  }
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

test('a message is one short sentence that begins with code or a small letter', () => {
  expect(messageFaults('`{subject}` is never queried')).toEqual([]);
  expect(messageFaults('random ids (`a.b. c;`) of {load.count} documents')).toEqual([]);
  expect(messageFaults('The view is never queried')).toHaveLength(1);
  expect(messageFaults('a view; another')).toHaveLength(1);
  expect(messageFaults('a view.')).toHaveLength(1);
  expect(messageFaults(`a${'b'.repeat(100)}`)).toHaveLength(1);
});
