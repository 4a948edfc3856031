// Marks what `advise --write` wrote, so that the next `lint` does not take its proposals for sources: a file beside them lists each with a hash of its
// content. What was changed since, or stands elsewhere, is a source like any other.

import { hashText } from '../shared/hash-text.js';
import { parseJson } from '../shared/parse-json.js';

export const MARK_FILE = '.couch-advisor-written.json';
export const WRITTEN = 'written by advise --write and not changed since; pass its path to read it';

/** Longer lists are not ours. */
export const MAX_MARK_BYTES = 1024 * 1024;
const VERSION = 1;

/**
 * @param {string} text of the file
 * @returns {Map<string, string>} hashes by path, relative to its folder; empty where it is something else
 */
export function readMark(text) {
  const { version, files } = /** @type {{version?: unknown, files?: unknown}} */ (parseJson(text) ?? {});
  if (version !== VERSION || typeof files !== 'object' || files === null) return new Map();
  return new Map(Object.entries(files).filter(([, hash]) => typeof hash === 'string'));
}

/**
 * @param {ReadonlyMap<string, string>} known hashes by path
 * @param {ReadonlyMap<string, string>} written contents by path
 * @returns {string} the file that lists both
 */
export function makeMark(known, written) {
  const hashes = [...known, ...[...written].map(([path, content]) => /** @type {const} */ ([path, hashOf(content)]))];
  const files = Object.fromEntries([...new Map(hashes)].sort(([one], [other]) => (one < other ? -1 : 1)));
  const about = 'lint of couch-advisor skips these files as long as they stay as advise --write wrote them.';
  return `${JSON.stringify({ version: VERSION, about, files }, null, 2)}\n`;
}

/**
 * @param {string} content
 * @returns {string} the same with line ends of Windows
 */
export function hashOf(content) {
  return hashText(content.replaceAll('\r\n', '\n'));
}
