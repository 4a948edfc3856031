// Every fix by id: it takes what a finding is about and returns edits. Files are written elsewhere.

import { allowDeletes } from './allow-deletes.js';
import { copyBeforeMutating } from './copy-before-mutating.js';
import { dropFunctionName } from './drop-function-name.js';
import { exactBuiltinName } from './exact-builtin-name.js';
import { guardNumber } from './guard-number.js';
import { keepTombstones } from './keep-tombstones.js';
import { renameKey } from './rename-key.js';
import { setConfigValue } from './set-config-value.js';
import { throwForbidden } from './throw-forbidden.js';
import { useBuiltin, useBuiltinIf } from './use-builtin.js';

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

/** @type {Map<string, Fix>} */
export const fixes = new Map(
  [
    allowDeletes,
    copyBeforeMutating,
    dropFunctionName,
    exactBuiltinName,
    guardNumber,
    keepTombstones,
    renameKey,
    setConfigValue,
    throwForbidden,
    useBuiltin,
    useBuiltinIf,
  ].map((fix) => [fix.id, fix]),
);
