// Judges the files of an editor's workspace, with the texts of open documents instead of those on disk.

import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describeRun } from '../../../engine/details.js';
import { attachFixes } from '../../../engine/fixes/attach.js';
import { maskReported } from '../../../engine/hide-secrets.js';
import { analyze } from '../../../engine/pipeline.js';
import { attempt } from '../../../shared/attempt.js';
import { SourceFile } from '../../../shared/source-file.js';
import { findRate } from '../../measured-rate.js';
import { prepare } from '../../prepare.js';
import { version } from '../../version.js';
import { viewLenses } from './code-lenses.js';

/** @import { Detail } from '../../../engine/details.js' */
/** @import { Finding } from '../../../engine/findings/finding.js' */
/** @import { TextEdit } from '../../../shared/source-file.js' */
/** @import { ReadError } from '../../../sources/record.js' */
/** @import { Surroundings } from '../../main.js' */
/** @import { Prepared, SourceOptions } from '../../prepare.js' */
/** @import { ViewLens } from './code-lenses.js' */

/** @typedef {{uri: string, file: string, version: number, text: string}} OpenDocument `file` absolute */
/**
 * @typedef {object} LintedDocument What a document and the files that belong to it were found to be.
 * @property {string} folder that paths of findings are relative to
 * @property {Finding[]} findings
 * @property {ReadError[]} errors
 * @property {Map<string, TextEdit[]>} edits of fixes, by key of the finding
 * @property {Map<string, Detail>} details by key of the finding
 * @property {Map<string, SourceFile>} files by the path that findings name
 * @property {ViewLens[]} lenses
 * @property {ReadonlyMap<string, string>} pages absolute paths of the pages of rules, by the rule's id
 */

/** Larger texts are dumps, which nobody edits by hand: judging one again at every key would stop the editor. */
const MAX_CHARACTERS = 5_000_000;

export class Workspace {
  /** @type {Map<string, OpenDocument>} */
  #documents = new Map();
  /** What was prepared for a file, until something on the disk changes. @type {Map<string, Promise<Prepared>>} */
  #prepared = new Map();
  /** @type {string[]} */
  #folders = [];

  /**
   * @param {Surroundings} surroundings
   * @param {SourceOptions} options of the command line
   */
  constructor(surroundings, options) {
    this.surroundings = surroundings;
    this.options = options;
  }

  /** @param {string[]} uris of the folders that are open */
  setFolders(uris) {
    this.#folders = uris.flatMap((uri) => fileOf(uri) ?? []);
    this.forget();
  }

  /** What was read of the disk holds no longer. */
  forget() {
    this.#prepared.clear();
  }

  /** @returns {OpenDocument[]} */
  get documents() {
    return [...this.#documents.values()];
  }

  /**
   * @param {string} uri
   * @returns {OpenDocument | undefined}
   */
  get(uri) {
    return this.#documents.get(uri);
  }

  /**
   * @param {string} file absolute
   * @returns {OpenDocument | undefined}
   */
  getByFile(file) {
    return this.documents.find((document) => document.file === file);
  }

  /**
   * @param {string} uri
   * @param {number} documentVersion
   * @param {string} text
   * @returns {boolean} whether it is a file that can be judged
   */
  set(uri, documentVersion, text) {
    const file = fileOf(uri);
    if (file === undefined) return false;
    this.#documents.set(uri, { uri, file, version: documentVersion, text });
    return true;
  }

  /** @param {string} uri */
  close(uri) {
    this.#documents.delete(uri);
  }

  /**
   * @param {OpenDocument} document
   * @returns {Promise<LintedDocument>}
   * @throws {import('../../../shared/user-error.js').UserError} where the configuration cannot be used
   */
  async judge({ file, text }) {
    const folder = this.folderOf(file);
    if (text.length > MAX_CHARACTERS) return nothingIn(folder);
    const prepared = await this.#prepare(file, folder);
    const opened = await prepared.reopen(this.#known(folder));
    const { report, links, run, ask, mask } = await analyze({
      ...prepared,
      opened,
      version: version(),
      skipsRuns: true,
    });
    const edits = await attachFixes(links);
    const { documents, documentsPerSecond } = prepared.config;
    const speed = { documents, rate: findRate(undefined, documentsPerSecond, this.surroundings.env) };
    return {
      folder,
      lenses: viewLenses(run.subjects, report.findings, speed),
      pages: new Map(prepared.rules.map(({ id, folder: of = '' }) => [id, path.join(of, 'README.md')])),
      findings: report.findings,
      errors: report.errors,
      edits,
      details: maskReported(describeRun({ links, run, ask }, prepared.rules, edits).details, mask),
      files: report.sources,
    };
  }

  /**
   * @param {string} file absolute
   * @returns {string} the innermost open folder around it; its own folder where none is
   */
  folderOf(file) {
    const around = this.#folders.filter((folder) => file.startsWith(folder + path.sep));
    return around.sort((one, other) => other.length - one.length)[0] ?? path.dirname(file);
  }

  /**
   * @param {string} file
   * @param {string} folder
   * @returns {Promise<Prepared>}
   */
  #prepare(file, folder) {
    const known = this.#prepared.get(file);
    if (known) return known;
    // Logs and loads may be long, and a findings list of the editor is about what is being written.
    const options = { ...this.options, docs: [], log: [] };
    const surroundings = { ...this.surroundings, cwd: folder };
    const made = prepare(options, [path.relative(folder, file)], surroundings, { passesUnknown: true });
    this.#prepared.set(file, made);
    made.catch(() => this.#prepared.delete(file));
    return made;
  }

  /**
   * @param {string} folder
   * @returns {Map<string, SourceFile>} the texts of the editor, by the path that findings name
   */
  #known(folder) {
    return new Map(
      this.documents.map(({ file, text }) => {
        const shown = path.relative(folder, file).split(path.sep).join('/');
        return [shown, new SourceFile(shown, text)];
      }),
    );
  }
}

/**
 * @param {string} folder
 * @returns {LintedDocument}
 */
function nothingIn(folder) {
  const none = new Map();
  return { folder, findings: [], errors: [], edits: none, details: none, files: none, lenses: [], pages: none };
}

/**
 * @param {string} uri
 * @returns {string | undefined} the absolute path; undefined where it is no file
 */
export function fileOf(uri) {
  return attempt(() => fileURLToPath(uri));
}

/**
 * @param {string} file absolute
 * @returns {string}
 */
export function uriOf(file) {
  return pathToFileURL(file).href;
}
