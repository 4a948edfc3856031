// Defines the exit codes of the program, the same for every command.

/** @typedef {typeof EXIT[keyof typeof EXIT]} ExitCode */

export const EXIT = /** @type {const} */ ({
  /** Nothing to report at or above `--fail-on`. */
  CLEAN: 0,
  /** Findings at or above `--fail-on`, or more warnings than `--max-warnings`. */
  FINDINGS: 1,
  /** The command line or the configuration cannot be used as given, or there was nothing to judge. */
  USAGE: 2,
  /** Something could not be read or written, or the program itself failed. Findings are still printed. */
  INCOMPLETE: 3,
});

/** Errors that come from the disk, or an interrupt, and not from what was typed or configured. */
const INCOMPLETE_CODES = new Set(['cannot-write', 'changed-since-read', 'interrupted', 'stdin-unreadable']);

/**
 * @param {string} code of a UserError
 * @returns {ExitCode} what a run ends with that the error ended
 */
export function exitCodeOf(code) {
  return INCOMPLETE_CODES.has(code) ? EXIT.INCOMPLETE : EXIT.USAGE;
}
