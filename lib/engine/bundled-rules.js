// Reads the rules that ship with the package. The packed program has them in one file (test/tools/write-package.js).

import { readFileSync } from 'node:fs';
import { BUNDLED_RULES, ruleFiles } from './rule-files.js';

/** @import { Rule } from './rule.js' */

/** Where they are: a folder, or the one file. */
export const RULE_SOURCE = BUNDLED_RULES;

/** @type {Rule[] | undefined} */
let bundled;

/** @returns {readonly Rule[]} as they are written, ordered by id; read once by a process */
export function readBundledRules() {
  bundled ??= ruleFiles(BUNDLED_RULES).map(({ file }) => JSON.parse(readFileSync(file, 'utf8')));
  return bundled;
}
