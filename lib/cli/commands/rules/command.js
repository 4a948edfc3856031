// Registers `couch-advisor rules`: its arguments, options and help, and the code that runs it.

import { CONFIG_OPTIONS, DRAFTS_OPTION } from '../../command-options.js';

/** @import { Command } from '../../command.js' */

/** @type {Command} */
export const command = {
  name: 'rules',
  about: 'list the rules, with the severity that each has here',
  parameters: [{ name: '[rules...]', about: 'ids and families, such as call; all by default' }],
  options: [
    { name: 'format', value: '<name>', about: 'text (default) or json', choices: ['text', 'json'] },
    ...CONFIG_OPTIONS,
    { ...DRAFTS_OPTION, about: 'as if drafts were turned on' },
  ],
  notes: `Examples (in a project after npx --no-install):
  couch-advisor rules
  couch-advisor rules call reduce
  couch-advisor rules --format json`,
  load: () => import('./run.js'),
};
