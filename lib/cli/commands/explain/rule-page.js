// Renders a rule's page as plain text for a terminal: the README without its markup, and the tree.

import path from 'node:path';
import { drawTree } from '../../../engine/tree-picture.js';
import { wrap } from '../../../reports/display-width.js';
import { printable } from '../../../shared/printable.js';
import { readIfThere } from '../../read-if-there.js';

/** @import { Rule } from '../../../engine/rule.js' */

const INDENT = '  ';
const TREE_HEADING = 'Decision tree';

/**
 * @param {Rule} rule
 * @param {number} width columns; code keeps its lines
 * @returns {string}
 */
export function renderRulePage(rule, width) {
  const lines = renderMarkdown(withFreshTree(readPage(rule), drawTree(rule, width - INDENT.length)), width);
  lines.push('', ...foot(`Severity: ${rule.severity}`, width));
  for (const source of rule.sources) lines.push(...foot(`Source: ${source}`, width));
  return `${lines.map(printable).join('\n')}\n`;
}

/**
 * @param {Rule} rule
 * @returns {string} its README, or what the rule itself says where it has none
 */
function readPage({ id, title, folder }) {
  const page = readIfThere(path.join(folder ?? '', 'README.md'));
  return page?.replaceAll('\r\n', '\n') ?? `# ${id}\n\n${title}.\n`;
}

/**
 * @param {string} page
 * @param {string} tree
 * @returns {string} the page with this tree, whatever tree was in it
 */
function withFreshTree(page, tree) {
  const block = `\`\`\`text\n${tree}\n\`\`\``;
  const written = /<!-- tree -->.*?<!-- \/tree -->/s;
  return written.test(page) ? page.replace(written, () => block) : `${page}\n## ${TREE_HEADING}\n\n${block}\n`;
}

/**
 * @param {string} page
 * @param {number} width
 * @returns {string[]} headings at the margin, all else indented, paragraphs wrapped again
 */
function renderMarkdown(page, width) {
  /** @type {string[]} */
  const lines = [];
  /** @type {string[]} */
  let paragraph = [];
  let isCode = false;
  const endParagraph = () => {
    if (paragraph.length > 0) lines.push(...indent(paragraph.join(' '), width));
    paragraph = [];
  };
  for (const line of page.replaceAll(/<!--.*?-->/gs, '').split('\n')) {
    const fence = /^```(.*)/.exec(line);
    if (fence) {
      endParagraph();
      const file = /\bfile=(\S+)/.exec(fence[1] ?? '')?.[1];
      if (!isCode && file) lines.push(`${INDENT}${file}:`);
      isCode = !isCode;
    } else if (isCode) lines.push(`${INDENT}${line}`.trimEnd());
    else if (/^#+ /.test(line)) {
      endParagraph();
      lines.push(line.replace(/^#+ /, ''));
    } else if (line.trim() === '') {
      endParagraph();
      if (lines.at(-1) !== '') lines.push('');
    } else {
      // An item of a list begins a paragraph of its own.
      if (/^[-*] /.test(line)) endParagraph();
      paragraph.push(plain(line.trim()));
    }
  }
  endParagraph();
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * @param {string} text
 * @returns {string} links with their address where it leads out, without it where it leads to a file beside
 */
function plain(text) {
  return text.replaceAll(/\[([^\]]*)\]\(([^)]*)\)/g, (_, label, target) =>
    target.startsWith('http') ? `${label} (${target})` : label,
  );
}

/**
 * @param {string} paragraph
 * @param {number} width
 * @returns {string[]}
 */
function indent(paragraph, width) {
  const hanging = /^[-*] /.test(paragraph) ? `${INDENT}  ` : INDENT;
  const [first = '', ...rest] = wrap(paragraph, width - hanging.length);
  return [`${INDENT}${first}`, ...rest.map((line) => `${hanging}${line}`)];
}

/**
 * @param {string} text
 * @param {number} width
 * @returns {string[]}
 */
function foot(text, width) {
  const [first = '', ...rest] = wrap(text, width - INDENT.length);
  return [first, ...rest.map((line) => `${INDENT}${line}`)];
}
