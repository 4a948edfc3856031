// Prints what `confirm` measured: the report of one server, or those of several images with their verdicts side by side.

import { renderImagesJson, renderImagesText } from '../../../reports/confirm-images.js';
import { renderConfirmText } from '../../../reports/confirm-text.js';
import { wantsColor } from '../../colors.js';
import { lineWidth } from '../../width.js';

/** @import { Environment } from '../../../measure/experiments/environment.js' */
/** @import { Outcome } from '../../../measure/experiments/run/run-all.js' */
/** @import { Confirmation } from '../../../reports/confirm-json.js' */
/** @import { UserError } from '../../../shared/user-error.js' */
/** @import { ConfirmOptions, Work } from './run.js' */
/** @import { Surroundings } from '../../main.js' */

/** @typedef {{name: string, failure?: UserError, outcome?: Outcome, confirmation?: Confirmation, environment?: Environment}} Measured of one server */

/**
 * @param {Measured[]} all at least one
 * @param {Work} work
 * @param {ConfirmOptions} options
 * @param {Surroundings} surroundings
 */
export function printOutcomes(all, work, options, surroundings) {
  const { stdout } = surroundings;
  const { seed = '1' } = options;
  const look = { color: wantsColor(options, surroundings), width: lineWidth(stdout) };
  const images = all.map(({ name, failure, confirmation, environment }) => {
    const json = () => (confirmation && environment ? work.renderJson(confirmation, { seed, environment }) : null);
    return { name, failure: failure ?? null, confirmation, json };
  });
  const [first] = images;
  if (images.length > 1)
    stdout.write(options.format === 'json' ? renderImagesJson(images) : renderImagesText(images, look));
  else if (options.format === 'json') stdout.write(first?.json() ?? '');
  else if (first?.confirmation) stdout.write(renderConfirmText(first.confirmation, look));
}
