// Registers `couch-advisor bench`: its arguments, options and help, and the code that runs it.

import { COLOR_OPTIONS, DOCUMENT_FORMATS, outputOptions, SERVER_OPTIONS } from '../../command-options.js';

/** @import { Command } from '../../command.js' */

/** Those of scenarios/list.js, which is not loaded for the other commands. */
const SCENARIO_NAMES = ['include-docs', 'bulk-load', 'index-build', 'coupons', 'request-overhead'];

/** @type {Command} */
export const command = {
  name: 'bench',
  about: 'repeat classic CouchDB benchmarks and compare with the published figures',
  parameters: [{ name: '[name]', about: 'scenario; without one, lists all with their options', words: SCENARIO_NAMES }],
  options: [
    ...SERVER_OPTIONS,
    { name: 'full', about: 'use the published sizes instead of small ones' },
    { name: 'size', value: '<n>', about: 'number of documents', isNumber: true },
    { name: 'large-size', value: '<n>', about: 'number of documents of the larger size', isNumber: true },
    { name: 'document-bytes', value: '<n,n>', about: 'the two document sizes in bytes' },
    { name: 'rounds', value: '<n>', about: 'rounds per variant', isNumber: true },
    { name: 'batch', value: '<n>', about: 'documents per request in a load', isNumber: true },
    { name: 'batches', value: '<n,n>', about: 'batch sizes for the curve' },
    { name: 'pages', value: '<n,n>', about: 'page sizes in rows' },
    { name: 'shards', value: '<n,n>', about: 'shard counts to compare' },
    { name: 'shard-count', value: '<n>', about: 'shards per database', isNumber: true },
    { name: 'requests', value: '<n>', about: 'requests per round, or per connection', isNumber: true },
    { name: 'connections', value: '<n>', about: 'concurrent connections', isNumber: true },
    { name: 'pause', value: '<seconds>', about: 'pause before each round', isNumber: true },
    { name: 'before', value: '<command>', about: 'command that puts the server into its state before the change' },
    { name: 'after', value: '<command>', about: 'command that puts it into its state after the change' },
    { name: 'blocks', about: 'run all rounds before, then all after' },
    { name: 'other-url', value: '<url>', about: 'second server, which has the change' },
    { name: 'query-server', value: '<command>', about: 'measure this query server alone; may repeat', repeats: true },
    { name: 'timeout', value: '<seconds>', about: 'timeout for a response of the query server', isNumber: true },
    { name: 'docs', value: '<file>', about: 'use your own documents; may repeat', repeats: true },
    { name: 'change-config', about: 'include runs that change a setting; it is restored' },
    { name: 'seed', value: '<text>', about: 'seed for random data (1)' },
    ...outputOptions(DOCUMENT_FORMATS),
    { name: 'svg', value: '<file>', about: 'write the charts: file.svg, file-2.svg' },
    { name: 'yes', about: 'run even if the server looks busy' },
    ...COLOR_OPTIONS,
  ],
  notes: `Examples (in a project after npx --no-install):
  couch-advisor bench include-docs
  couch-advisor bench bulk-load --full --url http://localhost:5984
  couch-advisor bench index-build --query-server couchpy

Credentials: COUCHDB_USER and COUCHDB_PASSWORD, or a netrc file`,
  load: () => import('./run.js'),
};
