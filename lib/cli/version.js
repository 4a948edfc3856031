// Reads the version of couch-advisor from its package.json.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PACKAGE_FOLDER } from '../package-folder.js';

/** @returns {string} */
export function version() {
  const { version } = JSON.parse(readFileSync(path.join(PACKAGE_FOLDER, 'package.json'), 'utf8'));
  return version;
}
