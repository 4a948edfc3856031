// Defines an experiment: a question, arms that differ in one thing, data, and the smallest effect worth acting on.
// Types, the closed list of mechanisms, and the few checks that a schema cannot make. Runs nothing.

/** @import { EmittedValue } from './bind.js' */
/** @import { Warning } from './warnings.js' */

/**
 * @typedef {'as-is' | 'advised'} ComparedArm The two arms a verdict is about; others are shown beside them.
 * @typedef {'requests' | 'build' | 'load' | 'replicate'} Measure What one round of an arm does: a number of equal requests; one whole build of
 *   an index; one load of all documents into an empty database; one replication into an empty database, with the filter of its `_changes` request.
 */

/**
 * @typedef {object} Dataset
 * @property {number} documents how many, where the run does not say otherwise
 * @property {number} [paddingBytes] text that no query reads, in each document
 * @property {number} [groups] how many values `group` has
 * @property {GivenData} [given] documents instead of made-up orders
 */

/**
 * @typedef {object} GivenData
 * @property {{_id: string}[]} documents
 * @property {unknown[]} keys that a view emits of them, in the order of views
 * @property {number[]} [requestEnds] of a load: how many documents were sent when each of its requests ended, ascending
 */

/**
 * @typedef {object} ArmRequest With placeholders (workload.js) in path, query and body.
 * @property {'GET' | 'POST'} method
 * @property {string} path below the database; `{designDoc}` is the arm's own design document
 * @property {Record<string, unknown>} [query] values are written as JSON, as CouchDB's keys are, but for plain words of `path` parameters
 * @property {unknown} [body]
 * @property {number} [answers] how many equal things one request gives where arms need unequal numbers of requests for the same; 1 where absent
 */

/**
 * @typedef {object} MixedRequest One form of query of those that the logs have.
 * @property {number} share of all of them; shares add up to 1
 * @property {string} shape `?group=true`
 * @property {ArmRequest} request
 * @property {ArmRequest[]} [examples] sent in turn instead of it, as they are: what looks like a placeholder in them is a value of the user
 */

/**
 * @typedef {object} ArmSetup What the database of an arm has, under the names that the requests use.
 * @property {{id: string, views: Record<string, {map: string, reduce?: string}>, filters?: Record<string, string>}[]} designDocs
 * @property {{designDoc: string, name: string, fields: unknown[], partial_filter_selector?: Record<string, unknown>}[]} indexes of Mango
 */

/**
 * @typedef {object} AnswerPair Two requests that must give the same, one of each compared arm.
 * @property {string} query that they are of, as people know it: `q1 (POST shop/_find with status = …)`
 * @property {ArmRequest} before
 * @property {ArmRequest} after
 * @property {boolean} isChanged whether the program that sends them is to be changed: it may then read keys and values elsewhere
 */

/**
 * @typedef {object} Answers What comparing them gave.
 * @property {number} same pairs
 * @property {string[]} differences one sentence for each query
 * @property {string[]} uncompared what could not be compared, or only in part, and why
 */

/**
 * How ids are made: `sequential` and `random` by this program; of documents that were given, `given` as they are in their order, `sorted`
 * with the whole load in the order of its ids, `counted` with numbers of the same lengths that count up.
 * @typedef {'sequential' | 'random' | 'given' | 'sorted' | 'counted'} LoadIds
 */

/**
 * @typedef {object} ArmLoad
 * @property {LoadIds} ids
 * @property {number | 'given'} batch documents per request; 1 is one `PUT` per document, `given` as the load has them
 */

/**
 * What of an experiment is not the user's, and what replaces it.
 * @typedef {'functions' | 'documents' | 'ids' | 'count' | 'query'} Part
 * @typedef {{part: Part, text: string}} Assumption
 */

/**
 * @typedef {object} ArmBinding What an arm is made of where the experiment is bound to a subject of the user.
 * @property {EmittedValue} [value] what its map emits
 * @property {'as-is' | 'builtin'} [reduce]
 * @property {Record<string, EmittedValue>} [values] what its map emits instead where the finding has another outcome
 * @property {'function' | 'selector'} [filter]
 * @property {'each' | 'together'} [reads] of a loop in code: the request of one turn, or that of all turns
 * @property {'all' | 'selected'} [list] of documents: all of them, or those that the program keeps
 * @property {'temporary' | 'stored'} [index] of a map that is in a call
 * @property {{ids: LoadIds, outcomes?: Record<string, LoadIds>, batch: number | 'given'}} [load] `outcomes`: other ids where the finding
 *   has another outcome
 * @property {string[]} [drops] parameters that its queries do not have
 * @property {Record<string, unknown>} [adds] parameters that its queries have besides
 * @property {string} about with `{queries}`, `{builtin}`, `{map}` and `{batch}`
 */

/**
 * @typedef {object} Arm
 * @property {string} id `as-is`, `advised`, or a name of its own
 * @property {string} about what it does, in a few words
 * @property {Measure} measure
 * @property {{views?: Record<string, {map: string, reduce?: string}>, filters?: Record<string, string>}} [designDoc]
 * @property {{fields: unknown[]}} [index] a Mango index
 * @property {ArmSetup} [setup] instead of both, where names are given or there are several
 * @property {ArmRequest} [request] of `requests`, and the query that makes the server build of `build`
 * @property {MixedRequest[]} [queries] of `requests`: several instead of the one; each is measured, and weighted by its share
 * @property {ArmLoad} [load]
 */

/**
 * @typedef {object} Experiment
 * @property {string} id of the rule it belongs to; the folder's
 * @property {string} question
 * @property {string} difference the one thing in which the arms differ
 * @property {Mechanism[]} mechanisms what the server must have, or it cannot be measured there
 * @property {Dataset} dataset
 * @property {number} effect smallest ratio of times worth acting on, above 1
 * @property {string} because where that number comes from
 * @property {number} [effectMs] milliseconds that a thing has to become faster by, besides, to be worth acting on
 * @property {string} [becauseMs] where that number comes from
 * @property {string[]} counters of the server's own that show the mechanism
 * @property {Arm[]} arms first `as-is`, then `advised`, then others
 * @property {Record<string, ArmBinding>} [binding] by arm; all arms, or none
 * @property {number} [connections] that sent requests at once, as logged
 * @property {string} [rule] that it belongs to, where the id says more
 * @property {string[]} [outcomes] of the rule that it is about; all where absent
 * @property {string[]} [findings] keys of those that it settles
 * @property {string} [about] the view, filter, load or call that it is bound to; absent where it is about the pattern
 * @property {string} [obstacle] why there is nothing to measure of the subject that it is bound to
 * @property {string[]} [notes] what is to be known of its data
 * @property {Assumption[]} [assumed] what of it is not the user's
 * @property {boolean} [isSeparate] whether each arm has a database of its own: the server chooses among all indexes of one
 * @property {AnswerPair[]} [answers] that are compared before anything is measured
 * @property {Prediction} [predicted] of a plan
 */

/**
 * @typedef {object} Prediction What a plan says of a step, or of all.
 * @property {number | null} step null of the whole plan
 * @property {number | null} ratio how many times faster its queries become; null where the plan has no times
 * @property {number | null} savedMsPerDay
 * @property {number} requestsPerDay of the queries that are measured
 * @property {number} documents that it is about; 0 where the plan does not know
 */

/** @typedef {'confirmed' | 'refuted' | 'no practical difference' | 'inconclusive' | 'not measurable here'} Word */

/**
 * @typedef {object} Verdict
 * @property {Word} word
 * @property {string} reason one sentence
 * @property {number | null} ratio how many times faster the advised arm is; below 1 where it is slower
 * @property {[number, number] | null} interval of that ratio, at `confidence`; null where there are too few pairs for one
 * @property {number} confidence 0 to 1, after the corrections for looks and for other experiments: the interval and the word say the same; 0 without an interval
 * @property {number} margin ratio from which on a difference counts
 * @property {number} p chance of so clear an outcome where the word is wrong; after corrections for looks and for other experiments
 * @property {number} rounds pairs that were measured
 * @property {number | null} neededRounds pairs that would likely settle it, where it is inconclusive
 * @property {string[]} neededOptions what lets so many be measured: `--budget 90s`
 * @property {string} server which it holds for
 */

/**
 * @typedef {object} Sample One round.
 * @property {string} arm
 * @property {number} pair from 0
 * @property {number} position order within the run, from 0
 * @property {string} at start, ISO 8601
 * @property {number} ms the metric: milliseconds a thing answered, built or loaded; NaN is never stored: see `isUsable`
 * @property {boolean} isUsable false where nothing was answered with success
 * @property {number} elapsedMs of the whole round
 * @property {number} requests
 * @property {number} errors connections that failed, and time-outs
 * @property {number} timeouts
 * @property {number} refused answers other than 2xx
 * @property {number} bytes of answers
 * @property {number[]} latencies milliseconds of each answer with success, in order
 * @property {Record<string, number>} counters how much the server's own counters grew, a thing answered
 * @property {Record<string, number>} [sizes] bytes of files after the round
 * @property {number} [connections] where it is one of those under load, which are not judged
 * @property {number} [others] processors of this machine that others kept busy meanwhile; absent where that cannot be known
 */

/**
 * @typedef {object} ArmSummary
 * @property {string} arm
 * @property {string} about
 * @property {number | null} ms median over rounds
 * @property {{p50: number, p95: number} | null} latencyMs of single requests
 * @property {number | null} perSecond things a second, of one connection
 * @property {Record<string, number>} counters mean a thing answered
 * @property {Record<string, number>} sizes bytes: `index`, `file`, `active`
 * @property {number | null} buildMs of its index, once, before the rounds
 */

/**
 * @typedef {object} Result What is kept of an experiment beside its samples.
 * @property {string} experiment
 * @property {string} fingerprint of all that it depends on
 * @property {'done' | 'stopped' | 'failed'} state `stopped`: interrupted; `failed`: the server refused
 * @property {string | null} failure what it refused
 * @property {string} at start, ISO 8601
 * @property {number} documents
 * @property {number} margin ratio from which on a difference counts
 * @property {number} [effect] smallest ratio worth acting on; that of the experiment where absent
 * @property {number[]} logRatios of the pairs, in order
 * @property {ArmSummary[]} arms
 * @property {Warning[]} warnings
 * @property {Crowd | null} [crowd] the same with many connections; null where that was not measured
 * @property {Answers} [answers] where answers were compared
 * @property {Limits} [limits] what could end its rounds; absent of results from before 0.2
 */

/**
 * @typedef {object} Limits What may end the rounds of an experiment, and how far they came with it.
 * @property {number} pairs the most
 * @property {number} budgetMs
 * @property {number} setupMs until the first round began
 * @property {number} msOfPair on average; 0 where there is none
 * @property {Ending} [ended] what ended the rounds; absent of results from before 0.1.0 was released
 */

/** @typedef {'settled' | 'pairs' | 'budget' | 'interrupted'} Ending `settled`: a look made the verdict clear; `pairs`: all of them were run */

/**
 * @typedef {object} Noise How much equal arms differ on this server.
 * @property {number | null} ratio at most; null where there were too few pairs to say
 * @property {number} pairs
 * @property {string} of the experiment whose arm it was
 */

/**
 * @typedef {object} Crowd What is reported beside the verdict, and not judged: so few pairs.
 * @property {number} connections
 * @property {number[]} logRatios of the pairs, in order
 * @property {number | null} ratio in their middle; null where none was answered
 */

/** What a server can have that experiments are about, and how people call it. */
export const MECHANISMS = /** @type {const} */ ({
  'document-lookup': 'document reads in addition to index reads',
  'kept-index': 'persistent indexes',
  'round-trip': 'a cost per request',
  'query-server': 'a query server process',
  'append-only-tree': 'append-only B-tree files',
  'scatter-gather': 'shards to query and merge',
  'temporary-view': 'temporary views',
});

/** @typedef {keyof typeof MECHANISMS} Mechanism */

/**
 * @param {Experiment} experiment of a rule
 * @param {{rule: string, outcome: string}} finding
 * @returns {boolean} whether it measures the advice of the finding
 */
export function measures({ id, outcomes }, { rule, outcome }) {
  return rule === id && (outcomes === undefined || outcomes.includes(outcome));
}

/**
 * @param {Experiment} experiment
 * @param {Iterable<string>} available mechanisms of a server
 * @returns {Mechanism[]} those that are missing
 */
export function missingMechanisms({ mechanisms }, available) {
  const has = new Set(available);
  return mechanisms.filter((mechanism) => !has.has(mechanism));
}

/**
 * @param {Experiment} experiment
 * @returns {{asIs: Arm, advised: Arm}} the arms that are compared
 */
export function comparedArms({ id, arms: [asIs, advised] }) {
  if (!asIs || !advised) throw new TypeError(`experiment ${id} has fewer than two arms`);
  return { asIs, advised };
}

/**
 * @param {Experiment} experiment
 * @returns {boolean} whether it is about a subject of the user, and not the pattern elsewhere
 */
export function isBound({ about }) {
  return about !== undefined;
}

/** @type {Assumption[]} */
const PATTERN = [
  { part: 'functions', text: 'generic functions with the same pattern' },
  { part: 'documents', text: 'made-up orders' },
  { part: 'query', text: 'generic queries with the same pattern' },
];

/** A pattern of writes has no functions and no queries. @type {Assumption[]} */
const PATTERN_OF_LOADS = [
  { part: 'documents', text: 'made-up orders' },
  { part: 'ids', text: 'made-up ids' },
];

/**
 * @param {Experiment} experiment
 * @returns {Assumption[]} what of it is not the user's
 */
export function assumptionsOf({ about, assumed = [], arms }) {
  if (about !== undefined) return assumed;
  return arms.every(({ measure }) => measure === 'load') ? PATTERN_OF_LOADS : PATTERN;
}

/**
 * @param {Arm} arm
 * @returns {MixedRequest[]} what it requests; none of a load
 */
export function queriesOf({ request, queries }) {
  return queries ?? (request ? [{ share: 1, shape: '', request }] : []);
}
