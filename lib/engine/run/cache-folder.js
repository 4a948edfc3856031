// Finds the cache folder of each operating system.

import { homedir } from 'node:os';
import path from 'node:path';

/**
 * @param {Record<string, string | undefined>} env
 * @param {NodeJS.Platform} [platform]
 * @returns {string}
 */
export function cacheFolder(env, platform = process.platform) {
  const home = env['HOME'] ?? homedir();
  if (platform === 'win32')
    return path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'couch-advisor');
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches', 'couch-advisor');
  return path.join(env['XDG_CACHE_HOME'] || path.join(home, '.cache'), 'couch-advisor');
}
