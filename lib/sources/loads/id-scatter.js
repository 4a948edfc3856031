// Measures how widely the write order of ids jumps about in the B-tree by id. Keeps a sample of the ids written before,
// which represents the leaves of the tree. Constant memory.

/** So many ids are kept at most, evenly spread over all that came. */
const MAX_PLACES = 4096;

/** Ids that are written together are looked at together, at most so many: CouchDB sorts the ids of a request. */
const WINDOW = 1000;
const FIRST_WINDOW = 100;

/** @typedef {{id: string, at: number}} SampledId `at`: its number among the ids of the load, from 0 */

export class IdScatter {
  /** Ids of the windows before, in the order of the tree. @type {SampledId[]} */
  #places = [];
  /** Ids of this window that will be places. @type {SampledId[]} */
  #fresh = [];
  /** Between which places the ids of this window fall. @type {Set<number>} */
  #touched = new Set();
  #windowDocuments = 0;
  #count = 0;
  /** Of the ids, those are kept whose mixed number has none of these bits. */
  #mask = 0;

  /** Ids that were looked at beside others of their window. */
  documents = 0;
  /** Those of them that fall between other places than all ids before them in their window. */
  scattered = 0;

  /**
   * @param {string} id its bytes, one a character
   * @param {boolean} isOpen whether more ids of the same request follow
   */
  add(id, isOpen) {
    if (this.#places.length > 0) this.#touched.add(this.#gapOf(id));
    if (this.#isKept(this.#count)) this.#fresh.push({ id, at: this.#count });
    if (this.#fresh.length > MAX_PLACES) this.#thinFresh();
    this.#count += 1;
    this.#windowDocuments += 1;
    if (!isOpen) this.endRequest();
  }

  /** The request is at its end, or there are no requests to speak of. */
  endRequest() {
    const before = this.#count - this.#windowDocuments;
    if (this.#windowDocuments >= Math.min(WINDOW, Math.max(FIRST_WINDOW, before))) this.#closeWindow();
  }

  /** No more ids come. */
  finish() {
    this.#closeWindow();
  }

  /** @returns {SampledId[]} in the order in which they came */
  get sample() {
    return this.#places.toSorted((first, second) => first.at - second.at);
  }

  #closeWindow() {
    if (this.#places.length > 0 && this.#windowDocuments > 1) {
      this.documents += this.#windowDocuments - 1;
      this.scattered += this.#touched.size - 1;
    }
    this.#touched.clear();
    this.#windowDocuments = 0;
    this.#places = merge(this.#places, this.#fresh.sort(byId));
    this.#fresh = [];
    while (this.#places.length > MAX_PLACES) {
      const kept = this.#places.filter((place) => this.#isKept(place.at));
      if (kept.length === this.#places.length) this.#mask = this.#mask * 2 + 1;
      this.#places = kept;
    }
  }

  /** Within a window the places stay: the gaps between them are what is counted. */
  #thinFresh() {
    this.#mask = this.#mask * 2 + 1;
    this.#fresh = this.#fresh.filter(({ at }) => this.#isKept(at));
  }

  /** @param {number} at @returns {boolean} */
  #isKept(at) {
    return (mix(at) & this.#mask) === 0;
  }

  /**
   * @param {string} id
   * @returns {number} how many places come before it
   */
  #gapOf(id) {
    const places = this.#places;
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (/** @type {SampledId} */ (places[middle]).id < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * @param {SampledId[]} first sorted
 * @param {SampledId[]} second sorted
 * @returns {SampledId[]} both, sorted
 */
function merge(first, second) {
  if (second.length === 0) return first;
  /** @type {SampledId[]} */
  const merged = [];
  let at = 0;
  for (const item of second) {
    for (let next = first[at]; next && next.id <= item.id; next = first[at]) {
      merged.push(next);
      at += 1;
    }
    merged.push(item);
  }
  while (at < first.length) merged.push(/** @type {SampledId} */ (first[at++]));
  return merged;
}

/** @param {SampledId} first @param {SampledId} second @returns {number} */
function byId(first, second) {
  return first.id < second.id ? -1 : Number(first.id > second.id);
}

/**
 * @param {number} number
 * @returns {number} 32 bits that say nothing of it, always the same (the last steps of MurmurHash3)
 */
function mix(number) {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
