// The formats of `ci`: those of `lint`, with the change itself where a format has room for it.

import { formats } from '../reports/index.js';

/** @import { ChangeOutcome } from '../ci/outcome.js' */
/** @import { Format } from '../reports/index.js' */
/** @import { RenderOptions } from '../reports/report.js' */

/** @typedef {(outcome: ChangeOutcome, options: RenderOptions & {database?: string | undefined}) => string} RenderChange */

/** @type {Record<string, () => Promise<RenderChange>>} */
const WITH_CHANGE = {
  text: async () => (await import('../ci/render-text.js')).renderChangeText,
  json: async () => (await import('../ci/render-json.js')).renderChangeJson,
  markdown: async () => (await import('../ci/render-markdown.js')).renderChangeMarkdown,
  html: async () => (await import('../ci/render-html.js')).renderChangeHtml,
};

/**
 * @param {() => {outcome: ChangeOutcome, database: string | undefined}} readChange called when a report is rendered
 * @returns {Map<string, Format>}
 */
export function changeFormats(readChange) {
  return new Map(
    [...formats].map(([name, format]) => {
      const load = WITH_CHANGE[name];
      if (!load) return [name, format];
      /** @type {Format['render']} */
      const render = async (_, options) => {
        const { outcome, database } = readChange();
        return (await load())(outcome, { ...options, database });
      };
      return [name, { ...format, render }];
    }),
  );
}
