// Serves an editor over one connection with diagnostics, hovers, code lenses and code actions, until the editor ends it.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { samePlaces } from '../../../engine/findings/finding.js';
import { describeError, userErrorsIn } from '../../describe-error.js';
import { CONFIG_FILE, findConfig } from '../../find-config.js';
import { readIfThere } from '../../read-if-there.js';
import { version } from '../../version.js';
import { codeActionsOf } from './code-actions.js';
import { diagnosticOf, diagnosticsOf, doMeet, hoverText, isWithin, rangeOf } from './to-protocol.js';
import { fileOf, uriOf } from './workspace.js';

/** @import { MessageConnection } from 'vscode-jsonrpc' */
/** @import { CodeAction, CodeActionParams, CodeLens, Command, Diagnostic, Hover, InitializeParams, Position, Range } from 'vscode-languageserver-protocol' */
/** @import { Finding } from '../../../engine/findings/finding.js' */
/** @import { Place } from '../../../shared/source-file.js' */
/** @import { ActionContext } from './code-actions.js' */
/** @import { LintedDocument, Workspace } from './workspace.js' */

/** Milliseconds without another key before a text is judged. */
const QUIET_MS = 150;

/** Numbers of the protocol (3.17). */
const FULL_TEXT = 1;
const SERVER_NOT_INITIALIZED = -32002;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const WARNING = 2;

/** The command of a client, which shows the page of a rule. */
const EXPLAIN = 'couchAdvisor.explain';

/** What the server does between the first message and the last. */
export class LanguageServer {
  /** @type {Map<string, LintedDocument>} by uri of the document that was judged */
  #judged = new Map();
  /** Documents that diagnostics were shown in, and which document they come from. @type {Map<string, Set<string>>} */
  #shown = new Map();
  /** @type {Map<string, NodeJS.Timeout>} */
  #waiting = new Map();
  /** @type {Map<string, Promise<void>>} */
  #running = new Map();
  #isInitialized = false;
  #hasSaidGoodbye = false;
  #lastShown = '';
  /** Whether the editor can show a file, and asks for lenses again when the server says so. */
  #client = { showsFiles: false, refreshesLenses: false };

  /**
   * @param {MessageConnection} connection
   * @param {Workspace} workspace
   * @param {new (code: number, message: string) => Error} ResponseError of the protocol
   */
  constructor(connection, workspace, ResponseError) {
    this.connection = connection;
    this.workspace = workspace;
    this.ResponseError = ResponseError;
  }

  /** @returns {Promise<number>} the exit code, when the editor has left */
  run() {
    const { connection } = this;
    return new Promise((resolve) => {
      connection.onRequest('initialize', (params) => this.#initialize(params));
      connection.onRequest('shutdown', () => {
        this.#hasSaidGoodbye = true;
        return null;
      });
      connection.onNotification('exit', () => resolve(this.#end()));
      connection.onClose(() => resolve(this.#end()));
      connection.onRequest(
        'textDocument/hover',
        this.#afterInitialize((params) => this.#hover(params)),
      );
      connection.onRequest(
        'textDocument/codeAction',
        this.#afterInitialize((params) => this.#codeActions(params)),
      );
      connection.onRequest(
        'textDocument/codeLens',
        this.#afterInitialize((params) => this.#codeLenses(params)),
      );
      connection.onRequest(
        'workspace/executeCommand',
        this.#afterInitialize((params) => this.#execute(params)),
      );
      connection.onRequest((method) => {
        if (!this.#isInitialized) throw new this.ResponseError(SERVER_NOT_INITIALIZED, 'send `initialize` first');
        throw new this.ResponseError(-32601, `\`${method}\` is not supported`);
      });
      for (const [method, handle] of this.#notifications()) {
        // What comes before `initialize` is dropped, as the protocol requires.
        connection.onNotification(method, (params) => {
          if (this.#isInitialized) handle(params);
        });
      }
      connection.listen();
    });
  }

  /** @returns {[string, (params: any) => void][]} */
  #notifications() {
    const { workspace } = this;
    return [
      ['initialized', () => {}],
      ['textDocument/didOpen', ({ textDocument: { uri, version: number, text } }) => this.#changed(uri, number, text)],
      [
        'textDocument/didChange',
        ({ textDocument: { uri, version: number }, contentChanges }) => {
          const text = contentChanges?.at(-1)?.text;
          if (typeof text === 'string') this.#changed(uri, number, text);
        },
      ],
      ['textDocument/didSave', () => this.#judgeAll()],
      ['textDocument/didClose', ({ textDocument: { uri } }) => this.#closed(uri)],
      ['workspace/didChangeWatchedFiles', () => this.#judgeAll()],
      ['workspace/didChangeConfiguration', () => this.#judgeAll()],
      [
        'workspace/didChangeWorkspaceFolders',
        ({ event: { added, removed } }) => {
          const gone = new Set(removed.map((/** @type {{uri: string}} */ { uri }) => uri));
          this.folders = [
            ...this.folders.filter((uri) => !gone.has(uri)),
            ...added.map((/** @type {any} */ { uri }) => uri),
          ];
          workspace.setFolders(this.folders);
          this.#judgeAll();
        },
      ],
    ];
  }

  /** Uris of the open folders. @type {string[]} */
  folders = [];

  /**
   * @param {InitializeParams} params
   * @returns {object}
   */
  #initialize(params) {
    if (this.#isInitialized) throw new this.ResponseError(INVALID_REQUEST, '`initialize` was already sent');
    const { workspaceFolders, rootUri, capabilities } = params ?? {};
    this.#client = {
      showsFiles: capabilities?.window?.showDocument?.support === true,
      refreshesLenses: capabilities?.workspace?.codeLens?.refreshSupport === true,
    };
    this.folders = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
    this.workspace.setFolders(this.folders);
    this.#isInitialized = true;
    return {
      capabilities: {
        positionEncoding: 'utf-16',
        textDocumentSync: { openClose: true, change: FULL_TEXT, save: true },
        hoverProvider: true,
        codeActionProvider: { codeActionKinds: ['quickfix'] },
        codeLensProvider: {},
        ...(this.#client.showsFiles ? { executeCommandProvider: { commands: [EXPLAIN] } } : {}),
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
      serverInfo: { name: 'couch-advisor', version: version() },
    };
  }

  /**
   * @template P, R
   * @param {(params: P) => R} handle
   * @returns {(params: P) => R}
   */
  #afterInitialize(handle) {
    return (params) => {
      if (!this.#isInitialized) throw new this.ResponseError(SERVER_NOT_INITIALIZED, 'send `initialize` first');
      return handle(params);
    };
  }

  /** @returns {number} the exit code: that of an editor that has left without a word is 1, as the protocol requires */
  #end() {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
    return this.#hasSaidGoodbye ? 0 : 1;
  }

  /**
   * @param {string} uri
   * @param {number} number
   * @param {string} text
   */
  #changed(uri, number, text) {
    if (this.workspace.set(uri, number, text)) this.#judgeSoon(uri);
  }

  /** @param {string} uri */
  #closed(uri) {
    clearTimeout(this.#waiting.get(uri));
    this.#waiting.delete(uri);
    this.workspace.close(uri);
    this.#judged.delete(uri);
    this.#show(uri, new Map());
  }

  #judgeAll() {
    this.workspace.forget();
    for (const { uri } of this.workspace.documents) this.#judgeSoon(uri);
  }

  /** @param {string} uri */
  #judgeSoon(uri) {
    clearTimeout(this.#waiting.get(uri));
    this.#waiting.set(
      uri,
      setTimeout(() => {
        this.#waiting.delete(uri);
        const before = this.#running.get(uri) ?? Promise.resolve();
        this.#running.set(
          uri,
          before.then(() => this.#judge(uri)),
        );
      }, QUIET_MS),
    );
  }

  /** @param {string} uri */
  async #judge(uri) {
    const document = this.workspace.get(uri);
    if (!document) return;
    try {
      const judged = await this.workspace.judge(document);
      // A newer text, or none: what was found belongs to a text that is gone.
      if (this.workspace.get(uri)?.version !== document.version) return;
      this.#judged.set(uri, judged);
      this.#show(uri, diagnosticsOf(judged));
      this.#lastShown = '';
      if (this.#client.refreshesLenses) this.connection.sendRequest('workspace/codeLens/refresh').catch(() => {});
    } catch (error) {
      this.#reportError(error);
    }
  }

  /**
   * Shows what one document leads to, in itself and in the files that belong to it.
   * @param {string} from uri of the document
   * @param {Map<string, Diagnostic[]>} byFile by absolute path
   */
  #show(from, byFile) {
    const before = this.#shown.get(from) ?? new Set();
    const now = new Set([...byFile.keys()].map(uriOf));
    const own = this.workspace.get(from) ?? { uri: from, file: fileOf(from) ?? '' };
    now.delete(uriOf(own.file));
    this.#send(from, byFile.get(own.file) ?? []);
    for (const [file, diagnostics] of byFile) {
      // A document that is open is judged for itself.
      if (file !== own.file && !this.workspace.getByFile(file)) this.#send(uriOf(file), diagnostics);
    }
    for (const uri of before) {
      if (!now.has(uri) && !this.workspace.get(uri)) this.#send(uri, []);
    }
    this.#shown.set(from, now);
  }

  /**
   * @param {string} uri
   * @param {Diagnostic[]} diagnostics
   */
  #send(uri, diagnostics) {
    const document = this.workspace.get(uri);
    const params = { uri, diagnostics, ...(document ? { version: document.version } : {}) };
    this.connection.sendNotification('textDocument/publishDiagnostics', params).catch(() => {});
  }

  /** @param {unknown} error shown once, and again when something else was shown between */
  #reportError(error) {
    const errors = userErrorsIn(error);
    const text = errors.length > 0 ? errors.map(describeError).join('') : `couch-advisor: ${String(error)}`;
    if (text === this.#lastShown) return;
    this.#lastShown = text;
    this.connection.sendNotification('window/showMessage', { type: WARNING, message: text.trimEnd() }).catch(() => {});
  }

  /**
   * @param {{textDocument: {uri: string}, position: Position}} params
   * @returns {Hover | null}
   */
  #hover({ textDocument: { uri }, position }) {
    const known = this.#findingsAt(uri, (range) => isWithin(range, position));
    const [first] = known;
    if (!first) return null;
    const text = known
      .map(({ finding, judged }) => hoverText(finding, judged.details.get(finding.key)))
      .join('\n\n---\n\n');
    return { contents: { kind: 'markdown', value: text }, range: rangeOf(first.place) };
  }

  /**
   * @param {CodeActionParams} params
   * @returns {CodeAction[]}
   */
  #codeActions({ textDocument: { uri }, range, context }) {
    if (context?.only && !context.only.some((kind) => kind === 'quickfix' || kind === '')) return [];
    return this.#findingsAt(uri, (own) => doMeet(own, range)).flatMap(({ finding, place, judged }) => {
      const inFolder = (/** @type {string} */ file) => path.resolve(judged.folder, file);
      const diagnostic = diagnosticOf(finding, (file) => uriOf(inFolder(file)));
      const known = { edits: judged.edits.get(finding.key), place, file: judged.files.get(place.file) };
      const actions = codeActionsOf(finding, diagnostic, known, this.#actionContext(judged, inFolder(place.file)));
      const explain = this.#explanation(uri, finding.rule, `Explain ${finding.rule}`);
      if (explain)
        actions.push({ title: explain.title, kind: 'quickfix', diagnostics: [diagnostic], command: explain });
      return actions;
    });
  }

  /**
   * @param {{textDocument: {uri: string}}} params
   * @returns {CodeLens[]} one over each view of the file
   */
  #codeLenses({ textDocument: { uri } }) {
    const judged = this.#judged.get(uri);
    const file = this.workspace.get(uri)?.file;
    const own = judged?.lenses.filter(({ place }) => path.resolve(judged.folder, place.file) === file) ?? [];
    return own.map(({ place, title, rule }) => ({
      range: rangeOf(place),
      // Editors show one without a command as text.
      command: (rule && this.#explanation(uri, rule, title)) || { title, command: '' },
    }));
  }

  /**
   * @param {string} uri
   * @param {string} rule
   * @param {string} title
   * @returns {Command | undefined} undefined where the editor cannot show a file, or the rule has no page
   */
  #explanation(uri, rule, title) {
    const page = this.#client.showsFiles ? this.#judged.get(uri)?.pages.get(rule) : undefined;
    return page !== undefined && existsSync(page) ? { title, command: EXPLAIN, arguments: [uri, rule] } : undefined;
  }

  /**
   * @param {{command: string, arguments?: any[]}} params
   * @returns {null}
   */
  #execute({ command, arguments: [uri, rule] = [] }) {
    const page = command === EXPLAIN ? this.#judged.get(uri)?.pages.get(rule) : undefined;
    if (page === undefined) throw new this.ResponseError(INVALID_PARAMS, 'no page of a rule is known for this');
    this.connection.sendRequest('window/showDocument', { uri: uriOf(page), takeFocus: true }).catch(() => {});
    return null;
  }

  /**
   * @param {LintedDocument} judged
   * @param {string} about absolute path of the file
   * @returns {ActionContext}
   */
  #actionContext({ folder }, about) {
    const inFolder = (/** @type {string} */ file) => path.resolve(folder, file);
    const found = findConfig(path.dirname(about));
    // The member of a package.json and code are left to people.
    const isWritten = found !== undefined && /\.config\.jsonc?$/.test(found);
    const file = isWritten ? found : path.join(folder, CONFIG_FILE);
    return {
      uriOf: (name) => uriOf(inFolder(name)),
      versionOf: (name) => this.workspace.getByFile(inFolder(name))?.version ?? null,
      config: {
        uri: uriOf(file),
        text: this.workspace.getByFile(file)?.text ?? readIfThere(file),
        folder: (name) => path.relative(path.dirname(file), inFolder(name)).split(path.sep).join('/'),
      },
    };
  }

  /**
   * @param {string} uri
   * @param {(range: Range) => boolean} fits
   * @returns {{finding: Finding, place: Place, judged: LintedDocument}[]} what was found in that file, by its own text, with the first of its
   *   places that fits
   */
  #findingsAt(uri, fits) {
    const judged = this.#judged.get(uri);
    const document = this.workspace.get(uri);
    if (!judged || !document) return [];
    const isIn = (/** @type {Place} */ { file }) => path.resolve(judged.folder, file) === document.file;
    return judged.findings.flatMap((finding) => {
      const places = [finding, ...samePlaces(finding)].map(({ place }) => place);
      const place = places.find((one) => isIn(one) && fits(rangeOf(one)));
      return place ? [{ finding, place, judged }] : [];
    });
  }
}
