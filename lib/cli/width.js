// Decides how wide lines may be.

/** @import { Surroundings } from './main.js' */

const USUAL_WIDTH = 80;
const MIN_WIDTH = 40;
/** Longer lines are hard to read, however wide the terminal is. */
const GREATEST_WIDTH = 100;

/**
 * @param {Surroundings['stdout']} stdout
 * @returns {number} columns for text that people read
 */
export function lineWidth({ columns = USUAL_WIDTH }) {
  return Math.max(MIN_WIDTH, Math.min(columns, GREATEST_WIDTH));
}
