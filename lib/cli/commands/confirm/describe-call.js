// Binds an experiment to a call in the code of an application: collects its options, the view that it queries, documents of the user.

import { optionOf } from '../../../facts/call/call.js';
import { pickConditions } from '../../../facts/call/reading.js';
import { viewOfCall } from '../../../facts/call/result.js';
import { storedMapOf } from '../../../facts/call/temporary.js';
import { bindExperiment } from '../../../measure/experiments/bind.js';
import { bindList, bindReads, bindTemporary, withoutMeasurement } from '../../../measure/experiments/bind-call.js';
import { bindLoad } from '../../../measure/experiments/bind-load.js';
import { mixQueries } from '../../../measure/experiments/logged-queries.js';
import { formatCount } from '../../../shared/units.js';
import { member } from '../../../sources/record.js';
import { withId } from './describe-filter.js';
import { bindFunctions, describeOwn } from './describe-view.js';

/** @import { CallSubject } from '../../../facts/fact.js' */
/** @import { BoundView } from '../../../measure/experiments/bind.js' */
/** @import { ArmBinding, Assumption, Experiment } from '../../../measure/experiments/experiment.js' */
/** @import { LoggedQuery } from '../../../measure/experiments/logged-queries.js' */
/** @import { CallRecord } from '../../../sources/application/record.js' */
/** @import { Binding } from './bind-findings.js' */

/** @typedef {{name: string, outcome: string}} About `name`: where the call stands */

/** Turns of a loop whose list is not in the code, and rows of a page whose limit is not. */
const USUAL_TURNS = 50;
const USUAL_LIMIT = 20;
/** Fewer keys are no list. */
const MIN_KEYS = 2;
/** Documents that a loop writes: each is a request. */
const MAX_WRITES = 400;

/** Options that decide what a query returns, and have to be literal. */
const DECIDING = new Set('include_docs reduce group group_level descending inclusive_end'.split(' '));
/** Options that choose the rows. */
const CHOOSING = ['key', 'keys', 'startkey', 'endkey'];
/** @type {ReadonlyMap<string, string>} */
const SAME = new Map([
  ['start_key', 'startkey'],
  ['end_key', 'endkey'],
]);

const NO_VIEW = 'the input does not contain its view';
const NO_DOCUMENTS = 'no documents were given; add some with --docs';

/**
 * @param {Experiment} experiment
 * @param {CallSubject} call
 * @param {About} about
 * @param {Binding} binding
 * @returns {Promise<Experiment | {reason: string}>}
 */
export async function bindCall(experiment, call, about, binding) {
  /** @type {Partial<ArmBinding>} */
  const how = experiment.binding?.['as-is'] ?? {};
  const { record } = call;
  if (how.reads && record.method === 'view') {
    const bound = await bindKeys(experiment, call, about, binding);
    // The pattern reads documents: of views it shows nothing.
    return 'reason' in bound ? withoutMeasurement(experiment, { name: about.name, obstacle: bound.reason }) : bound;
  }
  if (how.reads) return bindDocuments(experiment, record, about, binding);
  if (how.load) return bindWrites(experiment, record, about, binding);
  if (how.list) return bindAll(experiment, record, about, binding);
  if (how.index) return bindMap(experiment, record, about, binding);
  return bindQuery(experiment, call, about, binding);
}

/**
 * @param {Experiment} experiment
 * @param {CallRecord} record
 * @param {About} about
 * @param {Binding} binding
 */
function bindDocuments(experiment, { method, loop }, { name }, { samples }) {
  if (method !== 'get') return { reason: `it is a \`${method}\`, not a read of a whole document` };
  const own = ownDocuments(samples);
  if ('reason' in own) return own;
  const { turns, assumed } = turnsOf(loop, own.data.documents.length);
  return bindReads(experiment, { name, ...own, turns, assumed: [...own.assumed, ...assumed] });
}

/**
 * @param {Experiment} experiment
 * @param {CallSubject} call
 * @param {About} about
 * @param {Binding} binding
 * @returns {Promise<Experiment | {reason: string}>}
 */
async function bindKeys(experiment, call, about, binding) {
  const ofOwn = await describeQueried(call, about, experiment, binding);
  if ('reason' in ofOwn) return ofOwn;
  // With one key for all rows, each turn would read the whole view.
  const areAlike = countKeys(ofOwn.view) < MIN_KEYS;
  const generated = { ...binding, samples: { ...binding.samples, documents: [] } };
  const described = areAlike ? await describeQueried(call, about, experiment, generated) : ofOwn;
  if ('reason' in described) return described;
  const { view, query } = described;
  const keys = countKeys(view);
  if (keys < MIN_KEYS) return { reason: 'its map emits one key for all documents' };
  const { reduce, maps, data } = view;
  const notes = areAlike ? [...view.notes, 'your documents have the same key, so others were generated'] : view.notes;
  const mixed = mixQueries([query], { hasReduce: reduce !== undefined, wantsRows: false, source: 'code' });
  if ('reason' in mixed) return mixed;
  const { key: _, ...others } = mixed.queries[0]?.request.query ?? {};
  const { turns, assumed } = turnsOf(call.record.loop, keys);
  return bindReads(experiment, {
    name: about.name,
    data,
    notes,
    turns,
    view: { map: maps['as-is'] ?? '', reduce, query: others, isReduced: mixed.readsReduce },
    assumed: [...view.assumed, ...mixed.assumed, ...assumed],
  });
}

/**
 * @param {Experiment} experiment
 * @param {CallRecord} record
 * @param {About} about
 * @param {Binding} binding
 */
function bindWrites(experiment, { method, loop }, { name, outcome }, { samples }) {
  if (method !== 'insert') return { reason: 'it removes documents, and new ones are written here' };
  const most = timesOf(loop) ?? MAX_WRITES;
  const own = ownDocuments({ ...samples, documents: samples.documents.slice(0, most) });
  if ('reason' in own) return own;
  /** @type {Assumption[]} */
  const assumed = [{ part: 'documents', text: 'each is new, in an empty database' }];
  if (timesOf(loop) === undefined) {
    assumed.push({ part: 'count', text: 'the code does not show the number of turns; batches of 100 were used' });
  }
  return bindLoad(experiment, {
    name,
    outcome,
    ...own,
    documents: own.data.documents.length,
    assumed: [...own.assumed, ...assumed, ...assumptionOfOrder(loop)],
  });
}

/**
 * @param {Experiment} experiment
 * @param {CallSubject} call
 * @param {About} about
 * @param {Binding} binding
 * @returns {Promise<Experiment | {reason: string}>}
 */
async function bindQuery(experiment, call, about, binding) {
  const described = await describeQueried(call, about, experiment, binding);
  if ('reason' in described) return described;
  const { view, query } = described;
  const { record } = call;
  /** @type {Assumption[]} */
  const assumed = [];
  if (record.skip === 'grows') {
    const option = CHOOSING.find((name) => query.parameters.includes(name));
    if (option !== undefined) return { reason: `the code does not show how many rows its \`${option}\` has` };
    // Of all pages, one in the middle skips as many rows as they do on average.
    query.skip = Math.floor((view.rows ?? 0) / 2);
    assumed.push({
      part: 'query',
      text: `the code computes \`skip\`; a page in the middle was read, which skips ${formatCount(query.skip)} rows`,
    });
  }
  if (optionOf(record, 'limit') && query.limit === undefined) {
    query.limit = USUAL_LIMIT;
    assumed.push({ part: 'query', text: `the code computes \`limit\`; ${USUAL_LIMIT} was used` });
  }
  const queries = [query];
  return bindExperiment(experiment, { ...view, queries, assumed: [...view.assumed, ...assumed] });
}

/**
 * @param {Experiment} experiment
 * @param {CallRecord} record
 * @param {About} about
 * @param {Binding} binding
 */
function bindAll(experiment, record, { name }, { samples }) {
  if (record.method !== 'all-docs') return { reason: 'it reads a view, not `_all_docs`' };
  const own = ownDocuments(samples);
  if ('reason' in own) return own;
  const conditions = pickConditions(record);
  const { documents } = own.data;
  const fields = conditions.map(({ field }) => field);
  const like = documents.find((document) => fields.every((field) => isPlain(valueAt(document, field))));
  if (!like) return { reason: `no document has ${fields.map((field) => `\`${field}\``).join(' and ')}` };
  /** @type {Record<string, unknown>} */
  const selector = {};
  for (const { field, selector: text } of conditions) {
    if (text?.startsWith('{')) return { reason: `the program compares \`${field}\` with a range` };
    selector[field] = literalOf(text) ?? valueAt(like, field);
  }
  const kept = documents.filter((document) =>
    Object.entries(selector).every(([field, value]) => valueAt(document, field) === value),
  );
  if (kept.length === 0) return { reason: 'no document fulfills the condition' };
  /** @type {Assumption} */
  const query = {
    part: 'query',
    text: `${fields.map((field) => `\`${field}\``).join(', ')} of one document; ${formatCount(kept.length)} have the same`,
  };
  const isLiteral = conditions.every(({ selector: text }) => literalOf(text) !== undefined);
  return bindList(experiment, {
    name,
    ...own,
    fields,
    selector,
    notes: [...own.notes, `the program keeps ${formatCount(kept.length)} of them`],
    assumed: isLiteral ? own.assumed : [...own.assumed, query],
  });
}

/**
 * @param {Experiment} experiment
 * @param {CallRecord} record
 * @param {About} about
 * @param {Binding} binding
 * @returns {Promise<Experiment | {reason: string}>}
 */
async function bindMap(experiment, record, { name }, binding) {
  const map = storedMapOf(record);
  if (map === undefined) return { reason: 'its map cannot be stored as it is' };
  if (member(record.arguments[0], 'reduce')) return { reason: 'it has a reduce' };
  const query = queryOf(record);
  if ('reason' in query) return query;
  const { dataset } = experiment;
  const view = await bindFunctions({ map }, { name, queries: undefined, dataset }, binding);
  if ('reason' in view) return view;
  const mixed = mixQueries([query], { hasReduce: false, wantsRows: true, source: 'code' });
  if ('reason' in mixed) return mixed;
  const [first] = mixed.queries;
  const { data, notes, assumed } = view;
  return bindTemporary(experiment, {
    name,
    data,
    notes,
    map,
    query: first?.request.query ?? {},
    shape: first?.shape ?? '',
    assumed: [
      ...assumed,
      ...mixed.assumed,
      { part: 'functions', text: 'its map runs in the sandbox, which is slower than the engine of the program' },
    ],
  });
}

/**
 * @param {CallSubject} call
 * @param {About} about
 * @param {Experiment} experiment
 * @param {Binding} binding
 * @returns {Promise<{view: BoundView, query: LoggedQuery} | {reason: string}>} the view that it queries, and the query
 */
async function describeQueried(call, { name, outcome }, { dataset }, binding) {
  const view = viewOfCall(call);
  if ('unknown' in view) return { reason: NO_VIEW };
  const map = view.map?.text.text;
  if (map === undefined) return { reason: 'the map of its view is missing or not JavaScript' };
  const query = queryOf(call.record);
  if ('reason' in query) return query;
  const fields = call.record.result.docFields?.filter((field) => !field.startsWith('_'));
  const described = await bindFunctions(
    { map, reduce: view.reduce?.text.text },
    { name, queries: [query], dataset, ...(fields && fields.length > 0 ? { fields } : {}) },
    binding,
  );
  return 'reason' in described ? described : { view: { ...described, source: 'code', outcome }, query };
}

/** @param {BoundView} view @returns {number} different ones, of those that were tried */
function countKeys({ data }) {
  return new Set(data.keys.map((key) => JSON.stringify(key))).size;
}

/**
 * @param {CallRecord} record
 * @returns {LoggedQuery | {reason: string}}
 */
function queryOf({ options: { node, isOpen } }) {
  if (isOpen) return { reason: 'the code does not show all options of the call' };
  /** @type {Map<string, string | number | boolean | undefined>} */
  const values = new Map();
  for (const { key, node: value } of node?.entries ?? []) {
    const isLiteral = value.type === 'boolean' || value.type === 'number';
    if (DECIDING.has(key) && !isLiteral) return { reason: `the code computes \`${key}\`` };
    values.set(SAME.get(key) ?? key, isLiteral ? value.value : undefined);
  }
  const [limit, skip] = ['limit', 'skip'].map((name) => values.get(name));
  const isChosen = (/** @type {string} */ name) => CHOOSING.includes(name) || name === 'limit' || name === 'skip';
  return {
    method: 'GET',
    endpoint: '_view',
    parameters: [...values].map(([name, value]) =>
      value === undefined || isChosen(name) ? name : `${name}=${String(value)}`,
    ),
    count: 1,
    weight: 1,
    limit: typeof limit === 'number' ? limit : undefined,
    skip: typeof skip === 'number' ? skip : undefined,
    rows: undefined,
  };
}

/**
 * @param {Binding['samples']} samples
 * @returns {{data: {documents: {_id: string}[], keys: unknown[]}, notes: string[], assumed: Assumption[]} | {reason: string}}
 */
export function ownDocuments(samples) {
  const { documents } = samples;
  if (documents.length === 0) return { reason: NO_DOCUMENTS };
  /** @type {Map<string, {_id: string}>} */
  const byId = new Map();
  for (const [at, document] of documents.entries()) {
    const own = withId(document, at);
    // Design documents are no data.
    if (!own._id.startsWith('_')) byId.set(own._id, own);
  }
  const own = [...byId.values()];
  return {
    data: { documents: own, keys: [] },
    notes: [`${formatCount(own.length)} of your documents`],
    assumed: describeOwn(own.length, samples),
  };
}

/** @param {CallRecord['loop']} loop @returns {number | undefined} how many turns, where the code shows it */
function timesOf(loop) {
  return typeof loop?.times === 'number' ? loop.times : undefined;
}

/**
 * @param {CallRecord['loop']} loop
 * @param {number} most as there are documents or keys
 * @returns {{turns: number, assumed: Assumption[]}}
 */
function turnsOf(loop, most) {
  const turns = Math.min(timesOf(loop) ?? USUAL_TURNS, most);
  const text = `the code does not show the number of turns; ${turns} were used`;
  return {
    turns,
    assumed: [
      ...(timesOf(loop) === undefined ? [{ part: /** @type {const} */ ('count'), text }] : []),
      ...assumptionOfOrder(loop),
    ],
  };
}

/** @param {CallRecord['loop']} loop @returns {Assumption[]} */
function assumptionOfOrder(loop) {
  return loop?.isConcurrent ? [{ part: 'query', text: 'the turns run one after another, in the code at once' }] : [];
}

/** @param {unknown} document @param {string} field `address.city` @returns {unknown} */
function valueAt(document, field) {
  return field.split('.').reduce((/** @type {any} */ value, name) => value?.[name], document);
}

/** @param {unknown} value */
function isPlain(value) {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** @param {string | null} text source of an expression @returns {string | number | boolean | undefined} where it is literal */
function literalOf(text) {
  const [, , written] = /^(['"])([^'"\\]*)\1$/.exec(text ?? '') ?? [];
  if (written !== undefined) return written;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(text ?? '') ? Number(text) : undefined;
}
