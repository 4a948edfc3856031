// Defines errors that people can act on: what was expected, what was found, where, and what to do next.

/** @import { Place } from './source-file.js' */

export class UserError extends Error {
  /**
   * @param {string} code stable name, kebab-case
   * @param {string} message what was found and what was expected
   * @param {object} [details]
   * @param {Place} [details.place]
   * @param {string} [details.hint] the next command to type, or the change to make
   */
  constructor(code, message, details = {}) {
    super(message);
    this.name = 'UserError';
    this.code = code;
    this.place = details.place;
    this.hint = details.hint;
  }
}
