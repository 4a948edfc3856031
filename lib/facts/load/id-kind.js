// Recognizes the kind of ids in a sample of a load: which generator they look like, and whether it makes them in order.
// The order in which they come is measured elsewhere.

import { behindWord, lastPart, patternOf, uuidWithoutHyphens } from './id-patterns.js';
import { carryTime, growBySteps, growLikeCouchdb, isSpread } from './id-statistics.js';

/** @import { LoadIds } from '../../sources/record.js' */
/** @import { Pattern } from './id-patterns.js' */

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
  /** @type {Map<Pattern, string[]>} */
  const groups = new Map();
  for (const id of ids) {
    const pattern = patternOf(id);
    const group = groups.get(pattern);
    if (group) group.push(id);
    else groups.set(pattern, [id]);
  }
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
