// Times single requests over one kept connection, to their last byte. Reads anything, writes into scratch databases and
// nowhere else. Bodies are discarded as they come, unless the caller wants them.

import http from 'node:http';
import https from 'node:https';
import { performance } from 'node:perf_hooks';
import { findExcess } from '../../../shared/bounded-json.js';
import { parseJson } from '../../../shared/parse-json.js';
import { formatBytes } from '../../../shared/units.js';
import { UserError } from '../../../shared/user-error.js';
import { masksOf } from '../../servers/credentials.js';
import { guardRequest } from '../../servers/scratch-name.js';

/** @import { Server } from '../../servers/server.js' */

/** @typedef {'GET' | 'PUT' | 'POST' | 'DELETE'} Method */
/** @typedef {{status: number, ms: number, bytes: number, text: string}} TimedAnswer `text` is empty where the caller does not want it, and kept of refusals */

/** One answer takes no longer, in milliseconds: an index of 100,000 large documents may take half an hour. */
const TIMEOUT = 3_600_000;
/** An answer that is kept has no more bytes. */
const MAX_KEPT = 48 * 1024 * 1024;
/** So much of a refusal is read, in bytes, and so much of it shown, in characters. */
const MAX_REFUSAL = 10_000;
const MAX_SHOWN = 300;
const SMALLER = { hint: 'run it with a smaller --size' };

export class TimedRequests {
  #agent;

  /** @param {Pick<Server, 'origin' | 'headers'>} server */
  constructor(server) {
    this.server = server;
    const { Agent } = server.origin.startsWith('https:') ? https : http;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1 });
  }

  /**
   * @param {Method} method
   * @param {string} target path without a slash at its head
   * @param {{body?: string, keeps?: boolean, signal?: AbortSignal | undefined}} [options] `keeps`: the text of the answer is wanted
   * @returns {Promise<TimedAnswer>} whatever its status is
   * @throws {UserError} where the connection fails, or it is interrupted
   */
  send(method, target, { body, keeps = false, signal } = {}) {
    guardRequest(method, target);
    const { origin, headers } = this.server;
    const { request } = origin.startsWith('https:') ? https : http;
    return new Promise((resolve, reject) => {
      const lost = (/** @type {Error} */ { message }) => {
        reject(
          signal?.aborted
            ? new UserError('interrupted', 'the run was interrupted')
            : new UserError('server-lost', `request to ${origin} failed: ${message}`, {
                hint: 'check that the server is running',
              }),
        );
      };
      const started = performance.now();
      const sent = request(`${origin}/${target}`, {
        method,
        agent: this.#agent,
        ...(signal ? { signal } : {}),
        headers: {
          ...headers,
          accept: 'application/json',
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      });
      sent.on('error', lost);
      const timer = setTimeout(() => sent.destroy(new Error(`it took more than ${TIMEOUT / 1000} s`)), TIMEOUT);
      sent.on('close', () => clearTimeout(timer));
      sent.on('response', (response) => {
        const { statusCode: status = 0 } = response;
        let bytes = 0;
        /** @type {Buffer[]} */
        const kept = [];
        response.on('data', (chunk) => {
          bytes += chunk.length;
          if (keeps && bytes > MAX_KEPT) {
            sent.destroy();
            reject(new UserError('answer-too-large', `a response has more than ${formatBytes(MAX_KEPT)}`, SMALLER));
            return;
          }
          if (keeps || (status >= 300 && bytes <= MAX_REFUSAL)) kept.push(chunk);
        });
        response.on('error', lost);
        response.on('end', () => {
          const ms = performance.now() - started;
          const text = Buffer.concat(kept).toString('utf8');
          const excess = keeps ? findExcess(text) : undefined;
          if (excess !== undefined) reject(new UserError('json-too-large', `a response ${excess}`, SMALLER));
          else if (status < 300) resolve({ status, ms, bytes, text });
          else resolve({ status, ms, bytes, text: masksOf(headers).words.text(text).slice(0, MAX_SHOWN) });
        });
      });
      sent.end(body);
    });
  }

  close() {
    this.#agent.destroy();
  }
}

/**
 * @param {string} text of an answer that was kept
 * @param {'rows' | 'docs'} name
 * @returns {any[]} the list that it holds
 * @throws {UserError} where it holds none
 */
export function listIn(text, name) {
  const list = /** @type {any} */ (parseJson(text))?.[name];
  if (Array.isArray(list)) return list;
  throw new UserError('wrong-answer', `a response holds no list of ${name}`, {
    hint: 'check that this is the address of a CouchDB, and that no proxy changes its responses',
  });
}
