// Table of common misspellings of the parameters of views, with the right names; and names that were mistyped.

import { nearest } from './nearest.js';

/**
 * What people write for parameters that CouchDB knows by one name only. It ignores names that it does not know, and gives
 * all rows (couch_mrview_http:parse_param/4, 3.5.0; tried on 3.5.0). A closed list: whatever else clients invent would make
 * every request a shape of its own.
 * @type {ReadonlyMap<string, string>}
 */
export const MISSPELT = new Map(
  [
    ['startkey', 'startKey StartKey start-key Startkey STARTKEY'],
    ['endkey', 'endKey EndKey end-key Endkey ENDKEY'],
    [
      'startkey_docid',
      'startKeyDocId startkeyDocId startkey_docId startkeyDocid startkey-docid startkey_doc_id start_key_docid',
    ],
    ['endkey_docid', 'endKeyDocId endkeyDocId endkey_docId endkeyDocid endkey-docid endkey_doc_id end_key_docid'],
    ['key', 'Key KEY'],
    ['keys', 'Keys KEYS'],
    ['limit', 'Limit LIMIT limits'],
    ['skip', 'Skip SKIP'],
    ['descending', 'Descending DESCENDING descend decending'],
    ['include_docs', 'includeDocs IncludeDocs includedocs include-docs include_doc includeDoc INCLUDE_DOCS'],
    ['inclusive_end', 'inclusiveEnd InclusiveEnd inclusiveend inclusive-end'],
    ['reduce', 'Reduce REDUCE'],
    ['group', 'Group GROUP'],
    ['group_level', 'groupLevel GroupLevel grouplevel group-level GROUP_LEVEL'],
    ['update_seq', 'updateSeq UpdateSeq update-seq'],
  ].flatMap(([name = '', spellings = '']) =>
    spellings.split(' ').map((spelling) => /** @type {[string, string]} */ ([spelling, name])),
  ),
);

/** Right names that are long enough for a typing error to show; a shorter one may be another word. */
const LONG = [...new Set(MISSPELT.values())].filter((name) => name.length >= 8);
/** What clients and CouchDB know beside these, or people may give along. */
const OTHER = new Set(['start_key', 'end_key', 'start_key_doc_id', 'end_key_doc_id', 'endkey', 'sortkey', 'sort_key']);

/**
 * @param {string} name
 * @returns {string | undefined} the long name of a parameter that two edits or fewer make of it: `dcscending`, `start_kye`
 */
export function mistyped(name) {
  if (OTHER.has(name) || MISSPELT.has(name) || LONG.includes(name)) return undefined;
  const found = nearest(name, [...LONG, ...OTHER]);
  return found === 'start_key' ? 'startkey' : found === 'end_key' ? 'endkey' : LONG.find((one) => one === found);
}

/**
 * @param {string[]} names that are given together
 * @param {(name: string) => string | undefined} [guess] knows more of them than the list
 * @returns {Map<string, string>} the right name for each that is misspelled and whose right name is not given too
 */
export function meantNames(names, guess = () => undefined) {
  return new Map(
    names.flatMap((name) => {
      const meant = MISSPELT.get(name) ?? guess(name);
      return meant === undefined || names.includes(meant) ? [] : [/** @type {[string, string]} */ ([name, meant])];
    }),
  );
}
