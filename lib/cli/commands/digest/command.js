// Registers `couch-advisor digest`: its arguments, options and help, and the code that runs it.

import { LOG_FORMATS } from '../../../shared/log-formats.js';
import { COLOR_OPTIONS, DOCUMENT_FORMATS, outputOptions } from '../../command-options.js';

/** @import { Command } from '../../command.js' */

/** @type {Command} */
export const command = {
  name: 'digest',
  about: 'rank the queries in a log by total time',
  parameters: [{ name: '[logs...]', about: 'log files (also .gz) or globs; - for standard input' }],
  options: [
    ...outputOptions([...DOCUMENT_FORMATS, 'prometheus']),
    {
      name: 'log-format',
      value: '<name>',
      about: `${LOG_FORMATS.slice(0, -1).join(', ')} or ${LOG_FORMATS.at(-1)}; detected by default`,
      choices: LOG_FORMATS,
    },
    { name: 'log-field', value: '<path>', about: 'the member of JSON lines that holds the log: jsonPayload.message' },
    { name: 'begin', value: '<time>', about: 'only lines from this time on: 2026-03-02, 2026-03-02T08:05' },
    { name: 'end', value: '<time>', about: 'only lines before this time (UTC without an offset)' },
    {
      name: 'exclude',
      value: '<glob>',
      about: 'leave out these queries: _up, shop/_changes; may repeat',
      repeats: true,
    },
    { name: 'no-fold', about: 'do not group databases whose names share a pattern' },
    { name: 'path-prefix', value: '<path>', about: 'path prefix that a proxy adds' },
    { name: 'keep-values', about: 'show URLs, users and client addresses of example lines' },
    { name: 'threads', value: '<n>', about: 'threads for large logs (one per CPU)', isNumber: true },
    { name: 'merge', about: 'merge digests: the paths are digests; - reads one per line' },
    { name: 'compare', about: 'print what changed from the first log or digest to the last' },
    { name: 'partial', about: 'print the digest on one line, for --merge' },
    { name: 'stdin-filename', value: '<path>', about: 'name of standard input in the digest' },
    {
      name: 'part',
      value: '<n>',
      about:
        'position of standard input among the parts of a file, in file order; or first-line: read it from the first line',
    },
    ...COLOR_OPTIONS,
  ],
  notes: `Examples (in a project after npx --no-install):
  couch-advisor digest /var/log/couchdb/couch.log --output digest.json
  couch-advisor digest 'logs/couch.log*' --begin 2026-03-02 --exclude _up
  journalctl -u couchdb -o short-iso | couch-advisor digest -
  couch-advisor digest --merge node1.json node2.json
  couch-advisor digest --compare monday.json tuesday.log`,
  load: () => import('./run.js'),
};
