// Fix: gives `$regex` the pattern as a string. Unsafe: queries that failed will then return something.

import { stringForRegExp } from '../../javascript/string-for-regexp.js';

/** @import { Fix } from './index.js' */

/** @type {Fix} */
export const stringForRegexp = {
  id: 'string-for-regexp',
  title: 'Write the pattern as a string',
  safe: false,
  apply({ subject }) {
    if (subject.kind !== 'call') return undefined;
    const { regExps, file } = subject.record;
    return regExps.flatMap((written) => {
      const pattern = written.key === '$regex' ? stringForRegExp(written) : undefined;
      return pattern?.isSure ? [{ file, start: written.start, end: written.end, text: pattern.text }] : [];
    });
  },
};
