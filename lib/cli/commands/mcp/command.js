// Registers `couch-advisor mcp`: its arguments, options and help, and the code that runs it.

/** @import { Command } from '../../command.js' */

/** @type {Command} */
export const command = {
  name: 'mcp',
  about: 'run the server for assistants (Model Context Protocol), on standard I/O',
  parameters: [
    {
      name: '[folders...]',
      about: 'folders that may be read if the client names none (default: the working directory)',
    },
  ],
  options: [
    { name: 'url', value: '<url>', about: 'a CouchDB that may be read too, with GET only (default: no connection)' },
    { name: 'call', about: 'run one call, read from standard input', isHidden: true },
  ],
  notes: `Tools: lint, explain_rule, prove_reduce, digest_log, advise, upgrade_check,
predict_size. Resources: the pages of the rules and of docs. Writes no file.
For the setup see docs/assistants.md. --call is for the server itself.

Examples (in a project after npx --no-install):
  couch-advisor mcp
  couch-advisor mcp ~/shop/ddocs

Exit codes:
  0  the client has left
  2  started on a terminal, or a folder does not exist`,
  load: () => import('./run.js'),
};
