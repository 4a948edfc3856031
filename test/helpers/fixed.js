// Fixes files as the library does, with the rules alone that offer one fix.

import { expect } from 'vitest';
import { fix, loadRules } from '../../lib/index.js';
import { createProject } from './temporary-project.js';

/**
 * @param {string} id of a fix
 * @param {Record<string, string>} texts by path
 * @returns {Promise<Record<string, string>>} the files that were changed, as they are then
 */
export async function fixedFiles(id, texts) {
  const { rules } = await loadRules();
  const offering = rules.filter(({ outcomes }) => Object.values(outcomes).some((outcome) => outcome.fix === id));
  expect(offering).not.toEqual([]);
  const { cwd } = createProject(texts);
  const { changes } = await fix({ cwd, only: offering.map((rule) => rule.id), unsafe: true });
  return Object.fromEntries(changes.map(({ file, after }) => [file, after]));
}

/**
 * @param {string} id
 * @param {string} text
 * @param {string} [name] of the file
 * @returns {Promise<string | undefined>} undefined where it stays as it is
 */
export async function fixedText(id, text, name = 'orders.json') {
  return (await fixedFiles(id, { [name]: text }))[name];
}

/** Where a function of each kind stands in the text of a design document. @type {Record<string, [string, (document: any) => string]>} */
const PLACES = {
  map: ['"views": { "all": { "map": @ } }', ({ views }) => views.all.map],
  'map of a sum': ['"views": { "all": { "map": @, "reduce": "_sum" } }', ({ views }) => views.all.map],
  filter: ['"filters": { "all": @ }', ({ filters }) => filters.all],
  validate: ['"validate_doc_update": @', (document) => document.validate_doc_update],
};

/** Ways to write one text in JSON: as it is, with every letter escaped, and with tabs and CRLF around it. */
const WRITINGS = [
  (/** @type {string} */ text) => JSON.stringify(text),
  (/** @type {string} */ text) =>
    `"${[...text].map((sign) => (/[a-z;{}"\\\s]/.test(sign) ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}` : sign)).join('')}"`,
  (/** @type {string} */ text) => `\r\n\t${JSON.stringify(text)}\r\n`,
];

/**
 * @param {string} id
 * @param {keyof typeof PLACES} kind
 * @param {string} source of the function
 * @returns {Promise<string | undefined>} the function afterwards, the same however it is written; undefined where it stays as it is
 */
export async function fixedFunction(id, kind, source) {
  const [place = '', find] = PLACES[kind] ?? [];
  const texts = WRITINGS.map((write, at) => [
    `${at}.json`,
    `{ "_id": "_design/d${at}", ${place.replace('@', () => write(source))} }`,
  ]);
  const files = await fixedFiles(id, Object.fromEntries(texts));
  const results = texts.map(([name = '']) => files[name] && find?.(JSON.parse(files[name])));
  expect(results).toEqual(results.map(() => results[0]));
  return results[0];
}
