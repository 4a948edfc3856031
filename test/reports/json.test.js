import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { renderFactsJson } from '../../lib/reports/facts.js';
import fc from '../helpers/property.js';
import { hostileReport, makeReport, RAW_CONTROL, reportAs, shopReport } from '../helpers/sample-report.js';
import { shopSubjects } from '../helpers/sample-subjects.js';

const renderJson = reportAs('json');

/** @typedef {{properties?: Record<string, Schema>, additionalProperties?: unknown, [key: string]: unknown}} Schema */

/**
 * @param {string} name
 * @returns {Schema}
 */
function readSchema(name) {
  return JSON.parse(readFileSync(new URL(`../../share/schemas/${name}.schema.json`, import.meta.url), 'utf8'));
}

/**
 * @param {unknown} schema
 * @param {(schema: Schema) => void} visit called for each object schema with named members
 */
function eachObject(schema, visit) {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties } = /** @type {Schema} */ (schema);
  if (properties && typeof properties === 'object') visit(/** @type {Schema} */ (schema));
  for (const part of Object.values(schema)) eachObject(part, visit);
}

/**
 * @param {string} name
 * @param {{isClosed: boolean}} options `isClosed`: keys that the schema does not document are wrong
 * @returns {(value: unknown) => unknown[]} the faults of a value
 */
function validator(name, { isClosed }) {
  const schema = readSchema(name);
  if (isClosed) {
    eachObject(schema, (part) => {
      part.additionalProperties = false;
    });
  }
  const ajv = new Ajv.default({ allErrors: true, allowUnionTypes: true });
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}

const lintFaults = validator('lint', { isClosed: true });
const factsFaults = validator('facts', { isClosed: true });

test('the report keeps to its schema, which documents every key', async () => {
  expect(lintFaults(JSON.parse(await renderJson(shopReport())))).toEqual([]);
  expect(
    lintFaults(JSON.parse(await renderJson(makeReport({ target: { version: '3.3', engine: 'quickjs' } })))),
  ).toEqual([]);
});

test('facts keep to their schema, which documents every key', () => {
  expect(factsFaults(JSON.parse(renderFactsJson(shopSubjects())))).toEqual([]);
});

test('the schemas allow more keys, as later versions may have', async () => {
  const report = { ...JSON.parse(await renderJson(shopReport())), later: true };
  expect(validator('lint', { isClosed: false })(report)).toEqual([]);
  expect(lintFaults(report)).not.toEqual([]);
});

test.each(['lint', 'facts'])('every key in the schema of %s is described', (name) => {
  /** @type {string[]} */
  const missing = [];
  eachObject(readSchema(name), ({ properties = {} }) => {
    for (const [key, part] of Object.entries(properties)) {
      if (typeof part['description'] !== 'string' && part['$ref'] === undefined) missing.push(key);
    }
  });
  expect(missing).toEqual([]);
});

test.each([
  ['a finding without a key', (/** @type {any} */ report) => delete report.findings[0].key],
  ['a severity of its own', (/** @type {any} */ report) => (report.findings[0].severity = 'fatal')],
  ['a line 0', (/** @type {any} */ report) => (report.findings[0].place.line = 0)],
  ['another version', (/** @type {any} */ report) => (report.version = 2)],
])('the schema refuses %s', async (_, spoil) => {
  const report = JSON.parse(await renderJson(shopReport()));
  spoil(report);
  expect(lintFaults(report)).not.toEqual([]);
});

test('a fix has its id, its title and whether it is safe; a finding without one has no such key', async () => {
  const { findings } = JSON.parse(await renderJson(shopReport()));
  expect('fix' in findings[0]).toBe(false);
  expect(findings[1].fix).toEqual({
    id: 'exact-builtin-name',
    safe: true,
    title: 'Write the exact name of the built-in',
  });
});

test('whatever the input holds, the report reads back as it was and has no control characters', async () => {
  await fc.assert(
    fc.asyncProperty(hostileReport, async (report) => {
      const text = await renderJson(report);
      expect(text).not.toMatch(RAW_CONTROL);
      const read = JSON.parse(text);
      expect(read.findings).toEqual(JSON.parse(JSON.stringify(report.findings)));
      expect(read.errors).toEqual(JSON.parse(JSON.stringify(report.errors)));
      expect(lintFaults(read)).toEqual([]);
    }),
  );
});
