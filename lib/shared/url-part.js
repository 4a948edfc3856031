// Percent-encodes names as parts of paths in commands that are printed and pasted.

/** @param {string} name @returns {string} a part of a path that a shell leaves alone between double quotes */
export function encodeName(name) {
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
