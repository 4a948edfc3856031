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
const CLEANUP = `curl -fsS -X POST "$DB/_view_cleanup" ${JSON_TYPE}`;
/**
 * A command that sends one request, which needs no answer of another. For many databases one curl sends all: starting it, and jq, takes longer than most
 * requests (checking, creating and warming an index of 500 documents in 47 databases took 7 s instead of 23 s, at a load of 22).
 */
const ONE_REQUEST =
  /^(?<start>curl -fsS (?:-X [A-Z]+ )?)"\$DB(?<path>[^"$]*)"(?<options>(?: -[Hd] (?:@?'[^']*'|@?[\w./%-]+|"[^"$]*"))*)(?<pipe> \| jq .*)?$/;
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
 * @param {StepAction} action
 * @param {Pick<PlanStep, 'number' | 'change' | 'databases'>} step
 * @param {string[]} [selected]
 * @returns {string[]} its commands for each database of the step
 */
function inEach({ commands }, { number, change: { database }, databases }, selected) {
  if (commands.length === 0 || commands.every((command) => !command.includes('$DB'))) return commands;
  const { all = 1, names = [] } = databases ?? {};
  if (all === 1) return [`DB="$COUCHDB_URL/${database === null ? 'DATABASE' : encodeName(database)}"`, ...commands];
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
  const requests = commands.map((command) => ONE_REQUEST.exec(command)?.groups ?? {});
  const own = requests.every(({ start }) => start !== undefined)
    ? requests.flatMap(({ start, path = '', options, pipe }) =>
        loop(
          [`printf 'url = "%s/%s%s"\\n' "$COUCHDB_URL" "$name" ${shellWord(path)}`],
          ` | ${start}--fail-early${options} -K -${pipe ? `${pipe} | sort | uniq -c` : ''}`,
        ),
      )
    : loop([`DB="$COUCHDB_URL/$name"`, ...commands]);
  return ['# TRY=1 does it in the first database only.', ...own];
}

/** @param {string[]} [globs] @returns {string} for jq */
function selectedOf(globs = []) {
  return globs.length === 0 ? '' : ` | select(test(${JSON.stringify(globs.map(sourceOfGlob).join('|'))}))`;
}

/** @param {string} database with stars for numbers and ids @returns {string} a regular expression for its percent-encoded name */
function patternOf(database) {
  return database
    .split('*')
    .map((part) => encodeName(part).replaceAll('.', '\\.'))
    .join('[0-9a-f-]+');
}

/** @param {Pick<PlanStep, 'number' | 'change' | 'files'>} step @param {Pick<ExistingIndex, 'label' | 'ddoc' | 'name'>[]} superfluous @returns {StepAction[]} */
function createIndex({ number, change, files }, superfluous) {
  const { index = { fields: [] }, designDoc, name } = change;
  const ddoc = designDoc.replace(/^_design\//, '');
  const body = (/** @type {object} */ more) => shellWord(JSON.stringify({ selector: selectorFor(index), ...more }));
  const explain = `curl -fsS "$DB/_explain" ${JSON_TYPE} -d ${body({})} | jq -c '.index | {ddoc, name}'`;
  const [file] = files;
  return [
    { name: 'check', text: `before: prints what serves the query now`, commands: [explain] },
    {
      name: 'deploy',
      text: 'CouchDB starts to build it at once (`[ken]`)',
      commands: [`curl -fsS "$DB/_index" ${JSON_TYPE} -d @${shellWord(file?.path ?? 'index.json')}`],
    },
    {
      name: 'warm',
      text: 'returns when it is built; run it again after a timeout',
      commands: [`curl -fsS "$DB/_find" ${JSON_TYPE} -d ${body({ limit: 0, use_index: [ddoc, name] })}`],
    },
    { name: 'watch', text: 'in another terminal', commands: [WATCH] },
    {
      name: 'check',
      text: index.partial_filter_selector
        ? 'after: a partial index serves queries that name it'
        : `after: must print ${name}`,
      commands: [
        index.partial_filter_selector ? explain.replace(body({}), body({ use_index: [ddoc, name] })) : explain,
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

/** @param {string} ddoc @param {string} name @param {number} number of the step @returns {string[]} */
function renameCommands(ddoc, name, number) {
  const copy = `curl -fsS -X COPY "$DB/_design/${encodeName(ddoc)}" -H "Destination: ${hiddenPath(ddoc, number)}"`;
  return [copy, dropCommand(ddoc, name)];
}

/** @param {string} ddoc @param {string} name @returns {string} */
function dropCommand(ddoc, name) {
  return `curl -fsS -X DELETE "$DB/_index/${encodeName(ddoc)}/json/${encodeName(name)}"`;
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
 * @returns {StepAction[]}
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
 * @returns {StepAction[]}
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
    warmed === undefined ? [] : [`curl -fsS "$DB/${path}/_view/${encodeName(warmed)}?limit=0&reduce=false"`];
  const revisions = databases?.revisions.flatMap(({ revision }) => revision ?? []) ?? [];
  return [
    {
      name: 'check',
      text: revisions.length > 0 ? `before: the plan was made for ${revisions.join(', ')}` : 'before: its revision',
      commands: [`curl -fsS "$DB/${current}" | jq -r ._rev`],
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
      commands: [`curl -fsS -X COPY "$DB/${current}" -H "Destination: ${hidden}"`],
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
      commands: [`curl -fsS "$DB/${current}/_info" | jq .view_index.updates_pending.total`],
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
