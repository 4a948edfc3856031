// Facts about options that the target version does not honor: it reads others, has none such, or another option
// overrules them.

import { foldName } from '../../shared/nearest.js';
import { compareVersions } from '../../shared/version.js';
import {
  LATER_OPTIONS,
  MOVED_OPTIONS,
  REMOVED_OPTIONS,
  RENAMED_IN,
  RENAMED_OPTIONS,
  SPELLINGS,
} from './config-options.js';
import { optionOf } from './server.js';

/** @import { ConfigOption } from '../../sources/record.js' */
/** @import { OptionSpan } from './config-options.js' */
/** @import { FactDeclaration, OptionSubject, ServerSubject } from '../fact.js' */

/** The first version that reads query servers from the environment (couch_proc_manager.erl, 2.3.0). */
const QUERY_SERVERS_IN_ENVIRONMENT = '2.3';

/** The whole name of a shard: its range, the database, the second it was made. */
const SHARD = /^shards\/[0-9a-f]{8}-[0-9a-f]{8}\/.+\.\d+$/;

/** @type {FactDeclaration<OptionSubject>[]} */
export const deadOptionFacts = [
  fact(
    'unreadOptions',
    'The option, if the target version ignores it although it has the feature: the option was moved, comes in a later version or is misspelt.',
    (option, subject) => {
      const { version } = subject.parent.target;
      return (
        moved(option, version) ??
        movedHeader(option, subject) ??
        later(option, version) ??
        shardless(option) ??
        unarmed(option, subject) ??
        misspelt(option)
      );
    },
  ),
  fact(
    'overruledOptions',
    'The option, if it uses an old name and the same file sets the new name to another value, which wins.',
    overruled,
  ),
  fact('removedOptions', 'The option, if the target version has neither it nor a replacement.', (option, subject) => {
    if (option.section === 'daemons' && option.key === 'httpsd') return undefined;
    const span = REMOVED_OPTIONS.find((row) => isNamed(option, row) && isOver(row, subject.parent.target.version));
    return span && `${nameOf(option)} was removed in CouchDB ${span.before}`;
  }),
];

/**
 * @param {string} name
 * @param {string} meaning
 * @param {(option: ConfigOption, subject: ServerSubject) => string | undefined} describe the option and what is wrong with it
 * @returns {FactDeclaration<OptionSubject>} a list of one, or of none
 */
function fact(name, meaning, describe) {
  return {
    id: `config.${name}`,
    type: 'list',
    subject: 'option',
    sources: ['server-config', 'settings'],
    basis: 'declared',
    meaning,
    extract: ({ option, place, parent }) => {
      const value = describe(option, parent);
      return { value: value === undefined ? [] : [{ value, place }] };
    },
  };
}

/**
 * @param {ConfigOption} option
 * @param {string} version
 * @returns {string | undefined}
 */
function moved(option, version) {
  if (option.section === 'query_servers' && compareVersions(version, QUERY_SERVERS_IN_ENVIRONMENT) >= 0) {
    return `${nameOf(option)} is ignored since CouchDB ${QUERY_SERVERS_IN_ENVIRONMENT}; use \`COUCHDB_QUERY_SERVER_${option.key.toUpperCase()}\``;
  }
  // What is switched off under a name that is not read is off.
  if (option.value === 'false') return undefined;
  const span = MOVED_OPTIONS.find((row) => isNamed(option, row) && isOver(row, version));
  return span && `${nameOf(option)} is ignored since CouchDB ${span.before}; use ${span.instead}`;
}

/**
 * From 3.2 on the old names are read only where `utils_enable`, which is true by default, is false (`maybe_add_csp_header`,
 * chttpd_util.erl, 3.2.0 and 3.5.2).
 * @param {ConfigOption} option
 * @param {ServerSubject} subject
 * @returns {string | undefined}
 */
function movedHeader(option, subject) {
  if (option.section !== 'csp' || compareVersions(subject.parent.target.version, RENAMED_IN) < 0) return undefined;
  // The header is on by default.
  if (option.key === 'enable' ? option.value === 'true' : option.key !== 'header_value') return undefined;
  if (optionOf(subject, 'csp', 'utils_enable')?.value === 'false') return undefined;
  // Off is only what both names switch off: tried on 3.4.3 and 3.5.0.
  if (option.key === 'enable')
    return `${nameOf(option)} is ignored since CouchDB ${RENAMED_IN} unless \`[csp] utils_enable\` is false too`;
  return `${nameOf(option)} is ignored since CouchDB ${RENAMED_IN}; use \`[csp] utils_header_value\``;
}

/**
 * @param {ConfigOption} option
 * @param {string} version
 * @returns {string | undefined}
 */
function later(option, version) {
  const span = option.value === 'false' ? undefined : LATER_OPTIONS.find((row) => isNamed(option, row));
  if (span?.from !== undefined && compareVersions(version, span.from) < 0) {
    return `${nameOf(option)} is ignored before CouchDB ${span.from}`;
  }
  if (compareVersions(version, RENAMED_IN) >= 0) return undefined;
  const renamed = RENAMED_OPTIONS.find(({ section, keys }) => section === option.section && keys.has(option.key));
  return renamed && `${nameOf(option)} is ignored before CouchDB ${RENAMED_IN}; use \`[${renamed.old}] ${option.key}\``;
}

/**
 * Keys there are compared with whole names of shards, and of databases that have none, as `_dbs` (`ignore_db` of ken_server.erl and
 * smoosh_utils.erl, 3.5.2).
 * @param {ConfigOption} option
 * @returns {string | undefined}
 */
function shardless(option) {
  const { section, key, value } = option;
  if ((section !== 'ken.ignore' && section !== 'smoosh.ignore') || value !== 'true') return undefined;
  if (key.startsWith('_') || SHARD.test(key)) return undefined;
  return `${nameOf(option)} is ignored; use names of shards, such as \`shards/00000000-7fffffff/shop.1700000000\``;
}

/**
 * Thresholds of the disk monitor, which is off by default (couch_disk_monitor.erl enabled, 3.4.0 to 3.5.2). Another file may switch it on, so that
 * only a running server says so, or the file that switches it off.
 * @param {ConfigOption} option
 * @param {ServerSubject} subject
 * @returns {string | undefined}
 */
function unarmed(option, { record, parent }) {
  if (option.section !== 'disk_monitor' || !option.key.endsWith('_threshold')) return undefined;
  const servers = parent.subjects.flatMap((other) => (other.kind === 'server' ? other : []));
  const set = servers.flatMap((server) => optionOf(server, 'disk_monitor', 'enable') ?? []);
  const isOff = set.length > 0 ? set.every(({ value }) => value === 'false') : record.file.isRemote;
  return isOff ? `${nameOf(option)} is ignored unless \`[disk_monitor] enable\` is true` : undefined;
}

/**
 * @param {ConfigOption} option
 * @returns {string | undefined}
 */
function misspelt(option) {
  const section = spelling(option.section, SPELLINGS.keys()) ?? option.section;
  const known = SPELLINGS.get(section);
  if (!known) return undefined;
  const key = spelling(option.key, known) ?? option.key;
  const isRight = section === option.section && key === option.key;
  return isRight || !known.has(key) ? undefined : `${nameOf(option)} is ignored; did you mean \`[${section}] ${key}\`?`;
}

/**
 * @param {ConfigOption} option
 * @param {ServerSubject} subject
 * @returns {string | undefined}
 */
function overruled(option, subject) {
  if (compareVersions(subject.parent.target.version, RENAMED_IN) < 0) return undefined;
  const renamed = RENAMED_OPTIONS.find(({ old, keys }) => old === option.section && keys.has(option.key));
  const winner = renamed && optionOf(subject, renamed.section, option.key);
  if (!winner || winner.value === option.value) return undefined;
  return `${nameOf(option)} is overruled by \`[${winner.section}] ${winner.key}\``;
}

/**
 * @param {ConfigOption} option
 * @param {OptionSpan} span
 * @returns {boolean}
 */
function isNamed(option, { section, key }) {
  return option.section === section && (key === undefined || key === option.key);
}

/**
 * @param {OptionSpan} span
 * @param {string} version
 * @returns {boolean}
 */
function isOver({ before }, version) {
  return before !== undefined && compareVersions(version, before) >= 0;
}

/**
 * @param {string} name
 * @param {Iterable<string>} known
 * @returns {string | undefined} the known name that differs in nothing but case and `-` for `_`
 */
function spelling(name, known) {
  const folded = foldName(name);
  for (const candidate of known) if (foldName(candidate) === folded) return candidate;
  return undefined;
}

/**
 * @param {ConfigOption} option
 * @returns {string}
 */
function nameOf({ section, key }) {
  return `\`[${section}] ${key}\``;
}
