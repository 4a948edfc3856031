// Writes example requests of a query, as it is sent now and as it is sent with a change, for `confirm --plan`.

import { OPEN, selectorOf, sortOfBody } from './find.js';

/** @import { ArmRequest } from '../measure/experiments/experiment.js' */
/** @import { ParameterBindings } from './parameter-bindings.js' */
/** @import { PlanChange } from './plan.js' */
/** @import { Statement } from './workload.js' */

/** More say nothing more of the mean. */
const MAX_REQUESTS = 5;
/** Instead of all documents: as many as match. */
const MAX_LIMIT = 100_000;
/** Parameters of a view that a request can repeat as they are. */
const KEPT = new Set('include_docs descending inclusive_end reduce group group_level update stable'.split(' '));
/** Parameters that need a key of the view. */
const KEYS = new Set(['key', 'startkey', 'endkey']);

/**
 * @param {Statement} statement
 * @param {PlanChange} change
 * @param {{bindings: ParameterBindings[], isNamed: boolean, keys: unknown[]}} about `isNamed`: whether queries must name the index, as CouchDB would not
 *   choose it; `keys`: that the view emits
 * @returns {{before: ArmRequest[], after: ArmRequest[]}} none where values are not known
 */
export function requestsOf(statement, change, { bindings, isNamed, keys }) {
  const { find, query, subject } = statement;
  if (find) {
    if (!find.isWhole) return { before: [], after: [] };
    const known = bindings.filter(({ clauses }) => clauses.every(({ operand }) => operand !== OPEN));
    const bodies = known.map(({ clauses }) => ({
      selector: selectorOf(clauses),
      ...sortOfBody(find.sort),
      ...(find.fields ? { fields: find.fields } : {}),
      limit: find.instead === undefined ? find.limit : MAX_LIMIT,
      ...(find.skip > 0 ? { skip: find.skip } : {}),
    }));
    const useIndex = isNamed ? { use_index: [change.designDoc.slice('_design/'.length), change.name] } : {};
    const { hint } = find;
    const named = hint ? { use_index: hint.name === undefined ? hint.ddoc : [hint.ddoc, hint.name] } : {};
    /** @type {ArmRequest} */
    const all = { method: 'GET', path: '_all_docs', query: { include_docs: true } };
    return {
      before: bodies.map((body) =>
        find.instead === undefined ? { method: 'POST', path: '_find', body: { ...body, ...named } } : all,
      ),
      after: bodies.map((body) => ({ method: 'POST', path: '_find', body: { ...body, ...useIndex } })),
    };
  }
  if (query.kind !== 'view' || subject.record.endpoint !== '_view' || subject.record.method !== 'GET') {
    return { before: [], after: [] };
  }
  const before = viewRequests(statement, keys);
  const after = before.map((request) => ({ ...request, query: withoutDocs(request.query ?? {}, change) }));
  return { before, after };
}

/**
 * @param {Statement} statement
 * @param {unknown[]} keys
 * @returns {ArmRequest[]}
 */
function viewRequests({ subject }, keys) {
  const { designDoc, view, parameters, limit, skip } = subject.record;
  const names = new Set(parameters.map((text) => text.split('=')[0] ?? ''));
  const needsKey = [...KEYS].some((name) => names.has(name));
  if ([...names].some((name) => !KEPT.has(name) && !KEYS.has(name) && name !== 'limit' && name !== 'skip')) return [];
  if (needsKey && keys.length === 0) return [];
  const kept = parameters.flatMap((text) => {
    const [name = '', value] = text.split('=');
    return KEPT.has(name) && value !== undefined ? [[name, plainWord(value)]] : [];
  });
  const isBackwards = parameters.includes('descending=true');
  // The end of a range must come behind its start, in the direction of reading.
  const picked = needsKey ? spread(isBackwards ? keys.toReversed() : keys) : [undefined];
  return picked.map((key, at) => ({
    method: 'GET',
    path: `_design/${encodeURIComponent(designDoc.slice('_design/'.length))}/_view/${encodeURIComponent(view)}`,
    query: {
      ...Object.fromEntries(kept),
      ...(names.has('key') ? { key } : {}),
      ...(names.has('startkey') ? { startkey: key } : {}),
      ...(names.has('endkey') ? { endkey: names.has('startkey') ? (picked[at + 1] ?? key) : key } : {}),
      ...(limit && names.has('limit') ? { limit: limit.p50 } : {}),
      ...(skip && names.has('skip') ? { skip: skip.p50 } : {}),
    },
  }));
}

/** @param {string} value @returns {unknown} `true` and numbers as they are */
function plainWord(value) {
  return value === 'true' ? true : value === 'false' ? false : /^\d+$/.test(value) ? Number(value) : value;
}

/** @param {unknown[]} keys in the order of the view @returns {unknown[]} a few, from all of it */
function spread(keys) {
  const count = Math.min(MAX_REQUESTS, keys.length);
  return Array.from({ length: count }, (_, at) => keys[Math.floor((at * keys.length) / count)]);
}

/** @param {Record<string, unknown>} query @param {PlanChange} change @returns {Record<string, unknown>} */
function withoutDocs({ include_docs: includeDocs, ...rest }, { kind, replaces, view }) {
  const isProjected = kind === 'change-view' && replaces?.view?.map !== view?.map;
  return isProjected || includeDocs === undefined ? rest : { ...rest, include_docs: includeDocs };
}
