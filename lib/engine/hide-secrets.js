// Hides passwords that code contains from reports: a copy of the file, with signs of the same length in their place.

import { SourceFile } from '../shared/source-file.js';

/** @import { SourceRecord } from '../sources/record.js' */

const SIGN = '*';

/**
 * @param {ReadonlyMap<string, SourceFile>} files
 * @param {readonly SourceRecord[]} records
 * @returns {Map<string, SourceFile>} for reports; the originals stay as they are
 */
export function hideSecrets(files, records) {
  const shown = new Map(files);
  for (const record of records) {
    const secret = record.kind === 'call' ? record.connection?.credentials : undefined;
    const file = secret && shown.get(secret.node.file.path);
    if (!file) continue;
    const { start, end } = secret;
    const hidden = file.text.slice(start, end).replace(/[^\n]/g, SIGN);
    shown.set(file.path, new SourceFile(file.path, file.text.slice(0, start) + hidden + file.text.slice(end)));
  }
  return shown;
}
