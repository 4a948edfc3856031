// Replaces the real load generator by one with times from a script, so that everything that uses it can be tested
// without a server and without waiting.

/** @import { LoadAnswer, LoadGenerator, LoadOrder } from '../../lib/measure/experiments/load-order.js' */

/**
 * @param {(order: LoadOrder, turn: number) => Partial<LoadAnswer>} script times of a round: `turn` counts the rounds from 0
 * @returns {LoadGenerator & {orders: LoadOrder[]}} with all orders that it received
 */
export function createScriptedLoadGenerator(script) {
  /** @type {LoadOrder[]} */
  const orders = [];
  return {
    orders,
    async run(order) {
      orders.push(order);
      const answer = script(order, orders.length - 1);
      const latencies = answer.latencies ?? [];
      const elapsedMs = latencies.reduce((sum, latency) => sum + latency, 0);
      return {
        requests: order.requests.length,
        elapsedMs,
        errors: 0,
        timeouts: 0,
        refused: 0,
        bytes: 0,
        firstRefusal: undefined,
        ...answer,
        latencies,
      };
    },
  };
}
