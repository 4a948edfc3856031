// Reads a file of recorded responses into the records that a live lint would have produced.

import { attempt } from '../../shared/attempt.js';
import { readAnswersFile } from './answers-file.js';
import { LiveRecords } from './live-records.js';

/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { ReadResult } from '../record.js' */
/** @import { Answers } from './answers-file.js' */

/**
 * @param {SourceFile} file
 * @returns {ReadResult}
 */
export function readAnswers(file) {
  const { origin, at, databases, own, parts, errors } = readAnswersFile(file);
  const live = new LiveRecords(origin);
  /** @type {Answers} */
  const ofServer = new Map();
  /** @type {Map<string, Answers>} */
  const ofDatabases = new Map();
  for (const part of parts) {
    for (const [path, answer] of part) {
      const name = databaseOf(path);
      if (name === undefined) ofServer.set(path, answer);
      else if (!ofDatabases.get(name)?.set(path, answer)) ofDatabases.set(name, new Map([[path, answer]]));
    }
  }
  if (ofServer.size > 0) live.addServer(ofServer, { databases, own, at });
  for (const [name, answers] of ofDatabases) live.addDatabase(name, answers);
  const result = live.result();
  return { ...result, errors: [...errors, ...result.errors] };
}

/** The first parts of paths that are about no database. */
const SERVER_PARTS = new Set(['_all_dbs', '_active_tasks', '_membership', '_node', '_scheduler']);

/**
 * @param {string} path such as `/shop/_security`
 * @returns {string | undefined} the database; undefined for paths of the server
 */
function databaseOf(path) {
  const [part = ''] = path.slice(1).split(/[/?]/);
  if (part === '' || SERVER_PARTS.has(part)) return undefined;
  return attempt(() => decodeURIComponent(part.split(' ')[0] ?? ''));
}
