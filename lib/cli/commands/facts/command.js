// Registers `couch-advisor facts`: its arguments, options and help, and the code that runs it.

import { COLOR_OPTIONS, PATHS, SOURCE_OPTIONS } from '../../command-options.js';

/** @import { Command } from '../../command.js' */

/** @type {Command} */
export const command = {
  name: 'facts',
  about: 'print the facts that rules can use about each subject',
  parameters: [PATHS],
  options: [
    ...SOURCE_OPTIONS,
    { name: 'format', value: '<name>', about: 'text (default) or json', choices: ['text', 'json'] },
    { name: 'verbose', about: 'print the unknown facts too, by reason' },
    ...COLOR_OPTIONS,
  ],
  notes: `Examples (in a project after npx --no-install):
  couch-advisor facts ddocs/orders.json
  couch-advisor facts --format json ddocs/ > facts.json`,
  load: () => import('./run.js'),
};
