// Sends rounds of requests over HTTP by autocannon and records the time of each response. Sends to scratch databases
// only, and does no statistics: autocannon's own are cut to whole milliseconds.

import { performance } from 'node:perf_hooks';
import { masksOf } from '../../servers/credentials.js';
import { isScratchName } from '../../servers/scratch-name.js';

/** @import { LoadAnswer, LoadGenerator, LoadOrder } from '../load-order.js' */

/** So often autocannon looks whether a round is over, in milliseconds: it is seen late by so much, and nothing is measured by it. */
const LOOK_EVERY = 20;
/** After so many failed connections a round is given up. */
const MAX_ERRORS = 10;
/** autocannon would go on for as long as this, in seconds; the number of requests ends a round. */
const LONGEST = 3600;
/** Bodies of all connections are no longer, in bytes. */
const MAX_BODY = 64 * 1024 * 1024;
/** Of the first refusal so much is kept. */
const MAX_SHOWN = 200;

/** @typedef {{setRequests: (requests: object[]) => void, on: (event: 'body', listener: () => void) => void, pipelinedRequests: {peek: () => {bytes: number} | undefined}}} AutocannonClient of autocannon 8 */

/** @returns {LoadGenerator} */
export function createLoadGenerator() {
  return {
    async run(order) {
      if (!isScratchName(order.database))
        throw new Error('refused: requests to something that is not a scratch database');
      const { default: autocannon } = await import('autocannon');
      const connections = Math.max(1, Math.min(order.connections, order.requests.length));
      const answer = emptyAnswer(order);
      const mask = masksOf(order.headers).words;
      const shares = shareOut(order, connections, (status, body) => {
        if (status >= 300) answer.firstRefusal ??= `${status} ${mask.text(body).slice(0, MAX_SHOWN).trim()}`;
      });
      let next = 0;
      const started = performance.now();
      let last = started;
      const running = autocannon({
        url: order.origin,
        connections,
        pipelining: 1,
        amount: order.requests.length,
        duration: LONGEST,
        timeout: order.timeoutSeconds,
        headers: order.headers,
        sampleInt: LOOK_EVERY,
        bailout: MAX_ERRORS,
        // Each connection sends a share of its own: the same write twice would be a conflict.
        setupClient: (/** @type {AutocannonClient} */ client) => {
          client.setRequests(shares[next] ?? []);
          next += 1;
          // The package keeps each body whole, however long it becomes.
          client.on('body', () => {
            if ((client.pipelinedRequests.peek()?.bytes ?? 0) <= MAX_BODY / connections) return;
            answer.firstRefusal ??= 'a response is too large';
            running.stop();
          });
        },
      });
      running.on('response', (_client, status, bytes, latency) => {
        last = performance.now();
        answer.bytes += bytes;
        if (status >= 200 && status < 300) answer.latencies.push(latency);
        else answer.refused += 1;
      });
      running.on('reqError', () => {
        last = performance.now();
      });
      const stop = () => running.stop();
      order.signal?.addEventListener('abort', stop, { once: true });
      try {
        const { errors, timeouts } = await running;
        return { ...answer, errors, timeouts, elapsedMs: last - started };
      } finally {
        order.signal?.removeEventListener('abort', stop);
      }
    },
  };

  /**
   * @param {LoadOrder} order
   * @returns {LoadAnswer}
   */
  function emptyAnswer({ requests }) {
    const nothing = { errors: 0, timeouts: 0, refused: 0, bytes: 0, elapsedMs: 0, firstRefusal: undefined };
    return { latencies: [], requests: requests.length, ...nothing };
  }
}

/**
 * @param {LoadOrder} order
 * @param {number} connections
 * @param {(status: number, body: string) => void} onResponse
 * @returns {object[][]} the requests of each connection as autocannon wants them, as many as it will send there
 */
function shareOut({ requests, database, headers }, connections, onResponse) {
  const shares = Array.from({ length: connections }, () => /** @type {object[]} */ ([]));
  for (const [at, { method, path, body }] of requests.entries()) {
    shares[at % connections]?.push({
      method,
      path: `/${database}/${path}`,
      headers: {
        ...headers,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      onResponse,
    });
  }
  return shares;
}
