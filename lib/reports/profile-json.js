// Renders profiles of views as JSON: times in nanoseconds, for one call unless stated otherwise.

import { stringifyJson } from './stringify-json.js';

/** @import { ConcludedView } from './profile-text.js' */

/**
 * @param {ConcludedView[]} views
 * @param {{environment: string[]}} about
 * @returns {string}
 */
export function renderProfileJson(views, { environment }) {
  return stringifyJson({ version: 1, environment, views });
}
