// Reads the calls of CouchDB clients in the code of an application. Of files that no client comes into, only the text is looked at.

import { readCalls } from './calls.js';
import { Carriers } from './carriers.js';
import { CodeStore, loadAllDialects } from './code.js';
import { FileIndex, summarize } from './imports.js';
import { Tracer } from './trace.js';

/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { CallRecord } from './record.js' */
/** @import { Import, Summary } from './imports.js' */

/** A client comes through at most so many files: database, repository, service, route. */
const MAX_HOPS = 4;

/**
 * @typedef {object} Application
 * @property {CallRecord[]} records
 * @property {{path: string, reason: string, file: SourceFile, offset: number}[]} unparsed files of which no calls were read
 */

/**
 * @param {ReadonlyMap<string, SourceFile>} files by the path that is shown
 * @param {ReadonlySet<string>} wanted of which calls are read; the others are there to follow imports into
 * @param {ReadonlyMap<string, Summary>} [summaries] of all code of the project, where not all of it is at hand
 * @param {(path: string) => SourceFile | undefined} [read] gives what is not
 * @returns {Promise<Application>}
 */
export async function readApplication(
  files,
  wanted,
  summaries = new Map([...files].map(([path, { text }]) => [path, summarize(path, text)])),
  read = () => undefined,
) {
  const waiting = [...summaries.values()].flatMap(({ path, namesClient }) => (namesClient ? { path, hops: 0 } : []));
  /** @type {Map<string, CallRecord[]>} */
  const records = new Map();
  if (waiting.length === 0) return { records: [], unparsed: [] };
  await loadAllDialects();
  const index = new FileIndex(new Set(summaries.keys()));
  const importers = importersOf(summaries, index);
  const store = new CodeStore((path) => files.get(path) ?? read(path));
  const tracer = new Tracer(store, (specifier, from) => index.resolve(specifier, from));
  const carriers = new Carriers(tracer);
  const relevant = new Set(waiting.map(({ path }) => path));
  // The list grows while it is gone through.
  for (const { path, hops } of waiting) {
    const hasCalls = wanted.has(path) && summaries.get(path)?.hasMethod;
    const others = hops < MAX_HOPS ? (importers.get(path) ?? []) : [];
    const code = hasCalls || others.length > 0 ? store.get(path) : undefined;
    if (!code) continue;
    if (hasCalls) records.set(path, readCalls(code, tracer));
    for (const { by, names } of others) {
      if (relevant.has(by) || !carriers.carries(path, names)) continue;
      relevant.add(by);
      waiting.push({ path: by, hops: hops + 1 });
    }
  }
  const unparsed = [...store.unparsed.values()].map(({ file, message, offset }) => ({
    path: file.path,
    reason: message,
    file,
    offset,
  }));
  return { records: [...records.values()].flat(), unparsed };
}

/**
 * @param {ReadonlyMap<string, Summary>} summaries
 * @param {FileIndex} index
 * @returns {Map<string, {by: string, names: Import['names']}[]>} who imports a file, and what of it
 */
function importersOf(summaries, index) {
  /** @type {Map<string, {by: string, names: Import['names']}[]>} */
  const importers = new Map();
  for (const { path: by, imports } of summaries.values()) {
    for (const { specifier, names } of imports) {
      const target = index.resolve(specifier, by);
      if (target === undefined) continue;
      const known = importers.get(target);
      if (known) known.push({ by, names });
      else importers.set(target, [{ by, names }]);
    }
  }
  return importers;
}
