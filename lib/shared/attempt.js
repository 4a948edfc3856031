// Tries what may throw where its error says nothing more.

/**
 * @template T
 * @template [U=undefined]
 * @param {() => T} make
 * @param {U} [otherwise]
 * @returns {T | U} what it makes; the other where it throws
 */
export function attempt(make, otherwise) {
  try {
    return make();
  } catch {
    return /** @type {U} */ (otherwise);
  }
}

/** @param {string} text @returns {string} with its percent escapes replaced; as it was where they are wrong */
export function decodeEscapes(text) {
  return attempt(() => decodeURIComponent(text), text);
}
