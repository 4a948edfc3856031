// Collects what an experiment needs of a view of the user: its functions, documents that it emits, its queries in the logs.

import { isKnown } from '../../../facts/fact.js';
import { answeredOf } from '../../../facts/request/parts.js';
import { queriesView } from '../../../facts/view/requests.js';
import { documentName, emitInstead, fieldsOf } from '../../../proof/synthesis/emitted-value.js';
import { fitDocuments } from '../../../proof/synthesis/fit-documents.js';
import { formatCount } from '../../../shared/units.js';
import { compareKeys } from '../../../storage-model/view-keys.js';

/** @import { BoundView } from '../../../measure/experiments/bind.js' */
/** @import { Assumption, Dataset } from '../../../measure/experiments/experiment.js' */
/** @import { LoggedQuery } from '../../../measure/experiments/logged-queries.js' */
/** @import { Ask, RequestSubject, ViewSubject } from '../../../facts/fact.js' */
/** @import { Sandbox } from '../../../sandbox/sandbox.js' */
/** @import { RequestRecord } from '../../../sources/record.js' */
/** @import { Fitted } from '../../../proof/synthesis/fit-documents.js' */
/** @import { Binding, Samples } from './bind-findings.js' */

/** Fields that a projection has: a list shows a few. */
const FIELDS = 2;
/** Built-ins that fail the build of an index where a value is no number (couch_query_servers.erl, 3.5.0). */
const NEEDS_NUMBERS = /^_(?:sum|stats)$/;
/** Documents whose values are looked at. */
const MAX_TRIED = 200;
/** More than this measures how connections queue up. */
const MAX_CONNECTIONS = 20;
/** Documents that are made so that as many rows can be skipped as in the logs. */
const MAX_MADE = 20_000;

/**
 * @param {ViewSubject} view
 * @param {{name: string, request?: RequestSubject, dataset: Dataset}} about `request`: the one form of query that it is about
 * @param {Binding} binding
 * @returns {Promise<BoundView | {reason: string}>}
 */
export async function describeView(view, { name, request, dataset }, binding) {
  const { ask } = binding;
  const map = view.map?.text.text;
  if (map === undefined) return { reason: 'its map function is missing or not JavaScript' };
  const queries = queriesOf(view, request, ask);
  const connections = connectionsOf(request ? [request.record] : requestsOf(view));
  const functions = { map, reduce: view.reduce?.text.text, builtin: builtinOf(view, ask) };
  const described = await bindFunctions(functions, { name, queries, dataset }, binding);
  return 'reason' in described ? described : { ...described, connections };
}

/**
 * @param {{map: string, reduce?: string | undefined, builtin?: string | undefined}} functions of a view
 * @param {{name: string, queries: LoggedQuery[] | undefined, dataset: Dataset, fields?: string[]}} about `fields`: those of a document that
 *   its clients read
 * @param {Pick<Binding, 'seed' | 'documents' | 'samples' | 'sandbox'>} binding
 * @returns {Promise<BoundView | {reason: string}>}
 */
export async function bindFunctions(
  { map, reduce, builtin },
  { name, queries, dataset, fields },
  { seed, documents, samples, sandbox },
) {
  if (/\brequire\s*\(/.test(map)) return { reason: 'its map uses require()' };
  const skipped = Math.max(0, ...(queries ?? []).map(({ skip = 0, limit = 0 }) => skip + limit));
  const count = Math.min(MAX_MADE, documents ?? Math.max(dataset.documents, skipped * 2));
  const { paddingBytes = 200 } = dataset;
  const fitted = await fitDocuments({ map, samples: samples.documents, seed, count, paddingBytes, sandbox });
  if ('reason' in fitted) return { reason: fitted.reason };
  if (builtin !== undefined && NEEDS_NUMBERS.test(builtin) && !(await emitsNumbers(map, fitted.documents, sandbox))) {
    return { reason: `it emits values that are not numbers, which ${builtin} requires` };
  }
  const shown = fields ?? plainFields(fitted.documents[0] ?? {});
  return {
    name,
    maps: mapsOf(map, shown),
    fields: shown,
    reduce,
    builtin,
    queries,
    rows: Math.round(fitted.emitShare * fitted.documents.length),
    data: {
      documents: /** @type {{_id: string}[]} */ (fitted.documents),
      keys: fitted.keys.toSorted(compareKeys),
    },
    ...describeData(fitted, samples),
  };
}

/**
 * @param {Fitted} fitted
 * @param {Samples} samples
 * @returns {{notes: string[], assumed: Assumption[]}}
 */
function describeData({ documents, areOwn, emitShare, notes }, samples) {
  const share = `the map emits for ${Math.round(emitShare * 100)} % of the documents`;
  if (areOwn) {
    return {
      notes: [`${formatCount(documents.length)} of your documents; ${share}`, ...notes],
      assumed: describeOwn(documents.length, samples),
    };
  }
  return {
    notes: [share, ...notes],
    assumed: [
      {
        part: 'documents',
        text: `${formatCount(documents.length)} documents generated from the fields that the map reads`,
      },
    ],
  };
}

/**
 * @param {number} used
 * @param {Samples} samples
 * @returns {Assumption[]} what is not the user's of their documents
 */
export function describeOwn(used, { total, areScrambled }) {
  /** @type {Assumption[]} */
  const assumed = [];
  if (used < total) assumed.push({ part: 'count', text: `${formatCount(used)} of ${formatCount(total)} documents` });
  if (areScrambled) assumed.push({ part: 'documents', text: 'values are scrambled; groups and sizes are kept' });
  return assumed;
}

/**
 * @param {string} map
 * @param {string[]} fields
 * @returns {BoundView['maps']}
 */
function mapsOf(map, fields) {
  const document = documentName(map);
  return {
    'as-is': map,
    null: emitInstead(map, 'null'),
    ...(document === undefined
      ? {}
      : { fields: emitInstead(map, fieldsOf(document, fields)), document: emitInstead(map, document) }),
  };
}

/**
 * @param {ViewSubject} view
 * @param {RequestSubject | undefined} request
 * @param {Ask} ask
 * @returns {LoggedQuery[] | undefined} undefined where no log has the queries of these design documents
 */
function queriesOf(view, request, ask) {
  if (request) return [describeQuery(request.record)];
  const isKnownToLogs = ask(view, 'view.logKnowsProject');
  if (!isKnown(isKnownToLogs) || isKnownToLogs.value !== true) return undefined;
  return requestsOf(view).map(describeQuery);
}

/** @param {ViewSubject} view @returns {RequestRecord[]} of the logs */
function requestsOf(view) {
  const { subjects } = view.parent.parent;
  return subjects.flatMap((one) => (one.kind === 'request' && queriesView(one.record, view) ? [one.record] : []));
}

/** @param {RequestRecord} record @returns {LoggedQuery} */
function describeQuery({ method, endpoint, parameters, count, statuses, share, limit, skip, rows }) {
  const counted = rows && (rows.isMeasured || parameters.includes('keys')) ? rows.p50 : undefined;
  return {
    method,
    endpoint,
    parameters,
    count: answeredOf({ count, statuses }),
    weight: share,
    limit: limit?.p50,
    skip: skip?.p50,
    rows: counted,
  };
}

/**
 * @param {ViewSubject} view
 * @param {Ask} ask
 * @returns {string | undefined} the built-in that gives what its reduce gives, as the map is
 */
function builtinOf(view, ask) {
  const verdict = ask(view, 'reduce.verdict');
  const builtin = ask(view, 'reduce.builtin');
  return view.reduce && isKnown(verdict) && verdict.value === 'equal' && isKnown(builtin)
    ? String(builtin.value)
    : undefined;
}

/**
 * @param {string} map
 * @param {object[]} documents
 * @param {Sandbox} sandbox
 * @returns {Promise<boolean>} false where one of the first gives something else
 */
async function emitsNumbers(map, documents, sandbox) {
  const answers = await sandbox.map({ source: map, docs: documents.slice(0, MAX_TRIED) });
  const values = answers.flatMap((answer) => ('error' in answer ? [] : answer.emits.map(({ value }) => value)));
  return values.every((value) => [value].flat().every((one) => typeof one === 'number'));
}

/**
 * @param {RequestRecord[]} records
 * @returns {number | undefined} how many of them were under way at once in busy minutes (Little's law); undefined where the log has no times
 */
function connectionsOf(records) {
  const known = records.filter(({ latencyMs, log }) => latencyMs && log.from !== null);
  if (known.length === 0) return undefined;
  const atOnce = known.reduce(
    (sum, { latencyMs, ratePerMinute }) => sum + (ratePerMinute.busy / 60_000) * (latencyMs?.p50 ?? 0),
    0,
  );
  return Math.min(MAX_CONNECTIONS, Math.max(1, Math.round(atOnce)));
}

/**
 * @param {object} document
 * @returns {string[]} names of the first plain members, as somebody would show in a list
 */
function plainFields(document) {
  return Object.entries(document)
    .filter(([name, value]) => !name.startsWith('_') && (typeof value === 'number' || isShortText(value)))
    .map(([name]) => name)
    .slice(0, FIELDS);
}

/** @param {unknown} value */
function isShortText(value) {
  return typeof value === 'string' && value.length <= 100;
}
