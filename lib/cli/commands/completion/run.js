// `couch-advisor completion`: prints the script that completes the command line in a shell.

import { nearest } from '../../../shared/nearest.js';
import { UserError } from '../../../shared/user-error.js';
import { EXIT } from '../../exit-codes.js';
import { renderCompletion } from './scripts.js';

/** @import { Command } from '../../command.js' */
/** @import { Shell } from './scripts.js' */
/** @import { Surroundings } from '../../main.js' */

/** @type {Shell[]} */
const SHELLS = ['bash', 'zsh', 'fish'];

/**
 * @param {object} _options
 * @param {string[]} given
 * @param {Surroundings} surroundings
 * @param {readonly Command[]} commands
 * @returns {Promise<number>}
 * @throws {UserError} where it is another shell
 */
export async function run(_options, [name = ''], { stdout }, commands) {
  const shell = SHELLS.find((candidate) => candidate === name);
  if (!shell) {
    const guess = nearest(name, SHELLS);
    throw new UserError('unknown-shell', `unknown shell \`${name}\``, {
      hint: guess ? `did you mean \`${guess}\`?` : `supported shells: ${SHELLS.join(', ')}`,
    });
  }
  stdout.write(renderCompletion(shell, commands));
  return EXIT.CLEAN;
}
