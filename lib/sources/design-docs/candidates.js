// Finds the ranges of a JSON text that may be design documents, index definitions or replications, whatever they are wrapped in.
// Builds no values, so that millions of data documents beside them cost one pass over the text each.

import { listItems, listMembers, readString, skipBlank } from './json-scan.js';
import { isDesignId, mayMatter } from './recognise.js';
import { mayBeReplication } from './replication.js';

/** @import { Member, Range } from './json-scan.js' */

/**
 * @typedef {object} Candidates
 * @property {Range[]} ranges
 * @property {boolean} isDump true where they are written as the documents of one database: a dump, the body or the answer
 *   of a request, an array of several
 */

/** What every `_id` of a design document contains (its slash is written `\/` by some programs), and what every replication does. */
const WORDS = ['_design', '"target"'];

/**
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @returns {Candidates}
 */
export function findCandidates(text, start, end) {
  const root = { start: skipBlank(text, start, end), end };
  if (text[root.start] === '[') {
    let count = 0;
    const items = listItems(text, root, (item) => {
      count += 1;
      return isCandidate(text, unwrapRow(text, item));
    });
    return { ranges: items.map((item) => unwrapRow(text, item)), isDump: count > 1 };
  }
  const members = listMembers(text, root);
  if (!isDesignId(idOf(text, members))) {
    const documents = listDocuments(text, members);
    if (documents) {
      // Without a name a document of a database is none that CouchDB takes for a design document.
      const ranges = documents.filter((range) => {
        const own = listMembers(text, range);
        return isDesignId(idOf(text, own)) || mayBeReplication(own.map(({ key }) => key));
      });
      return { ranges, isDump: true };
    }
  }
  const row = unwrapRow(text, root);
  return { ranges: isCandidate(text, row) ? [row] : [], isDump: false };
}

/**
 * @param {string} text
 * @param {Member[]} members of the outermost object
 * @returns {Range[] | undefined} the documents in a body of `_bulk_docs` or an answer of `_find`, `_all_docs`, `_bulk_get`
 *   or `_changes` that may be design documents or replications, and the jobs of `_scheduler/jobs`; undefined where the object is none of these
 */
function listDocuments(text, members) {
  for (const { key, start, end } of members) {
    if (text[start] !== '[') continue;
    if (key === 'docs' || key === 'jobs') return listItems(text, { start, end }, createWordTest(text));
    if (key !== 'rows' && key !== 'results') continue;
    const rows = listItems(text, { start, end }, createWordTest(text));
    return rows.flatMap((row) => {
      const answers = listMembers(text, row).find((member) => member.key === 'docs');
      if (!answers) return [unwrapRow(text, row)];
      return listItems(text, answers).flatMap((answer) => listMembers(text, answer).filter(({ key }) => key === 'ok'));
    });
  }
  return undefined;
}

/**
 * @param {string} text
 * @returns {(range: Range) => boolean} whether a range holds one of the words; to be called in the order of the text, which then is
 *   searched once for each
 */
function createWordTest(text) {
  const next = WORDS.map(() => -2);
  return ({ start, end }) => {
    for (const [number, word] of WORDS.entries()) {
      const at = next[number] ?? -1;
      if (at === -2 || (at !== -1 && at < start)) next[number] = text.indexOf(word, start);
    }
    return next.some((at) => at >= 0 && at < end);
  };
}

/**
 * @param {string} text
 * @param {Range} range of a document, or of a row of `_all_docs` or `_changes` with its document in it
 * @returns {Range} of the document
 */
function unwrapRow(text, range) {
  const members = listMembers(text, range);
  if (!members.some(({ key }) => key === 'id')) return range;
  if (members.some(({ key }) => key === '_id')) return range;
  return members.find(({ key, start }) => key === 'doc' && text[start] === '{') ?? range;
}

/** @param {string} text @param {Range} range @returns {boolean} */
function isCandidate(text, range) {
  const members = listMembers(text, range);
  return mayMatter(
    idOf(text, members),
    members.map(({ key }) => key),
  );
}

/**
 * @param {string} text
 * @param {Member[]} members
 * @returns {string | undefined} the value of `_id`, empty where it is no string; undefined where there is none
 */
function idOf(text, members) {
  const id = members.findLast(({ key }) => key === '_id');
  return id && (readString(text, id) ?? '');
}
