// Lists the commands with their arguments, options and examples, as data. Parses nothing and runs nothing.

import { formats } from '../reports/index.js';
import { ADVISE_COMMAND } from './advise-command.js';
import {
  COLOR_OPTIONS,
  CONFIG_OPTIONS,
  DIGEST_OPTIONS,
  PATHS,
  RULE_OPTION,
  SCENARIO_NAMES,
  SERVER_OPTIONS,
  SEVERITIES,
  SOURCE_OPTIONS,
} from './command-options.js';
import { PREDICT_COMMAND } from './predict-command.js';

/**
 * @typedef {object} OptionSpec
 * @property {string} name without the leading hyphens; one that begins with `no-` sets the name behind it to false
 * @property {string} [value] what stands behind it, as help shows it; a switch where absent; `[one]` may be left out, and is typed with `=`
 * @property {string} about
 * @property {readonly string[]} [choices]
 * @property {readonly string[]} [words] that are offered to complete it, where others are possible
 * @property {boolean} [repeats] whether it may be given more than once and then is a list
 * @property {boolean} [isNumber]
 * @property {boolean} [isHidden] whether help leaves it out, because the line of its other form names it
 */

/**
 * @typedef {object} CommandSpec
 * @property {string} name
 * @property {string} about
 * @property {{name: string, about: string, words?: string[]}[]} parameters `words` as of options; in the notation of help: `<one>`, `[many...]`
 * @property {OptionSpec[]} options
 * @property {string} notes what stands below the options in help
 */

/** @typedef {string | boolean | number | string[]} OptionValue */

const FORMATS = [...formats.keys()];

/** @type {CommandSpec[]} */
export const COMMANDS = [
  {
    name: 'lint',
    about: 'check design documents, application code, Mango indexes, configuration',
    parameters: [PATHS],
    options: [
      ...SOURCE_OPTIONS,
      {
        name: 'format',
        value: '<name[=file]>',
        about: FORMATS.join(', '),
        words: FORMATS,
        repeats: true,
      },
      { name: 'output', value: '<file>', about: 'write the last --format to a file' },
      {
        name: 'fail-on',
        value: '<severity>',
        about: 'exit with 1 at: error (default), warning, info; never',
        choices: SEVERITIES,
      },
      { name: 'max-warnings', value: '<n>', about: 'exit with 1 if there are more warnings than this', isNumber: true },
      RULE_OPTION,
      { name: 'fix', about: 'apply safe fixes' },
      { name: 'fix-unsafe', about: 'apply all fixes, even those that can change results' },
      { name: 'fix-dry-run', about: 'print the fixes as a diff, change no file' },
      { name: 'baseline', value: '<file>', about: 'report only findings that are not in this file' },
      { name: 'write-baseline', value: '<file>', about: 'write all findings to this file and exit' },
      { name: 'deployed', value: '<file>', about: 'versions in production, to find index rebuilds', repeats: true },
      { name: 'staged', about: 'lint only the files staged in git, as staged' },
      { name: 'ignore-unknown', about: 'skip paths that hold nothing to lint' },
      { name: 'url', value: '<url>', about: 'lint a CouchDB server or database (read-only)' },
      { name: 'db', value: '<name>', about: 'only this database on the server, or glob; may repeat', repeats: true },
      { name: 'sample-from', value: '<db>', about: 'run functions on documents of this database' },
      { name: 'rate', value: '<n>', about: 'maximum requests per second to the server (50)', isNumber: true },
      { name: 'record', value: '<file>', about: 'save its responses; lint that file later as a path' },
      { name: 'resume', about: 'continue an interrupted run with --record' },
      { name: 'watch', about: 'lint again on every change' },
      { name: 'print-config', value: '<file>', about: 'print the effective configuration for a file' },
      { name: 'debug', about: 'print why each file was read or skipped' },
      { name: 'timing', about: 'print the time per stage, rule and fact' },
      { name: 'quiet', about: 'print errors only, without a summary of the input' },
      { name: 'verbose', about: 'print everything: keys, skipped paths, unknowns' },
      ...COLOR_OPTIONS,
    ],
    notes: `Examples (in a project after npx --no-install):
  couch-advisor lint --url http://localhost:5984/shop

Exit codes: 0 clean, 1 findings from --fail-on up, 2 usage error, 3 incomplete`,
  },
  {
    name: 'explain',
    about: 'print a rule with its decision tree, or why a finding was reported',
    parameters: [
      { name: '<rule-or-key>', about: 'the id of a rule, or the key of a finding' },
      { name: '[paths...]', about: 'for a key: the files that were linted' },
    ],
    options: SOURCE_OPTIONS,
    notes: `Examples (in a project after npx --no-install):
  couch-advisor explain view/emit-whole-doc
  couch-advisor explain 'view/emit-whole-doc#copies-document:1a2b3c4d5e' ddocs/

\`couch-advisor lint --verbose\` prints the keys.`,
  },
  {
    name: 'facts',
    about: 'print every fact that rules can use about each subject',
    parameters: [PATHS],
    options: [
      ...SOURCE_OPTIONS,
      { name: 'format', value: '<name>', about: 'text (default) or json', choices: ['text', 'json'] },
      ...COLOR_OPTIONS,
    ],
    notes: `Examples (in a project after npx --no-install):
  couch-advisor facts ddocs/orders.json
  couch-advisor facts --format json ddocs/ > facts.json`,
  },
  {
    name: 'digest',
    about: 'rank the queries in a log by total time',
    parameters: [{ name: '[logs...]', about: 'log files (also .gz) or globs; - for standard input' }],
    options: [...DIGEST_OPTIONS, ...COLOR_OPTIONS],
    notes: `Examples (in a project after npx --no-install):
  couch-advisor digest /var/log/couchdb/couch.log --output digest.json
  couch-advisor digest 'logs/couch.log*'
  journalctl -u couchdb -o short-iso | couch-advisor digest -
  couch-advisor digest --merge node1.json node2.json
  couch-advisor digest --compare monday.json tuesday.log`,
  },
  ADVISE_COMMAND,
  {
    name: 'confirm',
    about: 'measure whether the advice pays off, on scratch databases',
    parameters: [PATHS],
    options: [
      ...SOURCE_OPTIONS,
      ...SERVER_OPTIONS,
      { name: 'rule', value: '<id>', about: 'only this rule; may repeat', repeats: true },
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
      { name: 'format', value: '<name>', about: 'text (default) or json', choices: ['text', 'json'] },
      { name: 'output', value: '<file>', about: 'write every round to this file, as JSON lines' },
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

Exit codes: 0 nothing confirmed, 1 something confirmed, 2 usage error or
unusable server, 3 something could not be read or measured`,
  },
  {
    name: 'lsp',
    about: 'run the language server for editors, on standard input and output',
    parameters: [],
    options: [...CONFIG_OPTIONS, { name: 'stdio', about: 'accepted and ignored: standard I/O is the only transport' }],
    notes: `Findings as you type, hovers with the rule and its proof, code actions for fixes
and ignores. For editor settings see docs/editors.md.

Examples (in a project after npx --no-install):
  couch-advisor lsp

Exit codes:
  0  the editor sent \`shutdown\` and \`exit\`
  1  the editor disconnected without \`shutdown\`
  2  the input is not the language server protocol`,
  },
  {
    name: 'ci',
    about: 'check a change: new findings, and which indexes CouchDB has to rebuild',
    parameters: [PATHS],
    options: [
      { name: 'base', value: '<ref>', about: 'compare with the merge base of HEAD and this ref' },
      ...SOURCE_OPTIONS,
      { name: 'documents', value: '<n>', about: 'number of documents in the database', isNumber: true },
      { name: 'docs-per-second', value: '<n>', about: 'documents indexed per second', isNumber: true },
      { name: 'database', value: '<name>', about: 'database name, for the deploy commands' },
      { name: 'sizes', value: '<file>', about: 'saved `_info`, or JSON of predict --views; may repeat', repeats: true },
      { name: 'free', value: '<size>', about: 'free disk space, such as 40GB: does the deploy fit?' },
      { name: 'format', value: '<name[=file]>', about: 'as for lint; may repeat', words: FORMATS, repeats: true },
      { name: 'output', value: '<file>', about: 'write the last --format to a file' },
      {
        name: 'fail-on',
        value: '<severity>',
        about: 'exit with 1 for new findings at: error (default), warning, info; never',
        choices: SEVERITIES,
      },
      RULE_OPTION,
      ...COLOR_OPTIONS,
    ],
    notes: `The default of --base is GITHUB_BASE_REF, CI_MERGE_REQUEST_DIFF_BASE_SHA,
CI_MERGE_REQUEST_TARGET_BRANCH_NAME or origin/HEAD, in this order. If
GITHUB_STEP_SUMMARY is set, a summary is appended to that file.

Examples (in a project after npx --no-install):
  couch-advisor ci --base main
  couch-advisor ci --format github --format markdown=comment.md

Exit codes: as for lint; existing findings do not count`,
  },
  {
    name: 'bench',
    about: 'repeat classic CouchDB benchmarks and compare with the published figures',
    parameters: [
      { name: '[name]', about: 'scenario; without one, lists all with their options', words: SCENARIO_NAMES },
    ],
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
      { name: 'format', value: '<name>', about: 'text (default) or json', choices: ['text', 'json'] },
      { name: 'output', value: '<file>', about: 'write an HTML page with charts' },
      { name: 'svg', value: '<file>', about: 'write the charts: file.svg, file-2.svg' },
      { name: 'yes', about: 'run even if the server looks busy' },
      ...COLOR_OPTIONS,
    ],
    notes: `Examples (in a project after npx --no-install):
  couch-advisor bench include-docs
  couch-advisor bench bulk-load --full --url http://localhost:5984
  couch-advisor bench index-build --query-server couchpy

Credentials: COUCHDB_USER and COUCHDB_PASSWORD, or a netrc file`,
  },
  PREDICT_COMMAND,
  {
    name: 'init',
    about: 'set up this project: configuration, git hook and CI workflow',
    parameters: [],
    options: [
      { name: 'yes', about: 'write without confirmation' },
      { name: 'dry-run', about: 'only show what would be written' },
      ...COLOR_OPTIONS,
    ],
    notes: `Looks for design documents, logs, loads, package.json, .github, .gitlab-ci.yml,
.pre-commit-config.yaml, husky and lint-staged, shows each new file as a diff
and prompts before writing it. Existing files are never overwritten.

Examples (in a project after npx --no-install):
  couch-advisor init
  couch-advisor init --yes

Exit codes:
  0  files written, or nothing to write
  2  no terminal for the confirmation: use --yes
  3  a file could not be written`,
  },
  {
    name: 'completion',
    about: 'print a shell completion script',
    parameters: [{ name: '<shell>', about: 'bash, zsh or fish', words: ['bash', 'zsh', 'fish'] }],
    options: [],
    notes: `Examples (in a project after npx --no-install):
  source <(couch-advisor completion bash)         in ~/.bashrc
  source <(couch-advisor completion zsh)          in ~/.zshrc, after compinit
  couch-advisor completion fish | source          in config.fish`,
  },
  {
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
      { name: 'output', value: '<file>', about: 'write an HTML page with charts' },
      { name: 'format', value: '<name>', about: 'text (default) or json', choices: ['text', 'json'] },
      ...COLOR_OPTIONS,
    ],
    notes: `Examples (in a project after npx --no-install):
  couch-advisor profile ddocs/ --docs orders.jsonl
  couch-advisor profile --docs orders.jsonl --view orders/by_date --svg a.svg
  couch-advisor profile --docs orders.jsonl --query-server 'couchjs main.js'
  couch-advisor profile --watch-build shop/orders --url http://localhost:5984`,
  },
  {
    name: 'rules',
    about: 'list all rules',
    parameters: [],
    options: [
      { name: 'format', value: '<name>', about: 'text (default) or json', choices: ['text', 'json'] },
      ...CONFIG_OPTIONS,
    ],
    notes: `Examples (in a project after npx --no-install):
  couch-advisor rules
  couch-advisor rules --format json`,
  },
];
