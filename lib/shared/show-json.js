// Shows a value as JSON in a sentence.

/**
 * @param {unknown} value
 * @param {number} most characters
 * @returns {string} the first of them, with `…` behind, where there are more
 */
export function showJson(value, most) {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
