// Sends requests to a real CouchDB and keeps them as a browser (HAR) and as the server (log) would: two records of the same traffic.

/** @typedef {{method?: string, path: string, body?: unknown}} Sent `path` from the root of the server */

export class RecordedTraffic {
  /** @type {object[]} */
  #entries = [];
  /** @type {string[]} */
  #lines = [];
  #scale;
  #later;

  /** @param {string} origin @param {string} authorization @param {{minutes?: number, days?: number}} [options] `minutes`: that each request stands apart from the one before, so that a short test covers a long time; `days`: that all of it is later */
  constructor(origin, authorization, { minutes = 0, days = 0 } = {}) {
    this.origin = origin;
    this.authorization = authorization;
    this.#scale = minutes * 60_000;
    this.#later = days * 86_400_000;
  }

  /** @param {Sent} sent @returns {Promise<{status: number, answer: any, ms: number}>} */
  async send({ method = 'GET', path, body }) {
    const from = Date.now() + this.#later + this.#scale * this.#entries.length;
    const started = performance.now();
    const response = await fetch(`${this.origin}${path}`, {
      method,
      headers: { authorization: this.authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const ms = performance.now() - started;
    this.#entries.push({
      startedDateTime: new Date(from).toISOString(),
      time: ms,
      request: {
        method,
        url: `${this.origin}${path}`,
        ...(body === undefined ? {} : { postData: { text: JSON.stringify(body) } }),
      },
      response: { status: response.status, content: { size: text.length, text: path.endsWith('_find') ? text : '' } },
    });
    const { host } = new URL(this.origin);
    const end = new Date(from + ms).toISOString().replace('Z', '000Z');
    this.#lines.push(
      `[notice] ${end} couchdb@127.0.0.1 <0.${this.#lines.length + 100}.0> ${String(this.#lines.length).padStart(10, '0')} ${host} 127.0.0.1 admin ${method} ${path} ${response.status} ok ${Math.max(1, Math.round(ms - 1))}`,
    );
    return { status: response.status, answer: text === '' ? undefined : JSON.parse(text), ms };
  }

  /** @returns {object} */
  har() {
    return { log: { version: '1.2', entries: this.#entries } };
  }

  /** @returns {string} as CouchDB writes it: it counts from when it has read the request, to the millisecond */
  log() {
    return `${this.#lines.join('\n')}\n`;
  }
}
