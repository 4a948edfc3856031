// Lays out a server's response as a file: its JSON in lines, at its own address, so that places mean something to
// people.

import { isDeeperThan } from '../../shared/nesting.js';
import { SourceFile } from '../../shared/source-file.js';
import { parseJsonTree } from '../design-docs/value-tree.js';
import { member, nodePlace } from '../record.js';

/** @import { ReadError, ValueNode } from '../record.js' */
/** @import { Shown } from './record.js' */

/** As deep as the reader of design documents goes. Laid out in lines, what is deeper grows with the square of its depth. */
const MAX_LEVELS = 500;

/**
 * @param {string} address
 * @param {unknown} answer as JSON was read
 * @returns {SourceFile | undefined} undefined where it is nested too deep to be shown
 */
export function showAnswer(address, answer) {
  return isTooDeep(answer) ? undefined : new SourceFile(address, `${JSON.stringify(answer, null, 2)}\n`);
}

/**
 * @param {SourceFile} file
 * @returns {Shown['placeOf']} read when the first place is needed: most answers have nothing to be found in them
 */
export function createPlaceOf(file) {
  /** @type {ValueNode | undefined} */
  let root;
  return (...members) => {
    root ??= parseJsonTree(file).node;
    let node = root;
    for (const name of members) {
      const found = member(node, name);
      if (!found) break;
      node = found;
    }
    return node && node !== root ? nodePlace(node) : file.place(0);
  };
}

/**
 * @param {string} address
 * @returns {ReadError}
 */
export function tooDeep(address) {
  return {
    code: 'json-too-deep',
    message: `${address} is nested more than ${MAX_LEVELS} levels deep and is not read`,
    place: { file: address, line: 1, column: 1 },
    hint: 'look at it with curl: it is hardly what somebody meant to save',
  };
}

/**
 * @param {unknown} value
 * @returns {boolean} whether it is nested deeper than is shown
 */
export function isTooDeep(value) {
  return isDeeperThan(value, MAX_LEVELS);
}
