// Binds an experiment to a view of the user: its own functions, its documents and keys, and its queries as the logs have them. Pure.

import { formatCount } from '../../shared/units.js';
import { mixQueries, shapeOf } from './logged-queries.js';

/** @import { Arm, ArmBinding, ArmRequest, Assumption, Experiment, GivenData, MixedRequest } from './experiment.js' */
/** @import { LoggedQuery } from './logged-queries.js' */

/** @typedef {'as-is' | 'fields' | 'null' | 'document'} EmittedValue */

/**
 * @typedef {object} BoundView
 * @property {string} name `_design/app/_view/by_status`
 * @property {Partial<Record<EmittedValue, string>>} maps its map, and the same with another value emitted, where it can be had
 * @property {string | undefined} reduce
 * @property {string | undefined} builtin that is proved to give the same answers
 * @property {number | undefined} [connections] that sent requests at once, as logged
 * @property {LoggedQuery[] | undefined} queries of the logs or of a call, those that the finding is about; undefined where no log has them
 * @property {'logs' | 'code'} [source] of the queries
 * @property {string} [outcome] of the finding, where it decides what is advised
 * @property {string[]} [fields] that its map emits as `fields`
 * @property {number} [rows] of the view, about
 * @property {GivenData} data
 * @property {string[]} notes what is to be known of the data
 * @property {Assumption[]} assumed what of the data is not the user's
 */

/** Placeholders of the pattern's own keys. */
const OWN_KEYS = /^\{(?:number|deepNumber|date|customer)\}$/;
/** What an arm adds as the key at which the page of its query begins. */
const PAGE_KEY = '{pageKey}';
const ONE_KEY = /^keys?(?:=|$)/;
/** Where a page is read that is further back than the rows of the view reach. */
const DEEPEST_PAGE = 0.75;
/** Fewer rows than this are nothing to page through. */
const MIN_KEYS = 2;

/**
 * @param {Experiment} experiment
 * @param {BoundView} view
 * @returns {Experiment | {reason: string}} why it cannot be bound
 */
export function bindExperiment(experiment, view) {
  const { binding } = experiment;
  if (!binding) return { reason: 'the experiment measures the pattern in general' };
  const notMade = reasonAgainst(experiment, binding, view);
  if (notMade !== undefined) return { reason: notMade };
  const base = {
    ...experiment,
    id: `${experiment.id} at ${view.name}`,
    dataset: { ...experiment.dataset, documents: view.data.documents.length, given: view.data },
    about: view.name,
    notes: view.notes,
    ...(view.connections === undefined ? {} : { connections: view.connections }),
  };
  if (view.queries?.length === 0) {
    const obstacle = 'the logs contain no query of this view';
    return { ...base, obstacle, assumed: view.assumed };
  }
  const wantsRows = experiment.arms.every(({ id }) => binding[id]?.reduce === undefined);
  const hasReduce = view.reduce !== undefined;
  const paged = view.queries && fitPages(view.queries, view);
  const mixed = paged && mixQueries(paged.queries, { hasReduce, wantsRows, source: view.source });
  if (mixed && 'reason' in mixed) return mixed;
  const unpaged = paged?.queries.find(({ parameters }) => parameters.some((name) => ONE_KEY.test(name)));
  if (unpaged && Object.values(binding).some(({ adds }) => adds?.['startkey'] !== undefined)) {
    return { reason: `the number of rows of \`${shapeOf(unpaged)}\` is unknown` };
  }
  const arms = experiment.arms.map((arm) =>
    bindArm(arm, /** @type {ArmBinding} */ (binding[arm.id]), view, mixed?.queries),
  );
  const [first] = arms;
  /** @type {Assumption} */
  const pattern = { part: 'query', text: `no logged queries, so \`${shapeOfRequest(first?.request)}\` was measured` };
  const isUnread = mixed && !wantsRows && !mixed.readsReduce;
  return {
    ...base,
    arms,
    notes: [...view.notes, ...(isUnread ? ['no logged query uses the reduce: only index builds differ'] : [])],
    assumed: [...view.assumed, ...(mixed ? mixed.assumed : [pattern]), ...(paged?.assumed ?? [])],
  };
}

/**
 * @param {readonly LoggedQuery[]} queries
 * @param {BoundView} view
 * @returns {{queries: LoggedQuery[], assumed: Assumption[]}} the queries, with pages that the view has here
 */
function fitPages(queries, { rows = Number.POSITIVE_INFINITY }) {
  const most = Math.floor(rows * DEEPEST_PAGE);
  const deep = queries.filter(({ skip = 0, limit = 0 }) => skip + limit > rows);
  return {
    queries: queries.map((one) => (deep.includes(one) ? { ...one, skip: most } : one)),
    assumed: deep.map(({ skip = 0 }) => ({
      part: 'query',
      text: `the view has about ${formatCount(rows)} rows here, so ${formatCount(most)} were skipped instead of ${formatCount(skip)}`,
    })),
  };
}

/**
 * @param {Experiment} experiment
 * @param {Record<string, ArmBinding>} binding
 * @param {BoundView} view
 * @returns {string | undefined}
 */
function reasonAgainst({ arms }, binding, { maps, reduce, builtin, data, outcome }) {
  for (const { id } of arms) {
    const how = binding[id];
    const value = how && emittedValue(how, outcome);
    if (!value) return `arm \`${id}\` is not bound to a view`;
    if (maps[value] === undefined) return `its map cannot be rewritten to emit ${VALUES[value]}`;
    if (how.reduce === 'builtin' && builtin === undefined) return 'no built-in is proven equal to its reduce';
    if (how.reduce === 'as-is' && reduce === undefined) return 'it has no reduce';
  }
  return data.keys.length < MIN_KEYS ? 'its map emits too few rows' : undefined;
}

/** @type {Record<EmittedValue, string>} */
const VALUES = { 'as-is': 'what it emits', fields: 'fields alone', null: '`null`', document: 'the document' };

/** @param {ArmBinding} how @param {string | undefined} outcome @returns {EmittedValue | undefined} */
function emittedValue({ value, values = {} }, outcome) {
  return (outcome === undefined ? undefined : values[outcome]) ?? value;
}

/**
 * @param {Arm} arm
 * @param {ArmBinding} how
 * @param {BoundView} view
 * @param {MixedRequest[] | undefined} mixed
 * @returns {Arm}
 */
function bindArm(arm, how, { maps, reduce, builtin = '', outcome, fields = [], rows }, mixed) {
  const value = emittedValue(how, outcome) ?? 'as-is';
  const map = maps[value] ?? '';
  const emits = value === 'fields' ? `emits ${fields.map((field) => `\`${field}\``).join(', ')}` : 'its map unchanged';
  const used = how.reduce === 'builtin' ? builtin : how.reduce === 'as-is' ? reduce : undefined;
  const queries =
    arm.measure === 'requests' ? mixed?.map((one) => ({ ...one, request: change(one.request, how, rows) })) : undefined;
  const request = queries ? queries[0]?.request : arm.request && withKeys(arm.request);
  const shown = mixed && arm.measure === 'requests' ? describeMix(mixed) : `\`${shapeOfRequest(request)}\``;
  return {
    ...arm,
    about: how.about.replace('{builtin}', `\`${builtin}\``).replace('{map}', emits).replace('{queries}', shown),
    designDoc: { views: { rows: { map, ...(used === undefined ? {} : { reduce: used }) } } },
    ...(request ? { request } : {}),
    ...(queries ? { queries } : {}),
  };
}

/**
 * @param {ArmRequest} request
 * @param {ArmBinding} how
 * @param {number | undefined} rows of the view
 * @returns {ArmRequest}
 */
function change(request, { drops = [], adds = {} }, rows) {
  const added = Object.entries(adds).map(([name, value]) => [
    name,
    value === PAGE_KEY ? pageKeyOf(request, rows) : value,
  ]);
  const query = { ...request.query, ...Object.fromEntries(added) };
  return { ...request, query: Object.fromEntries(Object.entries(query).filter(([name]) => !drops.includes(name))) };
}

/**
 * @param {ArmRequest} request that skips rows of the whole view
 * @param {number | undefined} rows of the view
 * @returns {string} the placeholder of the key at which its page begins
 */
function pageKeyOf({ query = {} }, rows) {
  if (rows === undefined) return '{key}';
  const share = Math.min(1, Number(query['skip'] ?? 0) / Math.max(1, rows));
  return `{keyAt:${Math.round((query['descending'] === true ? 1 - share : share) * 1000)}}`;
}

/** @param {ArmRequest} request of the pattern @returns {ArmRequest} for keys of the view */
function withKeys(request) {
  const query = Object.entries(request.query ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' && OWN_KEYS.test(value) ? '{key}' : value,
  ]);
  return { ...request, query: Object.fromEntries(query) };
}

/** @param {ArmRequest | undefined} request @returns {string} */
function shapeOfRequest(request) {
  const parameters = Object.entries(request?.query ?? {}).map(([name, value]) =>
    typeof value === 'string' ? name : `${name}=${JSON.stringify(value)}`,
  );
  return shapeOf({ parameters });
}

/** @param {MixedRequest[]} mixed @returns {string} */
function describeMix(mixed) {
  return mixed
    .map(({ shape, share }) => (mixed.length === 1 ? `\`${shape}\`` : `\`${shape}\` (${Math.round(share * 100)} %)`))
    .join(', ');
}
