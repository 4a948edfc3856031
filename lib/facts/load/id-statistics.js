// Checks whether many ids of one shape behave like those of a certain generator: whether they carry a time, grow by
// small steps, or are spread over all possible values.

/** Times that ids of today may carry: from 2005 to 2100, in milliseconds since 1970. */
const EARLIEST = Date.UTC(2005, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

/** What is made within ten years lies so close together that its first characters hardly differ. */
const LONGEST_SPAN = 10 * 365 * 24 * 3600 * 1000;

/** So many of the ids have to agree. */
const MOST = 0.95;

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Seconds from 1970 to where KSUIDs begin to count. */
const KSUID_EPOCH = 1_400_000_000n;
/** Milliseconds from 1970 to where the first snowflakes begin to count; those of others begin later. */
const SNOWFLAKE_EPOCH = 1_288_834_974_657n;

/**
 * How a time is read out of an id, in milliseconds since 1970.
 * @type {Record<'ulid' | 'ksuid' | 'objectid' | 'snowflake' | 'epoch' | 'utc', (id: string) => number>}
 */
const TIMES = {
  ulid: (id) => Number(fromBase(id.slice(0, 10).toUpperCase(), CROCKFORD)),
  ksuid: (id) => Number(((fromBase(id, BASE62) >> 128n) + KSUID_EPOCH) * 1000n),
  objectid: (id) => Number.parseInt(id.slice(0, 8), 16) * 1000,
  snowflake: (id) => (id.length < 15 || id.length > 19 ? 0 : Number((BigInt(id) >> 22n) + SNOWFLAKE_EPOCH)),
  epoch: (id) =>
    id.length === 10 ? Number(id) * 1000 : id.length === 13 ? Number(id) : id.length === 16 ? Number(id) / 1000 : 0,
  // couch_uuids.erl, `utc_random`: microseconds as 14 hexadecimal digits, then 18 random ones.
  utc: (id) => Number.parseInt(id.slice(0, 14), 16) / 1000,
};

/**
 * @param {string} text
 * @param {string} letters
 * @returns {bigint}
 */
function fromBase(text, letters) {
  const base = BigInt(letters.length);
  let number = 0n;
  for (const letter of text) number = number * base + BigInt(Math.max(0, letters.indexOf(letter)));
  return number;
}

/**
 * @param {string[]} ids
 * @param {keyof typeof TIMES} maker
 * @returns {boolean} whether they carry times of our age that lie close together: random values fill the whole range
 */
export function carryTime(ids, maker) {
  const times = ids.map(TIMES[maker]).sort((first, second) => first - second);
  const possible = times.filter((time) => time >= EARLIEST && time <= LATEST);
  if (possible.length < MOST * ids.length) return false;
  const edge = Math.floor((possible.length * (1 - MOST)) / 2);
  const least = possible[edge] ?? 0;
  const most = possible[possible.length - 1 - edge] ?? 0;
  return most - least <= LONGEST_SPAN;
}

/** An id that is a number; longer ones are not counted up. */
const NUMBER = /^(?:\d{1,64}|0x[\da-f]{1,64})$/i;

/**
 * @param {string[]} first numbers, decimal or with `0x`, in the order of the load; the few that are none are skipped
 * @returns {boolean} whether they grow, each by little against how far they reach
 */
export function growBySteps(first) {
  const numbers = first.filter((text) => NUMBER.test(text)).map((text) => BigInt(text));
  if (numbers.length < 2) return false;
  let growing = 0;
  let small = 0;
  for (const [index, number] of numbers.entries()) {
    const before = numbers[index - 1];
    if (before === undefined) continue;
    if (number > before) growing += 1;
    const step = number > before ? number - before : before - number;
    if (step <= 1000n) small += 1;
  }
  const pairs = numbers.length - 1;
  return growing >= MOST * pairs && small >= MOST * pairs;
}

/**
 * The ids of `[uuids] algorithm = sequential`: 26 digits that stay and six that grow, by up to 0xffe, until they are used up
 * (couch_uuids.erl, 3.5.2).
 * @param {string[]} first
 * @returns {boolean}
 */
export function growLikeCouchdb(first) {
  let alike = 0;
  for (const [index, id] of first.entries()) {
    const before = first[index - 1];
    if (before === undefined || before.slice(0, 26) !== id.slice(0, 26)) continue;
    const step = Number.parseInt(id.slice(26), 16) - Number.parseInt(before.slice(26), 16);
    if (step > 0 && step <= 0xfff) alike += 1;
  }
  return first.length > 1 && alike >= MOST * (first.length - 1);
}

/**
 * @param {string[]} ids
 * @param {number} letters how many characters are possible
 * @returns {boolean} whether the first characters take all values about equally often, as those of random texts do
 */
export function isSpread(ids, letters) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const id of ids) {
    const letter = id.slice(0, 1).toLowerCase();
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) bits -= (count / ids.length) * Math.log2(count / ids.length);
  // Of few ids the entropy seems less than it is, by about (values - 1) / (2 ln 2 n) bits (Miller 1955).
  const values = Math.min(letters, 36);
  const possible = Math.log2(values) - (values - 1) / (2 * Math.LN2 * ids.length);
  return bits >= 0.75 * possible;
}
