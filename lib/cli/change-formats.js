// The formats of `ci`: those of `lint`, with the change told where a format has room for it.

import { formats } from '../reports/index.js';

/** @import { ChangeOutcome } from '../ci/outcome.js' */
/** @import { Format } from '../reports/index.js' */

/**
 * @param {() => {outcome: ChangeOutcome, database: string | undefined}} tell
 * @returns {Map<string, Format>}
 */
export function changeFormats(tell) {
  const made = new Map(formats);
  made.delete('html');
  made.set('text', {
    description: 'for people',
    render: async (_, options) => {
      const { outcome, database } = tell();
      return (await import('../ci/render-text.js')).renderChangeText(outcome, { ...options, database });
    },
  });
  made.set('json', {
    description: 'for programs',
    render: async () => {
      const { outcome, database } = tell();
      return (await import('../ci/render-json.js')).renderChangeJson(outcome, { database });
    },
  });
  made.set('markdown', {
    description: 'for job summaries and comments',
    render: async () => {
      const { outcome, database } = tell();
      return (await import('../ci/render-markdown.js')).renderChangeMarkdown(outcome, { database });
    },
  });
  return made;
}
