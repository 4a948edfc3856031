// Quotes text as one word of a POSIX shell, because commands that are printed are also pasted.

/**
 * @param {string} text the name of a file, a branch, a folder
 * @returns {string} that the shell takes as this text alone, and no program as an option
 */
export function shellWord(text) {
  const safe = text.startsWith('-') ? `./${text}` : text;
  return /^[\w./-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}
