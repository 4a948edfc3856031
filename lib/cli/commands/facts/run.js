// `couch-advisor facts`: shows every subject with all its facts, for people who write rules.

import { collectAllFacts } from '../../../engine/pipeline.js';
import { renderFactsJson, renderFactsText } from '../../../reports/facts.js';
import { wantsColor } from '../../colors.js';
import { describeError, userErrorsIn } from '../../describe-error.js';
import { EXIT } from '../../exit-codes.js';
import { prepare } from '../../prepare.js';
import { reportSources } from '../../report-sources.js';
import { lineWidth } from '../../width.js';

/** @import { Surroundings } from '../../main.js' */
/** @import { SourceOptions } from '../../prepare.js' */

/**
 * @param {SourceOptions & {format?: 'text' | 'json', verbose?: boolean, color?: boolean}} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<number>}
 */
export async function run(options, paths, surroundings) {
  const { stdout, stderr } = surroundings;
  // Who looks for the right name of a fact has a rule with a wrong one.
  const onRuleFault = (/** @type {unknown} */ error) => {
    const faults = userErrorsIn(error);
    if (faults.length === 0) throw error;
    stderr.write(faults.map(describeError).join(''));
  };
  const prepared = await prepare(options, paths, surroundings, { onRuleFault });
  reportSources(prepared, { isDiscovery: paths.length === 0 }, surroundings);
  const { opened, settings } = prepared;
  const subjects = await collectAllFacts(opened.records, settings.target, {
    ...prepared,
    targetOf: settings.targetOf,
  });
  const color = wantsColor(options, surroundings);
  stdout.write(
    options.format === 'json'
      ? renderFactsJson(subjects)
      : renderFactsText(subjects, { color, verbose: options.verbose, width: lineWidth(stdout) }),
  );
  stderr.write(opened.errors.map(describeError).join(''));
  return opened.errors.length > 0 ? EXIT.INCOMPLETE : EXIT.CLEAN;
}
