// Reads the experiments of rules from their folders. Only those that come with the package: an experiment runs functions on a server.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BUNDLED_RULES } from '../../../engine/rule-files.js';

/** @import { Rule } from '../../../engine/rule.js' */
/** @import { Experiment } from '../../../measure/experiments/experiment.js' */

/**
 * @param {Rule[]} rules
 * @returns {Experiment[]} in the order of the rules
 */
export function readExperiments(rules) {
  return rules.flatMap(({ id }) => {
    const file = path.join(BUNDLED_RULES, id, 'experiment.json');
    return existsSync(file) ? [JSON.parse(readFileSync(file, 'utf8'))] : [];
  });
}
