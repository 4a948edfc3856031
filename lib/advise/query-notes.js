// Says which Mango queries of a workload no index is proposed for, and why.

import { joinWords } from '../shared/join-words.js';
import { wordQuery } from '../shared/query-name.js';
import { formatCount } from '../shared/units.js';
import { isBrokenBy, isServedByUnread } from './index-for.js';
import { isNarrowing } from './mango-candidates.js';
import { bindingsOf } from './parameter-bindings.js';
import { someOf } from './some-of.js';

/** @import { ExistingIndex } from './index-for.js' */
/** @import { PlanQuery } from './plan.js' */
/** @import { Sample } from './sample.js' */
/** @import { Statement } from './workload.js' */

/** Any JSON index: which one it is makes no difference to what breaks. */
const ANY_INDEX = { columns: ['_id'] };

/**
 * @param {Statement[]} statements
 * @param {{sampleOf: (database: string | null) => Sample | undefined, indexesOf: (database: string | null) => ExistingIndex[], target: string}} about
 * @returns {string[]} one sentence for each reason
 */
export function queryNotes(statements, { sampleOf, indexesOf, target }) {
  /** @type {{unread: PlanQuery[], wide: PlanQuery[], breaking: PlanQuery[]}} */
  const found = { unread: [], wide: [], breaking: [] };
  for (const { find, query } of statements) {
    if (!find) continue;
    const sample = sampleOf(query.database);
    const bindings = sample ? bindingsOf(find, sample) : [];
    const indexes = indexesOf(query.database);
    if (isServedByUnread(find, bindings, indexes, target)) found.unread.push(query);
    else if (!isNarrowing(find)) found.wide.push(query);
    if (indexes.length === 0 && isBrokenBy(find, bindings, ANY_INDEX, target)) found.breaking.push(query);
  }
  return [
    ...noteOf(found.unread, 'not judged: they need an index that was not read; add your indexes, or --url'),
    ...noteOf(found.wide, 'not helped by an index: none of their conditions is an equality, a range or a sort'),
    ...noteOf(
      found.breaking,
      `the reason why their databases get no index: once one exists, CouchDB ${target} answers them with status 500`,
    ),
  ];
}

/** @param {PlanQuery[]} queries @param {string} text @returns {string[]} */
function noteOf(queries, text) {
  if (queries.length === 0) return [];
  const perDay = queries.reduce((sum, query) => sum + query.perDay, 0);
  const names = someOf(queries.map(({ name }) => wordQuery(name)));
  return [`${formatCount(Math.round(perDay))} Mango queries a day are ${text} (${joinWords(names)})`];
}
