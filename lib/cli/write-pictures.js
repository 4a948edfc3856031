// Writes charts as pictures: the first to the file that was named, the others beside it.

import path from 'node:path';
import { writeFileAtomically } from './write-file.js';

/** @import { Chart } from '../reports/document/blocks.js' */

/**
 * @param {string} file that was named
 * @param {Chart[]} charts
 * @param {string} cwd
 * @param {string} [note] below each
 * @throws {import('../shared/user-error.js').UserError} where one cannot be written
 */
export async function writePictures(file, charts, cwd, note) {
  const { dir, name, ext } = path.parse(file);
  // Brings the library of charts along.
  const { drawChart } = await import('../reports/document/html.js');
  for (const [at, chart] of charts.entries()) {
    const shown = at === 0 ? file : path.join(dir, `${name}-${at + 1}${ext}`);
    writeFileAtomically(
      path.resolve(cwd, shown),
      drawChart(chart, { id: `picture-${at + 1}`, ...(note && { note }) }),
      shown,
    );
  }
}
