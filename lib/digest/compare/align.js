// Brings two digests to one form, so that their shapes have the same names, and says what of them cannot be compared.

import { joinWords } from '../../shared/join-words.js';
import { UserError } from '../../shared/user-error.js';
import { COARSENESS } from '../digest.js';
import { MinuteCounts } from '../minute-counts.js';

/** @import { Digest } from '../digest.js' */
/** @import { Span } from './dispersion.js' */

/**
 * @typedef {object} Side One of the two digests.
 * @property {string} name as it was given
 * @property {Digest} digest
 * @property {number} minutes that it covers, at least one; 0 where no line has a time
 * @property {Span | undefined} span
 * @property {MinuteCounts} traffic all requests
 * @property {boolean} hasTimes whether it has response times
 * @property {string[]} formats of its logs, where they are known
 */

/** @typedef {'everything' | 'rates' | 'times' | 'indexes'} Topic */
/** @typedef {{about: Topic, reason: string}} Unknown */
/** @typedef {{name: string, digest: Digest, formats?: string[]}} Compared */

const MS_OF_MINUTE = 60_000;
/** In these formats the time is that of the server alone; in all others it includes sending the response. */
const OWN_TIMES = new Set(['couchdb', 'couchdb-syslog', 'couchdb-journal']);

/**
 * @param {Compared} old
 * @param {Compared} fresh both are changed: they become equally coarse
 * @returns {{sides: [Side, Side], unknown: Unknown[], notes: string[]}}
 * @throws {UserError} of code `no-requests` where one has none
 */
export function alignDigests(old, fresh) {
  const notes = makeAlike([old, fresh]);
  const sides = /** @type {[Side, Side]} */ ([old, fresh].map(sideOf));
  return { sides, unknown: unknownOf(sides), notes };
}

/**
 * @param {Compared[]} compared changed: they become equally coarse
 * @returns {string[]} what was given up for it
 * @throws {UserError} of code `no-requests` where one has none
 */
export function makeAlike(compared) {
  for (const { name, digest } of compared) {
    if (digest.lines.requests > 0) continue;
    throw new UserError('no-requests', `${name} holds no requests to compare`, {
      hint: 'check the path, or force a format with --log-format',
    });
  }
  /** @type {string[]} */
  const notes = [];
  const apart = compared.filter(({ digest }) => !digest.fold);
  const isFoldedOnce = apart.length > 0 && apart.length < compared.length;
  const coarsest = Math.max(...compared.map(({ digest }) => digest.coarseness), isFoldedOnce ? COARSENESS.PATTERNS : 0);
  if (isFoldedOnce) {
    notes.push(
      `databases are compared by pattern: only ${namesOf(apart)} ${apart.length === 1 ? 'was' : 'were'} made with --no-fold`,
    );
  }
  if (coarsest >= COARSENESS.NO_DATABASES) notes.push(COARSE_NOTES[coarsest] ?? '');
  for (const { digest } of compared) digest.coarsen(coarsest);
  return notes;
}

/** What digests are compared without, by coarseness. */
const COARSE_NOTES = [
  '',
  '',
  'all databases are compared as one: there are too many without a common pattern',
  'databases, design documents and views are not distinguished: there are too many',
  'only methods and endpoints are compared: there are too many query patterns',
];

/** @param {Compared} compared @returns {Side} */
function sideOf({ name, digest, formats = [] }) {
  const { first, last } = digest;
  const isTimed = last >= first;
  const traffic = new MinuteCounts();
  let hasTimes = false;
  for (const { minutes, latencyMicros } of digest.groups.values()) {
    traffic.merge(minutes);
    if (latencyMicros.count > 0) hasTimes = true;
  }
  return {
    name,
    digest,
    minutes: isTimed ? Math.max(1, (last - first) / MS_OF_MINUTE) : 0,
    span: isTimed ? { from: Math.floor(first / MS_OF_MINUTE), to: Math.floor(last / MS_OF_MINUTE) } : undefined,
    traffic,
    hasTimes,
    formats,
  };
}

/**
 * @param {[Side, Side]} sides
 * @returns {Unknown[]}
 */
function unknownOf(sides) {
  const [old, fresh] = sides;
  /** @type {Unknown[]} */
  const unknown = [];
  if (!haveCommonShape(old.digest, fresh.digest)) {
    const reason =
      'no query pattern is in both; if a proxy adds a path prefix, read each log with its own --path-prefix first';
    return [{ about: 'everything', reason }];
  }
  const timeless = sides.filter(({ span }) => span === undefined);
  if (timeless.length > 0) {
    const reason = `no line of ${namesOf(timeless)} has a timestamp; shares of the requests are compared instead`;
    unknown.push({ about: 'rates', reason });
  }
  const without = sides.filter(({ hasTimes }) => !hasTimes);
  if (without.length > 0) unknown.push({ about: 'times', reason: `${namesOf(without)} has no response times` });
  else if (ownTimes(old.formats) !== undefined && ownTimes(fresh.formats) !== undefined) {
    if (ownTimes(old.formats) !== ownTimes(fresh.formats)) {
      const reason = 'one log has the times of CouchDB, the other those of a proxy, which include sending the response';
      unknown.push({ about: 'times', reason });
    }
  }
  // Logs of proxies have requests only.
  const silent = sides.filter(({ digest }) => digest.lines.other === 0);
  if (silent.length === 1 && sides.some(({ digest }) => digest.builds.size + digest.queryServers.size > 0)) {
    const reason = `${namesOf(silent)} has no lines but requests, so index updates and query server failures cannot show`;
    unknown.push({ about: 'indexes', reason });
  }
  return unknown;
}

/** @param {string[]} formats @returns {boolean | undefined} undefined where they are unknown or mixed */
function ownTimes(formats) {
  const kinds = new Set(formats.map((format) => OWN_TIMES.has(format)));
  return kinds.size === 1 ? kinds.has(true) : undefined;
}

/** @param {Pick<Compared, 'name'>[]} sides @returns {string} */
function namesOf(sides) {
  return joinWords(sides.map(({ name }) => name));
}

/**
 * @param {Digest} old
 * @param {Digest} fresh
 * @returns {boolean} whether both query a database in some common way, or neither queries one
 */
function haveCommonShape(old, fresh) {
  const keys = (/** @type {Digest} */ { groups }) =>
    [...groups].flatMap(([key, { database }]) => (database === null ? [] : [key]));
  const [before, after] = [keys(old), new Set(keys(fresh))];
  if (before.length === 0 || after.size === 0) return before.length === after.size;
  return before.some((key) => after.has(key));
}
