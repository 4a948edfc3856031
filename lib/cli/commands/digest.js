// `couch-advisor digest`: shows what logs say about queries, as a table and as a file; makes and merges partial
// digests.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Digest } from '../../digest/digest.js';
import { digestToJson } from '../../digest/digest-json.js';
import { mergeDigest } from '../../digest/merge.js';
import { settleParts } from '../../digest/parts.js';
import { digestFromJson } from '../../digest/read-digest.js';
import { digestLogs } from '../../digest/run/digest-logs.js';
import { renderDigestText } from '../../reports/digest-text.js';
import { stringifyJson } from '../../reports/stringify-json.js';
import { UserError } from '../../shared/user-error.js';
import { wantsColor } from '../colors.js';
import { describeError } from '../describe-error.js';
import { EXIT } from '../exit-codes.js';
import { CLEAR_LINE, progressLine } from '../progress-line.js';
import { writeFileAtomically } from '../write-file.js';

/** @import { Readable } from 'node:stream' */
/** @import { ReportedDigest } from '../../reports/digest-text.js' */
/** @import { Surroundings } from '../main.js' */

/**
 * @typedef {object} DigestCommandOptions
 * @property {'text' | 'json'} [format]
 * @property {string} [output]
 * @property {string} [logFormat]
 * @property {boolean} [fold]
 * @property {boolean} [merge]
 * @property {boolean} [partial]
 * @property {string} [pathPrefix]
 * @property {boolean} [keepValues]
 * @property {number} [threads]
 * @property {string} [stdinFilename]
 * @property {string} [part]
 * @property {boolean} [color]
 */

const LINE_FEED = 10;

/**
 * @param {DigestCommandOptions} options
 * @param {string[]} given logs; digests with `--merge`
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 * @throws {UserError} where there is nothing to read
 */
export async function run(options, given, surroundings) {
  const { cwd, stdout, stderr } = surroundings;
  const paths = given.length === 0 && options.partial ? ['-'] : given;
  if (paths.length === 0) {
    throw new UserError('nothing-to-read', 'no log file given', {
      hint: 'couch-advisor digest /var/log/couchdb/couch.log',
    });
  }
  const { digest, errors, files } = options.merge
    ? await mergeFiles(paths, surroundings)
    : await digestLogs({
        paths,
        cwd,
        stdin: surroundings.stdin,
        stdinName: options.stdinFilename,
        part: readPartNumber(options.part),
        format: options.logFormat,
        threads: options.threads || undefined,
        now: Date.now(),
        options: { fold: options.fold, pathPrefix: options.pathPrefix, keepValues: options.keepValues },
        onProgress: stderr.isTTY ? progressLine(stderr) : undefined,
      });
  if (stderr.isTTY && !options.merge) stderr.write(CLEAR_LINE);
  // Of a part of a log it may be that no line fits.
  if (!options.partial) errors.push(...files.filter(({ format, lines }) => !format && lines > 0).map(notALog));
  stderr.write(errors.map(describeError).join(''));
  // What is partial may be one of several parts of a file.
  if (!options.partial) settleParts(digest);
  const json = digestToJson(digest);
  if (options.partial) {
    stdout.write(stringifyJson(json, 0));
    return errors.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
  }
  if (options.output !== undefined) {
    writeFileAtomically(path.resolve(cwd, options.output), stringifyJson(json), options.output);
  }
  if (options.format === 'json') stdout.write(stringifyJson(json));
  else {
    const reported = /** @type {ReportedDigest} */ (/** @type {unknown} */ (json));
    const color = wantsColor(options, surroundings);
    stdout.write(renderDigestText(reported, { color, files, width: stdout.columns }));
  }
  return errors.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
}

/** @param {{path: string}} file @returns {UserError} */
function notALog({ path: file }) {
  return new UserError('not-a-log', `no line of ${file} matches a known log format`, {
    hint: 'force a format with --log-format; `couch-advisor digest --help` lists them',
  });
}

/**
 * @param {string | undefined} written
 * @returns {number | 'first-line' | undefined}
 * @throws {UserError} of code `bad-part`
 */
function readPartNumber(written) {
  if (written === undefined || written === 'first-line') return written;
  if (/^\d{1,15}$/.test(written)) return Number(written);
  throw new UserError('bad-part', 'invalid --part: must be a whole number or first-line', {
    hint: 'for example the byte offset at which the part starts',
  });
}

/**
 * @param {string[]} paths digest files; `-` for partial digests on standard input, one a line
 * @param {Surroundings} surroundings
 * @returns {Promise<{digest: Digest, errors: UserError[], files: never[]}>} no logs were read
 */
async function mergeFiles(paths, { cwd, stdin }) {
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
      for (const text of documentsIn(readFileSync(path.resolve(cwd, given), 'utf8'))) add(text, given);
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
      hint: 'create one with `couch-advisor digest LOG --output digest.json`',
    });
  }
}

/**
 * @param {Readable} stream
 * @returns {AsyncIterable<string>}
 */
async function* linesOf(stream) {
  /** @type {Buffer[]} */
  let parts = [];
  for await (const piece of stream) {
    let chunk = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let feed = chunk.indexOf(LINE_FEED); feed !== -1; feed = chunk.indexOf(LINE_FEED)) {
      yield Buffer.concat([...parts, chunk.subarray(0, feed)]).toString('utf8');
      parts = [];
      chunk = chunk.subarray(feed + 1);
    }
    if (chunk.length > 0) parts.push(chunk);
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString('utf8');
}
