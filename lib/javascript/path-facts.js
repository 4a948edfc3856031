// Path facts: what is known of the document at one point of a function, from the tests that lead there. Immutable: narrowing by a
// test makes a new object.
//
// There are two kinds of path facts. `present`, `truthyTested` and `assigned` are about paths, in which `[]` is any element: they show what
// the author thought of, and decide what is worth a warning. `types`, `lists` and `finite` are about places, each of which names one value of one
// document: proofs are based on them.

/** @import { PathValue } from './values.js' */

/** @typedef {'number' | 'string' | 'boolean'} KnownType */

/**
 * @typedef {object} PathFacts
 * @property {ReadonlySet<string>} present paths that are neither null nor missing
 * @property {ReadonlyMap<string, KnownType>} types by place
 * @property {ReadonlySet<string>} lists places that are lists
 * @property {ReadonlySet<string>} finite places that are finite where they are converted to numbers, as `isFinite` tests
 * @property {ReadonlySet<string>} truthyTested paths of which only the truth was tested
 * @property {ReadonlySet<string>} assigned paths the function may have given a value of its own
 * @property {boolean} isTested whether some test stands before: the shape of the document may then be promised
 * @property {boolean} isOtherTested whether an earlier test looks at more than fields of the document
 */

/** @type {PathFacts} */
export const NOTHING_KNOWN = {
  present: new Set(),
  types: new Map(),
  lists: new Set(),
  finite: new Set(),
  truthyTested: new Set(),
  assigned: new Set(),
  isTested: false,
  isOtherTested: false,
};

/**
 * @param {PathFacts} pathFacts
 * @param {string} path
 * @param {{byTruth?: boolean}} [more]
 * @returns {PathFacts} with the path, and all above it, present
 */
export function withPresent(pathFacts, path, { byTruth } = {}) {
  const present = new Set(pathFacts.present);
  // Above what is known to be there, all is.
  for (let at = path; at !== '' && !present.has(at); at = parentOf(at)) present.add(at);
  const truthyTested = byTruth ? new Set([...pathFacts.truthyTested, path]) : pathFacts.truthyTested;
  return { ...pathFacts, present, truthyTested };
}

/**
 * @param {PathFacts} pathFacts
 * @param {PathValue} value
 * @param {{type?: KnownType | undefined, isList?: boolean | undefined}} narrowed
 * @returns {PathFacts} the same where it is not certain which place the value stands at
 */
export function withType(pathFacts, { place }, { type, isList }) {
  if (place === undefined || (!type && !isList)) return pathFacts;
  const types = type ? new Map([...pathFacts.types, [place, type]]) : pathFacts.types;
  const lists = isList ? new Set([...pathFacts.lists, place]) : pathFacts.lists;
  return { ...pathFacts, types, lists };
}

/**
 * @param {PathFacts} pathFacts
 * @param {PathValue} value
 * @returns {KnownType | undefined} its type, where tests of this very place have shown it
 */
export function typeAt({ types }, { place }) {
  return place === undefined ? undefined : types.get(place);
}

/**
 * @param {PathFacts} pathFacts
 * @param {PathValue} value
 * @returns {PathFacts} with the place finite where it is converted to a number; the same where it is not certain which place that is
 */
export function withFinite(pathFacts, { place }) {
  return place === undefined ? pathFacts : { ...pathFacts, finite: new Set([...pathFacts.finite, place]) };
}

/**
 * @param {PathFacts} pathFacts
 * @param {boolean} [isOther] whether more than fields of the document was tested
 * @returns {PathFacts}
 */
export function withTest(pathFacts, isOther = true) {
  if (pathFacts.isTested && (pathFacts.isOtherTested || !isOther)) return pathFacts;
  return { ...pathFacts, isTested: true, isOtherTested: pathFacts.isOtherTested || isOther };
}

/**
 * @param {PathFacts} first
 * @param {PathFacts} second
 * @returns {PathFacts} what holds in both
 */
export function common(first, second) {
  if (first === second) return first;
  return {
    present: new Set([...first.present].filter((path) => second.present.has(path))),
    types: new Map([...first.types].filter(([path, type]) => second.types.get(path) === type)),
    lists: new Set([...first.lists].filter((path) => second.lists.has(path))),
    finite: new Set([...first.finite].filter((path) => second.finite.has(path))),
    truthyTested: new Set([...first.truthyTested].filter((path) => second.truthyTested.has(path))),
    assigned: union(first.assigned, second.assigned),
    isTested: first.isTested && second.isTested,
    isOtherTested: first.isOtherTested && second.isOtherTested,
  };
}

/**
 * @param {PathFacts} first
 * @param {PathFacts | undefined} second
 * @returns {PathFacts} what either says
 */
export function both(first, second) {
  if (!second || first === second) return first;
  if (first === NOTHING_KNOWN) return second;
  return {
    present: union(first.present, second.present),
    types: new Map([...first.types, ...second.types]),
    lists: union(first.lists, second.lists),
    finite: union(first.finite, second.finite),
    truthyTested: union(first.truthyTested, second.truthyTested),
    assigned: union(first.assigned, second.assigned),
    isTested: first.isTested || second.isTested,
    isOtherTested: first.isOtherTested || second.isOtherTested,
  };
}

/**
 * @param {PathFacts} pathFacts
 * @param {string} path
 * @returns {PathFacts} with a value of the function's own at the path
 */
export function withAssigned(pathFacts, path) {
  return withPresent({ ...pathFacts, assigned: new Set([...pathFacts.assigned, path]) }, path);
}

/**
 * @param {PathFacts} pathFacts
 * @param {PathFacts} before
 * @returns {PathFacts} what is known, with the tests that stood before and no others
 */
export function withTestsOf(pathFacts, before) {
  const { isTested, isOtherTested } = before;
  return { ...pathFacts, isTested, isOtherTested };
}

/**
 * @param {ReadonlySet<string>} first
 * @param {ReadonlySet<string>} second
 * @returns {ReadonlySet<string>}
 */
function union(first, second) {
  if (second.size === 0) return first;
  return first.size === 0 ? second : new Set([...first, ...second]);
}

/**
 * @param {string} path `doc.lines[].article`
 * @returns {string} `doc.lines[]`; empty above a parameter
 */
function parentOf(path) {
  return path.endsWith('[]') ? path.slice(0, -2) : path.slice(0, Math.max(0, path.lastIndexOf('.')));
}
