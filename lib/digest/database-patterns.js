// Counts the databases of a digest by pattern, and keeps the name where a pattern has only one, so that a database
// whose name merely has a number in it keeps its name.

import { DistinctCount } from './distinct-count.js';

export class DatabasePattern {
  /** The only name so far; null once there were two. @type {string | null} */
  name = null;
  distinct = new DistinctCount();

  /** @param {string} pattern */
  constructor(pattern) {
    this.pattern = pattern;
  }
}

export class DatabasePatterns {
  /** @type {Map<string, number>} */
  #numbers = new Map();
  /** By number; 0 stands for no database. @type {DatabasePattern[]} */
  #list = [new DatabasePattern('')];

  get size() {
    return this.#list.length - 1;
  }

  /**
   * @param {string} pattern
   * @param {string} name of a database of that pattern
   * @returns {number} the number of the pattern, from 1
   */
  add(pattern, name) {
    const number = this.#numberOf(pattern);
    const entry = /** @type {DatabasePattern} */ (this.#list[number]);
    if (entry.distinct.isEmpty) entry.name = name;
    else if (entry.name !== name) entry.name = null;
    addName(entry.distinct, name);
    return number;
  }

  /**
   * @param {DatabasePattern} other added
   * @param {string} [pattern] as what it is added
   */
  merge(other, pattern = other.pattern) {
    const entry = /** @type {DatabasePattern} */ (this.#list[this.#numberOf(pattern)]);
    if (entry.distinct.isEmpty) entry.name = other.name;
    else if (entry.name !== other.name) entry.name = null;
    entry.distinct.merge(other.distinct);
  }

  /**
   * @param {number} number
   * @returns {string | null} null for 0
   */
  at(number) {
    return number === 0 ? null : (this.#list[number]?.pattern ?? null);
  }

  /**
   * @param {string} pattern
   * @returns {string} the name of its only database, else the pattern
   */
  shownName(pattern) {
    return this.#list[this.#numbers.get(pattern) ?? 0]?.name ?? pattern;
  }

  /** @returns {DatabasePattern[]} in alphabetical order */
  all() {
    return this.#list.slice(1).sort((a, b) => (a.pattern < b.pattern ? -1 : 1));
  }

  /**
   * @param {(pattern: string) => string} rename
   * @returns {DatabasePatterns}
   */
  renamed(rename) {
    const made = new DatabasePatterns();
    for (const entry of this.all()) made.merge(entry, rename(entry.pattern));
    return made;
  }

  /**
   * @param {string} pattern
   * @returns {number}
   */
  #numberOf(pattern) {
    let number = this.#numbers.get(pattern);
    if (number === undefined) {
      number = this.#list.length;
      this.#numbers.set(pattern, number);
      this.#list.push(new DatabasePattern(pattern));
    }
    return number;
  }
}

/**
 * @param {DistinctCount} distinct gets the name, as two hashes (like FNV-1a, over UTF-16 units)
 * @param {string} name
 */
function addName(distinct, name) {
  let first = 0x811c9dc5 | 0;
  let second = first;
  for (let at = 0; at < name.length; at += 1) {
    const unit = name.charCodeAt(at);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x5bd1e995);
  }
  distinct.add(first, second);
}
