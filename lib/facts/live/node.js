// Facts about a server as a whole, as the node that answered describes it.

import { compareVersions } from '../../shared/version.js';
import { FIXED_FAULTS } from './known-faults.js';
import { declareAbout, figureAt, ratio } from './server-figures.js';

/** @import { Extracted, FactDeclaration, NodeSubject } from '../fact.js' */
/** @import { NodeRecord } from '../../sources/live/record.js' */
/** @import { DeclareFact } from './server-figures.js' */

/** What stays unknown of a server whose members may not be read. */
const NO_MEMBERS = 'the cluster membership was not read';

/** @type {DeclareFact<NodeSubject>} */
const fact = declareAbout('node', 'node');

/** @type {FactDeclaration<NodeSubject>[]} */
export const nodeFacts = [
  fact('nodeCount', 'count', {
    meaning: 'Number of nodes in the cluster.',
    extract: ({ nodeCount }) => (nodeCount === undefined ? { unknown: NO_MEMBERS } : { value: nodeCount }),
  }),
  fact('downNodes', 'list', {
    meaning: 'Nodes of the cluster that the queried node is not connected to (`_membership`).',
    phrases: '{value} is down',
    extract: ({ downNodes }) =>
      downNodes === undefined ? { unknown: NO_MEMBERS } : { value: downNodes.map((value) => ({ value })) },
  }),
  fact('lacksUsers', 'boolean', {
    meaning: 'Whether the server has no database `_users`, and is no CouchDB 1.x, which creates it itself.',
    phrases: ['it has no `_users` database', 'it has a `_users` database'],
    extract: ({ own, version }) => {
      if (own === undefined) return { unknown: 'not all databases were listed' };
      return { value: !own.includes('_users') && version !== undefined && compareVersions(version, '2.0') >= 0 };
    },
  }),
  fact('version', 'version', {
    meaning: 'The CouchDB version of the server.',
    forOwnRules: 'which versions are in use is a matter of the project',
    extract: (record) => figureAt(record, record.version, 'version'),
  }),
  fact('severeFaults', 'list', {
    meaning: 'CVEs of its version that let strangers or users become admins or run programs.',
    extract: (record) => faultsOf(record, true),
  }),
  fact('otherFaults', 'list', { meaning: 'Other CVEs of its version.', extract: (record) => faultsOf(record, false) }),
  fact('passwordCheckCount', 'count', {
    meaning: 'Number of passwords checked since the server started (3.4 and later).',
    phrases: '{value} {password was|passwords were} checked',
    extract: ({ counters }) => {
      const [slow, fast] = passwordChecks(counters);
      return slow === undefined || fast === undefined
        ? { unknown: 'this version does not count password checks' }
        : { value: slow + fast };
    },
  }),
  fact('slowPasswordShare', 'share', {
    meaning: 'Share of the password checks that missed the cache, so that the password was hashed.',
    phrases: '{value} of the passwords were hashed again',
    extract: ({ counters }) => {
      const [slow, fast] = passwordChecks(counters);
      const share = slow === undefined || fast === undefined ? undefined : ratio(slow, slow + fast);
      return share === undefined
        ? { unknown: 'it has checked no passwords, or does not count password checks' }
        : { value: share };
    },
  }),
  fact('queryServerErrorCount', 'count', {
    meaning: 'Number of query server failures since the server started.',
    forOwnRules: 'how many failures are usual depends on the functions',
    extract: ({ counters }) => {
      const count = counters.get('couchdb.query_server.process_errors');
      return count === undefined ? { unknown: 'the server does not count query server failures' } : { value: count };
    },
  }),
];

/** @param {ReadonlyMap<string, number>} counters @returns {(number | undefined)[]} slow, fast (`_stats`, 3.4.0 and later) */
function passwordChecks(counters) {
  return [counters.get('couchdb.password_hashing_slow'), counters.get('couchdb.password_hashing_fast')];
}

/**
 * @param {NodeRecord} record
 * @param {boolean} isSevere
 * @returns {Extracted}
 */
function faultsOf(record, isSevere) {
  const { version } = record;
  if (version === undefined) return { unknown: 'the server does not report its version' };
  const found = FIXED_FAULTS.filter(
    (fault) =>
      fault.isSevere === isSevere &&
      fault.ranges.some(
        ({ from, before }) => compareVersions(version, from) >= 0 && compareVersions(version, before) < 0,
      ),
  );
  return { value: found.map(({ id }) => ({ value: id, place: record.placeOf('version') })) };
}
