// The checks of values against the schemas of the package. The packed program has the most frequent ones as code
// (test/tools/write-package.js).

import { compileCheck } from './compile.js';

/** @import { ValidateFunction } from 'ajv' */
/** @import { SchemaName } from './compile.js' */

/** @type {Map<SchemaName, ValidateFunction>} */
const checks = new Map();

/**
 * @param {SchemaName} name
 * @returns {ValidateFunction} made once
 */
export function checkOf(name) {
  const check = checks.get(name) ?? compileCheck(name);
  checks.set(name, check);
  return check;
}
