// Reads a time that was typed: `90`, `15s`, `2m`.

import { UserError } from '../shared/user-error.js';

/**
 * @param {string} option its name, for the error
 * @param {string} text
 * @returns {number} milliseconds
 * @throws {UserError} where it is none, or not between a second and a day
 */
export function readDuration(option, text) {
  const [, number, unit = 's'] = /^(\d{1,5}(?:\.\d+)?)\s*(s|m|min)?$/.exec(text) ?? [];
  const ms = Number(number) * (unit === 's' ? 1000 : 60_000);
  if (ms >= 1000 && ms <= 86_400_000) return ms;
  throw new UserError(`bad-${option}`, `invalid --${option} ${JSON.stringify(text)}: must be between 1s and 1d`, {
    hint: `for example: --${option} 15s or --${option} 2m`,
  });
}
