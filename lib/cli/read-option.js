// Reads the value of an option as it was typed.

import { nearest } from '../shared/nearest.js';
import { UserError } from '../shared/user-error.js';

/** @import { OptionSpec, OptionValue } from './command-table.js' */

/**
 * @param {OptionSpec} option
 * @param {string} written what stands behind it
 * @param {OptionValue | undefined} previous what it was set to before
 * @returns {OptionValue}
 * @throws {UserError} where it takes no such value
 */
export function readOptionValue({ name, choices, repeats, isNumber }, written, previous) {
  if (choices && !choices.includes(written)) {
    const guess = nearest(written, choices);
    throw new UserError('bad-choice', `invalid value \`${written}\` for --${name}`, {
      hint: `${guess ? `did you mean \`${guess}\`? ` : ''}must be one of ${choices.join(', ')}`,
    });
  }
  if (isNumber) {
    if (/^\d{1,15}$/.test(written)) return Number(written);
    throw new UserError('bad-number', `invalid value \`${written}\` for --${name}: must be a whole number`, {
      hint: `for example: --${name} 10`,
    });
  }
  return repeats ? [...(Array.isArray(previous) ? previous : []), written] : written;
}
