// Defines options that several commands share, as data.

import { BARE_ROLES } from '../shared/bare-roles.js';
import { LOG_FORMATS } from '../shared/log-formats.js';

/** @import { OptionSpec } from './command.js' */

export const SEVERITIES = ['error', 'warning', 'info', 'never'];
export const ENGINES = ['spidermonkey-1.8.5', 'spidermonkey-60', 'spidermonkey-78', 'spidermonkey-91', 'quickjs'];

/** @type {OptionSpec[]} */
export const CONFIG_OPTIONS = [
  { name: 'config', value: '<file>', about: 'configuration file; --no-config ignores all' },
  { name: 'no-config', about: 'ignore configuration files', isHidden: true },
];

/** What every command takes that reads sources. @type {OptionSpec[]} */
export const SOURCE_OPTIONS = [
  { name: 'target', value: '<version>', about: 'target CouchDB version (default: as found)' },
  {
    name: 'engine',
    value: '<name>',
    about: 'its JavaScript engine: quickjs, spidermonkey-78, …',
    choices: ENGINES,
  },
  {
    name: 'docs',
    value: '<file>',
    about: 'file or glob of documents to load; may repeat',
    repeats: true,
  },
  { name: 'log', value: '<file>', about: 'query log or glob; - for standard input; may repeat', repeats: true },
  {
    name: 'log-format',
    value: '<name>',
    about: 'as for digest, with --log-field; detected by default',
    choices: LOG_FORMATS,
  },
  { name: 'log-field', value: '<path>', about: 'as for digest; detected by default', isHidden: true },
  ...CONFIG_OPTIONS,
  { name: 'no-cache', about: 'do not read or write the cache' },
  { name: 'stdin-filename', value: '<path>', about: 'path to assume for standard input' },
  { name: 'as', value: '<role>', about: 'what a file with one function is: map, reduce, …', choices: [...BARE_ROLES] },
];

/** @type {OptionSpec} */
export const RULE_OPTION = {
  name: 'rule',
  value: '<id[=severity]>',
  about: 'run only this rule or family, or set its severity',
  repeats: true,
};

/** @type {OptionSpec} */
export const DRAFTS_OPTION = { name: 'drafts', about: 'run the rules that are drafts too' };

/** Of a command whose result is a document. */
export const DOCUMENT_FORMATS = ['text', 'json', 'markdown', 'csv', 'html'];

/**
 * What every command takes that reports something.
 * @param {string[]} names of its formats
 * @returns {OptionSpec[]}
 */
export function outputOptions(names) {
  return [
    { name: 'format', value: '<name>', about: names.join(', '), words: names, repeats: true },
    {
      name: 'output',
      value: '<file>',
      about: 'write a file: format by its ending, or name:file',
      repeats: true,
    },
  ];
}

/** Where `confirm` and `bench` measure. @type {OptionSpec[]} */
export const SERVER_OPTIONS = [
  { name: 'url', value: '<url>', about: 'CouchDB to measure on (default: an embedded server)' },
  { name: 'docker', value: '[image]', about: 'or in a new container; also --podman, --nerdctl' },
  { name: 'podman', value: '[image]', about: 'as --docker', isHidden: true },
  { name: 'nerdctl', value: '[image]', about: 'as --docker', isHidden: true },
  { name: 'in-memory', about: 'keep the data of the container in memory' },
  { name: 'start-timeout', value: '<time>', about: 'time limit for its start (60s)' },
];

/** @type {OptionSpec[]} */
export const COLOR_OPTIONS = [
  { name: 'color', about: 'force colors; --no-color turns them off' },
  { name: 'no-color', about: 'turn colors off', isHidden: true },
];

export const PATHS = { name: '[paths...]', about: 'files, folders or globs; - for standard input' };

/** The exit codes, for help. */
export const EXIT_CODE_NOTES = `Exit codes:
  0  no findings at or above --fail-on
  1  findings
  2  usage or configuration error, or nothing to lint: nothing was done
  3  incomplete: a file, path or server could not be used`;

/** How commands start, for help. */
export const START_NOTES = `In a project, start commands with npx --no-install: it runs the couch-advisor
that is installed there and downloads none. How to install it: docs/install.md`;
