// Reads the command line of a benchmark: `--help` prints what it does and starts nothing, and an error ends it before
// it begins.

import process from 'node:process';
import { parseArgs } from 'node:util';

/**
 * @template {NonNullable<import('node:util').ParseArgsConfig['options']>} O
 * @param {string} help what the benchmark does, with its options
 * @param {O} options
 * @param {{names?: string[]}} [given] `names`: of what may be given without an option, in this order
 * @returns {{values: ReturnType<typeof parseArgs<{options: O}>>['values'], given: string[]}} does not return for `--help` or for a command line that is wrong
 */
export function readOptions(help, options, { names = [] } = {}) {
  try {
    const config = {
      options: { ...options, help: { type: /** @type {const} */ ('boolean') } },
      allowPositionals: true,
    };
    const { values, positionals } = parseArgs(config);
    if ('help' in values && values.help) {
      process.stdout.write(help);
      process.exit(0);
    }
    if (positionals.length > names.length) throw new TypeError(`unexpected argument '${positionals.at(-1)}'`);
    return { values: /** @type {any} */ (values), given: positionals };
  } catch (error) {
    process.stderr.write(`${/** @type {Error} */ (error).message}\n\n${help}`);
    process.exit(2);
  }
}

/**
 * @param {string} name of the option or argument
 * @param {string | undefined} text
 * @param {string} help
 * @returns {number} above 0; ends the process where it is none
 */
export function readNumber(name, text, help) {
  const number = Number(text);
  if (text !== undefined && number > 0 && Number.isFinite(number)) return number;
  process.stderr.write(`${name} takes a number above 0, and was given '${text}'\n\n${help}`);
  process.exit(2);
}
