// The storage model against the sizes that CouchDB 3.4.3 had, row by row; and the tables of docs/storage-model.md, which are made
// from the same figures: `UPDATE_DOCS=1 npx vitest run test/storage-model/accuracy.test.js --config test/vitest.long.config.js` writes them.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { isLong, sample } from '../helpers/long.js';
import { root } from '../helpers/run-cli.js';
import {
  accuracyTable,
  columnsOf,
  compareRow,
  GROWTH_ROWS,
  growthErrors,
  growthTable,
  measuredRows,
  scoreDocuments,
} from '../helpers/storage-model.js';

/** @import { ComparedRow } from '../helpers/storage-model.js' */

const page = path.join(root, 'docs/storage-model.md');
/** What is asked for; what is reached stands in the page. */
const MAX_DEVIATION = 0.15;
/** What is reached, with room for another order of rows. */
const REACHED = 0.005;

/** @type {ComparedRow[]} */
const compared = [];
/** @type {ReturnType<typeof growthErrors>[]} */
const grown = [];

describe('the predicted length of files, against CouchDB 3.4.3', () => {
  const rows = sample(
    measuredRows.filter(({ documents }) => isLong || documents <= 20_000),
    3,
  );
  test.each(rows)('of $documents documents with $ids ids, $batch a request, $q shards', (row) => {
    const result = compareRow(row);
    compared.push(result);
    expect(Math.abs(result.predicted / row.file - 1)).toBeLessThan(MAX_DEVIATION);
    expect(Math.abs(result.predictedCompacted / row.fileCompacted - 1)).toBeLessThan(MAX_DEVIATION);
    expect(Math.abs(result.predicted / row.file - 1)).toBeLessThan(REACHED);
    expect(Math.abs(result.predictedCompacted / row.fileCompacted - 1)).toBeLessThan(REACHED);
    expect(Math.abs(result.predictedActive / row.active - 1)).toBeLessThan(REACHED);
  });

  test('of documents as JSON is that which CouchDB calls external, to the byte', () => {
    for (const row of measuredRows.filter(({ documents }) => documents <= 20_000)) {
      const { externalBytes } = columnsOf(scoreDocuments(row.ids, row.documents));
      expect(externalBytes.reduce((sum, bytes) => sum + bytes, 0)).toBe(row.external);
    }
  });
});

describe.runIf(isLong)('the formula for more documents', () => {
  test.each(GROWTH_ROWS)('with %s ids, %i a request, is near what is replayed', (ids, batch) => {
    const result = growthErrors(ids, batch);
    grown.push(result);
    expect(Math.abs(result.errors.at(-1) ?? 1)).toBeLessThan(0.05);
  });
});

describe.runIf(isLong)('docs/storage-model.md', () => {
  test('has the figures of this run', () => {
    const text = readFileSync(page, 'utf8');
    const fresh = replaceTable(replaceTable(text, 'accuracy', accuracyTable(compared)), 'growth', growthTable(grown));
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, fresh);
    else expect(text).toBe(fresh);
  });
});

/**
 * @param {string} text
 * @param {string} name of the table
 * @param {string} table
 * @returns {string}
 */
function replaceTable(text, name, table) {
  const start = `<!-- table: ${name} -->\n`;
  const end = '<!-- /table -->';
  const from = text.indexOf(start) + start.length;
  return `${text.slice(0, from)}${table}\n${text.slice(text.indexOf(end, from))}`;
}
