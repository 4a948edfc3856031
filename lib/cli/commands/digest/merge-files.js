// Reads kept digests and partial ones, from files and from standard input, and merges them.

import path from 'node:path';
import { Digest } from '../../../digest/digest.js';
import { mergeDigest } from '../../../digest/merge.js';
import { digestFromJson } from '../../../digest/read-digest.js';
import { linesOf } from '../../../files/lines.js';
import { MAX_BYTES, streamFile, tooLarge, unreadable } from '../../../files/open-file.js';
import { parseBounded } from '../../../shared/bounded-json.js';
import { MAX_VALUES } from '../../../shared/parse-json.js';
import { UserError } from '../../../shared/user-error.js';

/** @import { Surroundings } from '../../main.js' */

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
    try {
      const stream = given === '-' ? stdin : streamFile(path.resolve(cwd, given), { isNamed: true });
      for await (const { text, line } of digestsIn(stream, given === '-')) {
        const source = given === '-' ? 'standard input' : given;
        add(text, line === undefined ? source : `line ${line} of ${source}`);
      }
    } catch (error) {
      errors.push(unreadable(given, error));
    }
  }
  whole?.finish();
  return { digest: whole ?? new Digest(), errors, files: [] };
}

/**
 * @param {AsyncIterable<Buffer | string>} stream
 * @param {boolean} isByLine whether each line is one, even one that is cut
 * @returns {AsyncGenerator<{text: string, line: number | undefined}>} one digest that takes all lines, or one a line
 */
async function* digestsIn(stream, isByLine) {
  /** Lines of one digest. @type {string[]} */
  const lines = [];
  let size = 0;
  let number = 0;
  for await (const line of linesOf(stream)) {
    number += 1;
    if (line.trim() === '') continue;
    if (isByLine || (lines.length === 0 && /^\{.*\}\s*$/.test(line))) {
      yield { text: line, line: number };
      continue;
    }
    lines.push(line);
    size += line.length;
    if (size > MAX_BYTES) throw tooLarge(MAX_BYTES);
  }
  if (lines.length > 0) yield { text: lines.join('\n'), line: undefined };
}

/**
 * @param {string} text
 * @param {string} source
 * @returns {unknown}
 * @throws {UserError} of code `bad-digest`
 */
function parse(text, source) {
  const hint = 'create one with `npx --no-install couch-advisor digest LOG --output digest.json`';
  try {
    return parseBounded(text, source, { hint, maxValues: MAX_VALUES });
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError('bad-digest', `${source} is not a digest: it is not valid JSON`, { hint });
  }
}
