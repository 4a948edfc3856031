// An experiment and a view of the user in, the experiment about that very view out: its own functions, documents that it emits,
// its own keys, the query as logged. Pure.

/** @import { Arm, ArmRequest, Experiment } from './experiment.js' */

/** @typedef {'as-is' | 'fields' | 'null' | 'document'} EmittedValue */

/**
 * @typedef {object} BoundView
 * @property {string} name `_design/app/_view/by_status`
 * @property {Partial<Record<EmittedValue, string>>} maps its map, and the same with another value emitted, where it can be had
 * @property {string | undefined} reduce
 * @property {string | undefined} builtin that is proved to give the same answers
 * @property {number | undefined} [connections] that asked at once, as logged
 * @property {{limit?: number | undefined, groupLevel?: number | undefined}} query as logged
 * @property {{documents: {_id: string}[], keys: unknown[]}} data
 * @property {string[]} notes what is to be known of the data
 */

/** Placeholders of the pattern's own keys. */
const OWN_KEYS = /^\{(?:number|deepNumber|date|customer)\}$/;

/** Fewer rows than this are nothing to page through. */
const LEAST_KEYS = 2;

/**
 * @param {Experiment} experiment
 * @param {BoundView} view
 * @returns {Experiment | {reason: string}} why it cannot be bound
 */
export function bindExperiment(experiment, view) {
  const { binding } = experiment;
  if (!binding) return { reason: 'the experiment is about the pattern as such' };
  if (view.data.keys.length < LEAST_KEYS) return { reason: 'its map emits too few rows' };
  /** @type {Arm[]} */
  const arms = [];
  for (const arm of experiment.arms) {
    const how = binding[arm.id];
    if (!how?.value) return { reason: `arm \`${arm.id}\` is bound to no view` };
    const map = view.maps[how.value];
    if (map === undefined) return { reason: `its map cannot be rewritten to emit ${TOLD[how.value]}` };
    const reduce = how.reduce === 'builtin' ? view.builtin : how.reduce === 'as-is' ? view.reduce : undefined;
    if (how.reduce !== undefined && reduce === undefined)
      return { reason: 'no built-in is proved to equal its reduce' };
    const request = arm.request && bindRequest(arm.request, view);
    arms.push({
      ...arm,
      about: about(how.about, view, request),
      designDoc: { views: { rows: { map, ...(reduce === undefined ? {} : { reduce }) } } },
      ...(request ? { request } : {}),
    });
  }
  return {
    ...experiment,
    id: `${experiment.id} at ${view.name}`,
    arms,
    dataset: { ...experiment.dataset, given: view.data },
    about: view.name,
    notes: view.notes,
    ...(view.connections === undefined ? {} : { connections: view.connections }),
  };
}

/**
 * @typedef {object} BoundLoad
 * @property {string} name of the file
 * @property {number | undefined} bytes of a document as JSON, the median
 * @property {number | undefined} batch documents a request, the median; undefined where the file does not tell
 */

/** A made-up document without padding has so many bytes as JSON, about. */
const OWN_BYTES = 270;
/** Bytes and requests of one round: a load of some seconds shows what hours would. */
const MOST_BYTES = 20_000_000;
const MOST_REQUESTS = 400;
/** Documents a request; larger ones are slower on every server. */
const MOST_BATCH = 2000;
const LEAST_DOCUMENTS = 200;

/**
 * @param {Experiment} experiment
 * @param {BoundLoad} load
 * @returns {Experiment | {reason: string}} made-up documents as large as those of the load, in requests as large
 */
export function bindLoad(experiment, { name, bytes, batch }) {
  const { binding, dataset } = experiment;
  if (!experiment.arms.every(({ id, load }) => load && binding?.[id]?.load)) {
    return { reason: 'the experiment is about the pattern as such' };
  }
  if (bytes === undefined) return { reason: 'the load has ids without documents' };
  /** @type {Arm[]} */
  const arms = experiment.arms.flatMap((arm) => {
    if (!arm.load) return [];
    const load = { ...arm.load, batch: Math.min(MOST_BATCH, batch ?? arm.load.batch) };
    return [{ ...arm, load, about: (binding?.[arm.id]?.about ?? '').replace('{batch}', String(load.batch)) }];
  });
  const least = Math.min(...arms.map(({ load }) => load?.batch ?? 1));
  const most = Math.min(dataset.documents, Math.floor(MOST_BYTES / bytes), least * MOST_REQUESTS);
  return {
    ...experiment,
    id: `${experiment.id} at ${name}`,
    arms,
    dataset: { ...dataset, documents: Math.max(LEAST_DOCUMENTS, most), paddingBytes: Math.max(0, bytes - OWN_BYTES) },
    about: name,
    notes: [
      `made-up documents of about ${Math.max(bytes, OWN_BYTES)} bytes; half of those of ${name} have less than ${bytes}`,
    ],
  };
}

/** @type {Record<EmittedValue, string>} */
const TOLD = { 'as-is': 'what it emits', fields: 'fields alone', null: '`null`', document: 'the document' };

/**
 * @param {ArmRequest} request
 * @param {BoundView} view
 * @returns {ArmRequest}
 */
function bindRequest(request, { query: { limit, groupLevel } }) {
  const query = Object.entries(request.query ?? {}).map(([name, value]) => {
    if (name === 'limit' && limit !== undefined) return [name, limit];
    if (name === 'group' && groupLevel !== undefined) return ['group_level', groupLevel];
    return [name, typeof value === 'string' && OWN_KEYS.test(value) ? '{key}' : value];
  });
  return { ...request, query: Object.fromEntries(query) };
}

/**
 * @param {string} text
 * @param {BoundView} view
 * @param {ArmRequest | undefined} request
 * @returns {string}
 */
function about(text, { builtin = '' }, request) {
  return text.replace('{builtin}', `\`${builtin}\``).replace('{limit}', String(request?.query?.['limit'] ?? 'all'));
}
