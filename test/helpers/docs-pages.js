// docs/rules from the rule folders: a page for each rule, with what a reader asks first in a table, and one that lists them.

import path from 'node:path';
import { fixOf, severitiesOf, table } from './rules-index.js';

/** @import { Fix } from '../../lib/fixes/index.js' */
/** @import { RuleFolder } from './rule-folders.js' */

const NOTE = 'Written by `npm run docs` from the rule folders; changes made here are lost.';

/** What a rule needs beside its own files, in words. @type {Record<string, string>} */
const NEEDS = {
  'design-docs': 'design documents',
  'mango-indexes': 'Mango indexes',
  'server-config': 'a server configuration',
  logs: 'query logs (`--log`)',
  loads: 'what is to be loaded (`--docs`)',
  proof: 'a proof of the reduce',
};

/**
 * @param {string} id `view/emit-whole-doc`
 * @returns {string} `view-emit-whole-doc.md`
 */
function fileOf(id) {
  return `${id.replace('/', '-')}.md`;
}

/**
 * @param {RuleFolder[]} folders
 * @param {ReadonlyMap<string, Fix>} fixes
 * @returns {Map<string, string>} text by the name of the file in docs/rules
 */
export function docsPages(folders, fixes) {
  const pages = folders.map(
    (folder) => /** @type {[string, string]} */ ([fileOf(folder.id), pageOf(folder, folders, fixes)]),
  );
  return new Map([['README.md', listOf(folders)], ...pages]);
}

/**
 * @param {RuleFolder[]} folders
 * @returns {string}
 */
function listOf(folders) {
  const rows = folders.map(({ id, rule }) => [`[\`${id}\`](${fileOf(id)})`, rule.title, severitiesOf(rule)]);
  return `# Rules\n\n${NOTE}\n\n${table(['Rule', 'Problem', 'Severity'], rows)}`;
}

/**
 * @param {RuleFolder} folder
 * @param {RuleFolder[]} folders
 * @param {ReadonlyMap<string, Fix>} fixes
 * @returns {string}
 */
function pageOf({ id, rule, page }, folders, fixes) {
  const [title = '', ...rest] = page.split('\n');
  const { from, before } = /** @type {{from?: string, before?: string}} */ (rule.appliesTo ?? {});
  const facts = [
    ['Severity', severitiesOf(rule)],
    ['Needs', rule.needs.map((need) => NEEDS[need] ?? need).join(', ')],
    ['CouchDB', [from && `from ${from}`, before && `before ${before}`].filter(Boolean).join(', ') || 'all versions'],
    ['Fix', fixOf(rule, fixes) || 'none'],
    ['Status', `${rule.status}, since ${rule.since}`],
  ];
  const known = new Set(folders.map((folder) => folder.id));
  const text = rest
    .join('\n')
    .replace(
      /\]\(([^)\s#]+)(#[^)\s]*)?\)/g,
      (whole, target, anchor = '') => `](${linkFrom(id, target, known) ?? whole.slice(2, -1)}${anchor})`,
    );
  return `${title}\n\n${table(['', rule.title], facts)}${text}`;
}

/**
 * @param {string} id of the rule whose page has the link
 * @param {string} target relative to the folder of the rule
 * @param {ReadonlySet<string>} known ids
 * @returns {string | undefined} the same relative to docs/rules; undefined where it is no path
 */
function linkFrom(id, target, known) {
  if (/^[a-z]+:/i.test(target)) return undefined;
  const file = path.posix.join('rules', id, target);
  const other = /^rules\/(.+)\/README\.md$/.exec(file)?.[1];
  return other !== undefined && known.has(other) ? fileOf(other) : path.posix.relative('docs/rules', file);
}
