// Facts about CouchDB's configuration that one file alone often cannot answer: limits of query servers, how passwords are kept, who is admitted. Of a
// running server all that is set is known; of a file it is unknown what other files set.

import { compareVersions } from '../../shared/version.js';
import { optionOf } from './server.js';

/** @import { ConfigOption } from '../../sources/record.js' */
/** @import { About, Extracted, FactDeclaration, ServerSubject } from '../fact.js' */

/** Iterations where none are set, from the version on (default.ini and couch_auth_cache.erl by tag: 10 up to 3.3). @type {[string, number][]} */
const DEFAULT_ITERATIONS = [
  ['3.4', 600_000],
  ['0', 10],
];

/** Default of each option (default.ini, 3.4.3 and 3.5.2). */
const REPLICATOR_DEFAULTS = { max_jobs: 500, http_connections: 20 };

/** Those of the scheduler; `interval` is in milliseconds (couch_replicator_scheduler.erl, 2.1.0 to 3.5.2). */
const SCHEDULER_DEFAULTS = { max_jobs: 500, max_churn: 20, interval: 60_000 };
const MS_PER_MINUTE = 60_000;

/** Sections that hold settings of authentication: the second is the name before 3.2, which is still read. */
const AUTH_SECTIONS = ['chttpd_auth', 'couch_httpd_auth'];

/**
 * @param {string} name
 * @param {FactDeclaration['type']} type
 * @param {About<(subject: ServerSubject) => Extracted>} about
 * @returns {FactDeclaration<ServerSubject>}
 */
function fact(name, type, about) {
  const id = `config.${name}`;
  return { id, type, subject: 'server', sources: ['server-config', 'live-server'], basis: 'declared', ...about };
}

/** @type {FactDeclaration<ServerSubject>[]} */
export const serverLimitFacts = [
  fact('reduceLimit', 'text', {
    meaning: 'The value of `[query_server_config] reduce_limit`; `unset` if it is not set.',
    phrases: { unset: '`reduce_limit` is not set', '*': '`reduce_limit` is `{value}`' },
    extract: (subject) => textOf(subject, ['query_server_config'], 'reduce_limit'),
  }),
  fact('osProcessTimeoutMs', 'ms', {
    meaning: 'How long a query server may take to respond (`[couchdb] os_process_timeout`).',
    phrases: 'query servers time out after {value}',
    extract: (subject) => numberOf(subject, ['couchdb'], 'os_process_timeout'),
  }),
  fact('osProcessLimit', 'count', {
    meaning: 'How many query server processes may run (`[query_server_config] os_process_limit`).',
    phrases: 'up to {value} query server {process|processes} may run',
    extract: (subject) => numberOf(subject, ['query_server_config'], 'os_process_limit'),
  }),
  fact('replicationConnections', 'count', {
    meaning:
      'How many connections replications may open together: `[replicator] max_jobs` times `http_connections`, if one of them is set.',
    phrases: 'replications may open {value} connections',
    extract: (subject) => {
      const options = Object.keys(REPLICATOR_DEFAULTS).map((key) => numberOf(subject, ['replicator'], key));
      const set = options.find((option) => 'value' in option);
      if (!set) return { unknown: 'neither `[replicator] max_jobs` nor `http_connections` is set' };
      const broken = options.find((option) => 'unknown' in option && option.place);
      if (broken) return broken;
      const factors = Object.values(REPLICATOR_DEFAULTS).map((usual, at) => {
        const option = options[at];
        return option && 'value' in option ? Number(option.value) : usual;
      });
      // What another file sets is not seen here.
      return { value: factors.reduce((product, factor) => product * factor, 1), basis: 'inferred', place: set.place };
    },
  }),
  fact('replicationJobCount', 'count', {
    meaning: 'Number of replication jobs on the node that answered (`couch_replicator.jobs.total` of its `_stats`).',
    phrases: 'the node has {value} replication {job|jobs}',
    basis: 'measured',
    extract: (subject) => {
      const count = jobCount(subject);
      return count === undefined ? { unknown: 'the number of replication jobs was not read' } : { value: count };
    },
  }),
  fact('longestJobPauseMinutes', 'count', {
    meaning:
      'Minutes until each waiting replication job had its turn: the jobs above `max_jobs`, `max_churn` of them every `interval`.',
    phrases: 'a job pauses for up to {value} {minute|minutes}',
    basis: 'measured',
    extract: longestJobPause,
  }),
  fact('erlangIsEnabled', 'boolean', {
    meaning: 'Whether Erlang functions are enabled, which run with all rights of the server.',
    phrases: ['Erlang functions are enabled here', 'Erlang functions are not enabled'],
    extract: (subject) => {
      const option = optionOf(subject, 'native_query_servers', 'enable_erlang_query_server');
      const legacy = optionOf(subject, 'native_query_servers', 'erlang');
      return { value: option?.value === 'true' || legacy !== undefined, place: option?.place ?? legacy?.place };
    },
  }),
  fact('erlangDesignDocs', 'list', {
    meaning: 'The design documents written in Erlang, if those of a server or project were read.',
    phrases: '{value} is written in Erlang',
    sources: ['design-docs', 'live-server'],
    extract: ({ parent }) => {
      const documents = parent.subjects.flatMap((other) => (other.kind === 'design-doc' ? [other] : []));
      if (documents.length === 0) return { unknown: 'no design documents were read' };
      const erlang = documents.filter(({ language }) => language === 'erlang');
      return { value: erlang.map(({ name, place }) => ({ value: `_design/${name}`, place })) };
    },
  }),
  fact('databasesWithAdmins', 'list', {
    meaning: 'The databases whose `_security` names admins, who may write design documents.',
    phrases: '{value} has admins of its own',
    sources: ['live-server'],
    extract: (subject) => databasesWhere(subject, ({ admins }) => admins.length > 0),
  }),
  fact('publicDatabases', 'list', {
    meaning: 'The databases whose `_security` names no members.',
    phrases: '{value} is public',
    sources: ['live-server'],
    extract: (subject) => databasesWhere(subject, ({ isPublic }) => isPublic),
  }),
  fact('hasAdmins', 'boolean', {
    meaning: 'Whether server admins are set.',
    phrases: ['server admins are set here', 'no server admin is set'],
    extract: (subject) => {
      const option = subject.record.options.find(({ section }) => section === 'admins');
      if (option) return { value: true, place: subject.record.sections.find(({ name }) => name === 'admins')?.place };
      if (!ofServer(subject)) return { unknown: 'another file may set them' };
      // 3.0 and later do not start without one; where none is seen the answer is not whole.
      const isBefore3 = compareVersions(subject.parent.target.version, '3.0') < 0;
      return isBefore3 ? { value: false } : { unknown: 'the server does not report its admins' };
    },
  }),
  fact('defaultSecurity', 'text', {
    meaning: 'Who may use new databases (`[couchdb] default_security`); `unset` if it is not set.',
    phrases: {
      everyone: 'everyone may use new databases',
      unset: '`default_security` is not set',
      '*': '`default_security` is `{value}`',
    },
    extract: (subject) => textOf(subject, ['couchdb'], 'default_security'),
  }),
  fact('bindsEverywhere', 'boolean', {
    meaning: 'Whether the server listens on all network interfaces.',
    phrases: ['the server listens on all addresses', 'the server does not listen on all addresses'],
    extract: (subject) => {
      const option = optionOf(subject, 'chttpd', 'bind_address');
      return { value: option !== undefined && ['0.0.0.0', '::', 'any'].includes(option.value), place: option?.place };
    },
  }),
  fact('needsUser', 'boolean', {
    meaning: 'Whether every request needs a user (`require_valid_user`).',
    phrases: ['every request needs a user', 'requests need no user'],
    extract: ({ record, parent }) => needsUser(record.options, parent.target.version),
  }),
  fact('allowsJsonp', 'boolean', {
    meaning: 'Whether any web page may load responses as scripts (`allow_jsonp`).',
    phrases: ['JSONP is enabled here', 'JSONP is not enabled'],
    extract: (subject) => {
      const option = optionOf(subject, 'chttpd', 'allow_jsonp') ?? optionOf(subject, 'httpd', 'allow_jsonp');
      return { value: option?.value === 'true', place: option?.place };
    },
  }),
  fact('passwordScheme', 'text', {
    meaning: 'How passwords are stored: `pbkdf2`, `simple`, or `unset`.',
    phrases: 'the password scheme is `{value}`',
    extract: (subject) => textOf(subject, AUTH_SECTIONS, 'password_scheme'),
  }),
  fact('passwordIterations', 'count', {
    meaning: 'Number of hashing iterations for a password; the default of the version if a server sets none.',
    phrases: 'passwords are hashed in {value} {iteration|iterations}',
    extract: (subject) => {
      const set = numberOf(subject, AUTH_SECTIONS, 'iterations');
      if (!('unknown' in set) || !ofServer(subject)) return set;
      const { version } = subject.parent.target;
      const known = DEFAULT_ITERATIONS.find(([since]) => compareVersions(version, since) >= 0);
      return known ? { value: known[1] } : set;
    },
  }),
];

/**
 * What decides is read of `[chttpd]` alone (chttpd_auth.erl party_mode_handler, 2.1.0 to 3.5.2; tried on 3.4.3 and 3.5.0). `[couch_httpd_auth]` is
 * that of 1.x, and of a second port up to 2.3.
 * @param {ConfigOption[]} options
 * @param {string} version of CouchDB
 * @returns {{value: boolean, place?: ConfigOption['place']}}
 */
export function needsUser(options, version) {
  const sections = compareVersions(version, '2.1') < 0 ? ['chttpd', 'couch_httpd_auth'] : ['chttpd'];
  const keys = compareVersions(version, '3.0.1') < 0 ? [] : ['require_valid_user_except_for_up'];
  const set = ['require_valid_user', ...keys].flatMap((key) => {
    const option = options.findLast((other) => sections.includes(other.section) && other.key === key);
    return option ? [option] : [];
  });
  const option = set.find(({ value }) => value === 'true') ?? set[0];
  return { value: option?.value === 'true', place: option?.place };
}

/**
 * @param {ServerSubject} subject
 * @returns {boolean} whether it is the configuration of a running server and not one file of it
 */
function ofServer({ record }) {
  return record.file.isRemote;
}

/** @param {ServerSubject} subject @returns {number | undefined} of the node that the configuration is of */
function jobCount({ record: { file }, parent }) {
  const node = parent.subjects.find(
    (other) => other.kind === 'node' && file.path.startsWith(`${other.record.origin}/`),
  );
  return node?.kind === 'node' ? node.record.counters.get('couch_replicator.jobs.total') : undefined;
}

/** @param {ServerSubject} subject @returns {Extracted} */
function longestJobPause(subject) {
  const count = jobCount(subject);
  if (count === undefined) return { unknown: 'the number of replication jobs was not read' };
  const options = Object.entries(SCHEDULER_DEFAULTS).map(([key, usual]) => {
    const option = numberOf(subject, ['replicator'], key);
    return 'value' in option || option.place ? option : { value: usual, place: undefined };
  });
  const broken = options.find((option) => 'unknown' in option);
  if (broken) return broken;
  const [maxJobs = 0, churn = 0, interval = 0] = options.map((option) =>
    'value' in option ? Number(option.value) : 0,
  );
  const waiting = Math.max(0, count - maxJobs);
  if (churn === 0 && waiting > 0) return { unknown: '`max_churn` is 0, so waiting jobs never start' };
  const minutes = waiting === 0 ? 0 : Math.ceil(((waiting / churn) * interval) / MS_PER_MINUTE);
  return { value: minutes, place: options.find(({ place }) => place)?.place };
}

/**
 * @param {ServerSubject} subject
 * @param {string[]} sections the first that sets it counts
 * @param {string} key
 * @returns {Extracted}
 */
function textOf(subject, sections, key) {
  const option = sections.map((section) => optionOf(subject, section, key)).find((found) => found !== undefined);
  return { value: option?.value.toLowerCase() || 'unset', place: option?.place };
}

/**
 * @param {ServerSubject} subject
 * @param {string[]} sections
 * @param {string} key
 * @returns {Extracted}
 */
function numberOf(subject, sections, key) {
  const option = sections.map((section) => optionOf(subject, section, key)).find((found) => found !== undefined);
  if (!option) return { unknown: `\`[${sections[0]}] ${key}\` is not set` };
  if (!/^\d{1,15}$/.test(option.value)) return { unknown: `\`${key}\` is not a number`, place: option.valuePlace };
  return { value: Number(option.value), place: option.valuePlace };
}

/**
 * @param {ServerSubject} subject
 * @param {(security: NonNullable<import('../../sources/live/record.js').DatabaseRecord['security']>) => boolean} fits
 * @returns {Extracted} databases of the server that the configuration is of
 */
function databasesWhere({ record: { file }, parent }, fits) {
  const databases = parent.subjects.flatMap((other) => (other.kind === 'database' ? [other] : []));
  const own = databases.filter(({ record }) => record.server && file.path.startsWith(`${record.server.origin}/`));
  if (own.length === 0) return { unknown: 'no database of the server was read' };
  const found = own.flatMap(({ name, record: { security } }) =>
    security && fits(security) ? [{ value: name, place: security.placeOf() }] : [],
  );
  const isAllKnown = own.every(({ record }) => record.security !== undefined);
  if (found.length === 0 && !isAllKnown) return { unknown: 'the user may not read the `_security` of some databases' };
  return { value: found };
}
