// Lists the formats of `ci`: those of `lint`, with the change itself where a format has room for it.

import { formats } from '../../../reports/index.js';
import { renderChangeHtml } from '../../ci/render-html.js';
import { renderChangeJson } from '../../ci/render-json.js';
import { renderChangeMarkdown } from '../../ci/render-markdown.js';
import { renderChangeText } from '../../ci/render-text.js';

/** @import { ChangeOutcome } from '../../ci/outcome.js' */
/** @import { Format } from '../../../reports/index.js' */
/** @import { RenderOptions } from '../../../reports/report.js' */

/** @typedef {(outcome: ChangeOutcome, options: RenderOptions & {database?: string | undefined}) => string} RenderChange */

/** @type {Record<string, RenderChange>} */
const WITH_CHANGE = {
  text: renderChangeText,
  json: renderChangeJson,
  markdown: renderChangeMarkdown,
  html: renderChangeHtml,
};

/**
 * @param {() => {outcome: ChangeOutcome, database: string | undefined}} readChange called when a report is rendered
 * @returns {Map<string, Format>}
 */
export function changeFormats(readChange) {
  return new Map(
    [...formats].map(([name, format]) => {
      const renderChange = WITH_CHANGE[name];
      if (!renderChange) return [name, format];
      /** @type {Format['render']} */
      const render = async (_, options) => {
        const { outcome, database } = readChange();
        return renderChange(outcome, { ...options, database });
      };
      return [name, { ...format, render }];
    }),
  );
}
