// Finds how many documents a server indexes in a second: as given, as configured, or as `confirm` measured it on this machine.

import path from 'node:path';
import { cacheFolder } from '../engine/run/cache-folder.js';
import { rateFromResults } from './ci/build-rate.js';
import { readIfThere } from './read-if-there.js';

/**
 * @param {number | undefined} given by `--docs-per-second`
 * @param {number | undefined} configured
 * @param {Record<string, string | undefined>} env
 * @returns {{perSecond: number, from: string} | undefined} undefined where nobody measured it
 */
export function findRate(given, configured, env) {
  if (given) return { perSecond: given, from: '--docs-per-second' };
  if (configured) return { perSecond: configured, from: 'the configuration' };
  return rateFromResults(readIfThere(path.join(cacheFolder(env), 'confirm.jsonl')) ?? '');
}
