// Registers `couch-advisor rules`: its arguments, options and help, and the code that runs it.

import { CONFIG_OPTIONS } from '../../command-options.js';

/** @import { Command } from '../../command.js' */

/** @type {Command} */
export const command = {
  name: 'rules',
  about: 'list all rules',
  parameters: [],
  options: [
    { name: 'format', value: '<name>', about: 'text (default) or json', choices: ['text', 'json'] },
    ...CONFIG_OPTIONS,
  ],
  notes: `Examples (in a project after npx --no-install):
  couch-advisor rules
  couch-advisor rules --format json`,
  load: () => import('./run.js'),
};
