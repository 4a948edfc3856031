// Registers `couch-advisor lint`: its arguments, options and help, and the code that runs it.

import { formats } from '../../../reports/index.js';
import {
  COLOR_OPTIONS,
  DRAFTS_OPTION,
  outputOptions,
  PATHS,
  RULE_OPTION,
  SEVERITIES,
  SOURCE_OPTIONS,
} from '../../command-options.js';

/** @import { Command } from '../../command.js' */

const FORMATS = [...formats.keys()];

/** @type {Command} */
export const command = {
  name: 'lint',
  about: 'check design documents, application code, Mango indexes, configuration',
  parameters: [PATHS],
  options: [
    ...SOURCE_OPTIONS,
    ...outputOptions(FORMATS),
    {
      name: 'fail-on',
      value: '<severity>',
      about: 'exit with 1 at: error (default), warning, info; never',
      choices: SEVERITIES,
    },
    { name: 'max-warnings', value: '<n>', about: 'exit with 1 if there are more warnings than this', isNumber: true },
    RULE_OPTION,
    DRAFTS_OPTION,
    { name: 'fix', about: 'apply safe fixes; --fix-unsafe: all of them' },
    { name: 'fix-unsafe', about: 'apply all fixes, even those that can change results', isHidden: true },
    { name: 'fix-dry-run', about: 'print the fixes as a diff, change no file' },
    { name: 'baseline', value: '<file>', about: 'report only findings that are not in this file' },
    { name: 'write-baseline', value: '<file>', about: 'write all findings to this file and exit' },
    { name: 'deployed', value: '<file>', about: 'versions in production, to find index rebuilds', repeats: true },
    { name: 'staged', about: 'lint only the files staged in git, as staged' },
    { name: 'ignore-unknown', about: 'skip paths that hold nothing to lint' },
    { name: 'url', value: '<url>', about: 'lint a CouchDB server or database (read-only)' },
    { name: 'db', value: '<name>', about: 'only this database on the server, or glob; may repeat', repeats: true },
    {
      name: 'per-pattern',
      value: '<n>',
      about: 'databases of one name pattern to read in full (100)',
      isNumber: true,
    },
    { name: 'sample-from', value: '<db>', about: 'run functions on documents of this database' },
    { name: 'rate', value: '<n>', about: 'maximum requests per second to the server (50)', isNumber: true },
    { name: 'record', value: '<file>', about: 'save its responses to lint them; --resume continues' },
    { name: 'resume', about: 'continue an interrupted run with --record', isHidden: true },
    { name: 'watch', about: 'lint again on every change' },
    { name: 'print-config', value: '<file>', about: 'print the effective configuration for a file' },
    { name: 'debug', about: 'print why each file was read or skipped' },
    { name: 'timing', about: 'print the time per stage, rule and fact' },
    { name: 'quiet', about: 'print errors only, and no summary' },
    { name: 'verbose', about: 'print everything: keys, skipped paths, unknowns' },
    ...COLOR_OPTIONS,
  ],
  notes: `Examples (in a project after npx --no-install):
  couch-advisor lint --url http://localhost:5984/shop
Exit codes: 0 clean, 1 findings from --fail-on up, 2 usage error, 3 incomplete`,
  load: () => import('./run.js'),
};
