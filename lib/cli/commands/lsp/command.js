// Registers `couch-advisor lsp`: its arguments, options and help, and the code that runs it.

import { CONFIG_OPTIONS } from '../../command-options.js';

/** @import { Command } from '../../command.js' */

/** @type {Command} */
export const command = {
  name: 'lsp',
  about: 'run the language server for editors, on standard input and output',
  parameters: [],
  options: [...CONFIG_OPTIONS, { name: 'stdio', about: 'accepted and ignored: standard I/O is the only transport' }],
  notes: `Findings as you type, hovers with the rule and its proof, code actions for fixes
and ignores. For editor settings see docs/editors.md.

Examples (in a project after npx --no-install):
  couch-advisor lsp

Exit codes:
  0  the editor sent \`shutdown\` and \`exit\`
  1  the editor disconnected without \`shutdown\`
  2  the input is not the language server protocol`,
  load: () => import('./run.js'),
};
