// Joins two lines about one event by a name that both have: starts and ends, reports and requests, in whatever order
// and part of the log they come. What waits for its other half is bounded.

/** So many first halves may wait while a log is read: far more than a server has at work at one time. */
const MAX_WAITING = 1024;
/** Of each part of a log so many halves are kept for other parts: the last first halves, and the first second halves. */
const MAX_OF_PART = 64;
/** So many halves of all parts together are kept while parts are merged. */
const MAX_MERGED = 16_384;

/** @template T @typedef {{time: number, half: T}} Half `time`: milliseconds since 1970, negative where it is unknown */

/**
 * Joins two kinds of lines by a name that both have. What is kept depends on times and names and not on the order in which it came, so
 * that parts merge to the same whatever comes first.
 * @template First, Second
 */
export class Joins {
  /** First halves that wait. @type {Map<string, Half<First>>} */
  waiting = new Map();
  /** Second halves that came before their first half was seen. @type {Map<string, Half<Second>>} */
  early = new Map();
  /** Names of the early ones of this part. @type {Set<string>} */
  #earlyInPart = new Set();
  /** The latest of their times, once there are as many as are kept. */
  #latestEarly = Number.POSITIVE_INFINITY;

  /** Another part of a log begins: the first halves of its first lines may stand elsewhere. */
  beginPart() {
    if (this.early.size > MAX_MERGED) this.#trimEarly(MAX_MERGED / 2);
    this.#earlyInPart = new Set();
    this.#latestEarly = Number.POSITIVE_INFINITY;
  }

  /**
   * @param {string} name
   * @param {Half<First>} first
   * @returns {Half<Second> | undefined} the other half, where it was there
   */
  first(name, first) {
    const other = this.#takeEarly(name);
    if (other !== undefined) return other;
    this.waiting.delete(name);
    this.waiting.set(name, first);
    if (this.waiting.size > MAX_WAITING) this.waiting.delete(/** @type {string} */ (this.waiting.keys().next().value));
    return undefined;
  }

  /**
   * @param {string} name
   * @param {Half<Second>} second
   * @returns {Half<First> | undefined} the other half, where it was there
   */
  second(name, second) {
    const other = this.waiting.get(name);
    if (other !== undefined) {
      this.waiting.delete(name);
      return other;
    }
    if (this.early.has(name)) return undefined;
    if (this.#earlyInPart.size >= MAX_OF_PART && !this.#makeRoom(name, second)) return undefined;
    this.early.set(name, second);
    this.#earlyInPart.add(name);
    if (this.#earlyInPart.size >= MAX_OF_PART) this.#latestEarly = this.#latestInPart().time;
    return undefined;
  }

  /**
   * @param {number} time of a second half, as it would be given
   * @returns {boolean} whether it could be joined or kept now; where not, its name need not be read
   */
  takesSecond(time) {
    return this.waiting.size > 0 || time <= this.#latestEarly;
  }

  /**
   * Adds a first half that waits in another part.
   * @param {string} name
   * @param {Half<First>} first
   * @returns {Half<Second> | undefined} the other half, where it was there
   */
  mergeFirst(name, first) {
    const other = this.#takeEarly(name);
    if (other !== undefined) return other;
    const known = this.waiting.get(name);
    if (known === undefined || known.time < first.time) this.waiting.set(name, first);
    if (this.waiting.size > MAX_MERGED) this.#trimWaiting(MAX_MERGED / 2);
    return undefined;
  }

  /**
   * Adds a second half that was early in another part.
   * @param {string} name
   * @param {Half<Second>} second
   * @returns {Half<First> | undefined} the other half, where it was there
   */
  mergeSecond(name, second) {
    const other = this.waiting.get(name);
    if (other !== undefined) {
      this.waiting.delete(name);
      return other;
    }
    const known = this.early.get(name);
    if (known === undefined || known.time > second.time) this.early.set(name, second);
    if (this.early.size > MAX_MERGED) this.#trimEarly(MAX_MERGED / 2);
    return undefined;
  }

  /** All parts are in: keeps what another log, from before or after, may still join. */
  finish() {
    this.#trimEarly(MAX_OF_PART);
    this.#trimWaiting(MAX_OF_PART);
  }

  /**
   * @param {string} name
   * @returns {Half<Second> | undefined}
   */
  #takeEarly(name) {
    const other = this.early.get(name);
    if (other === undefined) return undefined;
    this.early.delete(name);
    if (this.#earlyInPart.delete(name)) this.#latestEarly = Number.POSITIVE_INFINITY;
    return other;
  }

  /**
   * Drops the latest of the early halves of this part for an earlier one.
   * @param {string} name
   * @param {Half<Second>} second
   * @returns {boolean} false where it is the latest itself
   */
  #makeRoom(name, { time }) {
    const latest = this.#latestInPart();
    if (time > latest.time || (time === latest.time && name > latest.name)) return false;
    this.early.delete(latest.name);
    this.#earlyInPart.delete(latest.name);
    return true;
  }

  #latestInPart() {
    const latest = { time: Number.NEGATIVE_INFINITY, name: '' };
    for (const name of this.#earlyInPart) {
      const { time } = this.early.get(name) ?? latest;
      if (time > latest.time || (time === latest.time && name > latest.name)) Object.assign(latest, { time, name });
    }
    return latest;
  }

  /** @param {number} most */
  #trimEarly(most) {
    const early = [...this.early].sort(([a, one], [b, other]) => one.time - other.time || (a < b ? -1 : 1));
    this.early = new Map(early.slice(0, most));
  }

  /** @param {number} most */
  #trimWaiting(most) {
    const waiting = [...this.waiting].sort(([a, one], [b, other]) => other.time - one.time || (a < b ? -1 : 1));
    this.waiting = new Map(waiting.slice(0, most).reverse());
  }
}
