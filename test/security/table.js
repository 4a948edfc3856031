// Reads and writes the table of docs/security.md: family, attempts, failures.

import { FAMILIES } from './families.js';

/** @typedef {{id: string, attempts: number, failures: number}} Row */

const TABLE = /(<!-- attacks -->\n)([\s\S]*?)(<!-- end of attacks -->)/;
const ROW = /^\| `([a-z-]+)` \| .* \| ([\d,]+) \| ([\d,]+) \|$/gm;

/** @param {string} page @returns {Row[]} */
export function readTable(page) {
  const [, , table = ''] = TABLE.exec(page) ?? [];
  return [...table.matchAll(ROW)].map(([, id = '', attempts, failures]) => ({
    id,
    attempts: countOf(attempts),
    failures: countOf(failures),
  }));
}

/**
 * @param {string} page
 * @param {Row[]} fresh replace the rows of the same families; others stay
 * @returns {string} the page
 * @throws {Error} where it has no place for a table
 */
export function withTable(page, fresh) {
  if (!TABLE.test(page)) throw new Error('the page has no place for the table');
  const rows = new Map([...readTable(page), ...fresh].map((row) => [row.id, row]));
  return page.replace(TABLE, (_, begin, __, end) => `${begin}\n${tableOf([...rows.values()])}\n\n${end}`);
}

/** @param {Row[]} rows @returns {string} in the order of the families */
export function tableOf(rows) {
  const lines = FAMILIES.flatMap(({ id, about }) => {
    const row = rows.find((one) => one.id === id);
    return row ? [`| \`${id}\` | ${about} | ${format(row.attempts)} | ${format(row.failures)} |`] : [];
  });
  const sum = (/** @type {'attempts' | 'failures'} */ key) => rows.reduce((total, row) => total + row[key], 0);
  return [
    '| Family | What must hold | Attempts | Failures |',
    '|---|---|---:|---:|',
    ...lines,
    `| | **all** | **${format(sum('attempts'))}** | **${format(sum('failures'))}** |`,
  ].join('\n');
}

/** @param {number} count @returns {string} */
function format(count) {
  return count.toLocaleString('en');
}

/** @param {string | undefined} text with commas @returns {number} */
function countOf(text) {
  return Number((text ?? '0').replaceAll(',', ''));
}
