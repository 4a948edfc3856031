// Opens the sources of a run, from paths, globs, folders or standard input, and returns all records with what could not be read and what was skipped.
// The only module that decides what is read; the readers themselves never touch the disk.

import { basename, posix, resolve } from 'node:path';
import { findByGlob } from '../files/find-by-glob.js';
import { unreadable } from '../files/open-file.js';
import { SourceFile } from '../shared/source-file.js';
import { UserError } from '../shared/user-error.js';
import { countRecords, countUnseen } from './count-records.js';
import { readCouchappFolder } from './design-docs/couchapp-folder.js';
import { belongsToCouchapp, recogniseCouchapp } from './design-docs/couchapp-recognise.js';
import { discover, look, sortedNotes } from './discover.js';
import { DiskTree } from './disk-tree.js';
import { withoutCopies } from './generated-copies.js';
import { createExclusion, EXCLUDED } from './ignore-rules.js';
import { compareRecordings } from './live/compare-recordings.js';
import { OpenedCode } from './open-application.js';
import { isCode, nothingIn, readFile, readFunctionFile } from './read-file.js';
import { decodeText } from './read-text.js';

/** @import { BareRole } from '../shared/bare-roles.js' */
/** @import { UnseenReceiver } from './application/unseen.js' */
/** @import { ReadCounts } from './count-records.js' */
/** @import { Couchapp } from './design-docs/couchapp-recognise.js' */
/** @import { Discovered, Note } from './discover.js' */
/** @import { CallMemory } from './open-application.js' */
/** @import { Exclusion } from './ignore-rules.js' */
/** @import { ReadError, ReadResult, SourceRecord } from './record.js' */

/**
 * @typedef {object} OpenOptions
 * @property {string[]} paths files, folders, globs or `-`; none for discovery below the working directory
 * @property {boolean} [isNamed] whether the user named the paths, so that they may be pipes; false for those of a configuration
 * @property {string} cwd
 * @property {string[]} [exclude] patterns, in the form of `.gitignore`, of what is skipped unless it is named itself
 * @property {Exclusion[]} [exclusions] more of them, each relative to its own folder
 * @property {ReadonlyMap<string, SourceFile>} [known] files that are taken as given here, by the path that is shown
 * @property {{text: string | Uint8Array, filename?: string | undefined} | undefined} [stdin] what `-` stands for
 * @property {BareRole} [role] what functions are for that are alone in a file which is named
 * @property {DiskTree} [tree] what is read from; the disk where absent
 * @property {boolean} [passesUnknown] whether files that are named and hold nothing to judge, or are excluded, are skipped:
 *   hooks name every file of a commit
 * @property {boolean} [listsPassed] whether what is no source as a matter of course is listed too
 * @property {Readonly<Record<string, string>>} [clients] names of clients by the code that stands for one
 * @property {CallMemory} [calls] what was read of the same code before
 * @property {ReadBefore} [loads] loads that were read already: reading one may take minutes
 * @property {ReadBefore} [logs] what logs were found to show
 * @property {ReadBefore} [live] what was read from a server; without paths nothing else is then read
 */

/** @typedef {ReadResult} ReadBefore */

/**
 * @typedef {object} Opened
 * @property {SourceRecord[]} records in the order of their files' paths, those of one file in the order of the file
 * @property {ReadError[]} errors
 * @property {Map<string, SourceFile>} files all that a record or an error speaks of, by the path that is shown
 * @property {Note[]} notes what was skipped, and why
 * @property {Note[]} [passed] what is no source as a matter of course, where `listsPassed`
 * @property {string[]} used paths of the files that records came from; records of a server have no file, but its recording is one
 * @property {ReadCounts} counts
 * @property {UnseenReceiver[]} unseen receivers of calls that look like those of a client and are not among the records
 */

/** The name of standard input in findings. */
const STDIN = '<stdin>';
const CHECK_PATH = 'check the path, which is relative to the working directory';
const GLOB = /[*?[\]{}!()]/;

/** A file of a couchapp lies at most so deep in it: `views/lib/…`. */
const MAX_LEVELS_UP = 6;

/**
 * @param {OpenOptions} options
 * @returns {Promise<Opened>} never rejects for what it reads
 */
export async function openSources({
  paths,
  isNamed = false,
  cwd,
  exclude = [],
  exclusions = [],
  known = new Map(),
  stdin,
  role,
  tree = new DiskTree(resolve(cwd)),
  passesUnknown,
  listsPassed = false,
  clients,
  calls,
  loads,
  logs,
  live,
}) {
  const options = { passesUnknown, role, clients, calls };
  const opening = new Opening(tree, [{ patterns: exclude, folder: cwd }, ...exclusions], options);
  if (listsPassed) opening.passed = [];
  for (const file of known.values()) opening.tree.remember(file);
  if (paths.every((path) => path === '-' || GLOB.test(path))) tree.enterProject('.');
  if (paths.length === 0 && !live) await opening.openFolder('.', false);
  for (const path of paths) {
    if (path === '-') await opening.openText(stdin?.text ?? '', stdin?.filename || STDIN);
    else await opening.openPath(path, isNamed);
  }
  for (const before of [loads, logs, live]) if (before) opening.addReadBefore(before);
  await opening.readCode();
  return opening.result();
}

class Opening {
  /** @type {SourceRecord[]} */
  #records = [];
  /** @type {ReadError[]} */
  #errors = [];
  /** @type {Note[]} */
  #notes = [];
  /** What is no source, with `--debug`. @type {Note[] | undefined} */
  passed;
  /** Whether a server was read, or a recording of one. */
  #isLive = false;
  /** Files that records came from. @type {Set<SourceFile>} */
  #used = new Set();
  /** @type {Map<string, SourceFile>} */
  #files = new Map();
  /** Files and couchapp folders that were read, by the path that is shown. @type {Set<string>} */
  #seen = new Set();
  /** Made at the first use. @type {((absolutePath: string, isFolder: boolean) => boolean) | undefined} */
  #isExcluded;
  #code;
  /** Couchapps by the path of their folder. @type {Map<string, Couchapp | undefined>} */
  #couchapps = new Map();

  /**
   * @param {DiskTree} tree
   * @param {Exclusion[]} exclude
   * @param {Pick<OpenOptions, 'passesUnknown' | 'role' | 'clients' | 'calls'>} options
   */
  constructor(tree, exclude, options) {
    this.tree = tree;
    this.#code = new OpenedCode(tree, options.clients, options.calls);
    this.exclude = exclude;
    this.options = options;
  }

  /** @param {string} path as the user wrote it @param {boolean} isNamed on the command line */
  async openPath(path, isNamed) {
    const shown = this.tree.shown(this.tree.absolute(path));
    try {
      if (this.tree.enterProject(shown, isNamed)) await this.openFolder(shown, true);
      else if (this.options.passesUnknown) await this.#openIfRelevant(shown);
      else await this.openFile(shown);
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (error instanceof UserError || code === undefined) throw error;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') this.#addError(unreadable(shown, error));
      else if (GLOB.test(path)) await this.openGlob(path);
      else this.#addError(new UserError('not-found', `${shown} does not exist`, { hint: CHECK_PATH }));
    }
  }

  /** @param {string} path of a file that the user named */
  async openFile(path) {
    if (this.#seen.has(path)) return;
    this.#seen.add(path);
    const file = this.#read(path);
    if (!file) return;
    const read = await readFile(file, { isNamed: true });
    // The file of a couchapp says nothing alone: linters are often given the changed files of a commit.
    const hasNone = read.records.length === 0;
    if (hasNone && (await this.#openCouchappAround(path))) return;
    const result = (hasNone && readFunctionFile(file, this.options.role)) || read;
    this.#add(file, result);
    const isEmpty = result.records.length === 0 && result.errors.length === 0;
    if (isCode(path)) this.#code.addNamed(path, file.text, !isEmpty);
    else if (isEmpty) this.#addNothingIn(path);
  }

  /** @param {string} pattern */
  async openGlob(pattern) {
    const ignore = ['**/node_modules/**', '**/.git/**'];
    const onDisk = await findByGlob(pattern, { cwd: this.tree.cwd, ignore });
    const shown = onDisk.map((file) => this.tree.shown(file));
    const paths = this.tree.matching(shown, pattern);
    let hasAny = false;
    for (const path of paths.sort()) if (await this.#openIfRelevant(path)) hasAny = true;
    if (hasAny) return;
    if (paths.length > 0) return this.#addNothingIn(`files matching ${pattern}`, false);
    const hint = 'check the pattern, and quote it';
    this.#addError(new UserError('not-found', `no file matches ${pattern}`, { hint }));
  }

  /**
   * @param {string} path of a file that may hold anything
   * @returns {Promise<boolean>} whether there is anything to report about it
   */
  async #openIfRelevant(path) {
    this.#isExcluded ??= await createExclusion(this.exclude);
    if (this.#isExcluded(this.tree.absolute(path), false)) {
      this.#notes.push({ path, reason: EXCLUDED });
      return true;
    }
    if (await this.#openCouchappAround(path)) return true;
    /** @type {Omit<Discovered, 'couchapps'>} */
    const found = { files: [], hasCode: false, errors: [], notes: [], passed: this.passed };
    await look(this.tree, path, found, { add: (file, text) => this.#code.addNamed(file, text, true) });
    return this.#addFound(found);
  }

  /**
   * @param {string} path
   * @param {boolean} isNamed
   */
  async openFolder(path, isNamed) {
    const { couchapps, ...found } = await discover(this.tree, path, this, this.#code);
    for (const couchapp of couchapps) await this.#openCouchapp(couchapp.path, couchapp);
    if (isNamed && path !== '.') this.#code.enter(path);
    const hasFiles = await this.#addFound(found);
    if (!isNamed || hasFiles || couchapps.length > 0) return;
    if (!(await this.#openCouchappAround(path))) this.#addNothingIn(path);
  }

  /**
   * @param {string | Uint8Array} content
   * @param {string} path it is said to have
   */
  async openText(content, path) {
    const shown = path === STDIN ? path : this.tree.shown(this.tree.absolute(path));
    try {
      const text = typeof content === 'string' ? content : decodeText(content, shown);
      this.tree.remember(new SourceFile(shown, text));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#addError(error);
      return;
    }
    await this.openFile(shown);
  }

  /** Reads the calls of what was collected, once all else is there. */
  async readCode() {
    const { records, notes, without, unseenFiles } = await this.#code.read();
    for (const file of unseenFiles) this.#files.set(file.path, file);
    for (const record of records) this.#add(record.file, { records: [record], errors: [] });
    this.#notes.push(...notes);
    for (const path of without) this.#addNothingIn(path);
    // Names of views in the code show use that logs do not.
    const mentions = this.#records.some(({ kind }) => kind === 'log') && (await this.#code.readMentions());
    if (mentions) this.#records.push(mentions);
  }

  /** @param {ReadBefore} before */
  addReadBefore({ records, errors, notes = [], shown }) {
    for (const record of records) this.#records.push(record);
    for (const error of errors) this.#errors.push(error);
    for (const note of notes) this.#notes.push(note);
    if (shown) this.#addLive(shown);
    else for (const { file } of records) this.#used.add(file);
  }

  /**
   * @param {SourceFile[]} files answers of a server
   */
  #addLive(files) {
    for (const file of files) this.#files.set(file.path, file);
    this.#isLive = true;
  }

  /** @returns {Opened} */
  result() {
    const { kept, copies } = withoutCopies(compareRecordings(this.#records));
    for (const { copy, original } of copies) {
      this.#used.delete(copy.file);
      this.#notes.push({ path: copy.file.path, reason: `same design document as ${original.file.path}` });
    }
    return {
      records: kept,
      errors: this.#errors.toSorted((a, b) => compare(a.place?.file ?? '', b.place?.file ?? '')),
      files: new Map([...this.#files].sort(([a], [b]) => compare(a, b))),
      notes: sortedNotes(this.#notes),
      passed: this.passed,
      used: [...this.#used].map(({ path }) => path),
      counts: {
        ...countRecords(kept),
        ...countUnseen(this.#code),
        files: this.#used.size,
        ...(this.#isLive ? { databases: kept.filter(({ kind }) => kind === 'database').length } : {}),
      },
      unseen: this.#code.unseen,
    };
  }

  /**
   * @param {Omit<Discovered, 'couchapps'>} found
   * @returns {Promise<boolean>} whether there was anything to report: a record, an error, or a file that was read before
   */
  async #addFound({ files, hasCode, errors, notes }) {
    this.#errors.push(...errors);
    this.#notes.push(...notes);
    let hasAny = errors.length > 0 || hasCode;
    for (const file of files) {
      if (this.#seen.has(file.path)) {
        hasAny = true;
        continue;
      }
      const result = await readFile(file, { isNamed: false });
      if (result.records.length + result.errors.length === 0) {
        const reason = 'no design document, Mango index or CouchDB configuration in it';
        if (result.notes) this.#notes.push(...result.notes);
        else this.passed?.push({ path: file.path, reason });
        continue;
      }
      hasAny = true;
      this.#seen.add(file.path);
      this.#add(file, result);
    }
    return hasAny;
  }

  /**
   * @param {string} path of the folder
   * @param {Couchapp} couchapp
   */
  async #openCouchapp(path, couchapp) {
    if (this.#seen.has(path)) return;
    this.#seen.add(path);
    const name = basename(this.tree.absolute(path));
    const { records, errors, files } = await readCouchappFolder(this.tree, path, { name, ...couchapp });
    this.#records.push(...records);
    this.#errors.push(...errors);
    for (const file of files) {
      this.#files.set(file.path, file);
      if (records.length > 0) this.#used.add(file);
    }
  }

  /**
   * @param {string} path of a file or folder
   * @returns {Promise<boolean>} whether it is a part of a couchapp, which then was read
   */
  async #openCouchappAround(path) {
    let inner = path;
    for (let level = 0; level < MAX_LEVELS_UP && inner !== '.' && posix.basename(inner) !== '..'; level += 1) {
      const folder = posix.dirname(inner);
      if (posix.basename(folder) === '..') return false;
      let couchapp = this.#couchapps.get(folder);
      if (!this.#couchapps.has(folder)) {
        couchapp = await recogniseCouchapp(this.tree, folder, this.tree.absolute(folder));
        this.#couchapps.set(folder, couchapp);
      }
      if (couchapp) {
        if (!belongsToCouchapp(couchapp, posix.basename(inner))) return false;
        await this.#openCouchapp(folder, couchapp);
        return true;
      }
      inner = folder;
    }
    return false;
  }

  /**
   * @param {string} path
   * @returns {SourceFile | undefined} undefined where it cannot be read, which then is an error
   */
  #read(path) {
    try {
      return this.tree.read(path);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#addError(error);
      return undefined;
    }
  }

  /**
   * @param {SourceFile} file
   * @param {ReadResult} result
   */
  #add(file, { records, errors, shown, notes = [] }) {
    for (const record of records) this.#records.push(record);
    this.#errors.push(...errors);
    for (const note of notes) this.#notes.push(note);
    if (shown) this.#addLive(shown);
    if (records.length > 0) this.#used.add(file);
    if (records.length + errors.length > 0) this.#files.set(file.path, file);
  }

  /** @param {UserError} error */
  #addError({ code, message, place, hint }) {
    this.#errors.push({ code, message, place, hint });
  }

  /** @param {string} path or words for several files @param {boolean} [isPath] */
  #addNothingIn(path, isPath = true) {
    this.#addError(nothingIn(path, isPath));
  }
}

/** @param {string} a @param {string} b @returns {number} */
const compare = (a, b) => (a < b ? -1 : Number(a > b));
