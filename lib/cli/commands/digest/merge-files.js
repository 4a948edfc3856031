// Reads kept digests and partial ones, from files and from standard input, and merges them.

import path from 'node:path';
import { Digest } from '../../../digest/digest.js';
import { mergeDigest } from '../../../digest/merge.js';
import { digestFromJson } from '../../../digest/read-digest.js';
import { UserError } from '../../../shared/user-error.js';
import { linesOf } from '../../../sources/lines.js';
import { readSmallFile } from '../../read-small-file.js';

/** @import { Surroundings } from '../../main.js' */

/** Of a digest, or of many, one a line. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * @param {string[]} paths digest files; `-` for partial digests on standard input, one a line
 * @param {Pick<Surroundings, 'cwd' | 'stdin'>} surroundings
 * @returns {Promise<{digest: Digest, errors: UserError[], files: never[]}>} no logs were read
 */
export async function mergeFiles(paths, { cwd, stdin }) {
  /** @type {Digest | undefined} */
  let whole;
  /** @type {UserError[]} */
  const errors = [];
  /** @param {string} text @param {string} source */
  const add = (text, source) => {
    try {
      const part = digestFromJson(parse(text, source), source);
      if (whole) mergeDigest(whole, part);
      else whole = part;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      errors.push(error);
    }
  };
  for (const given of paths) {
    if (given === '-') {
      let number = 0;
      for await (const line of linesOf(stdin)) {
        number += 1;
        if (line.trim() !== '') add(line, `line ${number} of standard input`);
      }
      continue;
    }
    try {
      for (const text of documentsIn(
        readSmallFile(path.resolve(cwd, given), { allowsPipe: true, maxBytes: MAX_BYTES }),
      ))
        add(text, given);
    } catch (error) {
      const { code = 'unknown' } = /** @type {NodeJS.ErrnoException} */ (error);
      errors.push(new UserError('unreadable', `cannot read ${given} (${code})`, { hint: 'check the path' }));
    }
  }
  whole?.finish();
  return { digest: whole ?? new Digest(), errors, files: [] };
}

/**
 * @param {string} text of a file
 * @returns {string[]} one digest, or one a line
 */
function documentsIn(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.every((line) => line.startsWith('{') && /\}\s*$/.test(line)) ? lines : [text];
}

/**
 * @param {string} text
 * @param {string} source
 * @returns {unknown}
 * @throws {UserError} of code `bad-digest`
 */
function parse(text, source) {
  try {
    return JSON.parse(text);
  } catch {
    throw new UserError('bad-digest', `${source} is not a digest: it is not valid JSON`, {
      hint: 'create one with `npx --no-install couch-advisor digest LOG --output digest.json`',
    });
  }
}
