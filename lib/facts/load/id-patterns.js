// Determines which kinds of id one id can be, by its characters alone. Whether many ids of a load confirm that is
// checked elsewhere.

/**
 * What an id looks like: `digits` any whole number, `hex` and `base64` any text of enough such characters, `other` a name.
 * @typedef {'uuid1' | 'uuid4' | 'uuid6' | 'uuid7' | 'uuidOfName' | 'ulid' | 'ksuid' | 'objectid' | 'hex' | 'base64' | 'digits' | 'date' | 'other'} Pattern
 */

/** A UUID with or without hyphens; the digit of its version and that of its variant stand at fixed places (RFC 9562). */
const UUID = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1([1-8])[0-9a-f]{3}\1[89ab][0-9a-f]{3}\1[0-9a-f]{12}$/i;
/** @type {Map<string, Pattern>} */
const UUID_VERSIONS = new Map([
  ['1', 'uuid1'],
  ['3', 'uuidOfName'],
  ['4', 'uuid4'],
  ['5', 'uuidOfName'],
  ['6', 'uuid6'],
  ['7', 'uuid7'],
]);

/** Crockford's base 32, 48 bits of milliseconds and 80 random ones (github.com/ulid/spec). */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
/** Base 62, 32 bits of seconds and 128 random ones (github.com/segmentio/ksuid). */
const KSUID = /^[0-9A-Za-z]{27}$/;
/** 4 bytes of seconds, 5 random, 3 of a counter (BSON specification, ObjectId). */
const OBJECT_ID = /^[0-9a-f]{24}$/i;
const DIGITS = /^\d+$/;
const DATE = /^(?:19|20)\d\d-?(?:0[1-9]|1[0-2])(?:-?(?:0[1-9]|[12]\d|3[01]))(?:[T _-].*)?$/;
const HEX = /^(?:[0-9a-f]{16,}|[0-9A-F]{16,})$/;
/** Random text in base 64 or 62 has capitals, small letters and digits; a name seldom has all three without a blank. */
const BASE64 = /^[A-Za-z0-9_+/-]{16,}={0,2}$/;

/**
 * @param {string} id
 * @returns {Pattern}
 */
export function patternOf(id) {
  const uuid = UUID.exec(id);
  // Without hyphens most hexadecimal texts of 32 digits look like some version; only a whole load can show.
  if (uuid && uuid[1] === '-') return UUID_VERSIONS.get(uuid[2] ?? '') ?? 'hex';
  if (DIGITS.test(id)) return 'digits';
  if (DATE.test(id)) return 'date';
  if (OBJECT_ID.test(id)) return 'objectid';
  if (HEX.test(id)) return 'hex';
  if (ULID.test(id)) return 'ulid';
  if (KSUID.test(id)) return 'ksuid';
  if (BASE64.test(id) && /[A-Z]/.test(id) && /[a-z]/.test(id)) return 'base64';
  return 'other';
}

/**
 * @param {string} id of 32 hexadecimal digits
 * @returns {Pattern | undefined} the version of UUID that it would be with hyphens
 */
export function uuidWithoutHyphens(id) {
  const uuid = UUID.exec(id);
  return uuid && uuid[1] === '' ? UUID_VERSIONS.get(uuid[2] ?? '') : undefined;
}

/**
 * The last part of an id, behind a prefix such as `order:` or `customer-17/`.
 * @param {string} id
 * @returns {string} the id itself where it has no parts
 */
export function lastPart(id) {
  // A hyphen and an underscore also stand within ids; what is behind the last colon, slash or bar is one part for certain.
  return /[^:/|.]*$/.exec(id)?.[0] || id;
}

/**
 * @param {string} id
 * @returns {string} what is behind a first word and a hyphen or underscore: `order-…`, `order_…`; the id itself otherwise
 */
export function behindWord(id) {
  return /^[a-z][a-zA-Z]*[-_](.+)$/i.exec(id)?.[1] ?? id;
}
