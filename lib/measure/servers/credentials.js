// Finds the address of a server and its credentials: from the URL, the environment or a netrc file, in this order. What
// is found goes into a header and is never printed.

import os from 'node:os';
import path from 'node:path';
import { readTextFile } from '../../files/open-file.js';
import { attempt, decodeEscapes } from '../../shared/attempt.js';
import { SecretMask } from '../../shared/mask-secrets.js';
import { UserError } from '../../shared/user-error.js';

/** @typedef {{user: string, password: string}} Credentials */

/**
 * @param {string} given `http://host:5984`, with or without credentials and a trailing slash
 * @param {Record<string, string | undefined>} env
 * @param {(file: string) => string | undefined} [read] a file's text; undefined where it cannot be read
 * @returns {{origin: string, credentials: Credentials | undefined}}
 * @throws {UserError} where it is no address of a server; the message holds no part of what was given
 */
export function readServerAddress(given, env, read = readText) {
  const url = parseUrl(given);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UserError('bad-url', 'invalid --url: not a server address', {
      hint: 'for example: --url http://localhost:5984',
    });
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new UserError('bad-url', '--url contains a path; only the server is needed', {
      hint: `scratch databases are created and dropped there: --url ${url.origin}`,
    });
  }
  return {
    origin: url.origin,
    credentials: fromUrl(url) ?? fromEnvironment(env) ?? fromNetrc(url.hostname, env, read),
  };
}

/**
 * @param {Credentials | undefined} credentials
 * @returns {Record<string, string>} headers
 */
export function authorizationOf(credentials) {
  if (!credentials) return {};
  const { user, password } = credentials;
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** A password that may also be the name of a database, a view or a field: masked everywhere, it would hide those. */
const NAME_LIKE = /^(?:[a-z_-]*|.{1,7})$/;

/**
 * A server may repeat what it was sent: in the reason of an error, in its version, in a row.
 * @param {Record<string, string>} headers what authorises
 * @returns {{words: SecretMask, data: SecretMask}} masks for what the server says of itself and of errors, and for what it returns as data
 */
export function masksOf(headers) {
  const secrets = Object.values(headers).flatMap((header) => {
    const [, value = header] = /^\S+ (.+)$/.exec(header) ?? [];
    const [, password = ''] = /:(.*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? [];
    return [header, value, password];
  });
  return {
    words: new SecretMask(secrets),
    data: new SecretMask(secrets.filter((secret) => !NAME_LIKE.test(secret))),
  };
}

/**
 * @param {string} text of a netrc file
 * @param {string} host
 * @returns {Credentials | undefined} of the first entry for the host, else of `default`
 */
export function readNetrc(text, host) {
  // The text of a macro ends at an empty line.
  const words = text
    .replace(/^\s*macdef[\s\S]*?(\n\s*\n|$(?![\s\S]))/gm, '\n')
    .replace(/^\s*#.*$/gm, '')
    .split(/\s+/)
    .filter(Boolean);
  /** @type {{machine: string | undefined, login: string, password: string}[]} */
  const entries = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    const next = words[at + 1] ?? '';
    const last = entries.at(-1);
    if (word === 'default') entries.push({ machine: undefined, login: '', password: '' });
    else if (word === 'machine') entries.push({ machine: next, login: '', password: '' });
    else if (word === 'login' && last) last.login = next;
    else if (word === 'password' && last) last.password = next;
    if (word !== 'default') at += 1;
  }
  const found = entries.find(({ machine }) => machine === undefined || machine === host);
  return found && found.login !== '' ? { user: found.login, password: found.password } : undefined;
}

/** @param {string} given @returns {URL | undefined} */
function parseUrl(given) {
  return attempt(() => new URL(given));
}

/** @param {URL} url @returns {Credentials | undefined} */
function fromUrl({ username, password }) {
  if (username === '') return undefined;
  return { user: decodeEscapes(username), password: decodeEscapes(password) };
}

/** @param {Record<string, string | undefined>} env @returns {Credentials | undefined} */
function fromEnvironment({ COUCHDB_USER: user, COUCHDB_PASSWORD: password = '' }) {
  return user ? { user, password } : undefined;
}

/**
 * @param {string} host
 * @param {Record<string, string | undefined>} env
 * @param {(file: string) => string | undefined} read
 * @returns {Credentials | undefined}
 */
function fromNetrc(host, env, read) {
  const file =
    env['NETRC'] || path.join(env['HOME'] || os.homedir(), process.platform === 'win32' ? '_netrc' : '.netrc');
  const text = read(file);
  return text === undefined ? undefined : readNetrc(text, host);
}

/** @param {string} file @returns {string | undefined} */
function readText(file) {
  return attempt(() => readTextFile(file, { isNamed: true }));
}
