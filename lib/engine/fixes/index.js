// Lists every fix. A fix takes what a finding is about and returns edits; files are written elsewhere.

import { allowDeletes } from './allow-deletes.js';
import { commentOutOption } from './comment-out-option.js';
import { copyBeforeMutating } from './copy-before-mutating.js';
import { dropFunctionName } from './drop-function-name.js';
import { exactBuiltinName } from './exact-builtin-name.js';
import { guardNumber } from './guard-number.js';
import { keepTombstones } from './keep-tombstones.js';
import { renameKey } from './rename-key.js';
import { renameOption } from './rename-option.js';
import { rewriteView } from './rewrite-view.js';
import { setConfigValue } from './set-config-value.js';
import { stringForRegexp } from './string-for-regexp.js';
import { throwForbidden } from './throw-forbidden.js';
import { useBuiltin } from './use-builtin.js';
import { useBuiltinIf } from './use-builtin-if.js';

/** @import { Item, Subject } from '../../facts/fact.js' */
/** @import { TextEdit } from '../../shared/source-file.js' */

/**
 * @typedef {object} Fix
 * @property {string} id
 * @property {string} title what it does, beginning with a verb
 * @property {(subject: Subject) => string | undefined} [caveatOf] what else changes for this subject, said behind the title
 * @property {boolean} safe whether the result of every function stays as it was meant: applied by `--fix`
 * @property {(target: {subject: Subject, item?: Item | undefined}) => TextEdit[] | undefined} apply the edits belong
 *   together; undefined or none where this place cannot be fixed so
 */

/** Fixes by id. @typedef {ReadonlyMap<string, Fix>} Fixes */

/** @type {Fixes} */
export const fixes = new Map(
  [
    allowDeletes,
    commentOutOption,
    copyBeforeMutating,
    dropFunctionName,
    exactBuiltinName,
    guardNumber,
    keepTombstones,
    renameKey,
    renameOption,
    rewriteView,
    setConfigValue,
    stringForRegexp,
    throwForbidden,
    useBuiltin,
    useBuiltinIf,
  ].map((fix) => [fix.id, fix]),
);
