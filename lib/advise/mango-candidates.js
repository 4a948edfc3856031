// Proposes Mango indexes for the Mango queries of a workload, and computes what each would read with them.

import { joinWords } from '../shared/join-words.js';
import { wordQuery } from '../shared/query-name.js';
import { compareVersions } from '../shared/version.js';
import { timesOf } from './costs.js';
import { keyOf } from './databases.js';
import { OPEN } from './find.js';
import { canUse, indexFor, isBrokenBy, isServedByUnread } from './index-for.js';
import { bindingsOf } from './parameter-bindings.js';
import { COVERS_SINCE, RANGES, readsOf } from './reads.js';
import { someOf } from './some-of.js';

/** @import { SetOf } from './databases.js' */
/** @import { ExistingIndex } from './index-for.js' */
/** @import { Find } from './find.js' */
/** @import { ParameterBindings } from './parameter-bindings.js' */
/** @import { Reads, StepQuery } from './plan.js' */
/** @import { ServingIndex } from './reads.js' */
/** @import { Sample } from './sample.js' */
/** @import { Statement } from './workload.js' */

/** `there`: the index that some databases of the pattern have already, by its name. `constants`: requests that are all there is to say for its filter. @typedef {ServingIndex & {constants?: number, id: string, database: string | null, serves: Served[], there?: {index: ExistingIndex, have: string[], share: number}}} MangoCandidate */

/**
 * @typedef {object} Served A query with this index.
 * @property {Statement} statement
 * @property {number | null} saved milliseconds a day; null where it cannot be determined
 * @property {Pick<StepQuery, 'before' | 'after' | 'msBefore' | 'msAfter' | 'mustChange'>} effect
 */

/** @typedef {{statement: Statement, find: Find, bindings: ParameterBindings[], now: Now}} Prepared */
/** What serves a query now: no index where it reads all documents. @typedef {{index: ExistingIndex | undefined, reads: Reads | undefined}} Now */

/** More columns than this narrow nothing that four did not. */
const MAX_COLUMNS = 4;
/** Milliseconds a document: a tenth of what two shards on two idle processors take (`rule-figures.js --only advise-reads`, CouchDB 3.5.0). */
const FASTEST_SCAN_MS = 0.003;
/** Fields that are added so that no document has to be read. */
const MAX_COVERED = 3;
/** A partial index has to be named by each query: it must be much smaller. */
const MAX_FILTERED = 0.2;

/**
 * @param {Statement[]} statements
 * @param {{sampleOf: (database: string | null) => Sample | undefined, setOf: SetOf, version: string}} about
 * @returns {{candidates: MangoCandidate[], notes: string[]}} each serves at least one query better than now
 */
export function mangoCandidates(statements, { sampleOf, setOf, version }) {
  /** @type {Map<string, MangoCandidate>} */
  const candidates = new Map();
  const canCover = compareVersions(version, COVERS_SINCE) >= 0;
  /** @type {Omit<Prepared, 'now'>[]} */
  const all = [];
  /** @type {Map<Statement, Prepared>} */
  const prepared = new Map();
  /** @type {string[]} */
  const fast = [];
  const finds = statements.filter(({ find, unknown }) => find !== undefined && unknown === undefined);
  for (const statement of finds) {
    const find = /** @type {Find} */ (statement.find);
    const { database } = statement.query;
    const sample = sampleOf(database);
    const { indexes, partly, read } = setOf(database);
    const own = { statement, find, bindings: sample ? bindingsOf(find, sample) : [] };
    all.push(own);
    // What is not known cannot be beaten.
    if (isServedByUnread(find, own.bindings, indexes, version)) continue;
    const now = servedNow(own, indexes, { sample, version });
    if (isTooFastForScan(statement, now)) {
      fast.push(wordQuery(statement.query.name));
      continue;
    }
    prepared.set(statement, { ...own, now });
    for (const index of proposalsFor(find, sample, { canCover })) {
      const isThere = indexes.some((known) => keyOf(known) === keyOf(index));
      const id = `${database ?? ''} ${keyOf(index)}${index.constants ? ' of the log' : ''}`;
      const some = partly.find((known) => keyOf(known.index) === keyOf(index));
      const there = some && { ...some, share: some.have.length / read.length };
      if (!isThere && !candidates.has(id))
        candidates.set(id, { ...index, id, database, serves: [], ...(there ? { there } : {}) });
    }
  }
  for (const candidate of candidates.values()) {
    for (const one of prepared.values()) {
      if (one.statement.query.database !== candidate.database) continue;
      const served = serve(one, candidate, { sample: sampleOf(candidate.database), version });
      if (served) candidate.serves.push(served);
    }
  }
  const fragile = all.filter(({ find, bindings }) =>
    [...bindings, ...find.examples.map((clauses) => ({ clauses }))].some(holdsObject),
  );
  const isSafe = (/** @type {MangoCandidate} */ candidate) =>
    fragile.every(
      ({ statement, find, bindings }) =>
        statement.query.database !== candidate.database || !isBrokenBy(find, bindings, candidate, version),
    );
  return {
    candidates: [...candidates.values()].filter((candidate) => candidate.serves.length > 0 && isSafe(candidate)),
    notes:
      fast.length > 0
        ? [`too fast to read all documents, so an index that was not read may serve: ${joinWords(someOf(fast))}`]
        : [],
  };
}

/** @param {Pick<ParameterBindings, 'clauses'>} binding @returns {boolean} whether a value is an object or a list: no other breaks a query */
function holdsObject({ clauses }) {
  return clauses.some(({ operand }) => typeof operand === 'object' && operand !== null);
}

/** @param {Find} find @returns {boolean} whether an index can read less for it, or sort */
export function isNarrowing({ clauses, sort }) {
  return sort.length > 0 || clauses.some(({ operator }) => operator === 'eq' || RANGES.has(operator));
}

/**
 * Columns in the order in which they narrow most: those compared by equality, then those of the sort, or one with a range.
 * @param {Find} find
 * @param {Sample | undefined} sample
 * @param {{canCover: boolean}} options
 * @returns {(ServingIndex & Pick<MangoCandidate, 'constants'>)[]}
 */
function proposalsFor(find, sample, { canCover }) {
  const { clauses, sort } = find;
  const sorted = sort.map(({ field }) => field);
  // CouchDB refuses a sort of mixed directions.
  if (new Set(sort.map(({ isDescending }) => isDescending)).size > 1) return [];
  const fieldsWith = (/** @type {(operator: string) => boolean} */ test) => [
    ...new Set(clauses.filter(({ operator }) => test(operator)).map(({ field }) => field)),
  ];
  const equal = fieldsWith((operator) => operator === 'eq').filter((field) => field !== '_id');
  const ranged = fieldsWith((operator) => RANGES.has(operator)).filter(
    (field) => field !== '_id' && !equal.includes(field),
  );
  const ordered = bySelectivity(equal, sample);
  const [best] = ordered;
  const leading = ordered.filter((field) => !sorted.includes(field));
  /** @type {string[][]} */
  const lists =
    sorted.length > 0
      ? [[...leading, ...sorted], ...(best && leading[0] ? [[leading[0], ...sorted]] : []), sorted]
      : [ordered, ...(best ? [[best]] : []), ...ranged.flatMap((field) => [[...ordered, field], [field]])];
  const plain = lists
    .filter((list) => list.length > 0)
    .map((list) => list.slice(0, Math.max(MAX_COLUMNS, sorted.length)));
  /** @type {ReturnType<typeof proposalsFor>} */
  const indexes = plain.map((columns) => ({ columns }));
  if (canCover) indexes.push(...plain.flatMap((columns) => covering(find, columns)));
  for (const clause of clauses) {
    const isOpen = clause.operand === OPEN;
    const operand = isOpen ? find.constants?.values.get(clause.field) : clause.operand;
    if (sample && isFilter({ ...clause, operand }, find, sample)) {
      const filter = { [clause.field]: operand };
      const more = isOpen && find.constants ? { constants: find.constants.requests } : {};
      const rest = plain.map((list) => list.filter((field) => field !== clause.field));
      indexes.push(...rest.filter((list) => list.length > 0).map((columns) => ({ columns, filter, ...more })));
    }
  }
  return indexes;
}

/** @param {string[]} fields @param {Sample | undefined} sample @returns {string[]} those with most different values first */
function bySelectivity(fields, sample) {
  if (!sample) return fields;
  return fields.toSorted((one, other) => sample.distinctOf(other) - sample.distinctOf(one));
}

/**
 * @param {Find} find
 * @param {string[]} columns
 * @returns {ServingIndex[]} with the other fields of the answer, where each document that matches has them
 */
function covering(find, columns) {
  const { fields, clauses, isWhole } = find;
  if (!fields || !isWhole) return [];
  const needed = [...new Set([...fields, ...clauses.map(({ field }) => field)])];
  const added = needed.filter((field) => field !== '_id' && !columns.includes(field));
  // A document without a column is not in the index, so that only fields that the selector demands can be added.
  const demanded = new Set(
    clauses.filter(({ operator, operand }) => operator !== 'exists' || operand === true).map(({ field }) => field),
  );
  const isDemanded = added.every((field) => demanded.has(field));
  return added.length > 0 && added.length <= MAX_COVERED && isDemanded ? [{ columns: [...columns, ...added] }] : [];
}

/**
 * @param {Find['clauses'][number]} clause
 * @param {Find} find
 * @param {Sample} sample
 * @returns {boolean} whether it always selects the same part of the documents, and few of them
 */
function isFilter({ field, operator, operand }, { examples }, sample) {
  if (operator !== 'eq' || !['string', 'boolean'].includes(typeof operand)) return false;
  const others = examples.flat().filter((one) => one.field === field && one.operator === operator);
  if (others.some((one) => one.operand !== operand)) return false;
  const selected = sample.selectedBy({ field, operator, operand });
  return selected !== undefined && selected.reduce((sum, bit) => sum + bit, 0) <= sample.size * MAX_FILTERED;
}

/**
 * @param {Statement} statement
 * @param {Now} now
 * @returns {boolean} whether it takes less time than reading what it would read without an index
 */
function isTooFastForScan({ query, find, subject }, { index, reads }) {
  const { msEach } = query;
  if (index || !reads || msEach === null || find?.instead !== undefined || subject.record.find) return false;
  return reads.documents * FASTEST_SCAN_MS > msEach;
}

/**
 * @param {Omit<Prepared, 'now'>} prepared
 * @param {ExistingIndex[]} indexes
 * @param {{sample: Sample | undefined, version: string}} about
 * @returns {Now}
 */
function servedNow({ find, bindings }, indexes, { sample, version }) {
  const index = find.instead === undefined ? indexFor(find, bindings, indexes, version) : undefined;
  if (find.instead !== undefined && sample) {
    const { total } = sample;
    return { index, reads: { rows: total, documents: total, results: total, basis: 'estimated' } };
  }
  return { index, reads: sample && readsOf(find, bindings, index, { sample, version }) };
}

/**
 * @param {Prepared} prepared
 * @param {MangoCandidate} candidate
 * @param {{sample: Sample | undefined, version: string}} about
 * @returns {Served | undefined} undefined where it does not serve it, or no better than what serves it now
 */
function serve({ statement, find, bindings, now }, candidate, { sample, version }) {
  const { query } = statement;
  if (!isSure(find, candidate) || !canUse(find, bindings, candidate, version)) return undefined;
  const logged = measuredReads(statement);
  const before = logged ?? now.reads;
  const after = sample ? readsOf(find, bindings, candidate, { sample, version }) : readsOfLog(find, candidate, logged);
  // What cannot be computed is not promised.
  if (!after || !before || (sample && !now.reads)) return undefined;
  const isScan = now.index === undefined;
  const times = timesOf({ reads: before, isScan }, { reads: after, isScan: false }, query.msEach);
  const { msBefore, msAfter } = withoutFast(times, query.msEach === null ? 0 : (candidate.there?.share ?? 0));
  const saved = (msBefore - msAfter) * query.perDay * (1 - (candidate.there?.share ?? 0));
  return saved > 0
    ? { statement, saved, effect: { before, after, msBefore, msAfter, mustChange: changesOf(find, statement) } }
    : undefined;
}

/**
 * @param {{msBefore: number, msAfter: number}} times of the mean request
 * @param {number} share of the databases that have the index already; requests are taken to be spread evenly
 * @returns {{msBefore: number, msAfter: number}} in the others: the mean is of both
 */
function withoutFast({ msBefore, msAfter }, share) {
  const ratio = msBefore > 0 ? msAfter / msBefore : 1;
  const slow = msBefore / (share * ratio + 1 - share);
  return share === 0 ? { msBefore, msAfter } : { msBefore: slow, msAfter: slow * ratio };
}

/** @param {Find} find @param {Pick<MangoCandidate, 'filter' | 'constants'>} candidate @returns {boolean} whether the query, or all of its logged requests, asks for nothing that the filter left out */
function isSure({ clauses, constants: logged }, { filter = {}, constants }) {
  return Object.entries(filter).every(
    ([name, value]) =>
      clauses.some(({ field, operator, operand }) => field === name && operator === 'eq' && operand === value) ||
      (constants !== undefined && logged?.values.get(name) === value),
  );
}

/** @param {Statement} statement @returns {Reads | undefined} where the log says it */
function measuredReads({ subject: { record } }) {
  if (!record.find || record.find.reports === 0 || record.find.docsExamined === 0) return undefined;
  const documents = record.find.docsExamined / record.find.reports;
  return { rows: documents, documents, results: record.find.results / record.find.reports, basis: 'measured' };
}

/**
 * @param {Find} find
 * @param {MangoCandidate} candidate
 * @param {Reads | undefined} logged
 * @returns {Reads | undefined} where all conditions bound the keys of the index, it reads what it returns
 */
function readsOfLog({ clauses, isWhole }, { columns, filter }, logged) {
  const isExact =
    isWhole &&
    clauses.every(
      ({ field, operator }) => operator === 'eq' && (columns.includes(field) || filter?.[field] !== undefined),
    );
  return logged && isExact
    ? { rows: logged.results, documents: logged.results, results: logged.results, basis: 'estimated' }
    : undefined;
}

/** @param {Find} find @param {Statement} statement @returns {string[]} what the program must change for it */
function changesOf({ instead }, { call }) {
  if (instead === undefined || !call) return [];
  const { file, line } = call.place;
  return [`in ${file}:${line}, query what is needed instead of all documents: \`${instead}\``];
}
