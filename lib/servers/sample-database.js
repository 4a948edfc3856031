// A database of the user in, some of its documents out. Sends nothing but GET.

import { UserError } from '../shared/user-error.js';

/** @import { Server } from './server.js' */

/** Where pieces begin: ids begin with digits, letters, or words of a type. */
const STARTS = ['', ...'0123456789abcdefghijklmnopqrstuvwxyz'];
const EACH = 40;

/**
 * @param {Server} server
 * @param {string} database
 * @param {number} most
 * @returns {Promise<Record<string, unknown>[]>} documents from all over its ids, none of them a design document
 * @throws {UserError} where it cannot be read, or holds none
 */
export async function sampleDatabase(server, database, most) {
  /** @type {Map<string, Record<string, unknown>>} */
  const found = new Map();
  for (const start of STARTS) {
    if (found.size >= most) break;
    const query = `include_docs=true&limit=${EACH}&startkey=${encodeURIComponent(JSON.stringify(start))}`;
    const { status, body } = await server.ask('GET', `${encodeURIComponent(database)}/_all_docs?${query}`);
    if (status !== 200) {
      const reason = typeof body?.reason === 'string' ? `: ${body.reason.slice(0, 200)}` : '';
      throw new UserError('sample-unreadable', `the database of --sample-from cannot be read (${status}${reason})`, {
        hint: 'check its name, and that the user may read it',
      });
    }
    for (const row of Array.isArray(body?.rows) ? body.rows : []) {
      const { id, doc } = row ?? {};
      if (typeof id === 'string' && !id.startsWith('_design/') && typeof doc === 'object' && doc !== null)
        found.set(id, doc);
    }
  }
  if (found.size === 0) {
    throw new UserError('sample-empty', 'the database of --sample-from has no documents', {
      hint: 'name another, or leave it out: documents are made then',
    });
  }
  return [...found.values()].slice(0, most);
}
