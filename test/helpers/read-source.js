// Reads texts as the program reads files of these names: which module that is, tests need not know.

import { SourceFile } from '../../lib/shared/source-file.js';
import { openSources } from '../../lib/sources/open.js';
import { readFile } from '../../lib/sources/read-file.js';
import { createProject } from './temporary-project.js';

export { SourceFile };

/** @import { Opened } from '../../lib/sources/open.js' */
/** @import { ReadResult } from '../../lib/sources/record.js' */

/**
 * @param {string | SourceFile} text
 * @param {string} [path] its ending says what the text is
 * @param {{isNamed?: boolean}} [options] `isNamed`: whether the user named this file, so that what is wrong with it is reported
 * @returns {Promise<ReadResult>}
 */
export function readText(text, path = 'orders.json', { isNamed = true } = {}) {
  return readFile(typeof text === 'string' ? new SourceFile(path, text) : text, { isNamed });
}

/**
 * @param {Record<string, string>} texts of a project, by path
 * @param {string[]} [paths] that are named; all of the project where absent
 * @returns {Promise<Opened>}
 */
export function openTexts(texts, paths = []) {
  return openSources({ paths, isNamed: true, cwd: createProject(texts).cwd });
}
