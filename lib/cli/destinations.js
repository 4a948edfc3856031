// Decides from `--format` and `--output` which report goes to which file, and writes the reports.

import path from 'node:path';
import { formats } from '../reports/index.js';
import { nearest } from '../shared/nearest.js';
import { UserError } from '../shared/user-error.js';
import { wantsColor } from './colors.js';
import { writeFileAtomically } from './write-file.js';

/** @import { Format } from '../reports/index.js' */
/** @import { Report } from '../reports/report.js' */
/** @import { Surroundings } from './main.js' */

/** @typedef {{format: Format, file: string | undefined}} Destination standard output where it names no file */

/**
 * @param {{format?: string[], output?: string}} options
 * @param {ReadonlyMap<string, Format>} [available]
 * @returns {Destination[]} the one for standard output first, so that it is seen whatever becomes of the files
 * @throws {UserError} where a format does not exist, or two would go to one place
 */
export function readDestinations({ format = ['text'], output }, available = formats) {
  const destinations = format.map((written) => {
    const [name = '', ...rest] = written.split('=');
    return { format: findFormat(name, available), file: rest.length > 0 ? rest.join('=') : undefined };
  });
  const last = destinations.at(-1);
  if (output !== undefined && last) {
    if (last.file !== undefined) {
      throw new UserError('formats-collide', `--output and the last --format (\`${last.file}\`) name different files`, {
        hint: 'remove one of them',
      });
    }
    last.file = output;
  }
  if (destinations.some(({ file }) => file === '')) {
    throw new UserError('no-file', 'a report has an empty file name', {
      hint: 'for example: --format json=report.json',
    });
  }
  const places = destinations.map(({ file }) => file ?? 'standard output');
  const twice = places.find((place, index) => places.indexOf(place) !== index);
  if (twice !== undefined) {
    throw new UserError('formats-collide', `more than one --format is written to ${twice}`, {
      hint: 'give all but one a file: --format json=report.json',
    });
  }
  return destinations.sort((first, second) => Number(first.file !== undefined) - Number(second.file !== undefined));
}

/**
 * @param {string} name
 * @param {ReadonlyMap<string, Format>} available
 * @returns {Format}
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
 * @param {Report} report
 * @param {Destination[]} destinations
 * @param {{color?: boolean | undefined, verbose?: boolean | undefined}} options
 * @param {Surroundings} surroundings
 * @throws {UserError} where a file cannot be written
 */
export async function writeReports(report, destinations, options, surroundings) {
  const { cwd, stdout } = surroundings;
  for (const { format, file } of destinations) {
    const color = file === undefined && wantsColor(options, surroundings);
    const width = file === undefined ? stdout.columns : undefined;
    const text = await format.render(report, { color, verbose: options.verbose === true, width });
    if (file === undefined) stdout.write(text);
    else {
      writeFileAtomically(path.resolve(cwd, file), text, file);
    }
  }
}
