// Renders a document for a terminal: no line is wider than it, except for words that are; nothing of the input works on it.

import { printable } from '../../shared/printable.js';
import { countOf } from '../../shared/units.js';
import { createColors } from '../colors.js';
import { wrap as breakLine, displayWidth } from '../display-width.js';
import { renderText } from '../text.js';
import { partsOf, shownOf, usedColumns } from './blocks.js';

/** @import { RenderOptions } from '../report.js' */
/** @import { Colors, Style as Paint } from '../colors.js' */
/** @import { Block, Document, Fact, Inline, Item, Optional, Style, Table } from './blocks.js' */

/** `width`: of sentences; `room`: of tables; `options`: as they were given. @typedef {{colors: Colors, width: number, room: number, options: RenderOptions}} Look */
/** A cell that is printed; `more`: lines of code below it. @typedef {{text: string, width: number, more?: string[]}} Shown */
/** @typedef {{label: string, isNumber: boolean, spare: number | undefined, cells: Shown[], width: number}} Strip */

const USUAL_WIDTH = 80;
const MIN_WIDTH = 40;
/** Longer lines are hard to read, however wide the terminal is. */
const GREATEST_WIDTH = 100;
/** A longer name of a fact pushes its own value only. */
const GREATEST_NAME = 17;
const MARGIN = '  ';
const GAP = '  ';

/** @type {Record<Style, Paint | undefined>} */
const PAINTS = { code: undefined, strong: 'bold', good: 'green', warning: 'yellow', bad: 'red', muted: 'dim' };
/** Blocks that go on in the next line; the others have an empty line around them. @type {Set<Block['kind']>} */
const TIGHT = new Set(['paragraph', 'facts', 'list', 'notes']);

/**
 * @param {Document} document
 * @param {RenderOptions} [options]
 * @returns {string} ending in a line feed
 */
export function renderTextDocument({ lead, facts = [], blocks }, options = {}) {
  const { color = false, width = USUAL_WIDTH } = options;
  const room = Math.max(MIN_WIDTH, width);
  const look = { colors: createColors(color), width: Math.min(room, GREATEST_WIDTH), room, options };
  const head = [...(lead === undefined ? [] : headingLines(lead, look)), ...factLines(facts, look)];
  const all = [head, ...present(blocks).map((block) => blockLines(block, look))];
  return all
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

/** @param {string} text @param {number} width @returns {string[]} no line ends between a number and its unit */
function wrap(text, width) {
  const joined = text.replace(/(\d) (?=(?:[kMGT]?B|µs|ms|s|min|h|%)(?![\w/]))/g, '$1\u00a0');
  return breakLine(joined, width).map((line) => line.replaceAll('\u00a0', ' '));
}

/** @param {Optional[]} blocks @returns {Block[]} */
function present(blocks) {
  return blocks.flatMap((block) => block || []);
}

/**
 * @param {Block} block
 * @param {Look} look
 * @returns {string[]} none where a terminal shows nothing of it
 */
function blockLines(block, look) {
  switch (block.kind) {
    case 'section':
      return block.shownOn === 'all' ? titledLines(block.title, block.blocks, look) : [];
    case 'details':
      return block.isOpen
        ? titledLines(block.summary, block.blocks, look)
        : wrap(print(block.summary, look), look.width);
    case 'paragraph':
      return wrap(print(block.text, look), look.width);
    case 'facts':
      return factLines(block.facts, look);
    case 'list':
      return block.items.flatMap((item, at) =>
        itemLines(item, block.isOrdered ? `${at + 1}.` : block.isCheckList ? '[ ]' : '-', look),
      );
    case 'notes': {
      const word = block.word === 'note' ? block.word : look.colors.yellow(block.word);
      return block.items.flatMap((item) => hang('', `${word}: ${print(item, look)}`, look, MARGIN));
    }
    case 'code':
      return block.text.trimEnd().split('\n').map(printable);
    case 'table':
      return tableLines(block, look);
    case 'findings':
      return block.report.findings.length + block.report.errors.length === 0
        ? []
        : renderText(block.report, look.options).trimEnd().split('\n');
    case 'chart':
      return [];
  }
}

/**
 * @param {Inline} title
 * @param {Optional[]} blocks
 * @param {Look} look
 * @returns {string[]}
 */
function titledLines(title, blocks, look) {
  const inner = { ...look, width: look.width - MARGIN.length, room: look.room - MARGIN.length };
  /** @type {string[]} */
  const lines = [];
  let wasTight = true;
  for (const block of present(blocks)) {
    const own = blockLines(block, inner);
    if (own.length === 0) continue;
    const isTight = TIGHT.has(block.kind) || (block.kind === 'details' && !block.isOpen);
    if (lines.length > 0 && !(isTight && wasTight)) lines.push('');
    lines.push(...own);
    wasTight = isTight;
  }
  if (lines.length === 0) return [];
  return [...headingLines(title, look), ...lines.map((line) => (line === '' ? '' : `${MARGIN}${line}`))];
}

/** @param {Inline} inline @param {Look} look @returns {string[]} bold, but for what has styles of its own */
function headingLines(inline, look) {
  const lines = wrap(print(inline, look), look.width);
  const isStyled = partsOf(inline).some((part) => typeof part !== 'string' && part.as !== 'code');
  return isStyled ? lines : lines.map(look.colors.bold);
}

/**
 * @param {string} head what the first line begins with
 * @param {string} text printed
 * @param {Look} look
 * @param {string} [margin] of the other lines
 * @returns {string[]}
 */
function hang(head, text, { width }, margin = ' '.repeat(displayWidth(head))) {
  const [first = '', ...rest] = wrap(text, width - Math.max(displayWidth(head), margin.length));
  return [`${head}${first}`, ...rest.map((line) => `${margin}${line}`)];
}

/** @param {Fact[]} facts @param {Look} look @returns {string[]} values below each other */
function factLines(facts, look) {
  const widths = facts.map(({ name }) => displayWidth(printable(name))).filter((width) => width <= GREATEST_NAME);
  const column = Math.max(0, ...widths);
  return facts.flatMap(({ name, value }) => {
    const shown = printable(name);
    const gap = ' '.repeat(Math.max(0, column - displayWidth(shown)) + GAP.length);
    return hang(`${look.colors.cyan(shown)}${gap}`, print(value, look), look, ' '.repeat(column + GAP.length));
  });
}

/** @param {Item} item @param {string} sign @param {Look} look @returns {string[]} */
function itemLines(item, sign, look) {
  const [text, below] = typeof item === 'object' && 'item' in item ? [item.item, item.below] : [item, []];
  const margin = ' '.repeat(sign.length + 1);
  return [
    ...hang(`${sign} `, print(text, look), look),
    ...below.flatMap((one) => hang(`${margin}- `, print(one, look), look)),
  ];
}

/** @param {Inline} inline @param {Look} look @returns {string} */
function print(inline, { colors }) {
  return partsOf(inline)
    .map((part) => {
      if (typeof part === 'string') return printable(part);
      const paint = PAINTS[part.as];
      return paint ? colors[paint](printable(part.text)) : printable(part.text);
    })
    .join('');
}

/**
 * @param {Table} given
 * @param {Look} look
 * @returns {string[]} one line a row where there is room; else the name above its figures; else above all that is said of it
 */
function tableLines(given, look) {
  const { caption, columns, rows, most = rows.length, noun = 'row', isNumbered } = usedColumns(given);
  if (rows.length === 0) return [];
  const listed = rows.slice(0, most);
  const all = columns.map(({ label: raw, isNumber = false, isCode, spare }, at) => {
    const label = printable(raw);
    const cells = listed.map((row) => {
      const shown = shownOf(row[at]);
      const text = print(isCode && typeof shown === 'string' ? shown.replaceAll('\t', '  ') : shown, look);
      return { text, width: displayWidth(text) };
    });
    return { label, isNumber, spare, cells, width: widest([...cells, { width: displayWidth(label) }]) };
  });
  const numbers = isNumbered ? listed.map((_, at) => `${String(at + 1).padStart(String(listed.length).length)}  `) : [];
  const source = columns.findIndex(({ isCode }) => isCode);
  if (all[source]) all[source] = breakCode(all[source], look.room - widthOf(all) + all[source].width);
  const { lines, left } = layOut(all, numbers, look);
  const kept = new Set(left.map(({ label }) => label));
  const legends = columns.flatMap(({ label, legend }) => (legend && !kept.has(label) ? [legend] : []));
  const after = [
    ...(rows.length > most ? [`and ${countOf(rows.length - most, `more ${noun}`)}; use --format json for all`] : []),
    ...(legends.length > 0 ? ['', ...legends] : []),
    ...(left.length > 0
      ? [`columns that do not fit: ${left.map(({ label }) => label).join(', ')}; use --format json for all`]
      : []),
  ];
  return [
    ...(caption === undefined ? [] : wrap(printable(caption), look.width)),
    ...lines,
    ...after.flatMap((line) => (line === '' ? [''] : hang('', line, look, MARGIN))),
  ];
}

/**
 * @param {Strip[]} all
 * @param {string[]} numbers of rows, or none
 * @param {Look} look
 * @returns {{lines: string[], left: Strip[]}} `left`: what had no room
 */
function layOut(all, numbers, look) {
  const { room, colors } = look;
  const [number = ''] = numbers;
  const blank = ' '.repeat(number.length);
  const bold = (/** @type {string[]} */ lines) => lines.map(colors.bold);
  const [names, ...others] = all;
  const whole = [all, all.map(narrow)].find((strips) => widthOf(strips) + number.length <= room);
  if (!names || whole) {
    const strips = whole ?? all;
    const lines = (names?.cells ?? []).flatMap((_, at) => rowLines(strips, at, numbers[at] ?? ''));
    return { lines: [...bold(headLines(strips, blank)), ...lines], left: [] };
  }
  const nameLines = (/** @type {number} */ at) => {
    const { text = '' } = names.cells[at] ?? {};
    // Rows of one name are a group.
    if (at > 0 && numbers.length === 0 && names.cells[at - 1]?.text === text) return [];
    const [line = '', ...rest] = wrap(text, room - number.length);
    return [`${numbers[at] ?? ''}${colors.bold(line)}`, ...rest.map((more) => `${blank}${colors.bold(more)}`)];
  };
  const margin = ' '.repeat(Math.max(MARGIN.length * 2, number.length));
  const kept = withoutSpare(
    widthOf(others) + margin.length <= room ? others : others.map(narrow),
    room - margin.length,
  );
  if (widthOf(kept) + margin.length <= room) {
    const labels = new Set(kept.map(({ label }) => label));
    return {
      lines: [
        ...bold([`${blank}${names.label}`, ...headLines(kept, margin)]),
        ...names.cells.flatMap((_, at) => [...nameLines(at), ...rowLines(kept, at, margin)]),
      ],
      left: others.filter(({ label }) => !labels.has(label)),
    };
  }
  const indent = `${blank}${MARGIN}`;
  const lines = names.cells.flatMap((_, at) => [
    ...nameLines(at),
    ...hang(indent, sentenceOf(others, at), { ...look, width: room }, `${indent}${MARGIN}`),
  ]);
  return { lines, left: [] };
}

/** @param {Strip[]} strips @param {number} at @returns {string} what a row says, where it has no room for columns */
function sentenceOf(strips, at) {
  const [head = '', ...said] = strips
    .filter(({ cells }) => cells[at]?.text !== '')
    .map(({ label, isNumber, cells }) => (isNumber ? `${label} ${cells[at]?.text}` : (cells[at]?.text ?? '')));
  return said.length === 0 ? head : `${head}${strips[0]?.isNumber ? ';' : ':'} ${said.join('; ')}`;
}

/** @param {Strip[]} strips @param {number} at @param {string} start @returns {string[]} */
function rowLines(strips, at, start) {
  const line = strips.map((strip) => alignCell(strip, strip.cells[at])).join(GAP);
  const below = ' '.repeat(start.length + Math.max(0, widthOf(strips) - (strips.at(-1)?.width ?? 0)));
  return [`${start}${line}`.trimEnd(), ...(strips.at(-1)?.cells[at]?.more ?? []).map((more) => `${below}${more}`)];
}

/** @param {Strip[]} strips @param {string} start @returns {string[]} labels stand on the lowest line, longer ones begin above */
function headLines(strips, start) {
  const labels = strips.map(({ label, width }) => breakLine(label, width));
  const height = Math.max(...labels.map(({ length }) => length));
  return Array.from({ length: height }, (_, at) => {
    const cells = strips.map((strip, column) => {
      const lines = labels[column] ?? [];
      const text = lines[at - (height - lines.length)] ?? '';
      return alignCell(strip, { text, width: displayWidth(text) });
    });
    return `${start}${cells.join(GAP)}`.trimEnd();
  });
}

/** @param {Strip} strip @returns {Strip} as narrow as its cells, the longest word of its label, and half of that */
function narrow(strip) {
  const words = strip.label.split(' ').map((word) => ({ width: displayWidth(word) }));
  return { ...strip, width: widest([...strip.cells, ...words, { width: Math.ceil(displayWidth(strip.label) / 2) }]) };
}

/** @param {Strip} strip @param {number} room @returns {Strip} longer lines go on below */
function breakCode(strip, room) {
  if (strip.width <= room) return strip;
  const width = Math.max(strip.label.length, room);
  const cells = strip.cells.map(({ text }) => {
    const [first = '', ...more] = text.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [];
    return { text: first, width: displayWidth(first), more };
  });
  return { ...strip, cells, width };
}

/** @param {Strip[]} strips @param {number} room @returns {Strip[]} as many as fit */
function withoutSpare(strips, room) {
  const spares = strips.filter(({ spare }) => spare !== undefined).sort((a, b) => (a.spare ?? 0) - (b.spare ?? 0));
  let kept = strips;
  for (const spare of spares) if (widthOf(kept) > room) kept = kept.filter((strip) => strip !== spare);
  return kept;
}

/** @param {Strip[]} strips @returns {number} */
function widthOf(strips) {
  return strips.reduce((sum, { width }) => sum + width + GAP.length, -GAP.length);
}

/** @param {{width: number}[]} cells @returns {number} */
function widest(cells) {
  return cells.reduce((most, { width }) => Math.max(most, width), 0);
}

/** @param {Strip} strip @param {Shown} [cell] @returns {string} */
function alignCell({ isNumber, width }, cell = { text: '', width: 0 }) {
  const gap = ' '.repeat(Math.max(0, width - cell.width));
  return isNumber ? `${gap}${cell.text}` : `${cell.text}${gap}`;
}
