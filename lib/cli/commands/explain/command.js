// Registers `couch-advisor explain`: its arguments, options and help, and the code that runs it.

import { SOURCE_OPTIONS } from '../../command-options.js';

/** @import { Command } from '../../command.js' */

/** @type {Command} */
export const command = {
  name: 'explain',
  about: 'print a rule with its decision tree, or why a finding was reported',
  parameters: [
    { name: '<rule-or-key>', about: 'the id of a rule, or the key of a finding' },
    { name: '[paths...]', about: 'for a key: the files that were linted' },
  ],
  options: SOURCE_OPTIONS,
  notes: `Examples (in a project after npx --no-install):
  couch-advisor explain view/emit-whole-doc
  couch-advisor explain 'view/emit-whole-doc#copies-document:1a2b3c4d5e' ddocs/

\`couch-advisor lint --verbose\` prints the keys.`,
  load: () => import('./run.js'),
};
