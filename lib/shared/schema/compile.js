// Compiles checks from the JSON schemas of the package. The packed program has them as code
// (test/tools/write-package.js).

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PACKAGE_FOLDER } from '../../package-folder.js';

/** @import ajv from 'ajv' */
/** @import { Options, ValidateFunction } from 'ajv' */

/** The schemas that values are checked against, by name. */
export const SCHEMAS = {
  cases: 'rules/cases.schema.json',
  config: 'share/schemas/config.schema.json',
  digest: 'share/schemas/digest.schema.json',
  plan: 'share/schemas/plan.schema.json',
  rule: 'rules/rule.schema.json',
};

/** The schemas themselves are checked by the tests. Whether the day of a time exists, its reader checks. @type {Options} */
export const OPTIONS = { verbose: true, allowUnionTypes: true, validateSchema: false, validateFormats: false };

/** @type {Map<keyof typeof SCHEMAS, ValidateFunction>} */
const checks = new Map();

/**
 * @param {keyof typeof SCHEMAS} name
 * @returns {ValidateFunction} made once
 */
export function checkOf(name) {
  const known = checks.get(name);
  if (known) return known;
  // Loaded for the first value that is checked: most runs have no configuration, rule or digest of a user.
  const { Ajv } = /** @type {typeof ajv} */ (createRequire(import.meta.url)('ajv'));
  const check = new Ajv({ ...OPTIONS, ...optionsOf(name) }).compile(readSchema(name));
  checks.set(name, check);
  return check;
}

/**
 * @param {keyof typeof SCHEMAS} name
 * @returns {any}
 */
export function readSchema(name) {
  return JSON.parse(readFileSync(path.join(PACKAGE_FOLDER, SCHEMAS[name]), 'utf8'));
}

/**
 * @param {keyof typeof SCHEMAS} name
 * @returns {Options} of what people write, all that is wrong is of use; what a program wrote is sound or is not
 */
export function optionsOf(name) {
  return { allErrors: name !== 'digest' && name !== 'plan' };
}
