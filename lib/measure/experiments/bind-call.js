// Binds experiments to calls in the code of an application: turns of a loop against one request, all documents against those that the
// program keeps, a map in the call against a stored view. Pure.

/** @import { Arm, ArmRequest, Assumption, Experiment, GivenData } from './experiment.js' */

/**
 * @typedef {object} BoundCall
 * @property {string} name where it stands: `client/orders.js:11:23`
 * @property {GivenData} data
 * @property {string[]} notes what is to be known of the data
 * @property {Assumption[]} assumed
 */

/**
 * @typedef {object} LoopedView The view of which each turn of a loop reads the rows of one key.
 * @property {string} map
 * @property {string | undefined} reduce
 * @property {Record<string, unknown>} query options besides the key
 * @property {boolean} isReduced whether the answer is what its reduce returns
 */

const VIEW = '{designDoc}/_view/rows';

/**
 * @param {Experiment} experiment
 * @param {BoundCall & {turns: number, view?: LoopedView}} call `turns`: of the loop; `view`: documents are read where it is absent
 * @returns {Experiment | {reason: string}}
 */
export function bindReads(experiment, { turns, view, ...call }) {
  return bindArms(experiment, call, (arm, { reads, about }) => {
    if (!reads) return undefined;
    const requests = view ? requestsOfKeys(view, turns) : requestsOfDocuments(turns);
    const { request, shown } = requests[reads];
    return {
      ...arm,
      request,
      about: about.replace('{queries}', shown),
      ...(view ? { designDoc: { views: { rows: functionsOf(view) } } } : {}),
    };
  });
}

/**
 * @param {Experiment} experiment
 * @param {BoundCall & {fields: string[], selector: Record<string, unknown>}} call
 * @returns {Experiment | {reason: string}}
 */
export function bindList(experiment, { fields, selector, ...call }) {
  return bindArms(experiment, call, (arm, { list, about }) => {
    const shown = fields.map((field) => `\`${field}\``).join(', ');
    if (list === 'all') {
      return { ...arm, request: { method: 'GET', path: '_all_docs', query: { include_docs: true } }, about };
    }
    const body = { selector, limit: call.data.documents.length };
    const request = { method: /** @type {const} */ ('POST'), path: '_find', body };
    return list && { ...arm, index: { fields }, request, about: about.replace('{queries}', shown) };
  });
}

/**
 * @param {Experiment} experiment
 * @param {BoundCall & {map: string, query: Record<string, unknown>, shape: string}} call `query`: its options
 * @returns {Experiment | {reason: string}}
 */
export function bindTemporary(experiment, { map, query, shape, ...call }) {
  return bindArms(experiment, call, (arm, { index, about: text }) => {
    const about = text.replace('{queries}', `\`${shape}\``);
    if (index === 'temporary') {
      return { ...arm, request: { method: 'POST', path: '_temp_view', query, body: { map } }, about };
    }
    const stored = { designDoc: { views: { rows: { map } } }, request: requestOf(query) };
    return index && { ...arm, ...stored, about };
  });
}

/**
 * @param {Experiment} experiment
 * @param {{name: string, obstacle: string}} call `obstacle`: why nothing of it can be measured, where the pattern would be about something else
 * @returns {Experiment}
 */
export function withoutMeasurement(experiment, { name, obstacle }) {
  return { ...experiment, id: `${experiment.id} at ${name}`, about: name, obstacle, assumed: [] };
}

/**
 * @param {Experiment} experiment
 * @param {BoundCall} call
 * @param {(arm: Arm, how: import('./experiment.js').ArmBinding) => Arm | undefined} bind
 * @returns {Experiment | {reason: string}}
 */
function bindArms(experiment, { name, data, notes, assumed }, bind) {
  /** @type {Arm[]} */
  const arms = [];
  for (const { designDoc: _, index: __, ...arm } of experiment.arms) {
    const how = experiment.binding?.[arm.id];
    const bound = how && bind(arm, how);
    if (!bound) return { reason: 'the experiment measures the pattern in general' };
    arms.push(bound);
  }
  return {
    ...experiment,
    id: `${experiment.id} at ${name}`,
    arms,
    dataset: { ...experiment.dataset, documents: data.documents.length, given: data },
    about: name,
    notes,
    assumed,
  };
}

/** @typedef {Record<'each' | 'together', {request: ArmRequest, shown: string}>} Turns the request of one turn, and that of all */

/** @param {number} turns @returns {Turns} */
function requestsOfDocuments(turns) {
  return {
    each: { request: { method: 'GET', path: '{id}' }, shown: 'one `GET` per document' },
    together: {
      request: {
        method: 'POST',
        path: '_all_docs',
        query: { include_docs: true },
        body: { keys: `{ids:${turns}}` },
        answers: turns,
      },
      shown: `\`_all_docs\` with ${turns} \`keys\``,
    },
  };
}

/** @param {LoopedView} view @param {number} turns @returns {Turns} */
function requestsOfKeys({ query, isReduced }, turns) {
  return {
    each: { request: requestOf({ ...query, key: '{key}' }), shown: 'one query per key' },
    together: {
      request: {
        method: 'POST',
        path: VIEW,
        // Without groups, CouchDB refuses several keys of a reduce.
        query: isReduced ? { ...query, group: true } : query,
        body: { keys: `{keys:${turns}}` },
        answers: turns,
      },
      shown: `one query with ${turns} \`keys\``,
    },
  };
}

/** @param {Record<string, unknown>} query @returns {ArmRequest} of the rows of a view */
function requestOf(query) {
  return { method: 'GET', path: VIEW, query };
}

/** @param {Pick<LoopedView, 'map' | 'reduce'>} view */
function functionsOf({ map, reduce }) {
  return { map, ...(reduce === undefined ? {} : { reduce }) };
}
