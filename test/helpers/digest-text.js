// Digests texts of logs without files, so that a test shows what it reads.

import { Readable } from 'node:stream';
import { digestToJson } from '../../lib/digest/digest-json.js';
import { digestLogs } from '../../lib/digest/run/digest-logs.js';

/** @import { Digest, DigestOptions } from '../../lib/digest/digest.js' */

/** After the lines of all fixtures. */
export const NOW = Date.UTC(2026, 11, 1);

/**
 * @param {string | Buffer} text
 * @param {{format?: string, options?: DigestOptions, name?: string, part?: number | 'first-line', chunkBytes?: number}} [given]
 * @returns {Promise<Digest>}
 */
export async function digestText(text, { format, options, name = 'couch.log', part, chunkBytes = 65_536 } = {}) {
  const bytes = Buffer.from(text);
  const chunks = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes));
  const { digest, errors } = await digestLogs({
    paths: ['-'],
    cwd: '/',
    stdin: Readable.from(chunks),
    stdinName: name,
    part,
    now: NOW,
    format,
    options,
  });
  if (errors[0]) throw errors[0];
  return digest;
}

/**
 * @param {Digest} digest
 * @returns {any} its JSON without the places of lines, which differ between a log and its parts
 */
export function withoutPlaces(digest) {
  return JSON.parse(JSON.stringify(digestToJson(digest), (key, value) => (key === 'examples' ? undefined : value)));
}

/**
 * @param {Digest} digest
 * @returns {string[]} `GET shop _view by_status 3`, the most frequent first
 */
export function countsOf(digest) {
  return [...digest.groups.values()]
    .map(({ method, database, fingerprint, count }) =>
      [method, digest.databaseName(database), fingerprint.endpoint, fingerprint.view, count]
        .filter((part) => part !== '' && part !== null)
        .join(' '),
    )
    .sort();
}
