// Recognizes the kind of ids in a sample of a load: which generator they look like, and whether it makes them in order.
// The order in which they come is measured elsewhere.

import { groupBy } from '../../shared/group-by.js';
import { carryTime, growBySteps, growLikeCouchdb, isSpread } from './id-statistics.js';

/** @import { LoadIds } from '../../sources/record.js' */

/** @typedef {'uuid1' | 'uuid4' | 'uuid7' | 'ulid' | 'ksuid' | 'objectid' | 'snowflake' | 'hexRandom' | 'base64Random' | 'hash' | 'sequence' | 'sequenceUnpadded' | 'prefixedSequence' | 'timestamp' | 'couchSequential' | 'natural' | 'mixed'} IdKind */

/** From fewer ids nothing is concluded. */
export const MIN_IDS = 20;

/** A kind is that of the load if so many of its ids have it: a few odd ones are in every database. */
const MOST = 0.95;
/** Each of several kinds is worth naming if so many ids have it. */
const SOME = 0.1;

/** Lengths of digests, in hexadecimal digits: SHA-1, SHA-224, SHA-256, SHA-384, SHA-512. That of MD5 is also that of a UUID. */
const DIGEST_LENGTHS = new Set([40, 56, 64, 96, 128]);

/**
 * @param {Pick<LoadIds, 'first' | 'sample'>} ids
 * @returns {IdKind | undefined} undefined where they are too few
 */
export function kindOfIds({ first, sample }) {
  if (sample.length < MIN_IDS) return undefined;
  const ids = sample.map(({ id }) => id);
  const whole = kindOf(ids, first);
  if (whole !== 'natural') return whole;
  // Prefixes hide what is behind them; the place in the tree is that of the prefix first, which is measured elsewhere.
  for (const cut of [lastPart, behindWord]) {
    if (!isPrefixed(ids, cut)) continue;
    const kind = kindOf(ids.map(cut), first.map(cut));
    if (kind === 'sequence' || kind === 'sequenceUnpadded') return 'prefixedSequence';
    if (kind !== 'natural') return kind;
  }
  return 'natural';
}

/**
 * @param {string[]} ids
 * @param {(id: string) => string} cut
 * @returns {boolean}
 */
function isPrefixed(ids, cut) {
  return ids.filter((id) => cut(id) !== id).length >= MOST * ids.length;
}

/**
 * @param {string[]} ids in the order of the load
 * @param {string[]} first the first ids of the load, without a gap
 * @returns {IdKind}
 */
function kindOf(ids, first) {
  const groups = groupBy(ids, patternOf);
  joinAlike(groups);
  const [largest, second] = [...groups].sort(([, one], [, other]) => other.length - one.length);
  if (!largest) return 'natural';
  const [pattern, group] = largest;
  if (group.length >= MOST * ids.length) return confirm(pattern, group, first);
  const isMixed = second !== undefined && second[1].length >= SOME * ids.length;
  return isMixed && (pattern !== 'other' || second[0] !== 'digits') ? 'mixed' : 'natural';
}

/**
 * Random texts fall under several patterns by chance: some of base 64 look like a name, some hexadecimal ones like a number.
 * @param {Map<Pattern, string[]>} groups changed
 */
function joinAlike(groups) {
  /** @type {[Pattern, Pattern][]} */
  const joins = [
    ['digits', 'hex'],
    ['digits', 'objectid'],
    ['ksuid', 'base64'],
    ['ulid', 'base64'],
    ['ulid', 'ksuid'],
  ];
  for (const [rare, usual] of joins) {
    const few = groups.get(rare);
    const many = groups.get(usual);
    if (!few || !many || few[0]?.length !== many[0]?.length) continue;
    // The first 18 digits of the ObjectIds of one process change slowly: where these are decimal, many of its ids are.
    if (few.length > SOME * many.length && usual !== 'objectid') continue;
    many.push(...few);
    groups.delete(rare);
  }
}

/**
 * @param {Pattern} pattern that nearly all ids have
 * @param {string[]} ids
 * @param {string[]} first
 * @returns {IdKind} what they are if the whole of them is looked at
 */
function confirm(pattern, ids, first) {
  switch (pattern) {
    case 'uuid1':
    case 'uuid4':
    case 'uuid7':
      return pattern;
    case 'uuid6':
      return 'uuid7';
    case 'uuidOfName':
      return 'hash';
    case 'date':
      return 'timestamp';
    case 'digits':
      return confirmDigits(ids, first);
    case 'objectid':
      if (carryTime(ids, 'objectid')) return 'objectid';
      return isSpread(ids, 16) ? 'hexRandom' : 'natural';
    case 'ulid':
      if (carryTime(ids, 'ulid')) return 'ulid';
      return isSpread(ids, 32) ? 'base64Random' : 'natural';
    case 'ksuid':
      if (carryTime(ids, 'ksuid')) return 'ksuid';
      return isSpread(ids, 62) ? 'base64Random' : 'natural';
    case 'hex':
      return confirmHex(ids, first);
    case 'base64':
      return isSpread(ids, 62) ? 'base64Random' : 'natural';
    default:
      return 'natural';
  }
}

/**
 * @param {string[]} ids of digits only
 * @param {string[]} first
 * @returns {IdKind}
 */
function confirmDigits(ids, first) {
  const lengths = new Set(ids.map((id) => id.length));
  const isPadded = lengths.size === 1;
  if (isPadded && carryTime(ids, 'snowflake')) return 'snowflake';
  if (isPadded && carryTime(ids, 'epoch')) return 'timestamp';
  if (growBySteps(first)) return isPadded ? 'sequence' : 'sequenceUnpadded';
  return 'natural';
}

/**
 * @param {string[]} ids of hexadecimal digits only
 * @param {string[]} first
 * @returns {IdKind}
 */
function confirmHex(ids, first) {
  const [id = ''] = ids;
  if (ids.some(({ length }) => length !== id.length)) return 'natural';
  if (id.length === 32) {
    if (growLikeCouchdb(first)) return 'couchSequential';
    const versions = new Set(ids.map(uuidWithoutHyphens));
    const [version] = versions;
    if (versions.size === 1 && (version === 'uuid1' || version === 'uuid4' || version === 'uuid7')) return version;
    if (carryTime(ids, 'utc')) return 'timestamp';
  }
  if (!isSpread(ids, 16)) return growBySteps(first.map((hex) => `0x${hex}`)) ? 'sequence' : 'natural';
  return DIGEST_LENGTHS.has(id.length) ? 'hash' : 'hexRandom';
}

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
function patternOf(id) {
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
function uuidWithoutHyphens(id) {
  const uuid = UUID.exec(id);
  return uuid && uuid[1] === '' ? UUID_VERSIONS.get(uuid[2] ?? '') : undefined;
}

/**
 * The last part of an id, behind a prefix such as `order:` or `customer-17/`.
 * @param {string} id
 * @returns {string} the id itself where it has no parts
 */
function lastPart(id) {
  // A hyphen and an underscore also stand within ids; what is behind the last colon, slash or bar is one part for certain.
  return /[^:/|.]*$/.exec(id)?.[0] || id;
}

/**
 * @param {string} id
 * @returns {string} what is behind a first word and a hyphen or underscore: `order-…`, `order_…`; the id itself otherwise
 */
function behindWord(id) {
  return /^[a-z][a-zA-Z]*[-_](.+)$/i.exec(id)?.[1] ?? id;
}
