// Binds an experiment to a load of the user: its own documents, in its own order and requests. Pure.

import { formatCount } from '../../shared/units.js';

/** @import { Arm, Assumption, Experiment, GivenData } from './experiment.js' */

/**
 * @typedef {object} BoundLoad
 * @property {string} name of the file
 * @property {string} outcome of the finding, which decides what is advised
 * @property {GivenData} data the first documents of the file, with where its requests end
 * @property {number} documents of the whole file
 * @property {string[]} [notes] what is to be known of the data
 * @property {Assumption[]} assumed what had to be replaced or left out
 */

/** Requests of one round: a load of some seconds shows what hours would. */
const MAX_REQUESTS = 400;

/**
 * @param {Experiment} experiment
 * @param {BoundLoad} load
 * @returns {Experiment | {reason: string}} the same documents in both arms
 */
export function bindLoad(experiment, { name, outcome, data, documents, notes, assumed }) {
  const { binding, dataset } = experiment;
  if (!experiment.arms.every(({ id, load }) => load && binding?.[id]?.load)) {
    return { reason: 'the experiment measures the pattern in general' };
  }
  if (data.documents.length === 0) return { reason: 'the load contains ids without documents' };
  const hasRequests = data.requestEnds !== undefined;
  /** @type {Arm[]} */
  const arms = experiment.arms.flatMap((arm) => {
    const bound = binding?.[arm.id];
    if (!arm.load || !bound?.load) return [];
    const { ids, outcomes = {}, batch } = bound.load;
    const load = { ids: outcomes[outcome] ?? ids, batch: batch === 'given' && !hasRequests ? arm.load.batch : batch };
    return [{ ...arm, load, about: describe(bound.about, load) }];
  });
  const count = Math.min(data.documents.length, ...arms.map(({ load }) => documentsOf(load?.batch ?? 1, data)));
  const needsBatch = experiment.arms.some(({ id }) => binding?.[id]?.load?.batch === 'given');
  /** @type {Assumption[]} */
  const more = [
    ...(count < documents
      ? [
          {
            part: /** @type {const} */ ('count'),
            text: `the first ${formatCount(count)} of ${formatCount(documents)} documents, into an empty database`,
          },
        ]
      : []),
    ...(needsBatch && !hasRequests
      ? [
          {
            part: /** @type {const} */ ('query'),
            text: `the file does not group documents into requests; ${arms[0]?.load?.batch} per request were used`,
          },
        ]
      : []),
  ];
  return {
    ...experiment,
    id: `${experiment.id} at ${name}`,
    arms,
    dataset: { ...dataset, documents: count, given: { ...data, documents: data.documents.slice(0, count) } },
    about: name,
    notes: notes ?? [`the documents of ${name}, in file order`],
    assumed: [...assumed, ...more],
  };
}

/**
 * @param {number | 'given'} batch
 * @param {GivenData} data
 * @returns {number} documents of so many requests as one round may have
 */
function documentsOf(batch, { documents, requestEnds = [] }) {
  if (batch !== 'given') return batch * MAX_REQUESTS;
  return requestEnds[MAX_REQUESTS - 1] ?? documents.length;
}

/** @type {Partial<Record<string, string>>} */
const IDS = { given: 'its ids in file order', sorted: 'sorted by `_id`', counted: 'sequential ids' };

/**
 * @param {string} about
 * @param {NonNullable<Arm['load']>} load
 * @returns {string}
 */
function describe(about, { ids, batch }) {
  const requests =
    batch === 'given'
      ? 'its own requests'
      : batch === 1
        ? '1 document per request'
        : `${formatCount(batch)} documents per request`;
  return about.replace('{ids}', IDS[ids] ?? ids).replace('{batch}', requests);
}
