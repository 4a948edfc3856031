// Renders a document as GitHub-flavored Markdown, short enough for a comment. Names from the input stay text: no markup, link, mention or HTML can come
// out of them.

import { countOf } from '../../shared/units.js';
import { code, escapeMarkdown, fence, MAX_CHARACTERS, renderErrors, renderFinding, withCode } from '../markdown.js';
import { partsOf, shownOf, usedColumns } from './blocks.js';

/** @import { Report } from '../report.js' */
/** @import { Block, Document, Inline, Item, Optional, Table } from './blocks.js' */

/** Characters around a block: empty lines, headings. */
const FRAME = 50;

/** `used` characters of those that a comment may have; `left` blocks had no room. @typedef {{used: number, left: number}} Room */

/**
 * @param {Document} document
 * @returns {string} at most about 60,000 characters; what is left out is counted
 */
export function renderMarkdownDocument({ title, mark, lead, facts = [], blocks }) {
  const head = [`${mark === undefined ? '' : `<!-- ${mark} -->\n`}## ${escapeMarkdown(title)}`];
  if (lead !== undefined) head.push(`**${inline(lead)}**`);
  if (facts.length > 0) head.push(factItems(facts));
  const room = { used: head.join('\n\n').length, left: 0 };
  const sections = [...head, ...renderBlocks(blocks, 3, room)];
  if (room.left > 0) sections.push(`${countOf(room.left, 'more part')} not shown: the report would be too long.`);
  return `${sections.join('\n\n')}\n`;
}

/**
 * @param {Optional[]} blocks
 * @param {number} level of headings
 * @param {Room} room
 * @returns {string[]}
 */
function renderBlocks(blocks, level, room) {
  return blocks.flatMap((block) => {
    const text = block ? renderBlock(block, level, room) : '';
    if (!block || text === '') return [];
    // Of these it is counted what is in them.
    if (block.kind === 'section' || block.kind === 'details') return [text];
    if (room.used + text.length > MAX_CHARACTERS) {
      room.left += 1;
      return [];
    }
    room.used += text.length + FRAME;
    return [text];
  });
}

/** @param {Block} block @param {number} level @param {Room} room @returns {string} empty where there is nothing to show */
function renderBlock(block, level, room) {
  switch (block.kind) {
    case 'section': {
      const inner = block.shownOn === 'pages' ? [] : renderBlocks(block.blocks, level + 1, room);
      return inner.length === 0 ? '' : [`${'#'.repeat(level)} ${inline(block.title)}`, ...inner].join('\n\n');
    }
    case 'details': {
      const inner = renderBlocks(block.blocks, level + 1, room).join('\n\n');
      if (inner === '') return '';
      return `<details><summary>${inline(block.summary)}</summary>\n\n${inner}\n\n</details>`;
    }
    case 'paragraph':
      return inline(block.text);
    case 'facts':
      return factItems(block.facts);
    case 'list':
      return block.items
        .map((item, at) => renderItem(item, block.isOrdered ? `${at + 1}.` : block.isCheckList ? '- [ ]' : '-'))
        .join('\n');
    case 'notes': {
      const word = block.word === 'note' ? '' : `**${block.word}:** `;
      return block.items.map((item) => `> ${word}${inline(item)}`).join('\n>\n');
    }
    case 'code':
      return fence(block.text.trimEnd(), block.language);
    case 'table':
      return renderTable(block, MAX_CHARACTERS - room.used);
    case 'findings':
      return renderFindings(block.report);
    case 'chart':
      return '';
  }
}

/** @param {Report} report @returns {string} as many findings as leave room for what comes behind them */
function renderFindings({ findings, errors, sources, rules }) {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const sections = errors.length > 0 ? [renderErrors(errors)] : [];
  let length = 0;
  let left = findings.length;
  for (const finding of findings) {
    const detail = renderFinding(finding, { sources }, byId);
    length += detail.length;
    if (length > MAX_CHARACTERS / 2) break;
    if (left === findings.length) sections.push('### New findings');
    sections.push(detail);
    left -= 1;
  }
  if (left > 0) sections.push(`${countOf(left, 'more finding')} not shown here.`);
  return sections.join('\n\n');
}

/** @param {import('./blocks.js').Fact[]} facts @returns {string} */
function factItems(facts) {
  return facts.map(({ name, value }) => `- **${escapeMarkdown(name)}:** ${inline(value, true)}`).join('\n');
}

/** @param {Item} item @param {string} sign @returns {string} */
function renderItem(item, sign) {
  const [text, below] = typeof item === 'object' && 'item' in item ? [item.item, item.below] : [item, []];
  const margin = ' '.repeat(sign.indexOf(' ') === -1 ? sign.length + 1 : 2);
  return [`${sign} ${inline(text)}`, ...below.map((one) => `${margin}- ${inline(one)}`)].join('\n');
}

/** @param {Inline} given @param {boolean} [isBehind] whether a line does not begin with it, where it could be the mark of a list @returns {string} one line */
function inline(given, isBehind = false) {
  return partsOf(given)
    .map((part, at) => {
      if (typeof part === 'string') return isBehind || at > 0 ? withCode(`.${part}`).slice(1) : withCode(part);
      if (part.as === 'code') return code(part.text);
      return part.as === 'muted' ? escapeMarkdown(part.text) : `**${escapeMarkdown(part.text)}**`;
    })
    .join('');
}

/**
 * @param {Table} given
 * @param {number} room characters
 * @returns {string} as many rows as fit
 */
function renderTable(given, room) {
  const { caption, columns, rows, most = rows.length, noun = 'row', isNumbered } = usedColumns(given);
  if (rows.length === 0) return '';
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  const number = (/** @type {string} */ text) => (isNumbered ? [text] : []);
  const lines = [
    ...(caption === undefined ? [] : [escapeMarkdown(caption), '']),
    line([...number('#'), ...columns.map(({ label }) => escapeMarkdown(label))]),
    line([...number('---:'), ...columns.map(({ isNumber }) => (isNumber ? '---:' : '---'))]),
  ];
  let length = lines.join('\n').length + FRAME;
  let shown = 0;
  for (const [at, row] of rows.slice(0, most).entries()) {
    const cells = row.map((cell, column) => {
      const text = shownOf(cell);
      return columns[column]?.isCode ? code(String(text)) : inline(text, true);
    });
    const text = line([...number(String(at + 1)), ...cells]);
    length += text.length + 1;
    if (length > room) break;
    lines.push(text);
    shown += 1;
  }
  const left = rows.length - shown;
  if (left > 0) lines.push('', `${countOf(left, `more ${noun}`)} not shown here.`);
  return lines.join('\n');
}
