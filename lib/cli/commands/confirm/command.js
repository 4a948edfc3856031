// Registers `couch-advisor confirm`: its arguments, options and help, and the code that runs it.

import {
  COLOR_OPTIONS,
  DOCUMENT_FORMATS,
  DRAFTS_OPTION,
  outputOptions,
  PATHS,
  SERVER_OPTIONS,
  SOURCE_OPTIONS,
} from '../../command-options.js';

/** @import { Command } from '../../command.js' */

/** @type {Command} */
export const command = {
  name: 'confirm',
  about: 'measure whether the advice pays off, on scratch databases',
  parameters: [PATHS],
  options: [
    ...SOURCE_OPTIONS,
    ...SERVER_OPTIONS,
    { name: 'rule', value: '<id>', about: 'only this rule or family; --drafts: drafts too', repeats: true },
    { ...DRAFTS_OPTION, isHidden: true },
    { name: 'all', about: 'run every experiment, with or without a finding' },
    { name: 'plan', value: '<file>', about: 'measure a plan of advise: each step, and all of them' },
    { name: 'max-docs', value: '<n>', about: 'maximum documents per scratch database', isNumber: true },
    { name: 'runs', value: '<n>', about: 'maximum pairs of rounds per experiment', isNumber: true },
    { name: 'budget', value: '<time>', about: 'time limit per experiment: 90, 15s or 2m (60s)' },
    { name: 'connections', value: '<n>', about: 'concurrent connections (1, then 10)', isNumber: true },
    {
      name: 'max-bytes',
      value: '<n>',
      about: 'maximum bytes written in total (1000000000)',
      isNumber: true,
    },
    {
      name: 'sample-from',
      value: '<db>',
      about: 'sample documents of this database, scrambled',
    },
    { name: 'keep-values', about: 'do not scramble the values' },
    { name: 'seed', value: '<text>', about: 'seed for random data and order of runs (1)' },
    ...outputOptions(DOCUMENT_FORMATS),
    { name: 'journal', value: '<file>', about: 'keep every round in this file, as JSON lines' },
    { name: 'resume', about: 'continue the run in that file' },
    { name: 'yes', about: 'run even if the server looks busy or in production' },
    { name: 'clean', about: 'only remove what killed runs left: --url, --docker' },
    ...COLOR_OPTIONS,
  ],
  notes: `Examples (in a project after npx --no-install):
  couch-advisor confirm ddocs/
  couch-advisor confirm --docker=couchdb:3.3,couchdb:3.5 --all
  couch-advisor confirm --docker --plan plan.json

Credentials: COUCHDB_USER and COUCHDB_PASSWORD, or a netrc file

Exit codes: 0 nothing confirmed, 1 confirmed, 2 usage error, 3 incomplete`,
  load: () => import('./run.js'),
};
