import { createRandom } from './internals.js';
// Makes random candidates and budgets for the choice, and finds the best set of few candidates by trying every set.

/** @import { Budget, Candidate } from '../../lib/advise/choice.js' */

/**
 * @param {string} seed
 * @param {{most?: number}} [size] `most` candidates
 * @returns {{candidates: Candidate[], budget: Budget}} with alternatives, needs and changes that free space; some cannot be made, as what they
 *   need is an alternative to them
 */
export function smallChoice(seed, { most = 12 } = {}) {
  const random = createRandom(seed);
  const below = (/** @type {number} */ limit) => Math.floor(random() * limit);
  const count = 2 + below(most - 1);
  const queries = 1 + below(8);
  const candidates = Array.from({ length: count }, (_, at) => {
    const isDrop = random() < 0.15;
    /** @type {Map<string, number>} */
    const savings = new Map();
    for (let query = 0; query < queries && !isDrop; query += 1)
      if (random() < 0.4) savings.set(`q${query}`, Math.round(random() * random() * 100));
    return {
      id: nameOf(at),
      savings,
      bytes: isDrop ? -below(50) : below(100),
      writeCost: isDrop ? -below(10) : below(4000) / 100,
      isIndex: !isDrop && random() < 0.8,
      ...(random() < 0.3 && { alternative: `a${below(3)}` }),
      ...(random() < 0.2 && { needs: [nameOf(below(count))] }),
    };
  });
  const budget = {
    bytes: random() < 0.7 ? below(250) : undefined,
    indexes: random() < 0.5 ? below(5) : undefined,
    writeCost: random() < 0.5 ? below(80) : undefined,
  };
  return { candidates, budget };
}

/**
 * @param {{seed: string, candidates: number, queries: number, density: number}} size `density`: the part of all queries that a candidate serves
 * @returns {Candidate[]}
 */
export function largeChoice({ seed, candidates, queries, density }) {
  const random = createRandom(seed);
  return Array.from({ length: candidates }, (_, at) => {
    /** @type {Map<string, number>} */
    const savings = new Map();
    for (let query = 0; query < queries; query += 1)
      if (random() < density) savings.set(`q${query}`, (random() * random() * 1000) / (1 + query / 10));
    return {
      id: nameOf(at),
      savings,
      bytes: Math.round(random() * 1e8),
      writeCost: random() * 1000 * density,
      isIndex: true,
      ...(random() < 0.2 && { alternative: `a${Math.floor(random() * 20)}` }),
      ...(random() < 0.05 && { needs: [nameOf(Math.floor(random() * candidates))] }),
    };
  });
}

/** @param {number} at @returns {string} */
function nameOf(at) {
  return `c${String(at).padStart(3, '0')}`;
}

/**
 * @param {Candidate[]} candidates
 * @param {Iterable<string>} ids
 * @returns {{gain: number, bytes: number, indexes: number, writeCost: number, isSound: boolean}} `isSound`: at most one of an alternative, and
 *   all that is needed is there
 */
export function worthOf(candidates, ids) {
  const set = new Set(ids);
  const chosen = candidates.filter(({ id }) => set.has(id));
  /** @type {Map<string, number>} */
  const best = new Map();
  for (const { savings } of chosen)
    for (const [query, saved] of savings) best.set(query, Math.max(saved, best.get(query) ?? 0));
  const sum = (/** @type {number[]} */ list) => list.reduce((total, one) => total + one, 0);
  const alternatives = chosen.flatMap(({ alternative }) => (alternative === undefined ? [] : [alternative]));
  const writeCost = sum(chosen.map((one) => one.writeCost));
  return {
    gain: sum([...best.values()]) - writeCost,
    bytes: sum(chosen.map((one) => one.bytes)),
    indexes: chosen.filter((one) => one.isIndex).length,
    writeCost,
    isSound:
      new Set(alternatives).size === alternatives.length &&
      chosen.every(({ needs = [] }) => needs.every((id) => set.has(id))),
  };
}

/**
 * @param {ReturnType<typeof worthOf>} worth
 * @param {Budget} budget
 * @returns {boolean}
 */
export function isWithin(worth, { bytes = Infinity, indexes = Infinity, writeCost = Infinity }) {
  return worth.bytes <= bytes && worth.indexes <= indexes && worth.writeCost <= writeCost + 1e-6;
}

/**
 * @param {Candidate[]} candidates few
 * @param {Budget} budget
 * @returns {number} the most that any set within the budget gains
 */
export function bestGain(candidates, budget) {
  let best = 0;
  for (let mask = 0; mask < 1 << candidates.length; mask += 1) {
    const ids = candidates.flatMap(({ id }, at) => ((mask >> at) & 1 ? [id] : []));
    const worth = worthOf(candidates, ids);
    if (worth.isSound && isWithin(worth, budget)) best = Math.max(best, worth.gain);
  }
  return best;
}
