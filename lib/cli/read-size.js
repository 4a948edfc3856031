// Reads sizes that options give: `40GB`, `512MiB`, `2000000`.

import { parseBytes } from '../shared/units.js';
import { UserError } from '../shared/user-error.js';

/**
 * @param {string} option its name, without hyphens
 * @param {string | undefined} text
 * @returns {number | undefined} bytes; undefined where the option is not given
 * @throws {UserError} of code `bad-size`
 */
export function readSize(option, text) {
  if (text === undefined) return undefined;
  const bytes = parseBytes(text);
  if (bytes !== undefined) return bytes;
  throw new UserError('bad-size', `invalid --${option} \`${text}\`: must be a size`, {
    hint: `for example: --${option} 40GB, --${option} 500MiB`,
  });
}
