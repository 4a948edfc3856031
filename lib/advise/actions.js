// Writes what to do for a step of a plan: the commands that deploy, warm, watch, check and undo it. Pure; runs nothing. Every name from the input is in
// single quotes or percent-encoded: pasting the commands runs nothing else.

import { shellWord } from '../shared/shell-word.js';
import { encodeName } from '../shared/url-part.js';

/** @import { IndexDefinition, PlanStep, StepAction } from './plan.js' */

/** So many databases are named in a command; more are read from a file. */
const MAX_NAMES = 12;
const JSON_TYPE = "-H 'Content-Type: application/json'";
/** What is built now, with the share that is done (`_active_tasks`). */
const WATCH = `curl -fsS "$COUCHDB_URL/_active_tasks" | jq -c '.[] | select(.type == "indexer") | {database, design_document, progress}'`;

/**
 * @param {Pick<PlanStep, 'number' | 'change' | 'files' | 'databases' | 'queries'>} step
 * @param {string[]} superfluous indexes of its database that serve nothing once the step is made
 * @returns {StepAction[]} in the order in which they are done; files are below the folder of `--write`
 */
export function actionsOf(step, superfluous) {
  const { change } = step;
  const own =
    change.kind === 'create-index'
      ? createIndex(step, superfluous)
      : change.kind === 'drop-index'
        ? dropIndex(step)
        : changeView(step);
  return own.map((action) => ({ ...action, commands: inEach(action, step) }));
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
 * @returns {string[]} its commands for each database of the step
 */
function inEach({ commands }, { number, change: { database }, databases }) {
  if (commands.length === 0 || commands.every((command) => !command.includes('$DB'))) return commands;
  const { all = 1, names = [] } = databases ?? {};
  if (all === 1) return [`DB="$COUCHDB_URL/${database === null ? 'DATABASE' : encodeName(database)}"`, ...commands];
  const list =
    names.length === 0
      ? `$(curl -fsS "$COUCHDB_URL/_all_dbs" | jq -r '.[] | @uri' | grep -E ${shellWord(`^${patternOf(database ?? '*')}$`)})`
      : names.length > MAX_NAMES
        ? `$(cat ${nameFileOf(number)})`
        : names.map(encodeName).join(' ');
  return [
    `# TRY=1 does it in the first database only.`,
    `for name in ${list}; do`,
    `  DB="$COUCHDB_URL/$name"`,
    ...commands.map((command) => `  ${command}`),
    `  if [ -n "\${TRY:-}" ]; then break; fi`,
    'done',
  ];
}

/** @param {string} database with stars for numbers and ids @returns {string} a regular expression for its percent-encoded name */
function patternOf(database) {
  return database
    .split('*')
    .map((part) => encodeName(part).replaceAll('.', '\\.'))
    .join('[0-9a-f-]+');
}

/** @param {Pick<PlanStep, 'change' | 'files'>} step @param {string[]} superfluous @returns {StepAction[]} */
function createIndex({ change, files }, superfluous) {
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
    ...superfluous.map((one) => ({
      name: /** @type {const} */ ('later'),
      text: `index ${one} serves none of the logged queries then: keep it until a week of logs has no use of it, then drop it`,
      commands: [],
    })),
  ];
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

/** @param {Pick<PlanStep, 'change'>} step @returns {StepAction[]} */
function dropIndex({ change: { designDoc, name, replaces } }) {
  const ddoc = designDoc.replace(/^_design\//, '');
  const body = { index: replaces?.index, ddoc, name, type: 'json' };
  return [
    {
      name: 'deploy',
      text: 'queries that name it with `use_index` fail or read all documents then',
      commands: [dropCommand(ddoc, name)],
    },
    {
      name: 'later',
      text: 'removes its files',
      commands: [`curl -fsS -X POST "$DB/_view_cleanup" ${JSON_TYPE}`],
    },
    {
      name: 'undo',
      text: 'builds it again',
      commands: [`curl -fsS "$DB/_index" ${JSON_TYPE} -d ${shellWord(JSON.stringify(body))}`],
    },
  ];
}

/** @param {Pick<PlanStep, 'change' | 'files' | 'databases'>} step @returns {StepAction[]} by a second design document and a swap, as `ci` prints it */
function changeView({ change: { kind, designDoc, name, view }, files, databases }) {
  const id = designDoc.replace(/^_design\//, '');
  const [current, next] = [`_design/${encodeName(id)}`, `_design/${encodeName(`${id}-next`)}`];
  const [file] = files;
  if (!file) return [];
  const document = /** @type {{views?: Record<string, unknown>}} */ (JSON.parse(file.content));
  const warmed = view ? name : Object.keys(document.views ?? {})[0];
  const warm = (/** @type {string} */ path) =>
    warmed === undefined ? [] : [`curl -fsS "$DB/${path}/_view/${encodeName(warmed)}?limit=0&reduce=false"`];
  const put = `curl -fsS -X PUT "$DB/${next}" ${JSON_TYPE} -d @-`;
  const backup = `"before-\${DB##*/}.json"`;
  const revisions = databases?.revisions.flatMap(({ revision }) => revision ?? []) ?? [];
  return [
    {
      name: 'check',
      text:
        revisions.length > 0 ? `before: the plan was made for ${revisions.join(', ')}` : 'before: keep what is there',
      commands: [`curl -fsS "$DB/${current}" | tee ${backup} | jq -r ._rev`],
    },
    {
      name: 'deploy',
      text: 'under another name, which no client queries yet',
      commands: [`jq 'del(._id, ._rev)' ${shellWord(file.path)} | ${put}`],
    },
    { name: 'warm', text: 'returns when it is built; run it again after a timeout', commands: warm(next) },
    { name: 'watch', text: 'in another terminal', commands: [WATCH] },
    {
      name: 'deploy',
      text: 'replaces the old version; its index is warm, as equal functions share one',
      commands: [
        revisionOf(current),
        `curl -fsS -X COPY "$DB/${next}" -H "Destination: ${current}?rev=$REV"`,
        ...warm(current),
      ],
    },
    ...afterSwap(kind, { current, next, backup }),
  ];
}

/** @param {string} path @returns {string} */
function revisionOf(path) {
  return `REV=$(curl -fsS "$DB/${path}" | jq -r ._rev)`;
}

/**
 * @param {import('./plan.js').PlanChange['kind']} kind
 * @param {{current: string, next: string, backup: string}} names
 * @returns {StepAction[]} once the new version has replaced the old one
 */
function afterSwap(kind, { current, next, backup }) {
  return [
    {
      name: 'check',
      text: 'after: nothing is left to index (0), and queries answer as before',
      commands: [`curl -fsS "$DB/${current}/_info" | jq .view_index.updates_pending.total`],
    },
    {
      name: 'later',
      text:
        kind === 'drop-view'
          ? 'a week without errors: the old index is removed'
          : 'removes the temporary document and the old index',
      commands: [
        revisionOf(next),
        `curl -fsS -X DELETE "$DB/${next}?rev=$REV"`,
        `curl -fsS -X POST "$DB/_view_cleanup" ${JSON_TYPE}`,
      ],
    },
    {
      name: 'undo',
      text: 'before `_view_cleanup` the old index is still there, later it is built again',
      commands: [
        revisionOf(current),
        `jq --arg rev "$REV" '._rev = $rev' ${backup} | curl -fsS -X PUT "$DB/${current}" ${JSON_TYPE} -d @-`,
      ],
    },
  ];
}
