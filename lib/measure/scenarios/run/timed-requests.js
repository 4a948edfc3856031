// Times single requests over one kept connection, to their last byte. Reads anything, writes into scratch databases and
// nowhere else. Bodies are discarded as they come, unless the caller wants them.

import http from 'node:http';
import https from 'node:https';
import { performance } from 'node:perf_hooks';
import { UserError } from '../../../shared/user-error.js';
import { guardRequest } from '../../servers/scratch-name.js';

/** @import { Server } from '../../servers/server.js' */

/** @typedef {'GET' | 'PUT' | 'POST' | 'DELETE'} Method */
/** @typedef {{status: number, ms: number, bytes: number, text: string}} TimedAnswer `text` is empty where the caller does not want it, and kept of refusals */

/** One answer takes no longer, in milliseconds: an index of 100,000 large documents may take half an hour. */
const TIMEOUT = 3_600_000;
/** An answer that is kept has no more bytes: Node has no string much longer than this. */
const MAX_KEPT = 500_000_000;
/** So much of a refusal is kept, in characters. */
const MAX_SHOWN = 300;

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
        timeout: TIMEOUT,
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
      sent.on('timeout', () => sent.destroy(new Error(`it took more than ${TIMEOUT / 1000} s`)));
      sent.on('response', (response) => {
        const { statusCode: status = 0 } = response;
        let bytes = 0;
        /** @type {Buffer[]} */
        const kept = [];
        response.on('data', (chunk) => {
          bytes += chunk.length;
          if (keeps && bytes > MAX_KEPT) {
            sent.destroy();
            reject(
              new UserError('answer-too-large', `a response exceeds ${MAX_KEPT / 1_000_000} MB`, {
                hint: 'run it with a smaller --size',
              }),
            );
            return;
          }
          if (keeps || status >= 300) kept.push(chunk);
        });
        response.on('error', lost);
        response.on('end', () => {
          const ms = performance.now() - started;
          const text = Buffer.concat(kept).toString('utf8');
          resolve({ status, ms, bytes, text: keeps ? text : text.slice(0, MAX_SHOWN) });
        });
      });
      sent.end(body);
    });
  }

  close() {
    this.#agent.destroy();
  }
}
