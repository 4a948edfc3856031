// Moments as logs write them, read from bytes into minutes since 1970 and milliseconds. Pure: a date without a year gets it
// from the caller.

/** @import { LogLine } from './log-line.js' */

const MONTHS = new Map('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ').map((name, at) => [name, at + 1]));

/** Counters of minutes have 30 bits: the year 4011. */
const MOST_MINUTES = 2 ** 30;

/** The day that was asked for last: lines of one day stand together. */
let lastDate = -1;
let lastDay = 0;

/**
 * @param {number} year
 * @param {number} month from 1
 * @param {number} day from 1
 * @returns {number} days since 1970; -1 where there is no such day
 */
function dayOf(year, month, day) {
  const date = (year << 9) | (month << 5) | day;
  if (date === lastDate) return lastDay;
  const time = Date.UTC(year, month - 1, day);
  const made = new Date(time);
  if (year < 1970 || made.getUTCMonth() !== month - 1 || made.getUTCDate() !== day) return -1;
  lastDate = date;
  lastDay = Math.floor(time / 86_400_000);
  return lastDay;
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
  if (minutes < 0 || minutes >= MOST_MINUTES) return false;
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
 * `2026-11-21T02:45:19.111722Z`; the fraction and the zone may be absent, a space may stand for the T.
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

/** The sixteen bytes of the minute that was read last, and that minute. */
const lastMinute = new Int32Array(4);
let lastMinuteRead = -1;
/** `2026-11-21T02:45:19.111722Z` */
const PLAIN_LENGTH = 27;

/**
 * What `readIsoTime` gives, for times as CouchDB writes them; lines of one minute stand together.
 * @param {Buffer} bytes
 * @param {DataView} view of them, that reaches as far as the time
 * @param {number} at
 * @param {LogLine} line gets the moment
 * @returns {boolean} false where no time of that form stands there
 */
export function readPlainIsoTime(bytes, view, at, line) {
  const first = view.getInt32(at, true);
  const second = view.getInt32(at + 4, true);
  const third = view.getInt32(at + 8, true);
  const fourth = view.getInt32(at + 12, true);
  if (
    lastMinuteRead < 0 ||
    first !== lastMinute[0] ||
    second !== lastMinute[1] ||
    third !== lastMinute[2] ||
    fourth !== lastMinute[3]
  ) {
    if (readIsoTime(bytes, at, at + PLAIN_LENGTH, line) !== at + PLAIN_LENGTH) return false;
    lastMinute[0] = first;
    lastMinute[1] = second;
    lastMinute[2] = third;
    lastMinute[3] = fourth;
    lastMinuteRead = line.minute;
    return true;
  }
  if (bytes[at + 16] !== 58 || bytes[at + 19] !== 46 || bytes[at + 26] !== 90) return false;
  const seconds = two(bytes, at + 17);
  const millis = two(bytes, at + 20) * 10 + ((bytes[at + 22] ?? 0) - 48);
  if (seconds < 0 || seconds > 59 || millis < 0 || !isDigit(bytes[at + 22] ?? 0)) return false;
  if (!isDigit(bytes[at + 23] ?? 0) || !isDigit(bytes[at + 24] ?? 0) || !isDigit(bytes[at + 25] ?? 0)) return false;
  line.minute = lastMinuteRead;
  line.millisecond = seconds * 1000 + millis;
  return true;
}

/**
 * `21/Nov/2026:02:45:20 +0000`, or with a fraction and no zone as HAProxy writes it.
 * @param {Buffer} bytes
 * @param {number} at
 * @param {number} end
 * @param {LogLine} line gets the moment
 * @returns {number} the offset behind it; 0 where there is none
 */
export function readClfTime(bytes, at, end, line) {
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
  return setMoment(line, day, two(bytes, at + 12), two(bytes, at + 15), two(bytes, at + 18), ms, offset) ? behind : 0;
}

/** The bytes of the minute and of the zone that were read last, and that minute. */
const lastClf = new Int32Array(7);
let lastClfMinute = -1;
/** `21/Nov/2026:02:45:20 +0000` */
const CLF_LENGTH = 26;

/**
 * What `readClfTime` gives, for times with a zone and without a fraction.
 * @param {Buffer} bytes
 * @param {DataView} view of them, that reaches as far as the time
 * @param {number} at
 * @param {LogLine} line gets the moment
 * @returns {boolean} false where no time of that form stands there
 */
export function readPlainClfTime(bytes, view, at, line) {
  // All but the two digits of the second; some bytes stand in two of these words.
  const day = view.getInt32(at, true);
  const month = view.getInt32(at + 4, true);
  const year = view.getInt32(at + 8, true);
  const hour = view.getInt32(at + 11, true);
  const minute = view.getInt32(at + 14, true);
  const sign = view.getInt32(at + 20, true);
  const zone = view.getInt32(at + 22, true);
  if (
    lastClfMinute < 0 ||
    minute !== lastClf[4] ||
    hour !== lastClf[3] ||
    day !== lastClf[0] ||
    month !== lastClf[1] ||
    year !== lastClf[2] ||
    sign !== lastClf[5] ||
    zone !== lastClf[6]
  ) {
    if (readClfTime(bytes, at, at + CLF_LENGTH, line) !== at + CLF_LENGTH || bytes[at + 20] !== 32) return false;
    lastClf[0] = day;
    lastClf[1] = month;
    lastClf[2] = year;
    lastClf[3] = hour;
    lastClf[4] = minute;
    lastClf[5] = sign;
    lastClf[6] = zone;
    lastClfMinute = line.minute;
    return true;
  }
  const seconds = two(bytes, at + 18);
  // A leap second is read with care.
  if (seconds < 0 || seconds > 59) return readClfTime(bytes, at, at + CLF_LENGTH, line) === at + CLF_LENGTH;
  line.minute = lastClfMinute;
  line.millisecond = seconds * 1000;
  return true;
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
 * @param {number} latest milliseconds since 1970: the year is the last one in which the date is not after it, give or take a day
 * @param {LogLine} line gets the moment
 * @returns {number} the offset behind it; 0 where there is none
 */
export function readSyslogTime(bytes, at, end, latest, line) {
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
  const lastDay = Math.floor(latest / 86_400_000) + 1;
  const year = new Date(latest).getUTCFullYear();
  let day = month === 0 || date < 1 || date > 31 ? -1 : dayOf(year, month, date);
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
