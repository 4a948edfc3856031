// Reads timestamps of logs from bytes into minutes since 1970 and milliseconds. Pure: a date without a year gets it
// from the caller.

/** @import { LogLine } from './log-line.js' */

const MONTHS = new Map('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ').map((name, at) => [name, at + 1]));

/** Counters of minutes have 30 bits: the year 4011. */
const MAX_MINUTES = 2 ** 30;

/**
 * @param {number} year
 * @param {number} month from 1
 * @param {number} day from 1
 * @returns {number} days since 1970; -1 where there is no such day
 */
function dayOf(year, month, day) {
  if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31) return -1;
  const time = Date.UTC(year, month - 1, day);
  // The 31st of February would be a day in March.
  return day > 28 && new Date(time).getUTCDate() !== day ? -1 : time / 86_400_000;
}

/**
 * @param {LogLine} line gets the moment
 * @param {number} day since 1970
 * @param {number} hour
 * @param {number} minute
 * @param {number} second
 * @param {number} ms
 * @param {number} offset minutes that the zone is before UTC
 * @returns {boolean} false where there is no such moment
 */
function setMoment(line, day, hour, minute, second, ms, offset) {
  // A leap second counts to the minute it ends.
  if (day < 0 || hour > 23 || minute > 59 || second > 60 || hour < 0 || minute < 0 || second < 0) return false;
  const minutes = day * 1440 + hour * 60 + minute - offset;
  if (minutes < 0 || minutes >= MAX_MINUTES) return false;
  line.minute = minutes;
  line.millisecond = second === 60 ? 59_999 : second * 1000 + ms;
  return true;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} at
 * @returns {number} of two digits; negative, or more than 99, where there are none
 */
function two(bytes, at) {
  const tens = (bytes[at] ?? 0) - 48;
  const ones = (bytes[at + 1] ?? 0) - 48;
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1000 : tens * 10 + ones;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} at
 * @returns {number} of three digits, 0 where there are none
 */
function milliseconds(bytes, at) {
  const ms = two(bytes, at) * 10 + ((bytes[at + 2] ?? 0) - 48);
  return ms < 0 || ms > 999 ? 0 : ms;
}

/**
 * `2026-11-21T02:45:19.111722Z`; the fraction and the zone may be absent, a space may replace the T.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} end
 * @param {LogLine} line gets the moment
 * @returns {number} the offset behind it; 0 where there is none
 */
export function readIsoTime(bytes, at, end, line) {
  if (end - at < 19 || bytes[at + 4] !== 45 || bytes[at + 7] !== 45 || bytes[at + 13] !== 58 || bytes[at + 16] !== 58)
    return 0;
  if (bytes[at + 10] !== 84 && bytes[at + 10] !== 32) return 0;
  const day = dayOf(two(bytes, at) * 100 + two(bytes, at + 2), two(bytes, at + 5), two(bytes, at + 8));
  let behind = at + 19;
  let ms = 0;
  if (bytes[behind] === 46 || bytes[behind] === 44) {
    ms = milliseconds(bytes, behind + 1);
    behind += 1;
    while (behind < end && isDigit(bytes[behind] ?? 0)) behind += 1;
  }
  let offset = 0;
  if (bytes[behind] === 90) behind += 1;
  else if (bytes[behind] === 43 || bytes[behind] === 45) {
    const colon = bytes[behind + 3] === 58 ? 1 : 0;
    offset = two(bytes, behind + 1) * 60 + two(bytes, behind + 3 + colon);
    if (offset < 0) return 0;
    if (bytes[behind] === 45) offset = -offset;
    behind += 5 + colon;
  }
  return setMoment(line, day, two(bytes, at + 11), two(bytes, at + 14), two(bytes, at + 17), ms, offset) ? behind : 0;
}

/**
 * `[21/Nov/2026:02:45:20 +0000] `, or with a fraction and no zone as HAProxy writes it.
 * @param {Buffer} bytes
 * @param {number} open where the bracket is
 * @param {number} end
 * @param {LogLine} line gets the moment
 * @returns {number} the offset behind it; 0 where there is none
 */
export function readBracketedTime(bytes, open, end, line) {
  const at = open + 1;
  if (end - at < 20 || bytes[at + 2] !== 47 || bytes[at + 6] !== 47 || bytes[at + 11] !== 58 || bytes[at + 14] !== 58)
    return 0;
  const month = monthAt(bytes, at + 3);
  const day = dayOf(two(bytes, at + 7) * 100 + two(bytes, at + 9), month, two(bytes, at));
  let behind = at + 20;
  let offset = 0;
  let ms = 0;
  if (bytes[behind] === 46) {
    ms = milliseconds(bytes, behind + 1);
    behind += 4;
  }
  if (bytes[behind] === 32 && (bytes[behind + 1] === 43 || bytes[behind + 1] === 45)) {
    offset = two(bytes, behind + 2) * 60 + two(bytes, behind + 4);
    if (offset < 0) return 0;
    if (bytes[behind + 1] === 45) offset = -offset;
    behind += 6;
  }
  if (bytes[behind] !== 93 || bytes[behind + 1] !== 32) return 0;
  return setMoment(line, day, two(bytes, at + 12), two(bytes, at + 15), two(bytes, at + 18), ms, offset)
    ? behind + 2
    : 0;
}

/**
 * `Sat, 03 Nov 2012 17:38:02 GMT`
 * @param {Buffer} bytes
 * @param {number} at
 * @param {number} end
 * @param {LogLine} line gets the moment
 * @returns {number} the offset behind it; 0 where there is none
 */
export function readHttpTime(bytes, at, end, line) {
  if (end - at < 29 || bytes[at + 3] !== 44 || bytes[at + 16] !== 32 || bytes[at + 19] !== 58) return 0;
  const day = dayOf(two(bytes, at + 12) * 100 + two(bytes, at + 14), monthAt(bytes, at + 8), two(bytes, at + 5));
  return setMoment(line, day, two(bytes, at + 17), two(bytes, at + 20), two(bytes, at + 23), 0, 0) ? at + 29 : 0;
}

/**
 * `Nov 21 02:45:20`, the day perhaps with a space before it.
 * @param {Buffer} bytes
 * @param {number} at
 * @param {number} end
 * @param {LogLine} line gets the moment; the year is the last one in which the date is not after the latest moment, give or take a day
 * @returns {number} the offset behind it; 0 where there is none
 */
export function readSyslogTime(bytes, at, end, line) {
  if (end - at < 15 || bytes[at + 3] !== 32 || bytes[at + 6] !== 32 || bytes[at + 9] !== 58 || bytes[at + 12] !== 58)
    return 0;
  const month = monthAt(bytes, at);
  const date = bytes[at + 4] === 32 ? (bytes[at + 5] ?? 0) - 48 : two(bytes, at + 4);
  let behind = at + 15;
  let ms = 0;
  if (bytes[behind] === 46) {
    ms = milliseconds(bytes, behind + 1);
    behind += 1;
    while (behind < end && isDigit(bytes[behind] ?? 0)) behind += 1;
  }
  const lastDay = Math.floor(line.latest / 86_400_000) + 1;
  const year = new Date(line.latest).getUTCFullYear();
  let day = dayOf(year, month, date);
  if (day > lastDay) day = dayOf(year - 1, month, date);
  return setMoment(line, day, two(bytes, at + 7), two(bytes, at + 10), two(bytes, at + 13), ms, 0) ? behind : 0;
}

/** The name of a month as three bytes, to its number. */
const MONTH_NUMBERS = new Map(
  [...MONTHS].map(([name, number]) => [packed(name.charCodeAt(0), name.charCodeAt(1), name.charCodeAt(2)), number]),
);

/**
 * @param {Uint8Array} bytes
 * @param {number} at
 * @returns {number} from 1, 0 where no month stands there
 */
function monthAt(bytes, at) {
  return MONTH_NUMBERS.get(packed(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0)) ?? 0;
}

/**
 * @param {number} first
 * @param {number} second
 * @param {number} third
 * @returns {number}
 */
function packed(first, second, third) {
  return (first << 16) | (second << 8) | third;
}

/**
 * @param {number} byte
 * @returns {boolean}
 */
function isDigit(byte) {
  return byte > 47 && byte < 58;
}
