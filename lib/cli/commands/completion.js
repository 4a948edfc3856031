// `couch-advisor completion`: prints the script that completes the command line in a shell.

import { nearest } from '../../shared/nearest.js';
import { UserError } from '../../shared/user-error.js';
import { renderCompletion } from '../completions.js';
import { EXIT } from '../exit-codes.js';

/** @import { Shell } from '../completions.js' */
/** @import { Surroundings } from '../main.js' */

/** @type {Shell[]} */
const SHELLS = ['bash', 'zsh', 'fish'];

/**
 * @param {object} _options
 * @param {string[]} given
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 * @throws {UserError} where it is another shell
 */
export async function run(_options, [name = ''], { stdout }) {
  const shell = SHELLS.find((candidate) => candidate === name);
  if (!shell) {
    const guess = nearest(name, SHELLS);
    throw new UserError('unknown-shell', `there is no completion for \`${name}\``, {
      hint: guess ? `did you mean \`${guess}\`?` : `there is for: ${SHELLS.join(', ')}`,
    });
  }
  stdout.write(renderCompletion(shell));
  return EXIT.CLEAN;
}
