// Reads which requests of the logs are wanted: a time range, and queries to leave out.

import { UserError } from '../shared/user-error.js';

/** @import { DigestOptions } from '../digest/digest.js' */

/** A date, or a date and time of day (ISO 8601); UTC unless an offset is given, as CouchDB logs it. */
const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:?\d\d)?)?$/;

/** @typedef {{begin?: string, end?: string, exclude?: string[]}} Selection as it was typed */

/**
 * @param {Selection} options
 * @returns {Pick<DigestOptions, 'begin' | 'end' | 'exclude'>}
 * @throws {UserError} of code `bad-begin` or `bad-end`
 */
export function readSelection({ begin, end, exclude }) {
  const range = { begin: readMoment('begin', begin), end: readMoment('end', end) };
  if (range.begin !== undefined && range.end !== undefined && range.begin >= range.end) {
    throw new UserError('bad-end', 'invalid --end: must be after --begin');
  }
  return { ...range, exclude };
}

/** @param {'begin' | 'end'} option @param {string | undefined} written @returns {number | undefined} milliseconds since 1970 */
function readMoment(option, written) {
  if (written === undefined) return undefined;
  const [, date, time = '00:00', offset = 'Z'] = MOMENT.exec(written) ?? [];
  const moment = Date.parse(`${date}T${time}${offset}`);
  if (Number.isFinite(moment)) return moment;
  throw new UserError(`bad-${option}`, `invalid --${option} ${JSON.stringify(written)}: must be a date or a time`, {
    hint: `for example: --${option} 2026-03-02 or --${option} 2026-03-02T08:05 (UTC; or with an offset: +01:00)`,
  });
}

/** @param {Selection} options @returns {string} `from 2026-03-02, before 2026-03-03, without _up`; empty where all is wanted */
export function describeSelection({ begin, end, exclude = [] }) {
  return [
    ...(begin === undefined ? [] : [`from ${begin}`]),
    ...(end === undefined ? [] : [`before ${end}`]),
    ...exclude.map((glob) => `without ${glob}`),
  ].join(', ');
}

/** @param {Selection} options @throws {UserError} where one is given: a digest has no lines any more */
export function refuseSelection({ begin, end, exclude }) {
  if (begin === undefined && end === undefined && exclude === undefined) return;
  throw new UserError('bad-arguments', '--begin, --end and --exclude need logs: a digest no longer has the lines', {
    hint: 'use them when the digests are made',
  });
}
