// Suggests the name that was probably meant: the most similar of the known ones.

/** Names at more edits than this are other names, not misspellings. */
const MAX_EDITS = 2;

/**
 * @param {string} word what was written
 * @param {Iterable<string>} candidates the names that exist
 * @returns {string | undefined} the candidate at the fewest edits (insert, delete, replace, swap of neighbours), case and
 *   `-`, `_` counted as equal; undefined where none is within two edits and a third of the word's length
 */
export function nearest(word, candidates) {
  const wanted = foldName(word);
  const limit = Math.min(MAX_EDITS, Math.max(1, Math.floor(wanted.length / 3)));
  /** @type {string | undefined} */
  let best;
  let fewest = limit + 1;
  for (const candidate of candidates) {
    const other = foldName(candidate);
    if (Math.abs(other.length - wanted.length) >= fewest) continue;
    const edits = editDistance(wanted, other);
    if (edits < fewest) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

/**
 * @param {string} name
 * @returns {string} the same for names that differ in case, or in hyphens and underscores
 */
export function foldName(name) {
  return name.toLowerCase().replaceAll('-', '_');
}

/**
 * The optimal string alignment distance (Damerau 1964, restricted form).
 * @param {string} first
 * @param {string} second
 * @returns {number}
 */
function editDistance(first, second) {
  /** @type {number[]} */
  let beforeLast = [];
  let last = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (let row = 1; row <= first.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= second.length; column += 1) {
      const cost = first[row - 1] === second[column - 1] ? 0 : 1;
      let edits = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + cost);
      const isSwap =
        row > 1 && column > 1 && first[row - 1] === second[column - 2] && first[row - 2] === second[column - 1];
      if (isSwap) edits = Math.min(edits, at(beforeLast, column - 2) + 1);
      current.push(edits);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, second.length);
}

/**
 * @param {number[]} row
 * @param {number} index
 * @returns {number}
 */
function at(row, index) {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
