// `couch-advisor rule`: writes a rule of the user with its cases, and runs the cases of such rules.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readBundledRules } from '../../../engine/bundled-rules.js';
import { PACKAGE_FOLDER } from '../../../package-folder.js';
import { nearest } from '../../../shared/nearest.js';
import { printable } from '../../../shared/printable.js';
import { UserError } from '../../../shared/user-error.js';
import { loadConfig } from '../../config.js';
import { EXIT } from '../../exit-codes.js';
import { pathFrom } from '../../prepare.js';
import { writeNewFile } from '../../write-file.js';
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

// `couch-advisor rule new`: writes a rule that works, with its cases, to start from.

/** Where no configuration names a folder of rules. */
const USUAL_FOLDER = 'couch-rules';
const ID = /^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/;

/**
 * @param {string[]} ids the id of the rule
 * @param {string[]} ruleFolders of the configuration, absolute
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 * @throws {UserError} where the id cannot be used, or a file cannot be written
 */
async function newRule(ids, ruleFolders, { cwd, stdout }) {
  const [id = ''] = ids;
  if (ids.length !== 1 || !ID.test(id)) {
    throw new UserError('bad-rule-id', 'rule new requires one id: a family and a name, in lower case', {
      hint: 'for example: npx --no-install couch-advisor rule new shop/many-emits',
    });
  }
  const fault = new UserError('rule-exists', `rule \`${id}\` already exists`, { hint: 'choose another name' });
  if (readBundledRules().some((rule) => rule.id === id)) throw fault;
  const rules = ruleFolders[0] ?? path.join(cwd, USUAL_FOLDER);
  const folder = path.join(rules, id);
  const schema = pathFrom(folder, path.join(cwd, 'node_modules/couch-advisor/rules/rule.schema.json'));
  for (const name of ['rule.json', 'cases.json']) {
    const text = readFileSync(path.join(PACKAGE_FOLDER, 'share/templates/rule', name), 'utf8');
    const file = pathFrom(cwd, path.join(folder, name));
    if (!writeNewFile(cwd, { path: file, text: text.replace('FAMILY/NAME', id).replace('SCHEMA', schema) }))
      throw fault;
    stdout.write(`wrote ${printable(file)}\n`);
  }
  const steps = [
    ...(ruleFolders.length > 0 ? [] : [`Add to couch-advisor.config.json: "ruleFolders": ["${USUAL_FOLDER}"]`]),
    'Change the question and the texts; `npx --no-install couch-advisor facts FILE` prints the facts of your files.',
    `Run its cases: npx --no-install couch-advisor rule test ${id}`,
  ];
  stdout.write(steps.map((step) => `${step}\n`).join(''));
  return EXIT.CLEAN;
}
