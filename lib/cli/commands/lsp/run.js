// `couch-advisor lsp`: a language server on standard input and output.

import { createMessageConnection, ResponseError, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { UserError } from '../../../shared/user-error.js';
import { describeError } from '../../describe-error.js';
import { EXIT } from '../../exit-codes.js';
import { LanguageServer } from './server.js';
import { Workspace } from './workspace.js';

/** @import { Surroundings } from '../../main.js' */
/** @import { SourceOptions } from '../../prepare.js' */

/**
 * @param {SourceOptions} options
 * @param {string[]} _given
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} the exit code, when the editor has left
 * @throws {UserError} where people started it by hand
 */
export async function run(options, _given, surroundings) {
  const { stdin, stdout, stderr } = surroundings;
  if (stdin.isTTY) {
    throw new UserError('lsp-on-terminal', '`lsp` is for editors and speaks the language server protocol', {
      hint: 'see docs/editors.md for the setup; on a terminal use `npx --no-install couch-advisor lint`',
    });
  }
  const reader = new StreamMessageReader(stdin);
  const writer = new StreamMessageWriter(stdout);
  const connection = createMessageConnection(reader, writer);
  const server = new LanguageServer(connection, new Workspace(surroundings, options), ResponseError);
  let isBroken = false;
  const nonsense = new Promise((resolve) => {
    connection.onError(([error]) => {
      isBroken = true;
      resolve(error);
    });
  });
  const ended = server.run();
  const first = await Promise.race([ended, nonsense]);
  connection.dispose();
  stdin.destroy();
  if (!isBroken) return /** @type {number} */ (first);
  const reason = first instanceof Error ? first.message : String(first);
  const error = new UserError('not-the-protocol', `the input is not the language server protocol: ${reason}`, {
    hint: 'start `npx --no-install couch-advisor lsp` from an editor, over standard input and output',
  });
  stderr.write(describeError(error));
  return EXIT.USAGE;
}
