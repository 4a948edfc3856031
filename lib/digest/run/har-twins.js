// Knows the requests of HAR files, to leave them out of logs of the same minutes: what matches in time, method, path and status is one request.

/** @import { HarRequest } from '../../sources/logs/har.js' */
/** @import { LogLine } from '../../sources/logs/log-line.js' */

/** Clocks of two machines differ; a log has the time at which a request ended, or began. */
const TOLERANCE_MS = 2000;

/** From when to when each request may be in a log, by method, path and status. @typedef {Map<string, [from: number, to: number][]>} TwinTimes */

/**
 * @param {(HarRequest | undefined)[]} requests of all HAR files
 * @returns {TwinTimes}
 */
export function twinTimes(requests) {
  /** @type {TwinTimes} */
  const times = new Map();
  for (const request of requests) {
    if (!request || request.time < 0) continue;
    const { method, path, status, time, micros } = request;
    const key = `${method} ${path} ${status}`;
    const own = times.get(key) ?? [];
    own.push([time - TOLERANCE_MS, time + Math.max(0, micros) / 1000 + TOLERANCE_MS]);
    times.set(key, own);
  }
  for (const own of times.values()) own.sort(([one], [other]) => one - other);
  return times;
}

export class HarTwins {
  /** @type {TwinTimes} */
  #open;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  /** @param {TwinTimes} times */
  constructor(times) {
    this.#open = new Map([...times].map(([key, own]) => [key, [...own]]));
    for (const [from, to] of [...times.values()].flat()) {
      this.#first = Math.min(this.#first, from);
      this.#last = Math.max(this.#last, to);
    }
  }

  /**
   * @param {Buffer} bytes
   * @param {LogLine} line a request of a log
   * @returns {boolean} whether a HAR file has it; each of its requests is one of the log
   */
  take(bytes, { time, methodStart, methodEnd, targetStart, targetEnd, status }) {
    if (time < this.#first || time > this.#last) return false;
    const target = bytes.toString('latin1', targetStart, targetEnd).replace(/^[a-z]+:\/\/[^/]*/i, '');
    const own = this.#open.get(`${bytes.toString('latin1', methodStart, methodEnd)} ${target} ${status}`);
    const at = own?.findIndex(([from, to]) => time >= from && time <= to) ?? -1;
    if (at === -1) return false;
    own?.splice(at, 1);
    return true;
  }
}
