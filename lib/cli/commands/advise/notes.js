// Says what of a workload and its sample `advise` does not know, and what would show it.

import { statSync } from 'node:fs';
import path from 'node:path';
import { bindingsOf } from '../../../advise/parameter-bindings.js';
import { someOf } from '../../../advise/some-of.js';
import { joinWords } from '../../../shared/join-words.js';
import { wordQuery } from '../../../shared/query-name.js';
import { formatCount, formatDuration } from '../../../shared/units.js';

/** @import { Sample } from '../../../advise/sample.js' */
/** @import { unusedIndexes } from '../../../advise/unused-indexes.js' */
/** @import { Workload } from '../../../advise/workload.js' */
/** @import { RunSubject } from '../../../facts/fact.js' */
/** @import { knownIndexes } from '../../../facts/mango/choice.js' */

/** Queries that are named in notes. */
const MAX_NAMED = 5;
const DAY_MS = 86_400_000;

/**
 * @param {Workload} workload
 * @param {Sample | undefined} sample
 * @returns {string[]} what is unknown, and what would tell
 */
export function missingNotes({ statements, log }, sample) {
  const notes = [];
  const unread = statements.filter(({ unknown }) => unknown !== undefined);
  if (unread.length > 0) {
    const requests = unread.reduce((sum, { query }) => sum + query.perDay, 0);
    notes.push(
      `${formatCount(Math.round(requests))} Mango queries a day are not judged: the log does not show their selectors; a HAR file or the code of the application does`,
    );
  }
  const strange = statements.filter(({ find }) => sample && find && bindingsOf(find, sample).length === 0);
  for (const { query, find } of strange.slice(0, MAX_NAMED)) {
    const fields = [...new Set(find?.clauses.map(({ field }) => field))];
    notes.push(
      `${wordQuery(query.name)} (${query.places[0]}) is not judged: no sample document has ${joinWords(fields)} together`,
    );
  }
  if (sample === undefined)
    notes.push('without documents, what queries read and how large indexes become is unknown: add --docs');
  if (!log.hasTimes)
    notes.push('the log has no times: savings are estimated from how often queries come and what they read');
  return notes;
}

/**
 * @param {Workload} workload
 * @param {ReturnType<typeof knownIndexes>} known
 * @param {boolean} isUnclear
 * @returns {string[]} what is not known of the indexes that are there
 */
export function indexNotes({ statements }, known, isUnclear) {
  if (!('unknown' in known) || !statements.some(({ query }) => query.kind === 'find')) return [];
  return isUnclear
    ? [`no Mango index is proposed: ${known.unknown}`]
    : ['no Mango index was read: add the definitions of those that the database has, or --url'];
}

/**
 * @param {{files: string[], cwd: string, drawn: number, kept: number, total: number, from: string | null}} about `drawn`: documents of the sample, `kept`: with
 *   different ids; `total`: of the database; `from`: when the log begins
 * @returns {string[]} why the sample may be of another state than the database
 */
export function sampleNotes({ files, cwd, drawn, kept, total, from }) {
  const notes = [];
  if (drawn > kept)
    notes.push(
      `${formatCount(drawn - kept)} of ${formatCount(drawn)} sample documents have an id that comes again: the last one of each counts`,
    );
  if (kept > total)
    notes.push(
      `the sample has ${formatCount(kept)} documents, the database ${formatCount(total)}: it is of another state; figures are for ${formatCount(total)}`,
    );
  const old = files.filter((file) => isOlder(path.resolve(cwd, file), from));
  if (old.length > 0)
    notes.push(
      `${joinWords(someOf(old))} was written a day or more before the log begins: newer values are not in the sample`,
    );
  return notes;
}

/** @param {string} file absolute @param {string | null} from @returns {boolean} */
function isOlder(file, from) {
  const modified = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return modified !== undefined && from !== null && modified < Date.parse(from) - DAY_MS;
}

/**
 * @param {ReturnType<typeof unusedIndexes>} unseen
 * @param {RunSubject} run
 * @param {Workload} workload of less than seven days
 * @returns {string[]} which indexes and views have no request
 */
export function unseenNotes(unseen, { subjects }, { log, statements, minutes }) {
  const queried = new Set(statements.map(({ subject: { record } }) => `${record.designDoc}/${record.view}`));
  const views = log.hasNames
    ? subjects.flatMap((one) =>
        one.kind === 'view' && !queried.has(`${one.parent.record.id}/${one.name}`) ? [one.name] : [],
      )
    : [];
  const names = [...new Set([...unseen.map(({ index }) => index.name), ...views])];
  const have = names.length === 1 ? 'has' : 'have';
  const they = names.length === 1 ? 'it is' : 'they are';
  return names.length === 0
    ? []
    : [
        `${joinWords(someOf(names))} ${have} no request in ${formatDuration(minutes * 60)}; seven days of logs are needed to say that ${they} unused`,
      ];
}
