// Holds what is known of the document at one point of a function, from the tests that lead there. Values do not change: learning something makes
// new knowledge.
//
// There are two kinds of knowledge. `present`, `truthyTested` and `assigned` are about paths, in which `[]` is any element: they show what
// the author thought of, and decide what is worth a warning. `types`, `lists` and `finite` are about places, each of which names one value of one
// document: proofs are based on them.

/** @import { PathValue } from './values.js' */

/** @typedef {'number' | 'string' | 'boolean'} KnownType */

/**
 * @typedef {object} Knowledge
 * @property {ReadonlySet<string>} present paths that are neither null nor missing
 * @property {ReadonlyMap<string, KnownType>} types by place
 * @property {ReadonlySet<string>} lists places that are lists
 * @property {ReadonlySet<string>} finite places that are finite where they are converted to numbers, as `isFinite` tests
 * @property {ReadonlySet<string>} truthyTested paths of which only the truth was tested
 * @property {ReadonlySet<string>} assigned paths the function may have given a value of its own
 * @property {boolean} isTested whether some test stands before: the shape of the document may then be promised
 * @property {boolean} isOtherTested whether an earlier test looks at more than fields of the document
 */

/** @type {Knowledge} */
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
 * @param {Knowledge} knowledge
 * @param {string} path
 * @param {{byTruth?: boolean}} [more]
 * @returns {Knowledge} with the path, and all above it, present
 */
export function withPresent(knowledge, path, { byTruth } = {}) {
  const present = new Set(knowledge.present);
  // Above what is known to be there, all is.
  for (let at = path; at !== '' && !present.has(at); at = parentOf(at)) present.add(at);
  const truthyTested = byTruth ? new Set([...knowledge.truthyTested, path]) : knowledge.truthyTested;
  return { ...knowledge, present, truthyTested };
}

/**
 * @param {Knowledge} knowledge
 * @param {PathValue} value
 * @param {{type?: KnownType | undefined, isList?: boolean | undefined}} learned
 * @returns {Knowledge} the same where it is not certain which place the value stands at
 */
export function withType(knowledge, { place }, { type, isList }) {
  if (place === undefined || (!type && !isList)) return knowledge;
  const types = type ? new Map([...knowledge.types, [place, type]]) : knowledge.types;
  const lists = isList ? new Set([...knowledge.lists, place]) : knowledge.lists;
  return { ...knowledge, types, lists };
}

/**
 * @param {Knowledge} knowledge
 * @param {PathValue} value
 * @returns {KnownType | undefined} its type, where tests of this very place have shown it
 */
export function typeAt({ types }, { place }) {
  return place === undefined ? undefined : types.get(place);
}

/**
 * @param {Knowledge} knowledge
 * @param {PathValue} value
 * @returns {Knowledge} with the place finite where it is converted to a number; the same where it is not certain which place that is
 */
export function withFinite(knowledge, { place }) {
  return place === undefined ? knowledge : { ...knowledge, finite: new Set([...knowledge.finite, place]) };
}

/**
 * @param {Knowledge} knowledge
 * @param {boolean} [isOther] whether more than fields of the document was tested
 * @returns {Knowledge}
 */
export function withTest(knowledge, isOther = true) {
  if (knowledge.isTested && (knowledge.isOtherTested || !isOther)) return knowledge;
  return { ...knowledge, isTested: true, isOtherTested: knowledge.isOtherTested || isOther };
}

/**
 * @param {Knowledge} first
 * @param {Knowledge} second
 * @returns {Knowledge} what holds in both
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
 * @param {Knowledge} first
 * @param {Knowledge | undefined} second
 * @returns {Knowledge} what either says
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
 * @param {Knowledge} knowledge
 * @param {string} path
 * @returns {Knowledge} with a value of the function's own at the path
 */
export function withAssigned(knowledge, path) {
  return withPresent({ ...knowledge, assigned: new Set([...knowledge.assigned, path]) }, path);
}

/**
 * @param {Knowledge} knowledge
 * @param {Knowledge} before
 * @returns {Knowledge} what is known, with the tests that stood before and no others
 */
export function withTestsOf(knowledge, before) {
  const { isTested, isOtherTested } = before;
  return { ...knowledge, isTested, isOtherTested };
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
