// Registers `couch-advisor ci`: its arguments, options and help, and the code that runs it.

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

const FORMATS = [...formats.keys(), 'github-review', 'gitlab-review'];

/** @type {Command} */
export const command = {
  name: 'ci',
  about: 'check a change: new findings, and which indexes CouchDB has to rebuild',
  parameters: [PATHS],
  options: [
    { name: 'base', value: '<ref>', about: 'compare with the merge base of HEAD and this ref' },
    { name: 'from', value: '<version>', about: 'judge for this CouchDB version too; may repeat', repeats: true },
    ...SOURCE_OPTIONS,
    { name: 'documents', value: '<n>', about: 'number of documents in the database', isNumber: true },
    { name: 'docs-per-second', value: '<n>', about: 'documents indexed per second', isNumber: true },
    { name: 'database', value: '<name>', about: 'database name, for the deploy commands' },
    { name: 'sizes', value: '<file>', about: 'saved `_info`, or JSON of predict --views; may repeat', repeats: true },
    { name: 'free', value: '<size>', about: 'free disk space, such as 40GB: does the deploy fit?' },
    ...outputOptions(FORMATS),
    {
      name: 'fail-on',
      value: '<severity>',
      about: 'exit with 1 for new findings at: error (default), warning, info; never',
      choices: SEVERITIES,
    },
    { name: 'baseline', value: '<file>', about: 'findings in this file are not new' },
    { name: 'fail-on-stale', about: 'exit with 1 if a finding in the baseline is gone' },
    RULE_OPTION,
    DRAFTS_OPTION,
    ...COLOR_OPTIONS,
  ],
  notes: `The default of --base is GITHUB_BASE_REF, CI_MERGE_REQUEST_DIFF_BASE_SHA,
CI_MERGE_REQUEST_TARGET_BRANCH_NAME or origin/HEAD, in this order. If
GITHUB_STEP_SUMMARY is set, a summary is appended to that file.

Examples (in a project after npx --no-install):
  couch-advisor ci --base main
  couch-advisor ci --format github --output comment.md

Exit codes: as for lint; existing findings do not count`,
  load: () => import('./run.js'),
};
