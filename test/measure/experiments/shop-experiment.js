// A small experiment for tests: rows of the shop's orders with and without their documents.

/** @import { Experiment } from '../../../lib/measure/experiments/experiment.js' */

/**
 * @param {Partial<Experiment>} [changes]
 * @returns {Experiment}
 */
export function shopExperiment(changes = {}) {
  const map = 'function (doc) { emit(doc.number, null); }';
  /** @param {boolean} include @returns {Experiment['arms'][number]} */
  const arm = (include) => ({
    id: include ? 'as-is' : 'advised',
    about: include ? 'rows with documents' : 'rows',
    measure: 'requests',
    designDoc: { views: { rows: { map } } },
    request: {
      method: 'GET',
      path: '{designDoc}/_view/rows',
      query: { startkey: '{number}', limit: 10, ...(include ? { include_docs: true } : {}) },
    },
  });
  return {
    id: 'shop/orders',
    question: 'Are rows answered faster without their documents?',
    difference: 'include_docs',
    mechanisms: ['document-lookup'],
    dataset: { documents: 100 },
    effect: 1.1,
    because: 'a number for tests',
    counters: [],
    arms: [arm(true), arm(false)],
    ...changes,
  };
}
