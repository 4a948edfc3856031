// A CouchDB `.ini` file and the place of an option in, the edit that makes a comment of its line out. Unsafe: the file may be
// read by an older server too.

/** @import { Fix } from './load-fixes.js' */

/** @type {Fix} */
export const commentOutOption = {
  id: 'comment-out-option',
  title: 'Make a comment of the option',
  safe: false,
  apply({ subject, item }) {
    if (subject.kind !== 'server' || !item?.place) return undefined;
    const { line, column } = item.place;
    const { file, options } = subject.record;
    const option = options.find(({ place }) => place.line === line && place.column === column);
    if (!option) return undefined;
    // Places count characters as people do; the line begins where the last one before the value ends.
    const before = file.text.slice(0, option.valueStart);
    const start = Math.max(...['\n', '\r', '\x1a'].map((end) => before.lastIndexOf(end))) + 1;
    return [{ file, start, end: start, text: '; ' }];
  },
};
