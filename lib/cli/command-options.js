// Defines options that several commands share, as data.

import { LOG_FORMATS } from '../shared/log-formats.js';

/** @import { OptionSpec } from './command-table.js' */

export const SEVERITIES = ['error', 'warning', 'info', 'never'];
const ENGINES = ['spidermonkey-1.8.5', 'spidermonkey-60', 'spidermonkey-78', 'spidermonkey-91', 'quickjs'];

/** Those of scenarios/list.js, which is not loaded for the other commands. */
export const SCENARIO_NAMES = ['include-docs', 'bulk-load', 'index-build', 'coupons', 'request-overhead'];

/** @type {OptionSpec[]} */
export const CONFIG_OPTIONS = [
  { name: 'config', value: '<file>', about: 'configuration file; --no-config ignores all' },
  { name: 'no-config', about: 'ignore configuration files', isHidden: true },
];

/** What every command takes that reads sources. @type {OptionSpec[]} */
export const SOURCE_OPTIONS = [
  { name: 'target', value: '<version>', about: 'CouchDB version that advice is for (the newest)' },
  {
    name: 'engine',
    value: '<name>',
    about: 'its JavaScript engine: quickjs, spidermonkey-78, …',
    choices: ENGINES,
  },
  {
    name: 'docs',
    value: '<file>',
    about: 'file or glob of documents to load; may be repeated',
    repeats: true,
  },
  { name: 'log', value: '<file>', about: 'query log or glob; - for standard input; may repeat', repeats: true },
  { name: 'log-format', value: '<name>', about: 'as of digest; detected by default', choices: LOG_FORMATS },
  ...CONFIG_OPTIONS,
  { name: 'no-cache', about: 'take nothing from earlier runs, keep nothing' },
  { name: 'stdin-filename', value: '<path>', about: 'the path that standard input counts as' },
];

/** @type {OptionSpec[]} */
export const COLOR_OPTIONS = [
  { name: 'color', about: 'colours also in a file or pipe; --no-color: none' },
  { name: 'no-color', about: 'no colours', isHidden: true },
];

export const PATHS = { name: '[paths...]', about: 'files, folders or globs; - for standard input' };

/** The exit codes, for help. */
export const EXIT_CODE_NOTES = `Exit codes:
  0  no findings at or above --fail-on
  1  findings
  2  the command line or the configuration is wrong, or nothing was to be judged
  3  something could not be read or written, or holds nothing to judge`;
