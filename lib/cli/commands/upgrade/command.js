// Registers `couch-advisor upgrade`: its arguments, options and help, and the code that runs it.

import {
  COLOR_OPTIONS,
  DOCUMENT_FORMATS,
  ENGINES,
  outputOptions,
  PATHS,
  SEVERITIES,
  SOURCE_OPTIONS,
} from '../../command-options.js';

/** @import { Command } from '../../command.js' */

/** @type {Command} */
export const command = {
  name: 'upgrade',
  about: 'list what another CouchDB version breaks, changes and improves here',
  parameters: [PATHS],
  options: [
    { name: 'from', value: '<version>', about: 'the version that runs now (default: as found)' },
    { name: 'to', value: '<version>', about: 'the version to upgrade to (default: the newest known)' },
    { name: 'from-engine', value: '<name>', about: 'the JavaScript engine that runs now', choices: ENGINES },
    ...SOURCE_OPTIONS.filter(({ name }) => name !== 'target').map((option) =>
      option.name === 'engine' ? { ...option, about: 'the JavaScript engine after the upgrade' } : option,
    ),
    { name: 'url', value: '<url>', about: 'read a CouchDB server or database (read-only)' },
    { name: 'db', value: '<name>', about: 'only this database on the server, or glob; may repeat', repeats: true },
    { name: 'rate', value: '<n>', about: 'maximum requests per second to the server (50)', isNumber: true },
    ...outputOptions(DOCUMENT_FORMATS),
    {
      name: 'fail-on',
      value: '<severity>',
      about: 'exit with 1 at: error (default), warning, info; never',
      choices: SEVERITIES,
    },
    ...COLOR_OPTIONS,
  ],
  notes: `Examples (in a project after npx --no-install):
  couch-advisor upgrade --from 2.3 --to 3.5
  couch-advisor upgrade --from 3.3 --log couch.log --output upgrade.html
  couch-advisor upgrade --url http://localhost:5984

Exit codes:
  0  nothing found at or above --fail-on
  1  something breaks, or has to be done first
  2  usage or configuration error
  3  incomplete: a file, path or server could not be used`,
  load: () => import('./run.js'),
};
