// Types of a rule: a flat decision tree kept as data.

/** @import { Severity } from './findings/finding.js' */

/** @typedef {'is' | 'isOneOf' | 'contains' | 'matches' | 'atLeast' | 'above' | 'atMost' | 'below'} Operator the closed list; boolean facts take only `is` */

/**
 * @typedef {object} Question
 * @property {string} fact id of the fact that it tests
 * @property {Operator} operator
 * @property {boolean | number | string | (string | number)[]} value a list for `isOneOf` only
 * @property {string} because why the question matters, and for a number where it comes from
 * @property {string} yes id of the next question or of an outcome
 * @property {string} no
 * @property {string} [unknown] where absent, an unknown fact ends in the outcome `cannot-tell`
 * @property {string} [unknownAssumes] what the way on from `unknown` takes for granted: `this database is remote`
 * @property {false} [unknownLowersCertainty] where what the way on from `unknown` reports does not depend on the answer
 */

/**
 * @typedef {object} Outcome
 * @property {'problem' | 'fine' | 'cannot-tell'} verdict
 * @property {string} message for a problem: the observation, at most 120 characters, `{fact.id}` and `{subject}` and
 *   `{item}` filled in; for the others why nothing is reported
 * @property {string} [why] mechanism and cost; problems only
 * @property {string} [advice] starts with a verb; problems only
 * @property {Severity} [severity] instead of the rule's own
 * @property {string} [each] id of a list fact: one finding for each of its items, `{item}` in the texts
 * @property {'design-doc' | 'run'} [oncePer] one finding for each design document, or for the run; the other places are related
 * @property {string} [place] id of the fact whose place the finding gets; the last placed fact on the path where absent
 * @property {string[]} [evidence] facts that the texts name beside those on the path; computed when the outcome is reached
 * @property {string} [fix] id of a fix
 * @property {'builtin-reduce' | 'emit-fields' | 'share-map' | 'drop-view' | 'drop-index'} [change] that `advise` weighs
 */

/**
 * @typedef {object} Rule
 * @property {string} id `view/emit-whole-doc`: the folder's path below its rules folder
 * @property {string} title the problem in a few words
 * @property {'draft' | 'stable' | 'retired'} status drafts are off unless the config names them
 * @property {string} since the couch-advisor version that brought it
 * @property {Severity} severity
 * @property {import('../facts/fact.js').SubjectKind} subject
 * @property {string[]} needs sources without which it says nothing
 * @property {{from?: string, before?: string}} [appliesTo] CouchDB versions it holds for; all where absent
 * @property {string[]} sources what it rests on: documentation pages, source files with version, threads
 * @property {number} [saves] how many times less work requests take where the advice is followed, the least that was measured; 1 where the advice
 *   is not about that; absent where it was not measured
 * @property {string} start id of the first question
 * @property {Record<string, Question>} questions
 * @property {Record<string, Outcome>} outcomes
 * @property {string} [replacedBy] for retired rules
 * @property {string} [folder] absolute path, set when loaded
 * @property {string} [page] of a bundled rule, set when loaded: the address of its README in the repository, else its path in the package
 */

export {};
