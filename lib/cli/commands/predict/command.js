// Registers `couch-advisor predict`: its arguments, options and help, and the code that runs it.

import { COLOR_OPTIONS, DOCUMENT_FORMATS, outputOptions } from '../../command-options.js';

/** @import { Command } from '../../command.js' */

/** @type {Command} */
export const command = {
  name: 'predict',
  about: 'predict the file size after a load, also with other ids or batch sizes',
  parameters: [{ name: '[docs...]', about: 'files or globs of documents, like --docs' }],
  options: [
    {
      name: 'docs',
      value: '<file>',
      about: 'JSON lines, _bulk_docs bodies or dumps, also .gz; may repeat',
      repeats: true,
    },
    {
      name: 'batch',
      value: '<n,n>',
      about: 'documents per request (as in the file, or 1000), then others to compare',
      repeats: true,
    },
    { name: 'shards', value: '<n>', about: 'shards in the database (q of .ini files, or 2)', isNumber: true },
    { name: 'target', value: '<version>', about: 'CouchDB version, 3.0 to 3.5; the file format is the same' },
    { name: 'count', value: '<n>', about: 'also extrapolate to this many documents', isNumber: true },
    { name: 'views', value: '<path>', about: 'also predict the indexes defined here; may repeat', repeats: true },
    { name: 'docs-per-second', value: '<n>', about: 'documents indexed per second', isNumber: true },
    ...outputOptions(DOCUMENT_FORMATS),
    { name: 'svg', value: '<file>', about: 'also write a chart of file size by batch size, as SVG' },
    ...COLOR_OPTIONS,
  ],
  notes: `Needs no server: it replays what CouchDB writes. For the accuracy see
docs/storage-model.md.

Examples (in a project after npx --no-install):
  couch-advisor predict --docs load.jsonl --batch 1000
  couch-advisor predict load.jsonl.gz --batch 1000,1,100 --svg curve.svg
  couch-advisor predict load.jsonl --count 100000000 --output report.html
  couch-advisor predict load.jsonl --views ddocs/ --count 10000000

Exit codes:
  0  predicted
  2  usage error, or no documents
  3  incomplete: something could not be read; the rest is predicted`,
  load: () => import('./run.js'),
};
