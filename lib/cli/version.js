// The version of couch-advisor, from its package.json.

import { readFileSync } from 'node:fs';

/** @returns {string} */
export function version() {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return version;
}
