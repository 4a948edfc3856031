// Makes the formats of a command of its document and of its result: text, JSON, Markdown, CSV and HTML.

import { stringifyJson } from '../stringify-json.js';
import { renderCsvDocument } from './csv.js';
import { renderMarkdownDocument } from './markdown.js';
import { renderTextDocument } from './text.js';

/** @import { Document } from './blocks.js' */
/** @import { Format } from '../index.js' */

/**
 * @template Result
 * @param {(result: Result) => Document} build
 * @param {(result: Result) => unknown} toJson
 * @returns {Map<string, Format<Result>>}
 */
export function documentFormats(build, toJson) {
  return new Map([
    [
      'text',
      {
        description: 'for people',
        endings: ['.txt', '.log'],
        render: async (result, options) => renderTextDocument(build(result), options),
      },
    ],
    [
      'json',
      {
        description: 'the result, nothing rounded',
        endings: ['.json'],
        render: async (result) => stringifyJson(toJson(result)),
      },
    ],
    [
      'markdown',
      {
        description: 'for job summaries and comments',
        endings: ['.md'],
        render: async (result) => renderMarkdownDocument(build(result)),
      },
    ],
    [
      'csv',
      {
        description: 'the tables, for spreadsheets',
        endings: ['.csv'],
        render: async (result) => renderCsvDocument(build(result)),
      },
    ],
    [
      'html',
      {
        description: 'one page with charts',
        endings: ['.html', '.htm'],
        // Brings the charts along: loaded where it is wanted.
        render: async (result) => (await import('./html.js')).renderHtmlDocument(build(result)),
      },
    ],
  ]);
}
