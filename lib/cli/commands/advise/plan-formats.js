// Lists the formats of `advise`: the plan by itself, and on the page of `lint` beside the findings that it rests on.

import { documentFormats } from '../../../reports/document/index.js';
import { formats } from '../../../reports/index.js';
import { planDocument } from '../../../reports/plan.js';

/** @import { Plan } from '../../../advise/plan.js' */
/** @import { Format } from '../../../reports/index.js' */

/**
 * @param {() => Plan} readPlan called when a report is rendered
 * @returns {Map<string, Format>}
 */
export function planFormats(readPlan) {
  const page = /** @type {Format} */ (formats.get('html'));
  const own = documentFormats(
    () => planDocument(readPlan()),
    () => readPlan(),
  );
  return new Map([
    ...own,
    ['html', { ...page, render: (report, options) => page.render({ ...report, plan: readPlan() }, options) }],
  ]);
}
