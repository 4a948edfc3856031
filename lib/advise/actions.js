// Writes what to do for a step of a plan: the commands that deploy, warm, watch, check and undo it. Pure; runs nothing. Every name from the input is in
// single quotes or percent-encoded: pasting the commands runs nothing else.

import { sourceOfGlob } from '../shared/glob.js';
import { shellWord } from '../shared/shell-word.js';
import { encodeName } from '../shared/url-part.js';

/** @import { ExistingIndex } from './index-for.js' */
/** @import { IndexDefinition, PlanStep, StepAction } from './plan.js' */

/** So many databases are named in a command; more are read from a file. */
const MAX_NAMES = 12;
const JSON_TYPE = "-H 'Content-Type: application/json'";
/**
 * A request to a database, which needs no answer of another. `options`: of curl, behind the URL; `pipe`: what reads the answer.
 * @typedef {{method?: string, path: string, options?: string, pipe?: string}} Request
 */
/** A step as it is done in one database. @typedef {Omit<StepAction, 'commands'> & {commands: (string | Request)[]}} OwnAction */

/** @type {Request} */
const CLEANUP = { method: 'POST', path: '/_view_cleanup', options: ` ${JSON_TYPE}` };
/** What is built now, with the share that is done (`_active_tasks`). */
const WATCH = `curl -fsS "$COUCHDB_URL/_active_tasks" | jq -c '.[] | select(.type == "indexer") | {database, design_document, progress}'`;

/**
 * @param {Pick<PlanStep, 'number' | 'change' | 'files' | 'databases' | 'queries'>} step
 * @param {Pick<ExistingIndex, 'label' | 'ddoc' | 'name'>[]} superfluous indexes of its database that serve nothing once the step is made
 * @param {{inProject?: string | undefined, selected?: string[] | undefined}} [about] `inProject`: what to change in the project; `selected`: names and globs of databases, of `--db`
 * @returns {StepAction[]} in the order in which they are done; files are below the folder of `--write`
 */
export function actionsOf(step, superfluous, { inProject, selected } = {}) {
  const { change } = step;
  const own =
    change.kind === 'create-index'
      ? createIndex(step, superfluous)
      : change.kind === 'drop-index'
        ? dropIndex(step)
        : changeView(step);
  const first =
    inProject === undefined ? [] : [{ name: /** @type {const} */ ('project'), text: inProject, commands: [] }];
  return [...first, ...own.map((action) => ({ ...action, commands: inEach(action, step, selected) }))];
}

/**
 * @param {string} file below the folder of `--write`
 * @param {PlanStep['databases']} databases
 * @returns {{path: string, content: string}[]} the names of databases, where there are many
 */
export function nameFiles(file, databases) {
  const names = databases?.names ?? [];
  return names.length > MAX_NAMES ? [{ path: file, content: `${names.map(encodeName).join('\n')}\n` }] : [];
}

/** @param {number} number of a step @returns {string} */
export function nameFileOf(number) {
  return `databases-of-step-${number}.txt`;
}

/**
 * For many databases one curl sends all requests of a kind: starting it, and jq, takes longer than most requests (checking, creating and warming an index
 * of 500 documents in 47 databases took 7 s instead of 23 s, at a load of 22).
 * @param {OwnAction} action
 * @param {Pick<PlanStep, 'number' | 'change' | 'databases'>} step
 * @param {string[]} [selected]
 * @returns {string[]} its commands for each database of the step
 */
function inEach({ commands }, { number, change: { database }, databases }, selected) {
  const texts = commands.map((command) => (typeof command === 'string' ? command : commandOf(command)));
  if (texts.every((text) => !text.includes('$DB'))) return texts;
  const { all = 1, names = [] } = databases ?? {};
  if (all === 1) return [`DB="$COUCHDB_URL/${database === null ? 'DATABASE' : encodeName(database)}"`, ...texts];
  const list =
    names.length === 0
      ? `$(curl -fsS "$COUCHDB_URL/_all_dbs" | jq -r ${shellWord(`.[]${selectedOf(selected)} | @uri`)} | grep -E ${shellWord(`^${patternOf(database ?? '*')}$`)})`
      : names.length > MAX_NAMES
        ? `$(cat ${nameFileOf(number)})`
        : names.map(encodeName).join(' ');
  const loop = (/** @type {string[]} */ body, end = '') => [
    `for name in ${list}; do`,
    ...body.map((command) => `  ${command}`),
    `  if [ -n "\${TRY:-}" ]; then break; fi`,
    `done${end}`,
  ];
  const requests = commands.flatMap((command) => (typeof command === 'string' ? [] : command));
  const own =
    requests.length < commands.length
      ? loop([`DB="$COUCHDB_URL/$name"`, ...texts])
      : requests.flatMap(({ method, path, options = '', pipe }) =>
          loop(
            [`printf 'url = "%s/%s%s"\\n' "$COUCHDB_URL" "$name" ${shellWord(path)}`],
            ` | ${curl(method)}--fail-early${options} -K -${pipe ? ` | ${pipe} | sort | uniq -c` : ''}`,
          ),
        );
  return ['# TRY=1 does it in the first database only.', ...own];
}

/** @param {string[]} [globs] @returns {string} for jq */
function selectedOf(globs = []) {
  return globs.length === 0 ? '' : ` | select(test(${JSON.stringify(globs.map(sourceOfGlob).join('|'))}))`;
}

/** @param {string | undefined} method @returns {string} */
const curl = (method) => `curl -fsS ${method ? `-X ${method} ` : ''}`;

/** @param {Request} request @returns {string} */
function commandOf({ method, path, options = '', pipe }) {
  return `${curl(method)}"$DB${path}"${options}${pipe ? ` | ${pipe}` : ''}`;
}

/** @param {string} database with stars for numbers and ids @returns {string} a regular expression for its percent-encoded name */
function patternOf(database) {
  return database
    .split('*')
    .map((part) => encodeName(part).replaceAll('.', '\\.'))
    .join('[0-9a-f-]+');
}

/** @param {Pick<PlanStep, 'number' | 'change' | 'files'>} step @param {Pick<ExistingIndex, 'label' | 'ddoc' | 'name'>[]} superfluous @returns {OwnAction[]} */
function createIndex({ number, change, files }, superfluous) {
  const { index = { fields: [] }, designDoc, name } = change;
  const ddoc = designDoc.replace(/^_design\//, '');
  const withBody = (/** @type {object} */ more) =>
    ` ${JSON_TYPE} -d ${shellWord(JSON.stringify({ selector: selectorFor(index), ...more }))}`;
  const explain = { path: '/_explain', options: withBody({}), pipe: `jq -c '.index | {ddoc, name}'` };
  const [file] = files;
  return [
    { name: 'check', text: `before: prints what serves the query now`, commands: [explain] },
    {
      name: 'deploy',
      text: 'CouchDB starts to build it at once (`[ken]`)',
      commands: [{ path: '/_index', options: ` ${JSON_TYPE} -d @${shellWord(file?.path ?? 'index.json')}` }],
    },
    {
      name: 'warm',
      text: 'returns when it is built; run it again after a timeout',
      commands: [{ path: '/_find', options: withBody({ limit: 0, use_index: [ddoc, name] }) }],
    },
    { name: 'watch', text: 'in another terminal', commands: [WATCH] },
    {
      name: 'check',
      text: index.partial_filter_selector
        ? 'after: a partial index serves queries that name it'
        : `after: must print ${name}`,
      commands: [
        index.partial_filter_selector ? { ...explain, options: withBody({ use_index: [ddoc, name] }) } : explain,
      ],
    },
    { name: 'undo', text: 'queries are served as before', commands: [dropCommand(ddoc, name)] },
    ...superfluous.map(({ label, ddoc: own, name: ownName }) => ({
      name: /** @type {const} */ ('later'),
      text: `index ${label} serves none of the logged queries then: if a week of logs has no use of it, rename it; delete it a week after that`,
      commands: own === null || ownName === null ? [] : renameCommands(own, ownName, number),
    })),
  ];
}

/** @param {string} ddoc @param {number} number of the step @returns {string} path of the copy under which it is hidden */
function hiddenPath(ddoc, number) {
  return `_design/${encodeName(`${ddoc}-old-${number}`)}`;
}

/** @param {string} ddoc @param {string} name @param {number} number of the step @returns {Request[]} */
function renameCommands(ddoc, name, number) {
  return [copyCommand(`_design/${encodeName(ddoc)}`, hiddenPath(ddoc, number)), dropCommand(ddoc, name)];
}

/** @param {string} path of a design document @param {string} copy its path @returns {Request} */
function copyCommand(path, copy) {
  return { method: 'COPY', path: `/${path}`, options: ` -H "Destination: ${copy}"` };
}

/** @param {string} ddoc @param {string} name @returns {Request} */
function dropCommand(ddoc, name) {
  return { method: 'DELETE', path: `/_index/${encodeName(ddoc)}/json/${encodeName(name)}` };
}

/**
 * @param {IndexDefinition} index
 * @returns {Record<string, unknown>} a selector that it serves, without a value of a document
 */
function selectorFor({ fields, partial_filter_selector: filter }) {
  const columns = fields.map((field) => (typeof field === 'string' ? field : (Object.keys(field)[0] ?? '')));
  return { ...Object.fromEntries(columns.map((column) => [column, { $gt: null }])), ...filter };
}

/**
 * Equal indexes share their files (couch_mrview_util:ddoc_to_mrst/2): a copy keeps them, so that nothing is built if it is taken back.
 * @param {Pick<PlanStep, 'number' | 'change'>} step
 * @returns {OwnAction[]}
 */
function dropIndex({ number, change: { designDoc, name } }) {
  const ddoc = designDoc.replace(/^_design\//, '');
  const [path, hidden] = [`_design/${encodeName(ddoc)}`, hiddenPath(ddoc, number)];
  return [
    {
      name: 'deploy',
      text: 'rename: queries that name it with `use_index` read without it now, others still find it',
      commands: renameCommands(ddoc, name, number),
    },
    {
      name: 'later',
      text: 'delete: after a week without complaints, with its files; it saves space and writing from now on',
      commands: [...deleteCommands(hidden), CLEANUP],
    },
    {
      name: 'undo',
      text: 'before `later`: back under its name, and nothing is built',
      commands: [
        `REV=$(curl -fs "$DB/${path}" | jq -r ._rev)`,
        `curl -fsS -X COPY "$DB/${hidden}" -H "Destination: ${path}\${REV:+?rev=$REV}"`,
        ...deleteCommands(hidden),
      ],
    },
  ];
}

/** @param {string} path of a design document @returns {string[]} */
function deleteCommands(path) {
  return [revisionOf(path), `curl -fsS -X DELETE "$DB/${path}?rev=$REV"`];
}

/**
 * By a second design document and a swap, as `ci` prints it. The old version stays under another name: automatic compaction removes the files of an index
 * that no design document has (`[smoosh] cleanup_index_files`, since 3.3).
 * @param {Pick<PlanStep, 'number' | 'change' | 'files' | 'databases'>} step
 * @returns {OwnAction[]}
 */
function changeView({ number, change: { kind, designDoc, name, view }, files, databases }) {
  const id = designDoc.replace(/^_design\//, '');
  const [current, next] = [`_design/${encodeName(id)}`, `_design/${encodeName(`${id}-next-${number}`)}`];
  const [file] = files;
  if (!file) return [];
  const hidden = hiddenPath(id, number);
  const document = /** @type {{views?: Record<string, unknown>}} */ (JSON.parse(file.content));
  const warmed = view ? name : Object.keys(document.views ?? {})[0];
  const warm = (/** @type {string} */ path) =>
    warmed === undefined ? [] : [{ path: `/${path}/_view/${encodeName(warmed)}?limit=0&reduce=false` }];
  const revisions = databases?.revisions.flatMap(({ revision }) => revision ?? []) ?? [];
  return [
    {
      name: 'check',
      text: revisions.length > 0 ? `before: the plan was made for ${revisions.join(', ')}` : 'before: its revision',
      commands: [{ path: `/${current}`, pipe: 'jq -r ._rev' }],
    },
    {
      name: 'deploy',
      text: 'under another name, which no client queries yet',
      commands: [`jq 'del(._id, ._rev)' ${shellWord(file.path)} | curl -fsS -X PUT "$DB/${next}" ${JSON_TYPE} -d @-`],
    },
    { name: 'warm', text: 'returns when it is built; run it again after a timeout', commands: warm(next) },
    { name: 'watch', text: 'in another terminal', commands: [WATCH] },
    {
      name: 'deploy',
      text: 'rename the old version, which keeps its index',
      commands: [copyCommand(current, hidden)],
    },
    {
      name: 'deploy',
      text: 'replaces it; the new index is warm, as equal functions share one',
      commands: [
        revisionOf(current),
        `curl -fsS -X COPY "$DB/${next}" -H "Destination: ${current}?rev=$REV"`,
        ...warm(current),
      ],
    },
    {
      name: 'check',
      text: 'after: nothing is left to index (0), and queries answer as before',
      commands: [{ path: `/${current}/_info`, pipe: 'jq .view_index.updates_pending.total' }],
    },
    {
      name: 'later',
      text: `${kind === 'drop-view' ? 'after a week without errors' : 'after some days'}: delete both copies, and the old index`,
      commands: [...deleteCommands(next), ...deleteCommands(hidden), CLEANUP],
    },
    {
      name: 'undo',
      text: 'before `later`: the old version is back, and nothing is built',
      commands: [
        revisionOf(current),
        `curl -fsS -X COPY "$DB/${hidden}" -H "Destination: ${current}?rev=$REV"`,
        ...deleteCommands(hidden),
        ...deleteCommands(next),
      ],
    },
  ];
}

/** @param {string} path @returns {string} */
function revisionOf(path) {
  return `REV=$(curl -fsS "$DB/${path}" | jq -r ._rev)`;
}
