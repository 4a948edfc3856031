// Lists the formats of `advise`: the plan by itself, and on the page of `lint` beside the findings that it rests on.

import { formats } from '../../../reports/index.js';
import { renderPlanJson } from '../../../reports/plan-json.js';
import { renderPlanMarkdown } from '../../../reports/plan-markdown.js';
import { renderPlanText } from '../../../reports/plan-text.js';

/** @import { Plan } from '../../../advise/plan.js' */
/** @import { Format } from '../../../reports/index.js' */

/**
 * @param {() => Plan} readPlan called when a report is rendered
 * @returns {Map<string, Format>}
 */
export function planFormats(readPlan) {
  const page = /** @type {Format} */ (formats.get('html'));
  /** @type {[string, Format][]} */
  const own = [
    ['text', { description: 'for people', render: async (_, options) => renderPlanText(readPlan(), options) }],
    ['json', { description: 'for `confirm --plan`', render: async () => renderPlanJson(readPlan()) }],
    ['markdown', { description: 'for a pull request', render: async () => renderPlanMarkdown(readPlan()) }],
    ['html', { ...page, render: (report, options) => page.render({ ...report, plan: readPlan() }, options) }],
  ];
  return new Map(own);
}
