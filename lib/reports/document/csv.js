// Renders the tables of a document as CSV (RFC 4180), for spreadsheets: all rows, and figures as numbers. Several tables have an empty line between them.

import { printable } from '../../shared/printable.js';
import { NONE, partsOf, usedColumns } from './blocks.js';

/** @import { Block, Cell, Column, Document, Optional, Table } from './blocks.js' */

/** How a spreadsheet recognizes a formula: such text from a log must not be run. */
const FORMULA = /^[=+@\t\r-]/;

/**
 * @param {Document} document
 * @returns {string} with a line `# no table` where it has none
 */
export function renderCsvDocument({ blocks }) {
  const tables = tablesOf(blocks).map(renderTable);
  return tables.length > 0 ? tables.join('\r\n') : '# no table\r\n';
}

/** @param {Optional[]} blocks @returns {Table[]} in their order */
function tablesOf(blocks) {
  return blocks.flatMap((block) => {
    if (!block) return [];
    if (block.kind === 'section' || block.kind === 'details') return tablesOf(block.blocks);
    return block.kind === 'table' && block.rows.length > 0 ? [/** @type {Table & Block} */ (block)] : [];
  });
}

/** @param {Table} given @returns {string} */
function renderTable(given) {
  const { columns, rows } = usedColumns(given);
  const head = columns.map(({ label, unit }) => field(unit ? `${label} (${unit})` : label));
  const lines = rows.map((row) => row.map((cell, at) => renderCell(cell, columns[at])));
  return [head, ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

/** @param {Cell} cell @param {Column | undefined} column @returns {string} */
function renderCell(cell, column) {
  const isSorted = typeof cell === 'object' && 'shown' in cell;
  const text = partsOf(isSorted ? cell.shown : cell)
    .map((part) => (typeof part === 'string' ? part : part.text))
    .join('');
  if (text === NONE) return '';
  // What pages sort by is the figure itself; thousands are separated by commas where it is only shown.
  if (column?.unit !== undefined && isSorted) return String(cell.sort);
  return field(column?.isNumber && /^\d{1,3}(?:,\d{3})+$/.test(text) ? text.replaceAll(',', '') : text);
}

/** @param {string} text @returns {string} */
function field(text) {
  const line = printable(text);
  const safe = FORMULA.test(line) && !/^-?\d+(?:\.\d+)?$/.test(line) ? `'${line}` : line;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
