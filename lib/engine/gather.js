// Merges findings that have one cause: those of an outcome with `oncePer`, and those of code at one place that belongs to several subjects. The first
// place is the finding's own, the others are its related places. Runs after ignores and baselines are applied, so that each place can be silenced by
// itself.

import { foldDatabase } from '../shared/fold-database.js';
import { groupBy } from '../shared/group-by.js';
import { formatCount } from '../shared/units.js';

/** @import { Subject } from '../facts/fact.js' */
/** @import { CannotTell, Link } from './judge.js' */

/**
 * @param {Link[]} links in the order of places; findings that get others are changed
 * @returns {Link[]} in the same order; each finding that was made part of another is in the `others` of that one
 */
export function gatherLinks(links) {
  /** @type {Map<unknown, Map<string, Link>>} */
  const firsts = new Map();
  const gathered = links.filter((link) => {
    const { oncePer, finding } = link;
    const scope = ancestorOf(link.subject, oncePer ?? 'design-doc');
    const ofPattern = oncePer === undefined && partsOfPattern(link.subject);
    if (oncePer === undefined && scope.kind !== 'design-doc' && !ofPattern) return true;
    // Equal design documents of several databases count as one.
    const about = scope.kind === 'design-doc' ? (scope.record.original ?? scope.record) : scope;
    const byCause = firsts.get(about) ?? new Map();
    firsts.set(about, byCause);
    // What differs here, one line of a report cannot say for all.
    const cause = JSON.stringify([
      finding.rule,
      finding.outcome,
      finding.severity,
      finding.certainty,
      ...(ofPattern || (link.oncePer === undefined ? partsOf(link) : [])),
    ]);
    const first = byCause.get(cause);
    if (first === undefined) {
      byCause.set(cause, link);
      return true;
    }
    addPlace(first, link);
    return false;
  });
  for (const link of gathered) countDatabases(link);
  return gathered;
}

/**
 * Databases of one name pattern (one per user) have one cause in common.
 * @param {Subject} subject
 * @returns {unknown[] | undefined} equal where what is said is about databases of one pattern; undefined where it is about no database
 */
function partsOfPattern(subject) {
  const { kind, name } = subject;
  if (kind === 'database') return [kind, foldDatabase(name)];
  if (kind === 'view-index' || kind === 'find-query') return [kind, name, foldDatabase(subject.record.database.name)];
  return undefined;
}

/** @param {Link} link whose message gets how many databases it speaks for */
function countDatabases({ subject, others, finding }) {
  const pattern = partsOfPattern(subject)?.at(-1);
  if (others && pattern !== undefined) finding.message += moreDatabases(others.length, String(pattern));
}

/** @param {number} count @param {string} pattern */
const moreDatabases = (count, pattern) =>
  ` (also in ${formatCount(count)} more database${count === 1 ? '' : 's'} \`${pattern}\`)`;

/**
 * @param {CannotTell[]} questions
 * @returns {CannotTell[]} those about databases of one name pattern once, with their number
 */
export function gatherQuestions(questions) {
  const groups = groupBy(questions, ({ rule, fact, reason, subject: { kind, name, database } }) =>
    database === undefined || !PARTS_OF_SERVERS.has(kind)
      ? {}
      : JSON.stringify([rule, fact, reason, kind, name === database ? '' : name, foldDatabase(database)]),
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first || others.length === 0) return first ?? [];
    const pattern = foldDatabase(first.subject.database ?? '');
    return { ...first, reason: `${first.reason}${moreDatabases(others.length, pattern)}` };
  });
}

/** Kinds of subjects that belong to a database of a server. @type {ReadonlySet<string>} */
const PARTS_OF_SERVERS = new Set(['database', 'view-index', 'find-query']);

/**
 * A macro pastes one file into several functions, and a program may give one function to several views.
 * @param {Link} link
 * @returns {unknown[]} equal where the same is said of the same code
 */
function partsOf({ finding: { place, message, fix }, subject }) {
  const designDoc = ancestorOf(subject, 'design-doc');
  const isOnServer = designDoc.kind === 'design-doc' && designDoc.record.database !== undefined;
  return [{ ...place, file: isOnServer ? '' : place.file }, message.replaceAll(`\`${subject.name}\``, ''), fix?.id];
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
