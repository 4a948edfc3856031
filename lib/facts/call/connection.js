// Facts about what code connects to, and with which credentials. None of them holds a password.

import { clientNamed } from '../../clients/index.js';
import { nodePlace } from '../../sources/record.js';
import { callFact } from './call.js';

/** @import { CallSubject, FactDeclaration } from '../fact.js' */
/** @import { CallRecord } from '../../sources/application/record.js' */

const NO_ADDRESS = 'the code does not show the address';

/** Hosts of the machine itself; the last three are how containers and emulators name it. */
const LOCAL =
  /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|::1|host\.docker\.internal|10\.0\.2\.2|10\.0\.3\.2)$/i;
/** Addresses and names of private networks (RFC 1918, RFC 6762, RFC 8375, RFC 4193). */
const PRIVATE =
  /^(?:10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|169\.254(?:\.\d+){2}|f[cd][0-9a-f]{2}:.*|.*\.(?:local|internal|lan|home|intranet|corp|home\.arpa|svc))$/i;
/** Names that stand for one (RFC 2606, RFC 6761), and placeholders: `<host>`, `{host}`. */
const EXAMPLE = /(?:^|\.)(?:example(?:\.(?:com|org|net))?|test|invalid)\.?$|[<>{}]|%[37][bcde]/i;

/** Words that a password has only where it stands for one. */
const PLACEHOLDER =
  /^(?:.{0,2}|x+|\*+|\.+|…|-+|_+|root|couch(?:db)?|foo|bar|qwerty|\d{1,6})$|pass|pwd|secret|change|your|example|test|guest|admin|user|demo|todo|sample|dummy|placeholder|replace|api_?key|token|[<>{}%[\]]|^\$|\$\{/i;

/** @type {FactDeclaration<CallSubject>[]} */
export const callConnectionFacts = [
  callFact('call.credentials', 'text', {
    meaning:
      'The credentials that a client is made with: `literal` (the user and password are in the code), `placeholder`, `other` (from elsewhere) or `none`.',
    phrases: {
      literal: 'the user and password are written here',
      none: 'there are no credentials',
      '*': 'the credentials are {value}',
    },
    extract: ({ connection, file }) => {
      if (!connection) return { value: 'none' };
      const { credentials, hasCredentials } = connection;
      if (!credentials) return { value: hasCredentials ? 'other' : 'none' };
      const { user, password, node } = credentials;
      const standsForOne = PLACEHOLDER.test(password) || user === password || /[<>{}$%]|your/i.test(user);
      // Of an address in another file, the call is shown.
      const place = node.file === file ? nodePlace(node) : undefined;
      return { value: standsForOne ? 'placeholder' : 'literal', place };
    },
  }),
  callFact('call.host', 'text', {
    meaning:
      'Where the server is that it connects to: `local`, `private` (a private network), `service` (a name without a dot, as containers have), `example` (an example domain or a placeholder) or `remote`.',
    phrases: { local: 'the server is on this machine', '*': 'the host is {value}' },
    extract: (record) => {
      const host = hostOf(record);
      return host === null ? { unknown: NO_ADDRESS } : { value: kindOf(host) };
    },
  }),
  callFact('call.isPlainHttp', 'boolean', {
    meaning: 'Whether it connects without TLS.',
    phrases: ['the address begins with `http:`', 'the address begins with `https:`'],
    extract: ({ connection }) => {
      const protocol = connection?.protocol ?? null;
      return protocol === null ? { unknown: NO_ADDRESS } : { value: protocol === 'http' };
    },
  }),
  callFact('call.hostName', 'text', {
    meaning: 'The host that it connects to.',
    phrases: 'the host is `{value}`',
    extract: (record) => {
      const host = hostOf(record);
      return host === null ? { unknown: NO_ADDRESS } : { value: host };
    },
  }),
];

/** @param {CallRecord} record @returns {string | null} */
function hostOf({ connection, client, method }) {
  if (!connection) return null;
  // `Cloudant({ account, password })` connects to a host below this one.
  const isAccount = method === 'connect' && connection.host === null && connection.credentials;
  return (isAccount && clientNamed(client)?.accountHost) || connection.host;
}

/** @param {string} host @returns {string} */
function kindOf(host) {
  if (LOCAL.test(host)) return 'local';
  if (EXAMPLE.test(host)) return 'example';
  if (PRIVATE.test(host)) return 'private';
  return /[.:]/.test(host) ? 'remote' : 'service';
}
