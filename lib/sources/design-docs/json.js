// Reads the design documents and Mango index definitions of a JSON file: alone, in an array, in a dump, or one per
// line. Documents that hold data are skipped, and files that hold nothing of CouchDB give nothing.

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
  const settings = createReadOptions(file);
  const result = readDocuments(file, 0, file.text.length, settings);
  if (result.isBroken && looksLikeJsonLines(file.text)) return readJsonLines(file, options);
  const { records, errors } = result;
  const isSilent = options.isDiscovered === true && records.length === 0 && !looksLikeCouchdb(file.text);
  return { records, errors: isSilent ? [] : errors };
}
