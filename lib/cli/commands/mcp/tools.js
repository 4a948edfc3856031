// Describes the tools that assistants may call: what they take and what they answer, as JSON Schema.

/** @typedef {{type: string, description?: string, properties?: Record<string, Schema>, required?: string[], items?: Schema, additionalProperties?: false, maxLength?: number, maxItems?: number, minimum?: number, maximum?: number}} Schema the part of JSON Schema that is used here */
/** @typedef {{name: string, title: string, description: string, inputSchema: Schema, outputSchema: Schema}} Tool */

const MAX_PATH = 4096;
const MAX_PATHS = 100;
/** Of a text that is given instead of a file. */
const MAX_TEXT = 1_000_000;
/** Findings, queries or steps of an answer, which an assistant reads as a whole. */
const MAX_ITEMS = 100;

/** @param {string} description @param {number} [maxLength] @returns {Schema} */
const text = (description, maxLength = 200) => ({ type: 'string', description, maxLength });
/** @param {string} description @param {number} [minimum] @param {number} [maximum] @returns {Schema} */
const whole = (description, minimum = 1, maximum = 1e12) => ({ type: 'integer', description, minimum, maximum });
/** @param {string} description @returns {Schema} */
const paths = (description) => ({
  type: 'array',
  description: `${description}: files, folders or globs, absolute or relative to a root`,
  items: text('a path', MAX_PATH),
  maxItems: MAX_PATHS,
});
/** @param {Record<string, Schema>} properties @param {string[]} [required] @returns {Schema} */
const object = (properties, required = []) => ({ type: 'object', properties, required, additionalProperties: false });

const STRING = { type: 'string' };
const NUMBER = { type: 'number' };
const BOOLEAN = { type: 'boolean' };
/** @param {Schema} items @returns {Schema} */
const list = (items) => ({ type: 'array', items });
const PLACE = object({ file: STRING, line: NUMBER, column: NUMBER }, ['file', 'line', 'column']);
const LIMIT = whole('how many items the answer may have (20)', 1, MAX_ITEMS);
const LOGS = paths('query logs');
const TARGET = text('version of CouchDB that runs in production, as 3.3');
const DATABASES = { ...paths(''), description: 'names or globs of the databases of the server; all if left out' };
const SERVER = { type: 'boolean', description: 'read the server of --url too; nothing is written to it' };

/** What each answer about files has. */
const COMMON = {
  isComplete: {
    type: 'boolean',
    description: 'false if a file or server could not be read: then nothing follows from what is missing',
  },
  notes: { ...list(STRING), description: 'what was read, skipped or could not be read' },
};
/** @param {Record<string, Schema>} properties @returns {Schema} all of it stands in each answer, but for what is marked */
function answer(properties) {
  return object({ ...COMMON, ...properties }, ['isComplete', 'notes', ...Object.keys(properties)]);
}

const FINDING = object(
  {
    ...{ rule: STRING, outcome: STRING, key: STRING, severity: STRING, certainty: STRING },
    ...{ message: STRING, why: STRING, advice: STRING, place: PLACE, evidence: list(STRING) },
    fix: object({ title: STRING, isSafe: BOOLEAN }, ['title', 'isSafe']),
    timeShare: { ...NUMBER, description: 'its requests took this share of the time of all requests in the logs' },
  },
  ['rule', 'outcome', 'key', 'severity', 'certainty', 'message', 'why', 'advice', 'place', 'evidence'],
);
const QUERY = object(
  {
    ...{ query: STRING, count: NUMBER, perMinute: NUMBER, timeShare: NUMBER },
    ...{ p50Ms: NUMBER, p95Ms: NUMBER, docsExamined: NUMBER, results: NUMBER, place: STRING },
  },
  ['query', 'count'],
);
const STEP = object(
  {
    ...{ title: STRING, savedShare: NUMBER, savedMsPerDay: NUMBER, bytes: NUMBER, buildSeconds: NUMBER },
    ...{ because: list(STRING), queries: list(STRING), findings: list(STRING) },
    files: list(object({ path: STRING, content: STRING }, ['path', 'content'])),
  },
  ['title', 'because', 'queries', 'findings', 'files'],
);
const INDEX = object(
  {
    ...{ designDoc: STRING, views: list(STRING), unknown: STRING, rows: NUMBER, fileBytes: NUMBER },
    buildBytes: {
      ...object({ low: NUMBER, high: NUMBER }),
      description: 'the file when the build ends, before compaction',
    },
    ...{ buildSeconds: NUMBER, notes: list(STRING) },
  },
  ['designDoc', 'notes'],
);
const UPGRADE_ITEM = object(
  {
    ...{ id: STRING, kind: STRING, phase: STRING, severity: STRING, title: STRING, advice: STRING },
    state: { ...STRING, description: 'found in what was read, or to be checked by hand, with the reason' },
    ...{ reason: STRING, evidence: list(STRING), commands: list(STRING), source: STRING },
  },
  ['id', 'severity', 'title', 'state', 'evidence'],
);
const OUTCOME = object(
  { id: STRING, verdict: STRING, severity: STRING, message: STRING, why: STRING, advice: STRING },
  ['id', 'verdict', 'message'],
);

/** @type {Tool[]} */
export const TOOLS = [
  {
    name: 'lint',
    title: 'Lint design documents and code for CouchDB',
    description:
      'Finds slow and dangerous patterns in CouchDB design documents, Mango indexes, application code, server settings and their query logs, with place, evidence and advice. Give paths or a text; without either all of a root is read.',
    inputSchema: object({
      paths: paths('what to lint'),
      text: text('a design document, index, function or code instead of paths', MAX_TEXT),
      filename: text('name of the text, whose ending says what it is: orders.json', MAX_PATH),
      logs: LOGS,
      documents: paths('documents of the database, as JSON lines, to try functions on'),
      rules: {
        type: 'array',
        description: 'only these rules or families, as view/*',
        items: text('a rule'),
        maxItems: MAX_PATHS,
      },
      ...{ target: TARGET, server: SERVER, databases: DATABASES, limit: LIMIT },
    }),
    outputSchema: answer({
      counts: object({ error: NUMBER, warning: NUMBER, info: NUMBER }, ['error', 'warning', 'info']),
      findings: list(FINDING),
      notListed: { ...NUMBER, description: 'findings beyond the limit' },
      unknown: list(object({ rule: STRING, subject: STRING, reason: STRING }, ['rule', 'subject', 'reason'])),
    }),
  },
  {
    name: 'explain_rule',
    title: 'Explain a rule',
    description: 'What a rule finds, why it matters, its decision tree, what it rests on, and when not to use it.',
    inputSchema: object({ rule: text('id of the rule, as view/emit-whole-doc') }, ['rule']),
    outputSchema: object(
      {
        id: STRING,
        title: STRING,
        severity: STRING,
        status: STRING,
        outcomes: list(OUTCOME),
        sources: list(STRING),
        page: STRING,
      },
      ['id', 'title', 'severity', 'status', 'outcomes', 'sources', 'page'],
    ),
  },
  {
    name: 'prove_reduce',
    title: 'Prove what a reduce computes',
    description:
      'Proves whether a JavaScript reduce of CouchDB equals a built-in (_sum, _count, _stats, …), is wrong when it is rereduced (with a counterexample), or grows with the rows. Give the map too: what it emits decides much.',
    inputSchema: object(
      {
        reduce: text('source of the reduce function', MAX_TEXT),
        map: text('source of the map function', MAX_TEXT),
        target: TARGET,
      },
      ['reduce'],
    ),
    outputSchema: object(
      {
        verdict: {
          ...STRING,
          description: 'equal, equalAfterRewrite, wrong, grows, custom (no built-in is the same) or unknown',
        },
        basis: { ...STRING, description: 'proved: follows from the code; tried: nothing found against it in trials' },
        ...{ builtin: STRING, condition: STRING, conditionHolds: STRING, rewrite: STRING, changesResults: BOOLEAN },
        ...{ counterexample: list(STRING), unknown: STRING, trials: NUMBER, steps: list(STRING) },
      },
      ['verdict', 'basis', 'trials', 'steps'],
    ),
  },
  {
    name: 'digest_log',
    title: 'Digest query logs',
    description:
      'Which query patterns take the time in logs of CouchDB, HAProxy, nginx and others. Keys and ids are not shown.',
    inputSchema: object({ logs: LOGS, begin: text('ISO 8601'), end: text('ISO 8601'), limit: LIMIT }, ['logs']),
    outputSchema: answer({
      ...{ from: STRING, to: STRING, requests: NUMBER, queries: list(QUERY) },
      notListed: { ...NUMBER, description: 'query patterns beyond the limit' },
    }),
  },
  {
    name: 'advise',
    title: 'Advise indexes for a workload',
    description:
      'The few indexes and changes of views that save the queries of logs most time, with their cost and files. Needs logs.',
    inputSchema: object(
      {
        ...{ logs: LOGS, paths: paths('design documents, indexes and code'), documents: paths('sample documents') },
        ...{
          target: TARGET,
          maxIndexes: whole('new indexes at most', 0, 1000),
          server: SERVER,
          databases: DATABASES,
          limit: LIMIT,
        },
      },
      ['logs'],
    ),
    outputSchema: answer({
      ...{ steps: list(STEP), notListed: NUMBER },
      others: { ...list(STRING), description: 'findings that are worth it and need no index' },
      rejected: list(STRING),
    }),
  },
  {
    name: 'upgrade_check',
    title: 'Check an upgrade of CouchDB',
    description: 'What another version of CouchDB breaks, changes and improves in a project, as a check list.',
    inputSchema: object({
      paths: paths('design documents, settings and code'),
      from: text('version that runs now, as 2.3; as found if left out'),
      to: text('version to upgrade to; the newest known if left out'),
      ...{ logs: LOGS, server: SERVER, databases: DATABASES, limit: LIMIT },
    }),
    outputSchema: answer({ from: STRING, to: STRING, items: list(UPGRADE_ITEM), notListed: NUMBER }),
  },
  {
    name: 'predict_size',
    title: 'Predict the size of a database and its indexes',
    description:
      'How large the files of a database and of its views become for a load of documents, by replaying what CouchDB writes.',
    inputSchema: object(
      {
        ...{
          documents: paths('documents to load, as JSON lines or bodies of _bulk_docs'),
          views: paths('design documents and indexes'),
        },
        ...{
          count: whole('documents that the database will have'),
          shards: whole('q of the database', 1, 256),
          target: TARGET,
        },
      },
      ['documents'],
    ),
    outputSchema: answer({ documents: NUMBER, fileBytes: NUMBER, compactedBytes: NUMBER, indexes: list(INDEX) }),
  },
];
