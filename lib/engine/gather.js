// Merges findings that have one cause: those of an outcome with `oncePer`, and those of code at one place that belongs to several subjects. The first
// place is the finding's own, the others are its related places. Runs after ignores and baselines are applied, so that each place can be silenced by
// itself.

/** @import { Subject } from '../facts/fact.js' */
/** @import { Link } from './judge.js' */

/**
 * @param {Link[]} links in the order of places; findings that get others are changed
 * @returns {Link[]} in the same order; each finding that was made part of another is in the `others` of that one
 */
export function gatherLinks(links) {
  /** @type {Map<Subject, Map<string, Link>>} */
  const firsts = new Map();
  return links.filter((link) => {
    const { oncePer, finding } = link;
    const scope = ancestorOf(link.subject, oncePer ?? 'design-doc');
    if (oncePer === undefined && scope.kind !== 'design-doc') return true;
    const byCause = firsts.get(scope) ?? new Map();
    firsts.set(scope, byCause);
    // What differs here, one line of a report cannot say for all.
    const cause = JSON.stringify([
      finding.rule,
      finding.outcome,
      finding.severity,
      finding.certainty,
      ...(link.oncePer === undefined ? partsOf(link) : []),
    ]);
    const first = byCause.get(cause);
    if (first === undefined) {
      byCause.set(cause, link);
      return true;
    }
    addPlace(first, link);
    return false;
  });
}

/**
 * A macro pastes one file into several functions, and a program may give one function to several views.
 * @param {Link} link
 * @returns {unknown[]} equal where the same is said of the same code
 */
function partsOf({ finding: { place, message, fix }, subject: { name } }) {
  return [place, message.replaceAll(`\`${name}\``, ''), fix?.id];
}

/**
 * @param {Link} first
 * @param {Link} link
 */
function addPlace(first, link) {
  const { place, key } = link.finding;
  const { related } = first.finding;
  // What is evidence already is shown once. Evidence comes first, and there is little of it.
  const text = JSON.stringify(place);
  const at = related.findIndex((one) => one.key !== undefined || JSON.stringify(one.place) === text);
  if (related[at] && related[at].key === undefined) related.splice(at, 1);
  related.push({ message: shortMessage(link, first), place, key });
  first.others ??= [];
  first.others.push(link);
}

/**
 * @param {Subject} subject
 * @param {'design-doc' | 'run'} kind
 * @returns {Subject} the subject of that kind that it belongs to
 */
function ancestorOf(subject, kind) {
  let at = subject;
  while (at.kind !== kind && at.kind !== 'run') at = at.parent;
  return at;
}

/**
 * @param {Link} link
 * @param {Link} first the one that speaks for it
 * @returns {string} what differs from the first: the code alone, where both are about one subject
 */
function shortMessage({ finding, subject, item }, first) {
  return item !== undefined && subject === first.subject ? `\`${item.value}\`` : finding.message;
}

/**
 * @param {Link[]} links
 * @returns {Link[]} with those that were made part of another
 */
export function eachPlace(links) {
  return links.flatMap((link) => [link, ...(link.others ?? [])]);
}
