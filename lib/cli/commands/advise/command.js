// Registers `couch-advisor advise`: its arguments, options and help, and the code that runs it.

import { COLOR_OPTIONS, DOCUMENT_FORMATS, outputOptions, PATHS, SOURCE_OPTIONS } from '../../command-options.js';

/** @import { Command } from '../../command.js' */

/** @type {Command} */
export const command = {
  name: 'advise',
  about: 'propose the indexes and view changes that save a logged workload most',
  parameters: [PATHS],
  options: [
    ...SOURCE_OPTIONS,
    { name: 'url', value: '<url>', about: 'read indexes and document counts of a CouchDB (read-only)' },
    { name: 'db', value: '<name>', about: 'only this database, or glob; may repeat', repeats: true },
    { name: 'sample-from', value: '<db>', about: 'sample documents from this database of --url' },
    { name: 'documents', value: '<n>', about: 'number of documents in the database', isNumber: true },
    { name: 'docs-per-second', value: '<n>', about: 'documents indexed per second', isNumber: true },
    { name: 'disk', value: '<size>', about: 'maximum disk space for new indexes: 2GB' },
    { name: 'max-indexes', value: '<n>', about: 'maximum number of new indexes', isNumber: true },
    { name: 'write-cost', value: '<percent>', about: 'maximum share of logged time for index updates: 10%' },
    { name: 'free', value: '<size>', about: 'free disk space of the server: 40GB' },
    ...outputOptions(DOCUMENT_FORMATS),
    { name: 'write', value: '<folder>', about: 'write the index and design documents there; overwrites nothing' },
    { name: 'since', value: '<plan>', about: 'compare what this plan promised with --log, the log after the change' },
    { name: 'begin', value: '<time>', about: 'with --since: when the change was deployed (default: end of its logs)' },
    ...COLOR_OPTIONS,
  ],
  notes: `Examples (in a project after npx --no-install):
  couch-advisor advise --log couch.log --docs orders.jsonl --documents 2000000
  couch-advisor advise --log shop.har --docs orders.jsonl --write plan/
  couch-advisor advise --log couch.log --docs o.jsonl --output plan.json
  couch-advisor advise --since plan.json --log new.log

confirm --plan plan.json measures the plan.
Exit codes: 0 a plan was made, 2 usage error, 3 incomplete`,
  load: () => import('./run.js'),
};
