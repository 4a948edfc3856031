// Makes an experiment of each step of a plan, and one of the whole plan: the workload's own queries as they are sent today against the same
// queries with the step. Pure.

import { attempt } from '../../shared/attempt.js';
import { groupBy } from '../../shared/group-by.js';
import { wordQuery } from '../../shared/query-name.js';
import { formatCount } from '../../shared/units.js';
import { sumOf } from '../../shared/values.js';
import { describeEntries, entriesNow, entriesWith, reasonAgainst, setupOf } from './plan-setup.js';

/** @import { Plan, PlanStep, StepQuery } from '../../advise/plan.js' */
/** @import { Arm, ArmRequest, Assumption, Experiment, MixedRequest } from './experiment.js' */
/** @import { Entries } from './plan-setup.js' */

/**
 * @typedef {object} PlanData
 * @property {{_id: string}[]} documents of the user
 * @property {string[]} notes what is to be known of them
 * @property {Assumption[]} assumed
 */

/**
 * @typedef {object} Form A form of query that can be measured.
 * @property {string} label as people know it: `q1 (POST shop/_find with status = …)`
 * @property {string} name as in the plan
 * @property {number} perDay
 * @property {number | null} msBefore
 * @property {number | null} msAfter
 * @property {boolean} isChanged whether the program has to change
 * @property {{before: ArmRequest, after: ArmRequest}[]} pairs
 */

/** Forms of query of one experiment: more leave too little time for each. */
const MAX_FORMS = 20;
/** Examples of one form, and those of all forms together, which an arm sends in each round at least. */
const MAX_EXAMPLES = 5;
const MAX_SENT = 24;
/** Pairs of answers of one form that are compared. */
const MAX_COMPARED = 10;
/** Documents that a round of writes has, and those of one of its requests. */
const MAX_WRITTEN = 2000;
const WRITE_BATCH = 50;

const EFFECT = 1.1;
const BECAUSE = 'a smaller gain than 10 % does not justify maintaining an index';
const BECAUSE_WRITES = 'a smaller gain than 10 % of writes goes unnoticed';
const BECAUSE_MS =
  'the smallest request takes one to two milliseconds, and the network about the same: a saving below one millisecond goes unnoticed';

/** What of a request can be sent again and changes nothing. */
const ENDPOINTS = [/^_find$/, /^_all_docs$/, /^_changes$/, /^_design\/[^/]+\/_view\/[^/]+$/, /^[^_/][^/]*$/];

/**
 * @param {Plan} plan
 * @param {PlanData} data
 * @returns {Experiment[]} of each step in their order, then of all steps of a database together where there are several
 */
export function bindPlan(plan, data) {
  const steps = plan.steps.map((step) => withPaths(step));
  const experiments = steps.map((step) => bindStep(step, { plan, data }));
  const byDatabase = groupBy(steps, ({ change }) => change.database);
  for (const [database, own] of byDatabase) {
    if (own.length < 2) continue;
    const isWhole = byDatabase.size === 1;
    const id = isWhole ? 'the whole plan' : `all steps of ${database ?? 'unknown databases'}`;
    // What all steps save of several databases is not known of each.
    const savedMsPerDay = isWhole ? plan.total.savedMsPerDay : sumOrNull(own.map((step) => step.savedMsPerDay));
    experiments.push(bindWhole(own, { id, savedMsPerDay, plan, data }));
  }
  return experiments;
}

/**
 * @param {PlanStep} step
 * @param {{plan: Plan, data: PlanData}} about
 * @returns {Experiment}
 */
function bindStep(step, { plan, data }) {
  const { number, title, savedMsPerDay } = step;
  const id = `step ${number}: ${title}`;
  if (isDrop(step)) return bindDrop(step, id, data);
  const now = entriesNow([step]);
  const then = entriesWith(now, [step]);
  const { forms, assumed } = chooseForms(step.queries, { plan, now, then });
  return {
    ...readingExperiment({ forms, now, then }, data),
    id,
    about: id,
    question: 'Are its queries faster with this step?',
    difference: 'the step',
    effectMs: 1,
    becauseMs: BECAUSE_MS,
    ...(forms.length === 0 ? { obstacle: assumed[0]?.text ?? 'the plan names no query that it is about' } : {}),
    assumed: [...data.assumed, ...assumed],
    predicted: predict(forms, { step: number, savedMsPerDay, plan }),
  };
}

/**
 * @param {PlanStep[]} steps of one database
 * @param {{id: string, savedMsPerDay: number | null, plan: Plan, data: PlanData}} about
 * @returns {Experiment}
 */
function bindWhole(steps, { id, savedMsPerDay, plan, data }) {
  const now = entriesNow(steps);
  const then = entriesWith(now, steps);
  /** @type {Map<string, StepQuery>} */
  const queries = new Map();
  for (const query of steps.flatMap((step) => step.queries)) {
    const earlier = queries.get(query.query);
    if (!earlier || query.requests.after.length > 0) {
      const mustChange = [...(earlier?.mustChange ?? []), ...query.mustChange];
      queries.set(query.query, { ...query, msBefore: earlier ? earlier.msBefore : query.msBefore, mustChange });
    }
  }
  const { forms, assumed } = chooseForms([...queries.values()], { plan, now, then });
  return {
    ...readingExperiment({ forms, now, then }, data),
    id,
    about: id,
    question: 'Is the mix of all its queries faster with all steps?',
    difference: 'all steps of the plan',
    ...(forms.length === 0 ? { obstacle: assumed[0]?.text ?? 'its steps are about no query' } : {}),
    assumed: [...data.assumed, ...assumed],
    predicted: predict(forms, { step: null, savedMsPerDay, plan }),
  };
}

/**
 * @param {{forms: Form[], now: Entries, then: Entries}} compared
 * @param {PlanData} data
 * @returns {Omit<Experiment, 'id' | 'question' | 'difference'>}
 */
function readingExperiment({ forms, now, then }, { documents, notes }) {
  const perForm = Math.max(1, Math.min(MAX_EXAMPLES, Math.floor(MAX_SENT / Math.max(1, forms.length))));
  const total = sumOf(forms, ({ perDay }) => perDay);
  /** @param {string} id @param {Entries} entries @param {'before' | 'after'} side @returns {Arm} */
  const arm = (id, entries, side) => {
    /** @type {MixedRequest[]} */
    const queries = forms.flatMap(({ name, perDay, pairs }) => {
      const examples = spread(pairs, perForm).map((pair) => pair[side]);
      const share = total > 0 ? perDay / total : 1 / forms.length;
      return examples[0] ? [{ share, shape: name, request: examples[0], examples }] : [];
    });
    const about = `with ${describeEntries(entries)}`;
    return { id, about, measure: 'requests', setup: setupOf(entries), queries };
  };
  return {
    mechanisms: [now, then].some(hasJavascriptReduce) ? ['kept-index', 'query-server'] : ['kept-index'],
    dataset: { documents: documents.length, given: { documents, keys: [] } },
    effect: EFFECT,
    because: BECAUSE,
    counters: countersFor(forms, [now, then].some(hasJavascriptReduce)),
    arms: [arm('as-is', now, 'before'), arm('advised', then, 'after')],
    isSeparate: true,
    answers: forms.flatMap(({ label, isChanged, pairs }) =>
      spread(pairs, MAX_COMPARED).map((pair) => ({ query: label, ...pair, isChanged })),
    ),
    notes: [...notes, 'the databases have only the indexes and views that the plan names'],
    findings: [],
  };
}

/**
 * Nothing is read faster without an index: what is measured is what keeping it up to date costs.
 * @param {PlanStep} step
 * @param {string} id
 * @param {PlanData} data
 * @returns {Experiment}
 */
function bindDrop(step, id, { documents, notes, assumed }) {
  const written = documents.slice(0, MAX_WRITTEN);
  const now = entriesNow([{ ...step, queries: [] }]);
  const then = entriesWith(now, [step]);
  /** @param {string} arm @param {Entries} entries @returns {Arm} */
  const arm = (arm, entries) => ({
    id: arm,
    about: `with ${describeEntries(entries)}`,
    measure: 'load',
    setup: setupOf(entries),
    load: { ids: 'given', batch: WRITE_BATCH },
  });
  const uses = [...now.values()].some(({ view }) => view && /\brequire\s*\(/.test(view.map));
  const obstacle =
    now.size === 0 ? 'the plan does not define what it drops' : uses ? 'its map uses require()' : undefined;
  return {
    id,
    about: id,
    question: 'Are documents written faster without it?',
    difference: 'whether it is kept up to date',
    mechanisms: ['append-only-tree'],
    dataset: { documents: written.length, given: { documents: written, keys: [] } },
    effect: EFFECT,
    because: BECAUSE_WRITES,
    counters: [],
    arms: [arm('as-is', now), arm('advised', then)],
    findings: [],
    ...(obstacle === undefined ? {} : { obstacle }),
    notes: [...notes, 'its writes are done when the index has them; no other index is there'],
    assumed: [
      ...assumed,
      ...(written.length < documents.length
        ? [{ part: /** @type {const} */ ('count'), text: `the first ${formatCount(written.length)} are written` }]
        : []),
      { part: 'query', text: `${WRITE_BATCH} documents per request` },
    ],
    predicted: { step: step.number, ratio: null, savedMsPerDay: null, requestsPerDay: 0, documents: 0 },
  };
}

/**
 * @param {StepQuery[]} queries
 * @param {{plan: Plan, now: Entries, then: Entries}} about
 * @returns {{forms: Form[], assumed: Assumption[]}} those that take most of the time, and why others are left out
 */
function chooseForms(queries, { plan, now, then }) {
  const known = new Map(plan.queries.map((query) => [query.id, query]));
  /** @type {Form[]} */
  const forms = [];
  /** @type {Assumption[]} */
  const assumed = [];
  for (const { query: id, requests, msBefore, msAfter, mustChange } of queries) {
    const { name, perDay = 0 } = known.get(id) ?? {};
    const label = name === undefined ? id : `${id} (${wordQuery(name)})`;
    /** @type {string | undefined} */
    let reason = 'the plan has no example of its requests';
    const pairs = requests.before.flatMap((before, at) => {
      const after = requests.after[at];
      if (!after) return [];
      reason = [before, after].every(isRepeatable)
        ? (reasonAgainst(before, now) ?? reasonAgainst(after, then))
        : 'its requests are not of a kind that can be repeated';
      return reason === undefined ? [{ before, after }] : [];
    });
    const isChanged = mustChange.length > 0;
    if (pairs.length > 0) forms.push({ label, name: name ?? id, perDay, msBefore, msAfter, isChanged, pairs });
    else assumed.push({ part: 'query', text: `${label} is not measured: ${reason}` });
  }
  const costOf = (/** @type {Form} */ { perDay, msBefore }) => perDay * (msBefore ?? 1);
  const chosen = forms.toSorted((one, other) => costOf(other) - costOf(one)).slice(0, MAX_FORMS);
  if (chosen.length < forms.length) {
    const text = `${formatCount(chosen.length)} of ${formatCount(forms.length)} forms of query, those that take most of the time`;
    assumed.push({ part: 'query', text });
  }
  return { forms: chosen, assumed };
}

/**
 * @param {Form[]} forms
 * @param {{step: number | null, savedMsPerDay: number | null, plan: Plan}} about
 * @returns {NonNullable<Experiment['predicted']>}
 */
function predict(forms, { step, savedMsPerDay, plan }) {
  const known = forms.every(({ msBefore, msAfter }) => msBefore !== null && msAfter !== null);
  const before = sumOf(forms, ({ perDay, msBefore }) => perDay * (msBefore ?? 0));
  const after = sumOf(forms, ({ perDay, msAfter }) => perDay * (msAfter ?? 0));
  return {
    step,
    ratio: known && before > 0 && after > 0 ? before / after : null,
    savedMsPerDay,
    requestsPerDay: sumOf(forms, ({ perDay }) => perDay),
    documents: plan.documents.total,
  };
}

/** @param {PlanStep} step @returns {boolean} */
function isDrop({ change }) {
  return change.kind === 'drop-index' || change.kind === 'drop-view';
}

/**
 * @param {PlanStep} step
 * @returns {PlanStep} with `{designDoc}` in paths replaced by its design document
 */
function withPaths(step) {
  const { designDoc } = step.change;
  const id = designDoc.startsWith('_design/') ? designDoc : `_design/${designDoc}`;
  const named = (/** @type {ArmRequest} */ request) => ({
    ...request,
    path: request.path.replace(/^\{designDoc\}(?=\/)/, id.replaceAll('$', '$$$$')),
  });
  return {
    ...step,
    queries: step.queries.map((query) => ({
      ...query,
      requests: { before: query.requests.before.map(named), after: query.requests.after.map(named) },
    })),
  };
}

/**
 * @param {ArmRequest} request of a file
 * @returns {boolean} whether it reads from its database and nothing else, and ends
 */
function isRepeatable({ method, path, query = {}, body }) {
  if (!ENDPOINTS.some((form) => form.test(path)) || /[?#\\\s]/.test(path) || !isClean(path)) return false;
  if (!['GET', 'POST'].includes(method)) return false;
  if (path === '_find') return method === 'POST' && typeof body === 'object' && body !== null;
  // A document is read by GET; by POST its path would be another request.
  if (method === 'POST' && !path.startsWith('_')) return false;
  return query['feed'] === undefined || query['feed'] === 'normal';
}

/** @param {string} path @returns {boolean} whether no part of it leads elsewhere */
function isClean(path) {
  return attempt(() => path.split('/').every((part) => !/^\.{1,2}$/.test(decodeURIComponent(part))), false);
}

/** @param {Entries} entries @returns {boolean} */
function hasJavascriptReduce(entries) {
  return [...entries.values()].some(({ view }) => view?.reduce !== undefined && !view.reduce.startsWith('_'));
}

/**
 * @param {Form[]} forms
 * @param {boolean} hasReduce whether one of their views has a reduce in JavaScript
 * @returns {string[]} counters that show why they differ
 */
function countersFor(forms, hasReduce) {
  const requests = forms.flatMap(({ pairs }) => pairs.flatMap(({ before, after }) => [before, after]));
  const hasFind = requests.some(({ path }) => path === '_find');
  const hasDocuments = requests.some(({ query }) => query?.['include_docs'] === true);
  return [
    ...(hasFind ? ['mango.docs_examined', 'mango.keys_examined'] : []),
    ...(hasDocuments ? ['couchdb.database_reads'] : []),
    ...(hasReduce ? ['couchdb.query_server.calls.reduce'] : []),
  ];
}

/**
 * @template T
 * @param {T[]} list
 * @param {number} most
 * @returns {T[]} so many of it at equal distances, the first one among them
 */
function spread(list, most) {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, at) => /** @type {T} */ (list[Math.floor((at * list.length) / most)]));
}

/** @param {(number | null)[]} numbers @returns {number | null} */
function sumOrNull(numbers) {
  return numbers.includes(null) ? null : sumOf(/** @type {number[]} */ (numbers));
}
