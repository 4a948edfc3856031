// Reads some documents of a database of the user. Sends nothing but GET.

import { UserError } from '../../shared/user-error.js';

/** @import { Server } from './server.js' */

/** Where pieces begin, and the ones before them end: ids begin with digits, letters, or words of a type. In the order of ids, which is that of their bytes. */
const STARTS = ['', ...'0123456789abcdefghijklmnopqrstuvwxyz'];
/** Documents of one request. */
const MAX_EACH = 100;

/**
 * @param {Pick<Server, 'ask'>} server
 * @param {string} database
 * @param {number} most
 * @returns {Promise<{documents: Record<string, unknown>[], total: number}>} documents of each first character of ids, none of them a design document;
 *   `total`: how many it has
 * @throws {UserError} where it cannot be read, or holds none
 */
export async function sampleDatabase(server, database, most) {
  /** @type {Map<string, Record<string, unknown>>} */
  const found = new Map();
  /** @type {Piece[]} */
  let pieces = STARTS.map((start, at) => ({ start, end: STARTS[at + 1] }));
  // Each piece goes on from where it was, until it reaches the beginning of the next one.
  while (pieces.length > 0 && found.size < most) {
    const each = Math.min(MAX_EACH, Math.max(2, Math.ceil((most - found.size) / pieces.length)));
    const going = [];
    for (const piece of pieces) {
      if (found.size >= most) break;
      const rows = await readRows(server, database, piece, each);
      const before = found.size;
      for (const { id, doc } of rows) if (!id.startsWith('_design/')) found.set(id, doc);
      const last = rows.at(-1)?.id;
      // The last one is read again with what follows it; a server that returns the same again and again has nothing that follows.
      if (rows.length === each && last !== undefined && found.size > before) going.push({ ...piece, start: last });
    }
    pieces = going;
  }
  if (found.size === 0) {
    throw new UserError('sample-empty', 'the database of --sample-from has no documents', {
      hint: 'use another database, or omit --sample-from to generate documents',
    });
  }
  const documents = [...found.values()].slice(0, most);
  const isWhole = pieces.length === 0 && found.size <= most;
  return { documents, total: isWhole ? documents.length : await countDocuments(server, database, documents.length) };
}

/** Ids from `start` on and before `end`, or to the last one. @typedef {{start: string, end: string | undefined}} Piece */

/**
 * @param {Pick<Server, 'ask'>} server
 * @param {string} database
 * @param {Piece} piece
 * @param {number} limit
 * @returns {Promise<{id: string, doc: Record<string, unknown>}[]>}
 * @throws {UserError} where it cannot be read
 */
async function readRows(server, database, { start, end }, limit) {
  const keyOf = (/** @type {string} */ id) => encodeURIComponent(JSON.stringify(id));
  const until = end === undefined ? '' : `&endkey=${keyOf(end)}&inclusive_end=false`;
  const query = `include_docs=true&limit=${limit}&startkey=${keyOf(start)}${until}`;
  const { status, body } = await server.ask('GET', `${encodeURIComponent(database)}/_all_docs?${query}`);
  if (status !== 200) {
    const reason = typeof body?.reason === 'string' ? `: ${body.reason.slice(0, 200)}` : '';
    throw new UserError('sample-unreadable', `cannot read the database of --sample-from (${status}${reason})`, {
      hint: 'check its name and the permissions of the user',
    });
  }
  const rows = Array.isArray(body?.rows) ? body.rows : [];
  return rows.filter(
    (/** @type {any} */ row) => typeof row?.id === 'string' && typeof row.doc === 'object' && row.doc !== null,
  );
}

/**
 * @param {Pick<Server, 'ask'>} server
 * @param {string} database
 * @param {number} found
 * @returns {Promise<number>} at least as many as were found; design documents count, too
 */
async function countDocuments(server, database, found) {
  const { body } = await server.ask('GET', encodeURIComponent(database));
  return typeof body?.doc_count === 'number' ? Math.max(found, body.doc_count) : found;
}
