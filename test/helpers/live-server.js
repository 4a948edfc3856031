// Uses the real server that COUCHDB_URL names in tests of what rules say of CouchDB: its version, its counters, its
// options.

import { COUCHDB_URL, ScratchDatabase } from './couchdb.js';

/** Options of the server are changed, and set back, only where this is allowed. */
export const MAY_CONFIGURE = Boolean(COUCHDB_URL) && process.env['COUCHDB_MAY_CONFIGURE'] === '1';

const url = new URL(COUCHDB_URL ?? 'http://localhost');
const { authorization } = new ScratchDatabase(url.href);

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Record<string, string>} [headers] instead of those of the admin
 * @returns {Promise<{status: number, text: string, headers: Headers, answer: any}>} `answer`: undefined where it is no JSON
 */
export async function askServer(method, path, body, headers = { authorization }) {
  const response = await fetch(`${url.origin}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, text, headers: response.headers, answer: parsed(text) };
}

/** @returns {Promise<string>} `3.4.3` */
export async function serverVersion() {
  return (await askServer('GET', '/')).answer.version.replace(/[^0-9.].*$/, '');
}

/**
 * Other requests of the server count too: it has to be otherwise idle.
 * @param {() => Promise<unknown>} work
 * @returns {Promise<(name: string) => number>} by how much a counter such as `couchdb.database_reads` grew
 */
export async function countersDuring(work) {
  const before = await readCounters();
  await work();
  const after = await readCounters();
  return (name) => counterValue(after, name) - counterValue(before, name);
}

/** @returns {Promise<any>} */
async function readCounters() {
  return (await askServer('GET', '/_node/_local/_stats')).answer;
}

/** @param {any} stats @param {string} name @returns {number} */
function counterValue(stats, name) {
  const counter = name.split('.').reduce((at, key) => at?.[key], stats);
  // A counter that nothing has touched yet is not there.
  return Number(counter?.value ?? 0);
}

/**
 * @template T
 * @param {[section: string, key: string, value: string][]} options
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} what it returns while the options are set so; afterwards they are as before
 */
export async function withOptions(options, work) {
  /** @type {[string, string | undefined][]} */
  const before = [];
  try {
    for (const [section, key, value] of options) {
      const path = `/_node/_local/_config/${section}/${encodeURIComponent(key)}`;
      const { status, answer } = await askServer('GET', path);
      before.push([path, status === 200 ? answer : undefined]);
      await askServer('PUT', path, value);
    }
    return await work();
  } finally {
    for (const [path, value] of before.reverse()) {
      if (value === undefined) await askServer('DELETE', path);
      else await askServer('PUT', path, value);
    }
  }
}

/**
 * @param {() => Promise<boolean>} isSo
 * @param {number} [seconds]
 * @returns {Promise<boolean>} whether it came to be so in time
 */
export async function comesTrue(isSo, seconds = 60) {
  for (let tries = 0; tries < seconds * 4; tries += 1) {
    if (await isSo()) return true;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return false;
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
