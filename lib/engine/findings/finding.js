// Defines the shape of a finding and its key. Knows nothing of where findings come from.

import { hashText } from '../../shared/hash-text.js';

/** @import { Place } from '../../shared/source-file.js' */

/** @typedef {'error' | 'warning' | 'info'} Severity */
/** How sure a finding is, from how the facts on its path are known: all declared, measured or proved (`high`), some
 *  followed through code (`medium`), some assumed because unknown (`low`). @typedef {'high' | 'medium' | 'low'} Certainty */

/**
 * @typedef {object} Step One question on the path through a rule's tree.
 * @property {string} question
 * @property {string} fact
 * @property {string | number | boolean | string[] | null} value null where it is unknown
 * @property {string} basis `unknown` where the fact is
 * @property {'yes' | 'no' | 'unknown'} answer
 * @property {string} operator
 * @property {string | number | boolean | (string | number)[]} operand what the fact was compared with
 * @property {string} because why the question has this operand
 * @property {string} [reason] why the fact is unknown
 * @property {Place} [place]
 */

/**
 * @typedef {object} FindingSubject
 * @property {string} kind
 * @property {string} [name] of a function, filter, index or file
 * @property {string} [designDoc] id of the design document
 * @property {string} [view]
 * @property {string} [database]
 */

/**
 * @typedef {object} Cost What the requests that a finding is about took in the logs of the run.
 * @property {number} share 0 to 1, of the time of all requests; of their number where the logs have no times
 * @property {number} [totalMs] absent where the logs have no times
 * @property {number} requests
 * @property {number} [perHour] how many requests an hour, on average over the whole log; absent where its lines have no timestamps
 * @property {{id: string, share: number}[]} shapes query patterns that these requests have
 */

/**
 * @typedef {object} MeasuredVerdict What a measurement said of a finding, or of the pattern that it is about.
 * @property {string} word
 * @property {string} [reason] one sentence
 * @property {number | null} ratio how many times faster the advised way is; below 1 where it is slower
 * @property {[number, number] | null} interval of that ratio
 * @property {number} rounds pairs of rounds that were measured
 * @property {string} server which it holds for
 * @property {Record<string, Record<string, number>>} [counters] of the server, a thing answered, by arm
 * @property {{code: string, message: string}[]} warnings
 * @property {string | null} at ISO 8601
 * @property {{part: string, text: string}[]} [assumed] what was measured is not the user's in these parts
 * @property {number} [ageDays] how long ago that was
 * @property {string} [stale] what has changed since
 */

/**
 * @typedef {object} Finding
 * @property {string} key code of rule and outcome, and a hash that survives moved lines
 * @property {string} rule `view/emit-whole-doc`
 * @property {string} outcome id of the outcome
 * @property {Severity} severity
 * @property {Certainty} certainty
 * @property {string} title of the rule
 * @property {string} message the observation, one line
 * @property {string} why mechanism and cost
 * @property {string} advice one action
 * @property {FindingSubject} subject
 * @property {Place} place
 * @property {{message: string, place: Place, key?: string}[]} related other places that belong to the evidence; with a `key`, places that
 *   have the same problem by the same cause: ignores and baselines know each by its own key
 * @property {Step[]} path
 * @property {string[]} sources what the rule rests on
 * @property {Cost} [cost] of what it is about, where logs show it
 * @property {{id: string, safe: boolean, title: string}} [fix]
 * @property {string[]} [versions] of CouchDB that it holds for, where it was judged for several
 * @property {MeasuredVerdict} [verdict] what a measurement of it said
 * @property {MeasuredVerdict} [pattern] what a measurement of its pattern said, of other functions and documents: no confirmation of the finding
 */

/**
 * The key by which a finding is ignored or kept in a baseline. Made of what the finding is about and not of where it
 * stands, so it survives moved lines and edits elsewhere; equal findings of one subject are distinguished by a number.
 * @param {Pick<Finding, 'rule' | 'outcome' | 'subject'> & {place: {file: string}}} finding
 * @param {string} detail what distinguishes it from others of the same subject: the source text it is about
 * @param {number} ordinal 0 for the first with the same parts
 * @returns {string} `view/emit-whole-doc#copies-document:1a2b3c4d5e`
 */
export function findingKey(finding, detail, ordinal) {
  const { kind, name = '', designDoc = '', view = '', database } = finding.subject;
  // Logs are called otherwise every day; what requests are about is in their name.
  const isInCode = kind === 'call';
  const about = designDoc === '' || isInCode ? ((isInCode ? undefined : database) ?? finding.place.file) : designDoc;
  const parts = JSON.stringify([kind, about, view, name, detail.replace(/\s+/g, ' ').trim(), ordinal]);
  const hash = hashText(parts).slice(0, 10);
  return `${finding.rule}#${finding.outcome}:${hash}`;
}

/**
 * @param {Pick<Finding, 'related'>} finding
 * @returns {(Finding['related'][number] & {key: string})[]} the other places that have the same problem
 */
export function samePlaces({ related }) {
  return /** @type {ReturnType<typeof samePlaces>} */ (related.filter(({ key }) => key !== undefined));
}

/**
 * @param {Pick<Finding, 'key' | 'related'>} finding
 * @returns {string[]} the keys of all its places, its own first
 */
export function keysOf(finding) {
  return [finding.key, ...samePlaces(finding).map(({ key }) => key)];
}
