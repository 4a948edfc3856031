// `couch-advisor rule new`: writes a rule that works, with its cases, to start from.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readBundledRules } from '../../../engine/bundled-rules.js';
import { PACKAGE_FOLDER } from '../../../package-folder.js';
import { printable } from '../../../shared/printable.js';
import { UserError } from '../../../shared/user-error.js';
import { EXIT } from '../../exit-codes.js';
import { pathFrom } from '../../prepare.js';
import { writeNewFile } from '../../write-file.js';

/** @import { Surroundings } from '../../main.js' */

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
export async function newRule(ids, ruleFolders, { cwd, stdout }) {
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
