// Remembers what was computed for an object: for as long as the object is there, or only for the most recently used
// ones, so that a run over thousands of functions keeps no more in memory than one over a hundred.

/** So many functions are kept parsed: those of a few views, which are judged one after the other. */
export const RECENT_FUNCTIONS = 12;

/**
 * Keeps two generations: what is used stays in the younger one, and the older one goes when the younger is full.
 * @template {object} K
 * @template V
 */
export class RecentMemory {
  /** @type {Map<K, V>} */
  #young = new Map();
  /** @type {Map<K, V>} */
  #old = new Map();
  #most;

  /** @param {number} most how many of those used last are kept at least; twice as many are kept at most */
  constructor(most) {
    this.#most = most;
  }

  /**
   * @param {K} key
   * @returns {V | undefined}
   */
  get(key) {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  /**
   * @param {K} key
   * @param {V} value
   */
  set(key, value) {
    if (this.#young.size >= this.#most && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}

/**
 * @template {object} K
 * @template {{}} V
 * @param {(key: K) => V} compute
 * @param {Pick<RecentMemory<K, V>, 'get' | 'set'>} [memory] for as long as the object is there where absent
 * @returns {(key: K) => V} the same, computed once for each object that is remembered
 */
export function remember(compute, memory = new WeakMap()) {
  return (key) => {
    let value = memory.get(key);
    if (value === undefined) {
      value = compute(key);
      memory.set(key, value);
    }
    return value;
  };
}

/**
 * @template {object} K
 * @template {{}} V
 * @param {(key: K) => V} compute
 * @returns {(key: K) => V} the same, remembered for the functions used last
 */
export function rememberRecent(compute) {
  return remember(compute, new RecentMemory(RECENT_FUNCTIONS));
}
