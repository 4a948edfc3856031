// Renders the verdicts of several images of CouchDB: the report of each, then for each experiment all verdicts below one another.

import { printable } from '../shared/printable.js';
import { createColors } from './colors.js';
import { PAINTS, ratioOf, renderConfirmText } from './confirm-text.js';
import { displayWidth, wrap } from './display-width.js';
import { stringifyJson } from './stringify-json.js';

/** @import { UserError } from '../shared/user-error.js' */
/** @import { Confirmation } from './confirm-json.js' */
/** @import { Verdict } from '../measure/experiments/experiment.js' */

/**
 * @typedef {object} ImageOutcome
 * @property {string} name of the image
 * @property {UserError | null} failure why nothing was measured on it
 * @property {Confirmation | undefined} confirmation
 * @property {() => string | null} json its report as JSON, as if it were the only one
 */

/**
 * @param {ImageOutcome[]} images
 * @param {{color?: boolean, width?: number}} [options]
 * @returns {string}
 */
export function renderImagesText(images, { color = false, width = 80 } = {}) {
  const colors = createColors(color);
  const reports = images.map(({ name, confirmation, failure }) => {
    const body = confirmation
      ? renderConfirmText(confirmation, { color, width })
      : `${wrap(printable(`not measured: ${failure?.message ?? 'nothing was measured'}`), width).join('\n')}\n`;
    return `${colors.bold(printable(name))}\n\n${body}`;
  });
  const column = Math.max(...images.map(({ name }) => displayWidth(printable(name))));
  const rows = compare(images).flatMap(({ id, verdicts }) => [
    ...wrap(printable(id), width),
    ...verdicts.map(({ image, verdict }) => {
      const name = printable(image);
      const word = verdict ? PAINTS[verdict.word](colors)(verdict.word) : colors.dim('not measured');
      return `  ${name}${' '.repeat(column - displayWidth(name))}  ${word}${verdict ? shortRatio(verdict) : ''}`;
    }),
  ]);
  const table = rows.length > 0 ? [`${[colors.bold('side by side'), ...rows].join('\n')}\n`] : [];
  return [...reports, ...table].join('\n');
}

/**
 * @param {ImageOutcome[]} images
 * @returns {string} `images`: the report of each; `comparison`: each experiment with the verdicts of all
 */
export function renderImagesJson(images) {
  return stringifyJson({
    version: 1,
    images: images.map(({ name, failure, json }) => ({
      image: name,
      failure: failure ? { code: failure.code, message: failure.message } : null,
      report: JSON.parse(json() ?? 'null'),
    })),
    comparison: compare(images).map(({ id, rule, verdicts }) => ({
      id,
      rule,
      verdicts: verdicts.map(({ image, verdict }) => ({
        image,
        word: verdict?.word ?? null,
        ratio: verdict?.ratio ?? null,
        interval: verdict?.interval ?? null,
        confidence: verdict?.confidence ?? 0,
        rounds: verdict?.rounds ?? 0,
      })),
    })),
  });
}

/** @typedef {{id: string, rule: string, verdicts: {image: string, verdict: Verdict | null}[]}} Compared `verdict`: null where it has none */

/**
 * @param {ImageOutcome[]} images
 * @returns {Compared[]} in the order of the first image that has the experiment
 */
function compare(images) {
  /** @type {Map<string, Compared>} */
  const byId = new Map();
  for (const { experiment } of images.flatMap(({ confirmation }) => confirmation?.settled ?? [])) {
    const { id, rule = id } = experiment;
    byId.set(id, { id, rule, verdicts: [] });
  }
  for (const { name, confirmation } of images) {
    const verdicts = new Map(confirmation?.settled.map(({ experiment, verdict }) => [experiment.id, verdict]));
    for (const one of byId.values()) one.verdicts.push({ image: name, verdict: verdicts.get(one.id) ?? null });
  }
  return [...byId.values()];
}

/** @param {Verdict} verdict @returns {string} without what the report of the image has besides */
function shortRatio(verdict) {
  return ratioOf(verdict).replace(/ at [\d.]+ %/, '');
}
