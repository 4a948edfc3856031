// Chooses the set of candidates that saves most within a budget: greedy, then exchanges. Pure.

/**
 * @typedef {object} Candidate One change, as the choice sees it.
 * @property {string} id
 * @property {Map<string, number>} savings milliseconds a day (or another unit, the same for all) that reading a form of query takes less, by id
 *   of the query, if this change serves it. Of several changes for one query the best one counts
 * @property {number} bytes on the disk; below 0 where it frees space
 * @property {number} writeCost a day, in the unit of the savings; below 0 where it saves writing
 * @property {boolean} isIndex whether it counts for `maxIndexes`
 * @property {string} [alternative] of candidates with the same word at most one is chosen: they change the same thing
 * @property {string[]} [needs] ids of candidates without which it makes no sense
 */

/** @typedef {{bytes?: number | undefined, indexes?: number | undefined, writeCost?: number | undefined}} Budget `writeCost` a day, in the unit of savings */
/** @typedef {{chosen: string[], gain: number, steps: {id: string, adds: number}[]}} Choice `adds`: savings less writing that the step adds to the steps before it */

export {};
