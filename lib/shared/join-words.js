// Joins words as a sentence does: `a, b and c`.

/**
 * @param {string[]} words
 * @param {'and' | 'or'} [last] what stands before the last
 * @returns {string}
 */
export function joinWords(words, last = 'and') {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
