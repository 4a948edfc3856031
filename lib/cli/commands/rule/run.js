// `couch-advisor rule`: writes a rule of the user with its cases, and runs the cases of such rules.

import { nearest } from '../../../shared/nearest.js';
import { UserError } from '../../../shared/user-error.js';
import { loadConfig } from '../../config.js';
import { newRule } from './new-rule.js';
import { testRules } from './test-rules.js';

/** @import { Surroundings } from '../../main.js' */

/** What each does. @type {Record<string, typeof newRule>} */
const ACTIONS = { new: newRule, test: testRules };

/**
 * @param {{config?: string | boolean}} options
 * @param {string[]} given the action, then ids of rules
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 * @throws {UserError} where there is no such action or rule, or a file cannot be written
 */
export async function run(options, [name = '', ...ids], surroundings) {
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!action) {
    const guess = nearest(name, Object.keys(ACTIONS));
    throw new UserError('bad-choice', `unknown action \`${name}\``, {
      hint: guess ? `did you mean \`rule ${guess}\`?` : '`rule new` writes a rule, `rule test` runs cases',
    });
  }
  const { ruleFolders } = await loadConfig({ cwd: surroundings.cwd, config: options.config });
  return action(ids, ruleFolders, surroundings);
}
