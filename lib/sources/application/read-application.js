// Reads the calls of CouchDB clients in the code of an application. Of files that no client comes into, only the text is looked at.

import { findCallers } from './callers.js';
import { readCalls } from './calls.js';
import { Carriers } from './carriers.js';
import { CodeStore, loadAllDialects } from './code.js';
import { FileIndex, summarize } from './imports.js';
import { clientsGivenBy } from './parameters.js';
import { Services } from './services.js';
import { isSetUp } from './set-up.js';
import { Tracer } from './trace.js';
import { groupUnseen } from './unseen.js';

/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { Waiting } from './callers.js' */
/** @import { Code } from './code.js' */
/** @import { Follower, Often } from './often.js' */
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
  const all = [...summaries.values()];
  const first = all.filter(({ namesClient }) => namesClient);
  if (first.length === 0) return { records: [], unparsed: [], unseen: [] };
  await loadAllDialects();
  const textOf = (/** @type {string} */ path) => files.get(path) ?? read(path);
  const reading = new Reading(textOf, wanted, summaries, clients);
  reading.follow(first.map(({ path }) => path));
  reading.readAgain();
  // In a project with a client, calls whose receiver is only called like one are listed; nothing is followed from there.
  if (all.some(({ importsClient }) => importsClient))
    reading.readOthers(all.filter(({ mayHoldUnseen }) => mayHoldUnseen).map(({ path }) => path));
  return reading.result();
}

/** `order`: the how manieth file it was; `records`: those of its calls. @typedef {{order: number, records: CallRecord[], repeatable: Waiting[], often: Often[], followers: Follower[], unseen: UnseenReceiver[]}} ReadFile */

class Reading {
  /** By path. @type {Map<string, ReadFile>} */
  #read = new Map();
  #order = 0;
  #importers;
  #textOf;
  #wanted;
  #summaries;
  #store;
  #tracer;
  #carriers;
  #services;

  /**
   * @param {(path: string) => SourceFile | undefined} textOf
   * @param {ReadonlySet<string>} wanted
   * @param {ReadonlyMap<string, Summary>} summaries
   * @param {DeclaredClients | undefined} clients
   */
  constructor(textOf, wanted, summaries, clients) {
    const all = [...summaries.values()];
    const index = new FileIndex(new Set(summaries.keys()));
    this.#textOf = textOf;
    this.#wanted = wanted;
    this.#summaries = summaries;
    this.#importers = importersOf(summaries, index);
    this.#store = new CodeStore(textOf);
    const resolve = (/** @type {string} */ specifier, /** @type {string} */ from) => index.resolve(specifier, from);
    /** Members that classes assign which extend another, by the name of that. @type {Map<string, Set<string>>} */
    const extended = new Map();
    for (const summary of all)
      for (const name of summary.extended)
        extended.set(name, new Set([...(extended.get(name) ?? []), ...summary.assigned]));
    const defined = new Set(all.flatMap((summary) => summary.defines));
    this.#tracer = new Tracer(this.#store, resolve, extended, defined, clients);
    this.#carriers = new Carriers(this.#tracer);
    this.#services = new Services(all, this.#tracer, (value) => this.#carriers.reaches(value));
  }

  /** @param {readonly string[]} paths of files that name a client; those that it comes into are read, too */
  follow(paths) {
    const waiting = paths.map((path) => ({ path, hops: 0 }));
    /** How often a file is to be read. @type {Map<string, number>} */
    const times = new Map(paths.map((path) => [path, 1]));
    const add = (/** @type {string} */ path, /** @type {number} */ hops) => {
      times.set(path, (times.get(path) ?? 0) + 1);
      waiting.push({ path, hops });
    };
    // The list grows while it is gone through.
    for (const { path, hops } of waiting) {
      // What comes to it from another file may be a function that hands its arguments on to a client, with any name.
      const hasCalls = hops > 0 || this.#summaries.get(path)?.hasMethod === true;
      const code = hasCalls || hops < MAX_HOPS ? this.#store.get(path) : undefined;
      if (!code) continue;
      if (hasCalls) this.#readCalls(code);
      if (hops === MAX_HOPS) continue;
      this.#tracer.shared.addFrom(code, this.#tracer, (value) => this.#carriers.reaches(value));
      for (const item of clientsGivenBy(code, this.#tracer, (value) => this.#carriers.reaches(value))) {
        if (!this.#tracer.given.add(item)) continue;
        this.#carriers.forget(item.to);
        if ((times.get(item.to) ?? 0) < MAX_TIMES) add(item.to, hops + 1);
      }
      for (const by of this.#services.reachedFrom(path)) if ((times.get(by) ?? 0) < MAX_TIMES) add(by, hops + 1);
      for (const { by, names } of this.#importers.get(path) ?? [])
        if (!times.has(by) && this.#carriers.carries(path, names)) add(by, hops + 1);
    }
  }

  /** Reads the files that were not read since a function that they import turned out to hand its arguments on, and those that may use what all share. */
  readAgain() {
    const users = [...this.#summaries.values()].flatMap(({ path, hasMethod }) => (hasMethod ? path : []));
    const paths = new Set(this.#tracer.shared.usersAmong((path) => this.#textOf(path)?.text ?? '', users));
    for (const { path, order } of this.#tracer.forwards.files()) {
      // It may come through the index of a folder.
      for (const by of importersAround([path], this.#importers)) {
        if (by !== path && (this.#read.get(by)?.order ?? 0) < order) paths.add(by);
      }
    }
    this.#readAll(paths);
  }

  /** @param {readonly string[]} paths of files that are read unless they were before */
  readOthers(paths) {
    this.#readAll(paths.filter((path) => !this.#read.has(path)));
  }

  /** @param {Iterable<string>} paths */
  #readAll(paths) {
    for (const path of paths) {
      const code = this.#wanted.has(path) ? this.#store.get(path) : undefined;
      if (code) this.#readCalls(code);
    }
  }

  /** @param {Code} code */
  #readCalls(code) {
    const { path } = code.file;
    if (!this.#wanted.has(path)) return;
    this.#order += 1;
    this.#tracer.forwards.order = this.#order;
    /** @type {Waiting[]} */
    const repeatable = [];
    /** @type {Often[]} */
    const often = [];
    /** @type {Follower[]} */
    const followers = [];
    /** @type {UnseenReceiver[]} */
    const unseen = [];
    const records = readCalls(code, this.#tracer, { waiting: repeatable, often, followers, unseen });
    this.#read.set(path, { order: this.#order, records, repeatable, often, followers, unseen });
  }

  /** @returns {Application} */
  result() {
    const read = [...this.#read.values()];
    const waiting = read.flatMap(({ repeatable }) => repeatable);
    const often = read.flatMap((file) => file.often);
    const followers = read.flatMap((file) => file.followers);
    const records = read.flatMap((file) => file.records);
    const paths = callersOf([...waiting, ...often, ...followers], this.#importers);
    const calls = { waiting, often, followers, records };
    findCallers(calls, paths, this.#tracer, (path) => this.#textOf(path)?.text);
    if ([...this.#summaries.values()].some(({ catchesRejections }) => catchesRejections))
      for (const record of records) record.unhandled = null;
    const unparsed = [...this.#store.unparsed.values()].map(({ file, message, offset }) => {
      return { path: file.path, reason: message, file, offset };
    });
    return {
      records,
      unparsed,
      unseen: groupUnseen(read.flatMap(({ unseen }) => unseen)),
    };
  }
}

/**
 * @param {readonly {path: string}[]} calls
 * @param {ReadonlyMap<string, {by: string}[]>} importers
 * @returns {Set<string>} files that may call their functions, without those that run once
 */
function callersOf(calls, importers) {
  const found = importersAround(
    calls.map(({ path }) => path),
    importers,
  );
  return new Set([...found].filter((path) => !isSetUp(path)));
}

/**
 * @param {readonly string[]} paths
 * @param {ReadonlyMap<string, {by: string}[]>} importers
 * @returns {Set<string>} these files and those that a function of theirs may come to
 */
function importersAround(paths, importers) {
  const found = new Set(paths);
  let newest = [...found];
  for (let hop = 0; hop < MAX_CALLER_HOPS; hop += 1) {
    newest = newest.flatMap((path) => importers.get(path) ?? []).flatMap(({ by }) => (found.has(by) ? [] : by));
    for (const path of newest) found.add(path);
  }
  return found;
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
