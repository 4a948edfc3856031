// Says on standard error what was read and what was passed over, and refuses to be content with nothing.

import { cutOffs } from '../pipeline.js';
import { countOf, describeRead } from '../reports/report.js';
import { printable } from '../shared/printable.js';
import { UserError } from '../shared/user-error.js';

/** @import { Writable } from 'node:stream' */
/** @import { RunSubject } from '../facts/fact.js' */
/** @import { Opened } from '../sources/open.js' */
/** @import { Prepared } from './prepare.js' */

/**
 * @param {Pick<Prepared, 'opened' | 'config'>} prepared
 * @param {{isDiscovery: boolean, quiet?: boolean | undefined, verbose?: boolean | undefined}} options `isDiscovery`: whether no
 *   path was named, so that nobody knows what was looked at
 * @param {Writable} stderr
 * @throws {UserError} where there is nothing to judge
 */
export function tellSources({ opened, config }, { isDiscovery, quiet = false, verbose = false }, stderr) {
  const isEmpty = opened.records.length === 0 && opened.errors.length === 0;
  const lines = [];
  if (isDiscovery && !quiet && !isEmpty) lines.push(`read ${describeRead(opened.counts)}`);
  if ((isDiscovery || isEmpty) && !quiet && opened.notes.length > 0) {
    lines.push(`skipped ${describeNotes(opened)}${verbose ? '' : '; --verbose lists them'}`);
  }
  if (verbose) {
    lines.push(...opened.notes.map((note) => `  ${note.path}: ${note.reason}`));
    lines.push(`configuration: ${config.source?.path ?? 'none'}`);
  }
  for (const line of lines) stderr.write(`${printable(line)}\n`);
  if (!isEmpty) return;
  throw new UserError('nothing-found', 'no design document, Mango index or CouchDB configuration was found', {
    hint: 'name the files or folders: couch-advisor lint path/to/design-documents',
  });
}

/**
 * Reports how many functions a limit cut off: no finding about them does not mean that nothing is wrong with them.
 * @param {RunSubject} run
 * @param {Writable} stderr
 */
export function reportCutOffs(run, stderr) {
  const { length } = cutOffs(run);
  if (length === 0) return;
  stderr.write(
    `${countOf(length, 'function')} not determined within the limits of the sandbox; lint --verbose lists them\n`,
  );
}

/**
 * @param {Opened} opened
 * @returns {string} `3 paths (2 ignored by .gitignore, 1 installed packages)`
 */
function describeNotes({ notes }) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const note of notes) {
    // What can be done about it stands behind the semicolon.
    const [reason = ''] = note.reason.split(';');
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`).join(', ');
  return `${notes.length} ${notes.length === 1 ? 'path' : 'paths'} (${reasons})`;
}
