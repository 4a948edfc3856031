// Registers `couch-advisor profile`: its arguments, options and help, and the code that runs it.

import { COLOR_OPTIONS, CONFIG_OPTIONS, DOCUMENT_FORMATS, outputOptions, PATHS } from '../../command-options.js';

/** @import { Command } from '../../command.js' */

/** @type {Command} */
export const command = {
  name: 'profile',
  about: 'profile map and reduce functions line by line on sample documents',
  parameters: [PATHS],
  options: [
    {
      name: 'docs',
      value: '<file>',
      about: 'file or glob of sample documents (default: generated); may repeat',
      repeats: true,
    },
    ...CONFIG_OPTIONS,
    { name: 'stdin-filename', value: '<path>', about: 'path to assume for standard input' },
    { name: 'view', value: '<ddoc/view>', about: 'only this view; may repeat', repeats: true },
    { name: 'size', value: '<n>', about: 'documents to take from --docs or to generate (1000)', isNumber: true },
    { name: 'seed', value: '<text>', about: 'seed for generated documents (1)' },
    { name: 'budget', value: '<seconds>', about: 'time per function (3)', isNumber: true },
    { name: 'v8', about: 'also in V8: only for functions that you trust' },
    { name: 'query-server', value: '<command>', about: 'also in this query server, for example couchjs' },
    { name: 'watch-build', value: '<db/ddoc>', about: 'show the build speed of this index on --url instead' },
    { name: 'url', value: '<url>', about: 'server for --watch-build' },
    { name: 'folded', value: '<file>', about: 'write folded stacks, for flame graph tools' },
    { name: 'svg', value: '<file>', about: 'write flame graphs: file.svg, file-2.svg' },
    ...outputOptions(DOCUMENT_FORMATS),
    ...COLOR_OPTIONS,
  ],
  notes: `Examples (in a project after npx --no-install):
  couch-advisor profile ddocs/ --docs orders.jsonl
  couch-advisor profile --docs orders.jsonl --view orders/by_date --svg a.svg
  couch-advisor profile --docs orders.jsonl --query-server 'couchjs main.js'
  couch-advisor profile --watch-build shop/orders --url http://localhost:5984`,
  load: () => import('./run.js'),
};
