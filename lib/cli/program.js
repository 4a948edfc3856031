// Parses the command line: help, suggestions, and errors for what is wrong with the arguments. Runs no command itself.

import { Command, CommanderError, Option } from 'commander';
import { nearest } from '../shared/nearest.js';
import { printableLines } from '../shared/printable.js';
import { UserError } from '../shared/user-error.js';
import { EXIT_CODE_NOTES, START_NOTES } from './command-options.js';
import { COMMANDS } from './commands.js';
import { EXIT } from './exit-codes.js';
import { version } from './version.js';

/** @import { Command as RegisteredCommand, OptionSpec, OptionValue } from './command.js' */
/** @import { Surroundings } from './main.js' */

/** @typedef {{command: RegisteredCommand, given: string[], options: Record<string, OptionValue>}} Arguments `given`: what is no option */

/** The width of a terminal that does not report its own. */
const USUAL_WIDTH = 80;

/**
 * @param {string[]} argv
 * @param {Pick<Surroundings, 'stdout' | 'stderr'>} streams for help and for errors
 * @returns {Promise<Arguments | number>} the exit code where there is nothing to run
 * @throws {import('../shared/user-error.js').UserError} where an option takes no such value
 */
export async function readArguments(argv, { stdout, stderr }) {
  /** @type {Arguments | undefined} */
  let read;
  const program = new Command('couch-advisor')
    .description(
      'Finds slow and dangerous patterns in CouchDB design documents, application code, Mango indexes and configuration.',
    )
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('(see --help)')
    // Whole usages leave the descriptions no room in 80 columns.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      // Errors repeat what was typed, which may be the name of a file that somebody else chose.
      writeErr: (text) => stderr.write(printableLines(text)),
      getOutHelpWidth: () => stdout.columns ?? USUAL_WIDTH,
      getErrHelpWidth: () => USUAL_WIDTH,
    })
    .addHelpText('after', `\n${START_NOTES}\n\n${EXIT_CODE_NOTES}`);
  for (const spec of COMMANDS) addCommand(program, spec, (found) => (read = found));
  try {
    await program.parseAsync(withEmptyValues(argv), { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.CLEAN : EXIT.USAGE;
    throw error;
  }
  return read ?? EXIT.USAGE;
}

/**
 * @param {Command} program
 * @param {RegisteredCommand} spec
 * @param {(found: Arguments) => void} onCommand
 */
function addCommand(program, spec, onCommand) {
  const { name, about, parameters, options, notes } = spec;
  const command = program
    .command(name)
    .description(about)
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', `\n${notes}`);
  for (const parameter of parameters) command.argument(parameter.name, parameter.about);
  for (const option of options) command.addOption(makeOption(option));
  command.action((...words) => {
    // One that may be left out and was is undefined.
    const given = words
      .slice(0, parameters.length)
      .flat()
      .filter((word) => word !== undefined);
    // commander sets what only has a `--no-` form to true; what nobody typed stays unset here.
    const typed = Object.entries(command.opts()).filter(([key]) => command.getOptionValueSource(key) !== 'default');
    onCommand({ command: spec, given, options: Object.fromEntries(typed) });
  });
}

/** @param {OptionSpec} spec @returns {boolean} whether its value may be left out */
function isOptional({ value }) {
  return value?.startsWith('[') === true;
}

/**
 * An option whose value may be left out would take the next word for it, which is a path: `--docker ddocs/`.
 * @param {string[]} argv
 * @returns {string[]} `--docker` as `--docker=`
 */
function withEmptyValues(argv) {
  const options = COMMANDS.find(({ name }) => name === argv[0])?.options.filter(isOptional) ?? [];
  const names = new Set(options.map(({ name }) => `--${name}`));
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.map((word, at) => (at < end && names.has(word) ? `${word}=` : word));
}

/**
 * @param {OptionSpec} spec
 * @returns {Option}
 */
function makeOption(spec) {
  const { name, value, about } = spec;
  const option = new Option(value === undefined ? `--${name}` : `--${name} ${value}`, about);
  // The line of the other form says it, so that the options of a command fit a screen.
  if (spec.isHidden) option.hideHelp();
  if (value === undefined) return option;
  // So help shows that it is typed with `=`; what follows a space is a path.
  if (isOptional(spec)) option.flags = `--${name}[=${value.slice(1)}`;
  return option.argParser((/** @type {string} */ written, /** @type {OptionValue | undefined} */ previous) =>
    readOptionValue(spec, written, previous),
  );
}

/**
 * @param {OptionSpec} option
 * @param {string} written what stands behind it
 * @param {OptionValue | undefined} previous what it was set to before
 * @returns {OptionValue}
 * @throws {UserError} where it takes no such value
 */
function readOptionValue({ name, choices, repeats, isNumber }, written, previous) {
  if (choices && !choices.includes(written)) {
    const guess = nearest(written, choices);
    throw new UserError('bad-choice', `invalid value \`${written}\` for --${name}`, {
      hint: `${guess ? `did you mean \`${guess}\`? ` : ''}must be one of ${choices.join(', ')}`,
    });
  }
  if (isNumber) {
    if (/^\d{1,15}$/.test(written)) return Number(written);
    throw new UserError('bad-number', `invalid value \`${written}\` for --${name}: must be a whole number`, {
      hint: `for example: --${name} 10`,
    });
  }
  return repeats ? [...(Array.isArray(previous) ? previous : []), written] : written;
}
