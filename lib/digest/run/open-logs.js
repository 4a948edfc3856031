// Reads the records of logs, with what could not be read. Loaded only where a log is named: it brings the whole digest
// with it.

import { UserError } from '../../shared/user-error.js';
import { logRecords } from '../log-records.js';
import { digestLogs } from './digest-logs.js';

/** @import { ReadError, SourceRecord } from '../../sources/record.js' */
/** @import { DigestLogsOptions } from './digest-logs.js' */

/** @typedef {{records: SourceRecord[], errors: ReadError[], notes: {path: string, reason: string}[]}} OpenedLogs */

/**
 * @param {string[]} paths files, globs and `-`
 * @param {Omit<DigestLogsOptions, 'paths'>} options
 * @returns {Promise<OpenedLogs>} never rejects for what it reads
 */
export async function openLogs(paths, options) {
  const { digest, errors, files } = await digestLogs({ ...options, paths });
  const { requests, malformed } = digest.lines;
  const [first] = files;
  const isEmpty = requests === 0 && digest.reports.size === 0;
  if (isEmpty && errors.length === 0) {
    const hint = 'check it with `npx --no-install couch-advisor digest`, or force a format with --log-format';
    const place = first && { file: first.path, line: 1, column: 1 };
    errors.push(new UserError('no-requests', `no requests in ${paths.join(', ')}`, { hint, place }));
  }
  const lines = malformed === 1 ? 'line matches' : 'lines match';
  return {
    records: isEmpty
      ? []
      : logRecords(
          digest,
          files.map((file) => file.path),
        ),
    errors: errors.map(({ code, message, place, hint }) => ({ code, message, place, hint })),
    notes: malformed > 0 && first ? [{ path: first.path, reason: `${malformed} ${lines} no format` }] : [],
  };
}
