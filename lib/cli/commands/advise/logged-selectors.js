// Gives Mango queries of HAR files the values of logged requests. A digest has none, so that the files are read once more.

import { clausesOf } from '../../../advise/find.js';
import { UserError } from '../../../shared/user-error.js';
import { findLogs } from '../../../sources/logs/find-logs.js';
import { MAX_HAR_BYTES, readHarBodies } from '../../../sources/logs/har.js';
import { readAtOnce } from '../../../sources/logs/read-log.js';

/** @import { Statement } from '../../../advise/workload.js' */

/** Of fewer requests it says little that all have the same value. */
const MANY = 100;

/**
 * @param {Statement[]} statements those that are Mango queries are changed
 * @param {string} cwd
 */
export async function addLoggedValues(statements, cwd) {
  /** @type {Map<string, {statement: Statement, line: number}[]>} */
  const byFile = new Map();
  for (const statement of statements) {
    // Of a query whose selector is in the code the log has no body.
    if (!statement.find || statement.call) continue;
    for (const { file, line } of statement.subject.record.examples) {
      byFile.set(file, [...(byFile.get(file) ?? []), { statement, line }]);
    }
  }
  for (const [file, wanted] of byFile) {
    const bodies = await bodiesOf(file, cwd);
    for (const { statement, line } of wanted) {
      const body = /** @type {{selector?: unknown} | null | undefined} */ (bodies.get(line));
      const clauses = statement.find && clausesOf(statement.find, body?.selector);
      if (clauses) statement.find?.examples.push(clauses);
    }
    for (const statement of new Set(wanted.map((one) => one.statement))) addConstants(statement, bodies);
  }
}

/**
 * @param {Statement} statement gets the values that all of its requests have, where there are many and each has a body in this file
 * @param {Map<number, unknown>} bodies
 */
function addConstants({ find, subject: { record } }, bodies) {
  if (!find || record.count < MANY) return;
  const all = [...bodies.values()].flatMap((body) => {
    const { selector } = /** @type {{selector?: unknown}} */ (body ?? {});
    const clauses = clausesOf(find, selector);
    return clauses ? [clauses] : [];
  });
  const [first = []] = all;
  if (all.length < record.count) return;
  const constant = first.filter(
    ({ field, operator, operand }) =>
      operator === 'eq' &&
      all.every((clauses) => clauses.every((one) => one.field !== field || one.operand === operand)),
  );
  find.constants = { requests: record.count, values: new Map(constant.map(({ field, operand }) => [field, operand])) };
}

/** @param {string} file @param {string} cwd @returns {Promise<Map<number, unknown>>} none of a log that is no HAR file */
async function bodiesOf(file, cwd) {
  const { files } = await findLogs([file], cwd);
  const [found] = files;
  if (found?.format !== 'har') return new Map();
  try {
    return readHarBodies(readAtOnce(found, MAX_HAR_BYTES).toString('utf8'));
  } catch (error) {
    // The digest has read it before, and reported what is wrong with it.
    if (error instanceof UserError) return new Map();
    throw error;
  }
}
