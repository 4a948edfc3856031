// The checks of values against the schemas of the package. The packed program has the most frequent ones as code
// (test/tools/write-package.js).

import { compileCheck } from './compile.js';

/** @import { ValidateFunction } from 'ajv' */
/** @import { SchemaName } from './compile.js' */

/** @type {Map<SchemaName | object, ValidateFunction>} */
const checks = new Map();

/**
 * @param {SchemaName | object} schema one of the package by its name, or itself
 * @returns {ValidateFunction} made once
 */
export function checkOf(schema) {
  const check = checks.get(schema) ?? compileCheck(schema);
  checks.set(schema, check);
  return check;
}
