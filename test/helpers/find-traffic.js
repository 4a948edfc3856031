// Makes HAR files of Mango queries and writes, for tests of the advisor.

/** @typedef {{method?: string, target?: string, body?: object, times?: number, ms?: number, answer?: object}} Traffic `times`: how often it is sent, evenly */

const START = Date.parse('2026-03-02T00:00:00.000Z');
const DAY_MS = 86_400_000;

/**
 * @param {Traffic[]} traffic of one day
 * @returns {{log: {entries: object[]}}}
 */
export function harOfDay(traffic) {
  const entries = traffic.flatMap(({ method = 'POST', target = '/shop/_find', body, times = 1, ms = 5, answer = {} }) =>
    Array.from({ length: times }, (_, at) => ({
      at: Math.floor(((at + 0.5) * DAY_MS) / times),
      method,
      target,
      body,
      ms,
      answer,
    })),
  );
  entries.sort((one, other) => one.at - other.at);
  return {
    log: {
      entries: entries.map(({ at, method, target, body, ms, answer }) => ({
        startedDateTime: new Date(START + at).toISOString(),
        time: ms,
        request: {
          method,
          url: `http://db.shop.example:5984${target}`,
          ...(body && { postData: { text: JSON.stringify(body) } }),
        },
        response: { status: 200, content: { size: 900, text: JSON.stringify(answer) } },
      })),
    },
  };
}

/**
 * @param {number} count
 * @returns {Record<string, unknown>[]} orders of a shop: 200 customers, 3 states, 300 days
 */
export function shopOrders(count) {
  return Array.from({ length: count }, (_, at) => ({
    _id: `order-${String(at).padStart(6, '0')}`,
    type: at % 10 === 0 ? 'customer' : 'order',
    customer: `customer-${(at * 7) % 200}`,
    status: ['new', 'paid', 'sent'][(at * 11) % 3],
    date: new Date(START - ((at * 13) % 300) * DAY_MS).toISOString().slice(0, 10),
    total: (at * 17) % 500,
  }));
}
