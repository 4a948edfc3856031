// Reads and writes messages of JSON-RPC 2.0, one a line, as the Model Context Protocol sends them over standard input and output.

import { parseJson } from '../../../shared/parse-json.js';

/** @import { Readable, Writable } from 'node:stream' */

/** Longer lines are refused: a design document has at most 8 MB in CouchDB, but few have 100 kB. */
const MAX_BYTES = 4 * 1024 * 1024;
const NEWLINE = 10;
const SPACE = 32;

export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
const PARSE_ERROR = -32700;

/** @typedef {string | number} Id */
/** @typedef {{id?: Id, method?: string, params?: any, result?: any, error?: any}} Message */

/** An answer that is an error of the protocol. */
export class ProtocolError extends Error {
  /** @param {number} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * @param {Readable} input
 * @returns {AsyncGenerator<Message | ProtocolError>} the error where a line is no message; the rest is still read
 */
export async function* readMessages(input) {
  /** @type {Buffer[]} */
  let parts = [];
  let size = 0;
  for await (const chunk of input) {
    let rest = /** @type {Buffer} */ (typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      size += end;
      const line = size > MAX_BYTES ? undefined : Buffer.concat([...parts, rest.subarray(0, end)]);
      [parts, size, rest] = [[], 0, rest.subarray(end + 1)];
      if (!line) yield new ProtocolError(INVALID_REQUEST, `the message has more than ${MAX_BYTES} bytes`);
      else if (line.some((byte) => byte > SPACE)) yield readMessage(line.toString('utf8'));
    }
    size += rest.length;
    // What is too long already is not kept.
    parts = size > MAX_BYTES ? [] : [...parts, rest];
  }
}

/** @param {string} line @returns {Message | ProtocolError} */
function readMessage(line) {
  const message = /** @type {any} */ (parseJson(line));
  if (message === undefined) return new ProtocolError(PARSE_ERROR, 'the line is not JSON, or holds too many values');
  const { jsonrpc, id, method, params } = message ?? {};
  const isRight =
    jsonrpc === '2.0' &&
    (id === undefined || typeof id === 'string' || Number.isSafeInteger(id)) &&
    (typeof method === 'string' || (id !== undefined && (message.result ?? message.error) !== undefined)) &&
    (params === undefined || (typeof params === 'object' && params !== null && !Array.isArray(params)));
  return isRight ? message : new ProtocolError(INVALID_REQUEST, 'the line is not a message of JSON-RPC 2.0');
}

/**
 * @param {Writable} output
 * @param {Message} message
 */
export function writeMessage(output, message) {
  if (output.writable) output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
