// The text of a whole file in, its comments out.

import { parse } from 'acorn';

/** @import { Comment } from 'acorn' */

/**
 * @param {string} text an ES module or a script
 * @returns {Comment[]} none where it is neither
 */
export function findComments(text) {
  for (const sourceType of /** @type {const} */ (['module', 'script'])) {
    /** @type {Comment[]} */
    const onComment = [];
    try {
      // Spaces keep the offsets; acorn takes no byte order mark at the head of a module.
      parse(text.replace(/^\ufeff/, ' '), {
        ecmaVersion: 'latest',
        sourceType,
        onComment,
        allowHashBang: true,
        allowReturnOutsideFunction: true,
      });
      return onComment;
    } catch {
      // Neither kind: the reader of the file has told so.
    }
  }
  return [];
}
