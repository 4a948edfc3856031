// Lists the commands with their arguments, options and examples, as data. Parses nothing and runs nothing.

import { formats } from '../reports/index.js';
import { LOG_FORMATS } from '../shared/log-formats.js';
import { COLOR_OPTIONS, CONFIG_OPTIONS, PATHS, SCENARIO_NAMES, SEVERITIES, SOURCE_OPTIONS } from './command-options.js';

/**
 * @typedef {object} OptionSpec
 * @property {string} name without the leading hyphens; one that begins with `no-` sets the name behind it to false
 * @property {string} [value] what stands behind it, as help shows it; a switch where absent
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
    about: 'judge design documents, Mango indexes and configuration files',
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
        about: 'exit 1 from error (default), warning, info; or never',
        choices: SEVERITIES,
      },
      { name: 'max-warnings', value: '<n>', about: 'exit with 1 when there are more warnings', isNumber: true },
      { name: 'rule', value: '<id[=severity]>', about: 'only this rule, or its severity; may repeat', repeats: true },
      { name: 'fix', about: 'apply safe fixes' },
      { name: 'fix-unsafe', about: 'apply all fixes, also those that change results' },
      { name: 'fix-dry-run', about: 'print what the fixes would change as a diff' },
      { name: 'baseline', value: '<file>', about: 'report only findings that are not in this file' },
      { name: 'write-baseline', value: '<file>', about: 'write all findings to this file, report none' },
      { name: 'deployed', value: '<file>', about: 'compare with the versions in it: rebuilt indexes', repeats: true },
      { name: 'staged', about: 'only what git has staged, as it is staged' },
      { name: 'ignore-unknown', about: 'pass over paths that hold nothing to judge' },
      { name: 'url', value: '<url>', about: 'a CouchDB to judge, or one database of it; only read' },
      { name: 'db', value: '<name>', about: 'only this database of it, or a glob; may be repeated', repeats: true },
      { name: 'sample-from', value: '<db>', about: 'a database of it; run functions on its documents' },
      { name: 'rate', value: '<n>', about: 'requests a second that it gets at most (50)', isNumber: true },
      { name: 'record', value: '<file>', about: 'keep its answers, to judge them elsewhere as a path' },
      { name: 'resume', about: 'go on with that file where a run was cut short' },
      { name: 'watch', about: 'lint again whenever something changes' },
      { name: 'print-config', value: '<file>', about: 'print the configuration that holds for a file' },
      { name: 'debug', about: 'print why each file was read or not' },
      { name: 'timing', about: 'print the time of stages, rules and facts' },
      { name: 'quiet', about: 'only errors, and not what was read' },
      { name: 'verbose', about: 'all in full, keys, what was skipped or is unknown' },
      ...COLOR_OPTIONS,
    ],
    notes: `Examples:
  couch-advisor lint --url http://localhost:5984/shop

Exit codes: 0 clean, 1 findings from --fail-on on, 2 wrong use, 3 not all read`,
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
        about: `${LOG_FORMATS.slice(0, -1).join(', ')} or ${LOG_FORMATS.at(-1)}; detected by default`,
        choices: LOG_FORMATS,
      },
      { name: 'no-fold', about: 'tell databases of one pattern apart' },
      { name: 'path-prefix', value: '<path>', about: 'what a proxy puts before the paths' },
      { name: 'keep-values', about: 'show targets, users and peers of example lines' },
      { name: 'threads', value: '<n>', about: 'how many read large logs (one a processor)', isNumber: true },
      { name: 'merge', about: 'put digests together; the paths are digests, - stands for one a line' },
      { name: 'partial', about: 'print the digest on one line, for --merge' },
      { name: 'stdin-filename', value: '<path>', about: 'the name of standard input in the digest' },
      {
        name: 'part',
        value: '<n>',
        about:
          'standard input is this part of a file, counted in the order of the file; or first-line: the number stands there',
      },
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
      { name: 'max-docs', value: '<n>', about: 'documents in a scratch database', isNumber: true },
      { name: 'runs', value: '<n>', about: 'pairs of rounds of an experiment, at most', isNumber: true },
      { name: 'budget', value: '<time>', about: 'for each experiment: 90, 15s or 2m (60s)' },
      { name: 'connections', value: '<n>', about: 'connections that send at once (1, then 10)', isNumber: true },
      { name: 'max-bytes', value: '<n>', about: 'of documents that are written, in all (1000000000)', isNumber: true },
      { name: 'sample-from', value: '<db>', about: 'a database of --url whose documents are sampled, and scrambled' },
      { name: 'keep-values', about: 'do not scramble them' },
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

Exit codes: 0 nothing was confirmed, 1 something was, 2 the command line or the
server cannot be used, 3 not all could be read or measured`,
  },
  {
    name: 'lsp',
    about: 'a language server for editors, on standard input and output',
    parameters: [],
    options: [...CONFIG_OPTIONS, { name: 'stdio', about: 'what it does in any case; editors say it' }],
    notes: `Findings as one types, hovers with rule and proof, code actions for fixes
and ignores. docs/editors.md has the settings of editors.

Examples:
  couch-advisor lsp

Exit codes:
  0  the editor has said good-bye
  1  it has left without
  2  it does not speak the protocol`,
  },
  {
    name: 'ci',
    about: 'judge a change: new findings, and the indexes that it makes CouchDB rebuild',
    parameters: [PATHS],
    options: [
      { name: 'base', value: '<ref>', about: 'compare with where HEAD left this branch or commit' },
      ...SOURCE_OPTIONS,
      { name: 'documents', value: '<n>', about: 'documents in the database', isNumber: true },
      { name: 'docs-per-second', value: '<n>', about: 'documents that it indexes a second', isNumber: true },
      { name: 'database', value: '<name>', about: 'its name, for the commands of a deploy' },
      { name: 'format', value: '<name[=file]>', about: 'as of lint; may repeat', words: FORMATS, repeats: true },
      { name: 'output', value: '<file>', about: 'write the last --format to a file' },
      {
        name: 'fail-on',
        value: '<severity>',
        about: 'exit 1 for new findings from error (default), warning, info; or never',
        choices: SEVERITIES,
      },
      { name: 'rule', value: '<id[=severity]>', about: 'only this rule, or its severity; may repeat', repeats: true },
      ...COLOR_OPTIONS,
    ],
    notes: `Without --base: GITHUB_BASE_REF, CI_MERGE_REQUEST_DIFF_BASE_SHA,
CI_MERGE_REQUEST_TARGET_BRANCH_NAME, else origin/HEAD. Where GITHUB_STEP_SUMMARY
is set, a summary is added to that file.

Examples:
  couch-advisor ci --base main
  couch-advisor ci --format github --format markdown=comment.md

Exit codes: as of lint; old findings do not count`,
  },
  {
    name: 'bench',
    about: 'repeat the classic measurements on a server, beside the published figures',
    parameters: [
      { name: '[name]', about: 'a scenario; without one, they are listed with what may be set', words: SCENARIO_NAMES },
    ],
    options: [
      { name: 'url', value: '<url>', about: 'a CouchDB to measure on (an embedded server)' },
      { name: 'full', about: 'sizes as published; small ones otherwise' },
      { name: 'size', value: '<n>', about: 'documents', isNumber: true },
      { name: 'large-size', value: '<n>', about: 'documents of the larger size', isNumber: true },
      { name: 'document-bytes', value: '<n,n>', about: 'both sizes of documents' },
      { name: 'rounds', value: '<n>', about: 'how often each arm is measured', isNumber: true },
      { name: 'batch', value: '<n>', about: 'documents a request of a load', isNumber: true },
      { name: 'batches', value: '<n,n>', about: 'the same, for the curve' },
      { name: 'pages', value: '<n,n>', about: 'rows of a page' },
      { name: 'shards', value: '<n,n>', about: 'numbers of shards to compare' },
      { name: 'shard-count', value: '<n>', about: 'shards of each database', isNumber: true },
      { name: 'requests', value: '<n>', about: 'of a round, or of each connection', isNumber: true },
      { name: 'connections', value: '<n>', about: 'that read at once', isNumber: true },
      { name: 'pause', value: '<seconds>', about: 'before each round', isNumber: true },
      { name: 'before', value: '<command>', about: 'brings the server into its state before a change' },
      { name: 'after', value: '<command>', about: 'and into its state after it' },
      { name: 'blocks', about: 'all rounds before, then all after' },
      { name: 'other-url', value: '<url>', about: 'a server with the change, beside --url' },
      { name: 'query-server', value: '<command>', about: 'measure it alone; may repeat', repeats: true },
      { name: 'timeout', value: '<seconds>', about: 'for an answer of it', isNumber: true },
      { name: 'docs', value: '<file>', about: 'documents of your own; may repeat', repeats: true },
      { name: 'change-config', about: 'also what needs a changed setting; put back' },
      { name: 'seed', value: '<text>', about: 'another one gives other data (1)' },
      { name: 'format', value: '<name>', about: 'text (default) or json', choices: ['text', 'json'] },
      { name: 'output', value: '<file>', about: 'write a page with pictures, as HTML' },
      { name: 'svg', value: '<file>', about: 'write the pictures: file.svg, file-2.svg' },
      { name: 'yes', about: 'also on a server that looks in use' },
      ...COLOR_OPTIONS,
    ],
    notes: `Examples:
  couch-advisor bench include-docs
  couch-advisor bench bulk-load --full --url http://localhost:5984
  couch-advisor bench index-build --query-server couchpy

Credentials: COUCHDB_USER and COUCHDB_PASSWORD, or a netrc file`,
  },
  {
    name: 'predict',
    about: 'tell how large a load makes a database, and what other ids or requests would give',
    parameters: [{ name: '[docs...]', about: 'files or globs of documents, as --docs' }],
    options: [
      {
        name: 'docs',
        value: '<file>',
        about: 'JSON lines, bodies of _bulk_docs, dumps; .gz too; may repeat',
        repeats: true,
      },
      {
        name: 'batch',
        value: '<n,n>',
        about: 'documents a request (those of the file, else 1000), and others to compare',
        repeats: true,
      },
      { name: 'shards', value: '<n>', about: 'shards of the database (2)', isNumber: true },
      { name: 'target', value: '<version>', about: 'CouchDB version, 3.0 to 3.5; their files are alike' },
      { name: 'count', value: '<n>', about: 'also with so many documents of this kind', isNumber: true },
      { name: 'format', value: '<name>', about: 'text (default) or json', choices: ['text', 'json'] },
      { name: 'output', value: '<file>', about: 'also a page with pictures, as HTML' },
      { name: 'svg', value: '<file>', about: 'also the curve over sizes of requests, as SVG' },
    ],
    notes: `Needs no server: what CouchDB writes is replayed. docs/storage-model.md says how
exact that is.

Examples:
  couch-advisor predict --docs load.jsonl --batch 1000
  couch-advisor predict load.jsonl.gz --batch 1000,1,100 --svg curve.svg
  couch-advisor predict load.jsonl --count 100000000 --output report.html

Exit codes:
  0  predicted
  2  the command line cannot be used, or there is no document
  3  not all could be read; the rest is predicted`,
  },
  {
    name: 'init',
    about: 'write configuration, hook and workflow for this project',
    parameters: [],
    options: [
      { name: 'yes', about: 'write without asking' },
      { name: 'dry-run', about: 'only show what would be written' },
      ...COLOR_OPTIONS,
    ],
    notes: `Looks for design documents, logs, loads, package.json, .github, .gitlab-ci.yml,
.pre-commit-config.yaml, husky and lint-staged, shows each new file as a diff,
and asks. What is there already is never overwritten.

Examples:
  couch-advisor init
  couch-advisor init --yes

Exit codes:
  0  written, or there was nothing to write
  2  nobody can be asked: use --yes
  3  a file could not be written`,
  },
  {
    name: 'completion',
    about: 'print what teaches a shell to complete the command line',
    parameters: [{ name: '<shell>', about: 'bash, zsh or fish', words: ['bash', 'zsh', 'fish'] }],
    options: [],
    notes: `Examples:
  source <(couch-advisor completion bash)         in ~/.bashrc
  source <(couch-advisor completion zsh)          in ~/.zshrc, behind compinit
  couch-advisor completion fish | source          in config.fish`,
  },
  {
    name: 'profile',
    about: 'run the functions of views on documents and say what each line costs',
    parameters: [PATHS],
    options: [
      {
        name: 'docs',
        value: '<file>',
        about: 'file or glob of documents to run them on (made up ones); may repeat',
        repeats: true,
      },
      ...CONFIG_OPTIONS,
      { name: 'stdin-filename', value: '<path>', about: 'the path that standard input counts as' },
      { name: 'view', value: '<ddoc/view>', about: 'only this view; may be repeated', repeats: true },
      { name: 'size', value: '<n>', about: 'documents to take of --docs, or to make up (1000)', isNumber: true },
      { name: 'seed', value: '<text>', about: 'another one gives others (1)' },
      { name: 'budget', value: '<seconds>', about: 'time for each function (3)', isNumber: true },
      { name: 'v8', about: 'also in V8: only for functions that you trust' },
      { name: 'query-server', value: '<command>', about: 'also in this query server, as couchjs' },
      { name: 'watch-build', value: '<db/ddoc>', about: 'instead: show how fast this index is built on --url' },
      { name: 'url', value: '<url>', about: 'the server of --watch-build' },
      { name: 'folded', value: '<file>', about: 'write folded stacks, for tools that draw flame graphs' },
      { name: 'svg', value: '<file>', about: 'write flame graphs: file.svg, file-2.svg' },
      { name: 'output', value: '<file>', about: 'write a page with pictures, as HTML' },
      { name: 'format', value: '<name>', about: 'text (default) or json', choices: ['text', 'json'] },
      ...COLOR_OPTIONS,
    ],
    notes: `Examples:
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
    notes: `Examples:
  couch-advisor rules
  couch-advisor rules --format json`,
  },
];
