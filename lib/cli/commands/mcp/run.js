// `couch-advisor mcp`: a server for assistants on standard input and output, and the process of one call of it.

import { homedir } from 'node:os';
import path from 'node:path';
import { UserError } from '../../../shared/user-error.js';
import { EXIT } from '../../exit-codes.js';
import { isFolder } from '../../read-if-there.js';
import { McpServer } from './server.js';

/** @import { Surroundings } from '../../main.js' */

/**
 * @param {{url?: string, call?: boolean}} options
 * @param {string[]} given folders
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} the exit code, when the client has left
 * @throws {UserError} where people started it by hand
 */
export async function run({ url, call }, given, surroundings) {
  const { stdin, cwd } = surroundings;
  if (stdin.isTTY) {
    throw new UserError('mcp-on-terminal', '`mcp` is for assistants and speaks the Model Context Protocol', {
      hint: 'see docs/assistants.md for the setup; on a terminal use `npx --no-install couch-advisor lint`',
    });
  }
  if (call) {
    // The server itself needs nothing of it.
    const { answerCall } = await import('./answer-call.js');
    await answerCall(surroundings);
    return EXIT.CLEAN;
  }
  const named = given.map((folder) => path.resolve(cwd, folder));
  const missing = named.find((folder) => !isFolder(folder));
  if (missing !== undefined) {
    throw new UserError('not-a-folder', `${missing} is not a folder`, {
      hint: 'name folders of design documents, code or logs',
    });
  }
  // Where assistants are started by a desktop, nobody chose the working directory.
  const isChosen = cwd !== path.parse(cwd).root && cwd !== homedir();
  const folders = named.length > 0 ? named : isChosen ? [cwd] : [];
  await new McpServer(surroundings, { folders, url }).run();
  return EXIT.CLEAN;
}
