// `couch-advisor digest`: shows what logs say about queries, as a table and as a file; makes and merges partial
// digests.

import { digestToJson } from '../../../digest/digest-json.js';
import { settleParts } from '../../../digest/parts.js';
import { digestLogs } from '../../../digest/run/digest-logs.js';
import { digestDocument } from '../../../reports/digest.js';
import { documentFormats } from '../../../reports/document/index.js';
import { renderPrometheusDigest } from '../../../reports/prometheus.js';
import { stringifyJson } from '../../../reports/stringify-json.js';
import { UserError } from '../../../shared/user-error.js';
import { describeError } from '../../describe-error.js';
import { readDestinations, writeReports } from '../../destinations.js';
import { EXIT } from '../../exit-codes.js';
import { describeSelection, readSelection, refuseSelection } from '../../log-selection.js';
import { CLEAR_LINE, progressLine } from '../../progress-line.js';
import { mergeFiles } from './merge-files.js';

/** @import { ReadFile, ReportedDigest } from '../../../reports/digest.js' */
/** @import { Surroundings } from '../../main.js' */

/**
 * @typedef {object} DigestCommandOptions
 * @property {string[]} [format]
 * @property {string[]} [output]
 * @property {string} [logFormat]
 * @property {string} [logField]
 * @property {boolean} [fold]
 * @property {boolean} [merge]
 * @property {boolean} [partial]
 * @property {boolean} [compare]
 * @property {string} [pathPrefix]
 * @property {boolean} [keepValues]
 * @property {string} [begin]
 * @property {string} [end]
 * @property {string[]} [exclude]
 * @property {number} [threads]
 * @property {string} [stdinFilename]
 * @property {string} [part]
 * @property {boolean} [color]
 */

/** @typedef {{json: Record<string, unknown>, files: ReadFile[], selection: string}} Printed */

const formats = documentFormats(
  (/** @type {Printed} */ { json, files, selection }) => digestDocument(readable(json), files, selection),
  ({ json }) => json,
).set('prometheus', {
  description: 'requests and times by query, for the node exporter',
  endings: ['.prom'],
  render: async ({ json }) => renderPrometheusDigest(readable(json)),
});

/** @param {Record<string, unknown>} json @returns {ReportedDigest} the same, as reports know it */
function readable(json) {
  return /** @type {ReportedDigest} */ (/** @type {unknown} */ (json));
}

/**
 * @param {DigestCommandOptions} options
 * @param {string[]} given logs; digests with `--merge`
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 * @throws {UserError} where there is nothing to read
 */
export async function run(options, given, surroundings) {
  if (options.compare) {
    // Loaded for this option only.
    const { compareGiven } = await import('./compare.js');
    return compareGiven(options, given, surroundings);
  }
  const { cwd, stdout, stderr } = surroundings;
  const destinations = readDestinations(options, formats);
  const paths = given.length === 0 && options.partial ? ['-'] : given;
  if (paths.length === 0) {
    throw new UserError('nothing-to-read', 'no log file given', {
      hint: 'npx --no-install couch-advisor digest /var/log/couchdb/couch.log',
    });
  }
  if (options.merge) refuseSelection(options);
  const { digest, errors, files } = options.merge
    ? await mergeFiles(paths, surroundings)
    : await digestLogs({
        paths,
        isNamed: true,
        cwd,
        stdin: surroundings.stdin,
        stdinName: options.stdinFilename,
        part: readPartNumber(options.part),
        format: options.logFormat,
        field: options.logField,
        threads: options.threads || undefined,
        now: Date.now(),
        options: {
          fold: options.fold,
          pathPrefix: options.pathPrefix,
          keepValues: options.keepValues,
          ...readSelection(options),
        },
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
  await writeReports({ json, files, selection: describeSelection(options) }, destinations, options, surroundings);
  return errors.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
}

/** @param {{path: string}} file @returns {UserError} */
function notALog({ path: file }) {
  return new UserError('not-a-log', `no line of ${file} matches a known log format`, {
    hint: 'force a format with --log-format; `npx --no-install couch-advisor digest --help` lists them',
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
