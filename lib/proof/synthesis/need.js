// A tree of what a map needs of the parts of its documents. Knows neither syntax trees nor documents.

/** @typedef {'string' | 'number' | 'boolean' | 'object' | 'array' | 'table' | 'date'} Kind `table`: an object whose names are data */

/** Members of made documents are not nested deeper. */
const DEEPEST = 12;

/** What is needed of one part. */
export class Need {
  /** @type {Map<string, Need>} */
  members = new Map();
  /** Of a list, or of a table: what each of its items is. @type {Need | undefined} */
  item;
  /** What the code takes it for. @type {Set<Kind>} */
  kinds = new Set();
  /** What it is compared with. @type {Set<string | number | boolean | null>} */
  literals = new Set();
  /** Texts that are looked for in it. @type {Set<string>} */
  parts = new Set();
  /** Texts that it begins with, from an offset. @type {Map<string, number>} */
  starts = new Map();
  /** Texts that it ends with. @type {Set<string>} */
  ends = new Set();
  /** Regular expressions that it is compared with. @type {Set<string>} */
  patterns = new Set();
  /** Where it is split, and what the pieces are compared with. @type {Map<string, Map<number, string | undefined>>} */
  splits = new Map();
  /** Numbers that it is larger or smaller than. @type {Set<number>} */
  bounds = new Set();
  /** Numbers that its length is compared with. @type {Set<number>} */
  lengths = new Set();

  /** @param {string} name @param {string} path @param {number} depth */
  constructor(name, path, depth) {
    this.name = name;
    this.path = path;
    this.depth = depth;
  }

  /** @param {string} name @returns {Need | undefined} undefined where it would be nested too deeply */
  member(name) {
    let member = this.members.get(name);
    if (!member && this.depth < DEEPEST) {
      member = new Need(name, `${this.path}.${name}`, this.depth + 1);
      this.members.set(name, member);
    }
    return member;
  }

  /** @returns {Need | undefined} */
  items() {
    if (!this.item && this.depth < DEEPEST) this.item = new Need(this.name, `${this.path}[]`, this.depth + 1);
    return this.item;
  }

  /** @param {string} separator @param {number} at @param {string} [piece] */
  split(separator, at, piece) {
    const pieces = this.splits.get(separator) ?? new Map();
    this.splits.set(separator, pieces);
    if (piece !== undefined || !pieces.has(at)) pieces.set(at, piece);
  }
}

/** @returns {Need} of a whole document */
export function wholeDocument() {
  return new Need('', '', 0);
}

/**
 * @param {Need} root
 * @returns {Need[]} it and all below, outer ones first
 */
export function allNeeds(root) {
  const found = [root];
  for (let at = 0; at < found.length; at += 1) {
    const need = /** @type {Need} */ (found[at]);
    found.push(...need.members.values(), ...(need.item ? [need.item] : []));
  }
  return found;
}
