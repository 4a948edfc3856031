// Binds the experiment about filters to a filter function of the user and the selector that lets the same changes through. Pure.

import { formatCount } from '../../shared/units.js';

/** @import { Arm, ArmRequest, Assumption, Experiment, GivenData } from './experiment.js' */

/**
 * @typedef {object} BoundFilter
 * @property {string} name `_design/app filters.mine`
 * @property {string} source of the function
 * @property {Record<string, unknown>} selector
 * @property {number | undefined} limit of the requests that the logs have, or the changes that one of them gave
 * @property {boolean} isLogged whether the logs have requests with it
 * @property {GivenData} data
 * @property {string[]} notes
 * @property {Assumption[]} assumed
 */

/**
 * @param {Experiment} experiment
 * @param {BoundFilter} filter
 * @returns {Experiment | {reason: string}}
 */
export function bindFilter(experiment, { name, source, selector, limit, isLogged, data, notes, assumed }) {
  const { binding, arms } = experiment;
  if (!arms.every(({ id }) => binding?.[id]?.filter))
    return { reason: 'the experiment measures the pattern in general' };
  const isReplicated = arms.some(({ measure }) => measure === 'replicate');
  const query = limit === undefined || isReplicated ? {} : { limit };
  const changes = limit === undefined ? 'all changes' : `up to ${formatCount(limit)} changes`;
  return {
    ...experiment,
    id: `${experiment.id} at ${name}`,
    arms: arms.map((arm) => {
      const { filter, about = '' } = binding?.[arm.id] ?? {};
      /** @type {ArmRequest} */
      const request =
        filter === 'function'
          ? { method: 'GET', path: '_changes', query: { filter: '{designDoc}/mine', ...query } }
          : { method: 'POST', path: '_changes', query: { filter: '_selector', ...query }, body: { selector } };
      /** @type {Arm} */
      const bound = { ...arm, request, about: about.replace('{queries}', changes) };
      return filter === 'function' ? { ...bound, designDoc: { filters: { mine: source } } } : bound;
    }),
    dataset: { ...experiment.dataset, documents: data.documents.length, given: data },
    about: name,
    notes,
    assumed:
      isLogged || isReplicated
        ? assumed
        : [...assumed, { part: 'query', text: `no logged request uses the filter: ${changes} are read` }],
  };
}
