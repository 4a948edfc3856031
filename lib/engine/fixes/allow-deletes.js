// Fix: lets deletions pass a validation function.

import { putFirst } from './first-statement.js';

/** @import { Fix } from './index.js' */

/** @type {Fix} */
export const allowDeletes = {
  id: 'allow-deletes',
  title: 'Return first for deletions',
  safe: false,
  apply: ({ subject }) =>
    subject.kind === 'validate'
      ? putFirst(subject.function.text, (newDoc) => `if (${newDoc}._deleted) return;`)
      : undefined,
};
