// Finds packages that a configuration extends, and runs configurations that are JavaScript. Nothing else runs code of a
// project outside of the sandbox, and its callers do so only where the user has named the configuration.

import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { UserError } from '../shared/user-error.js';

/**
 * @param {string} name of a package, or of a file in one
 * @param {string} from absolute path of the file that names it
 * @returns {string | undefined} absolute path of the file that Node.js would load; undefined where there is none
 */
export function findPackageFile(name, from) {
  try {
    const found = createRequire(from).resolve(name);
    // Modules of Node.js itself have no path.
    return path.isAbsolute(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} file absolute
 * @param {string} shown the path that people know
 * @returns {Promise<unknown>} what it exports by default, as JSON would hold it
 * @throws {UserError} where it throws, exports no data or is TypeScript that this Node.js does not run
 */
export async function runConfig(file, shown) {
  const features = /** @type {{typescript?: string | false}} */ (process.features);
  if (/ts$/.test(file) && !features.typescript) {
    throw new UserError(
      'config-needs-node',
      `${shown} needs Node.js 22.18, 23.6 or newer, which run TypeScript; this is ${process.versions.node}`,
      { hint: 'use a newer Node.js, or write the configuration in JavaScript or JSON' },
    );
  }
  const place = { file: shown, line: 1, column: 1 };
  let value;
  try {
    ({ default: value } = await import(pathToFileURL(file).href));
  } catch (error) {
    const hint = `\`node ${shown}\` shows where it fails`;
    throw new UserError('config-failed', `${shown} cannot be run: ${reasonOf(error)}`, { place, hint });
  }
  if (value === undefined) {
    const hint = 'write `export default { … }`, or `module.exports = { … }` in CommonJS';
    throw new UserError('config-failed', `${shown} has no default export`, { place, hint });
  }
  try {
    return JSON.parse(JSON.stringify(value, refuseCode));
  } catch (error) {
    const hint = 'export an object that JSON can hold';
    throw new UserError('config-failed', `${shown} exports no data: ${reasonOf(error)}`, { place, hint });
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 * @returns {unknown} the value; JSON leaves out functions without a word
 */
function refuseCode(key, value) {
  if (typeof value !== 'function' && typeof value !== 'symbol') return value;
  throw new TypeError(`${key === '' ? 'it' : `\`${key}\``} is a ${typeof value}`);
}

/** @param {unknown} error @returns {string} one line */
function reasonOf(error) {
  return String(error instanceof Error ? error.message : error).split('\n')[0] ?? '';
}
