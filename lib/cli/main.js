// Runs the command line: takes its arguments and returns the exit code. The only owner of the process's streams.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { shellWord } from '../shared/shell-word.js';
import { UserError } from '../shared/user-error.js';
import { COMMANDS } from './commands.js';
import { describeBug, describeError, userErrorsIn } from './describe-error.js';
import { EXIT, exitCodeOf } from './exit-codes.js';
import { readArguments } from './program.js';

/** @import { Readable, Writable } from 'node:stream' */
/** @import { Arguments } from './program.js' */

/**
 * @typedef {object} Surroundings What a command may touch.
 * @property {Readable & {isTTY?: boolean}} stdin
 * @property {Writable & {isTTY?: boolean, columns?: number}} stdout
 * @property {Writable & {isTTY?: boolean, columns?: number}} stderr
 * @property {Record<string, string | undefined>} env
 * @property {string} cwd
 * @property {(file: string, text: string) => void} [keepReport] takes what reports are written to files instead
 */

/**
 * Runs the program once.
 * @param {Surroundings & {argv: string[]}} given the arguments behind the program's name, streams, environment
 * @returns {Promise<number>} the exit code, when all output is written; never throws
 */
export async function main({ argv, ...surroundings }) {
  const { stdout, stderr } = surroundings;
  /** @type {string | undefined} */
  let fault;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (/** @type {NodeJS.ErrnoException} */ { code = 'unknown' }) => {
      // A reader that has seen enough (`| head`) closes the pipe: that is no fault.
      if (code !== 'EPIPE' && code !== 'ERR_STREAM_DESTROYED') fault ??= code;
    });
  }
  let exitCode;
  try {
    exitCode = await runCommand(argv, surroundings);
  } catch (error) {
    exitCode = await reportError(error, stderr);
  }
  await Promise.all([written(stdout), written(stderr)]);
  if (fault === undefined) return exitCode;
  stderr.write(`error: cannot write the output (${fault})\n`);
  return EXIT.INCOMPLETE;
}

/**
 * @param {string[]} argv
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 */
async function runCommand(argv, surroundings) {
  checkFileNames(argv, surroundings.cwd);
  const read = await readCommandLine(argv, surroundings);
  if (typeof read === 'number') return read;
  const { run } = await read.command.load();
  return run(read.options, read.given, surroundings, COMMANDS);
}

/**
 * Hooks append the names of changed files, and anybody who commits chooses those: a file called `--output=x` must not act as an option.
 * @param {string[]} argv
 * @param {string} cwd
 * @throws {UserError} of code `option-or-file`
 */
function checkFileNames(argv, cwd) {
  if (!argv.includes('--ignore-unknown')) return;
  const end = argv.indexOf('--');
  const words = argv.slice(1, end === -1 ? argv.length : end);
  const found = words.find((word) => word !== '-' && word.startsWith('-') && existsSync(path.resolve(cwd, word)));
  if (found === undefined) return;
  throw new UserError('option-or-file', `\`${found}\` is ambiguous: an option, and a file of that name`, {
    hint: 'put -- before the file names',
  });
}

/**
 * @param {string[]} argv
 * @param {Surroundings} surroundings
 * @returns {Promise<Arguments | number>}
 */
async function readCommandLine(argv, surroundings) {
  const [first = ''] = argv;
  const isCommand = COMMANDS.some(({ name }) => name === first) || first === 'help';
  if (first !== '' && !first.startsWith('-') && !isCommand && existsSync(path.resolve(surroundings.cwd, first))) {
    throw new UserError('unknown-command', `unknown command \`${first}\``, {
      hint: `npx --no-install couch-advisor lint ${shellWord(first)}`,
    });
  }
  return readArguments(argv, surroundings);
}

/**
 * @param {unknown} error
 * @param {Writable} stderr
 * @returns {Promise<number>} the exit code that the error means
 */
async function reportError(error, stderr) {
  const errors = userErrorsIn(error);
  const [first] = errors;
  stderr.write(first ? errors.map(describeError).join('') : describeBug(error));
  return first ? exitCodeOf(first.code) : EXIT.INCOMPLETE;
}

/**
 * @param {Writable} stream
 * @returns {Promise<void>} when all that was written before is out, or cannot be
 */
function written(stream) {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
