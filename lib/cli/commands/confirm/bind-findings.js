// Binds experiments to the very views, filters, loads and calls that findings are about; where one cannot be bound, it stays
// about the pattern, and says why.

import { filterOf as filterOfReplication } from '../../../facts/replication.js';
import { filterOf, viewOf } from '../../../facts/request/view.js';
import { bindExperiment } from '../../../measure/experiments/bind.js';
import { bindFilter } from '../../../measure/experiments/bind-filter.js';
import { bindLoad } from '../../../measure/experiments/bind-load.js';
import { assumptionsOf, measures } from '../../../measure/experiments/experiment.js';
import { openSandbox } from '../../../sandbox/sandbox.js';
import { bindCall } from './describe-call.js';
import { describeFilter } from './describe-filter.js';
import { describeLoad } from './describe-load.js';
import { describeView } from './describe-view.js';

/** @import { CallSubject, FilterSubject, RequestSubject, Subject, ViewSubject, Ask } from '../../../facts/fact.js' */
/** @import { Link } from '../../../engine/judge.js' */
/** @import { Experiment } from '../../../measure/experiments/experiment.js' */
/** @import { FirstDocuments } from '../../../sources/loads/first-documents.js' */
/** @import { LoadRecord } from '../../../sources/record.js' */
/** @import { Sandbox } from '../../../sandbox/sandbox.js' */

/** Subjects of one rule that are measured, the costliest first: each takes the whole budget of an experiment. */
const MAX_SUBJECTS = 3;

/** @typedef {Experiment & {rule: string, findings: string[]}} BoundExperiment `findings`: keys of those that it settles */

/**
 * @typedef {object} Samples Documents of the user.
 * @property {object[]} documents none where none were given
 * @property {number} total how many there are where they come from
 * @property {boolean} areScrambled whether their values were replaced
 */

/**
 * @typedef {object} BindOptions
 * @property {string} seed
 * @property {number | undefined} documents at most, instead of what each experiment says
 * @property {Samples} samples
 * @property {(file: string, most: {documents: number, bytes: number}) => Promise<FirstDocuments>} readLoad `file` as it is shown
 */

/** @typedef {BindOptions & {ask: Ask, sandbox: Sandbox}} Binding */

/**
 * @typedef {object} Group Findings about one subject.
 * @property {string} name
 * @property {Link[]} links
 * @property {LoadRecord} [load]
 * @property {ViewSubject} [view]
 * @property {FilterSubject} [filter]
 * @property {CallSubject} [call]
 * @property {RequestSubject} [request] where the findings are about one form of query
 */

/**
 * @param {Experiment[]} experiments
 * @param {{links: Link[], ask: Ask}} advice
 * @param {BindOptions} options
 * @returns {Promise<BoundExperiment[]>}
 */
export async function bindFindings(experiments, { links, ask }, options) {
  const sandbox = openSandbox();
  try {
    /** @type {BoundExperiment[]} */
    const bound = [];
    for (const experiment of experiments) {
      const own = links.filter(({ finding }) => measures(experiment, finding));
      bound.push(...(await bindOwn(experiment, own, { ...options, ask, sandbox })));
    }
    return bound;
  } finally {
    sandbox.close();
  }
}

/**
 * @param {Experiment} experiment
 * @param {Link[]} links of its rule
 * @param {Binding} binding
 * @returns {Promise<BoundExperiment[]>}
 */
async function bindOwn(experiment, links, binding) {
  const withKeys = (/** @type {Experiment} */ one, /** @type {Link[]} */ of) => ({
    ...one,
    rule: experiment.id,
    assumed: assumptionsOf(one),
    findings: of.map(({ finding }) => finding.key),
  });
  if (!experiment.binding || links.length === 0) return [withKeys(experiment, links)];
  /** @type {BoundExperiment[]} */
  const bound = [];
  /** @type {Link[]} */
  const rest = [];
  /** @type {Set<string>} */
  const reasons = new Set();
  for (const [at, group] of bySubject(links).entries()) {
    const made =
      at < MAX_SUBJECTS
        ? await bindGroup(experiment, group, { ...binding, sandbox: binding.sandbox.forView() })
        : { reason: `only the first ${MAX_SUBJECTS} findings of a rule are measured` };
    if ('reason' in made) {
      rest.push(...group.links);
      reasons.add(`${group.name}: ${made.reason}`);
    } else bound.push(withKeys(made, group.links));
  }
  const notes = [...reasons].map((reason) => `measured on generic functions of this pattern: ${reason}`);
  return rest.length > 0 ? [...bound, withKeys({ ...experiment, notes }, rest)] : bound;
}

/**
 * @param {Experiment} experiment
 * @param {Group} group
 * @param {Binding} binding
 * @returns {Promise<Experiment | {reason: string}>}
 */
async function bindGroup(experiment, group, binding) {
  const [first] = group.links;
  if (group.load && first) {
    const load = await describeLoad(group.load, { outcome: first.finding.outcome, name: group.name }, binding);
    return bindLoad(experiment, load);
  }
  if (group.call && first) {
    return bindCall(experiment, group.call, { name: group.name, outcome: first.finding.outcome }, binding);
  }
  if (group.filter) {
    const filter = describeFilter(group.filter, { name: group.name, count: experiment.dataset.documents }, binding);
    return 'reason' in filter ? filter : bindFilter(experiment, filter);
  }
  if (!group.view) return { reason: 'the input does not contain its view' };
  const view = await describeView(group.view, { ...group, dataset: experiment.dataset }, binding);
  return 'reason' in view ? view : bindExperiment(experiment, view);
}

/**
 * @param {Link[]} links
 * @returns {Group[]} the costliest first
 */
function bySubject(links) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const link of links) {
    const { subject } = link;
    const about = partsOf(subject);
    const name = nameOf(about, link);
    const group = groups.get(name) ?? { name, links: [], ...about };
    group.links.push(link);
    groups.set(name, group);
  }
  const costOf = (/** @type {Group} */ group) =>
    Math.max(...group.links.map(({ finding }) => finding.cost?.share ?? 0));
  return [...groups.values()].sort((one, other) => costOf(other) - costOf(one));
}

/** @param {Subject} subject @returns {Omit<Group, 'name' | 'links'>} */
function partsOf(subject) {
  if (subject.kind === 'load') return { load: subject.record };
  const replicated = subject.kind === 'replication' ? filterOfReplication(subject) : undefined;
  if (subject.kind === 'filter' || replicated) return { filter: subject.kind === 'filter' ? subject : replicated };
  if (subject.kind === 'view') return { view: subject };
  if (subject.kind === 'call') return { call: subject };
  if (subject.kind !== 'request') return {};
  const [view, filter] = [viewOf(subject), filterOf(subject)];
  return {
    request: subject,
    ...('unknown' in view ? {} : { view }),
    ...('unknown' in filter ? {} : { filter }),
  };
}

/**
 * @param {Omit<Group, 'name' | 'links'>} about
 * @param {Link} link
 * @returns {string}
 */
function nameOf({ view, filter, request, call }, { finding }) {
  const idOf = (/** @type {{record: {id: string | null}}} */ parent) => parent.record.id ?? 'a design document';
  const parameters = request?.record.parameters ?? [];
  const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  if (view) return `${idOf(view.parent)}/_view/${view.name}${query}`;
  if (filter) return `${idOf(filter.parent.parent)}/${filter.name.replace('.', '/')}`;
  const { file, line, column } = finding.place;
  return call ? `${file}:${line}:${column}` : file;
}
