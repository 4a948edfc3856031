// Makes ids of every kind that a load may have from a seed: the same seed gives the same ids.

import { createHash } from 'node:crypto';

/** @typedef {() => string} NextId */
/** @typedef {() => number} Chance at least 0 and below 1 */

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** 1 May 2024, in milliseconds. */
const START = 1_714_521_600_000;
/** KSUIDs count their seconds from here. */
const KSUID_EPOCH = 1_400_000_000;

/**
 * @param {number} seed
 * @returns {Chance} mulberry32
 */
export function chanceOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * @param {Chance} chance
 * @param {number} length
 * @param {string} [letters]
 * @returns {string}
 */
export function word(chance, length, letters = '0123456789abcdef') {
  return Array.from({ length }, () => letters[Math.floor(chance() * letters.length)]).join('');
}

/**
 * @param {bigint} number
 * @param {string} letters
 * @param {number} length
 * @returns {string}
 */
function inBase(number, letters, length) {
  const base = BigInt(letters.length);
  let rest = number;
  let text = '';
  while (text.length < length) {
    text = letters[Number(rest % base)] + text;
    rest /= base;
  }
  return text;
}

/** @param {string} hex 32 digits @returns {string} */
function dashed(hex) {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** @param {Chance} chance @returns {string} */
function uuid4(chance) {
  return dashed(`${word(chance, 12)}4${word(chance, 3)}${word(chance, 1, '89ab')}${word(chance, 15)}`);
}

/**
 * @param {Chance} chance
 * @returns {() => number} milliseconds since 1970, a few to a few thousand between calls
 */
function clock(chance) {
  let now = START + Math.floor(chance() * 1e9);
  return () => {
    now += Math.floor(chance() * 40);
    return now;
  };
}

/** Makers of ids by what facts call their kind. @type {Record<string, (chance: Chance) => NextId>} */
export const ID_MAKERS = {
  uuid4: (chance) => () => uuid4(chance),
  uuid7: (chance) => {
    const time = clock(chance);
    return () => {
      const stamp = time().toString(16).padStart(12, '0');
      return dashed(`${stamp}7${word(chance, 3)}${word(chance, 1, '89ab')}${word(chance, 15)}`);
    };
  },
  uuid1: (chance) => {
    const time = clock(chance);
    const node = `${word(chance, 3)}1${word(chance, 12)}`;
    return () => {
      const ticks = BigInt(time()) * 10000n + BigInt(Math.floor(chance() * 10000));
      const stamp = (ticks + 0x01b21dd213814000n).toString(16).padStart(15, '0');
      return dashed(`${stamp.slice(7)}${stamp.slice(3, 7)}1${stamp.slice(0, 3)}a${node.slice(0, 3)}${node.slice(4)}`);
    };
  },
  ulid: (chance) => {
    const time = clock(chance);
    return () => inBase(BigInt(time()), CROCKFORD, 10) + word(chance, 16, CROCKFORD);
  },
  ksuid: (chance) => {
    const time = clock(chance);
    return () => {
      const seconds = Math.floor(time() / 1000) - KSUID_EPOCH;
      return inBase(BigInt(`0x${seconds.toString(16).padStart(8, '0')}${word(chance, 32)}`), BASE62, 27);
    };
  },
  objectid: (chance) => {
    const time = clock(chance);
    const machine = word(chance, 10);
    let count = Math.floor(chance() * 1e6);
    return () => {
      count += 1;
      return Math.floor(time() / 1000).toString(16) + machine + count.toString(16).padStart(6, '0');
    };
  },
  snowflake: (chance) => {
    const time = clock(chance);
    return () => ((BigInt(time() - 1_288_834_974_657) << 22n) + BigInt(Math.floor(chance() * 4096))).toString();
  },
  hexRandom: (chance) => () => word(chance, 32),
  base64Random: (chance) => () => word(chance, 22, BASE64URL),
  hash: (chance) => () => createHash('sha1').update(String(chance())).digest('hex'),
  sequence: (chance) => {
    let count = Math.floor(chance() * 1e5);
    return () => {
      count += 1;
      return String(count).padStart(10, '0');
    };
  },
  sequenceUnpadded: () => {
    let count = 0;
    return () => {
      count += 1;
      return String(count);
    };
  },
  timestamp: (chance) => {
    const time = clock(chance);
    return () => new Date(time()).toISOString();
  },
  // couch_uuids.erl, `sequential`: 26 random digits, then six that grow by up to 0xffe and start over after 0xfff000.
  couchSequential: (chance) => {
    let prefix = word(chance, 26);
    let count = Math.floor(chance() * 0xffe);
    return () => {
      count += 1 + Math.floor(chance() * 0xffd);
      if (count >= 0xfff000) {
        prefix = word(chance, 26);
        count = Math.floor(chance() * 0xffe);
      }
      return prefix + count.toString(16).padStart(6, '0');
    };
  },
  prefixedSequence: (chance) => {
    let count = Math.floor(chance() * 1e5);
    return () => {
      count += 1;
      return `order:${String(count).padStart(8, '0')}`;
    };
  },
  /** Two writers by turns, each in order behind a prefix of its own. */
  twoWriters: () => {
    let count = 0;
    return () => {
      count += 1;
      return `w${count % 2}-${String(Math.ceil(count / 2)).padStart(8, '0')}`;
    };
  },
  /** In order, but that every tenth belongs somewhere before. */
  partlyLate: (chance) => {
    let count = 0;
    return () => {
      count += 1;
      const isLate = count % 10 === 0;
      return `${String(isLate ? Math.floor(chance() * count) : count).padStart(10, '0')}${isLate ? 'late' : ''}`;
    };
  },
  natural: (chance) => () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    return `${word(chance, 3 + Math.floor(chance() * 8), letters)}@${word(chance, 5, letters)}.example`;
  },
};

/** Kinds whose ids come in no order. */
export const RANDOM_KINDS = ['uuid4', 'hexRandom', 'base64Random', 'hash'];

/** Kinds that come in order, or nearly. */
export const ORDERED_KINDS = [
  'uuid7',
  'ulid',
  'ksuid',
  'objectid',
  'snowflake',
  'sequence',
  'sequenceUnpadded',
  'timestamp',
  'couchSequential',
  'prefixedSequence',
];

/**
 * @param {string} kind
 * @param {number} count
 * @param {number} [seed]
 * @returns {string[]}
 */
export function makeIds(kind, count, seed = 1) {
  const maker = ID_MAKERS[kind];
  if (!maker) throw new Error(`no ids are called ${kind}`);
  const next = maker(chanceOf(seed));
  return Array.from({ length: count }, next);
}
