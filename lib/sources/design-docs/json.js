// A JSON file in, its design documents and Mango index definitions out: alone, in an array, in a dump, or a line each.
// Documents that hold data are passed over, and files that hold nothing of CouchDB give nothing.

import { looksLikeJsonLines, readJsonLines } from './export.js';
import { createReadOptions, looksLikeCouchdb, readDocuments } from './json-documents.js';

/** @import { SourceFile } from '../../shared/source-file.js' */
/** @import { ReadResult } from '../record.js' */
/** @import { JsonOptions } from './json-documents.js' */

/**
 * @param {SourceFile} file
 * @param {JsonOptions} [options]
 * @returns {ReadResult}
 */
export function readJson(file, options = {}) {
  const settings = createReadOptions(file, options);
  const result = readDocuments(file, 0, file.text.length, settings);
  if (result.isBroken && looksLikeJsonLines(file.text)) return readJsonLines(file, options);
  const { records, errors } = result;
  const isSilent = options.isDiscovered === true && records.length === 0 && !looksLikeCouchdb(file.text);
  return { records, errors: isSilent ? [] : errors };
}
