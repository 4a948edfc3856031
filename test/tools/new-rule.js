// `npm run new family/name`: writes the folder of a rule, with texts that its tests refuse until they are replaced.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { HEADINGS } from '../helpers/rule-page.js';
import { root } from '../helpers/run-cli.js';

/** What to write under each heading. @type {Record<string, string>} */
const HINTS = {
  Problem: 'REPLACE: what happens in CouchDB, step by step, and what it costs, with the source of each figure.',
  Flagged: 'REPLACE the map; `npm run docs` writes the output.\n\n%FLAGGED%',
  'Not flagged': '%NOT_FLAGGED%',
  Solution: 'REPLACE: the exact change.',
  'When to ignore': 'REPLACE: when the pattern is the right choice.',
  'Known false alarms': 'REPLACE: what the facts cannot see.',
  'How we know':
    'REPLACE: source files with version, pages of the documentation.\n\n- Not tried: REPLACE by one line for each claim about CouchDB (CONTRIBUTING.md).',
  'Decision tree': '<!-- tree -->\n<!-- /tree -->',
  Related: '- REPLACE: links to other rules.',
};

process.exitCode = scaffold(process.argv[2] ?? '', process.argv[3] ?? path.join(root, 'rules'));

/**
 * @param {string} id
 * @param {string} rulesFolder
 * @returns {number} the exit code
 */
function scaffold(id, rulesFolder) {
  if (!/^[a-z]+\/[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) {
    console.error('name the rule by its family and the problem: npm run new view/emit-whole-doc');
    return 2;
  }
  const folder = path.join(rulesFolder, id);
  if (existsSync(folder)) {
    console.error(`${folder} exists already`);
    return 2;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'rule.json'), toJson(newRule(id)));
  writeFileSync(path.join(folder, 'cases.json'), toJson(newCases()));
  writeFileSync(path.join(folder, 'README.md'), newPage(id));
  console.log(`wrote ${folder}`);
  console.log('1. rule.json: ask the questions; rules/README.md lists the facts');
  console.log('2. cases.json: a row for each way through the tree');
  console.log('3. README.md: prose and examples; npm run docs fills in outputs and tree');
  console.log(`4. npx vitest run test/rules.test.js -t ${id}`);
  return 0;
}

/**
 * @param {string} id
 * @returns {object}
 */
function newRule(id) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return {
    $schema: '../../rule.schema.json',
    id,
    title: 'REPLACE: the problem in a few words',
    status: 'draft',
    since: version,
    severity: 'info',
    subject: 'view',
    needs: ['design-docs'],
    sources: ['REPLACE: a page of the documentation, or a source file with its version'],
    start: 'first-question',
    questions: {
      'first-question': {
        fact: 'replace.thisFact',
        operator: 'is',
        value: true,
        because: 'REPLACE: why it is asked, and where a number comes from',
        yes: 'the-problem',
        no: 'fine',
      },
    },
    outcomes: {
      'the-problem': {
        verdict: 'problem',
        message: 'REPLACE: what was seen in `{subject}`',
        why: 'REPLACE: the mechanism and what it costs.',
        advice: 'REPLACE: one action, beginning with a verb.',
      },
      fine: { verdict: 'fine', message: 'REPLACE: why nothing is reported' },
    },
  };
}

/** @returns {object[]} */
function newCases() {
  return [
    { name: 'REPLACE: a sentence about the case', facts: { 'replace.thisFact': true }, outcome: 'the-problem' },
    { name: 'REPLACE: a sentence about the other case', facts: { 'replace.thisFact': false }, outcome: 'fine' },
  ];
}

/**
 * @param {string} id
 * @returns {string}
 */
function newPage(id) {
  const map = (/** @type {string} */ key) =>
    JSON.stringify(
      { _id: '_design/orders', views: { by_date: { map: `function (doc) {\n  emit(${key}, null);\n}` } } },
      null,
      2,
    );
  const input = (/** @type {string} */ key) => `\`\`\`json file=orders.json\n${map(key)}\n\`\`\``;
  const sections = HEADINGS.map((heading) => `## ${heading}\n\n${HINTS[heading]}`);
  return `# ${id}\n\nREPLACE: the rule in one sentence.\n\n${sections.join('\n\n')}\n`
    .replace('%FLAGGED%', () => `${input('doc.date')}\n\n\`\`\`text output\n\`\`\``)
    .replace('%NOT_FLAGGED%', () => input('doc.customer'));
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function toJson(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
