// Computes the signature by which CouchDB names the index of an index group. Pure.

import { createHash } from 'node:crypto';

/** @import { IndexGroup } from '../../facts/index-groups/index-groups.js' */

/**
 * @param {IndexGroup} group
 * @returns {string | undefined} as `GET /db/_design/name/_info` reports it; undefined where it is unknown
 */
export function signatureOf({ kind, term }) {
  if (!term) return undefined;
  // Views and Clouseau: couch_mrview_util.erl and dreyfus_index.erl; Nouveau: nouveau_util.erl (3.5.2).
  return createHash(kind === 'nouveau' ? 'sha256' : 'md5')
    .update(term)
    .digest('hex');
}
