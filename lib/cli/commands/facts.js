// `couch-advisor facts`: every subject with all its facts, for people who write rules.

import { collectAllFacts } from '../../pipeline.js';
import { EXIT } from '../exit-codes.js';
import { prepare } from '../prepare.js';

/** @import { Surroundings } from '../main.js' */
/** @import { SourceOptions } from '../prepare.js' */

/**
 * @param {SourceOptions & {format: 'text' | 'json'}} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 */
export async function run(options, paths, surroundings) {
  const { stdout, stderr } = surroundings;
  const { opened, settings } = await prepare(options, paths, surroundings);
  const subjects = collectAllFacts(opened.records, settings.target);
  const { renderFactsText, renderFactsJson } = await import('../../reports/facts.js');
  stdout.write(options.format === 'json' ? renderFactsJson(subjects) : renderFactsText(subjects));
  for (const error of opened.errors) {
    const where = error.place ? `${error.place.file}:${error.place.line}:${error.place.column}: ` : '';
    stderr.write(`error: ${where}${error.message}\n`);
  }
  return opened.errors.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
}
