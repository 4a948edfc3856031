// Facts about a server as a whole, as the node that answered describes it.

import { compareVersions } from '../../shared/version.js';
import { optionOf } from '../server/server.js';
import { FIXED_FAULTS } from './known-faults.js';
import { declareAbout, figureAt, ratio } from './server-figures.js';

/** @import { Extracted, FactDeclaration, NodeSubject } from '../fact.js' */
/** @import { NodeRecord } from '../../sources/live/record.js' */
/** @import { DeclareFact } from './server-figures.js' */

/** What stays unknown of a server whose members may not be read. */
const NO_MEMBERS = 'the cluster membership was not read';

/** So many minutes lie between two recordings that say the same of something that lasts seconds. */
const MIN_MINUTES = 10;
/** What stays unknown without a recording to compare with. */
export const NO_EARLIER = 'there is no recording of the same server from at least 10 minutes before';

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
  fact('leftNodes', 'list', {
    meaning: 'Nodes that were in the cluster at the time of an earlier recording, and are not any more.',
    phrases: '{value} left the cluster',
    extract: ({ members, earlier }) => {
      const before = earlier?.node.members;
      if (!members || !before) return { unknown: NO_EARLIER };
      return { value: before.filter((name) => !members.includes(name)).map((value) => ({ value })) };
    },
  }),
  fact('idleChannels', 'list', {
    meaning:
      'Channels of smoosh in which compactions wait and none runs, now and at the time of a recording at least 10 minutes before; without those that have a window.',
    phrases: 'compactions wait in `{value}`',
    extract: ({ compactions, earlier }, { parent }) => {
      const before = earlier && earlier.minutes >= MIN_MINUTES ? earlier.node.compactions : undefined;
      if (!compactions || !before) return { unknown: NO_EARLIER };
      const idle = before.flatMap((channel) => (isIdle(channel) ? [channel.name] : []));
      const value = compactions.filter((channel) => isIdle(channel) && idle.includes(channel.name));
      const names = value.filter(({ name }) => !hasWindow(parent, name)).map(({ name }) => ({ value: name }));
      return { value: names };
    },
  }),
  fact('waitingCompactions', 'count', {
    meaning: 'Compactions that wait in all channels of smoosh on the node that answered.',
    phrases: '{value} {compaction waits|compactions wait}',
    extract: ({ compactions }) =>
      compactions
        ? { value: compactions.reduce((sum, { waiting }) => sum + waiting, 0) }
        : { unknown: 'the server does not report waiting compactions (3.4 and later do)' },
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

/** @param {{waiting: number, running: number}} channel @returns {boolean} */
function isIdle({ waiting, running }) {
  return waiting > 0 && running === 0;
}

/**
 * @param {NodeSubject['parent']} run
 * @param {string} channel of smoosh
 * @returns {boolean} whether a configuration that was read gives it hours in which it runs (smoosh_utils.erl in_allowed_window, 3.5.2)
 */
function hasWindow({ subjects }, channel) {
  return subjects.some(
    (subject) =>
      subject.kind === 'server' &&
      ['from', 'to'].some((key) => optionOf(subject, `smoosh.${channel}`, key) !== undefined),
  );
}
