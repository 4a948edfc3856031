// Describes errors for people: what, where, and what to do next.

import { printable, printableLines } from '../shared/printable.js';
import { UserError } from '../shared/user-error.js';
import { version } from './version.js';

/** @import { ReadError } from '../sources/record.js' */

/**
 * @param {Pick<ReadError, 'message' | 'place' | 'hint'>} error
 * @returns {string}
 */
export function describeError({ message, place, hint }) {
  const lines = [`error: ${printable(message)}`];
  if (place) lines.push(`  at ${printable(place.file)}:${place.line}:${place.column}`);
  if (hint) lines.push(`  hint: ${printable(hint)}`);
  return `${lines.join('\n')}\n`;
}

/**
 * @param {unknown} error something that nobody foresaw
 * @returns {string}
 */
export function describeBug(error) {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `This is a bug in couch-advisor, not in your files.

${printableLines(stack)}

couch-advisor ${version()}, Node ${process.version}, ${process.platform}
Please report it with the lines above and, if possible, the input.
`;
}

/**
 * @param {unknown} error
 * @returns {UserError[]} the errors it is made of, where people can do something about them
 */
export function userErrorsIn(error) {
  if (error instanceof UserError) return [error];
  if (!(error instanceof AggregateError)) return [];
  return error.errors.every((one) => one instanceof UserError) ? error.errors : [];
}
