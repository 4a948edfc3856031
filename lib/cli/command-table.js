// What can be typed: commands with their arguments, options and examples, as data. Parses nothing and runs nothing.

import { nearest } from '../shared/nearest.js';
import { UserError } from '../shared/user-error.js';

/**
 * @typedef {object} OptionSpec
 * @property {string} name without the leading hyphens; one that begins with `no-` sets the name behind it to false
 * @property {string} [value] what stands behind it, as help shows it; a switch where absent
 * @property {string} about
 * @property {string[]} [choices]
 * @property {boolean} [repeats] whether it may be given more than once and then is a list
 * @property {boolean} [isNumber]
 */

/**
 * @typedef {object} CommandSpec
 * @property {string} name
 * @property {string} about
 * @property {{name: string, about: string}[]} parameters in the notation of help: `<one>`, `[many...]`
 * @property {OptionSpec[]} options
 * @property {string} notes what stands below the options in help
 */

/** @typedef {string | boolean | number | string[]} OptionValue */

const SEVERITIES = ['error', 'warning', 'info', 'never'];
const ENGINES = ['spidermonkey-1.8.5', 'spidermonkey-60', 'spidermonkey-78', 'spidermonkey-91', 'quickjs'];

/** Those of sources/logs/formats.js, which is not loaded for the other commands. */
const LOG_FORMATS = [
  'couchdb',
  'couchdb-syslog',
  'couchdb-journal',
  'couchdb-1x',
  'combined',
  'combined-seconds',
  'combined-micros',
  'haproxy',
  'har',
];

/** @type {OptionSpec[]} */
const CONFIG_OPTIONS = [
  { name: 'config', value: '<file>', about: 'configuration file' },
  { name: 'no-config', about: 'ignore configuration files' },
];

/** What every command takes that reads sources. @type {OptionSpec[]} */
const SOURCE_OPTIONS = [
  { name: 'target', value: '<version>', about: 'CouchDB version that advice is for (the newest)' },
  {
    name: 'engine',
    value: '<name>',
    about: 'its JavaScript engine: spidermonkey-1.8.5, -60, -78, -91 or quickjs',
    choices: ENGINES,
  },
  {
    name: 'docs',
    value: '<file>',
    about: 'file or glob of documents to load; may be repeated',
    repeats: true,
  },
  { name: 'log', value: '<file>', about: 'query log or glob; - for standard input; may repeat', repeats: true },
  { name: 'log-format', value: '<name>', about: 'as of digest; found out otherwise', choices: LOG_FORMATS },
  ...CONFIG_OPTIONS,
  { name: 'no-cache', about: 'prove every reduce anew' },
  { name: 'stdin-filename', value: '<path>', about: 'the path that standard input counts as' },
];

/** @type {OptionSpec[]} */
const COLOR_OPTIONS = [
  { name: 'color', about: 'colours even where the output is no terminal' },
  { name: 'no-color', about: 'no colours' },
];

const PATHS = { name: '[paths...]', about: 'files, folders or globs; - for standard input' };

/** The exit codes, for help. */
export const EXIT_CODE_NOTES = `Exit codes:
  0  nothing found at or above --fail-on
  1  findings
  2  the command line or the configuration cannot be used, or nothing was found
     to judge
  3  something could not be read or written, or a path that was named holds
     nothing to judge; the rest is still judged`;

/** @type {CommandSpec[]} */
export const COMMANDS = [
  {
    name: 'lint',
    about: 'judge design documents, Mango indexes and configuration files',
    parameters: [PATHS],
    options: [
      ...SOURCE_OPTIONS,
      {
        name: 'format',
        value: '<name[=file]>',
        about: 'text, json, sarif, github, junit, gitlab or markdown; may be repeated',
        repeats: true,
      },
      { name: 'output', value: '<file>', about: 'write the last --format to a file' },
      {
        name: 'fail-on',
        value: '<severity>',
        about: 'exit 1 from error (default), warning, info; or never',
        choices: SEVERITIES,
      },
      { name: 'max-warnings', value: '<n>', about: 'exit with 1 when there are more warnings', isNumber: true },
      { name: 'rule', value: '<id>', about: 'only this rule; may be repeated', repeats: true },
      { name: 'fix', about: 'apply safe fixes' },
      { name: 'fix-unsafe', about: 'apply all fixes, also those that change results' },
      { name: 'fix-dry-run', about: 'print what the fixes would change as a diff' },
      { name: 'baseline', value: '<file>', about: 'report only findings that are not in this file' },
      { name: 'write-baseline', value: '<file>', about: 'write all findings to this file, report none' },
      { name: 'quiet', about: 'only errors, and not what was read' },
      { name: 'verbose', about: 'also what was skipped or could not be told, and keys' },
      ...COLOR_OPTIONS,
    ],
    notes: `Examples:
  couch-advisor lint                              all that is below this folder
  couch-advisor lint ddocs/ local.ini             these
  couch-advisor lint --fix-dry-run | git apply    safe fixes as a patch
  couch-advisor lint --format text --format sarif=advisor.sarif
  curl -s $URL/shop/_design/orders | couch-advisor lint -

${EXIT_CODE_NOTES}`,
  },
  {
    name: 'explain',
    about: 'print the page and the tree of a rule, or the path a finding took',
    parameters: [
      { name: '<rule-or-key>', about: 'the id of a rule, or the key of a finding' },
      { name: '[paths...]', about: 'for a key: where the finding is' },
    ],
    options: SOURCE_OPTIONS,
    notes: `Examples:
  couch-advisor explain view/emit-whole-doc
  couch-advisor explain 'view/emit-whole-doc#copies-document:1a2b3c4d5e' ddocs/

\`couch-advisor lint --verbose\` prints the keys.`,
  },
  {
    name: 'facts',
    about: 'print every subject with its facts, as rules see them',
    parameters: [PATHS],
    options: [
      ...SOURCE_OPTIONS,
      { name: 'format', value: '<name>', about: 'text (default) or json', choices: ['text', 'json'] },
      ...COLOR_OPTIONS,
    ],
    notes: `Examples:
  couch-advisor facts ddocs/orders.json
  couch-advisor facts --format json ddocs/ > facts.json`,
  },
  {
    name: 'digest',
    about: 'rank the queries of a log by the time they took',
    parameters: [{ name: '[logs...]', about: 'logs, .gz too, or globs; - for standard input' }],
    options: [
      { name: 'format', value: '<name>', about: 'text (default) or json', choices: ['text', 'json'] },
      { name: 'output', value: '<file>', about: 'also write the digest to this file, as JSON' },
      {
        name: 'log-format',
        value: '<name>',
        about:
          'couchdb, couchdb-1x, couchdb-syslog, couchdb-journal, combined, combined-seconds, combined-micros, haproxy or har; found out where it is not given',
        choices: LOG_FORMATS,
      },
      { name: 'no-fold', about: 'tell databases of one pattern apart' },
      { name: 'path-prefix', value: '<path>', about: 'what a proxy puts before the paths' },
      { name: 'keep-values', about: 'show targets, users and peers of example lines' },
      { name: 'threads', value: '<n>', about: 'how many read large logs (one a processor)', isNumber: true },
      { name: 'merge', about: 'put digests together; the paths are digests, - stands for one a line' },
      { name: 'partial', about: 'print the digest on one line, for --merge' },
      { name: 'stdin-filename', value: '<path>', about: 'the name of standard input in the digest' },
      ...COLOR_OPTIONS,
    ],
    notes: `Examples:
  couch-advisor digest /var/log/couchdb/couch.log --output digest.json
  couch-advisor digest 'logs/couch.log*'
  journalctl -u couchdb -o short-iso | couch-advisor digest -
  couch-advisor digest --merge node1.json node2.json`,
  },
  {
    name: 'confirm',
    about: 'measure what findings say, on scratch databases of a server',
    parameters: [PATHS],
    options: [
      ...SOURCE_OPTIONS,
      { name: 'url', value: '<url>', about: 'a CouchDB to measure on (an embedded server)' },
      { name: 'rule', value: '<id>', about: 'only this rule; may be repeated', repeats: true },
      { name: 'all', about: 'every experiment, whether its rule found something or not' },
      { name: 'size', value: '<n>', about: 'documents in a scratch database', isNumber: true },
      { name: 'runs', value: '<n>', about: 'pairs of rounds of an experiment, at most', isNumber: true },
      { name: 'budget', value: '<seconds>', about: 'time for each experiment (30)', isNumber: true },
      { name: 'connections', value: '<n>', about: 'connections that send at once (1)', isNumber: true },
      { name: 'seed', value: '<text>', about: 'another one gives other data and orders (1)' },
      { name: 'format', value: '<name>', about: 'text (default) or json', choices: ['text', 'json'] },
      { name: 'output', value: '<file>', about: 'where every round is kept, as JSON lines' },
      { name: 'resume', about: 'go on with that file: what is in it is not measured again' },
      { name: 'yes', about: 'also on a server that looks as if it were in use' },
      { name: 'clean', about: 'only drop what killed runs have left on --url' },
      ...COLOR_OPTIONS,
    ],
    notes: `Examples:
  couch-advisor confirm ddocs/
  couch-advisor confirm --url http://localhost:5984 --all

Credentials: COUCHDB_USER and COUCHDB_PASSWORD, or a netrc file

Exit codes:
  0  nothing was confirmed
  1  something was confirmed
  2  the command line cannot be used, or the server
  3  not all could be read or measured`,
  },
  {
    name: 'rules',
    about: 'list all rules',
    parameters: [],
    options: [
      { name: 'format', value: '<name>', about: 'text (default) or json', choices: ['text', 'json'] },
      ...CONFIG_OPTIONS,
    ],
    notes: `Examples:
  couch-advisor rules
  couch-advisor rules --format json`,
  },
];

/**
 * @param {OptionSpec} option
 * @returns {string} the name it has in code: `stdinFilename`, and `color` for `no-color`
 */
export function attributeName({ name }) {
  return name.replace(/^no-/, '').replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
}

/**
 * @param {OptionSpec} option
 * @param {string} written what stands behind it
 * @param {OptionValue | undefined} previous what it was set to before
 * @returns {OptionValue}
 * @throws {UserError} where it takes no such value
 */
export function readOptionValue({ name, choices, repeats, isNumber }, written, previous) {
  if (choices && !choices.includes(written)) {
    const guess = nearest(written, choices);
    throw new UserError('bad-choice', `--${name} cannot be \`${written}\``, {
      hint: `${guess ? `did you mean \`${guess}\`? ` : ''}possible: ${choices.join(', ')}`,
    });
  }
  if (isNumber) {
    if (/^\d{1,15}$/.test(written)) return Number(written);
    throw new UserError('bad-number', `--${name} takes a whole number and was given \`${written}\``, {
      hint: `write, for example, --${name} 10`,
    });
  }
  return repeats ? [...(Array.isArray(previous) ? previous : []), written] : written;
}
