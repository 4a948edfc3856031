// Reads the calls of CouchDB clients in the code of an application. Of files that no client comes into, only the text is looked at.

import { findCallers } from './callers.js';
import { readCalls } from './calls.js';
import { Carriers } from './carriers.js';
import { CodeStore, loadAllDialects } from './code.js';
import { FileIndex, summarize } from './imports.js';
import { clientsGivenBy } from './parameters.js';
import { isSetUp } from './set-up.js';
import { Tracer } from './trace.js';
import { groupUnseen } from './unseen.js';

/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { Waiting } from './callers.js' */
/** @import { CallRecord } from './record.js' */
/** @import { DeclaredClients } from './declared-clients.js' */
/** @import { Import, Summary } from './imports.js' */
/** @import { UnseenReceiver } from './unseen.js' */

/** A client comes through at most so many files: database, repository, service, route. */
const MAX_HOPS = 4;
/** A file is read again when others turn out to give it a client, so many times. */
const MAX_TIMES = 3;

/** A function comes through at most so many files: its own, an index of a folder, another function. */
const MAX_CALLER_HOPS = 3;

/**
 * @typedef {object} Application
 * @property {CallRecord[]} records
 * @property {{path: string, reason: string, file: SourceFile, offset: number}[]} unparsed files of which no calls were read
 * @property {UnseenReceiver[]} unseen receivers of calls that are not among the records
 */

/**
 * @param {ReadonlyMap<string, SourceFile>} files by the path that is shown
 * @param {ReadonlySet<string>} wanted of which calls are read; the others are there to follow imports into
 * @param {ReadonlyMap<string, Summary>} [summaries] of all code of the project, where not all of it is at hand
 * @param {(path: string) => SourceFile | undefined} [read] gives what is not
 * @param {DeclaredClients} [clients] what the user says of them
 * @returns {Promise<Application>}
 */
export async function readApplication(
  files,
  wanted,
  summaries = new Map([...files].map(([path, { text }]) => [path, summarize(path, text)])),
  read = () => undefined,
  clients = undefined,
) {
  const waiting = firstFiles([...summaries.values()]);
  /** @type {Map<string, CallRecord[]>} */
  const records = new Map();
  /** By the path of their file. @type {Map<string, UnseenReceiver[]>} */
  const unseen = new Map();
  if (waiting.length === 0) return { records: [], unparsed: [], unseen: [] };
  await loadAllDialects();
  const index = new FileIndex(new Set(summaries.keys()));
  const importers = importersOf(summaries, index);
  const store = new CodeStore((path) => files.get(path) ?? read(path));
  /** By the path of their file. @type {Map<string, Waiting[]>} */
  const repeatable = new Map();
  const extended = new Set([...summaries.values()].flatMap((summary) => summary.extended));
  const defined = new Set([...summaries.values()].flatMap((summary) => summary.defines));
  const tracer = new Tracer(store, (specifier, from) => index.resolve(specifier, from), extended, defined, clients);
  const carriers = new Carriers(tracer);
  /** How often a file is to be read. @type {Map<string, number>} */
  const times = new Map(waiting.map(({ path }) => [path, 1]));
  const add = (/** @type {string} */ path, /** @type {number} */ hops) => {
    times.set(path, (times.get(path) ?? 0) + 1);
    waiting.push({ path, hops });
  };
  // The list grows while it is gone through.
  for (const { path, hops } of waiting) {
    // What comes to it from another file may be a function that hands its arguments on to a client, with any name.
    const hasCalls = wanted.has(path) && (hops > 0 || summaries.get(path)?.hasMethod);
    const others = hops < MAX_HOPS ? (importers.get(path) ?? []) : [];
    const code = hasCalls || hops < MAX_HOPS ? store.get(path) : undefined;
    if (!code) continue;
    if (hasCalls) {
      /** @type {Waiting[]} */
      const own = [];
      /** @type {UnseenReceiver[]} */
      const others = [];
      records.set(path, readCalls(code, tracer, own, others));
      repeatable.set(path, own);
      unseen.set(path, others);
    }
    if (hops === MAX_HOPS) continue;
    for (const item of clientsGivenBy(code, tracer, (value) => carriers.reaches(value))) {
      if (!tracer.given.add(item)) continue;
      carriers.forget(item.to);
      if ((times.get(item.to) ?? 0) < MAX_TIMES) add(item.to, hops + 1);
    }
    for (const { by, names } of others) if (!times.has(by) && carriers.carries(path, names)) add(by, hops + 1);
  }
  const repeated = [...repeatable.values()].flat();
  findCallers(repeated, callersOf(repeated, importers), tracer, (path) => (files.get(path) ?? read(path))?.text);
  const unparsed = [...store.unparsed.values()].map(({ file, message, offset }) => ({
    path: file.path,
    reason: message,
    file,
    offset,
  }));
  return { records: [...records.values()].flat(), unparsed, unseen: groupUnseen([...unseen.values()].flat()) };
}

/**
 * @param {readonly Summary[]} summaries
 * @returns {{path: string, hops: number}[]} the files that are read whatever imports them. In a project with a client, calls whose receiver
 *   is only called like one are listed; nothing is followed from there
 */
function firstFiles(summaries) {
  const named = summaries.flatMap(({ path, namesClient }) => (namesClient ? { path, hops: 0 } : []));
  if (!summaries.some(({ importsClient }) => importsClient)) return named;
  const others = summaries.filter(({ namesClient, mayHoldUnseen }) => mayHoldUnseen && !namesClient);
  return [...named, ...others.map(({ path }) => ({ path, hops: MAX_HOPS }))];
}

/**
 * @param {readonly Waiting[]} calls
 * @param {ReadonlyMap<string, {by: string}[]>} importers
 * @returns {Set<string>} files that may call their functions, without those that run once
 */
function callersOf(calls, importers) {
  const found = new Set(calls.map(({ path }) => path));
  let newest = [...found];
  for (let hop = 0; hop < MAX_CALLER_HOPS; hop += 1) {
    newest = newest.flatMap((path) => importers.get(path) ?? []).flatMap(({ by }) => (found.has(by) ? [] : by));
    for (const path of newest) found.add(path);
  }
  return new Set([...found].filter((path) => !isSetUp(path)));
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
