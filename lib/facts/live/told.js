// Helps facts about a server: a figure that it told with its place, or the reason why there is none.

/** @import { Extracted } from '../fact.js' */
/** @import { Shown } from '../../sources/live/record.js' */

/**
 * @param {Shown} record
 * @param {boolean | number | string | undefined} value
 * @param {string[]} members where it stands in the answer
 * @returns {Extracted}
 */
export function told(record, value, ...members) {
  if (value === undefined) return { unknown: `the server does not tell \`${members.join('.')}\`` };
  return { value, place: record.placeOf(...members) };
}

/**
 * @param {number | undefined} part
 * @param {number | undefined} whole
 * @returns {number | undefined} undefined where one is not known, or the whole is nothing
 */
export function ratio(part, whole) {
  return part === undefined || whole === undefined || whole === 0 ? undefined : part / whole;
}

/**
 * @param {number | undefined} number
 * @returns {number | undefined} with one digit behind the point, as people say it
 */
export function rounded(number) {
  return number === undefined ? undefined : Math.round(number * 10) / 10;
}
