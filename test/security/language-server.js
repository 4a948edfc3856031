// An editor that opens one file of a project with the language server of the program, and looks at everything that it
// offers.

import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { main } from '../../lib/cli/main.js';
import { CACHE_ENV } from '../helpers/cache-folder.js';
import { inspectEditorMarkdown, inspectTerminal } from './inspect.js';

/** @import { CodeAction, Diagnostic, Hover, PublishDiagnosticsParams } from 'vscode-languageserver-protocol' */

/**
 * @param {string} cwd
 * @param {string} file is opened
 * @param {string} text of it
 * @param {Record<string, string | undefined>} [env]
 * @returns {Promise<{failure: string | undefined, shown: string}>} what is wrong with what it answers, and all of that
 */
export async function openInEditor(cwd, file, text, env = {}) {
  const [toServer, fromServer, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let stderr = '';
  errors.on('data', (part) => {
    stderr += part;
  });
  const ended = main({
    argv: ['lsp'],
    cwd,
    env: { ...CACHE_ENV, ...env },
    stdin: toServer,
    stdout: fromServer,
    stderr: errors,
  });
  const editor = createMessageConnection(new StreamMessageReader(fromServer), new StreamMessageWriter(toServer));
  const uri = pathToFileURL(path.join(cwd, file)).href;
  /** @type {PublishDiagnosticsParams[]} */
  const published = [];
  const messages = /** @type {string[]} */ ([]);
  editor.onNotification('window/showMessage', ({ message }) => {
    messages.push(message);
  });
  const wasJudged = new Promise((resolve) => {
    editor.onNotification('textDocument/publishDiagnostics', (params) => {
      published.push(params);
      if (params.uri === uri) resolve(undefined);
    });
  });
  editor.listen();
  const workspaceFolders = [{ uri: pathToFileURL(cwd).href, name: 'shop' }];
  await editor.sendRequest('initialize', { processId: null, capabilities: {}, rootUri: null, workspaceFolders });
  await editor.sendNotification('initialized', {});
  await editor.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'json', version: 1, text },
  });
  await Promise.race([wasJudged, ended]);
  /** @type {(string | undefined)[]} */
  const failures = messages.map(inspectLine);
  const shown = [...messages];
  for (const diagnostic of published.flatMap(({ diagnostics }) => diagnostics)) {
    shown.push(...textsOf(diagnostic));
    failures.push(...textsOf(diagnostic).map(inspectTerminal));
  }
  for (const diagnostic of published.findLast((params) => params.uri === uri)?.diagnostics ?? []) {
    const { range } = diagnostic;
    /** @type {Hover | null} */
    const hover = await editor.sendRequest('textDocument/hover', { textDocument: { uri }, position: range.start });
    const value = hover
      ? /** @type {import('vscode-languageserver-protocol').MarkupContent} */ (hover.contents).value
      : '';
    /** @type {CodeAction[] | null} */
    const actions = await editor.sendRequest('textDocument/codeAction', {
      textDocument: { uri },
      range,
      context: { diagnostics: [diagnostic] },
    });
    const titles = (actions ?? []).map(({ title }) => title);
    shown.push(value, ...titles);
    failures.push(inspectEditorMarkdown(value), ...titles.map(inspectLine));
  }
  /** @type {import('vscode-languageserver-protocol').CodeLens[]} */
  const lenses = await editor.sendRequest('textDocument/codeLens', { textDocument: { uri } });
  const lines = lenses.map(({ command }) => command?.title ?? '');
  shown.push(...lines);
  failures.push(...lines.map(inspectLine));
  await editor.sendRequest('shutdown');
  await editor.sendNotification('exit');
  const exitCode = await ended;
  editor.dispose();
  if (stderr !== '' || exitCode !== 0) failures.push(`it ended with ${exitCode}: ${stderr.slice(0, 500)}`);
  return { failure: failures.find((failure) => failure !== undefined), shown: shown.join('\n') };
}

/** @param {Diagnostic} diagnostic @returns {string[]} */
function textsOf({ message, relatedInformation = [] }) {
  return [/** @type {string} */ (message), ...relatedInformation.map((one) => one.message)];
}

/** @param {string} text of one line @returns {string | undefined} */
function inspectLine(text) {
  return text.includes('\n') ? `it has several lines: ${JSON.stringify(text.slice(0, 100))}` : inspectTerminal(text);
}
