// Writes what was read of an application's code as JSON and reads it back. Files stand in it by their number.

import { MappedText } from '../shared/mapped-text.js';
import { SourceFile } from '../shared/source-file.js';

/** @import { CodeRead } from './open-application.js' */

/** What was read, as JSON that has numbers for files. @typedef {{files: string[], read: any}} Folded */

/**
 * @param {CodeRead} read
 * @returns {Folded | undefined} undefined where JSON would change it
 */
export function foldCalls(read) {
  /** @type {Map<SourceFile, number>} */
  const files = new Map();
  let isWhole = true;
  /** @param {any} value @returns {any} */
  const fold = (value) => {
    if (typeof value !== 'object' || value === null) {
      isWhole &&= typeof value !== 'number' || Number.isFinite(value);
      return value;
    }
    if (Array.isArray(value)) {
      isWhole &&= !value.includes(undefined);
      return value.map(fold);
    }
    if (value instanceof SourceFile) {
      if (!files.has(value)) files.set(value, files.size);
      return { file: files.get(value) };
    }
    if (value instanceof MappedText) return { mapped: value.text, pieces: fold(value.pieces) };
    if (value instanceof Map) return { entries: fold([...value]), isMap: true };
    isWhole &&= Object.getPrototypeOf(value) === Object.prototype;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fold(one)]));
  };
  const folded = fold(read);
  return isWhole ? { files: [...files.keys()].map(({ path }) => path), read: folded } : undefined;
}

/**
 * @param {any} folded as it was kept
 * @param {(path: string) => SourceFile} fileOf
 * @returns {CodeRead | undefined} undefined where it is something else
 */
export function unfoldCalls(folded, fileOf) {
  const { files: paths, read } = folded ?? {};
  const isRead =
    Array.isArray(paths) &&
    ['records', 'notes', 'without', 'unseen', 'unseenFiles'].every((name) => Array.isArray(read?.[name]));
  if (!isRead) return undefined;
  const files = paths.map(fileOf);
  /** @param {any} value @returns {any} */
  const unfold = (value) => {
    if (typeof value !== 'object' || value === null) return value;
    if (typeof value.file === 'number') return files[value.file];
    for (const name of Object.keys(value)) value[name] = unfold(value[name]);
    if (value.isMap === true) return new Map(value.entries);
    return typeof value.mapped === 'string' ? new MappedText(value.mapped, value.pieces) : value;
  };
  unfold(read);
  return read;
}
