// Facts about the language of a design document: whether servers of the target version have a query server for it, as
// far as the configuration that was read shows.

import { nearest } from '../../shared/nearest.js';
import { compareVersions } from '../../shared/version.js';
import { member, memberOrOpen, nodePlace } from '../../sources/record.js';
import { factsOf } from '../fact.js';
import { optionOf } from '../server/server.js';
import { entries } from '../subjects.js';

/** @import { DeclareFact, DesignDocSubject, Extracted, FactDeclaration, ServerSubject } from '../fact.js' */

/** Since then query servers stand in the environment, and case does not count (couch_proc_manager.erl, 2.2.0 and 2.3.0). */
const IN_ENVIRONMENT = '2.3';
/** Since then an engine can be named (couch_proc_manager.erl `configure_js_engine`, 3.4.0). */
const WITH_ENGINES = '3.4';

/** The server starts with these whatever the configuration says (default.ini to 2.2; rel/files/couchdb.in, 2.3 to 3.5.2). */
const ALWAYS = ['javascript', 'coffeescript', 'query'];
const ENGINES = ['javascript_quickjs', 'javascript_spidermonkey'];
/** What a name may be a misspelling of. */
const MEANT = ['javascript', 'coffeescript', 'erlang', ...ENGINES];

/** What `[native_query_servers] erlang` has to be from 2.3 on (couch_proc_manager.erl `native_query_server_enabled`, 3.5.2). */
const NATIVE_ERLANG = '{couch_native_process, start_link, []}';

/** Members that hold functions, or indexes whose functions are run in the same language. */
const FUNCTION_MEMBERS = ['filters', 'updates', 'shows', 'lists', 'indexes', 'nouveau'];

/** @type {DeclareFact<DesignDocSubject>} */
const designDocFact = factsOf({ subject: 'design-doc', sources: ['design-docs'], basis: 'declared' });

/** @type {FactDeclaration<DesignDocSubject>[]} */
export const designDocLanguageFacts = [
  designDocFact('ddoc.usesQueryServer', 'boolean', {
    meaning: 'Whether it has functions that run in a query server.',
    phrases: ['a query server runs its functions', 'it has no functions for a query server'],
    extract: ({ record: { node }, views }) => {
      const hasFunctions = FUNCTION_MEMBERS.some((name) => entries(member(node, name)).length > 0);
      return { value: hasFunctions || views.length > 0 || member(node, 'validate_doc_update')?.type === 'string' };
    },
  }),
  designDocFact('ddoc.languageState', 'text', {
    sources: ['design-docs', 'server-config', 'settings'],
    meaning:
      'Whether the target version runs its language: `offered`, `later` (only newer versions), `misspelt`, `off` (Erlang, which is off by default), or `unread` (configured in a place that this version ignores).',
    phrases: {
      offered: 'this version has the language',
      later: 'only newer versions have the language',
      misspelt: 'the name of the language is misspelled',
      off: 'the language is disabled',
      unread: 'this version does not read the setting of the language',
    },
    extract: (subject) => {
      const node = memberOrOpen(subject.record.node, 'language');
      if (!node) return { value: 'offered' };
      if (node.type !== 'string') return { unknown: 'its `language` is not a string' };
      return { place: nodePlace(node), ...stateOf(node.value, subject) };
    },
  }),
  designDocFact('ddoc.languageWritten', 'text', {
    meaning: 'Its `language` as written, in quotes.',
    extract: ({ record }) => {
      const node = member(record.node, 'language');
      return node?.type === 'string'
        ? { value: JSON.stringify(node.value), place: nodePlace(node) }
        : { unknown: 'the document names no language' };
    },
  }),
  designDocFact('ddoc.languageMeant', 'text', {
    meaning: 'The language that was probably meant.',
    extract: ({ record }) => {
      const node = member(record.node, 'language');
      const meant = node?.type === 'string' && meantBy(node.value);
      return meant ? { value: meant } : { unknown: 'its language resembles none that CouchDB knows' };
    },
    basis: 'inferred',
  }),
];

/**
 * @param {string} written
 * @param {DesignDocSubject} subject
 * @returns {Extracted}
 */
function stateOf(written, subject) {
  const { version } = subject.parent.target;
  const ignoresCase = compareVersions(version, IN_ENVIRONMENT) >= 0;
  const name = ignoresCase ? written.toLowerCase() : written;
  if (ALWAYS.includes(name)) return { value: 'offered' };
  if (ENGINES.includes(name)) return { value: compareVersions(version, WITH_ENGINES) >= 0 ? 'offered' : 'later' };
  const configs = configsOf(subject);
  if (name === 'erlang') return stateOfErlang(configs, ignoresCase);
  const isSet = configs.some(({ record }) =>
    record.options.some(
      ({ section, key }) =>
        (section === 'query_servers' || (section === 'native_query_servers' && !ignoresCase)) &&
        (ignoresCase ? key.toLowerCase() : key) === name,
    ),
  );
  if (isSet) return { value: ignoresCase ? 'unread' : 'offered' };
  if (meantBy(written)) return { value: 'misspelt' };
  return {
    unknown: ignoresCase
      ? 'an environment variable of the server may define it'
      : 'no configuration file that was read defines its query server',
  };
}

/**
 * @param {ServerSubject[]} configs
 * @param {boolean} hasSwitch whether the version has `enable_erlang_query_server`
 * @returns {Extracted}
 */
function stateOfErlang(configs, hasSwitch) {
  const section = 'native_query_servers';
  let isOff = false;
  for (const config of configs) {
    const native = optionOf(config, section, 'erlang')?.value;
    const enabled = hasSwitch ? optionOf(config, section, 'enable_erlang_query_server')?.value : undefined;
    if (enabled === 'true' || (hasSwitch ? native === NATIVE_ERLANG : native)) return { value: 'offered' };
    // Of a running server all that is set is known, and the default is off.
    if (enabled === 'false' || config.record.file.isRemote) isOff = true;
  }
  return isOff ? { value: 'off' } : { unknown: 'no configuration file that was read says whether Erlang is enabled' };
}

/**
 * @param {DesignDocSubject} subject
 * @returns {ServerSubject[]} the configuration of its server, or of a file those in the same run
 */
function configsOf({ record, parent }) {
  const origin = record.database?.server?.origin;
  return parent.subjects.flatMap((other) => {
    if (other.kind !== 'server') return [];
    const { file } = other.record;
    const isOwn = record.database ? origin !== undefined && file.path.startsWith(`${origin}/`) : !file.isRemote;
    return isOwn ? [other] : [];
  });
}

/**
 * @param {string} written
 * @returns {string | undefined} the known language that it is a misspelling of; a number in it makes it one of one's own
 */
function meantBy(written) {
  if (written === '') return 'javascript';
  return /\d/.test(written) ? undefined : nearest(written, MEANT);
}
