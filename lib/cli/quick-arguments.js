// Reads arguments that are plainly right: commander, which is exact about all others, takes a fifth of a cold run to load.

import { COMMANDS } from './command-table.js';
import { attributeName, readOptionValue } from './read-option.js';

/** @import { CommandSpec, OptionSpec, OptionValue } from './command-table.js' */

/** @typedef {{command: string, given: string[], options: Record<string, OptionValue>}} Arguments `given`: what is no option */

/**
 * @param {string[]} argv
 * @returns {Arguments | undefined} undefined where commander is to read them: for help, for what is wrong or unusual
 * @throws {import('../shared/user-error.js').UserError} where an option takes no such value
 */
export function readPlainArguments([name, ...words]) {
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) return undefined;
  /** @type {Arguments} */
  const read = { command: command.name, given: [], options: {} };
  for (let at = 0; at < words.length; at += 1) {
    const word = /** @type {string} */ (words[at]);
    if (word === '-' || !word.startsWith('-')) {
      read.given.push(word);
      continue;
    }
    const equals = word.indexOf('=');
    const option = findOption(command, equals === -1 ? word : word.slice(0, equals));
    if (!option) return undefined;
    const attribute = attributeName(option);
    if (option.value === undefined) {
      if (equals !== -1) return undefined;
      read.options[attribute] = !option.name.startsWith('no-');
      continue;
    }
    if (equals === -1) at += 1;
    const value = equals === -1 ? words[at] : word.slice(equals + 1);
    if (value === undefined || value === '' || value.startsWith('-')) return undefined;
    read.options[attribute] = readOptionValue(option, value, read.options[attribute]);
  }
  return takes(command, read.given.length) ? read : undefined;
}

/**
 * @param {CommandSpec} command
 * @param {string} word with its hyphens
 * @returns {OptionSpec | undefined}
 */
function findOption({ options }, word) {
  return options.find(({ name }) => word === `--${name}`);
}

/**
 * @param {CommandSpec} command
 * @param {number} count of words that are no options
 * @returns {boolean}
 */
function takes({ parameters }, count) {
  const needed = parameters.filter(({ name }) => name.startsWith('<')).length;
  const isOpen = parameters.some(({ name }) => name.includes('...'));
  return count >= needed && (isOpen || count <= parameters.length);
}
