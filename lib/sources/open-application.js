// Collects the code of an application while sources are opened, and reads its calls when all of it is there.

import { posix } from 'node:path';
import { candidatesOf, importsIn } from './application/imports.js';

/** @import { SourceFile } from '../shared/source-file.js' */
/** @import { DiskTree } from './disk-tree.js' */
/** @import { Note } from './discover.js' */
/** @import { CodeRecord, CallRecord } from './application/record.js' */
/** @import { MangoIndexRecord } from './record.js' */

/** Files that imports of named files are followed into. */
const MAX_IMPORTED = 500;

export class OpenedCode {
  /** By the path that is shown. @type {Map<string, SourceFile>} */
  #files = new Map();
  /** Files that calls are read of. @type {Set<string>} */
  #wanted = new Set();
  /** Files that were named and held nothing else. @type {string[]} */
  #named = [];
  #tree;

  /** @param {DiskTree} tree */
  constructor(tree) {
    this.#tree = tree;
  }

  /** @param {SourceFile} file */
  add(file) {
    this.#files.set(file.path, file);
    this.#wanted.add(file.path);
  }

  /**
   * @param {SourceFile} file that the user named, maybe without those that it imports
   * @param {boolean} hasOther whether something else was found in it
   */
  addNamed(file, hasOther) {
    this.add(file);
    if (!hasOther) this.#named.push(file.path);
    const waiting = [file];
    for (let next = waiting.pop(); next && this.#files.size < MAX_IMPORTED; next = waiting.pop()) {
      for (const specifier of importsIn(next.text)) {
        const path = candidatesOf(specifier, next.path).find((candidate) => this.#exists(candidate));
        if (path === undefined || this.#files.has(path)) continue;
        const imported = this.#tree.read(path);
        this.#files.set(path, imported);
        waiting.push(imported);
      }
    }
  }

  /**
   * @returns {Promise<{records: (CallRecord | MangoIndexRecord)[], notes: Note[], without: string[]}>} `without`: files that were named and hold nothing at all
   */
  async read() {
    if (this.#wanted.size === 0) return { records: [], notes: [], without: [] };
    const { readApplication } = await import('./application/read-application.js');
    const { records: calls, unparsed } = await readApplication(this.#files, this.#wanted);
    const { indexesInCode } = await import('./application/indexes.js');
    const records = [...calls, ...indexesInCode(this.#files.values(), calls)];
    const withCalls = new Set(calls.map(({ file }) => file.path));
    const notes = unparsed.map(({ path, reason, file, offset }) => {
      const { line, column } = file.position(offset);
      return { path, reason: `calls are not read: ${reason} (${line}:${column})` };
    });
    return { records, notes, without: this.#named.filter((path) => !withCalls.has(path)) };
  }

  /** @returns {Promise<CodeRecord | undefined>} undefined where no code was read */
  async readMentions() {
    const [first] = this.#files.values();
    if (!first) return undefined;
    const { findMentions } = await import('./application/mentions.js');
    return { kind: 'code', file: first, files: this.#files.size, mentions: findMentions(this.#files.values()) };
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
