// Reads and writes the parts of a rule's README that tests check and `npm run docs` writes: headings, examples,
// options, versions, the tree.

import { ruleFaults } from '../../lib/engine/check-rule.js';
import { fixes } from '../../lib/engine/fixes/index.js';
import { drawTree, OPERATOR_WORDS } from '../../lib/engine/tree-picture.js';
import { factCatalog } from './internals.js';
import { readRuleExamples, runExample } from './run-example.js';

/** @import { Rule } from '../../lib/engine/rule.js' */
/** @import { Example, ExampleResult } from './run-example.js' */

/** What a page is made of, in this order. Versions are named only where not all of CouchDB have what the rule is about. */
export const HEADINGS = [
  'Incorrect',
  'Correct',
  'Why it matters',
  'How to fix',
  'Options',
  'When not to use it',
  'Versions',
  'How it is confirmed',
  'Further reading',
  'Decision tree',
];

/** What examples gave: several tests look at one run. @type {WeakMap<Example, Promise<ExampleResult>>} */
const results = new WeakMap();

/** What `npm run docs` writes between `<!-- name -->` and `<!-- /name -->`. @type {Record<string, (rule: Rule) => string>} */
const GENERATED = {
  options: describeOptions,
  versions: ({ appliesTo }) => describeVersions(appliesTo),
  tree: (rule) => `\`\`\`text\n${drawTree(rule)}\n\`\`\``,
};

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
  const isForAll = rule.appliesTo === undefined && !found.includes('Versions');
  const wanted = HEADINGS.filter((heading) => heading !== 'Versions' || !isForAll);
  if (found.join() !== wanted.join()) faults.push(`the headings are ${wanted.join(', ')}, not ${found.join(', ')}`);
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
    flagged: readRuleExamples(sectionOf(page, 'Incorrect').text),
    notFlagged: readRuleExamples(sectionOf(page, 'Correct').text),
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
  const { text, start } = sectionOf(page, 'Incorrect');
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
  return { page: refreshParts(`${page.slice(0, start)}${section}${page.slice(start + text.length)}`, rule), faults };
}

/**
 * @param {string} page
 * @param {Rule} rule
 * @returns {string} the page with its generated parts as they are now; parts that it does not have are not added
 */
export function refreshParts(page, rule) {
  return Object.entries(GENERATED).reduce((text, [name, write]) => {
    const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from === -1 || to < from) return text;
    return `${text.slice(0, from + start.length)}\n${write(rule)}\n${text.slice(to)}`;
  }, page);
}

/** @param {Rule} rule @returns {string} severity and thresholds with their defaults, in Markdown */
function describeOptions({ id, severity, questions }) {
  const numeric = Object.entries(questions).filter(
    // "above 0" tests whether there is any: nobody sets that.
    ([, { operator, value }]) => typeof value === 'number' && !(operator === 'above' && value === 0),
  );
  const thresholds = numeric.map(([name, { fact, operator, value, because }]) => {
    return `- \`${name}\`: \`${fact}\` ${OPERATOR_WORDS[operator]} ${value}. ${because[0]?.toUpperCase()}${because.slice(1)}.`;
  });
  const defaults = Object.fromEntries(numeric.map(([name, { value }]) => [name, value]));
  const setting = numeric.length > 0 ? { severity, thresholds: defaults } : severity;
  const example = JSON.stringify({ rules: { [id]: setting } });
  if (thresholds.length === 0) {
    return `\`${example}\` in the configuration sets the severity; \`off\` disables the rule.`;
  }
  const about = `\`${example}\` in the configuration sets severity and thresholds; these are the defaults:`;
  return [about, '', ...thresholds].join('\n');
}

/** @param {Rule['appliesTo']} range @returns {string} */
function describeVersions({ from, before } = {}) {
  if (from === undefined && before === undefined) return 'All versions of CouchDB.';
  if (from === undefined) return `CouchDB before ${before}.`;
  return before === undefined ? `CouchDB ${from} and later.` : `CouchDB ${from} and later, before ${before}.`;
}
