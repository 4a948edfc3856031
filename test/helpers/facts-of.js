// Reads facts of functions in a design document, in a short form for tables.

import { createAsk } from '../../lib/facts/collect.js';
import { createSubjects } from '../../lib/facts/subjects.js';
import { readAnswers } from '../../lib/sources/live/read-answers.js';
import { readServerConfig } from '../../lib/sources/server-config.js';
import { factCatalog, readJson } from './internals.js';
import { SourceFile } from './read-source.js';

/** @import { Ask, Subject } from '../../lib/facts/fact.js' */
/** @import { ReadError, SourceRecord } from '../../lib/sources/record.js' */

/** Shown for a fact that is unknown. */
export const UNKNOWN = 'cannot be told';

/** @typedef {boolean | number | string | string[]} ShortFact a list is the values of its items */

/** @type {[RegExp, (file: SourceFile) => {records: SourceRecord[], errors: ReadError[]}][]} */
const READERS = [
  [/\.ini$/, readServerConfig],
  [/^answers\.json$/, readAnswers],
  [/\.json$/, readJson],
];

/**
 * @param {Record<string, string | object>} files texts, or what JSON files hold, by name; `answers.json` holds what a server answered
 * @param {string} [version] of CouchDB
 * @param {SourceRecord[]} [others] records of what is no file here
 * @returns {{subjects: Subject[], ask: Ask, shortFact: (kind: Subject['kind'], id: string) => unknown}} `shortFact`: of the first subject of that
 *   kind; of a list the values of its items; `UNKNOWN`
 */
export function readFiles(files, version = '3.5.2', others = []) {
  const records = Object.entries(files).flatMap(([name, given]) => {
    const read = READERS.find(([ending]) => ending.test(name))?.[1] ?? readJson;
    const found = read(new SourceFile(name, typeof given === 'string' ? given : JSON.stringify(given)));
    if (found.errors.length > 0) throw found.errors[0];
    return found.records;
  });
  const { subjects } = createSubjects([...records, ...others], { version });
  const ask = createAsk(factCatalog);
  return {
    subjects,
    ask,
    shortFact: (kind, id) => {
      const subject = subjects.find((candidate) => candidate.kind === kind);
      if (!subject) throw new Error(`no ${kind}`);
      return shorten(ask(subject, id));
    },
  };
}

/**
 * @param {Record<string, unknown>} document of a shop
 * @returns {{subjects: Subject[], ask: Ask}}
 */
export function readDocument(document) {
  return readFiles({ 'shop.json': { _id: '_design/shop', ...document } });
}

/**
 * @param {Record<string, unknown>} document
 * @param {'view' | 'filter' | 'validate'} kind the first subject of that kind is used
 * @param {string[]} names of facts, without the kind
 * @returns {Record<string, ShortFact>} by name
 */
export function factsOf(document, kind, names) {
  const { subjects, ask } = readDocument(document);
  const subject = subjects.find((candidate) => candidate.kind === kind);
  if (!subject) throw new Error(`no ${kind}`);
  return Object.fromEntries(names.map((name) => [name, shorten(ask(subject, `${kind}.${name}`))]));
}

/**
 * @param {import('../../lib/facts/fact.js').Fact} fact
 * @returns {ShortFact}
 */
function shorten(fact) {
  if ('unknown' in fact) return UNKNOWN;
  return Array.isArray(fact.value) ? fact.value.map(({ value }) => value) : fact.value;
}
