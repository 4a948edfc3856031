// Keeps the calls that were read of a project's code, in the cache folder of the user. A file that cannot be read, or holds something else, counts as
// absent and is rewritten.

import path from 'node:path';
import { hashText } from '../../shared/hash-text.js';
import { readOwnFile, seal, unseal, writeOwnFile } from './cache-file.js';

/** @import { CallMemory } from '../../sources/open-application.js' */

/**
 * @param {{folder: string, place: string, tool: string}} options `place`: the folder that is read; `tool`: state of the program: what others have read is not used
 * @returns {CallMemory} of the last run there
 */
export function createCallCache({ folder, place, tool }) {
  const file = path.join(folder, 'calls', `${hashText(place)}.json`);
  return {
    get(key) {
      const entry = unseal(tool, readOwnFile(file));
      return entry?.key === key ? entry.read : undefined;
    },
    set(key, read) {
      writeOwnFile(file, seal(tool, { key, read }));
    },
  };
}
