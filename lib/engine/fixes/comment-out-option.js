// Fix: comments out an option of a CouchDB `.ini` file. Unsafe: an older server may read the file too.

/** @import { Fix } from './index.js' */

/** @type {Fix} */
export const commentOutOption = {
  id: 'comment-out-option',
  title: 'Comment out the option',
  safe: false,
  apply({ subject }) {
    if (subject.kind !== 'option') return undefined;
    const { option, parent } = subject;
    const { file, isYaml } = parent.record;
    if (isYaml) return undefined;
    // Places count characters as people do; the line begins where the last one before the value ends.
    const before = file.text.slice(0, option.valueStart);
    const start = Math.max(...['\n', '\r', '\x1a'].map((end) => before.lastIndexOf(end))) + 1;
    return [{ file, start, end: start, text: '; ' }];
  },
};
