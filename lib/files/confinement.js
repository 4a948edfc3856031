// Confines reading to some folders, for a process that works for a program which may be led by what it reads.

import path from 'node:path';
import { isWithin, realOf } from './links.js';

/** Without links; undefined where anything may be read. @type {readonly string[] | undefined} */
let allowed;

/**
 * Holds for this process from now on.
 * @param {readonly string[] | undefined} folders absolute; undefined ends it
 */
export function confineReading(folders) {
  allowed = folders?.flatMap((folder) => realOf(folder) ?? []);
}

/**
 * @param {string} file absolute
 * @returns {boolean} whether it may be read or listed, wherever links on the way lead
 */
export function mayRead(file) {
  if (!allowed) return true;
  // What does not exist cannot be read either; its error says so.
  const real = realOf(file) ?? path.resolve(realOf(path.dirname(file)) ?? path.dirname(file), path.basename(file));
  return allowed.some((folder) => isWithin(folder, real));
}
