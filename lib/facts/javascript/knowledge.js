// What is known of the document at one point of a function, from the tests that lead there. Values do not change: what is
// learned makes new knowledge.

/** @typedef {'number' | 'string' | 'boolean'} KnownType */

/**
 * @typedef {object} Knowledge
 * @property {ReadonlySet<string>} present paths that are neither null nor missing
 * @property {ReadonlyMap<string, KnownType>} types
 * @property {ReadonlySet<string>} truthyTested paths of which only the truth was tested
 * @property {boolean} isTested whether some test stands before: the shape of the document may then be promised
 * @property {boolean} isOtherTested whether some test stands before that asks for more than fields of the document
 */

/** @type {Knowledge} */
export const NOTHING_KNOWN = {
  present: new Set(),
  types: new Map(),
  truthyTested: new Set(),
  isTested: false,
  isOtherTested: false,
};

/**
 * @param {Knowledge} knowledge
 * @param {string} path
 * @param {{type?: KnownType, byTruth?: boolean}} [more]
 * @returns {Knowledge} with the path, and all above it, present
 */
export function withPresent(knowledge, path, { type, byTruth } = {}) {
  const present = new Set(knowledge.present);
  for (let at = path; at.includes('.') || at.includes('['); at = parentOf(at)) present.add(at);
  const types = type ? new Map([...knowledge.types, [path, type]]) : knowledge.types;
  const truthyTested = byTruth ? new Set([...knowledge.truthyTested, path]) : knowledge.truthyTested;
  return { ...knowledge, present, types, truthyTested };
}

/**
 * @param {Knowledge} knowledge
 * @param {boolean} [isOther] whether more than fields of the document was asked for
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
    truthyTested: new Set([...first.truthyTested].filter((path) => second.truthyTested.has(path))),
    isTested: first.isTested && second.isTested,
    isOtherTested: first.isOtherTested && second.isOtherTested,
  };
}

/**
 * @param {string} path `doc.lines[].article`
 * @returns {string} `doc.lines[]`
 */
export function parentOf(path) {
  return path.endsWith('[]') ? path.slice(0, -2) : path.slice(0, path.lastIndexOf('.'));
}
