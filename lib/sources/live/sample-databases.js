// Chooses which of many databases of a server are read in full. Those of one name pattern (one database per user) mostly
// are alike, so some of each speak for the others.

import { foldDatabase } from '../../shared/fold-database.js';
import { groupBy } from '../../shared/group-by.js';
import { hashText } from '../../shared/hash-text.js';

/** Databases of each name pattern that are read in full. */
export const PER_PATTERN = 100;
/** Requests of a run, at which the design documents of further databases are left out: 40 seconds at the usual rate. */
export const MAX_REQUESTS = 2000;

/**
 * @param {string[]} names of databases
 * @param {{named: string[], perPattern: number}} options `named`: those that the user names are always read in full
 * @returns {{full: string[], rest: string[]}} `full`: in the order of the names; `rest`: in that in which they are read as far as
 *   requests are left. Which are chosen depends on the names alone
 */
export function chooseDatabases(names, { named, perPattern }) {
  const always = new Set(named);
  /** @type {string[]} */
  const rest = [];
  for (const group of groupBy(names, foldDatabase).values()) {
    if (group.length <= perPattern) continue;
    const open = inOrderOfHash(group.filter((name) => !always.has(name)));
    rest.push(...open.slice(Math.max(0, perPattern - (group.length - open.length))));
  }
  const left = new Set(rest);
  return { full: names.filter((name) => !left.has(name)), rest: inOrderOfHash(rest) };
}

/** @param {string[]} names @returns {string[]} */
function inOrderOfHash(names) {
  const hashed = names.map((name) => ({ name, hash: hashText(name) }));
  return hashed.sort((a, b) => (a.hash < b.hash ? -1 : Number(a.hash > b.hash))).map(({ name }) => name);
}
