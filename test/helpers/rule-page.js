// The parts of a rule's README that are held by tests and written by `npm run docs`: headings, examples, the tree.

import { ruleFaults } from '../../lib/engine/check-rule.js';
import { fixes } from '../../lib/engine/fixes/index.js';
import { drawTree } from '../../lib/engine/tree-picture.js';
import { factCatalog } from '../../lib/facts/catalog.js';
import { readRuleExamples, runExample } from './run-example.js';

/** @import { Rule } from '../../lib/engine/rule.js' */
/** @import { Example, ExampleResult } from './run-example.js' */

/** What a page is made of, in this order. */
export const HEADINGS = [
  'Problem',
  'Flagged',
  'Not flagged',
  'Solution',
  'When to ignore',
  'Known false alarms',
  'How we know',
  'Decision tree',
  'Related',
];

/** What examples gave: several tests look at one run. @type {WeakMap<Example, Promise<ExampleResult>>} */
const results = new WeakMap();

const TREE_START = '<!-- tree -->';
const TREE_END = '<!-- /tree -->';

/**
 * @param {string} page
 * @param {string} heading
 * @returns {{text: string, start: number}} what stands under it, and where that begins; empty where it is not there
 */
export function sectionOf(page, heading) {
  const marker = `\n## ${heading}\n`;
  const at = page.indexOf(marker);
  if (at === -1) return { text: '', start: page.length };
  const start = at + marker.length;
  const end = page.indexOf('\n## ', start);
  return { text: page.slice(start, end === -1 ? undefined : end + 1), start };
}

/**
 * @param {string} page
 * @param {Rule} rule
 * @returns {string[]} what is not in order in its headings
 */
export function headingFaults(page, rule) {
  const faults = [];
  const prose = page.replace(/^(`{3,})[\s\S]*?^\1[ \t]*$/gm, '');
  const [title, , sentence = '', blank] = prose.split('\n');
  if (title !== `# ${rule.id}`) faults.push(`the title is \`# ${rule.id}\``);
  if (!/^[A-Z].*\.$/.test(sentence) || blank !== '') faults.push('one sentence in one line stands below the title');
  const found = (prose.match(/^## .*$/gm) ?? []).map((line) => line.slice(3));
  if (found.join() !== HEADINGS.join()) faults.push(`the headings are ${HEADINGS.join(', ')}, not ${found.join(', ')}`);
  for (const heading of found) {
    if (sectionOf(page, heading).text.trim() === '') faults.push(`nothing stands under ${heading}`);
  }
  return faults;
}

/**
 * @param {string} page
 * @returns {{flagged: Example[], notFlagged: Example[]}}
 */
export function examplesOf(page) {
  return {
    flagged: readRuleExamples(sectionOf(page, 'Flagged').text),
    notFlagged: readRuleExamples(sectionOf(page, 'Not flagged').text),
  };
}

/**
 * @param {Rule} rule
 * @returns {string[]} what keeps it from being run: facts, fixes and outcomes that do not exist
 */
function whyUnsound(rule) {
  const known = { facts: factCatalog, fixes: new Set(fixes.keys()) };
  return ruleFaults(rule, rule.id, known).map(({ message }) => message);
}

/**
 * @param {Example} example
 * @param {Rule} rule
 * @returns {Promise<ExampleResult>}
 */
export async function runRuleExample(example, rule) {
  const faults = whyUnsound(rule);
  if (faults.length > 0) return { text: '', findings: [], faults, files: example.files };
  const result = results.get(example) ?? runExample(example.files, { rule, target: example.target });
  results.set(example, result);
  return result;
}

/**
 * @param {string} page
 * @param {Rule} rule
 * @returns {Promise<{page: string, faults: string[]}>} the page with the picture of its tree and the outputs of its
 *   examples as they are now; an example that cannot be run keeps its output and is among the faults, and a rule that cannot be
 *   run keeps its page
 */
export async function refreshPage(page, rule) {
  const { text, start } = sectionOf(page, 'Flagged');
  const faults = whyUnsound(rule);
  if (faults.length > 0) return { page, faults };
  let section = text;
  for (const example of readRuleExamples(text).reverse()) {
    if (!example.output) continue;
    const result = await runRuleExample(example, rule);
    faults.push(...result.faults);
    if (result.faults.length > 0) continue;
    section = `${section.slice(0, example.output.start)}${result.text.trim()}\n${section.slice(example.output.end)}`;
  }
  return { page: refreshTree(`${page.slice(0, start)}${section}${page.slice(start + text.length)}`, rule), faults };
}

/**
 * @param {string} page
 * @param {Rule} rule
 * @returns {string} the page with a fresh picture between its marks; as it is where it has none
 */
export function refreshTree(page, rule) {
  const start = page.indexOf(TREE_START);
  const end = page.indexOf(TREE_END);
  if (start === -1 || end < start) return page;
  return `${page.slice(0, start + TREE_START.length)}\n\`\`\`text\n${drawTree(rule)}\n\`\`\`\n${page.slice(end)}`;
}
