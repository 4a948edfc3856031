// Handles texts of functions and of libraries: cuts them into lines, searches them by line, puts them into the tree
// that `require` looks into.

/**
 * @param {string} text
 * @returns {string[]}
 */
export function splitLines(text) {
  return text.split(/\r\n|\r|\n|\u2028|\u2029/);
}

/**
 * @param {string[]} texts
 * @returns {(at: {source: number, offset: number}) => number} line from 1
 */
export function lineFinder(texts) {
  const starts = texts.map((text) => [
    0,
    ...[...text.matchAll(/\r\n|\r|\n|\u2028|\u2029/g)].map((end) => end.index + end[0].length),
  ]);
  return ({ source, offset }) => {
    const list = starts[source] ?? [0];
    let low = 0;
    let high = list.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (/** @type {number} */ (list[middle]) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/**
 * @param {{path: string[]}[]} libraries
 * @param {string[]} texts of them
 * @returns {Record<string, unknown>} `views.lib`
 */
export function libraryTree(libraries, texts) {
  /** @type {Record<string, unknown>} */
  const root = Object.create(null);
  for (const [at, { path }] of libraries.entries()) {
    let folder = root;
    for (const name of path.slice(0, -1)) {
      folder[name] ??= Object.create(null);
      folder = /** @type {Record<string, unknown>} */ (folder[name]);
    }
    folder[path.at(-1) ?? ''] = texts[at];
  }
  return root;
}
