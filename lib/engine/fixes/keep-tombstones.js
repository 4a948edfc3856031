// Fix: lets deletions through a filter.

import { putFirst } from './first-statement.js';

/** @import { Fix } from './index.js' */

/** @type {Fix} */
export const keepTombstones = {
  id: 'keep-tombstones',
  title: 'Let deletions through first',
  safe: false,
  apply: ({ subject }) =>
    subject.kind === 'filter'
      ? putFirst(subject.function.text, (doc) => `if (${doc}._deleted) return true;`)
      : undefined,
};
