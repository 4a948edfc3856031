// Registers `couch-advisor rule`: its arguments, options and help, and the code that runs it.

import { CONFIG_OPTIONS } from '../../command-options.js';

/** @import { Command } from '../../command.js' */

/** @type {Command} */
export const command = {
  name: 'rule',
  about: 'write a rule of your own, and test your rules',
  parameters: [
    { name: '<action>', about: 'new or test', words: ['new', 'test'] },
    { name: '[rules...]', about: 'new: the id of the rule; test: ids and families (all)' },
  ],
  options: CONFIG_OPTIONS,
  notes: `new writes a rule that works and its cases: <family>/<name>/rule.json and
cases.json. They go into the first of the ruleFolders of the configuration, else
into couch-rules.
test checks each rule and runs its cases. Each case is facts and an outcome.
How to write a rule: docs/own-rules.md

Examples (in a project after npx --no-install):
  couch-advisor rule new shop/many-emits
  couch-advisor rule test
  couch-advisor rule test shop

Exit codes: 0 written, or all cases hold; 1 a case fails; 2 a rule is not sound
or a usage error; 3 a file could not be written`,
  load: () => import('./run.js'),
};
