// Collects the code of an application while sources are opened, and reads its calls when all of it is there.

import { posix } from 'node:path';
import { VERSIONED_PACKAGES } from '../clients/index.js';
import { hashText } from '../shared/hash-text.js';
import { SourceFile } from '../shared/source-file.js';
import { DeclaredClients } from './application/declared-clients.js';
import { candidatesOf, summarize } from './application/imports.js';
import { foldCalls, unfoldCalls } from './kept-calls.js';
import { PackageVersions } from './package-versions.js';

/** @import { DiskTree } from './disk-tree.js' */
/** @import { Note } from './discover.js' */
/** @import { CallRecord, CodeRecord } from './application/record.js' */
/** @import { Summary } from './application/imports.js' */
/** @import { UnseenReceiver } from './application/unseen.js' */
/** @import { MangoIndexRecord } from './record.js' */
/** @import { ReplicationRecord } from './design-docs/replication.js' */

/**
 * @typedef {object} CodeRead
 * @property {(CallRecord | MangoIndexRecord | ReplicationRecord)[]} records
 * @property {Note[]} notes
 * @property {string[]} without files that were named and hold nothing at all
 * @property {UnseenReceiver[]} unseen receivers of calls that are not among the records
 * @property {SourceFile[]} unseenFiles those of `unseen`
 * @property {number} clientFiles files to be read that name a client
 */

/** What was read of the same code in an earlier run, by a digest of all of it. @typedef {{get: (key: string) => unknown, set: (key: string, read: unknown) => void}} CallMemory */

/** Longer code was made by a program. */
export const MAX_CODE_LENGTH = 2 * 1024 * 1024;
export const TOO_MUCH_CODE = `larger than ${MAX_CODE_LENGTH / 1024 / 1024} MB; its calls are not read`;

/** Packages whose version decides what becomes of a call, and those that pages and apps are made with. */
const VERSIONED = [
  ...VERSIONED_PACKAGES,
  'express',
  'react',
  'vue',
  'svelte',
  '@angular/core',
  'electron',
  'ember-source',
];

/** Files that imports of named files and folders are followed into. */
const MAX_IMPORTED = 500;

export class OpenedCode {
  /** Digests of all code, by the path that is shown; empty where nothing is kept between runs. @type {Map<string, string>} */
  #digests = new Map();
  /** Of what was looked at: with a memory, code is looked at only when it has changed. @type {Map<string, Summary>} */
  #summaries = new Map();
  /** Those that are kept: projects have thousands of files that name no client, and few of these are read again. @type {Map<string, SourceFile>} */
  #files = new Map();
  /** Files that calls are read of. @type {Set<string>} */
  #wanted = new Set();
  /** Files that were named and held nothing else. @type {string[]} */
  #named = [];
  /** @type {Note[]} */
  #notes = [];
  #imported = 0;
  /** That the user named. @type {string[]} */
  #folders = [];
  #tree;
  #memory;
  /** As the user has them. */
  #declared;
  #clients;
  /** Receivers of calls that are not among the records, once these are read. @type {UnseenReceiver[]} */
  unseen = [];
  /** Files to be read that name a client, once all is read. */
  clientFiles = 0;

  /**
   * @param {DiskTree} tree
   * @param {Readonly<Record<string, string>>} [clients] what the user says of expressions: `{"container.resolve('db')": 'nano'}`
   * @param {CallMemory} [memory]
   */
  constructor(tree, clients, memory) {
    this.#tree = tree;
    this.#memory = memory;
    this.#declared = clients;
    this.#clients = new DeclaredClients(clients);
  }

  /**
   * @param {string} path
   * @param {string} text
   */
  add(path, text) {
    this.#addText(path, text);
    this.#wanted.add(path);
  }

  /**
   * @param {string} path
   * @param {string} text
   */
  #addText(path, text) {
    this.#digests.set(path, this.#memory ? hashText(text) : '');
    if (!this.#memory) this.#summaryOf(path, text);
  }

  /**
   * @param {string} path
   * @param {string} [given] its text, where it is at hand
   * @returns {Summary}
   */
  #summaryOf(path, given) {
    const known = this.#summaries.get(path);
    if (known) return known;
    const text = given ?? this.#read(path).text;
    const summary = summarize(path, text, this.#clients);
    this.#summaries.set(path, summary);
    if (summary.namesClient) this.#files.set(path, this.#tree.known(path) ?? new SourceFile(path, text));
    return summary;
  }

  /**
   * Adds a file that the user named, maybe without those that it imports, and these.
   * @param {string} path
   * @param {string} text
   * @param {boolean} hasOther whether something else was found in it
   */
  addNamed(path, text, hasOther) {
    if (!hasOther) this.#named.push(path);
    if (text.length > MAX_CODE_LENGTH) {
      this.#notes.push({ path, reason: TOO_MUCH_CODE });
      return;
    }
    this.add(path, text);
    this.#followImports([path]);
  }

  /**
   * Of a folder that the user named, only what stands below says which code runs once: `lint examples/shop` is about that shop.
   * @param {string} path
   */
  enter(path) {
    this.#folders.push(path);
    this.#followImports(this.#wanted);
  }

  /**
   * Adds what files import that was not added yet: the client may be made outside of the file or folder that the user named.
   * @param {Iterable<string>} paths
   */
  #followImports(paths) {
    const waiting = [...paths];
    for (const from of waiting) {
      for (const { specifier } of this.#summaryOf(from).imports) {
        const candidates = candidatesOf(specifier, from);
        if (candidates.some((candidate) => this.#digests.has(candidate))) continue;
        const target = candidates.find((candidate) => this.#exists(candidate));
        if (target === undefined) continue;
        if (this.#imported >= MAX_IMPORTED) return;
        this.#imported += 1;
        this.#addText(target, this.#read(target).text);
        waiting.push(target);
      }
    }
  }

  /** @returns {Promise<CodeRead>} */
  async read() {
    const key = this.#memory && this.#key();
    const kept = key === undefined ? undefined : unfoldCalls(this.#memory?.get(key), (path) => this.#read(path));
    const read = kept ?? (await this.#readCalls());
    // Passwords that code has are kept nowhere else.
    const hasSecret = read.records.some((record) => record.kind === 'call' && record.connection?.credentials);
    if (key !== undefined && !kept && !hasSecret && this.#wanted.size > 0) {
      const folded = foldCalls(read);
      if (folded) this.#memory?.set(key, folded);
    }
    this.unseen = read.unseen;
    this.clientFiles = read.clientFiles;
    // Package.json is no code: what it says is not kept between runs.
    const versions = new PackageVersions(this.#tree);
    for (const record of read.records)
      if (record.kind === 'call') record.majors = versions.majorsFor(record.file.path, VERSIONED);
    return read;
  }

  /** @returns {string} the same where the same is read */
  #key() {
    const lists = [this.#wanted, this.#named, this.#folders, this.#digests].map((list) => [...list]);
    return hashText(JSON.stringify([...lists, this.#notes, this.#declared]));
  }

  /** @returns {Promise<CodeRead>} */
  async #readCalls() {
    const nothing = { records: [], unseen: [], unseenFiles: [], clientFiles: 0 };
    if (this.#wanted.size === 0) return { ...nothing, notes: this.#notes, without: this.#named };
    for (const path of this.#digests.keys()) this.#summaryOf(path);
    const [{ readApplication }, { isSetUp }, { indexesInCode }, { replicationsInCode }] = await Promise.all([
      import('./application/read-application.js'),
      import('./application/set-up.js'),
      import('./application/indexes.js'),
      import('./application/replications.js'),
    ]);
    const {
      records: calls,
      unparsed,
      unseen,
    } = await readApplication(
      this.#files,
      this.#wanted,
      this.#summaries,
      (path) => (this.#summaries.has(path) ? this.#read(path) : undefined),
      this.#clients,
    );
    for (const call of calls) call.isSetUp &&= isSetUp(this.#below(call.file.path));
    const records = [
      ...calls,
      ...indexesInCode(
        this.#texts((path) => this.#summaryOf(path).createsIndex),
        calls,
      ),
      ...replicationsInCode(calls),
    ];
    const withCalls = new Set(calls.map(({ file }) => file.path));
    const notes = unparsed.map(({ path, reason, file, offset }) => {
      const { line, column } = file.position(offset);
      return { path, reason: `calls are not read: ${reason} (${line}:${column})` };
    });
    const places = unseen.flatMap(({ place, calls: all }) => [place, ...all.map((one) => one.place)]);
    const paths = [...new Set(places.map(({ file }) => file))];
    return {
      records,
      notes: [...this.#notes, ...notes],
      without: this.#named.filter((path) => !withCalls.has(path) && !paths.includes(path)),
      unseen,
      unseenFiles: paths.map((path) => this.#files.get(path) ?? this.#read(path)),
      clientFiles: [...this.#wanted].filter((path) => this.#summaries.get(path)?.importsClient).length,
    };
  }

  /** @returns {Promise<CodeRecord | undefined>} undefined where no code was read */
  async readMentions() {
    const [first] = this.#texts(() => true);
    if (!first) return undefined;
    const { findMentions } = await import('./application/mentions.js');
    const mentions = findMentions(this.#texts(() => true));
    return { kind: 'code', file: first, files: this.#digests.size, mentions };
  }

  /**
   * @param {(path: string) => boolean} isWanted
   * @returns {Generator<SourceFile>} one after another: those that name no client are not kept
   */
  *#texts(isWanted) {
    for (const path of this.#digests.keys()) if (isWanted(path)) yield this.#files.get(path) ?? this.#read(path);
  }

  /**
   * @param {string} path
   * @returns {SourceFile}
   */
  #read(path) {
    const known = this.#tree.known(path);
    // Whatever the encoding: names of programs are ASCII.
    return known ?? new SourceFile(path, this.#tree.bytes(path).toString('utf8'));
  }

  /** @param {string} path @returns {string} its part below the folder that the user named */
  #below(path) {
    const above = this.#folders.filter((folder) => path.startsWith(`${folder}/`)).map((folder) => folder.length + 1);
    return path.slice(Math.max(0, ...above));
  }

  /**
   * @param {string} path
   * @returns {boolean} whether there is such a file in the working directory
   */
  #exists(path) {
    if (path.startsWith('..') || path.includes('node_modules/')) return false;
    return this.#tree
      .list(posix.dirname(path))
      .some(({ name, isFolder }) => !isFolder && name === posix.basename(path));
  }
}
