// Describes what a command registers: the shape of `commands/<name>/command.js`.

/** @import { Surroundings } from './main.js' */

/**
 * @typedef {object} OptionSpec
 * @property {string} name without the leading hyphens; one that begins with `no-` sets the name behind it to false
 * @property {string} [value] what stands behind it, as help shows it; a switch where absent; `[one]` may be left out, and is typed with `=`
 * @property {string} about
 * @property {readonly string[]} [choices]
 * @property {readonly string[]} [words] that are offered to complete it, where others are possible
 * @property {boolean} [repeats] whether it may be given more than once and then is a list
 * @property {boolean} [isNumber]
 * @property {boolean} [isHidden] whether help leaves it out, because the line of its other form names it
 */

/** @typedef {string | boolean | number | string[]} OptionValue */

/**
 * @typedef {object} Command Help, completion, suggestions and the checks of arguments are made of it.
 * @property {string} name
 * @property {string} about
 * @property {{name: string, about: string, words?: string[]}[]} parameters `words` as of options; in the notation of help: `<one>`, `[many...]`
 * @property {OptionSpec[]} options
 * @property {string} notes what stands below the options in help: examples, exit codes
 * @property {() => Promise<{run: (options: any, given: string[], surroundings: Surroundings, commands: readonly Command[]) => Promise<number>}>} load its code, which is
 *   loaded when it is run; `run` takes the options by name, what is no option, and all commands, and returns the exit code
 */

export {};
