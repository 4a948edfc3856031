// Reads the calls of CouchDB clients in the code of an application. Of files that no client can be in, only the text is looked at.

import { readCalls } from './calls.js';
import { CLIENT_WORDS, CONNECTION_WORDS, METHOD_WORDS } from './clients.js';
import { CodeStore, loadAllDialects } from './code.js';
import { FileIndex, importsIn } from './imports.js';
import { Tracer } from './trace.js';

/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { CallRecord } from './record.js' */

/** A client comes through at most so many files: database, repository, service, route. */
const MAX_HOPS = 4;

/**
 * @typedef {object} Application
 * @property {CallRecord[]} records
 * @property {{path: string, reason: string, file: SourceFile, offset: number}[]} unparsed files of which no calls were read
 */

/**
 * @param {ReadonlyMap<string, SourceFile>} files all code of the project, by the path that is shown
 * @param {ReadonlySet<string>} wanted of which calls are read; the others are there to follow imports into
 * @returns {Promise<Application>}
 */
export async function readApplication(files, wanted) {
  const index = new FileIndex(files);
  const relevant = relevantFiles(files, index);
  /** @type {CallRecord[]} */
  const records = [];
  if (relevant.size === 0) return { records, unparsed: [] };
  await loadAllDialects();
  const store = new CodeStore((path) => files.get(path));
  const tracer = new Tracer(store, (specifier, from) => index.resolve(specifier, from));
  for (const path of relevant) {
    const file = files.get(path);
    if (!file || !wanted.has(path) || !(METHOD_WORDS.test(file.text) || CONNECTION_WORDS.test(file.text))) continue;
    const code = store.get(path);
    if (code) for (const record of readCalls(code, tracer)) records.push(record);
  }
  const unparsed = [...store.unparsed.values()].map(({ file, message, offset }) => ({
    path: file.path,
    reason: message,
    file,
    offset,
  }));
  return { records, unparsed };
}

/**
 * @param {ReadonlyMap<string, SourceFile>} files
 * @param {FileIndex} index
 * @returns {Set<string>} those that speak of a client, and those that import from these
 */
function relevantFiles(files, index) {
  /** @type {Set<string>} */
  const relevant = new Set();
  for (const [path, { text }] of files) if (CLIENT_WORDS.test(text)) relevant.add(path);
  if (relevant.size === 0) return relevant;
  /** Who imports a file. @type {Map<string, string[]>} */
  const importers = new Map();
  for (const [path, { text }] of files) {
    for (const specifier of importsIn(text)) {
      const target = index.resolve(specifier, path);
      if (target === undefined) continue;
      const known = importers.get(target);
      if (known) known.push(path);
      else importers.set(target, [path]);
    }
  }
  let newest = [...relevant];
  for (let hop = 0; hop < MAX_HOPS && newest.length > 0; hop += 1) {
    const next = newest.flatMap((path) => importers.get(path) ?? []).filter((path) => !relevant.has(path));
    newest = [...new Set(next)];
    for (const path of newest) relevant.add(path);
  }
  return relevant;
}
