// Compiles checks from the JSON schemas of the package.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PACKAGE_FOLDER } from '../../package-folder.js';

/** @import ajv from 'ajv' */
/** @import { Options, ValidateFunction } from 'ajv' */

/** The schemas that values are checked against, by name. */
const SCHEMAS = {
  cases: 'rules/cases.schema.json',
  config: 'share/schemas/config.schema.json',
  digest: 'share/schemas/digest.schema.json',
  plan: 'share/schemas/plan.schema.json',
  rule: 'rules/rule.schema.json',
};

/** @typedef {keyof typeof SCHEMAS} SchemaName */

/**
 * @param {SchemaName | object} schema one of the package by its name, or itself
 * @returns {ValidateFunction}
 */
export function compileCheck(schema) {
  // Loaded for the first value that is checked: most runs have no configuration, rule or digest of a user.
  const { Ajv } = /** @type {typeof ajv} */ (createRequire(import.meta.url)('ajv'));
  return new Ajv(optionsOf(schema)).compile(typeof schema === 'string' ? readSchema(schema) : schema);
}

/**
 * @param {SchemaName | object} schema
 * @returns {Options} the schemas themselves are checked by the tests; whether the day of a time exists, its reader checks
 */
export function optionsOf(schema) {
  return {
    // Of what people write, all that is wrong is of use; what a program wrote is sound or is not.
    allErrors: schema === 'cases' || schema === 'config' || schema === 'rule',
    ...{ verbose: true, allowUnionTypes: true, validateSchema: false, validateFormats: false },
  };
}

/**
 * @param {SchemaName} name
 * @returns {any}
 */
export function readSchema(name) {
  return JSON.parse(readFileSync(path.join(PACKAGE_FOLDER, SCHEMAS[name]), 'utf8'));
}
