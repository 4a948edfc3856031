// Experiments and findings in, experiments about the very views that were found out, with documents that these emit; and why one
// stays about the pattern.

import { bindExperiment, bindLoad } from '../experiments/bind.js';
import { isKnown } from '../facts/fact.js';
import { viewOf } from '../facts/request-view.js';

/** @import { Link } from '../engine/judge.js' */
/** @import { BoundView } from '../experiments/bind.js' */
/** @import { Experiment } from '../experiments/experiment.js' */
/** @import { Ask, RequestSubject, Subject, ViewSubject } from '../facts/fact.js' */
/** @import { LoadRecord } from '../sources/record.js' */
/** @import { Sandbox } from '../sandbox/sandbox.js' */

/** Views of one rule that are measured, the costliest first: each takes the whole budget of an experiment. */
const MOST_VIEWS = 3;
/** Fields that a projection has: a list shows a few. */
const FIELDS = 2;
/** Built-ins that fail the build of an index where a value is no number (couch_query_servers.erl, 3.5.0). */
const NEEDS_NUMBERS = /^_(?:sum|stats)$/;
/** Documents whose values are looked at. */
const TRIED = 200;
/** More than this measures how connections queue up. */
const MOST_CONNECTIONS = 20;

/** @typedef {Experiment & {rule: string, findings: string[]}} BoundExperiment `findings`: keys of those that it settles */

/**
 * @param {Experiment[]} experiments
 * @param {{links: Link[], ask: Ask}} advice
 * @param {object} options
 * @param {string} options.seed
 * @param {number | undefined} options.documents in place of what each experiment says
 * @param {object[]} options.samples documents of the user; none where none were given
 * @returns {Promise<BoundExperiment[]>}
 */
export async function bindFindings(experiments, { links, ask }, { seed, documents, samples }) {
  const [{ openSandbox }, synthesis] = await Promise.all([
    import('../sandbox/sandbox.js'),
    import('../synthesis/fit-documents.js'),
  ]);
  const sandbox = openSandbox();
  try {
    /** @type {BoundExperiment[]} */
    const bound = [];
    for (const experiment of experiments) {
      const own = links.filter(({ finding }) => finding.rule === experiment.id);
      const asPattern = (/** @type {Link[]} */ of, /** @type {string[]} */ notes) =>
        bound.push({ ...experiment, rule: experiment.id, findings: of.map(({ finding }) => finding.key), notes });
      if (!experiment.binding || own.length === 0) {
        asPattern(own, []);
        continue;
      }
      /** @type {Link[]} */
      const rest = [];
      /** @type {Set<string>} */
      const reasons = new Set();
      for (const [at, group] of byView(own).entries()) {
        const told =
          at < MOST_VIEWS
            ? await bindGroup(experiment, group, {
                ask,
                seed,
                documents,
                samples,
                sandbox: sandbox.forView(),
                synthesis,
              })
            : { reason: `only ${MOST_VIEWS} views of a rule are measured` };
        if ('reason' in told) {
          rest.push(...group.links);
          reasons.add(`${group.name}: ${told.reason}`);
        } else bound.push({ ...told, rule: experiment.id, findings: group.links.map(({ finding }) => finding.key) });
      }
      if (rest.length > 0)
        asPattern(
          rest,
          [...reasons].map((reason) => `measured on the pattern: ${reason}`),
        );
    }
    return bound;
  } finally {
    sandbox.close();
  }
}

/** @typedef {{name: string, load: LoadRecord | undefined, view: ViewSubject | undefined, request: RequestSubject | undefined, links: Link[]}} Group findings about one view */

/**
 * @param {Link[]} links
 * @returns {Group[]} the costliest first
 */
function byView(links) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const link of links) {
    const { subject } = link;
    const view = viewIn(subject);
    const load = subject.kind === 'load' ? subject.record : undefined;
    const name = view ? `${view.parent.record.id ?? 'a design document'}/_view/${view.name}` : link.finding.place.file;
    const group = groups.get(name) ?? { name, load, view, request: undefined, links: [] };
    if (subject.kind === 'request') group.request ??= subject;
    group.links.push(link);
    groups.set(name, group);
  }
  const costOf = (/** @type {Group} */ group) =>
    Math.max(...group.links.map(({ finding }) => finding.cost?.share ?? 0));
  return [...groups.values()].sort((one, other) => costOf(other) - costOf(one));
}

/**
 * @param {Subject} subject
 * @returns {ViewSubject | undefined}
 */
function viewIn(subject) {
  if (subject.kind === 'view') return subject;
  if (subject.kind !== 'request') return undefined;
  const view = viewOf(subject);
  return 'unknown' in view ? undefined : view;
}

/**
 * @param {Experiment} experiment
 * @param {Group} group
 * @param {object} options
 * @param {Ask} options.ask
 * @param {string} options.seed
 * @param {number | undefined} options.documents
 * @param {object[]} options.samples
 * @param {Sandbox} options.sandbox
 * @param {typeof import('../synthesis/fit-documents.js')} options.synthesis
 * @returns {Promise<Experiment | {reason: string}>}
 */
async function bindGroup(
  experiment,
  { name, load, view, request },
  { ask, seed, documents, samples, sandbox, synthesis },
) {
  if (load) return bindLoad(experiment, { name, bytes: load.documentBytes.median, batch: load.batches?.median });
  const map = view?.map?.text.text;
  if (!view || map === undefined) return { reason: 'its map was not read, or is not JavaScript' };
  if (/\brequire\s*\(/.test(map)) return { reason: 'its map requires modules' };
  const { paddingBytes = 200 } = experiment.dataset;
  const count = documents ?? experiment.dataset.documents;
  const fitted = await synthesis.fitDocuments({ map, samples, seed, count, paddingBytes, sandbox });
  if ('reason' in fitted) return { reason: fitted.reason };
  const builtin = builtinOf(view, ask);
  if (builtin !== undefined && NEEDS_NUMBERS.test(builtin) && !(await emitsNumbers(map, fitted.documents, sandbox))) {
    return { reason: `of the documents that could be made it emits values that are no numbers, as ${builtin} needs` };
  }
  const { documentName, emitInstead, fieldsOf } = await import('../synthesis/emitted-value.js');
  const document = documentName(map);
  const fields = document === undefined ? undefined : fieldsOf(document, plainFields(fitted.documents[0] ?? {}));
  /** @type {BoundView['maps']} */
  const maps = {
    'as-is': map,
    null: emitInstead(map, 'null'),
    ...(fields === undefined ? {} : { fields: emitInstead(map, fields) }),
    ...(document === undefined ? {} : { document: emitInstead(map, document) }),
  };
  const groupLevel = Number(request?.record.parameters.find((item) => item.startsWith('group_level='))?.slice(12));
  return bindExperiment(experiment, {
    name,
    maps,
    reduce: view.reduce?.text.text,
    builtin,
    connections: request && connectionsOf(request),
    query: {
      limit: request?.record.limit?.p50 ?? request?.record.rows?.p50,
      groupLevel: Number.isInteger(groupLevel) && groupLevel > 0 ? groupLevel : undefined,
    },
    data: { documents: /** @type {{_id: string}[]} */ (fitted.documents), keys: fitted.keys },
    notes: [`its documents were made so that ${Math.round(fitted.emitShare * 100)} % of them emit`, ...fitted.notes],
  });
}

/**
 * @param {ViewSubject} view
 * @param {Ask} ask
 * @returns {string | undefined} the built-in that gives what its reduce gives, as the map is
 */
function builtinOf(view, ask) {
  const verdict = ask(view, 'reduce.verdict');
  const builtin = ask(view, 'reduce.builtin');
  return view.reduce && isKnown(verdict) && verdict.value === 'equal' && isKnown(builtin)
    ? String(builtin.value)
    : undefined;
}

/**
 * @param {string} map
 * @param {object[]} documents
 * @param {Sandbox} sandbox
 * @returns {Promise<boolean>} false where one of the first gives something else
 */
async function emitsNumbers(map, documents, sandbox) {
  const answers = await sandbox.map({ source: map, docs: documents.slice(0, TRIED) });
  const values = answers.flatMap((answer) => ('error' in answer ? [] : answer.emits.map(({ value }) => value)));
  return values.every((value) => [value].flat().every((one) => typeof one === 'number'));
}

/**
 * @param {RequestSubject} request
 * @returns {number | undefined} how many of it were under way at once in its busy minutes (Little's law); undefined where the log
 *   tells no times
 */
function connectionsOf({ record: { latencyMs, ratePerMinute, log } }) {
  if (!latencyMs || log.from === null) return undefined;
  return Math.min(MOST_CONNECTIONS, Math.max(1, Math.round((ratePerMinute.busy / 60_000) * latencyMs.p50)));
}

/**
 * @param {object} document
 * @returns {string[]} names of the first plain members, as somebody would show in a list
 */
function plainFields(document) {
  return Object.entries(document)
    .filter(([name, value]) => !name.startsWith('_') && (typeof value === 'number' || isShortText(value)))
    .map(([name]) => name)
    .slice(0, FIELDS);
}

/** @param {unknown} value */
function isShortText(value) {
  return typeof value === 'string' && value.length <= 100;
}
