// Facts about the use of a view's reduce, where logs are read beside the design documents: requests that switch it off,
// requests that do not, and requests that are refused because of it.

import { readsDocsOfReduce } from '../refusal.js';
import { loggedFact, queriesView } from './requests.js';

/** @import { RequestRecord } from '../../sources/record.js' */
/** @import { FactDeclaration, ViewSubject } from '../fact.js' */

const SEVERAL = 'several design documents that were read have this view, and logs do not show which one is queried';
const IN_BODY =
  'requests may turn the reduce on or off where logs do not show it: in a body, by a rewrite or a list of another design document';

/** @type {FactDeclaration<ViewSubject>[]} */
export const viewReduceRequestFacts = [
  loggedFact('view.reduceOffRequestCount', 'count', {
    meaning: 'Number of logged requests that query the view with `reduce=false`, without refused ones.',
    phrases: '{value} {request|requests} with `reduce=false`',
    extract: (requests, _, view) => {
      if (isOneOfSeveral(view)) return { unknown: SEVERAL };
      return { value: sum(requests.filter((request) => queriesView(request, view) && use(request) === 'off')) };
    },
  }),
  loggedFact('view.reducedRequestCount', 'count', {
    meaning:
      'Number of logged requests that query the view without `reduce=false`, so that its reduce runs if it has one; without refused ones.',
    phrases: '{value} reduced {request|requests}',
    extract: (requests, _, view) => {
      if (isOneOfSeveral(view)) return { unknown: SEVERAL };
      const querying = requests.filter((request) => queriesView(request, view));
      const value = sum(querying.filter((request) => use(request) === 'on'));
      const isHidden =
        sum(querying.filter((request) => use(request) === 'hidden')) > 0 ||
        sum(requests.filter((request) => mayLeadTo(request, view))) > 0;
      return value === 0 && isHidden ? { unknown: IN_BODY } : { value };
    },
  }),
  loggedFact('view.refusedDocsCount', 'count', {
    meaning:
      'Number of logged requests with `include_docs` and without `reduce=false`, which are refused with 400 because of its reduce.',
    phrases: '{value} refused {request|requests} with `include_docs`',
    extract: (requests, _, view) => {
      if (isOneOfSeveral(view)) return { unknown: SEVERAL };
      const hasReduce = view.reduceNode !== undefined;
      const refused = requests.filter((request) => queriesView(request, view) && readsDocsOfReduce(request, hasReduce));
      const [first] = refused.flatMap(({ examples }) => examples);
      const place = first && { ...first, column: 1 };
      return { value: refused.reduce((all, { statuses }) => all + (statuses.get(400) ?? 0), 0), place };
    },
  }),
];

/**
 * @param {ViewSubject} view
 * @returns {boolean}
 */
function isOneOfSeveral({ name, parent }) {
  const { subjects } = parent.parent;
  return subjects.some(
    (other) =>
      other.kind === 'view' &&
      other.name === name &&
      other.parent !== parent &&
      other.parent.record.id === parent.record.id,
  );
}

/**
 * What stands in the address holds against the body of a POST, but not against its list of `queries` (tried on 3.5.0).
 * @param {RequestRecord} request of a view
 * @returns {'off' | 'on' | 'hidden' | 'none'} whether its answers are reduced
 */
function use({ method, endpoint, parameters }) {
  // A browser sends these to check whether it may send the request itself.
  if (method === 'OPTIONS') return 'none';
  if (endpoint === '_view/queries') return 'hidden';
  const said = parameters.filter((text) => text.startsWith('reduce='));
  if (said.length === 0) return method === 'POST' ? 'hidden' : 'on';
  const isOff = said.map((text) => text.toLowerCase() === 'reduce=false');
  return isOff.every(Boolean) ? 'off' : isOff.some(Boolean) ? 'hidden' : 'on';
}

/**
 * @param {RequestRecord} request
 * @param {ViewSubject} view
 * @returns {boolean} whether it may query the view though its URL does not name it: by a rewrite, or by a list whose address is
 *   `_list/format/orders/by_date`, with the view's document where its shape has the view
 */
function mayLeadTo({ endpoint, view: named }, { parent }) {
  return endpoint === '_rewrite' || (endpoint === '_list' && `_design/${named}` === parent.record.id);
}

/**
 * @param {RequestRecord[]} requests
 * @returns {number} how many there are, without those that are refused with a status from 400 to 499
 */
function sum(requests) {
  let all = 0;
  for (const { count, statuses } of requests) {
    all += count;
    for (const [status, times] of statuses) if (status >= 400 && status < 500) all -= times;
  }
  return all;
}
