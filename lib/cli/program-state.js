// Says which program runs: what is kept between runs was found by it. A checkout changes more often than its version.

import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { RULE_SOURCE } from '../engine/bundled-rules.js';
import { PROGRAM_FOLDER } from '../package-folder.js';
import { hashText } from '../shared/hash-text.js';
import { version } from './version.js';

/** Of the modules and rules that this process runs. @type {ReturnType<typeof stateOf> | undefined} */
let program;

/** @returns {[string, number, number][]} its modules and data, with their sizes in bytes and times in milliseconds */
export function programState() {
  program ??= [PROGRAM_FOLDER, RULE_SOURCE].flatMap(stateOf);
  return program;
}

/** @returns {string} its version, and a digest of its state */
export function toolState() {
  return `${version()} ${hashText(JSON.stringify(programState()))}`;
}

/**
 * @param {string} place absolute, of a file or folder
 * @returns {[string, number, number][]}
 */
function stateOf(place) {
  const stats = statSync(place);
  if (stats.isDirectory()) return readdirSync(place).flatMap((name) => stateOf(path.join(place, name)));
  return /\.c?js(?:on)?$/.test(place) ? [[place, stats.size, stats.mtimeMs]] : [];
}
