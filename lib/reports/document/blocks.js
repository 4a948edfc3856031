// Defines the document model of reports: a tree of a few blocks, built once from a result, that text.js, markdown.js and html.js render. No block knows
// its format; all names in it are raw, and each renderer escapes them.

/** @import { Report } from '../report.js' */

/** @typedef {'code' | 'strong' | 'good' | 'warning' | 'bad' | 'muted'} Style colors are for terminals only */
/** @typedef {{text: string, as: Style, to?: string}} Span `to`: the `anchor` of a part, to which pages link */
/** @typedef {string | Span | (string | Span)[]} Inline one line; in plain strings, names stand between backticks */

/** @typedef {{name: string, value: Inline}} Fact */
/** @typedef {{kind: 'section', title: Inline, blocks: Optional[], shownOn: 'all' | 'shared' | 'pages'}} Section `shared`: not on a terminal, which shows the details
 *  that Markdown and pages fold up; `pages`: only they have room for it */
/** @typedef {{kind: 'paragraph', text: Inline}} Paragraph */
/** @typedef {{kind: 'facts', facts: Fact[]}} Facts */
/** @typedef {Inline | {item: Inline, below: Inline[]}} Item */
/** @typedef {{kind: 'list', items: Item[], isOrdered: boolean, isCheckList?: boolean}} List */
/** @typedef {{kind: 'notes', items: Inline[], word: 'note' | 'warning' | 'unknown'}} Notes each begins with the word where its looks do not say it */
/** @typedef {{kind: 'code', text: string, language: string}} Code */
/** @typedef {{kind: 'details', summary: Inline, blocks: Optional[], isOpen: boolean, anchor?: string}} Details folded up in Markdown, on pages where not `isOpen`; a terminal shows
 *  only the summary then */

/** @typedef {Inline | {shown: Inline, sort: number}} Cell `sort`: what a page sorts it by */

/**
 * @typedef {object} Column
 * @property {string} label
 * @property {boolean} [isNumber] stands to the right
 * @property {boolean} [isCode] shown with its spaces
 * @property {string} [unit] of what pages sort it by, which CSV has instead of what is shown
 * @property {number} [spare] where a terminal is too narrow, the column with the lowest number is left out first
 * @property {string} [legend] what it means
 */

/**
 * @typedef {object} Table
 * @property {'table'} kind
 * @property {string} [caption]
 * @property {Column[]} columns the first one names the row; those without any figure (`NONE`) are left out
 * @property {Cell[][]} rows
 * @property {number} [most] rows that text and Markdown show
 * @property {string} [noun] of one row, for `and 3 more shapes`
 * @property {boolean} [isSearched] whether pages search and sort it; at most one table of a document
 * @property {boolean} [isNumbered] whether rows have numbers, where they are not sorted by the reader
 */

/**
 * @typedef {object} Chart drawn on pages
 * @property {'chart'} kind
 * @property {'bars' | 'lines' | 'intervals' | 'histogram' | 'flame'} type
 * @property {Record<string, unknown>} data of the function in reports/charts, without size and id
 * @property {string} [caption]
 */

/** @typedef {{kind: 'findings', report: Report}} Findings as `lint` shows them; a page has them behind the document */
/** @typedef {Section | Paragraph | Facts | List | Notes | Code | Details | Table | Chart | Findings} Block */
/** @typedef {Block | false | undefined | null} Optional */

/**
 * @typedef {object} Document
 * @property {string} title of pages and comments; a terminal shows the command itself
 * @property {string} [mark] by which a program that posts comments finds the one that it posted before
 * @property {Inline} [lead] what it says, in a sentence or two
 * @property {Fact[]} [facts] what it rests on
 * @property {Optional[]} blocks
 */

/** What nothing is known of. */
export const NONE = '-';

/** @param {string} text @param {Style} as @returns {Span} */
export const span = (text, as) => ({ text, as });

/** @param {string} text @param {string} to @returns {Span} */
export const link = (text, to) => ({ text, as: 'muted', to });

/** @param {string} text @returns {Span} */
export const code = (text) => ({ text, as: 'code' });

/** @param {Inline} title @param {...Optional} blocks @returns {Section} */
export const section = (title, ...blocks) => ({ kind: 'section', title, blocks, shownOn: 'all' });

/** @param {Inline} title @param {...Optional} blocks @returns {Section} */
export const sharedSection = (title, ...blocks) => ({ kind: 'section', title, blocks, shownOn: 'shared' });

/** @param {Inline} title @param {...Optional} blocks @returns {Section} */
export const pageSection = (title, ...blocks) => ({ kind: 'section', title, blocks, shownOn: 'pages' });

/** @param {Inline} text @returns {Paragraph} */
export const paragraph = (text) => ({ kind: 'paragraph', text });

/** @param {Fact[]} given @returns {Facts} */
export const facts = (given) => ({ kind: 'facts', facts: given });

/** @param {Item[]} items @returns {List} */
export const list = (items) => ({ kind: 'list', items, isOrdered: false });

/** @param {Item[]} items @returns {List} */
export const orderedList = (items) => ({ kind: 'list', items, isOrdered: true });

/** @param {Item[]} items @returns {List} of what is ticked off */
export const checkList = (items) => ({ kind: 'list', items, isOrdered: false, isCheckList: true });

/** @param {Inline[]} items @param {Notes['word']} [word] @returns {Notes} */
export const notes = (items, word = 'note') => ({ kind: 'notes', items, word });

/** @param {string} text @param {string} language @returns {Code} */
export const codeBlock = (text, language) => ({ kind: 'code', text, language });

/** @param {Inline} summary @param {...Optional} blocks @returns {Details} */
export const details = (summary, ...blocks) => ({ kind: 'details', summary, blocks, isOpen: true });

/** @param {Inline} summary @param {...Optional} blocks @returns {Details} */
export const folded = (summary, ...blocks) => ({ kind: 'details', summary, blocks, isOpen: false });

/** @param {Report} report @returns {Findings} */
export const findings = (report) => ({ kind: 'findings', report });

/** @param {Omit<Table, 'kind' | 'columns'> & {columns: (string | Column)[]}} given a column of text has a label alone @returns {Table} */
export const table = ({ columns, ...given }) => ({
  kind: 'table',
  ...given,
  columns: columns.map((column) => (typeof column === 'string' ? { label: column } : column)),
});

/** @param {...string} labels @returns {Column[]} columns of numbers */
export const numbers = (...labels) => labels.map((label) => ({ label, isNumber: true }));

/**
 * @param {Chart['type']} type
 * @param {Record<string, unknown>} data
 * @param {string} [caption]
 * @returns {Chart}
 */
export const chart = (type, data, caption) => ({ kind: 'chart', type, data, ...(caption && { caption }) });

/** @param {Cell | undefined} cell @returns {Inline} */
export function shownOf(cell = '') {
  return typeof cell === 'object' && 'shown' in cell ? cell.shown : cell;
}

/** @param {Inline} inline @returns {(string | Span)[]} */
export function partsOf(inline) {
  return Array.isArray(inline) ? inline : [inline];
}

/**
 * @param {Table} given
 * @returns {Table} without columns that have no figure in any row
 */
export function usedColumns(given) {
  const isUsed = given.columns.map(
    (_, at) => at === 0 || given.rows.some((row) => ![NONE, ''].includes(/** @type {string} */ (shownOf(row[at])))),
  );
  const used = (/** @type {unknown} */ _, /** @type {number} */ at) => isUsed[at];
  return { ...given, columns: given.columns.filter(used), rows: given.rows.map((row) => row.filter(used)) };
}
