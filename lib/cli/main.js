// The command line: arguments in, exit code out. The only owner of the process's streams and signals.

import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { UserError } from '../shared/user-error.js';
import { EXIT } from './exit-codes.js';

/** @import { Readable, Writable } from 'node:stream' */

/**
 * @typedef {object} Surroundings What a command may touch.
 * @property {Readable & {isTTY?: boolean}} stdin
 * @property {Writable & {isTTY?: boolean, columns?: number}} stdout
 * @property {Writable & {isTTY?: boolean}} stderr
 * @property {Record<string, string | undefined>} env
 * @property {string} cwd
 */

/**
 * Runs the program once.
 * @param {Surroundings & {argv: string[]}} given the arguments behind the program's name, streams, environment
 * @returns {Promise<number>} the exit code; never throws
 */
export async function main({ argv, ...surroundings }) {
  const { stdout, stderr } = surroundings;
  // A reader that has seen enough (`| head`) closes the pipe: that is no fault.
  let isClosed = false;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error) => {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error;
      isClosed = true;
    });
  }
  let exitCode = /** @type {number} */ (EXIT.CLEAN);
  const program = buildProgram(surroundings, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return isClosed && exitCode === EXIT.INCOMPLETE ? EXIT.CLEAN : exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.CLEAN : EXIT.USAGE;
    if (error instanceof UserError) {
      stderr.write(describeUserError(error));
      return error.code === 'incomplete' ? EXIT.INCOMPLETE : EXIT.USAGE;
    }
    stderr.write(describeBug(error));
    return EXIT.INCOMPLETE;
  }
}

/**
 * @param {Surroundings} surroundings
 * @param {(code: number) => void} finish
 * @returns {Command}
 */
function buildProgram(surroundings, finish) {
  const { stdout, stderr } = surroundings;
  const program = new Command('couch-advisor')
    .description('Finds slow and dangerous patterns in CouchDB design documents, Mango indexes and configuration.')
    .version(version())
    .exitOverride()
    .showSuggestionAfterError()
    // Whole usages leave the descriptions no room in 80 columns.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .showHelpAfterError('(--help lists what is possible)')
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .addHelpText(
      'after',
      '\nExit codes: 0 clean, 1 findings, 2 bad usage or configuration,\n            3 something could not be read',
    );

  /**
   * @param {Command} command
   * @param {() => Promise<{run: (options: any, paths: string[], surroundings: Surroundings) => Promise<number>}>} load
   */
  const runs = (command, load) =>
    command.exitOverride().action(async (...parameters) => {
      const given = parameters.slice(0, -2).flat();
      const options = parameters.at(-2);
      const { run } = await load();
      finish(await run(options, given, surroundings));
    });

  runs(
    withSources(program.command('lint').argument('[paths...]', 'files, folders or globs; - for standard input'))
      .description('judge design documents, Mango indexes and configuration files')
      .option('--format <name[=file]>', 'text, json, sarif, github, junit, gitlab, markdown; may be repeated', collect)
      .option('--output <file>', 'write the last --format to a file')
      .addOption(
        new Option('--fail-on <severity>', 'exit with 1 from this severity on (default: error)').choices([
          'error',
          'warning',
          'info',
          'never',
        ]),
      )
      .option('--max-warnings <n>', 'exit with 1 when there are more warnings', wholeNumber)
      .option('--rule <id>', 'only this rule; may be repeated', collect)
      .option('--fix', 'apply safe fixes')
      .option('--fix-unsafe', 'apply all fixes, also those that change results')
      .option('--fix-dry-run', 'print what the fixes would change as a unified diff')
      .option('--baseline <file>', 'report only findings that are not in this file')
      .option('--write-baseline <file>', 'write all findings to this file and report none')
      .option('--quiet', 'only errors')
      .option('--verbose', 'also list what was skipped and what could not be told')
      .option('--color', 'colours even where the output is no terminal')
      .option('--no-color', 'no colours')
      .addHelpText(
        'after',
        `
Examples:
  couch-advisor lint                              all that is below this folder
  couch-advisor lint ddocs/ local.ini             these
  couch-advisor lint --fix-dry-run | git apply    safe fixes as a patch
  curl -s $URL/shop/_design/orders | couch-advisor lint -
  couch-advisor lint --format text --format sarif=advisor.sarif`,
      ),
    () => import('./commands/lint.js'),
  );
  runs(
    withSources(
      program
        .command('explain')
        .argument('<rule-or-key>', 'the id of a rule, or the key of a finding')
        .argument('[paths...]', 'for a key: where the finding is'),
    )
      .description('print the page and the decision tree of a rule, or the path a finding took')
      .addHelpText(
        'after',
        `
Examples:
  couch-advisor explain view/emit-whole-doc
  couch-advisor explain view/emit-whole-doc#copies-document:1a2b3c4d5e ddocs/`,
      ),
    () => import('./commands/explain.js'),
  );
  runs(
    withSources(program.command('facts').argument('[paths...]', 'files, folders or globs; - for standard input'))
      .description('print every subject with its facts, as rules see them')
      .addOption(new Option('--format <name>').choices(['text', 'json']).default('text')),
    () => import('./commands/facts.js'),
  );
  runs(
    program
      .command('rules')
      .description('list all rules')
      .addOption(new Option('--format <name>').choices(['text', 'json']).default('text'))
      .option('--config <file>', 'configuration file')
      .option('--no-config', 'ignore configuration files'),
    () => import('./commands/rules.js'),
  );
  return program;
}

/**
 * The options of every command that reads sources.
 * @param {Command} command
 * @returns {Command}
 */
function withSources(command) {
  return command
    .option('--target <version>', 'the CouchDB version advice is for, e.g. 3.3 (default: the newest)')
    .addOption(
      new Option('--engine <name>', 'its JavaScript engine').choices([
        'spidermonkey-1.8.5',
        'spidermonkey-60',
        'spidermonkey-78',
        'spidermonkey-91',
        'quickjs',
      ]),
    )
    .option('--config <file>', 'configuration file')
    .option('--no-config', 'ignore configuration files')
    .option('--stdin-filename <path>', 'the path that standard input counts as');
}

/**
 * @param {string} value
 * @param {string[] | undefined} previous
 * @returns {string[]}
 */
function collect(value, previous) {
  return [...(previous ?? []), value];
}

/**
 * @param {string} value
 * @returns {number}
 */
function wholeNumber(value) {
  if (!/^\d+$/.test(value)) {
    throw new UserError('bad-number', `--max-warnings takes a whole number and was given \`${value}\``, {
      hint: 'write, for example, --max-warnings 10',
    });
  }
  return Number(value);
}

/** @returns {string} */
export function version() {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return version;
}

/**
 * @param {UserError} error
 * @returns {string}
 */
function describeUserError(error) {
  const { place } = error;
  const where = place ? `  at ${place.file}:${place.line}:${place.column}\n` : '';
  const hint = error.hint ? `  hint: ${error.hint}\n` : '';
  return `error: ${error.message}\n${where}${hint}`;
}

/**
 * @param {unknown} error
 * @returns {string}
 */
function describeBug(error) {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `This is a fault of couch-advisor, not of your files.\n\n${stack}\n\ncouch-advisor ${version()}, Node ${process.version}, ${process.platform}\nPlease report it to the project with the lines above and, where you can, the input.\n`;
}
