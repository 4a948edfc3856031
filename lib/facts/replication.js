// Facts about replications: their source and target, what they pass, how they keep their place, and what the scheduler says of them.

import { factsOf } from './fact.js';

/** @import { DeclareFact, DesignDocSubject, Extracted, FactDeclaration, FilterSubject, ReplicationSubject } from './fact.js' */
/** @import { ReplicationEndpoint, ReplicationRecord } from '../sources/design-docs/replication.js' */

const NOT_SHOWN = 'reading does not show its source and target';
/** States in which the scheduler does not replicate (couch_replicator_scheduler_docs, 3.5.2; `error` in documents of 2.0 and before). */
const FAILING = new Set(['crashing', 'crashed', 'failed', 'error']);
/** Two crashes in a row may be a restart of the other server: the third comes minutes later. */
const MIN_CRASHES = 3;

/** A batch of writes is replicated within minutes: recordings that are closer say nothing of the trend. */
const MIN_MINUTES = 10;

/** @type {DeclareFact<ReplicationSubject>} */
const replicationFact = factsOf({ subject: 'replication', sources: ['replications'], basis: 'declared' });

/** @type {FactDeclaration<ReplicationSubject>[]} */
export const replicationFacts = [
  replicationFact('replication.localEndpoints', 'list', {
    meaning: 'Its source and target that are names of databases, not addresses.',
    phrases: '`{value}` is a name, not an address',
    extract: ({ record }) =>
      ofEnds(record, (ends) => ({
        value: ends.flatMap(({ isRemote, address, place }) => (isRemote ? [] : [{ value: address, place }])),
        place: ends.find(({ isRemote }) => !isRemote)?.place,
      })),
  }),
  replicationFact('replication.passwordAddresses', 'list', {
    meaning: 'Its source and target whose address holds a password; placeholders are left out.',
    phrases: 'the address of `{value}` holds a password',
    extract: ({ record }) => {
      const ends = endsOf(record).filter(({ hasPassword, isPlaceholder }) => hasPassword && !isPlaceholder);
      return { value: ends.map(({ address, place }) => ({ value: address, place })), place: ends[0]?.place };
    },
  }),
  replicationFact('replication.isDocument', 'boolean', {
    meaning: 'Whether it is a document of `_replicator`, not a request to `_replicate`.',
    phrases: ['it is a document of `_replicator`', 'it is a request to `_replicate`'],
    extract: ({ record: { isDocument } }) =>
      isDocument === null ? { unknown: 'it may be a document or the body of a request' } : { value: isDocument },
  }),
  replicationFact('replication.isInCode', 'boolean', {
    meaning: 'Whether code starts it, or writes its document.',
    phrases: ['code starts it', 'it stands in a document'],
    extract: ({ record }) => ({ value: record.isInCode }),
  }),
  replicationFact('replication.firstEqual', 'text', {
    meaning:
      'The first other replication of the same file with the same source, target and selection; empty where there is none.',
    phrases: { '': 'no other one is equal', '*': '`{value}` is equal' },
    extract: ({ record, parent }) =>
      ofEnds(record, () => {
        const equal = parent.subjects.find((other) => other.kind === 'replication' && isEqual(other.record, record));
        return { value: equal && equal.kind === 'replication' && equal.record !== record ? equal.name : '' };
      }),
  }),
  replicationFact('replication.startsOver', 'boolean', {
    meaning: 'Whether it keeps no checkpoints: `use_checkpoints` is false.',
    phrases: ['it writes no checkpoints', 'it writes checkpoints'],
    extract: ({ record: { settings } }) => {
      const found = settings.get('use_checkpoints');
      return { value: found?.value === false, place: found?.place };
    },
  }),
  replicationFact('replication.hasFilter', 'boolean', {
    meaning: 'Whether a filter function of a design document chooses what it passes.',
    phrases: ['a filter function chooses', 'no filter function chooses'],
    extract: ({ record: { filter, filterPlace } }) => ({
      value: filter !== null && !filter.startsWith('_'),
      place: filterPlace,
    }),
  }),
  replicationFact('replication.filterSelector', 'text', {
    meaning: 'A Mango selector that passes the same documents as its filter function, where that was read.',
    extract: (subject, ask) => {
      const filter = filterOf(subject);
      if (!filter) return { unknown: 'the filter function was not read' };
      const selector = ask(filter, 'filter.selector');
      return 'unknown' in selector ? { unknown: selector.unknown } : { value: selector.value };
    },
  }),
  replicationFact('replication.filterFitsSelector', 'boolean', {
    meaning: 'Whether a Mango selector passes exactly the same documents as its filter function.',
    phrases: ['a selector passes the same documents', 'no selector passes the same documents'],
    extract: (subject, ask) => {
      const filter = filterOf(subject);
      if (!filter) return { unknown: 'the filter function was not read' };
      const fits = ask(filter, 'filter.fitsSelector');
      return 'unknown' in fits ? { unknown: fits.unknown } : { value: fits.value, basis: fits.basis };
    },
  }),
  replicationFact('replication.docIdCount', 'count', {
    meaning: 'How many documents it names in `doc_ids`; 0 where it names none.',
    phrases: 'it names {value} {document|documents}',
    extract: ({ record: { docIds } }) => ({ value: docIds ?? 0 }),
  }),
  replicationFact('replication.isFailing', 'boolean', {
    basis: 'measured',
    meaning:
      'Whether the server said at last that it has failed, or that it crashes, at least three times in a row where the server counts.',
    phrases: ['the server says that it fails', 'the server does not say that it fails'],
    extract: ({ record }) => ({ value: isFailing(record) }),
  }),
  replicationFact('replication.isGone', 'boolean', {
    basis: 'measured',
    meaning:
      'Whether an earlier recording of the server has it as a continuous job of `_replicate`, and the newest does not.',
    phrases: ['the server no longer has it', 'the server has it'],
    extract: ({ record }) => ({ value: record.isGone === true }),
  }),
  replicationFact('replication.pendingChanges', 'count', {
    basis: 'measured',
    meaning: 'How many changes of its source it has yet to replicate, as the scheduler says.',
    phrases: '{value} {change waits|changes wait}',
    extract: ({ record: { pending } }) =>
      pending === null ? { unknown: 'the scheduler does not say how many changes wait' } : { value: pending },
  }),
  replicationFact('replication.pendingGrowth', 'count', {
    basis: 'measured',
    meaning:
      'By how many the changes that it has yet to replicate grew since a recording at least 10 minutes before, if they doubled; 0 where they did not.',
    phrases: '{value} more than in an earlier recording',
    extract: ({ name, record: { pending, earlier }, parent }) => {
      // Its failure is the cause, and a finding of its own: `_scheduler/docs` has it beside `_scheduler/jobs`.
      if (
        parent.subjects.some((other) => other.kind === 'replication' && other.name === name && isFailing(other.record))
      )
        return { unknown: 'the server says that it fails' };
      if (pending === null || !earlier || earlier.pending === null || earlier.minutes < MIN_MINUTES)
        return { unknown: 'no earlier recording says how many changes waited' };
      return { value: pending >= 2 * earlier.pending ? pending - earlier.pending : 0 };
    },
  }),
  replicationFact('replication.firstAlike', 'text', {
    basis: 'measured',
    meaning: 'The first other replication that fails with an error of the same kind; empty where this is the first.',
    phrases: { '': 'no replication before it fails like this', '*': '`{value}` fails like this, too' },
    extract: (subject) => {
      const [first] = failingAlike(subject);
      return { value: first && first.record !== subject.record ? first.name : '' };
    },
  }),
  replicationFact('replication.alikeCount', 'count', {
    basis: 'measured',
    meaning: 'How many replications fail with an error of the same kind, this one included.',
    phrases: '{value} {replication fails|replications fail} like this',
    extract: (subject) => ({ value: failingAlike(subject).length }),
  }),
  replicationFact('replication.failure', 'text', {
    basis: 'measured',
    meaning:
      'The kind of its last error: `db_not_found`, `unauthorized`; `no reason given` where the server gives none.',
    extract: ({ record: { reason } }) => ({ value: reason ?? 'no reason given' }),
  }),
];

/**
 * @param {ReplicationRecord} record
 * @returns {boolean}
 */
function isFailing({ state, errors }) {
  return state !== null && FAILING.has(state) && !(state === 'crashing' && errors !== null && errors < MIN_CRASHES);
}

/** @param {ReplicationSubject} subject @returns {ReplicationSubject[]} all that fail with an error of the same kind */
function failingAlike({ record, parent }) {
  return parent.subjects.flatMap((other) =>
    other.kind === 'replication' && isFailing(other.record) && other.record.reason === record.reason ? [other] : [],
  );
}

/** @param {ReplicationRecord} record @returns {ReplicationEndpoint[]} that are shown */
function endsOf({ source, target }) {
  return [source, target].flatMap((end) => end ?? []);
}

/**
 * @param {ReplicationRecord} record
 * @param {(ends: ReplicationEndpoint[]) => Extracted} extract
 * @returns {Extracted} unknown where source or target is not shown
 */
function ofEnds(record, extract) {
  const ends = endsOf(record);
  return ends.length === 2 ? extract(ends) : { unknown: NOT_SHOWN };
}

/**
 * @param {ReplicationRecord} one
 * @param {ReplicationRecord} other
 * @returns {boolean} whether both stand in documents of one file and replicate the same; a document and what the scheduler says of it do not count
 */
function isEqual(one, other) {
  if (one.file.path !== other.file.path || one.isInCode || other.isInCode || one.isAnswer || other.isAnswer)
    return false;
  return isSameEnd(one.source, other.source) && isSameEnd(one.target, other.target) && one.selects === other.selects;
}

/**
 * @param {ReplicationEndpoint | undefined} one
 * @param {ReplicationEndpoint | undefined} other
 * @returns {boolean} whether both are certainly the same for the same user; headers may name another one
 */
function isSameEnd(one, other) {
  if (!one || !other || one.hasHeaders || other.hasHeaders) return false;
  return one.address === other.address && one.user === other.user;
}

/** @param {ReplicationSubject} subject @returns {FilterSubject | undefined} the only function of that name that was read */
export function filterOf({ record: { filter }, parent }) {
  const [designDoc = '', name = ''] = filter?.split('/') ?? [];
  const documents = parent.subjects.filter(
    (subject) => subject.kind === 'design-doc' && subject.record.id === `_design/${designDoc}`,
  );
  const [document, ...others] = /** @type {DesignDocSubject[]} */ (documents);
  if (!document || others.length > 0) return undefined;
  const found = parent.subjects.find(
    (subject) =>
      subject.kind === 'filter' && subject.parent.parent === document && subject.function.name === `filters.${name}`,
  );
  return found?.kind === 'filter' ? found : undefined;
}
