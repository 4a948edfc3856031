// Decides once whether a run prints colors.

/** @import { Surroundings } from './main.js' */

/**
 * The option wins, then `NO_COLOR` (no-color.org: set and not empty), then `FORCE_COLOR`, then whether a terminal reads.
 * @param {{color?: boolean}} options
 * @param {Pick<Surroundings, 'env' | 'stdout'>} surroundings
 * @returns {boolean}
 */
export function wantsColor(options, { env, stdout }) {
  if (options.color !== undefined) return options.color;
  if (env['NO_COLOR']) return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return stdout.isTTY === true && env['TERM'] !== 'dumb';
}
