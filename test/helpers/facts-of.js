// Reads facts of functions in a design document, in a short form for tables.

import { factCatalog } from '../../lib/facts/catalog.js';
import { createAsk } from '../../lib/facts/collect.js';
import { createSubjects } from '../../lib/facts/subjects.js';
import { SourceFile } from '../../lib/shared/source-file.js';
import { readJson } from '../../lib/sources/design-docs/json.js';

/** @import { Ask, Subject } from '../../lib/facts/fact.js' */

/** Shown for a fact that is unknown. */
export const UNKNOWN = 'cannot be told';

/** @typedef {boolean | number | string | string[]} ShortFact a list is the values of its items */

/**
 * @param {Record<string, unknown>} document of a shop
 * @returns {{subjects: Subject[], ask: Ask}}
 */
export function readDocument(document) {
  const text = JSON.stringify({ _id: '_design/shop', ...document });
  const { records, errors } = readJson(new SourceFile('shop.json', text));
  if (errors.length > 0) throw errors[0];
  return { subjects: createSubjects(records, { version: '3.5.2' }).subjects, ask: createAsk(factCatalog) };
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
