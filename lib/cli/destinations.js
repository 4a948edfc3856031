// Decides from `--format` and `--output` which report goes to which file, and writes the reports.

import path from 'node:path';
import { nearest } from '../shared/nearest.js';
import { UserError } from '../shared/user-error.js';
import { wantsColor } from './colors.js';
import { writeFileAtomically } from './write-file.js';

/** @import { Format } from '../reports/index.js' */
/** @import { Report } from '../reports/report.js' */
/** @import { Surroundings } from './main.js' */

/**
 * @template [Result=Report]
 * @typedef {{format: Format<Result>, file: string | undefined}} Destination standard output where it names no file
 */

/**
 * `--format NAME` prints, `--format NAME=FILE` and `--output NAME:FILE` write a file, and so does `--output FILE` in the format that its ending names. A
 * format that is written to a file of `--output` is not printed as well.
 * @template [Result=Report]
 * @param {{format?: string[], output?: string[]}} options
 * @param {ReadonlyMap<string, Format<Result>>} available
 * @returns {Destination<Result>[]} the one for standard output first, so that it is seen whatever becomes of the files
 * @throws {UserError} where a format does not exist or is not known, or two would go to one place
 */
export function readDestinations({ format, output = [] }, available) {
  const given = (format ?? ['text']).map((written) => {
    const [name = '', ...rest] = written.split('=');
    return { name, format: findFormat(name, available), file: rest.length > 0 ? rest.join('=') : undefined };
  });
  const printed = given.filter(({ file }) => file === undefined).at(-1);
  const files = output.map((written) =>
    readOutput(written, available, format === undefined ? undefined : printed?.name),
  );
  const written = new Set(files.map((one) => one.format));
  const all = [...given.filter((one) => one.file !== undefined || !written.has(one.format)), ...files];
  if (all.some(({ file }) => file === '')) {
    throw new UserError('no-file', 'a report has an empty file name', {
      hint: 'for example: --output report.json',
    });
  }
  const places = all.map(({ file }) => file ?? 'standard output');
  const twice = places.find((place, index) => places.indexOf(place) !== index);
  if (twice !== undefined) {
    throw new UserError('formats-collide', `more than one report is written to ${twice}`, {
      hint: 'give each a file of its own: --output report.json',
    });
  }
  return all
    .map((one) => ({ format: one.format, file: one.file }))
    .sort((first, second) => Number(first.file !== undefined) - Number(second.file !== undefined));
}

/**
 * @template Result
 * @param {string} written `report.json`, `json:report`
 * @param {ReadonlyMap<string, Format<Result>>} available
 * @param {string | undefined} printed the format that `--format` names
 * @returns {{format: Format<Result>, file: string}}
 * @throws {UserError} where nothing says in which format
 */
function readOutput(written, available, printed) {
  const colon = written.indexOf(':');
  const named = colon > 0 ? available.get(written.slice(0, colon)) : undefined;
  if (named) return { format: named, file: written.slice(colon + 1) };
  const ending = path.extname(written).toLowerCase();
  const endsSo = (/** @type {Format<Result> | undefined} */ one) => one?.endings?.includes(ending) === true;
  const wanted = printed === undefined ? undefined : available.get(printed);
  const all = [...available.values()];
  const format = endsSo(wanted) ? wanted : (all.find(endsSo) ?? wanted);
  if (format) return { format, file: written };
  const known = [...new Set(all.flatMap(({ endings = [] }) => endings))];
  throw new UserError('unknown-ending', `the ending of ${written} (--output) names no format`, {
    hint: `use ${known.join(', ')}, or name the format: --output text:${written}`,
  });
}

/**
 * @template Result
 * @param {string} name
 * @param {ReadonlyMap<string, Format<Result>>} available
 * @returns {Format<Result>}
 */
function findFormat(name, available) {
  const format = available.get(name);
  if (format) return format;
  const guess = nearest(name, available.keys());
  throw new UserError('unknown-format', `unknown format \`${name}\``, {
    hint: guess ? `did you mean \`${guess}\`?` : `formats: ${[...available.keys()].join(', ')}`,
  });
}

/**
 * @template [Result=Report]
 * @param {Result} result
 * @param {Destination<Result>[]} destinations
 * @param {{color?: boolean | undefined, verbose?: boolean | undefined, quiet?: boolean | undefined}} options
 * @param {Surroundings} surroundings
 * @throws {UserError} where a file cannot be written
 */
export async function writeReports(result, destinations, options, surroundings) {
  const { cwd, stdout, keepReport } = surroundings;
  for (const { format, file } of destinations) {
    const color = file === undefined && wantsColor(options, surroundings);
    const width = file === undefined ? stdout.columns : undefined;
    const text = await format.render(result, {
      color,
      verbose: options.verbose === true,
      quiet: options.quiet === true,
      width,
    });
    if (file === undefined) stdout.write(text);
    else if (keepReport) keepReport(file, text);
    else writeFileAtomically(path.resolve(cwd, file), text, file);
  }
}
