// What a plan of `couch-advisor advise` is: the changes that are worth making for a workload, with what each saves and costs. Types only.

/** @import { ArmRequest } from '../measure/experiments/experiment.js' */

/** A predicted figure. @typedef {{low: number, high: number}} Range */

/**
 * @typedef {object} Reads What one request reads, on average.
 * @property {number} rows of an index, or of the tree of all documents
 * @property {number} documents
 * @property {number} results that it answers with
 * @property {'measured' | 'estimated'} basis `measured`: the log says it; `estimated`: counted over sample documents
 */

/**
 * @typedef {object} PlanQuery One form of query of the workload.
 * @property {string} id `q1`, `q2`, … the costliest first
 * @property {string} name as the reports show it: `POST shop/_find status:eq`
 * @property {string | null} database name or pattern; null where code does not show it
 * @property {'find' | 'view' | 'all-docs' | 'changes' | 'other'} kind
 * @property {'logs' | 'code'} source
 * @property {string[]} places `couch.log:12`, `lib/orders.js:40:3`
 * @property {number} perDay requests
 * @property {number | null} msEach mean time of a request as logged; null where the logs have no times
 * @property {'read' | 'write' | 'global query'} [requestClass] on Cloudant
 */

/**
 * @typedef {object} IndexDefinition Body of `POST /db/_index`, but for `ddoc` and `name`.
 * @property {(string | Record<string, 'asc' | 'desc'>)[]} fields
 * @property {Record<string, unknown>} [partial_filter_selector]
 */

/** @typedef {{map: string, reduce?: string}} ViewDefinition */

/**
 * @typedef {object} PlanChange
 * @property {'create-index' | 'drop-index' | 'create-view' | 'change-view' | 'drop-view'} kind
 * @property {string | null} database
 * @property {string} designDoc `_design/orders`
 * @property {string} name of the index or the view
 * @property {IndexDefinition} [index] of `create-index`
 * @property {ViewDefinition} [view] of `create-view` and `change-view`
 * @property {{index?: IndexDefinition, view?: ViewDefinition}} [replaces] what is there now, where it is changed or dropped
 * @property {string} [file] where it is defined, `design/orders.json:12`
 */

/**
 * @typedef {object} StepQuery What a step changes for one form of query.
 * @property {string} query id of the {@link PlanQuery}
 * @property {Reads | null} before null where it is unknown
 * @property {Reads | null} after
 * @property {number | null} msBefore of a request; null where nothing is known of it
 * @property {number | null} msAfter
 * @property {Range | null} [msAfterRange]
 * @property {{index?: IndexDefinition, view?: ViewDefinition}} servedBy what serves it now; empty: the tree of all documents
 * @property {{before: ArmRequest[], after: ArmRequest[]}} requests examples with values, pairwise the same query, for `confirm --plan`; empty
 *   where no values are known
 * @property {string[]} mustChange what the program must change for it, one sentence each: `add "use_index": "by_status"`
 */

/**
 * @typedef {object} StepCost
 * @property {number | null} bytes of the index on the disk, once built and compacted; below 0 where the step frees space; null: unknown
 * @property {number | null} bytesPer1000Writes by which its file grows before it is compacted
 * @property {number | null} writeMsPerDay processor time that keeping it up to date takes, for the writes of the logs
 * @property {number | null} buildSeconds
 * @property {Range | null} [buildRange] seconds, on an idle server
 * @property {Range | null} [bytesRange]
 * @property {number | null} peakBytes of the disk while it is deployed, above what is there now
 */

/**
 * @typedef {object} StepAction
 * @property {'project' | 'check' | 'deploy' | 'warm' | 'watch' | 'later' | 'undo'} name
 * @property {string} text what it does
 * @property {string[]} commands for a POSIX shell with curl and jq, in the folder of `--write`; `COUCHDB_URL` is the address of the server
 */

/**
 * @typedef {object} StepDatabases The databases that a step changes.
 * @property {number} count that it changes
 * @property {number} all databases of that name or pattern
 * @property {'server' | 'logs'} basis who says how many there are
 * @property {string[]} names those that it changes; empty where no server was read
 * @property {string[]} done those that have it already
 * @property {{revision: string | null, names: string[]}[]} revisions of the design document that it changes or drops, and which databases have
 *   each, the most frequent first; null: it is not there
 */

/**
 * @typedef {object} PlanStep
 * @property {number} number from 1, in the order in which they are best made
 * @property {PlanChange} change
 * @property {string} title one line: `create index by_status_date on status, date`
 * @property {number | null} savedMsPerDay reading time that it adds to what the steps before it save; null where the workload has no times
 *   and none can be estimated
 * @property {Range | null} [savedRange] milliseconds a day
 * @property {number | null} savedShare of all logged time, 0 to 1
 * @property {number} requestsPerDay that it is about
 * @property {StepDatabases} [databases] what `cost` and the savings are of: all of them together
 * @property {StepCost} cost
 * @property {StepCost} [costEach] of one of its databases, where there are several
 * @property {StepQuery[]} queries
 * @property {string[]} because what it rests on, one sentence each; also what was assumed
 * @property {string[]} findings keys of findings of `lint` that it settles
 * @property {{path: string, content: string}[]} files to write, below the folder of `--write`
 * @property {StepAction[]} [actions] what to do, in this order; `undo` where it has to be taken back
 */

/**
 * @typedef {object} Plan
 * @property {1} version
 * @property {'plan'} kind
 * @property {string} tool version of couch-advisor
 * @property {string} target version of CouchDB
 * @property {string} [targetSource] what names it: `as docker-compose.yml says`
 * @property {{from: string | null, to: string | null, minutes: number, requests: number, hasTimes: boolean, msPerDay: number | null,
 *   writesPerDay: number | null, files: string[], databases?: string[]}} workload `databases`: names and globs of those that it is about; all where absent
 * @property {{files: string[], sampled: number, total: number}} documents that reads and sizes were estimated from
 * @property {{diskBytes: number | null, maxIndexes: number | null, writeShare: number | null, freeBytes: number | null}} budget
 * @property {PlanQuery[]} queries that steps are about
 * @property {PlanStep[]} steps
 * @property {{savedMsPerDay: number | null, savedShare: number | null, bytes: number | null, writeMsPerDay: number | null,
 *   buildSeconds: number | null, peakBytes: number | null, savedRange?: Range | null, bytesRange?: Range | null, buildRange?: Range | null}} total of all steps
 * @property {{title: string, reason: string}[]} rejected candidates that are not in the plan, the most useful first: over the budget, costs more
 *   than it saves, an alternative is better
 * @property {number} considered candidates in all
 * @property {{finding: string, code: string, message: string, place: string, share: number}[]} [others] findings of `lint` that no step settles and whose
 *   requests take time, the costliest first; `share`: of the time of all logged requests, of their number where the logs have no times
 * @property {string | null} cheapest what the cheapest useful plan needs, where the budget allows none
 * @property {string[]} notes what is unknown, and what would tell: no times in the log, no documents, no bodies of requests
 */

export {};
