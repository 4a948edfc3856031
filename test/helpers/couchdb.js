// A small client of the real CouchDB named by COUCHDB_URL, for tests that check claims about it. Only ever touches
// databases whose names it made itself.

import { randomBytes } from 'node:crypto';
import nano from 'nano';

/** Undefined where no server is given; live tests are then left out. */
export const COUCHDB_URL = process.env['COUCHDB_URL'];

export class ScratchDatabase {
  #client;

  /**
   * @param {string} url of the server, credentials included
   */
  constructor(url) {
    const { username, password, origin } = new URL(url);
    this.origin = origin;
    this.authorization = `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;
    this.#client = nano({ url: origin, headers: { authorization: this.authorization } });
    this.name = `couch-advisor-scratch-${randomBytes(6).toString('hex')}`;
  }

  /** @param {string} method @param {string} path below the database @param {unknown} [body] */
  async ask(method, path, body) {
    const response = await fetch(`${this.origin}/${this.name}${path}`, {
      method,
      headers: { authorization: this.authorization, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: response.status, answer: /** @type {any} */ (await response.json()) };
  }

  /** @returns {Promise<unknown>} rejects where the server refuses, like the next */
  create() {
    return this.#client.db.create(this.name);
  }

  /** @returns {Promise<unknown>} */
  drop() {
    return this.#client.db.destroy(this.name);
  }

  /**
   * Saves a design document under a name of its own.
   * @param {Record<string, unknown>} designDoc
   * @returns {Promise<{id: string, status: number, answer: any}>}
   */
  async save(designDoc) {
    const id = `_design/${randomBytes(6).toString('hex')}`;
    const { _id, ...body } = designDoc;
    return { id, ...(await this.ask('PUT', `/${id}`, body)) };
  }
}
