// Fix: corrects a misspelled member of a design document. Unsafe: CouchDB then runs what it ignored before.

/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { Fix } from './index.js' */

/** What stands behind a key that has a value of its own; a shorthand `{veiws}` also names a variable. */
const BEHIND_KEY = /^(?:\s*\])?\s*[:=]/;

/** @type {Fix} */
export const renameKey = {
  id: 'rename-key',
  title: 'Use the name that CouchDB reads',
  safe: false,
  apply({ subject, item }) {
    const { expected, fileStart, fileEnd } = item?.detail ?? {};
    if (subject.kind !== 'design-doc' || typeof expected !== 'string') return undefined;
    if (typeof fileStart !== 'number' || typeof fileEnd !== 'number') return undefined;
    // The key may be in another file than the document; the entry it belongs to shows which.
    const found = subject.record.node.entries.find(
      (entry) => entry.keyStart === fileStart && entry.key === item?.value,
    );
    const file = found?.node.file;
    if (!file || !BEHIND_KEY.test(file.text.slice(fileEnd, fileEnd + 100))) return undefined;
    // Code may name the member elsewhere too, and would then miss it.
    if (subject.record.origin === 'module' && file.text.split(found.key).length !== 2) return undefined;
    const written = keyWithin(file, fileStart, fileEnd, found.key);
    return written && [{ file, ...written, text: expected }];
  },
};

/**
 * @param {SourceFile} file
 * @param {number} start
 * @param {number} end
 * @param {string} key
 * @returns {{start: number, end: number} | undefined} the characters of the key without its quotes; undefined where
 *   something else stands there
 */
function keyWithin(file, start, end, key) {
  const text = file.text.slice(start, end);
  if (text === key) return { start, end };
  const quote = text[0];
  const isQuoted = text.length > 1 && (quote === '"' || quote === "'" || quote === '`') && text.at(-1) === quote;
  // An escape in the key makes it longer than it reads, and is replaced with it.
  return isQuoted ? { start: start + 1, end: end - 1 } : undefined;
}
