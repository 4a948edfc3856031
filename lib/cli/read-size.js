// Reads sizes that options give: `40GB`, `512MiB`, `2000000`.

import { UserError } from '../shared/user-error.js';

/** @type {Record<string, number>} */
const UNITS = {
  '': 1,
  B: 1,
  kB: 1e3,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

/**
 * @param {string} option its name, without hyphens
 * @param {string | undefined} text
 * @returns {number | undefined} bytes; undefined where the option is not given
 * @throws {UserError} of code `bad-number`
 */
export function readSize(option, text) {
  if (text === undefined) return undefined;
  const [, number, unit = ''] = /^\s*(\d{1,15}(?:\.\d+)?)\s*([A-Za-z]{0,3})\s*$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (number !== undefined && factor !== undefined) return Math.round(Number(number) * factor);
  throw new UserError('bad-number', `invalid --${option} ${JSON.stringify(text)}: must be a size`, {
    hint: `for example: --${option} 40GB or --${option} 512MiB`,
  });
}
