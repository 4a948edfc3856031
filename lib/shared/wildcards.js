// Matches a string with a pattern of wildcards. The time is bounded by the product of both lengths: no pattern runs away, as a regular expression can.

/** Any number of characters, and exactly one; what is left is a literal character. @typedef {{kind: 'run' | 'any'} | {kind: 'literal', text: string}} Part */

/**
 * @param {string} pattern `*` is any number of characters, `?` exactly one, `|` separates alternatives, and a backslash makes the next
 *   character a literal one
 * @param {string} text compared as a whole, by code points
 * @returns {boolean}
 */
export function matchesWildcards(pattern, text) {
  const characters = [...text];
  return alternativesOf(pattern).some((parts) => fits(parts, characters));
}

/**
 * @param {string} pattern
 * @returns {Part[][]}
 */
function alternativesOf(pattern) {
  /** @type {Part[]} */
  let parts = [];
  const alternatives = [parts];
  let isEscaped = false;
  for (const character of pattern) {
    if (isEscaped) parts.push({ kind: 'literal', text: character });
    else if (character === '*') parts.push({ kind: 'run' });
    else if (character === '?') parts.push({ kind: 'any' });
    else if (character === '|') {
      parts = [];
      alternatives.push(parts);
    } else if (character !== '\\') parts.push({ kind: 'literal', text: character });
    isEscaped = !isEscaped && character === '\\';
  }
  return alternatives;
}

/**
 * Only the last run may have to take more characters: what an earlier one took is enough.
 * @param {Part[]} parts
 * @param {string[]} characters
 * @returns {boolean}
 */
function fits(parts, characters) {
  let at = 0;
  let next = 0;
  let lastRun = -1;
  let takenTo = 0;
  while (at < characters.length) {
    const part = parts[next];
    if (part?.kind === 'run') {
      lastRun = next;
      takenTo = at;
      next += 1;
    } else if (part?.kind === 'any' || (part?.kind === 'literal' && part.text === characters[at])) {
      at += 1;
      next += 1;
    } else if (lastRun !== -1) {
      takenTo += 1;
      at = takenTo;
      next = lastRun + 1;
    } else return false;
  }
  return parts.slice(next).every(({ kind }) => kind === 'run');
}
