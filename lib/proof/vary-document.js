// Varies documents that a map emits for: other values of the same kind, or of another. Runs nothing.

import { drawValue } from './trial-values.js';

/** @import { RandomSource } from '../shared/seeded-random.js' */
/** @import { ValueSpec } from './trial-values.js' */

/** A place in a document: names of members and numbers of items, from the outside in. @typedef {(string | number)[]} DocumentPath */

/** Places of one document that are looked at, items of a list, and levels. */
const MAX_PLACES = 16;
const MAX_ITEMS = 2;
const MAX_DEPTH = 5;

/** Numbers as fields hold them: none that a double cannot count on from, for what rounding does to those is no fault of a reduce. */
const NUMBERS = [0, 1, 2, 3, 4, 5, 7, 12, -1, -4, 0.5, 1.5, 19.99, -2.25, 49, 100, 1000, -41.5, 86_400];
const STRINGS = ['', 'pear', 'apple', 'quince', 'Plum', 'a pear and a plum', 'é', '10', '9'];
const DAYS = [0, 1, 30, 400, 8000];
const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}/;

/**
 * @param {unknown} document
 * @returns {DocumentPath[]} places of its strings, numbers, booleans and nulls, without the id and what else CouchDB reserves
 */
export function scalarPlaces(document) {
  /** @type {DocumentPath[]} */
  const places = [];
  /** @param {unknown} value @param {DocumentPath} path */
  const visit = (value, path) => {
    if (places.length >= MAX_PLACES || path.length > MAX_DEPTH) return;
    if (typeof value !== 'object' || value === null) {
      if (path.length > 0) places.push(path);
    } else if (Array.isArray(value)) {
      for (const [at, item] of value.slice(0, MAX_ITEMS).entries()) visit(item, [...path, at]);
    } else {
      for (const [name, member] of Object.entries(value)) {
        if (path.length > 0 || !name.startsWith('_')) visit(member, [...path, name]);
      }
    }
  };
  visit(document, []);
  return places;
}

/**
 * @param {unknown} document
 * @param {DocumentPath} path
 * @param {unknown} value undefined removes a member, or an item
 * @returns {unknown} a copy that holds the value there
 */
export function withValueAt(document, [name, ...rest], value) {
  if (name === undefined) return value;
  if (Array.isArray(document)) {
    const inner = withValueAt(document[Number(name)], rest, value);
    const items = document.map((item, at) => (at === name ? inner : item));
    return inner === undefined ? items.filter((_, at) => at !== name) : items;
  }
  const holder = /** @type {Record<string, unknown>} */ (
    typeof document === 'object' && document !== null ? document : {}
  );
  const members = new Map(Object.entries(holder));
  const inner = withValueAt(members.get(String(name)), rest, value);
  if (inner === undefined) members.delete(String(name));
  else members.set(String(name), inner);
  // Names such as `__proto__` are names like others.
  return Object.fromEntries(members);
}

/**
 * @param {unknown} old
 * @param {RandomSource} random
 * @param {readonly unknown[]} literals what the functions compare with, and values beside it
 * @returns {unknown} another value of the same kind: a date for a date, a string for a string
 */
export function drawAlike(old, random, literals) {
  if (typeof old === 'boolean') return !old;
  if (typeof old !== 'number' && typeof old !== 'string') return old;
  const fitting = literals.filter((value) => typeof value === typeof old);
  if (fitting.length > 0 && random.below(4) === 0) return random.pick(fitting);
  if (typeof old === 'number') return random.pick(NUMBERS);
  if (!DATE.test(old)) return random.pick(STRINGS);
  const moved = new Date(Date.UTC(2020, 0, 1) + random.pick(DAYS) * DAY_MS).toISOString();
  return moved.slice(0, old.length);
}

/**
 * @param {ValueSpec} kind
 * @param {RandomSource} random
 * @returns {unknown} a value of this kind as fields hold it
 */
export function drawOfKind(kind, random) {
  switch (kind.kind) {
    case 'number':
      return random.pick(NUMBERS);
    case 'string':
      return random.pick(STRINGS);
    case 'array':
      return kind.items.map((item) => drawOfKind(item, random));
    case 'list':
      return Array.from({ length: 1 + random.below(3) }, () => drawOfKind(kind.of, random));
    case 'object':
      return Object.fromEntries(kind.members.map(([name, of]) => [name, drawOfKind(of, random)]));
    default:
      return drawValue(kind, random);
  }
}

/**
 * @param {unknown} document
 * @returns {DocumentPath[]} places of its lists, outer ones first
 */
export function arrayPlaces(document) {
  /** @type {DocumentPath[]} */
  const places = [];
  /** @param {unknown} value @param {DocumentPath} path */
  const visit = (value, path) => {
    if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH || places.length >= MAX_PLACES) return;
    if (Array.isArray(value)) places.push(path);
    else for (const [name, member] of Object.entries(value)) visit(member, [...path, name]);
  };
  visit(document, []);
  return places;
}

/**
 * @param {unknown} list
 * @param {RandomSource} random
 * @returns {unknown} the list with fewer items, or with some of them again; one item is the likeliest
 */
export function resized(list, random) {
  if (!Array.isArray(list) || list.length === 0) return list;
  const length = random.pick([1, 1, 2, 3, 5]);
  return Array.from({ length }, (_, at) => structuredClone(list[at % list.length]));
}
