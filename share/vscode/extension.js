// Starts the language server of the workspace's own couch-advisor.

const process = require('node:process');
const { commands, Uri, window, workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { findServer } = require('./find-server.js');

const LANGUAGES = ['json', 'jsonc', 'javascript', 'javascriptreact', 'typescript', 'typescriptreact', 'ini'];

/** @type {import('vscode-languageclient/node').LanguageClient | undefined} */
let client;
/** @type {import('vscode').LogOutputChannel} */
let output;
/** @type {import('vscode').FileSystemWatcher} */
let configurations;
/** One start or stop at a time. */
let settled = Promise.resolve();

/** @param {import('vscode').ExtensionContext} context */
function activate({ subscriptions }) {
  output = window.createOutputChannel('couch-advisor', { log: true });
  configurations = workspace.createFileSystemWatcher('**/{couch-advisor.config.json,package.json}');
  subscriptions.push(
    output,
    configurations,
    commands.registerCommand('couchAdvisor.restart', restart),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('couchAdvisor')) return restart();
    }),
    workspace.onDidChangeWorkspaceFolders(() => {
      if (!client) return restart();
    }),
  );
  return restart();
}

/** @returns {Promise<void>} */
function deactivate() {
  settled = settled.then(stop);
  return settled;
}

/** @returns {Promise<void>} */
function restart() {
  settled = settled
    .then(stop)
    .then(start)
    .catch((error) => {
      output.appendLine(String(error));
      window.showErrorMessage(`couch-advisor did not start: ${error.message}`);
    });
  return settled;
}

/** @returns {Promise<void>} */
async function stop() {
  const running = client;
  client = undefined;
  try {
    await running?.dispose();
  } catch {
    // It crashed, or never started.
  }
}

/** @returns {Promise<void>} */
async function start() {
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const server = findServer(folders, workspace.getConfiguration('couchAdvisor').get('path', ''));
  if (server === undefined) {
    output.appendLine('couch-advisor is not installed in this workspace, and `couchAdvisor.path` names no package.');
    return;
  }
  output.appendLine(`Starting ${server}`);
  // The Node.js of the editor: started from a desktop, it often has no other in its PATH.
  const options = { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } };
  client = new LanguageClient(
    'couchAdvisor',
    'couch-advisor',
    { command: process.execPath, args: [server, 'lsp'], options },
    {
      documentSelector: LANGUAGES.map((language) => ({ scheme: 'file', language })),
      outputChannel: output,
      synchronize: { fileEvents: configurations },
      // The page of a rule is Markdown, to be read and not to be edited.
      middleware: { window: { showDocument: showPage } },
    },
  );
  await client.start();
}

/** @type {import('vscode-languageclient/node').ShowDocumentRequest.MiddlewareSignature} */
async function showPage(params, token, next) {
  if (!params.uri.endsWith('/README.md')) return next(params, token);
  await commands.executeCommand('markdown.showPreview', Uri.parse(params.uri));
  return { success: true };
}

module.exports = { activate, deactivate };
