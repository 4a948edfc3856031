// Fixes files as the library does, with the rules alone that offer one fix.

import { expect } from 'vitest';
import { fix, loadRules } from '../../lib/index.js';
import { createProject } from './temporary-project.js';

/**
 * @param {string} id of a fix
 * @param {Record<string, string>} texts by path
 * @returns {Promise<{files: Record<string, string>, reported: Set<string>}>} the files that were changed, as they are then, and those for
 *   which something was found before
 */
async function fixAll(id, texts) {
  const { rules } = await loadRules();
  const offering = rules.filter(({ outcomes }) => Object.values(outcomes).some((outcome) => outcome.fix === id));
  expect(offering).not.toEqual([]);
  const { cwd } = createProject(texts);
  const { report, changes } = await fix({ cwd, only: offering.map((rule) => rule.id), unsafe: true });
  const files = Object.fromEntries(changes.map(({ file, after }) => [file, after]));
  return { files, reported: new Set([...Object.keys(files), ...report.findings.map(({ place }) => place.file)]) };
}

/**
 * @param {string} id of a fix
 * @param {Record<string, string>} texts by path
 * @returns {Promise<Record<string, string>>} the files that were changed, as they are then
 */
export async function fixedFiles(id, texts) {
  return (await fixAll(id, texts)).files;
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
 * Fixes functions, each in a document of its own, in one run.
 * @param {string} id
 * @param {keyof typeof PLACES} kind
 * @param {string[]} sources of the functions
 * @returns {Promise<{after: string | undefined, isReported: boolean}[]>} each afterwards, the same however it is written; undefined where it
 *   stays as it is
 */
export async function fixFunctions(id, kind, sources) {
  const [place = '', find] = PLACES[kind] ?? [];
  const textOf = (/** @type {string} */ source, /** @type {string} */ name, /** @type {number} */ way) =>
    `{ "_id": "_design/${name}", ${place.replace('@', () => WRITINGS[way]?.(source) ?? '')} }`;
  const names = sources.map((_, at) => WRITINGS.map((_, way) => `d${at}-${way}.json`));
  const texts = sources.flatMap((source, at) =>
    WRITINGS.map((_, way) => [`d${at}-${way}.json`, textOf(source, `d${at}-${way}`, way)]),
  );
  const { files, reported } = await fixAll(id, Object.fromEntries(texts));
  return names.map((ways) => {
    const results = ways.map((name) => ({
      after: files[name] && find?.(JSON.parse(files[name])),
      isReported: reported.has(name),
    }));
    const [first = { after: undefined, isReported: false }] = results;
    expect(results).toEqual(results.map(() => first));
    return first;
  });
}

/**
 * @param {string} id
 * @param {keyof typeof PLACES} kind
 * @param {string} source of the function
 * @returns {Promise<string | undefined>} the function afterwards; undefined where it stays as it is
 */
export async function fixedFunction(id, kind, source) {
  return (await fixFunctions(id, kind, [source]))[0]?.after;
}
