// Finds how fast a server builds indexes, from the lines of its log about builds.

/** @import { ExistingIndex } from './index-for.js' */
/** @import { RunSubject } from '../facts/fact.js' */

/** Documents a second, by the kind of index; `from`: the design document that was built. @typedef {{[kind in 'mango' | 'javascript']?: {perSecond: number, from: string}}} LoggedRates */

/** A shorter update is no build of a whole index, or too short to measure. */
const MIN_MS = 1000;
/** What no build reaches (measured: 12,500), and what a build that waited does not fall below. */
const POSSIBLE = { low: 200, high: 20_000 };

/**
 * The longest update of an index took up all documents, as far as that is possible: shards are built side by side.
 * @param {RunSubject} run
 * @param {Pick<ExistingIndex, 'ddoc' | 'filter'>[]} known indexes of files and of servers
 * @param {(database: string | null) => number} totalOf documents of a database
 * @returns {LoggedRates} of the build that was slowest, by kind
 */
export function loggedRates({ subjects }, known, totalOf) {
  // A partial index has fewer rows, and is built faster.
  const mango = new Set(known.flatMap(({ ddoc, filter }) => (ddoc === null || filter ? [] : [`_design/${ddoc}`])));
  const javascript = new Set(
    subjects.flatMap((one) => (one.kind === 'design-doc' && one.language === 'javascript' ? [one.record.id] : [])),
  );
  /** @type {LoggedRates} */
  const rates = {};
  for (const one of subjects) {
    if (one.kind !== 'build' || !one.record.buildMs || one.record.buildMs.max < MIN_MS) continue;
    const { designDoc, database, buildMs } = one.record;
    const kind = mango.has(designDoc) ? 'mango' : javascript.has(designDoc) ? 'javascript' : undefined;
    const perSecond = totalOf(database) / (buildMs.max / 1000);
    if (!kind || perSecond < POSSIBLE.low || perSecond > POSSIBLE.high) continue;
    if (perSecond < (rates[kind]?.perSecond ?? Number.POSITIVE_INFINITY)) rates[kind] = { perSecond, from: designDoc };
  }
  return rates;
}
