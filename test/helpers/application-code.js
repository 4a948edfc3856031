// Reads the calls of application code that tests write down.

import { readApplication } from '../../lib/sources/application/read-application.js';
import { SourceFile } from './read-source.js';

/** @import { CallRecord } from '../../lib/sources/application/record.js' */

/**
 * @param {Record<string, string>} texts by path
 * @returns {ReturnType<typeof readApplication>}
 */
export function readTexts(texts) {
  const files = new Map(Object.entries(texts).map(([path, text]) => [path, new SourceFile(path, text)]));
  return readApplication(files, new Set(files.keys()));
}

/**
 * @param {string} text
 * @param {string} [path]
 * @returns {Promise<CallRecord[]>}
 */
export async function callsIn(text, path = 'orders.js') {
  return (await readTexts({ [path]: text })).records;
}
