// Defines the command `advise` with its options, as data.

import { COLOR_OPTIONS, PATHS, SOURCE_OPTIONS } from './command-options.js';

/** @import { CommandSpec } from './command-table.js' */

const FORMATS = ['text', 'json', 'markdown', 'html'];

/** @type {CommandSpec} */
export const ADVISE_COMMAND = {
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
    { name: 'write-cost', value: '<percent>', about: 'maximum time for index updates, of all logged time: 10%' },
    { name: 'free', value: '<size>', about: 'free disk space of the server: 40GB' },
    { name: 'format', value: '<name>', about: 'text (default), json, markdown or html', choices: FORMATS },
    { name: 'output', value: '<file>', about: 'also write the plan to this file, as JSON where --format is text' },
    { name: 'write', value: '<folder>', about: 'write the index and design documents there; overwrites nothing' },
    ...COLOR_OPTIONS,
  ],
  notes: `Examples:
  couch-advisor advise --log couch.log --docs orders.jsonl --documents 2000000
  couch-advisor advise --log shop.har --docs orders.jsonl --disk 2GB --write plan/
  couch-advisor advise --log couch.log --docs orders.jsonl --output plan.json
  couch-advisor confirm --plan plan.json --url http://localhost:5984

Exit codes: 0 a plan was made, 2 usage error, 3 something could not be read or written`,
};
