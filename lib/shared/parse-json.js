// Reads JSON that may be none.

/**
 * @param {string} text
 * @returns {unknown} undefined where it is not JSON, as the last line of a run that was killed
 */
export function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
