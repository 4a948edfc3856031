// Registers `couch-advisor init`: its arguments, options and help, and the code that runs it.

import { COLOR_OPTIONS } from '../../command-options.js';

/** @import { Command } from '../../command.js' */

/** @type {Command} */
export const command = {
  name: 'init',
  about: 'set up this project: configuration, git hook and CI workflow',
  parameters: [],
  options: [
    { name: 'yes', about: 'write without confirmation' },
    { name: 'dry-run', about: 'only show what would be written' },
    ...COLOR_OPTIONS,
  ],
  notes: `Looks for design documents, logs, loads, package.json, .github, .gitlab-ci.yml,
.pre-commit-config.yaml, husky and lint-staged, shows each new file as a diff
and prompts before writing it. Existing files are never overwritten.

Examples (in a project after npx --no-install):
  couch-advisor init
  couch-advisor init --yes

Exit codes:
  0  files written, or nothing to write
  2  no terminal for the confirmation: use --yes
  3  a file could not be written`,
  load: () => import('./run.js'),
};
