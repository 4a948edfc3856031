// Writes documents from what is needed of them and a choice of what each part may be: the same for the same seed and
// number.

import { hashText } from '../../shared/hash-text.js';
import { createRandom } from '../../shared/seeded-random.js';
import { candidatesOf } from './candidates.js';
import { matchPattern } from './match-pattern.js';
import { allNeeds } from './need.js';

/** @import { Budget } from '../../shared/bailout.js' */
/** @import { Candidate } from './candidates.js' */
/** @import { Need } from './need.js' */

/** For each part by its path which of its candidates is taken; the first where nothing is said. @typedef {Map<string, number>} Choice */
/** @typedef {{_id: string} & Record<string, unknown>} MadeDocument */

/** Documents a day, and the day of the first. */
const STEP_MS = 86_400_000 / 200;
const START = Date.UTC(2020, 0, 1);
/** Documents that have a text in common, about. */
const SHARED_BY = 20;
/** Characters of an id, so that all ids are equally long. */
const ID_LENGTH = 14;
const MIN_DIGITS = 6;
const TABLE_NAMES = ['first', 'second'];
const PADDING_NAMES = ['note', 'remark', 'padding', 'filler'];

export class DocumentWriter {
  /** @type {Map<string, Candidate[]>} */
  #candidates = new Map();
  /** By path and number of the document: choices of one search differ in few paths. @type {Map<string, number[]>} */
  #drawn = new Map();

  /**
   * @param {Need} root
   * @param {{seed: string, count: number, paddingBytes: number, budget: Budget}} options
   */
  constructor(root, { seed, count, paddingBytes, budget }) {
    this.root = root;
    this.budget = budget;
    this.seed = seed;
    this.distinct = Math.max(2, Math.ceil(count / SHARED_BY));
    this.paddingBytes = paddingBytes;
    for (const need of allNeeds(root)) {
      // CouchDB refuses other names of its own in what is written.
      if (isReserved(need)) continue;
      this.#candidates.set(need.path, candidatesOf(need));
    }
    if (!root.members.has('_id')) this.#candidates.set('._id', [{ kind: 'text', before: 'doc-', after: '' }]);
  }

  /** @returns {[string, Candidate[]][]} each part that can be more than one thing */
  open() {
    return [...this.#candidates].filter(([, candidates]) => candidates.length > 1);
  }

  /**
   * @param {Choice} choice
   * @param {number} number of the document, from 0
   * @returns {MadeDocument}
   */
  write(choice, number) {
    const members = /** @type {Record<string, unknown>} */ (this.#object(this.root, choice, number));
    const { _id, ...others } = members;
    return { _id: this.#id(choice, number), ...others, ...this.#padding(number) };
  }

  /** @param {Choice} choice @param {number} number @returns {string} */
  #id(choice, number) {
    const candidate = this.#chosen('._id', choice);
    if (candidate.kind === 'pattern') return this.#pattern(candidate.pattern, `id ${number}`, String(number));
    const { before, after } = candidate.kind === 'text' ? candidate : { before: 'doc-', after: '' };
    const digits = Math.max(MIN_DIGITS, ID_LENGTH - before.length - after.length);
    return `${before}${String(number).padStart(digits, '0')}${after}`;
  }

  /** @param {number} number @returns {Record<string, unknown>} text that the map does not read */
  #padding(number) {
    const name = PADDING_NAMES.find((word) => !this.root.members.has(word));
    if (this.paddingBytes <= 0 || name === undefined) return {};
    let text = '';
    for (let part = 0; text.length < this.paddingBytes; part += 1) text += hashText(`${this.seed} ${number} ${part}`);
    return { [name]: text.slice(0, this.paddingBytes) };
  }

  /** @param {string} path @param {Choice} choice @returns {Candidate} */
  #chosen(path, choice) {
    const candidates = this.#candidates.get(path) ?? [];
    return candidates[choice.get(path) ?? 0] ?? { kind: 'absent' };
  }

  /**
   * @param {Need} need
   * @param {Choice} choice
   * @param {number} number
   * @returns {Record<string, unknown>}
   */
  #object(need, choice, number) {
    /** @type {[string, unknown][]} */
    const members = [];
    for (const [name, member] of need.members) {
      if (isReserved(member)) continue;
      const value = this.#value(member, choice, number);
      if (value !== undefined) members.push([name, value]);
    }
    // Names such as `__proto__` are names like others.
    return Object.fromEntries(members);
  }

  /**
   * @param {Need} need
   * @param {Choice} choice
   * @param {number} number
   * @returns {unknown} undefined where it is to be absent
   */
  #value(need, choice, number) {
    this.budget.count();
    const candidate = this.#chosen(need.path, choice);
    switch (candidate.kind) {
      case 'literal':
        return candidate.value;
      case 'text':
        return `${candidate.before}${String(this.#draw(need.path, number)).padStart(5, '0')}${candidate.after}`;
      case 'pattern':
        return this.#pattern(candidate.pattern, `${need.path} ${this.#draw(need.path, number)}`);
      case 'filled':
        return String(this.#draw(need.path, number)).padStart(candidate.length, '0').slice(0, candidate.length);
      case 'number':
        return candidate.from + (number % candidate.width);
      case 'date':
        return new Date(START + number * STEP_MS).toISOString();
      case 'moment':
        return START + number * STEP_MS;
      case 'array':
        return Array.from({ length: candidate.length }, (_, at) => this.#item(need, choice, number + at));
      case 'table':
        return Object.fromEntries([
          ...Object.entries(this.#object(need, choice, number)),
          ...TABLE_NAMES.map((name, at) => [name, this.#item(need, choice, number + at)]),
        ]);
      case 'object':
        return this.#object(need, choice, number);
      default:
        return undefined;
    }
  }

  /**
   * @param {Need} need
   * @param {Choice} choice
   * @param {number} number
   * @returns {unknown}
   */
  #item(need, choice, number) {
    if (need.item) return this.#value(need.item, choice, number) ?? null;
    return `${need.name}-${String(this.#draw(need.path, number)).padStart(5, '0')}`;
  }

  /** @param {string} pattern @param {string} which @param {string} [digits] @returns {string} */
  #pattern(pattern, which, digits) {
    return matchPattern(pattern, createRandom(`${this.seed} ${which}`), digits) ?? which;
  }

  /** @param {string} path @param {number} number @returns {number} below the number of distinct texts */
  #draw(path, number) {
    const known = this.#drawn.get(path) ?? [];
    this.#drawn.set(path, known);
    known[number] ??= Number.parseInt(hashText(`${this.seed} ${path} ${number}`).slice(0, 8), 16) % this.distinct;
    return known[number];
  }
}

/** @param {Need} need @returns {boolean} */
function isReserved({ name, depth }) {
  return depth === 1 && name.startsWith('_') && name !== '_id' && name !== '__proto__';
}
