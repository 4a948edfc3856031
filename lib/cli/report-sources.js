// Reports on standard error what was read and what was skipped, and fails if nothing was read.

import path from 'node:path';
import { cutOffs } from '../facts/bailouts.js';
import { describeRead } from '../reports/report.js';
import { printable } from '../shared/printable.js';
import { shellWord } from '../shared/shell-word.js';
import { countOf } from '../shared/units.js';
import { UserError } from '../shared/user-error.js';
import { unusedKeys } from './folder-configs.js';

/** @import { Writable } from 'node:stream' */
/** @import { RunSubject } from '../facts/fact.js' */
/** @import { Opened } from '../sources/open.js' */
/** @import { Config } from './config.js' */
/** @import { Surroundings } from './main.js' */
/** @import { Prepared } from './prepare.js' */

/**
 * @param {Pick<Prepared, 'opened' | 'folders'>} prepared
 * @param {{isDiscovery: boolean, quiet?: boolean | undefined, verbose?: boolean | undefined}} options `isDiscovery`: whether no
 *   path was named, so that nobody knows what was looked at
 * @param {Pick<Surroundings, 'stderr'>} surroundings
 * @throws {UserError} where there is nothing to judge
 */
export function reportSources({ opened, folders }, { isDiscovery, quiet = false, verbose = false }, { stderr }) {
  const [main, ...others] = folders.all;
  const isEmpty = opened.records.length === 0 && opened.errors.length === 0 && !opened.counts.clientFiles;
  const lines = [];
  if (isDiscovery && !quiet && opened.counts.files > 0) lines.push(`read ${describeRead(opened.counts)}`);
  if ((isDiscovery || isEmpty) && !quiet && opened.notes.length > 0) {
    lines.push(`skipped ${describeNotes(opened)}${verbose ? '' : '; --verbose lists them'}`);
  }
  if (verbose) {
    lines.push(...opened.notes.map((note) => `  ${note.path}: ${note.reason}`));
    lines.push(`configuration: ${main?.source?.path ?? 'none'}`);
    lines.push(...others.map((config) => `configuration of ${folderOf(config)}/: ${config.source?.path}`));
  }
  for (const config of isDiscovery && !quiet ? others : []) {
    const keys = unusedKeys(config);
    if (keys.length === 0) continue;
    const run = `npx --no-install couch-advisor lint ${shellWord(folderOf(config))}`;
    lines.push(`not used in this run: ${keys.join(', ')} in ${config.source?.path}; to use it, run: ${run}`);
  }
  for (const line of lines) stderr.write(`${printable(line)}\n`);
  if (!isEmpty) return;
  throw new UserError(
    'nothing-found',
    'no design documents, calls of CouchDB clients, Mango indexes or configuration found',
    {
      hint: 'add files or folders: npx --no-install couch-advisor lint path/to/design-documents',
    },
  );
}

/**
 * Reports how many functions a limit cut off: no finding about them does not mean that nothing is wrong with them.
 * @param {RunSubject} run
 * @param {Writable} stderr
 */
export function reportCutOffs(run, stderr) {
  const { length } = cutOffs(run);
  if (length === 0) return;
  stderr.write(`${countOf(length, 'function')} not fully analyzed within the limits; lint --verbose lists them\n`);
}

/** @param {Config} config @returns {string} its folder, as it is shown */
function folderOf({ source }) {
  return path.posix.dirname(source?.path ?? '.');
}

/**
 * @param {Opened} opened
 * @returns {string} `3 paths: ignored by .gitignore (2), installed packages`
 */
function describeNotes({ notes }) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const note of notes) {
    // What can be done about it stands behind the semicolon.
    const [reason = ''] = note.reason.split(';');
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const reasons = [...counts].map(([reason, count]) => (count === 1 ? reason : `${reason} (${count})`)).join(', ');
  return `${countOf(notes.length, 'path')}: ${reasons}`;
}
