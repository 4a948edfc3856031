// Defines the exit codes of the program, the same for every command.

/** @typedef {typeof EXIT[keyof typeof EXIT]} ExitCode */

export const EXIT = /** @type {const} */ ({
  /** Nothing to report at or above `--fail-on`. */
  CLEAN: 0,
  /** Findings at or above `--fail-on`, or more warnings than `--max-warnings`. */
  FINDINGS: 1,
  /** The command line or the configuration has to change, or the input has nothing to judge. Nothing was done. */
  USAGE: 2,
  /** A file, a server or another program failed, or this one: what could be read is still reported. The same command may work later. */
  INCOMPLETE: 3,
});

/** Errors that come from the disk, a server, another program or an interrupt, and not from what was typed or configured. */
const INCOMPLETE_CODES = new Set([
  ...[
    'cannot-write',
    'changed-since-read',
    'documents-unreadable',
    'interrupted',
    'plan-unreadable',
    'stdin-unreadable',
  ],
  ...['answer-broken', 'answer-too-large', 'cut-short', 'server-lost', 'server-refused', 'wrong-answer'],
  ...['clock-ran-back', 'compaction-hangs', 'left-behind', 'not-finished', 'shrank'],
  ...['command-failed', 'container-ended', 'container-failed', 'container-silent', 'pull-failed'],
]);

/**
 * @param {string} code of a UserError
 * @returns {ExitCode} what a run ends with that the error ended
 */
export function exitCodeOf(code) {
  return INCOMPLETE_CODES.has(code) ? EXIT.INCOMPLETE : EXIT.USAGE;
}
