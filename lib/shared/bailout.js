// Bounds an analysis of foreign code or values: it counts its steps, and where it needs too many of them, or nesting exhausts the stack, it ends in
// a bailout. What it was about is then unknown, with the reason. Steps are the same on every machine; no analysis looks at a clock.

export const TOO_LARGE = 'the function is too large to be analyzed';
export const TOO_DEEP = 'the function is nested too deeply to be analyzed';

/** Ends an analysis; its message is the reason. */
export class Bailout extends Error {}

/** The steps of one analysis. What is kept in memory counts like what is done, so a bound on steps is one on memory too. */
export class Budget {
  #left;
  #reason;

  /** @param {number} steps @param {string} [reason] what is said where they do not suffice */
  constructor(steps, reason = TOO_LARGE) {
    this.#left = steps;
    this.#reason = reason;
  }

  /**
   * @param {number} [steps] taken, or about to be taken
   * @throws {Bailout} where there are not so many left, now and at every later call
   */
  count(steps = 1) {
    this.#left -= steps;
    if (this.#left < 0) throw new Bailout(this.#reason);
  }
}

/**
 * @param {unknown} error
 * @returns {string | undefined} the reason, where it is a limit that ended an analysis; undefined for any other error
 */
export function bailoutReason(error) {
  if (error instanceof Bailout) return error.message;
  if (!(error instanceof RangeError)) return undefined;
  // V8's words for a stack, a string, an array or a collection that cannot grow.
  if (error.message.startsWith('Maximum call stack size')) return TOO_DEEP;
  return /^(?:Invalid (?:string|array) length|(?:Map|Set) maximum size)/.test(error.message) ? TOO_LARGE : undefined;
}

/**
 * @template T
 * @param {() => Promise<T>} analyze
 * @returns {Promise<T | {unknown: string}>} unknown where it exceeds a limit
 */
export async function withinLimits(analyze) {
  try {
    return await analyze();
  } catch (error) {
    const reason = bailoutReason(error);
    if (reason === undefined) throw error;
    return { unknown: reason };
  }
}
