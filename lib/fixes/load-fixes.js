// Ids of fixes in, the fixes out: a run loads the code for what it has found, and no more. A fix takes what a finding is
// about and returns edits; files are written elsewhere.

/** @import { Item, Subject } from '../facts/fact.js' */
/** @import { TextEdit } from '../shared/source-file.js' */

/**
 * @typedef {object} Fix
 * @property {string} id
 * @property {string} title what it does, beginning with a verb
 * @property {boolean} safe whether the result of every function stays as it was meant: applied by `--fix`
 * @property {(target: {subject: Subject, item?: Item | undefined}) => TextEdit[] | undefined} apply the edits belong
 *   together; undefined or none where this place cannot be fixed so
 */

/** Fixes by id. @typedef {ReadonlyMap<string, Fix>} Fixes */

/** @type {Record<string, () => Promise<Fix>>} */
const FIXES = {
  'allow-deletes': async () => (await import('./allow-deletes.js')).allowDeletes,
  'comment-out-option': async () => (await import('./comment-out-option.js')).commentOutOption,
  'copy-before-mutating': async () => (await import('./copy-before-mutating.js')).copyBeforeMutating,
  'drop-function-name': async () => (await import('./drop-function-name.js')).dropFunctionName,
  'exact-builtin-name': async () => (await import('./exact-builtin-name.js')).exactBuiltinName,
  'guard-number': async () => (await import('./guard-number.js')).guardNumber,
  'keep-tombstones': async () => (await import('./keep-tombstones.js')).keepTombstones,
  'rename-key': async () => (await import('./rename-key.js')).renameKey,
  'rewrite-view': async () => (await import('./rewrite-view.js')).rewriteView,
  'set-config-value': async () => (await import('./set-config-value.js')).setConfigValue,
  'throw-forbidden': async () => (await import('./throw-forbidden.js')).throwForbidden,
  'use-builtin': async () => (await import('./use-builtin.js')).useBuiltin,
  'use-builtin-if': async () => (await import('./use-builtin-if.js')).useBuiltinIf,
};

/** Every fix there is. */
export const FIX_IDS = Object.keys(FIXES);

/**
 * @param {Iterable<string>} ids those that are not known are left out
 * @returns {Promise<Fixes>}
 */
export async function loadFixes(ids) {
  const loading = [...new Set(ids)].flatMap((id) => (Object.hasOwn(FIXES, id) ? (FIXES[id]?.() ?? []) : []));
  return new Map((await Promise.all(loading)).map((fix) => [fix.id, fix]));
}
