// `couch-advisor digest --compare OLD … NEW`: reads two or more logs or kept digests, and prints what changed between them.

import path from 'node:path';
import { compareDigests } from '../../../digest/compare/compare-digests.js';
import { compareSeveral } from '../../../digest/compare/compare-several.js';
import { settleParts } from '../../../digest/parts.js';
import { digestLogs } from '../../../digest/run/digest-logs.js';
import { realOf } from '../../../files/links.js';
import { readHead } from '../../../files/open-file.js';
import { compareDocument } from '../../../reports/digest-compare.js';
import { documentFormats } from '../../../reports/document/index.js';
import { attempt } from '../../../shared/attempt.js';
import { UserError } from '../../../shared/user-error.js';
import { describeError } from '../../describe-error.js';
import { readDestinations, writeReports } from '../../destinations.js';
import { EXIT } from '../../exit-codes.js';
import { readSelection, refuseSelection } from '../../log-selection.js';
import { CLEAR_LINE, progressLine } from '../../progress-line.js';
import { mergeFiles } from './merge-files.js';

/** @import { Digest } from '../../../digest/digest.js' */
/** @import { ReportedComparison } from '../../../reports/digest-compare.js' */
/** @import { DigestCommandOptions } from './run.js' */
/** @import { Surroundings } from '../../main.js' */

/** @typedef {{name: string, digest: Digest, formats: string[], errors: UserError[]}} Input */

const formats = documentFormats(
  (/** @type {Record<string, unknown>} */ json) =>
    compareDocument(/** @type {ReportedComparison} */ (/** @type {unknown} */ (json))),
  (json) => json,
);

/** A digest begins so, whether it was kept or is partial; a HAR file does not. */
const BEGINS_DIGEST = /^\s*\{\s*"version"\s*:/;
const HEAD_BYTES = 200;
const EXAMPLE = 'npx --no-install couch-advisor digest --compare monday.log tuesday.log';

/**
 * @param {DigestCommandOptions} options
 * @param {string[]} given the oldest first
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 * @throws {UserError} where these cannot be compared at all
 */
export async function compareGiven(options, given, surroundings) {
  const { cwd, stderr } = surroundings;
  checkArguments(options, given, cwd);
  const destinations = readDestinations(options, formats);
  /** @type {Input[]} */
  const inputs = [];
  for (const one of given) inputs.push(await readInput(one, options, surroundings));
  const errors = inputs.flatMap((input) => input.errors);
  stderr.write(errors.map(describeError).join(''));
  // What was wrong with it was printed.
  if (inputs.some(({ digest, errors: own }) => own.length > 0 && digest.lines.requests === 0)) return EXIT.INCOMPLETE;
  const [old, fresh] = /** @type {[Input, Input]} */ (inputs);
  const json = inputs.length > 2 ? compareSeveral(inputs) : compareDigests(old, fresh);
  await writeReports(json, destinations, options, surroundings);
  return errors.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
}

/**
 * @param {DigestCommandOptions} options
 * @param {string[]} given
 * @param {string} cwd
 * @throws {UserError}
 */
function checkArguments(options, given, cwd) {
  for (const name of /** @type {const} */ (['merge', 'partial', 'part'])) {
    if (options[name] === undefined || options[name] === false) continue;
    throw new UserError('conflicting-options', `--compare cannot be combined with --${name}`, {
      hint: 'each may be a log, a kept digest or a file of partial digests',
    });
  }
  if (given.length < 2) {
    throw new UserError(
      'bad-arguments',
      `--compare needs at least two logs or digests, the oldest first, not ${given.length}`,
      {
        hint: `${EXAMPLE}; quote globs`,
      },
    );
  }
  const files = given.map((one) => (one === '-' ? one : (realOf(path.resolve(cwd, one)) ?? path.resolve(cwd, one))));
  const twice = given.find((_, at) => files.indexOf(files[at] ?? '') !== at);
  if (twice === undefined) return;
  throw new UserError('bad-arguments', `--compare needs different inputs: ${twice} is given twice`, { hint: EXAMPLE });
}

/**
 * @param {string} given a log, a glob of logs, `-`, or a digest
 * @param {DigestCommandOptions} options
 * @param {Surroundings} surroundings
 * @returns {Promise<Input>}
 */
async function readInput(given, options, { cwd, stdin, stderr }) {
  if (given !== '-' && BEGINS_DIGEST.test(headOf(path.resolve(cwd, given)))) {
    refuseSelection(options);
    const { digest, errors } = await mergeFiles([given], { cwd, stdin });
    settleParts(digest);
    return { name: given, digest, formats: [], errors };
  }
  const { digest, errors, files } = await digestLogs({
    paths: [given],
    isNamed: true,
    cwd,
    stdin,
    stdinName: options.stdinFilename,
    format: options.logFormat,
    field: options.logField,
    threads: options.threads || undefined,
    now: Date.now(),
    options: { fold: options.fold, pathPrefix: options.pathPrefix, ...readSelection(options) },
    onProgress: stderr.isTTY ? progressLine(stderr) : undefined,
  });
  if (stderr.isTTY) stderr.write(CLEAR_LINE);
  for (const { path: file, format, lines } of files) {
    if (format || lines === 0) continue;
    errors.push(
      new UserError('not-a-log', `${file} is neither a digest nor a log: no line matches a known format`, {
        hint: 'force a format with --log-format; `npx --no-install couch-advisor digest --help` lists them',
      }),
    );
  }
  return { name: given, digest, formats: files.flatMap(({ format }) => (format ? [format] : [])), errors };
}

/**
 * @param {string} file
 * @returns {string} how it begins; empty where it cannot be read, which its reader reports
 */
function headOf(file) {
  return attempt(() => readHead(file, HEAD_BYTES).toString('latin1'), '');
}
