// Opens the findings of paths for `confirm`: reads sources and documents, chooses the experiments of their rules and binds them.

import path from 'node:path';
import { analyze } from '../../../engine/pipeline.js';
import { selectsRule } from '../../../engine/rule-selectors.js';
import { cacheFolder } from '../../../engine/run/cache-folder.js';
import { isBound, measures } from '../../../measure/experiments/experiment.js';
import { confirmJson, verdictOf } from '../../../reports/confirm-json.js';
import { readFirstDocuments } from '../../../sources/loads/first-documents.js';
import { prepare } from '../../prepare.js';
import { reportCutOffs, reportSources } from '../../report-sources.js';
import { contentOf, keepVerdicts } from '../../verdict-memory.js';
import { version } from '../../version.js';
import { bindFindings } from './bind-findings.js';
import { readExperiments } from './read-experiments.js';
import { readSamples } from './read-samples.js';

/** @import { Experiment } from '../../../measure/experiments/experiment.js' */
/** @import { Outcome } from '../../../measure/experiments/run/run-all.js' */
/** @import { Server } from '../../../measure/servers/server.js' */
/** @import { Analysis } from '../../../engine/pipeline.js' */
/** @import { BoundExperiment } from './bind-findings.js' */
/** @import { ConfirmOptions, Work } from './run.js' */
/** @import { Surroundings } from '../../main.js' */
/** @import { Kept } from '../../verdict-memory.js' */

/**
 * @param {ConfirmOptions} options
 * @param {string[]} paths
 * @param {Surroundings} surroundings
 * @returns {Promise<Work>} the findings of the paths, or all experiments
 */
export async function openFindings(options, paths, surroundings) {
  const { seed = '1', maxDocs } = options;
  const prepared = await prepare(options, paths, surroundings);
  // All experiments run on patterns too: they need no sources.
  const { records, errors } = prepared.opened;
  const needsNone = options.all === true && paths.length === 0 && records.length + errors.length === 0;
  if (!needsNone) reportSources(prepared, { isDiscovery: paths.length === 0 }, surroundings);
  const analysis = await analyze({ ...prepared, version: version() });
  reportCutOffs(analysis.run, surroundings.stderr);
  const chosen = chooseExperiments(readExperiments(prepared.rules), analysis, options);
  const { report } = analysis;
  /** @type {BoundExperiment[]} */
  let bound = [];
  return {
    isEmpty: chosen.length === 0,
    nothing: options.all
      ? 'none of these rules has an experiment'
      : 'none of the findings can be measured; --all runs every experiment',
    errors: report.errors,
    bind: async (server) => {
      const samples = await readSamples(server, analysis, prepared, options);
      const readLoad = (/** @type {string} */ file, /** @type {{documents: number, bytes: number}} */ most) =>
        readFirstDocuments(path.resolve(surroundings.cwd, file), most);
      bound = await bindFindings(chosen, analysis, { seed, documents: maxDocs, samples, readLoad });
      return bound;
    },
    confirmation: { findings: report.findings },
    toJson: (confirmation, run) => confirmJson({ ...report, failOn: 'never' }, confirmation, run),
    keep: (settled, server) => keepVerdicts(cacheFolder(surroundings.env), keptOf(settled, bound, analysis, server)),
  };
}

/**
 * @param {Experiment[]} all
 * @param {Analysis} analysis
 * @param {ConfirmOptions} options
 * @returns {Experiment[]}
 */
function chooseExperiments(all, { report }, { all: wantsAll, rule }) {
  const isFound = (/** @type {Experiment} */ one) => report.findings.some((finding) => measures(one, finding));
  return all.filter((one) =>
    wantsAll ? (rule?.some((selector) => selectsRule(selector, one.id)) ?? true) : isFound(one),
  );
}

/**
 * @param {Outcome['settled']} settled
 * @param {BoundExperiment[]} experiments
 * @param {Analysis} analysis
 * @param {Server} server
 * @returns {Kept[]}
 */
function keptOf(settled, experiments, { links }, { about }) {
  const byId = new Map(settled.map((one) => [one.experiment.id, one]));
  return experiments.flatMap(({ id, findings }) => {
    const one = byId.get(id);
    if (!one) return [];
    return links
      .filter(({ finding }) => findings.includes(finding.key))
      .map(({ finding, subject }) => ({
        key: finding.key,
        content: contentOf(subject),
        version: about.version,
        isPattern: !isBound(one.experiment),
        verdict: /** @type {Kept['verdict']} */ (verdictOf(one)),
      }));
  });
}
