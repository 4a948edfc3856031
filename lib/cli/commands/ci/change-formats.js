// Lists the formats of `ci`: those of `lint`, with the change itself where a format has room for it.

import { documentFormats } from '../../../reports/document/index.js';
import { formats } from '../../../reports/index.js';
import { changeJson } from '../../ci/change-json.js';
import { changeDocument } from '../../ci/document.js';
import { renderGithubReview, renderGitlabReview } from './suggestions.js';

/** @import { ChangeOutcome } from '../../ci/outcome.js' */
/** @import { Format } from '../../../reports/index.js' */
/** @import { Report } from '../../../reports/report.js' */
/** @import { Versions } from './suggestions.js' */

/**
 * @param {() => {outcome: ChangeOutcome, database: string | undefined, versions: Versions}} readChange called when a report is rendered
 * @returns {Map<string, Format>}
 */
export function changeFormats(readChange) {
  const build = () => changeDocument(readChange().outcome, readChange());
  const own = documentFormats(build, () => changeJson(readChange().outcome, readChange()));
  const page = /** @type {Format} */ (formats.get('html'));
  /** @type {Format['render']} */
  const render = async (report, options) => page.render({ ...report, change: build() }, options);
  /** @param {string} description @param {(report: Report, versions: Versions) => string} renderReview @returns {Format} */
  const reviewFormat = (description, renderReview) => ({
    description,
    endings: ['.json'],
    render: async (report) => renderReview(report, readChange().versions),
  });
  return new Map([
    ...formats,
    ...own,
    ['html', { ...page, render }],
    ['github-review', reviewFormat('safe fixes as suggestions of a review on GitHub', renderGithubReview)],
    ['gitlab-review', reviewFormat('safe fixes as suggestions of discussions on GitLab', renderGitlabReview)],
  ]);
}
