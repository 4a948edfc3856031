// What the exit code of the program means. The same for every command.

/** @typedef {typeof EXIT[keyof typeof EXIT]} ExitCode */

export const EXIT = /** @type {const} */ ({
  /** Nothing to report at or above `--fail-on`. */
  CLEAN: 0,
  /** Findings at or above `--fail-on`, or more warnings than `--max-warnings`. */
  FINDINGS: 1,
  /** The command line or the configuration cannot be used as given. */
  USAGE: 2,
  /** Something could not be read or written, or the program itself failed. Findings are still printed. */
  INCOMPLETE: 3,
});
