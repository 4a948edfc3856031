// Facts about CouchDB's configuration, read from `.ini` files.

import { compareVersions } from '../../shared/version.js';
import { factsOf } from '../fact.js';

/** @import { ConfigOption } from '../../sources/record.js' */
/** @import { DeclareFact, Extracted, FactDeclaration, Item, ServerSubject } from '../fact.js' */

/**
 * `[uuids] algorithm` and the CouchDB version each came with (couch_uuids.erl by tag: `uuid_v7` stands in 3.5.1 and not in
 * 3.5.0; `utc_id` since 1.3). `uuid_v4` is in no release up to 3.5.2.
 * @type {Map<string, string>}
 */
const UUID_ALGORITHMS = new Map([
  ['random', '0.9'],
  ['sequential', '0.11'],
  ['utc_random', '0.11'],
  ['utc_id', '1.3'],
  ['uuid_v7', '3.5.1'],
]);

/** The algorithm whose ids come in no order, so that each insert hits a different leaf of the B-tree. */
const RANDOM_ALGORITHM = 'random';

/** Hosts that many strangers share: an origin there is anybody's. */
const SHARED_HOSTS = ['github.io', 'gitlab.io', 'herokuapp.com', 'netlify.app', 'pages.dev', 'vercel.app', 'web.app'];

/** @type {DeclareFact<ServerSubject>} */
const serverFact = factsOf({ subject: 'server', sources: ['server-config'], basis: 'declared' });

/** @type {FactDeclaration<ServerSubject>[]} */
export const serverFacts = [
  serverFact('config.setsUuidAlgorithm', 'boolean', {
    meaning: 'Whether the file sets `[uuids] algorithm`.',
    phrases: ['the UUID algorithm is set here', 'no UUID algorithm is set'],
    extract: (subject) => {
      const option = optionOf(subject, 'uuids', 'algorithm');
      return { value: option !== undefined, place: option?.place };
    },
  }),
  serverFact('config.uuidAlgorithm', 'text', {
    meaning: 'The value of `[uuids] algorithm`.',
    extract: (subject) => {
      const option = optionOf(subject, 'uuids', 'algorithm');
      if (!option) return { unknown: 'the file does not set `[uuids] algorithm`' };
      return { value: option.value, place: option.valuePlace };
    },
  }),
  serverFact('config.uuidAlgorithmIsRandom', 'boolean', {
    meaning: 'Whether the server generates random ids.',
    phrases: ['the algorithm creates random ids', 'the algorithm creates ids in order'],
    extract: (subject) => {
      const option = optionOf(subject, 'uuids', 'algorithm');
      if (!option) return { unknown: 'the file does not set `[uuids] algorithm`' };
      return { value: option.value === RANDOM_ALGORITHM, place: option.valuePlace };
    },
  }),
  serverFact('config.uuidAlgorithmIsKnown', 'boolean', {
    sources: ['server-config', 'settings'],
    meaning: 'Whether the target version knows the configured `[uuids] algorithm`.',
    phrases: ['this version has the algorithm', 'this version does not have the algorithm'],
    extract: (subject) => {
      const option = optionOf(subject, 'uuids', 'algorithm');
      if (!option) return { unknown: 'the file does not set `[uuids] algorithm`' };
      const since = UUID_ALGORITHMS.get(option.value);
      const isKnown = since !== undefined && compareVersions(subject.parent.target.version, since) >= 0;
      return { value: isKnown, place: option.valuePlace };
    },
  }),
  serverFact('config.uuidSuffixIsMissing', 'boolean', {
    meaning: 'Whether `utc_id` is set without `utc_id_suffix`, which keeps the ids of several nodes distinct.',
    phrases: ['`utc_id_suffix` is not set', '`utc_id_suffix` is not missing'],
    extract: (subject) => {
      const option = optionOf(subject, 'uuids', 'algorithm');
      if (!option) return { unknown: 'the file does not set `[uuids] algorithm`' };
      const suffix = optionOf(subject, 'uuids', 'utc_id_suffix');
      return { value: option.value === 'utc_id' && !suffix?.value, place: option.valuePlace };
    },
  }),
  serverFact('config.corsIsEnabled', 'boolean', {
    meaning: 'Whether `enable_cors` is true in this or another configuration file of the run.',
    phrases: ['CORS is enabled here', 'CORS is not enabled'],
    extract: corsIsEnabled,
  }),
  serverFact('config.corsOpenWithCredentials', 'list', {
    meaning: 'CORS sections that allow every origin with credentials.',
    extract: (subject) => ({ value: openSections(subject, true) }),
  }),
  serverFact('config.corsOpen', 'list', {
    meaning: 'CORS sections that allow every origin without credentials.',
    extract: (subject) => ({ value: openSections(subject, false) }),
  }),
  serverFact('config.corsDoubtfulOrigins', 'list', {
    meaning:
      'Origins that are allowed with credentials although others can forge or control them: `null`, plain http, shared hosts.',
    extract: (subject) => ({ value: doubtfulOrigins(subject) }),
  }),
];

/**
 * @param {ServerSubject} subject
 * @param {string} section
 * @param {string} key
 * @returns {ConfigOption | undefined} the last of equal names, as in CouchDB
 */
export function optionOf(subject, section, key) {
  return subject.record.options.findLast((option) => option.section === section && option.key === key);
}

/**
 * @param {ServerSubject} subject
 * @returns {Extracted}
 */
function corsIsEnabled(subject) {
  // Settings are spread over default.ini, local.ini and local.d/*.ini, and CouchDB merges them all.
  const servers = subject.parent.subjects.filter((other) => other.kind === 'server');
  for (const server of [subject, ...servers.filter((other) => other !== subject)]) {
    // `[chttpd]` since 3.2; the old name is still read (chttpd_util.erl, 3.5.2).
    const option = optionOf(server, 'chttpd', 'enable_cors') ?? optionOf(server, 'httpd', 'enable_cors');
    if (option) return { value: option.value === 'true', place: option.place };
  }
  return { unknown: 'no configuration file that was read sets `enable_cors`' };
}

/**
 * The CORS sections with what holds in them: those of a host fall back to `[cors]` (chttpd_cors.erl cors_config, 3.5.2).
 * @param {ServerSubject} subject
 * @returns {{section: string, origins: string[], originsOption: ConfigOption, credentials: boolean}[]}
 */
function corsSections(subject) {
  const names = new Set(
    subject.record.options.map((option) => option.section).filter((name) => /^cors(:|$)/.test(name)),
  );
  return [...names].flatMap((section) => {
    const own = optionOf(subject, section, 'origins');
    const ownCredentials = optionOf(subject, section, 'credentials');
    const originsOption = own ?? optionOf(subject, 'cors', 'origins');
    const credentials = ownCredentials ?? optionOf(subject, 'cors', 'credentials');
    if (!originsOption || (section !== 'cors' && !own && !ownCredentials)) return [];
    const origins = originsOption.value.split(',').map((origin) => origin.trim());
    return [{ section, origins, originsOption, credentials: credentials?.value === 'true' }];
  });
}

/**
 * @param {ServerSubject} subject
 * @param {boolean} credentials
 * @returns {Item[]}
 */
function openSections(subject, credentials) {
  return corsSections(subject)
    .filter((cors) => cors.origins.includes('*') && cors.credentials === credentials)
    .map((cors) => ({
      value: `[${cors.section}]`,
      place: cors.originsOption.place,
      detail: { section: cors.section, key: 'credentials', value: 'false' },
    }));
}

/**
 * @param {ServerSubject} subject
 * @returns {Item[]}
 */
function doubtfulOrigins(subject) {
  return corsSections(subject)
    .filter((cors) => cors.credentials)
    .flatMap((cors) =>
      cors.origins.filter(isDoubtful).map((origin) => ({ value: origin, place: cors.originsOption.valuePlace })),
    );
}

/**
 * @param {string} origin
 * @returns {boolean}
 */
function isDoubtful(origin) {
  if (origin === 'null') return true;
  const match = /^(https?):\/\/(\[[^\]]*\]|[^:/]*)/i.exec(origin);
  if (!match) return false;
  const [, scheme = '', host = ''] = match;
  if (SHARED_HOSTS.includes(host.toLowerCase())) return true;
  const isLoopback = host === 'localhost' || host === '[::1]' || /^127\./.test(host) || host.endsWith('.localhost');
  return scheme.toLowerCase() === 'http' && !isLoopback;
}
