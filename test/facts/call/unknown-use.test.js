// Breaks facts that claim something of code that is not followed: what follows from an unknown is unknown, in every fact that may say
// "none", "only" or "never".

import { describe, expect, test } from 'vitest';
import { factCatalog } from '../../helpers/internals.js';
import { sample } from '../../helpers/long.js';
import { createProject } from '../../helpers/temporary-project.js';

const HEAD = "import nano from 'nano';\nconst shop = nano(process.env.COUCHDB_URL).use('shop');\nlet kept, outer;\n";

/** What may be done with a value `X` so that code that is not followed can read all of it. */
const OPAQUE = [
  'send(X);',
  'send({ X: X });',
  'send({ ...X });',
  'send([X]);',
  'send(...[X]);',
  'send(later || X);',
  'send(later ? X : 1);',
  'send((later, X));',
  'send((outer = X));',
  'send(() => X);',
  'send(`${X}`);',
  'send`${X}`;',
  'send(new Thing(X));',
  'send(X[later]);',
  'send(X.of());',
  'send(X?.of?.());',
  'send(Object.keys(X));',
  "send('name' in X);",
  'send(JSON.stringify(X));',
  'send(await X);',
  'console.log(X);',
  'response.json(X);',
  'response.data = X;',
  'this.kept = X;',
  'this[later] = X;',
  'module.exports.last = X;',
  'shared = X;',
  'undeclared = X;',
  'X.next = 1; send(X);',
  'return X;',
  'return { data: X };',
  'yield X;',
  'throw X;',
  'const { ...rest } = X; send(rest);',
  'const { [later]: one } = X; send(one);',
  'const one = X; one.next = one; send(one);',
  'let one; one = X; send(one);',
  'let one; if (later) one = X; send(one);',
  'for (const key in X) send(key);',
  'const inner = () => send(X); inner();',
  'class Kept { value = X; } send(Kept);',
  "eval('send(X)'); X;",
  'send(X = X);',
  'switch (X) { case send(X): break; }',
];

/** How a part of the answer gets the name `x`, around what is done with it. */
const PARTS = {
  answer: [
    'const x = await Q; USE',
    'send(Q.then(async function* (x) { USE }));',
    'return Q.then(async (x) => { await send(); USE });',
    'shop.view(VIEW, async function* (error, x) { USE });',
    'const [x] = [await Q]; USE',
  ],
  rows: [
    'const { rows: x } = await Q; USE',
    'const x = (await Q).rows; USE',
    'let x = (await Q).rows.filter(Boolean); USE',
  ],
  row: [
    'for (const x of (await Q).rows) { USE }',
    '(await Q).rows.forEach(async function* (x) { USE });',
    'const x = (await Q).rows[0]; USE',
    'const x = (await Q).rows.find((row) => row.id); USE',
  ],
  documents: [
    'const x = (await Q).rows.map((row) => row.doc); USE',
    'const x = (await Q).rows.map(({ doc }) => doc); USE',
  ],
  document: [
    'for (const { doc: x } of (await Q).rows) { USE }',
    '(await Q).rows.map(async function* (row) { const x = row.doc; USE });',
    'const x = (await Q).rows.at(0).doc; USE',
    '(await Q).rows.reduce((sum, { doc: x }) => { const use = async function* () { USE }; return sum; }, 0);',
  ],
  values: [
    'const x = (await Q).rows.map((row) => row.value); USE',
    'const x = (await Q).rows.map(({ value }) => value); USE',
  ],
  value: [
    'for (const { value: x } of (await Q).rows) { USE }',
    '(await Q).rows.map(async function* (row) { const x = row.value; USE });',
    'const x = (await Q).rows.map((row) => row.value).at(0); USE',
  ],
};

/** Functions that get an answer, rows or documents by another name than that of their parameters, or that are not shown. */
const GIVEN = [
  'shop.view(VIEW, send);',
  'shop.view(VIEW, this.send);',
  'shop.view(VIEW, function () { send(arguments); });',
  'shop.view(VIEW, (...all) => send(all));',
  'shop.view(VIEW, (error, ...all) => send(all));',
  'Q.then(send);',
  'Q.then(function () { send(arguments[0]); });',
  'Q.then((...all) => send(all));',
  'Q.then(send.bind(null, 1));',
  'Q.then((x) => x).then(send);',
  'Q.asCallback(send);',
  'Q.pipe(response);',
  "Q.on('data', send);",
  '(await Q).rows.forEach(send);',
  '(await Q).rows.map(send);',
  '(await Q).rows.map((row, index, all) => send(all));',
  '(await Q).rows.map((row, ...others) => send(others));',
  '(await Q).rows.forEach(function () { send(arguments); });',
  '(await Q).rows.sort(send);',
  '(await Q).rows.push(1);',
  'for (const row of await Q) send(row);',
  'send((await Q)[later]);',
  'const { results } = await Q; send(results);',
  'send((await Q).results);',
  'const { values } = (await Q).rows; send(values);',
  'await Promise.all([Q]).then(send);',
  'send(await Promise.all([Q]));',
];

const VIEW = "'orders', 'by_status', { include_docs: true }";

/** @param {string} code @returns {Promise<Record<string, {value?: unknown, unknown?: string}>>} facts of the call in it */
async function factsOf(code) {
  const text = code.replaceAll('Q', `shop.view(${VIEW})`).replaceAll('VIEW', VIEW);
  const project = createProject({
    'orders.js': `${HEAD}export let shared;\nexport async function* f(later, response) {\n${text}\n}\n`,
  });
  const { stdout } = await project.run(['facts', '--format', 'json']);
  const call = JSON.parse(stdout).subjects.findLast((/** @type {{kind: string}} */ { kind }) => kind === 'call');
  expect(call, text).toBeDefined();
  return call.facts;
}

const isUnknown = (/** @type {{unknown?: string} | undefined} */ fact) => fact?.unknown !== undefined;

describe('what becomes of an answer that goes to code that is not followed is unknown', () => {
  const cases = Object.entries(PARTS).flatMap(([part, heads]) => {
    // The names of a list are numbers.
    const uses = OPAQUE.filter(
      (use) => !(use.startsWith('for (const key in') && /^(?:rows|documents|values)$/.test(part)),
    );
    return heads.flatMap((head) => {
      const own =
        head.includes('=>') && head.includes('return Q') ? uses.filter((use) => !use.includes('yield')) : uses;
      return own.map((use) => ({ part, code: head.replace('USE', use.replaceAll('X', 'x')) }));
    });
  });
  test.each(sample(cases, 30))('of the $part: $code', async ({ code, part }) => {
    const facts = await factsOf(code);
    if (!part.startsWith('document'))
      expect(facts['call.valueFields'], 'valueFields').toMatchObject({ unknown: expect.any(String) });
    if (part.startsWith('value')) return;
    expect(facts['call.docFields'], 'docFields').toMatchObject({ unknown: expect.any(String) });
    const uses = facts['call.usesDocs'];
    expect(isUnknown(uses) || uses?.value === true, 'usesDocs').toBe(true);
    expect(facts['call.isOnlyCounted']?.value, 'isOnlyCounted').not.toBe(true);
    if (part === 'answer' || part === 'rows') {
      expect(facts['call.listUse']?.value, 'listUse').not.toBe('none');
      expect(facts['call.pickedFields']?.value ?? 'unknown', 'pickedFields').not.toEqual([]);
    }
  });

  test.each(GIVEN)('%s', async (code) => {
    const facts = await factsOf(code);
    for (const name of ['call.docFields', 'call.valueFields'])
      expect(facts[name], name).toMatchObject({ unknown: expect.any(String) });
    expect(facts['call.usesDocs'], 'usesDocs').toMatchObject({ unknown: expect.any(String) });
    expect(facts['call.isOnlyCounted']?.value, 'isOnlyCounted').not.toBe(true);
    expect(facts['call.listUse']?.value, 'listUse').not.toBe('none');
  });
});

/** Options that are not all shown. */
const OPEN = [
  'later',
  '{ ...later }',
  '{ [later]: 1 }',
  'Object.assign({}, later)',
  'later ? {} : { descending: true }',
  'later || {}',
  'later.options',
  'await load()',
  'new Options()',
  'JSON.parse(later)',
  'all[0]',
];
/** What is done to an object `made` before it is given. */
const CHANGED = [
  'const made = {}; fill(made);',
  'const made = {}; made[later] = 1;',
  'const made = {}; Object.assign(made, later);',
  'let made = {}; made = later;',
  'const made = {}; later.made = made; later.fill();',
  'const made = {}; if (later) made.descending = true;',
  'const { made = {} } = later;',
];
/** Facts about options, with the answer that says that there is no such option. */
const OF_OPTIONS = {
  list: {
    'call.hasLimit': false,
    'call.hasKeys': false,
    'call.includeDocs': false,
    'call.readsAttachments': false,
    'call.isUnbounded': true,
    'call.skip': 'none',
  },
  view: { 'call.hasOneKey': true, 'call.continues': false },
  find: {
    'call.continues': false,
    'call.hasLimit': false,
    'call.selectorIsEmpty': true,
    'call.selectorTestsId': false,
    'call.indexForFind': 'none',
  },
  bulk: {
    'call.isWithoutNewEdits': false,
    'call.idSource': 'none',
    'call.changesKnownDocuments': false,
    'call.hasOnlyNewDocuments': true,
    'call.hasOnlyLiteralDocuments': true,
  },
  insert: {
    'call.idSource': 'none',
    'call.changesKnownDocuments': false,
    'call.hasOnlyNewDocuments': true,
    'call.hasOnlyLiteralDocuments': true,
  },
};
const BEFORE = { list: '', view: "'orders', 'by_status', ", find: '', bulk: '', insert: '' };

describe('what options and documents that are not shown do not have is unknown', () => {
  const cases = Object.entries(OF_OPTIONS).flatMap(([method, negative]) => [
    ...OPEN.map((given) => ({
      code: `await shop.${method}(${BEFORE[/** @type {'list'} */ (method)]}${given});`,
      negative,
    })),
    ...CHANGED.map((made) => ({
      code: `${made} await shop.${method}(${BEFORE[/** @type {'list'} */ (method)]}made);`,
      negative,
    })),
  ]);
  test.each(sample(cases, 15))('$code', async ({ code, negative }) => {
    const facts = await factsOf(code);
    for (const [id, value] of Object.entries(negative)) expect(facts[id]?.value, id).not.toBe(value);
  });

  test.each([
    'const selector = {}; if (later) selector.type = later; await shop.find({ selector });',
    'const selector = {}; selector[later] = 1; await shop.find({ selector });',
    'const selector = {}; narrow(selector); await shop.find({ selector });',
    'await shop.find({ selector: { ...later } });',
    'await shop.find({ selector: { [later]: 1 } });',
    'await shop.find({ selector: later });',
  ])('%s', async (code) => {
    const facts = await factsOf(code);
    for (const id of ['call.selectorIsEmpty', 'call.selectorTestsId', 'call.indexForFind'])
      expect(facts[id], id).toMatchObject({ unknown: expect.any(String) });
  });
});

/** Maps whose rows are made by code that is not shown. */
const HIDDEN_EMITS = [
  '[doc].forEach(emit);',
  'eval("emit(doc._id, doc)");',
  'new Function("d", "emit(d._id, d)")(doc);',
  'this.emit(doc._id, doc);',
  'globalThis.emit(doc._id, doc);',
  'require("views/lib/rows").run(doc, emit);',
  'require("views/lib/rows").run(doc);',
  'helper`${emit}${doc}`;',
  'helper(doc, emit);',
  'var rows = { emit: emit }; helper(rows);',
];
const OF_MAPS = {
  'view.emitCalls': [],
  'view.emitCount': 0,
  'view.neverEmits': true,
  'view.emitsWholeDoc': false,
  'view.emitsLinkedDoc': false,
  'view.copiesDocs': false,
  'view.emitsMissingValue': false,
};

test.each(sample(HIDDEN_EMITS, 4))(
  'the rows of a map are unknown where code that is not shown emits: %s',
  async (code) => {
    const views = { rows: { map: `function (doc) { ${code} }` } };
    const project = createProject({ 'orders.json': JSON.stringify({ _id: '_design/orders', views }) });
    const { stdout } = await project.run(['facts', '--format', 'json']);
    const view = JSON.parse(stdout).subjects.find((/** @type {{kind: string}} */ { kind }) => kind === 'view');
    for (const [id, value] of Object.entries(OF_MAPS))
      expect(view.facts[id]?.value ?? 'unknown', id).not.toEqual(value);
  },
);

/** Requests of which the log has neither body nor document, and views that are in no design document that was read. */
const UNSEEN = ['POST /shop/_find', 'POST /shop/_all_docs', 'POST /shop/_bulk_docs', 'GET /shop/_design/o/_view/gone'];

test.each(UNSEEN)('what a request holds that the log does not show is unknown: %s', async (request) => {
  const line = `[notice] 2026-11-01T10:00:00.000000Z a@b <0.1.0> aaaa localhost:5984 127.0.0.1 admin ${request} 200 ok 5\n`;
  const project = createProject({ 'couch.log': line });
  const { stdout } = await project.run(['facts', '--log', 'couch.log', '--format', 'json']);
  const { facts } = JSON.parse(stdout).subjects.find((/** @type {{kind: string}} */ { kind }) => kind === 'request');
  for (const id of listsOf('request')) {
    if (!FOUND.includes(id)) expect(facts[id]?.value, id).toBeUndefined();
  }
});

/** Lists that may say that there is nothing, and that are tried above with code, options, maps and requests that are not shown. */
const TRIED = [
  'call.docFields',
  'call.valueFields',
  'view.readValueFields',
  'call.pickedFields',
  'view.emitCalls',
].concat(
  ['sortFieldsNotTested', 'hintFilterFields', 'unnamedPartialIndexes', 'uncoveredFields'].map((id) => `request.${id}`),
);
/** Lists of what was found, each with its place or its name: what is not among them is not said to be absent. */
const FOUND = [
  ...['structureErrors', 'looseViewFiles', 'customReduces', 'deprecatedMembers', 'misspeltMembers'].map(
    (id) => `ddoc.${id}`,
  ),
  ...['duplicateInDocument', 'duplicateElsewhere', 'valueFieldsUnguarded', 'unguardedReads', 'absentMembers'].map(
    (id) => `view.${id}`,
  ),
  ...['unguardedReadsBehindTypeTest', 'valuesNaNIfMissing', 'otherCopies', 'localSeqReads', 'emitsOfDeletions'].map(
    (id) => `view.${id}`,
  ),
  ...['emitsInProduct', 'emitsOfWords', 'emitsDocInKey', 'keyObjects', 'keyTypes', 'mixedKeys'].map(
    (id) => `view.${id}`,
  ),
  ...['rereduceFaults', 'growth', 'valueChanges', 'sharedValuesViews', 'proof'].map((id) => `reduce.${id}`),
  ...['emitCalls', 'localTime', 'localDates', 'mutations', 'ignoredMutations', 'unknownNames', 'zoneCauses'].map(
    (id) => `function.${id}`,
  ),
  ...['reachedUnknownNames', 'missingRequires', 'engineFailures', 'nondeterministic', 'dateRollovers'].map(
    (id) => `function.${id}`,
  ),
  'function.carriedState',
  ...['calledGlobals', 'engineAnswers'].map((id) => `function.${id}`),
  ...['unguardedReads', 'unguardedParameters', 'lostReturns'].map((id) => `filter.${id}`),
  ...['unguardedReads', 'badThrows', 'faults', 'returnsRejection'].map((id) => `validate.${id}`),
  ...['corsOpenWithCredentials', 'corsOpen', 'corsDoubtfulOrigins', 'erlangDesignDocs'].map((id) => `config.${id}`),
  ...['databasesWithAdmins', 'publicDatabases', 'unreadOptions', 'overruledOptions', 'removedOptions'].map(
    (id) => `config.${id}`,
  ),
  ...['members', 'exampleIndexIds', 'exampleIds'].map((id) => `load.${id}`),
  ...['exampleLines', 'viewEmits'].map((id) => `request.${id}`),
  ...['regExpOperators', 'regExpValues', 'regExpInstead', 'repeatedKeys', 'viewEmits'].map((id) => `call.${id}`),
  // The map of a temporary query is code of its own, and written in the call.
  'call.mapOuterNames',
  ...['queryServerFailures', 'engineDifferences', 'conflictedDatabases'].map((id) => `log.${id}`),
  ...['localEndpoints', 'passwordAddresses'].map((id) => `replication.${id}`),
  ...['downNodes', 'leftNodes', 'idleChannels', 'severeFaults', 'otherFaults'].map((id) => `node.${id}`),
  ...['singleViewDesignDocs', 'validatingDesignDocs'].map((id) => `database.${id}`),
  'viewindex.wholeDocViews',
  ...['unguardedReads', 'refusedCalls', 'uncheckedValues', 'typeChanges', 'storedDocs'].map(
    (id) => `searchindex.${id}`,
  ),
];
/** Lists of all members of a JSON document, of two versions of one, or of a query that the user names: it is read whole or not at all. */
const WHOLE = [
  'find.rangelessOperators',
  'find.narrowlyMissedIndexes',
  'find.fields',
  'index.fields',
  'index.twins',
  'change.rebuilt',
  'change.changedViews',
  'change.unchangedViews',
];

/** @param {string[]} subjects @returns {string[]} ids of facts that are lists, of all subjects where none is named */
function listsOf(...subjects) {
  const all = [...factCatalog.values()].filter(({ type }) => type === 'list');
  return all.filter(({ subject }) => subjects.length === 0 || subjects.includes(subject)).map(({ id }) => id);
}

test('every list of the catalogue is tried with what is not shown, or names only what was found', () => {
  expect(listsOf().sort()).toEqual([...TRIED, ...FOUND, ...WHOLE].sort());
});
